//! Four tiny games that prove the shape of the contract: chance, a payoff vector, moving again,
//! hidden information; and broken games that the kit must catch.

mod broken_joint;
mod broken_kuhn;
mod dots_and_boxes;
mod kuhn_poker;
mod nim;
mod pig;

use dots_and_boxes::DotsAndBoxes;
use kuhn_poker::KuhnPoker;
use nim::ThreePlayerNim;
use pig::Pig;
use tabia_game::{Chance, Game, Hidden, Player, Turn, perft};
use tabia_kit::Kit;

#[test]
fn pig_conforms() {
    Kit::new()
        .chance()
        .two_player()
        .run(&Pig { goal: 20 })
        .unwrap();
}

#[test]
fn three_player_nim_conforms() {
    Kit::new()
        .run(&ThreePlayerNim { heaps: [2, 3, 4] })
        .unwrap();
}

#[test]
fn dots_and_boxes_conforms() {
    Kit::new().two_player().run(&DotsAndBoxes).unwrap();
}

#[test]
fn kuhn_poker_conforms() {
    Kit::new()
        .chance()
        .hidden()
        .two_player()
        .run(&KuhnPoker)
        .unwrap();
}

/// The value of a game of chance by plain expectimax.
fn expectation<G: Chance>(game: &G, state: &mut G::State, player: Player) -> f64 {
    match game.turn(state) {
        Turn::Over => f64::from(game.payoff(state, player)),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let total: u64 = outcomes.iter().map(|&(_, w)| w).sum();
            outcomes
                .into_iter()
                .map(|(outcome, weight)| {
                    let token = game.play(state, outcome);
                    let value = expectation(game, state, player);
                    game.undo(state, token);
                    value * weight as f64 / total as f64
                })
                .sum()
        }
        Turn::Player(mover) => {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            let values = moves.into_iter().map(|mv| {
                let token = game.play(state, mv);
                let value = expectation(game, state, player);
                game.undo(state, token);
                value
            });
            let sign = if mover == player { 1.0 } else { -1.0 };
            values.map(|v| v * sign).fold(f64::MIN, f64::max) * sign
        }
    }
}

/// Pig to 2 points: a roll of 2 or more wins as soon as the player holds or the count suffices,
/// so the first player wins at once with 5/6 and otherwise the second faces the same game:
/// w = 5/6 + 1/6 (1 - w), w = 6/7. A horizon of several turns approaches it from both sides.
#[test]
fn pig_to_two_is_won_with_six_sevenths() {
    let game = Pig { goal: 2 };
    let mut state = game.start();
    state.turns_left = 9;
    let value = expectation(&game, &mut state, Player::FIRST);
    let exact = 2.0 * 6.0 / 7.0 - 1.0;
    assert!((value - exact).abs() < 1e-6, "{value} against {exact}");
}

/// Seven edges can be drawn in any order, whoever's turn it is.
#[test]
fn dots_and_boxes_counts_every_order_of_seven_edges() {
    assert_eq!(perft(&DotsAndBoxes, &DotsAndBoxes.start(), 7), 5040);
}

#[test]
fn nim_pays_every_player() {
    let game = ThreePlayerNim { heaps: [1, 0, 0] };
    let mut state = game.start();
    game.play(&mut state, (0, 1));
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(
        [0, 1, 2].map(|p| game.payoff(&state, Player(p))),
        [2, -1, -1]
    );
}

/// Both players never bet: the pot of two antes goes to the higher card, so each deal pays the
/// first player plus or minus one, and the six deals cancel out.
#[test]
fn kuhn_poker_deals_are_fair_and_observations_hide_the_other_card() {
    let game = KuhnPoker;
    let mut outcomes = Vec::new();
    game.outcomes(&game.start(), &mut outcomes);
    assert_eq!(outcomes.len(), 6);
    let mut total = 0;
    for (deal, _) in outcomes {
        let mut state = game.start();
        game.play(&mut state, deal);
        let before = game.view(&state, Player::FIRST);
        assert_eq!(
            before,
            game.view(&state.with_other_card_changed(), Player::FIRST)
        );
        assert_ne!(before, game.view(&state, Player::SECOND));
        for _ in 0..2 {
            game.play(&mut state, kuhn_poker::Action::Pass);
        }
        total += game.payoff(&state, Player::FIRST);
    }
    assert_eq!(total, 0);
}

mod broken {
    use super::*;
    use tabia_game::{Deterministic, Payoff, Perfect};
    use tabia_kit::Violation;

    /// Nim with one heap of ten that can be made to break the contract in one way.
    struct Broken(&'static str);

    impl Game for Broken {
        type State = (u32, Player);
        type Move = u32;
        type Undo = (u32, Player);
        type Luck = Deterministic;
        type Information = Perfect;

        fn players(&self) -> usize {
            2
        }
        fn start(&self) -> Self::State {
            (10, Player::FIRST)
        }
        fn turn(&self, s: &Self::State) -> Turn {
            match s.0 {
                0 => Turn::Over,
                1 if self.0 == "chance" => Turn::Chance,
                _ => Turn::Player(s.1),
            }
        }
        fn moves(&self, s: &Self::State, out: &mut Vec<u32>) {
            if self.0 == "clears" {
                out.clear();
            }
            out.extend(1..=s.0.min(2));
            if self.0 == "doubles" && s.0 == 3 {
                out.push(1);
            }
            if self.0 == "stuck" && s.0 == 2 {
                out.clear();
            }
        }
        fn play(&self, s: &mut Self::State, n: u32) -> Self::Undo {
            let old = *s;
            *s = (s.0 - n, s.1.other());
            old
        }
        fn undo(&self, s: &mut Self::State, old: Self::Undo) {
            *s = if self.0 == "undo" && old.0 == 4 {
                (5, old.1)
            } else {
                old
            };
        }
        fn payoff(&self, s: &Self::State, p: Player) -> Payoff {
            match self.0 {
                "sum" => 1,
                "range" => {
                    if p == s.1 {
                        -2
                    } else {
                        2
                    }
                }
                _ => {
                    if p == s.1 {
                        -1
                    } else {
                        1
                    }
                }
            }
        }
    }

    fn caught(fault: &'static str) -> Violation {
        Kit::new().run(&Broken(fault)).expect_err(fault)
    }

    #[test]
    fn the_sound_one_passes() {
        Kit::new().run(&Broken("")).unwrap();
    }

    #[test]
    fn each_fault_is_caught_by_its_check() {
        for (fault, check) in [
            ("chance", "turn"),
            ("clears", "moves"),
            ("doubles", "moves"),
            ("stuck", "turn"),
            ("undo", "undo"),
            ("sum", "turn"),
            ("range", "turn"),
        ] {
            assert_eq!(caught(fault).check, check, "{fault}");
        }
    }

    #[test]
    fn failures_are_shrunk_to_a_short_game() {
        // Four is reached in three moves (or six); the random games that find it are longer.
        let found = caught("undo");
        assert!((3..=6).contains(&found.moves.len()), "{found}");
    }
}
