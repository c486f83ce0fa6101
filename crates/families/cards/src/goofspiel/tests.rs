use std::collections::HashSet;

use rand::RngExt;
use tabia_game::Seed;
use tabia_kit::Kit;

use super::*;

fn games() -> Vec<Goofspiel> {
    let mut all = Vec::new();
    for cards in [1, 3, 5, 13] {
        for order in [Order::Ascending, Order::Descending, Order::Random] {
            for objective in [Objective::Points, Objective::Win] {
                for ties in [Ties::Discard, Ties::Carry] {
                    all.push(Goofspiel::new(cards, order, objective, ties).unwrap());
                }
            }
        }
    }
    all
}

#[test]
fn conforms() {
    for game in games() {
        let kit = Kit::new().effort(6, 45).two_player().key().move_index();
        let kit = kit
            .text()
            .text_key()
            .draw()
            .chance()
            .hidden()
            .simultaneous()
            .settled();
        kit.run(&game).unwrap();
    }
}

/// Played on lists, from the rules: the same cards, the same points.
#[test]
fn plays_like_a_plain_implementation() {
    for (seed, game) in (0..).zip(games()) {
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        let all: Vec<u8> = (1..=game.cards).collect();
        let (mut hands, mut prizes) = ([all.clone(), all.clone()], all);
        let (mut points, mut carried) = ([0i32; 2], 0);
        while !prizes.is_empty() {
            let may = match game.order {
                Order::Ascending => vec![*prizes.iter().min().unwrap()],
                Order::Descending => vec![*prizes.iter().max().unwrap()],
                Order::Random => prizes.clone(),
            };
            let mut round = Vec::new();
            for options in [&may, &hands[0], &hands[1]] {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                assert_eq!(&moves, options);
                round.push(moves[rng.random_range(0..moves.len())]);
                game.play(&mut state, round[round.len() - 1]);
            }
            prizes.retain(|&prize| prize != round[0]);
            hands[0].retain(|&card| card != round[1]);
            hands[1].retain(|&card| card != round[2]);
            let prize = i32::from(round[0]) + carried;
            carried = 0;
            if round[1] > round[2] {
                points[0] += prize;
            } else if round[1] < round[2] {
                points[1] += prize;
            } else if game.ties == Ties::Carry {
                carried = prize;
            }
        }
        assert_eq!(game.turn(&state), Turn::Over);
        let difference = points[0] - points[1];
        let worth = match game.objective {
            Objective::Points => difference,
            Objective::Win => difference.signum(),
        };
        assert_eq!(game.payoff(&state, Player::FIRST), worth);
        assert_eq!(game.payoff(&state, Player::SECOND), -worth);
    }
}

#[test]
fn impossible_positions_are_refused() {
    let game = Goofspiel::new(4, Order::Random, Objective::Points, Ties::Discard).unwrap();
    let why = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(why("").contains("two hands"));
    assert!(why("1,2 1").contains("joined by '/'"));
    assert!(why("1,2/1,2 1").contains("2 and 2 cards for 1 prize"));
    assert!(why("1,1/1,2 1,2").contains("1 twice"));
    assert!(why("1,16/1,2 1,2").contains("'16'"));
    assert!(why("1/1 - up=4 bid=2").contains("no card of the first player"));
    assert!(why("1,2/1,2 4 up=4").contains("still to come"));
    assert!(why("1/1 4 lead=7").contains("make 10"));
    assert!(why("1/1 4 pot=1").contains("no pot"));
    assert!(why("1/1 4 lead=1 lead=1").contains("once each"));
    assert!(Goofspiel::new(14, Order::Random, Objective::Points, Ties::Discard).is_err());
}

/// The second player does not see what the first has bid, and any card of their hand may be it.
#[test]
fn bids_are_secret() {
    let game = Goofspiel::new(4, Order::Random, Objective::Points, Ties::Discard).unwrap();
    let state = game.parse_position("1,2,4/1,2,3 1,2 up=3 bid=4").unwrap();
    let seen = game.observe(&state, &[], Player::SECOND);
    let drawn = (0..50).map(|seed| game.sample_state(&seen, &mut Seed::new(seed).rng()).bid);
    assert_eq!(drawn.collect::<HashSet<_>>(), HashSet::from([1, 2, 4]));
    let seen = game.observe(&state, &[], Player::FIRST);
    assert_eq!(game.sample_state(&seen, &mut Seed::new(1).rng()), state);
}

/// No play pays more or less than the bounds say, and where cards decide everything the bounds
/// meet.
#[test]
fn bounds_hold_whatever_is_played() {
    fn ends(game: &Goofspiel, state: &State, out: &mut Vec<Payoff>) {
        if game.turn(state) == Turn::Over {
            return out.push(game.payoff(state, Player::FIRST));
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for mv in moves {
            let mut next = *state;
            game.play(&mut next, mv);
            ends(game, &next, out);
        }
    }
    let game = Goofspiel::new(4, Order::Random, Objective::Points, Ties::Discard).unwrap();
    for text in [
        "1,2,4/1,2,3 1,2,3",
        "1,2,3/4,5,6 1,2,3",
        "2,3/1,3 1,4 lead=2",
        "1/2 - up=3",
    ] {
        let state = game.parse_position(text).unwrap();
        let mut all = Vec::new();
        ends(&game, &state, &mut all);
        let (least, most) = game.payoff_range(&state, Player::FIRST);
        assert!(
            all.iter().all(|payoff| (least..=most).contains(payoff)),
            "{text}"
        );
        let (low, high) = game.payoff_range(&state, Player::SECOND);
        assert_eq!((low, high), (-most, -least));
    }
    let certain = game.parse_position("1,2,3/4,5,6 1,2,3").unwrap();
    assert_eq!(game.payoff_range(&certain, Player::FIRST), (-6, -6));
}
