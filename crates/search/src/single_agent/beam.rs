//! Beam search: move by move the most promising positions, and nothing else.
//!
//! All successors of a layer are judged, doubles of a position dropped (the one that earned more
//! stays), and the best `width` of them make the next layer. A search that has time left begins
//! anew with a wider beam.
//!
//! How promising a position is, says the best or the mean of a few playouts, and of positions that
//! come out equal, or without playouts, the knowledge of the game: what was earned so far says
//! little where much is earned at the end. A playout is a line like any other, so the search has
//! one from its first layer on.
//!
//! Under a rule of repetition positions are doubles that also have equal
//! [keys on their paths](tabia_game::Key::key_on_path). Where a repetition draws, these do not tell
//! all paths apart; then the line that is dropped as a double may have been the better one.

use std::time::Instant;

use rustc_hash::FxHashMap;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::threads;
use tabia_game::{
    CERTAIN, Game, Knowledge, Limits, Meter, OnePlayer, Payoff, Player as Seat, Playouts, Seed,
    Stopped,
};

use super::playout::{MAX_PLAYOUT_PLIES, Player};
use super::ruled::Ruled;
use super::{Best, Found, Improved, SEED, Seek, THREADS};
use crate::{Counter, Situation};

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The width of the first beam.
    pub width: usize,
    /// How much wider each further beam is.
    pub factor: f64,
    /// Playouts that judge a position; without any its judgement is what is known of it.
    pub playouts: u32,
    /// Whether the mean of the playouts counts instead of the best.
    pub mean: bool,
    /// How much luck enters the judgement of a position, as a share of the largest payoff.
    pub noise: f64,
    /// Threads that judge positions. Nothing but the time depends on it.
    pub threads: usize,
    /// The random seed.
    pub seed: u64,
}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "width",
        kind: ParameterKind::Integer(1, 1 << 28),
        default: "64",
        help: "width of the first beam",
    },
    Parameter {
        key: "factor",
        kind: ParameterKind::Decimal(1_000, 100_000),
        default: "2",
        help: "how much wider each further beam is, as long as limits allow",
    },
    Parameter {
        key: "playouts",
        kind: ParameterKind::Integer(0, 10_000),
        default: "1",
        help: "playouts by which a position is judged; 0: by what is known of it",
    },
    Parameter {
        key: "judge",
        kind: ParameterKind::Choice(&["best", "mean"]),
        default: "best",
        help: "which payoff of the playouts counts",
    },
    Parameter {
        key: "noise",
        kind: ParameterKind::Decimal(0, 1_000),
        default: "0",
        help: "random noise on the evaluation of a position, as a share of the largest payoff",
    },
    THREADS,
    SEED,
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        Config {
            width: values.integer("width").unsigned_abs() as usize,
            factor: values.decimal("factor"),
            playouts: values.integer("playouts").unsigned_abs() as u32,
            mean: values.word("judge") == "mean",
            noise: values.decimal("noise"),
            threads: values.integer("threads").unsigned_abs() as usize,
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

/// The widest beam where neither nodes nor time are limited.
const WIDEST: usize = 1 << 14;
const NONE: u32 = u32::MAX;
/// Positions that a thread judges at a time.
const CHUNK: usize = 4;
/// The share of the time left that the last beam is planned for: wider beams are slower than in
/// proportion.
const CAUTION: f64 = 0.85;

/// The search.
pub struct Beam<K, P> {
    config: Config,
    knowledge: K,
    policy: P,
    seed: Seed,
}

impl<K, P> Beam<K, P> {
    /// A search with these switches, this judgement and these playouts.
    pub fn new(config: Config, knowledge: K, policy: P) -> Beam<K, P> {
        Beam {
            config,
            knowledge,
            policy,
            seed: Seed::new(config.seed),
        }
    }
}

/// A move on the way to a position of the beam.
struct Step<M> {
    parent: u32,
    mv: M,
}

/// A position of the next layer.
struct Judged<G: Game> {
    /// By playouts, and by what is known.
    promise: (f64, i32),
    /// A line from here on that pays more than the best one before.
    line: Option<(Payoff, Vec<G::Move>)>,
    /// Whether the rule of repetition has ended the game.
    ended: bool,
    key: u64,
    earned: Payoff,
    parent: u32,
    mv: G::Move,
}

/// What a position promises by playouts and by what is known, and a line from there on.
type Promise<M> = ((f64, i32), Option<(Payoff, Vec<M>)>);

/// What follows a position; if nothing does, the step that led there and what it pays.
type Successors<G> = Result<Vec<Judged<G>>, (u32, Payoff)>;

/// The moves that led to a step.
fn trace<M: Copy>(steps: &[Step<M>], mut at: u32, line: &mut Vec<M>) {
    while at != NONE {
        line.push(steps[at as usize].mv);
        at = steps[at as usize].parent;
    }
    line.reverse();
}

/// Plays the moves that led to a step.
fn lead<G: OnePlayer>(ruled: &mut Ruled<'_, G>, root: &G::State, steps: &[Step<G::Move>], at: u32) {
    let (mut line, mut state) = (Vec::new(), root.clone());
    trace(steps, at, &mut line);
    for mv in line {
        ruled.play(&mut state, mv);
    }
}

impl<K, P> Beam<K, P> {
    /// What a position promises, and the best of its playouts if it pays more than anything known.
    fn judge<G: OnePlayer>(
        &self,
        ruled: &mut Ruled<'_, G>,
        state: &G::State,
        player: &mut Player<G::Move>,
        seed: Seed,
        known: Option<Payoff>,
    ) -> Promise<G::Move>
    where
        K: Knowledge<G>,
        P: Playouts<G>,
    {
        let Config {
            playouts,
            mean,
            noise,
            ..
        } = self.config;
        let game = ruled.game;
        let knowledge = self.knowledge.evaluate(game, state, Seat::FIRST);
        let largest = f64::from(game.max_payoff().max(1));
        if playouts == 0 && noise == 0.0 {
            return ((0.0, knowledge), None);
        }
        let mut rng = seed.number(game.key(state)).rng();
        let (mut best, mut sum, mut line) = (None, 0.0, None);
        for _ in 0..playouts {
            let mut end = state.clone();
            let payoff = player.play_out(ruled, &mut end, &self.policy, &mut rng);
            sum += f64::from(payoff);
            if best.is_none_or(|best| payoff > best) {
                best = Some(payoff);
                if known.is_none_or(|known| payoff > known) {
                    line = Some((payoff, player.line.clone()));
                }
            }
        }
        let luck = (rand::RngExt::random::<f64>(&mut rng) - 0.5) * noise * largest;
        let judgement = match best {
            None => f64::from(knowledge) / f64::from(CERTAIN) * largest,
            Some(_) if mean => sum / f64::from(playouts),
            Some(best) => f64::from(best),
        };
        ((judgement + luck, knowledge), line)
    }

    /// One beam of a width, from the position to the ends of all its lines.
    fn beam<G: OnePlayer>(
        &self,
        situation: Situation<'_, G>,
        width: usize,
        seed: Seed,
        meter: &mut Meter,
        best: &mut Best<'_, '_, G>,
    ) -> Result<(), Stopped>
    where
        K: Knowledge<G>,
        P: Playouts<G>,
    {
        let Situation {
            game, state: root, ..
        } = situation;
        let mut steps: Vec<Step<G::Move>> = Vec::new();
        let mut layer: Vec<(u32, G::State)> = vec![(NONE, root.clone())];
        for _ in 0..MAX_PLAYOUT_PLIES {
            let known = best.payoff;
            let chunks: Vec<&[(u32, G::State)]> = layer.chunks(CHUNK).collect();
            let judged = threads::map(chunks.len() as u64, &|chunk| -> Vec<Successors<G>> {
                let (mut moves, mut player) = (Vec::new(), Player::new());
                let mut ruled = Ruled::new(situation);
                let start = ruled.len();
                let judge = |(step, state): &(u32, G::State)| {
                    if ruled.is_tracked() {
                        ruled.truncate(start);
                        lead(&mut ruled, root, &steps, *step);
                    }
                    let mut state = state.clone();
                    moves.clear();
                    let stuck = ruled.moves(&mut state, &mut moves);
                    if moves.is_empty() || stuck.is_some() {
                        return Err((*step, stuck.unwrap_or_else(|| game.earned(&state))));
                    }
                    let follow = moves.iter().map(|&mv| {
                        let (token, ended) = ruled.play(&mut state, mv);
                        let (promise, line) = match ended {
                            Some(payoff) => ((0.0, 0), Some((payoff, Vec::new()))),
                            None => self.judge(&mut ruled, &state, &mut player, seed, known),
                        };
                        let judged = Judged {
                            promise,
                            line,
                            ended: ended.is_some(),
                            key: ruled.key(&state),
                            earned: game.earned(&state),
                            parent: 0,
                            mv,
                        };
                        ruled.undo(&mut state, token);
                        judged
                    });
                    Ok(follow.collect())
                };
                chunks[chunk as usize].iter().map(judge).collect()
            });
            let mut next: Vec<Judged<G>> = Vec::new();
            let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
            for (place, result) in judged.into_iter().flatten().enumerate() {
                match result {
                    Err((step, payoff)) => {
                        best.offer(payoff, meter.nodes(), |line| trace(&steps, step, line));
                    }
                    Ok(successors) => {
                        for mut judged in successors {
                            // A playout is as much work as a position of other searches.
                            for _ in 0..self.config.playouts.max(1) {
                                meter.tick()?;
                            }
                            if let Some((payoff, rest)) = judged.line.take() {
                                best.offer(payoff, meter.nodes(), |line| {
                                    trace(&steps, layer[place].0, line);
                                    line.push(judged.mv);
                                    line.extend_from_slice(&rest);
                                });
                            }
                            if judged.ended {
                                continue;
                            }
                            let judged = Judged {
                                parent: place as u32,
                                ..judged
                            };
                            match seen.get(&judged.key) {
                                Some(&known) if next[known].earned >= judged.earned => {}
                                Some(&known) => next[known] = judged,
                                None => {
                                    seen.insert(judged.key, next.len());
                                    next.push(judged);
                                }
                            }
                        }
                    }
                }
            }
            if best.is_perfect() {
                return Err(Stopped);
            }
            if next.is_empty() {
                return Ok(());
            }
            if next.len() > width {
                let order = |one: &Judged<G>, other: &Judged<G>| {
                    let (one, other) = (one.promise, other.promise);
                    other.0.total_cmp(&one.0).then(other.1.cmp(&one.1))
                };
                next.select_nth_unstable_by(width - 1, order);
                next.truncate(width);
            }
            layer = next
                .into_iter()
                .map(|judged| {
                    let (parent, state) = &layer[judged.parent as usize];
                    let mut state = state.clone();
                    game.play(&mut state, judged.mv);
                    steps.push(Step {
                        parent: *parent,
                        mv: judged.mv,
                    });
                    ((steps.len() - 1) as u32, state)
                })
                .collect();
        }
        Ok(())
    }
}

impl<G, K, P> Seek<G> for Beam<K, P>
where
    G: OnePlayer,
    K: Knowledge<G>,
    P: Playouts<G>,
{
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        match threads::pool(self.config.threads) {
            Some(pool) => threads::within(&pool, || self.widen(situation, limits, improved)),
            // The system has no threads left: the caller's must do.
            None => self.widen(situation, limits, improved),
        }
    }

    fn reseed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn counts_playouts(&self) -> bool {
        self.config.playouts > 0
    }
}

impl<K, P> Beam<K, P> {
    /// One beam after the other, each wider than the last.
    fn widen<G: OnePlayer>(
        &self,
        situation: Situation<'_, G>,
        limits: &Limits,
        mut improved: Improved<'_, G::Move>,
    ) -> Found<G::Move>
    where
        K: Knowledge<G>,
        P: Playouts<G>,
    {
        let Situation { game, state, .. } = situation;
        let mut best = Best::new(game, state, &mut improved);
        let mut meter = limits.meter();
        let (mut beams, mut width) = (0u64, self.config.width);
        let started = Instant::now();
        loop {
            let (before, clock) = (meter.nodes(), Instant::now());
            let seed = self.seed.number(beams);
            let run = self.beam(situation, width, seed, &mut meter, &mut best);
            beams += 1;
            if run.is_err() || game.most(state) == game.earned(state) {
                break;
            }
            // A beam that is broken off is lost, so the last one is as wide as what is left can pay
            // for.
            let nodes = limits.nodes.map(|all| {
                let cost = meter.nodes() - before;
                all.saturating_sub(meter.nodes()) as f64 / cost.max(1) as f64
            });
            let time = limits.time.map(|all| {
                let left = all.saturating_sub(started.elapsed());
                CAUTION * left.as_secs_f64() / clock.elapsed().as_secs_f64().max(1e-6)
            });
            let affordable = [nodes, time].into_iter().flatten().reduce(f64::min);
            let factor = affordable.map_or(self.config.factor, |n| n.min(self.config.factor));
            let next = (width as f64 * factor) as usize;
            if (affordable.is_none() && next > WIDEST) || factor < 1.0 {
                break;
            }
            width = next;
        }
        let counters = vec![
            ("beams", Counter::One(beams)),
            ("width", Counter::One(width as u64)),
        ];
        best.found(game.earned(state), meter.nodes(), counters)
    }
}
