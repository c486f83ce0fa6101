//! Joint choices of more than two players in the hands of the referee.

use tabia_catalog::{AnyGame, Listing};
use tabia_game::{Cancel, Deterministic, Seed, Stochastic};
use tabia_kit::joint_tree::JointTree;
use tabia_lab::player::Participant;
use tabia_lab::referee::{Beginning, Ending, Referee, Terms};
use tabia_search::mcts::{WithChance, WithoutChance};

fn with_chance(seed: u64) -> Box<dyn AnyGame> {
    let game = JointTree::<4, Stochastic>::new(seed, 3, 3);
    let listing = Listing::new(game).chance();
    listing.joint_moves::<WithChance>().boxed()
}

fn without_chance(seed: u64) -> Box<dyn AnyGame> {
    let game = JointTree::<3, Deterministic>::new(seed, 3, 3);
    Listing::new(game).joint_moves::<WithoutChance>().boxed()
}

/// What the player of the first seat gets on average against random players.
fn average(games: &[Box<dyn AnyGame>], first: &str) -> f64 {
    let terms = Terms {
        nodes: Some(400),
        ..Terms::default()
    };
    let mut sum = 0;
    for (number, game) in games.iter().enumerate() {
        let referee = Referee {
            game: &**game,
            terms: &terms,
            round: 0,
            cancel: &Cancel::default(),
        };
        let count = game.traits().players;
        let spec = |seat| if seat == 0 { first } else { "random" };
        let mut players: Vec<_> = (0..count)
            .map(|seat| game.engine(spec(seat)).unwrap())
            .collect();
        let mut seated: Vec<&mut dyn Participant> =
            players.iter_mut().map(|player| player as _).collect();
        let luck = Seed::new(number as u64);
        let outcome = referee.play(&mut seated, &Beginning::default(), luck);
        let outcome = outcome.unwrap().unwrap();
        assert_eq!(outcome.ending, Ending::Rules, "{}", outcome.text);
        let payoffs = outcome.payoffs.unwrap();
        assert_eq!(payoffs.len(), count);
        assert_eq!(payoffs.iter().sum::<i32>(), 0);
        sum += payoffs[0];
    }
    f64::from(sum) / games.len() as f64
}

/// Search of information sets gets more out of joint choices than random play.
#[test]
fn many_players_choose_jointly() {
    for make in [with_chance, without_chance] {
        let games: Vec<_> = (0..240).map(make).collect();
        let (searched, random) = (average(&games, "ismcts"), average(&games, "random"));
        assert!(searched > random + 0.4, "{searched} {random}");
    }
}

/// Games that are listed with joint moves go through the kit; those of two players only may be
/// solved.
#[test]
fn only_two_players_are_solved() {
    assert!(without_chance(1).exact_values().is_none());
    let game = JointTree::<2, Deterministic>::new(1, 3, 3);
    let listing = Listing::new(game).joint_moves::<WithoutChance>();
    let game = listing.solve_joint_moves().boxed();
    let position = game.session(None).unwrap().position();
    let (_, found) = game
        .exact_values()
        .unwrap()
        .expectation(&position, 1 << 20, &tabia_game::Limits::default())
        .unwrap();
    assert!(found.exact.is_some() && found.positions > 0);
}
