//! Rollouts: a position of a game with chance is played out many times, and the results are
//! averaged.
//!
//! Both sides play the move of the best static evaluation. Three things make the mean true with few
//! games (Hauk, Buro and Schaeffer 2004 use those of GNU Backgammon as ground truth). *Variance
//! reduction*: at every chance event the evaluation tells how much better the outcome is than the
//! average of all outcomes; that luck has the mean zero, so taking it away changes no expectation
//! and removes most of the noise. *Quasi-random outcomes*: the first events are dealt like cards
//! instead of thrown, so that each of their outcomes comes equally often. *Truncation*: where the
//! exact value is known, or after this many plies, a game is broken off and the value taken.
//!
//! Rules of repetition are left aside; listed games with one are refused.

use rand::seq::SliceRandom;
use tabia_game::threads;
use tabia_game::{
    CERTAIN, Cancel, Chance, Game, GameRng, Knowledge, Player, Seed, Turn, outcome_at,
};

use crate::chance::ChanceGame;

/// How to roll out.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollout {
    /// Games at most.
    pub games: u64,
    /// Stop earlier when the standard error of the mean is no more than this, as a share of the
    /// largest payoff; 0 to play all games.
    pub precision: f64,
    /// Plies after which a game is broken off and evaluated, chance events not counted; 0 to play
    /// it out.
    pub plies: u32,
    /// Take the luck of chance events out of the results.
    pub reduction: bool,
    /// Deal the outcomes of the first events instead of throwing them.
    pub quasi_random: bool,
    /// Everything random follows from it.
    pub seed: u64,
}

impl Default for Rollout {
    fn default() -> Rollout {
        Rollout {
            games: 1296,
            precision: 0.0,
            plies: 0,
            reduction: true,
            quasi_random: true,
            seed: 1,
        }
    }
}

/// What a rollout found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolledOut {
    /// The mean for the first player, as a share of the largest payoff.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The standard deviation of single games.
    pub deviation: f64,
    /// The standard deviation with their luck.
    pub with_luck: f64,
    /// Games played.
    pub games: u64,
    /// Whether it was stopped before it was done.
    pub stopped: bool,
}

/// No game is longer.
const MAX_PLIES: u32 = 10_000;
/// Games between two looks at the precision.
const BATCH: u64 = 72;
/// Events whose outcomes are dealt.
const DEALT: u32 = 2;

impl Rollout {
    /// Rolls a position out. Games are played by the threads of the current pool.
    pub fn run<G, K>(&self, game: &G, state: &G::State, knowledge: &K, cancel: &Cancel) -> RolledOut
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        let mut results: Vec<[f64; 2]> = Vec::new();
        let mut stopped = false;
        while (results.len() as u64) < self.games {
            let first = results.len() as u64;
            let count = self.games.min(first + BATCH) - first;
            let batch = threads::map(count, &|n| {
                let play = || self.play_out(game, state, knowledge, first + n);
                (!cancel.is_cancelled()).then(play)
            });
            let Some(batch) = batch.into_iter().collect::<Option<Vec<[f64; 2]>>>() else {
                stopped = true;
                break;
            };
            results.extend(batch);
            if self.precision > 0.0 && summed(&results).standard_error <= self.precision {
                break;
            }
        }
        RolledOut {
            stopped,
            ..summed(&results)
        }
    }

    /// The result of one game without and with its luck, for the first player.
    fn play_out<G, K>(&self, game: &G, state: &G::State, knowledge: &K, number: u64) -> [f64; 2]
    where
        G: ChanceGame,
        K: Knowledge<G>,
    {
        let seed = Seed::new(self.seed).split("rollout");
        let mut rng = seed.number(number).rng();
        let mut state = state.clone();
        let (mut luck, mut plies, mut events) = (0.0, 0, 0);
        let (mut room, mut outcomes) = (MoveBuffers::default(), Vec::new());
        let result = loop {
            if let Some(value) = value_at_the_end(game, &state, knowledge) {
                break value;
            }
            match game.turn(&state) {
                Turn::Over => break 0.0,
                Turn::Player(player) => {
                    if plies >= MAX_PLIES || self.plies > 0 && plies >= self.plies {
                        break estimate(game, &state, knowledge);
                    }
                    plies += 1;
                    match best(game, &state, knowledge, player, &mut room) {
                        Some((mv, _)) => game.play(&mut state, mv),
                        None => break estimate(game, &state, knowledge),
                    };
                }
                Turn::Chance => {
                    outcomes.clear();
                    game.outcomes(&state, &mut outcomes);
                    let dealt = (self.quasi_random && events < DEALT)
                        .then(|| deal(&outcomes, number, events, seed))
                        .flatten();
                    let outcome = dealt.unwrap_or_else(|| throw(game, &state, &outcomes, &mut rng));
                    if self.reduction {
                        luck += luck_of(game, &mut state, knowledge, &outcomes, outcome, &mut room);
                    }
                    events += 1;
                    game.play(&mut state, outcome);
                }
            }
        };
        [result - luck, result]
    }
}

fn summed(results: &[[f64; 2]]) -> RolledOut {
    let n = results.len() as f64;
    let moments = |column: usize| {
        let mean = results.iter().map(|r| r[column]).sum::<f64>() / n.max(1.0);
        let squares = results
            .iter()
            .map(|r| (r[column] - mean).powi(2))
            .sum::<f64>();
        (mean, (squares / (n - 1.0).max(1.0)).sqrt())
    };
    let ((mean, deviation), (_, with_luck)) = (moments(0), moments(1));
    RolledOut {
        mean,
        standard_error: if n > 1.0 {
            deviation / n.sqrt()
        } else {
            f64::INFINITY
        },
        deviation,
        with_luck,
        games: results.len() as u64,
        stopped: false,
    }
}

/// The payoff of a finished game, or the exact value where it is known.
fn value_at_the_end<G, K>(game: &G, state: &G::State, knowledge: &K) -> Option<f64>
where
    G: Game,
    K: Knowledge<G>,
{
    if game.turn(state) == Turn::Over {
        let payoff = f64::from(game.payoff(state, Player::FIRST));
        return Some(payoff / f64::from(game.max_payoff().max(1)));
    }
    knowledge.exact(game, state, Player::FIRST)
}

fn estimate<G: Game, K: Knowledge<G>>(game: &G, state: &G::State, knowledge: &K) -> f64 {
    f64::from(knowledge.evaluate(game, state, Player::FIRST)) / f64::from(CERTAIN)
}

/// The move of the best static evaluation, and its value for the player to move.
fn best<G, K>(
    game: &G,
    state: &G::State,
    knowledge: &K,
    player: Player,
    room: &mut MoveBuffers<G::Move>,
) -> Option<(G::Move, f64)>
where
    G: Game,
    K: Knowledge<G>,
{
    room.moves.clear();
    game.moves(state, &mut room.moves);
    room.values.clear();
    knowledge.evaluations(game, state, &room.moves, player, &mut room.values);
    let mut found: Option<(G::Move, i32)> = None;
    for (&mv, &value) in room.moves.iter().zip(&room.values) {
        if found.is_none_or(|(_, most)| value > most) {
            found = Some((mv, value));
        }
    }
    found.map(|(mv, value)| (mv, f64::from(value) / f64::from(CERTAIN)))
}

/// Room for the moves of a position and their evaluations.
struct MoveBuffers<M> {
    moves: Vec<M>,
    values: Vec<i32>,
}

impl<M> Default for MoveBuffers<M> {
    fn default() -> MoveBuffers<M> {
        MoveBuffers {
            moves: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// How much better for the first player an outcome of chance is than the mean of all, by the best
/// static evaluation after each, as a share of the largest payoff. Its mean over all outcomes is
/// zero whatever is known of the game. Zero for an outcome that is not listed.
pub fn luck<G, K>(game: &G, state: &G::State, knowledge: &K, outcome: G::Move) -> f64
where
    G: ChanceGame,
    K: Knowledge<G>,
{
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    let (mut state, mut room) = (state.clone(), MoveBuffers::default());
    luck_of(game, &mut state, knowledge, &outcomes, outcome, &mut room)
}

/// What a position after a chance event is worth to the first player if the best reply is made.
fn worth<G, K>(game: &G, state: &G::State, knowledge: &K, room: &mut MoveBuffers<G::Move>) -> f64
where
    G: Game,
    K: Knowledge<G>,
{
    if let Some(value) = value_at_the_end(game, state, knowledge) {
        return value;
    }
    match game.turn(state) {
        Turn::Player(player) => match best(game, state, knowledge, player, room) {
            Some((_, value)) if player == Player::FIRST => value,
            Some((_, value)) => -value,
            None => estimate(game, state, knowledge),
        },
        _ => estimate(game, state, knowledge),
    }
}

/// How much better for the first player an outcome is than the mean of all.
fn luck_of<G, K>(
    game: &G,
    state: &mut G::State,
    knowledge: &K,
    outcomes: &[(G::Move, u64)],
    fell: G::Move,
    room: &mut MoveBuffers<G::Move>,
) -> f64
where
    G: Game,
    K: Knowledge<G>,
{
    let (mut sum, mut all, mut actual) = (0.0, 0.0, None);
    for &(outcome, weight) in outcomes {
        let token = game.play(state, outcome);
        let value = worth(game, state, knowledge, room);
        game.undo(state, token);
        sum += weight as f64 * value;
        all += weight as f64;
        if outcome == fell {
            actual = Some(value);
        }
    }
    // An outcome that is not listed has no luck that could be told.
    actual.map_or(0.0, |actual| actual - sum / f64::max(all, 1.0))
}

fn throw<G: Chance>(
    game: &G,
    state: &G::State,
    outcomes: &[(G::Move, u64)],
    rng: &mut GameRng,
) -> G::Move {
    match outcomes {
        [(only, _)] => *only,
        _ => game.sample_outcome(state, rng),
    }
}

/// The outcome of an event in the game with this number, so that over as many games as the weights
/// add up to each comes as often as it should: the first event changes with every game, the second
/// when the first has been through. The order is by lot. Nothing if there are too many outcomes for
/// that.
fn deal<M: Copy>(outcomes: &[(M, u64)], number: u64, event: u32, seed: Seed) -> Option<M> {
    const MAX_OUTCOMES: u64 = 1296;
    let all: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
    if all == 0 || all > MAX_OUTCOMES {
        return None;
    }
    let round = number / all.pow(event);
    let mut order: Vec<u64> = (0..all).collect();
    let lots = seed
        .split("deal")
        .number(u64::from(event))
        .number(round / all);
    order.shuffle(&mut lots.rng());
    outcome_at(outcomes, *order.get((round % all) as usize)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_alignment::dice::{Dice, FullLine, PairCount};
    use tabia_kit::chance_tree::{ChanceTree, Hashed};

    /// Over a round of games dealt outcomes come as often as they weigh.
    #[test]
    fn dealt_outcomes_come_as_often_as_they_weigh() {
        let outcomes = [('a', 1), ('b', 2), ('c', 3)];
        let seed = Seed::new(4);
        for event in 0..2 {
            let dealt = (0..36).filter_map(|number| deal(&outcomes, number, event, seed));
            let mut counts = [0; 3];
            dealt.for_each(|c| counts[(c as u8 - b'a') as usize] += 1);
            assert_eq!(counts, [6, 12, 18], "event {event}");
        }
        // Both events together: each pair of slots once.
        let mut pairs: Vec<(char, char)> = (0..36)
            .map(|n| {
                (
                    deal(&outcomes, n, 0, seed).unwrap(),
                    deal(&outcomes, n, 1, seed).unwrap(),
                )
            })
            .collect();
        pairs.sort_unstable();
        assert_eq!(pairs.iter().filter(|p| **p == ('c', 'c')).count(), 9);
        assert!(deal(&[('a', 2000)], 0, 0, seed).is_none());
    }

    /// The mean agrees with the exact value of the same play, with and without the luck, and the
    /// luck was most of the deviation.
    #[test]
    fn taking_luck_away_changes_no_mean() {
        let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
        let run = |reduction: bool, quasi_random: bool| {
            let rollout = Rollout {
                games: 20_000,
                reduction,
                quasi_random,
                ..Rollout::default()
            };
            rollout.run(&game, &game.start(), &PairCount, &Cancel::default())
        };
        let plain = run(false, false);
        for (reduction, quasi_random) in [(true, false), (false, true), (true, true)] {
            let other = run(reduction, quasi_random);
            let error = plain.standard_error.hypot(other.standard_error);
            assert!(
                (plain.mean - other.mean).abs() < 4.0 * error,
                "{plain:?} {other:?}"
            );
            if reduction {
                assert!(other.deviation < 0.9 * other.with_luck, "{other:?}");
            }
        }
    }

    /// Whatever is known of a game, over all outcomes of a chance event luck adds up to zero.
    #[test]
    fn luck_has_no_mean() {
        let game = Dice::<u64>::new(3, 3, FullLine::Pass).unwrap();
        let mut rng = Seed::new(2).rng();
        for _ in 0..20 {
            let mut state = game.start();
            while game.turn(&state) != Turn::Over {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                if game.turn(&state) == Turn::Chance {
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    let each = outcomes.iter();
                    let terms = each.map(|&(outcome, weight)| {
                        weight as f64 * luck(&game, &state, &PairCount, outcome)
                    });
                    assert!(terms.sum::<f64>().abs() < 1e-9);
                }
                let mv = moves[rand::RngExt::random_range(&mut rng, 0..moves.len())];
                game.play(&mut state, mv);
            }
        }
    }

    #[test]
    fn a_precision_ends_it_and_a_seed_repeats_it() {
        let tree = ChanceTree::regular(3, 3, 3, 7);
        let rollout = Rollout {
            games: 100_000,
            precision: 0.05,
            ..Rollout::default()
        };
        let cancel = Cancel::default();
        let found = rollout.run(&tree, &tree.start(), &Hashed, &cancel);
        assert!(found.standard_error <= 0.05 && found.games < 100_000);
        assert_eq!(found, rollout.run(&tree, &tree.start(), &Hashed, &cancel));
        cancel.cancel();
        assert!(rollout.run(&tree, &tree.start(), &Hashed, &cancel).stopped);
    }
}
