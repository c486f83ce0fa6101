//! The greedy player: a search of one ply.

use tabia_game::{
    CERTAIN, Deterministic, Game, Key, Knowledge, Limits, Made, Perfect, Player, Ruling, Seed, Turn,
};

use crate::{Choice, Engine, Reading, Situation, score};

/// Plays the move after which the position is worth most at first sight; of equal ones the first.
///
/// Every rule of repetition is applied to the positions that it looks at.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<K> {
    knowledge: K,
}

impl<K> Greedy<K> {
    /// A player with this knowledge of the game.
    pub fn new(knowledge: K) -> Greedy<K> {
        Greedy { knowledge }
    }

    /// What a position is worth to a player, as a share of the best payoff.
    fn value<G: Game>(&self, game: &G, state: &G::State, ruling: Ruling, player: Player) -> f64
    where
        K: Knowledge<G>,
    {
        let payoff = match (ruling.is_open(), game.turn(state)) {
            (_, Turn::Over) => game.payoff(state, player),
            (false, _) => game.ruled(ruling, player),
            _ => {
                let estimate = self.knowledge.evaluate(game, state, player);
                return f64::from(estimate) / f64::from(CERTAIN);
            }
        };
        f64::from(payoff) / f64::from(game.max_payoff().max(1))
    }
}

impl<G, K> Engine<G> for Greedy<K>
where
    G: Key + Game<Luck = Deterministic, Information = Perfect>,
    K: Knowledge<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let Turn::Player(mover) = game.turn(state) else {
            return Choice::nothing();
        };
        let (mut moves, mut path) = (Vec::new(), path.clone());
        path.legal_moves(game, state, &mut moves);
        let rule = game.repetition();
        let mut child = state.clone();
        let mut meter = limits.meter();
        let mut best: Option<(f64, G::Move)> = None;
        for &mv in &moves {
            if meter.tick().is_err() {
                break;
            }
            let made = Made::of(game, rule, &child, mv);
            let token = game.play(&mut child, mv);
            let ruling = match rule.is_tracked() {
                true => path.enter(game, rule, &child, made),
                false => Ruling::Open,
            };
            let value = self.value(game, &child, ruling, mover);
            if rule.is_tracked() {
                path.pop();
            }
            game.undo(&mut child, token);
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, mv));
            }
        }
        // A search that was stopped at once still answers with a legal move.
        let chosen = best.map(|(_, mv)| mv).or(moves.first().copied());
        Choice {
            best: chosen,
            value: best.map(|(value, _)| value),
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: chosen.into_iter().collect(),
            depth: u32::from(best.is_some()),
            nodes: meter.nodes(),
            counters: Vec::new(),
        }
    }

    fn new_game(&mut self, _: Seed) {}

    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let estimate = self.knowledge.evaluate(game, state, player);
        Some(score::to_value(score::of_estimate(estimate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::{AlphaBeta, Config};
    use tabia_alignment::mnk::{Mnk, OpenRows};
    use tabia_game::{Path, zobrist};

    /// The value is that of an alpha-beta search to depth one, on random games of several boards.
    #[test]
    fn values_equal_a_search_of_one_ply() {
        for (width, height, k) in [(3, 3, 3), (4, 3, 3), (5, 5, 4)] {
            let game = Mnk::<u64>::new(width, height, k).unwrap();
            for seed in 0..30 {
                let mut state = game.start();
                for ply in 0.. {
                    let mut moves = Vec::new();
                    game.moves(&state, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let path = Path::from_start(&game, &state);
                    let ask = |engine: &mut dyn Engine<Mnk<u64>>| {
                        let situation = Situation {
                            game: &game,
                            state: &state,
                            path: &path,
                        };
                        engine.choose(situation, &Limits::depth(1))
                    };
                    let greedy = ask(&mut Greedy::new(OpenRows));
                    let searched = ask(&mut AlphaBeta::new(Config::default(), OpenRows));
                    assert!(moves.contains(&greedy.best.unwrap()));
                    let [own, other] = [greedy, searched].map(|choice| choice.value.unwrap());
                    // Distances of wins are told by the search alone.
                    assert!((own.clamp(-1.0, 1.0) - other.clamp(-1.0, 1.0)).abs() < 1e-5);
                    let drawn = zobrist::number(seed, ply) % moves.len() as u64;
                    game.play(&mut state, moves[drawn as usize]);
                }
            }
        }
    }

    /// What a position is worth at sight, to whoever asks.
    #[test]
    fn the_estimate_is_that_of_the_player_who_asks() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let mut state = game.start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[4]);
        let estimate = |player| {
            let told = Greedy::new(OpenRows).estimate(&game, &state, player);
            let known = f64::from(OpenRows.evaluate(&game, &state, player)) / f64::from(CERTAIN);
            assert!((told.unwrap() - known).abs() < 1e-6);
            told.unwrap()
        };
        assert!(estimate(Player::FIRST) > 0.0 && estimate(Player::SECOND) < 0.0);
    }

    #[test]
    fn a_limit_of_no_nodes_still_gives_a_move() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let (state, path) = (game.start(), Path::new());
        let situation = Situation {
            game: &game,
            state: &state,
            path: &path,
        };
        let choice = Greedy::new(OpenRows).choose(situation, &Limits::nodes(0));
        assert!(choice.best.is_some() && choice.value.is_none());
    }
}
