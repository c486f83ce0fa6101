//! Nested rollout policy adaptation (Rosin 2011), and its generalisation by a bias (Cazenave 2020).
//!
//! A search of level n repeats searches of level n - 1 and draws the policy of their playouts
//! towards the best line so far; level 0 is one playout by the policy. A policy is a weight for
//! every code of a move; a move is drawn with a probability proportional to the exponential of its
//! weight and of the bias that the game gives it. With several playouts a level-1 iteration the
//! search is the stabilised one (Cazenave, Sevestre and Toulemont 2021).

mod policy;

use rand::RngExt;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{
    GameRng, Limits, Meter, MoveFeatures, OnePlayer, Payoff, Playouts, Seed, Stopped,
};

use super::playout::MAX_PLAYOUT_PLIES;
use super::ruled::Ruled;
use super::{Best, Found, Improved, SEED, Seek, THREADS};
use crate::{Counter, Situation};
use policy::{Candidate, Places, Policy};

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// How many searches are nested.
    pub level: u32,
    /// Searches of the level below, at each level.
    pub iterations: u32,
    /// Playouts before the policy of the lowest level is adapted.
    pub playouts: u32,
    /// How far a policy moves towards the best line at a time.
    pub step: f64,
    /// Whether the bias of the game counts.
    pub bias: bool,
    /// A search ends once the best line has come up this many times again: its policy is worn out.
    /// 0 for never.
    pub repeats: u32,
    /// Where playouts come from.
    pub seed: u64,
}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "level",
        kind: ParameterKind::Integer(0, 10),
        default: "4",
        help: "nesting level of the search",
    },
    Parameter {
        key: "iterations",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "100",
        help: "searches of the level below, at each level",
    },
    Parameter {
        key: "playouts",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "1",
        help: "playouts before the policy of the lowest level is adapted",
    },
    Parameter {
        key: "step",
        kind: ParameterKind::Decimal(0, 100_000),
        default: "1",
        help: "how far a policy moves towards the best line at a time",
    },
    Parameter {
        key: "bias",
        kind: ParameterKind::Choice(&["on", "off"]),
        default: "on",
        help: "whether moves start with the weights that the game suggests",
    },
    Parameter {
        key: "repeats",
        kind: ParameterKind::Integer(0, 1_000_000),
        default: "0",
        help: "repetitions of the best line that end the search of a level; 0: never",
    },
    THREADS,
    SEED,
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        let count = |key| u32::try_from(values.integer(key)).unwrap_or(u32::MAX);
        Config {
            level: count("level"),
            iterations: count("iterations"),
            playouts: count("playouts"),
            step: values.decimal("step"),
            bias: values.word("bias") == "on",
            repeats: count("repeats"),
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

/// Playouts where neither nodes nor time are limited.
const PLAYOUTS: u64 = 100_000;

/// The search. It starts anew, with other luck, as long as its limits allow.
pub struct Nrpa<P> {
    config: Config,
    policy: P,
    seed: Seed,
}

impl<P> Nrpa<P> {
    /// A search with these switches and playouts.
    pub fn new(config: Config, policy: P) -> Nrpa<P> {
        Nrpa {
            config,
            policy,
            seed: Seed::new(config.seed),
        }
    }
}

/// A line and everything that was legal on it, so that no game has to be replayed to learn from it.
struct TracedLine<M> {
    payoff: Payoff,
    moves: Vec<M>,
    candidates: Vec<Candidate>,
    /// For each move the end of its candidates, and which one was played.
    steps: Vec<(u32, u32)>,
    places: Places,
}

impl<M: Copy> TracedLine<M> {
    fn new() -> TracedLine<M> {
        TracedLine {
            payoff: Payoff::MIN,
            moves: Vec::new(),
            candidates: Vec::new(),
            steps: Vec::new(),
            places: Places::default(),
        }
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.candidates.clear();
        self.steps.clear();
        self.places.forget();
    }

    fn copy(&mut self, other: &TracedLine<M>) {
        self.clear();
        self.payoff = other.payoff;
        self.moves.extend_from_slice(&other.moves);
        self.candidates.extend_from_slice(&other.candidates);
        self.steps.extend_from_slice(&other.steps);
    }
}

/// The moves of a list that the rule of repetition does not forbid. The list itself has to stay
/// whole: games make the next one out of it.
struct Legal<M> {
    list: MoveFeatures<M>,
    /// The place of each of them in the whole list.
    places: Vec<usize>,
}

impl<M> Default for Legal<M> {
    fn default() -> Legal<M> {
        Legal {
            list: MoveFeatures::default(),
            places: Vec::new(),
        }
    }
}

impl<M: Copy + Eq> Legal<M> {
    /// Takes over what is legal; what the game pays if the rule forbids everything.
    fn keep<G: OnePlayer<Move = M>>(
        &mut self,
        ruled: &Ruled<'_, G>,
        state: &mut G::State,
        whole: &MoveFeatures<M>,
    ) -> Option<Payoff> {
        let Legal { list, places } = self;
        list.clear();
        places.clear();
        list.moves.extend_from_slice(&whole.moves);
        let stuck = ruled.retain_legal(state, &mut list.moves, 0);
        for (place, mv) in whole.moves.iter().enumerate() {
            if list.moves.get(places.len()) == Some(mv) {
                places.push(place);
                list.features.push(whole.features[place]);
            }
        }
        stuck
    }
}

struct Search<'a, 'b, 'c, G: OnePlayer, P: Playouts<G>> {
    ruled: Ruled<'a, G>,
    state: &'a G::State,
    config: &'a Config,
    playouts: &'a P,
    rng: GameRng,
    meter: Meter,
    best: Best<'b, 'c, G>,
    notes: P::Scratch,
    list: MoveFeatures<G::Move>,
    /// What the rule of repetition leaves of the list.
    legal: Legal<G::Move>,
    shares: Vec<f64>,
    policy: Policy,
    /// The best line of every level, those that were played out below.
    lines: Vec<TracedLine<G::Move>>,
}

impl<G: OnePlayer, P: Playouts<G>> Search<'_, '_, '_, G, P> {
    /// A playout by the policy, left in the lowest line.
    fn play_out(&mut self) -> Result<(), Stopped> {
        self.meter.tick()?;
        let (mut state, path) = (self.state.clone(), self.ruled.len());
        let (playouts, game) = (self.playouts, self.ruled.game);
        let plan = playouts.plan(game, &state, &mut self.rng);
        self.lines[0].clear();
        let (notes, list) = (&mut self.notes, &mut self.list);
        playouts.move_features(game, &state, &plan, notes, list);
        let mut ended = None;
        while ended.is_none() && !self.list.moves.is_empty() {
            if self.lines[0].moves.len() >= MAX_PLAYOUT_PLIES {
                break;
            }
            if self.ruled.is_tracked() {
                ended = self.legal.keep(&self.ruled, &mut state, &self.list);
                if ended.is_some() {
                    break;
                }
                let place = self.draw::<true>();
                let chosen = self.legal.places[place];
                let made = self.ruled.made(&state, self.list.moves[chosen]);
                let (notes, list) = (&mut self.notes, &mut self.list);
                playouts.next_move_features(game, &mut state, &plan, chosen, notes, list);
                ended = self.ruled.arrive(&state, made);
            } else {
                let chosen = self.draw::<false>();
                let (notes, list) = (&mut self.notes, &mut self.list);
                playouts.next_move_features(game, &mut state, &plan, chosen, notes, list);
            }
        }
        self.ruled.truncate(path);
        let line = &mut self.lines[0];
        line.payoff = ended.unwrap_or_else(|| game.earned(&state));
        let moves = &line.moves;
        let take = |best: &mut Vec<G::Move>| best.extend_from_slice(moves);
        self.best.offer(line.payoff, self.meter.nodes(), take);
        match self.best.is_perfect() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// Draws a move of the list, or of what the rule of repetition leaves of it, and adds it to the
    /// lowest line; its place.
    #[inline]
    fn draw<const RULED: bool>(&mut self) -> usize {
        let list = if RULED { &self.legal.list } else { &self.list };
        let line = &mut self.lines[0];
        let start = line.candidates.len();
        self.shares.clear();
        let mut sum = 0.0;
        for lesson in &list.features {
            let favour = if self.config.bias { lesson.favour } else { 1.0 };
            let code = lesson.code;
            line.candidates.push(Candidate { code, favour });
            sum += self.policy.strength(code) * favour;
            self.shares.push(sum);
        }
        let drawn = self.rng.random::<f64>() * sum;
        let chosen = self.shares.partition_point(|&share| share <= drawn);
        let chosen = chosen.min(list.moves.len() - 1);
        line.moves.push(list.moves[chosen]);
        let end = line.candidates.len() as u32;
        line.steps.push((end, (start + chosen) as u32));
        chosen
    }

    /// Draws the policy towards the line of a level.
    fn adapt(&mut self, level: usize) {
        let line = &mut self.lines[level];
        let (candidates, steps) = (&line.candidates, &line.steps);
        self.policy
            .adapt(candidates, steps, &mut line.places, self.config.step);
    }

    /// A search of a level; its line is left there, and the policy as it was.
    fn nested(&mut self, level: usize) -> Result<(), Stopped> {
        self.lines[level].payoff = Payoff::MIN;
        let mark = self.policy.begin();
        let mut repeats = 0;
        for _ in 0..self.config.iterations {
            for _ in 0..if level == 1 { self.config.playouts } else { 1 } {
                match level {
                    1 => self.play_out()?,
                    _ => self.nested(level - 1)?,
                }
                let (below, above) = self.lines.split_at_mut(level);
                let (found, line) = (&below[level - 1], &mut above[0]);
                if found.payoff == line.payoff && found.moves == line.moves {
                    repeats += 1;
                } else if found.payoff >= line.payoff {
                    line.copy(found);
                }
            }
            if self.config.repeats > 0 && repeats >= self.config.repeats {
                break;
            }
            self.adapt(level);
        }
        self.policy.end(mark);
        Ok(())
    }
}

impl<G: OnePlayer, P: Playouts<G>> Seek<G> for Nrpa<P> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        mut improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let Situation { game, state, .. } = situation;
        let mut limits = limits.clone();
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(PLAYOUTS);
        }
        let top = self.config.level as usize;
        let mut search = Search {
            ruled: Ruled::new(situation),
            state,
            config: &self.config,
            playouts: &self.policy,
            rng: self.seed.rng(),
            meter: limits.meter(),
            best: Best::new(game, state, &mut improved),
            notes: P::Scratch::default(),
            list: MoveFeatures::default(),
            legal: Legal::default(),
            shares: Vec::new(),
            policy: Policy::new(),
            lines: (0..=top).map(|_| TracedLine::new()).collect(),
        };
        let mut runs = 0;
        loop {
            search.policy = Policy::new();
            let run = match top {
                0 => search.play_out(),
                _ => search.nested(top),
            };
            if run.is_err() {
                break;
            }
            runs += 1;
        }
        let nodes = search.meter.nodes();
        let counters = vec![("runs", Counter::One(runs))];
        search.best.found(game.earned(state), nodes, counters)
    }

    fn reseed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn counts_playouts(&self) -> bool {
        true
    }
}
