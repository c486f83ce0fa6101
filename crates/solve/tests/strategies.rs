//! Certificates of what a real search has found, checked with the rules alone.
use std::collections::BTreeMap;

use tabia_alignment::connect4::{Connect4, Threats};
use tabia_alignment::mnk::Mnk;
use tabia_fanorona::fanorona::{Fanorona, Material};
use tabia_game::{Limits, Player, Text, Turn, Uninformed, Wdl};
use tabia_small::dao::Dao;
use tabia_small::lgame::LGame;
use tabia_solve::best_first::{Guided, Initial};
use tabia_solve::certificate::{Certifiable, Certificate, Claim, Header, Task, check};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Oracle, Prover, Status, Strategy, write_certificate};

/// The value by the search, which is then asked for a certificate of it.
fn certified<G: Certifiable, I: Initial<G> + Sync>(
    game: &G,
    position: &str,
    mut dfpn: Dfpn<I>,
) -> Wdl {
    let state = match position {
        "" => game.start(),
        text => game.parse_position(text).unwrap(),
    };
    let Turn::Player(mover) = game.turn(&state) else {
        panic!("the game is over");
    };
    let limits = Limits::default();
    let mut wins = |attacker| {
        let attack = Attack {
            attacker,
            at_least: 1,
        };
        let proof = dfpn.prove(game, &state, attack, &(), &limits);
        proof.status == Status::Proved
    };
    let value = match (wins(mover), wins(mover.other())) {
        (true, false) => Wdl::Win,
        (false, true) => Wdl::Loss,
        (false, false) => Wdl::Draw,
        (true, true) => panic!("both sides win"),
    };
    let find = |task| Strategy::find(game, &state, task, &mut dfpn, &(), &limits, |_| ()).unwrap();
    let strategies: Vec<_> = Task::of_value(value, mover).into_iter().map(find).collect();
    let header = Header {
        game: "game".to_string(),
        position: game.position_text(&state),
        claim: Claim::Value(value),
        tables: BTreeMap::new(),
    };
    let (mut out, cancel) = (Vec::new(), &limits.cancel);
    let written = write_certificate(&mut out, game, &header, &strategies, &(), cancel).unwrap();
    let read = Certificate::read(&out[..]).unwrap();
    let nothing = BTreeMap::new();
    let checked = check(game, read, &nothing, |_| Ok(None), &limits, |_| ()).unwrap();
    assert_eq!(checked, written);
    value
}

/// Values as they are known from the literature.
#[test]
fn what_the_search_finds_can_be_certified() {
    let cube = Mnk::<u64>::new(3, 3, 3).unwrap();
    let wide = Mnk::<u64>::new(4, 3, 3).unwrap();
    let four = Connect4::<u64>::new(4, 4, 4).unwrap();
    let fanorona = Fanorona::<u64>::new(3, 3).unwrap();
    for threads in [1, 2] {
        assert_eq!(certified(&cube, "", Dfpn::new(1 << 24, threads)), Wdl::Draw);
        assert_eq!(certified(&wide, "", Dfpn::new(1 << 24, threads)), Wdl::Win);
        let guided = Dfpn::guided(1 << 24, threads, Guided::by(Threats));
        assert_eq!(certified(&four, "", guided), Wdl::Draw);
        // Schadd (2011), table 4.4.
        let guided = Dfpn::guided(1 << 24, threads, Guided::by(Material));
        assert_eq!(certified(&fanorona, "", guided), Wdl::Win);
        // The L-Game goes on for ever between good players.
        let guided = Dfpn::guided(1 << 24, threads, Guided::by(Uninformed));
        assert_eq!(certified(&LGame, "", guided), Wdl::Draw);
    }
}

/// Position B of Donkers et al. (2004), which White wins though lines go round everywhere.
#[test]
fn a_win_among_cycles_can_be_certified() {
    let guided = Dfpn::guided(1 << 26, 1, Guided::by(Uninformed));
    assert_eq!(certified(&Dao, "1ww1/3b/2wb/1wbb w", guided), Wdl::Win);
}

#[test]
fn one_who_knows_everything_ends_a_game_that_can_be_won() {
    let game = Mnk::<u64>::new(3, 3, 3).unwrap();
    let state = game.parse_position("xx1/oo1/3 x").unwrap();
    let attack = Attack {
        attacker: Player::FIRST,
        at_least: 1,
    };
    // Nothing is known but what the rules say of finished games.
    let hint = Oracle(|_: &_| None).hint(&game, &state, attack).unwrap();
    assert_eq!(game.move_text(&state, hint), "c3");
}
