//! Backgammon as its learnt networks see it, for searches.

use std::cell::RefCell;
use std::sync::Arc;

use tabia_game::{CERTAIN, Knowledge, Player, URGENT, zobrist};
use tabia_nets::WeightsError;

use super::board::{Board, POINTS};
use super::cube::Prospect;
use super::evaluation::{Chances, Networks, Room, bearoff};
use super::{Backgammon, Move, Phase, State};

/// The networks as knowledge of the game, if wanted with noise.
#[derive(Clone, Debug)]
pub struct Learnt {
    networks: Arc<Networks>,
    noise: f32,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

impl Learnt {
    /// Networks of one's own.
    pub fn new(networks: Networks) -> Learnt {
        Learnt {
            networks: Arc::new(networks),
            noise: 0.0,
        }
    }

    /// The networks that come with the game.
    pub fn shipped() -> Result<Learnt, WeightsError> {
        Networks::learnt().map(Learnt::new)
    }

    /// Adds noise with this standard deviation to the chance to win, always the same on one board. Chances of
    /// gammons get a quarter of it and those of backgammons a hundredth, as in GNU Backgammon (Hauk, Buro and
    /// Schaeffer 2004, section 6).
    #[must_use]
    pub fn noisy(mut self, deviation: f32) -> Learnt {
        self.noise = deviation;
        self
    }

    /// What the player on roll may expect of a board before the roll.
    pub fn chances(&self, board: &Board) -> Chances {
        let chances = ROOM.with_borrow_mut(|room| self.networks.chances(board, room));
        if self.noise == 0.0 || board.left(0) == 0 || board.left(1) == 0 {
            return chances;
        }
        let shares = [1.0, 0.25, 0.01, 0.25, 0.01];
        let mut found = chances.to_array();
        for (i, (chance, share)) in found.iter_mut().zip(shares).enumerate() {
            *chance = (*chance + self.noise * share * deviate(board, i as u64)).clamp(0.0, 1.0);
        }
        Chances::from_array(found).possible(board)
    }

    /// The value to the player on roll, as a share of the largest payoff.
    fn value(&self, game: &Backgammon, state: &State) -> f64 {
        match state.phase() {
            // Nobody has an advantage before the first throw.
            Phase::Opening => 0.0,
            Phase::Roll | Phase::Cube => {
                Prospect::new(game, state, self.chances(state.board())).value()
            }
            Phase::Doubled => {
                let prospect = Prospect::new(game, state, self.chances(state.board()));
                prospect.taken().min(prospect.dropped())
            }
            Phase::Play(roll) => {
                let mut best = f64::NEG_INFINITY;
                state.board().each_play(roll, |play| {
                    let mut next = *state;
                    tabia_game::Game::play(game, &mut next, Move::Play(play));
                    let value = match next.phase() {
                        Phase::Over => payoff(game, &next, state.mover()),
                        _ if next.mover() == state.mover() => self.value(game, &next),
                        _ => -self.value(game, &next),
                    };
                    best = best.max(value);
                });
                best.max(-1.0)
            }
            Phase::Over => payoff(game, state, state.mover()),
        }
    }
}

fn payoff(game: &Backgammon, state: &State, player: Player) -> f64 {
    use tabia_game::Game;
    f64::from(game.payoff(state, player)) / f64::from(game.max_payoff())
}

/// A number that follows the normal distribution nearly, made of the board alone: the sum of sixteen bytes less
/// its mean, in units of its standard deviation.
fn deviate(board: &Board, output: u64) -> f32 {
    let mut key = output;
    for bytes in board.sides().as_flattened().chunks(8) {
        let word = bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u64::from(byte));
        key = zobrist::mix(key ^ zobrist::mix(word.wrapping_add(key)));
    }
    let words = [zobrist::mix(key ^ 1), zobrist::mix(key ^ 2)];
    let sum: u32 = words
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .map(u32::from)
        .sum();
    // A byte has the variance (256² − 1) / 12.
    let deviation = (16.0f32 * 65_535.0 / 12.0).sqrt();
    (sum as f32 - 16.0 * 127.5) / deviation
}

impl Knowledge<Backgammon> for Learnt {
    fn evaluate(&self, game: &Backgammon, state: &State, player: Player) -> i32 {
        let most = f64::from(CERTAIN - 1);
        let value = (self.value(game, state) * f64::from(CERTAIN)).clamp(-most, most);
        let value = value.round() as i32;
        if player == state.mover() {
            value
        } else {
            -value
        }
    }

    /// The end of a race for money without the cube, where nobody can lose a gammon any more.
    fn exact(&self, game: &Backgammon, state: &State, player: Player) -> Option<f64> {
        let rules = game.rules();
        if rules.cube || rules.length > 0 || state.phase() != Phase::Roll || self.noise > 0.0 {
            return None;
        }
        let win = f64::from(bearoff(state.board())?.win);
        let value = (2.0 * win - 1.0) / f64::from(tabia_game::Game::max_payoff(game));
        Some(if player == state.mover() {
            value
        } else {
            -value
        })
    }

    /// As in Hauk, Buro and Schaeffer (2004, section 4.3): checkers hit, points made, blots left.
    fn priority(&self, _: &Backgammon, state: &State, mv: Move) -> i32 {
        let Move::Play(play) = mv else { return 0 };
        let before = state.board();
        let after = before.after(play);
        let hits = i32::from(after.sides()[1][POINTS]) - i32::from(before.sides()[1][POINTS]);
        let count = |board: &Board, wanted: fn(u8) -> bool| {
            let held = board.sides()[0][..POINTS].iter().filter(|&&n| wanted(n));
            held.count() as i32
        };
        let made = count(&after, |n| n > 1) - count(before, |n| n > 1);
        let blots = count(&after, |n| n == 1);
        (20 * hits + 5 * made - 4 * blots).clamp(-99, URGENT - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_game::{Game, Seed, Text};

    #[test]
    fn values_cancel_out_and_doubles_are_judged() {
        let learnt = Learnt::shipped().unwrap();
        let cube = super::super::Rules {
            length: 0,
            cube: true,
            jacoby: false,
            gammons: true,
        };
        let game = Backgammon::new(cube).unwrap();
        let mut rng = Seed::new(3).rng();
        let mut state = game.start();
        for _ in 0..300 {
            let here = learnt.evaluate(&game, &state, Player::FIRST);
            assert_eq!(here, -learnt.evaluate(&game, &state, Player::SECOND));
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rand::RngExt::random_range(&mut rng, 0..moves.len())];
            game.play(&mut state, mv);
        }
        // Nearly won: the double is dropped, so it is worth the stakes.
        let doubled = game.parse_position("1/6:5,5:5,4:5 w doubled").unwrap();
        let worth = f64::from(learnt.evaluate(&game, &doubled, Player::FIRST));
        assert!((worth / f64::from(CERTAIN) * 192.0 - 1.0).abs() < 1e-3);
    }

    /// Hauk, Buro and Schaeffer (2004): 6 against 6 is won in 13 of 16 games.
    #[test]
    fn the_end_of_a_race_is_exact() {
        let learnt = Learnt::shipped().unwrap();
        let game = Backgammon::default();
        let state = game.parse_position("6/6 b roll").unwrap();
        let value = learnt.exact(&game, &state, Player::SECOND).unwrap();
        assert!((value - 5.0 / 24.0).abs() < 1e-6, "{value}");
        assert_eq!(learnt.exact(&game, &state, Player::FIRST), Some(-value));
        assert_eq!(learnt.exact(&game, &game.start(), Player::FIRST), None);
        assert!((learnt.chances(state.board()).win - 13.0 / 16.0).abs() < 1e-6);
    }

    #[test]
    fn noise_has_the_deviation_asked_for() {
        let game = Backgammon::default();
        let mut rng = Seed::new(5).rng();
        let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
        for _ in 0..40 {
            let mut state = game.start();
            for _ in 0..60 {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rand::RngExt::random_range(&mut rng, 0..moves.len())];
                game.play(&mut state, mv);
                let x = f64::from(deviate(state.board(), 0));
                (sum, squares, n) = (sum + x, squares + x * x, n + 1.0);
            }
        }
        let mean: f64 = sum / n;
        let deviation = (squares / n - mean * mean).sqrt();
        assert!(
            mean.abs() < 0.1 && (deviation - 1.0).abs() < 0.1,
            "{mean} {deviation}"
        );
    }

    /// Hauk, Buro and Schaeffer (2004): the best openings, by static evaluation.
    #[test]
    fn points_are_preferred_by_the_quick_order() {
        let learnt = Learnt::shipped().unwrap();
        let game = Backgammon::default();
        let state = game
            .parse_position("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w 31")
            .unwrap();
        let priority = |text: &str| {
            let mv = game.parse_move(&state, text).unwrap();
            learnt.priority(&game, &state, mv)
        };
        assert!(priority("8/5 6/5") > priority("24/23 13/10"));
    }
}
