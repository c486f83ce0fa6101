//! Backgammon as its learnt networks see it, for searches.

use std::cell::RefCell;
use std::sync::Arc;

use tabia_game::{CERTAIN, Knowledge, Player, URGENT, zobrist};
use tabia_nets::WeightsError;

use super::board::{Board, POINTS};
use super::cube::Prospect;
use super::evaluation::{Chances, EvaluationBuffers, Networks, bearoff};
use super::{Backgammon, Move, Phase, State};

/// The networks as knowledge of the game, if wanted with noise.
#[derive(Clone, Debug)]
pub struct Learnt {
    networks: Arc<Networks>,
    noise: f32,
}

thread_local! {
    static ROOM: RefCell<EvaluationBuffers> = RefCell::default();
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

    /// Adds noise with this standard deviation to the chance to win, always the same on one board.
    /// Chances of gammons get a quarter of it and those of backgammons a hundredth, as in GNU
    /// Backgammon (Hauk, Buro and Schaeffer 2004, section 6).
    #[must_use]
    pub fn noisy(mut self, deviation: f32) -> Learnt {
        self.noise = deviation;
        self
    }

    /// What the player on roll may expect of a board before the roll.
    pub fn chances(&self, board: &Board) -> Chances {
        let chances = ROOM.with_borrow_mut(|room| self.networks.chances(board, room));
        self.with_noise(board, chances)
    }

    fn with_noise(&self, board: &Board, chances: Chances) -> Chances {
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

    /// The values to a player of where the plays of a roll lead, all boards as one batch.
    fn each_value(
        &self,
        game: &Backgammon,
        states: &[State],
        player: Player,
        mut tell: impl FnMut(f64),
    ) {
        let boards: Vec<Board> = states.iter().map(|state| *state.board()).collect();
        let chances: Vec<Chances> =
            ROOM.with_borrow_mut(|room| self.networks.all_chances(&boards, room).to_vec());
        for (state, chances) in states.iter().zip(chances) {
            let value = match state.phase() {
                Phase::Over => payoff(game, state, state.mover()),
                Phase::Roll | Phase::Cube => {
                    let chances = self.with_noise(state.board(), chances);
                    Prospect::new(game, state, chances).value()
                }
                _ => self.value(game, state),
            };
            tell(if state.mover() == player {
                value
            } else {
                -value
            });
        }
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
                let mut best = -1.0f64;
                let mut after = Vec::new();
                state.board().each_play(roll, |play| {
                    let mut next = *state;
                    tabia_game::Game::play(game, &mut next, Move::Play(play));
                    after.push(next);
                });
                self.each_value(game, &after, state.mover(), |value| best = best.max(value));
                best
            }
            Phase::Over => payoff(game, state, state.mover()),
        }
    }
}

fn payoff(game: &Backgammon, state: &State, player: Player) -> f64 {
    use tabia_game::Game;
    f64::from(game.payoff(state, player)) / f64::from(game.max_payoff())
}

/// A number that follows the normal distribution nearly, made of the board alone: the sum of
/// sixteen bytes less its mean, in units of its standard deviation.
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

/// An estimate as searches take it.
fn estimate(value: f64) -> i32 {
    let most = f64::from(CERTAIN - 1);
    (value * f64::from(CERTAIN)).clamp(-most, most).round() as i32
}

impl Knowledge<Backgammon> for Learnt {
    fn evaluate(&self, game: &Backgammon, state: &State, player: Player) -> i32 {
        let value = estimate(self.value(game, state));
        if player == state.mover() {
            value
        } else {
            -value
        }
    }

    fn evaluations(
        &self,
        game: &Backgammon,
        state: &State,
        moves: &[Move],
        player: Player,
        out: &mut Vec<i32>,
    ) {
        let after = |&mv: &Move| {
            let mut next = *state;
            tabia_game::Game::play(game, &mut next, mv);
            next
        };
        let states: Vec<State> = moves.iter().map(after).collect();
        let mut states_left = states.iter();
        self.each_value(game, &states, player, |value| {
            let over = states_left.next().is_some_and(|s| s.phase() == Phase::Over);
            out.push(match over {
                true => (value * f64::from(CERTAIN)).round() as i32,
                false => estimate(value),
            });
        });
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
    use tabia_game::{Game, Seed, Text, Turn};

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

    /// Moves judged together, and where they lead judged one by one.
    #[test]
    fn moves_are_judged_alike_alone_and_together() {
        let learnt = Learnt::shipped().unwrap().noisy(0.01);
        for length in [0, 3] {
            let rules = super::super::Rules {
                length,
                cube: true,
                ..super::super::Rules::default()
            };
            let game = Backgammon::new(rules).unwrap();
            let mut rng = Seed::new(6).rng();
            let mut state = game.start();
            let mut games = 0;
            while games < 3 {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                let mut found = Vec::new();
                learnt.evaluations(&game, &state, &moves, Player::FIRST, &mut found);
                for (&mv, found) in moves.iter().zip(found) {
                    let mut next = state;
                    game.play(&mut next, mv);
                    let alone = match game.turn(&next) {
                        tabia_game::Turn::Over => {
                            let payoff = i64::from(game.payoff(&next, Player::FIRST));
                            (payoff * i64::from(CERTAIN) / i64::from(game.max_payoff())) as i32
                        }
                        _ => learnt.evaluate(&game, &next, Player::FIRST),
                    };
                    assert!((alone - found).abs() <= 1, "{alone} {found}");
                }
                let mv = moves[rand::RngExt::random_range(&mut rng, 0..moves.len())];
                game.play(&mut state, mv);
                if game.turn(&state) == tabia_game::Turn::Over {
                    state = game.start();
                    games += 1;
                }
            }
        }
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

    /// Hauk, Buro and Schaeffer (2004): openings that everybody agrees on, by static evaluation.
    #[test]
    fn hauk_best_openings() {
        let learnt = Learnt::shipped().unwrap();
        let game = Backgammon::default();
        for (roll, best) in [
            ("31", "8/5 6/5"),
            ("42", "8/4 6/4"),
            ("53", "8/3 6/3"),
            ("61", "13/7 8/7"),
            ("65", "24/13"),
        ] {
            let text = format!("24:2,13:5,8:3,6:5/24:2,13:5,8:3,6:5 w {roll}");
            let state = game.parse_position(&text).unwrap();
            let Turn::Player(mover) = game.turn(&state) else {
                panic!("{roll} is to be played");
            };
            let (mut moves, mut values) = (Vec::new(), Vec::new());
            game.moves(&state, &mut moves);
            learnt.evaluations(&game, &state, &moves, mover, &mut values);
            let highest = values.iter().max().unwrap();
            let best = game.parse_move(&state, best).unwrap();
            let place = moves.iter().position(|mv| *mv == best).unwrap();
            assert_eq!(values[place], *highest, "{roll}");
        }
    }

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
