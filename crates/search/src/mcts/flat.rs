//! Flat Monte Carlo with progressive pruning (Bouzy and Helmstetter 2003; Bouzy 2004): the player
//! before there were trees, as a baseline.
//!
//! Every move is played out again and again. As soon as there are enough games, a move whose mean
//! lies clearly below that of another is not looked at any more, and when the moves that are left
//! cannot be told apart the best of them is played. "Clearly" is said in standard deviations of the
//! mean: what lies between `mean - ratio * deviation` and `mean + ratio * deviation` must not
//! overlap. With a ratio beyond all bounds nothing is pruned.

use std::marker::PhantomData;

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{
    Key, Knowledge, Limits, Made, MoveIndex, Path, Player, Ruling, Seed, Stopped, Turn,
};

use super::config::Config;
use super::playout::{Roller, Task, Thread};
use super::{Playable, Throw, WithChance, hero};
use crate::report::{Listener, Pace};
use crate::{Choice, Counter, Engine, Past, Reading, Situation};

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatConfig {
    /// Games of a move before any is pruned.
    pub first: u32,
    /// Games of a move between two looks at the means.
    pub batch: u32,
    /// Standard deviations of the mean on either side.
    pub ratio: f64,
    /// Moves that are not inferior count as equal once the standard deviations of their means are
    /// smaller.
    pub equality: f64,
    /// Games in all, times one more than there are moves, where nothing else is limited.
    pub games: u32,
    /// Plies of a game before it is evaluated; 0 to play to the end.
    pub plies: u32,
    /// Where games come from.
    pub seed: u64,
}

/// The switches as options of an engine.
pub const FLAT_PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "first",
        kind: ParameterKind::Integer(2, 1_000_000),
        default: "100",
        help: "random games of a move before any is pruned",
    },
    Parameter {
        key: "batch",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "10",
        help: "random games of a move between two looks at the means",
    },
    Parameter {
        key: "ratio",
        kind: ParameterKind::Decimal(0, 1_000_000),
        default: "1",
        help: "standard deviations of a mean on either side that must not overlap",
    },
    Parameter {
        key: "equality",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0.005",
        help: "moves are equal once the standard deviations of their means are smaller",
    },
    Parameter {
        key: "games",
        kind: ParameterKind::Integer(1, 1_000_000_000),
        default: "2500",
        help: "random games if nothing else limits them, times the number of moves plus one",
    },
    Parameter {
        key: "plies",
        kind: ParameterKind::Integer(0, 10_000),
        default: "0",
        help: "plies of a game before it is evaluated; 0: to the end",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of the games",
    },
];

impl From<&OptionValues> for FlatConfig {
    fn from(values: &OptionValues) -> FlatConfig {
        let number = |key| values.integer(key).unsigned_abs();
        FlatConfig {
            first: number("first") as u32,
            batch: number("batch") as u32,
            ratio: values.decimal("ratio"),
            equality: values.decimal("equality"),
            games: number("games") as u32,
            plies: number("plies") as u32,
            seed: number("seed"),
        }
    }
}

impl Default for FlatConfig {
    fn default() -> FlatConfig {
        FlatConfig {
            first: 100,
            batch: 10,
            ratio: 1.0,
            equality: 0.005,
            games: 2500,
            plies: 0,
            seed: 0,
        }
    }
}

/// What is known of a move: a mean and its standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of its games.
    pub mean: f64,
    /// The standard deviation of the mean.
    pub deviation: f64,
}

impl Estimate {
    /// Whether this move is clearly worse than another.
    pub fn is_inferior(self, other: Estimate, ratio: f64) -> bool {
        self.mean + ratio * self.deviation < other.mean - ratio * other.deviation
    }
}

/// Which moves are not inferior to any.
pub fn survivors(estimates: &[Estimate], ratio: f64) -> Vec<bool> {
    let inferior = |one: &Estimate| estimates.iter().any(|&other| one.is_inferior(other, ratio));
    estimates.iter().map(|one| !inferior(one)).collect()
}

/// Whether no two moves can be told apart, and will not be soon.
pub fn all_equal(estimates: &[Estimate], ratio: f64, equality: f64) -> bool {
    let small = |one: &Estimate| one.deviation < equality;
    estimates.iter().all(small) && survivors(estimates, ratio).iter().all(|&left| left)
}

/// The games of a move.
struct Arm<M> {
    mv: M,
    games: u32,
    sum: f64,
    squares: f64,
}

impl<M> Arm<M> {
    fn add(&mut self, value: f64) {
        self.games += 1;
        self.sum += value;
        self.squares += value * value;
    }

    fn estimate(&self) -> Estimate {
        let games = f64::from(self.games.max(1));
        let mean = self.sum / games;
        let variance = (self.squares / games - mean * mean).max(0.0);
        Estimate {
            mean,
            deviation: (variance / games).sqrt(),
        }
    }
}

/// Reports the moves by their means, of several the first.
fn tell<M: Copy>(arms: &[Arm<M>], nodes: u64, listener: &mut Listener<'_, M>) {
    if listener.is_silent() {
        return;
    }
    let mut played: Vec<&Arm<M>> = arms.iter().filter(|arm| arm.games > 0).collect();
    played.sort_by(|one, other| other.estimate().mean.total_cmp(&one.estimate().mean));
    let lines = played.iter();
    let lines = lines.map(|arm| {
        let mean = arm.estimate().mean;
        (Some(mean), Some(u64::from(arm.games)), [arm.mv])
    });
    listener.tell_ranked(lines, 1, nodes);
}

/// The engine.
pub struct Flat<K, T = WithChance> {
    config: FlatConfig,
    /// How games are played out.
    playouts: Config,
    knowledge: K,
    luck: Seed,
    throw: PhantomData<fn() -> T>,
}

impl<K, T> Flat<K, T> {
    /// An engine with these switches.
    pub fn new(config: FlatConfig, knowledge: K) -> Flat<K, T> {
        Flat {
            config,
            playouts: Config {
                plies: config.plies,
                ..Config::PLAIN
            },
            knowledge,
            luck: Seed::new(config.seed),
            throw: PhantomData,
        }
    }

    /// Plays games until one move is left, all are equal, or a limit is reached; the games of all
    /// moves.
    fn sample<G>(
        &self,
        task: Task<'_, G, K>,
        (state, played): (&G::State, &Path),
        player: Player,
        arms: &mut Vec<Arm<G::Move>>,
        (thread, most, playouts): (&mut Thread, u64, u64),
        listener: &mut Listener<'_, G::Move>,
    ) -> Result<u64, Stopped>
    where
        G: Key + MoveIndex,
        K: Knowledge<G>,
        T: Throw<G>,
    {
        let view = task.view(player);
        let rule = task.game.repetition();
        let mut roller = Roller::new(task.game, task.config);
        let mut games = 0;
        let mut pace = Pace::new(listener, games);
        while arms.len() > 1 && games < most {
            for arm in arms.iter_mut() {
                if games >= playouts {
                    return Ok(games);
                }
                let mut next = state.clone();
                let made = Made::of(task.game, rule, &next, arm.mv);
                task.game.play(&mut next, arm.mv);
                let mut path = rule.is_tracked().then(|| played.clone());
                let mut ruling = Ruling::Open;
                if let Some(path) = &mut path
                    && task.game.turn(&next) != Turn::Over
                {
                    ruling = path.enter(task.game, rule, &next, made);
                }
                let batch = u64::from(self.config.batch).min(playouts - games);
                thread.meter.spend(batch)?;
                for _ in 0..batch {
                    let values = match ruling.is_open() {
                        true => roller.play_out::<K, T>(task, thread, &next, path.as_mut())?,
                        false => task.judged(ruling),
                    };
                    arm.add(view.value(&values));
                    games += 1;
                }
            }
            if games >= pace.next() && pace.is_due(games) {
                tell(arms, thread.meter.nodes(), listener);
            }
            if arms.iter().any(|arm| arm.games < self.config.first) {
                continue;
            }
            let estimates: Vec<Estimate> = arms.iter().map(Arm::estimate).collect();
            let mut left = survivors(&estimates, self.config.ratio).into_iter();
            arms.retain(|_| left.next().unwrap_or(true));
            let estimates: Vec<Estimate> = arms.iter().map(Arm::estimate).collect();
            if all_equal(&estimates, self.config.ratio, self.config.equality) {
                break;
            }
        }
        Ok(games)
    }
}

impl<G, K, T> Engine<G> for Flat<K, T>
where
    G: Playable,
    K: Knowledge<G>,
    T: Throw<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn counts_playouts(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let mut moves = Vec::new();
        path.legal_moves(game, state, &mut moves);
        let task = Task {
            game,
            knowledge: &self.knowledge,
            config: &self.playouts,
            hero: hero(game, state),
            values: 1,
        };
        let most = match (limits.playouts, limits.nodes, limits.time) {
            (None, None, None) => u64::from(self.config.games) * (1 + moves.len() as u64),
            _ => u64::MAX,
        };
        let luck = self.luck.number(game.key(state));
        let mut thread = Thread::new(luck.rng(), limits);
        let new = |&mv: &G::Move| Arm {
            mv,
            games: 0,
            sum: 0.0,
            squares: 0.0,
        };
        let mut arms: Vec<Arm<G::Move>> = moves.iter().map(new).collect();
        if let Turn::Player(player) = game.turn(state) {
            // What was seen until a limit was reached is all there is to decide by.
            let until = (&mut thread, most, limits.playouts.unwrap_or(u64::MAX));
            let _ = self.sample(task, (state, path), player, &mut arms, until, listener);
        }
        let played = arms.iter().filter(|arm| arm.games > 0);
        let best = played.reduce(
            |one, other| match other.estimate().mean > one.estimate().mean {
                true => other,
                false => one,
            },
        );
        let chosen = best.map(|arm| arm.mv).or_else(|| moves.first().copied());
        tell(&arms, thread.meter.nodes(), listener);
        let choice = Choice {
            best: chosen,
            value: best.map(|arm| arm.estimate().mean),
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: chosen.into_iter().collect(),
            depth: u32::from(best.is_some()),
            nodes: thread.meter.nodes(),
            counters: vec![
                ("left", Counter::One(arms.len() as u64)),
                (
                    "games",
                    Counter::One(arms.iter().map(|arm| u64::from(arm.games)).sum()),
                ),
            ],
        };
        if best.is_none() {
            listener.conclude(&choice);
        }
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.config.seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::WithoutChance;
    use tabia_alignment::mnk::Mnk;
    use tabia_game::{Game, Path, Text, Uninformed};

    /// Bouzy's rule with one standard deviation: d, whose games end above 9.7, leaves behind b and
    /// c, which end below 8.5 and 9.1, but not a.
    #[test]
    fn bouzy_2004_progressive_pruning() {
        let estimate = |(mean, deviation)| Estimate { mean, deviation };
        let moves = [(10.0, 1.0), (7.5, 1.0), (8.1, 1.0), (9.9, 0.2)].map(estimate);
        assert_eq!(survivors(&moves, 1.0), [true, false, false, true]);
        let left = [moves[0], moves[3]];
        assert!(!all_equal(&left, 1.0, 0.2));
        assert!(all_equal(&left, 1.0, 1.5));
        assert!(!all_equal(&moves, 1.0, 1.5));
        assert_eq!(survivors(&moves, 100.0), [true; 4]);
    }

    fn ask(config: FlatConfig, position: &str) -> (String, Choice<<Mnk<u64> as Game>::Move>) {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let state = game.parse_position(position).unwrap();
        let path = Path::new();
        let mut engine = Flat::<_, WithoutChance>::new(config, Uninformed);
        let situation = Situation {
            game: &game,
            state: &state,
            path: &path,
        };
        let found = engine.choose(situation, &Limits::default());
        (game.move_text(&state, found.best.unwrap()), found)
    }

    #[test]
    fn moves_that_win_at_once_are_found_with_few_games() {
        let (mv, pruned) = ask(FlatConfig::default(), "x.o/..o/..x x");
        assert_eq!((mv.as_str(), pruned.value), ("b2", Some(1.0)));
        assert_eq!(pruned.counters[0], ("left", Counter::One(1)));
        let all = FlatConfig {
            ratio: 1000.0,
            equality: 0.0,
            ..FlatConfig::default()
        };
        let (mv, flat) = ask(all, "x.o/..o/..x x");
        assert_eq!(mv, "b2");
        assert_eq!(flat.counters[0], ("left", Counter::One(5)));
        assert!(pruned.nodes < flat.nodes / 5);
    }

    /// What a player may expect if everybody moves at random: all games, weighted.
    fn expectation(game: &Mnk<u64>, state: &<Mnk<u64> as Game>::State, player: Player) -> f64 {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        if moves.is_empty() {
            return f64::from(game.payoff(state, player));
        }
        let after = |&mv| {
            let mut next = *state;
            game.play(&mut next, mv);
            expectation(game, &next, player)
        };
        moves.iter().map(after).sum::<f64>() / moves.len() as f64
    }

    /// The best expectation that a move has, and which move that is.
    fn best_expectation(position: &str) -> (String, f64) {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let state = game.parse_position(position).unwrap();
        let Turn::Player(mover) = game.turn(&state) else {
            panic!("the game is over");
        };
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let each = moves.iter().map(|&mv| {
            let mut next = state;
            game.play(&mut next, mv);
            (game.move_text(&state, mv), expectation(&game, &next, mover))
        });
        each.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap()
    }

    /// Bouzy (2004): with one ply, all moves and no pruning it is flat Monte Carlo, which gives
    /// every move as many games and estimates what the move is worth if everybody goes on at
    /// random.
    #[test]
    fn bouzy_2004_without_pruning_it_is_flat_monte_carlo() {
        let config = FlatConfig {
            ratio: 1_000_000.0,
            equality: 0.0,
            games: 20_000,
            ..FlatConfig::default()
        };
        for position in [".../.../... x", "x../.o./... x", "xo./.../... x"] {
            let (mv, value) = best_expectation(position);
            let (chosen, found) = ask(config, position);
            let free = position.matches('.').count() as u64;
            assert_eq!(found.counters[0], ("left", Counter::One(free)));
            let games = u64::from(config.games) * (1 + free);
            let rounds = games.div_ceil(free * u64::from(config.batch));
            let all = rounds * free * u64::from(config.batch);
            assert_eq!(found.counters[1], ("games", Counter::One(all)));
            assert_eq!(chosen, mv, "{position}");
            // Values lie between -1 and 1, so that five deviations of a mean are at most this.
            let most = 5.0 / ((all / free) as f64).sqrt();
            let told = found.value.unwrap();
            assert!(
                (told - value).abs() < most,
                "{position}: {told} for {value}"
            );
        }
    }

    /// Bouzy (2004): with exchanged colours and the other side to move, a value is negated in law.
    /// Values here are those of the side to move, so the law is the same.
    #[test]
    fn bouzy_2004_exchanged_colours_negate_the_value() {
        let config = FlatConfig {
            ratio: 1_000_000.0,
            equality: 0.0,
            games: 20_000,
            ..FlatConfig::default()
        };
        for (position, exchanged) in [
            ("xo./.../... x", "ox./.../... o"),
            ("x../.o./xo. o", "o../.x./ox. x"),
            ("xx./oo./... o", "oo./xx./... x"),
        ] {
            let (_, one) = ask(config, position);
            let (_, other) = ask(config, exchanged);
            let difference = one.value.unwrap() - other.value.unwrap();
            // Both are means of at least 20,000 games between -1 and 1.
            let most = 5.0 * (2.0f64 / 20_000.0).sqrt();
            assert!(difference.abs() < most, "{position}: {difference}");
            assert_eq!(best_expectation(position).1, best_expectation(exchanged).1);
        }
    }
}
