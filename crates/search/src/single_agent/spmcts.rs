//! Single-player Monte-Carlo tree search (Schadd 2011, chapter 3; Schadd et al. 2008).
//!
//! UCT without an opponent: scores are raw, so the constants speak the language of the game.
//! Selection adds to the confidence bound a term for the possible deviation and a share of the top
//! score (equation 3.1 and section 3.3.1); a node that has been visited fewer than `threshold`
//! times lets the playout policy choose; one node is added a playout; average, deviation and
//! maximum are handed back. Randomised restarts (section 3.3.5) are `restarts`, and time may be
//! given to the whole game or to every move of it (section 3.5.4).
//!
//! The thesis says of the top score only that it is added with a weight W. Its tuned weight of 0.49
//! reads best as a share, so `(1 - W) average + W maximum` is the default here and the plain sum
//! the alternative.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{GameRng, Limits, Meter, OnePlayer, Payoff, Playouts, Seed, Stopped};

use super::playout::Player;
use super::ruled::Ruled;
use super::{Best, Found, Improved, SEED, Seek, THREADS};
use crate::{Counter, Situation};

/// How the top score enters the value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopScore {
    /// `(1 - W) average + W maximum`.
    Share,
    /// `average + W maximum`.
    Sum,
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The constant C of the confidence bound, in points.
    pub exploration: f64,
    /// The constant D of the possible deviation, in squared points.
    pub deviation: f64,
    /// Visits of a node before moves are selected by value, T.
    pub threshold: u32,
    /// The weight W of the top score.
    pub top: f64,
    /// How the top score enters.
    pub top_score: TopScore,
    /// Searches that share the budget of a move or game, each from scratch.
    pub restarts: u32,
    /// Expected length of a game, where every move has its own share of the budget; 0 for one
    /// search of the whole game.
    pub per_move: u32,
    /// Nodes of the tree at most.
    pub tree: usize,
    /// Where playouts come from.
    pub seed: u64,
}

/// The switches as options of an engine. The defaults are those that Schadd (2011, table 3.4) found
/// by the cross-entropy method for searches of every move.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "exploration",
        kind: ParameterKind::Decimal(0, 1_000_000_000),
        default: "4.31",
        help: "C: how much less visited moves are favoured, in points",
    },
    Parameter {
        key: "deviation",
        kind: ParameterKind::Decimal(0, 1_000_000_000_000),
        default: "96.67",
        help: "D: how much moves of uncertain value are favoured, in squared points",
    },
    Parameter {
        key: "threshold",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "11",
        help: "T: visits of a node before values select its moves",
    },
    Parameter {
        key: "top",
        kind: ParameterKind::Decimal(0, 10_000),
        default: "0.28",
        help: "W: the weight of the top score",
    },
    Parameter {
        key: "top-score",
        kind: ParameterKind::Choice(&["share", "sum"]),
        default: "share",
        help: "(1-W) average + W maximum, or average + W maximum",
    },
    Parameter {
        key: "restarts",
        kind: ParameterKind::Integer(1, 1_000_000),
        default: "1",
        help: "searches from scratch that share the budget",
    },
    Parameter {
        key: "per-move",
        kind: ParameterKind::Integer(0, 100_000),
        default: "64",
        help: "moves that the budget is shared out to, each searched anew; 0: one search of the \
               whole game",
    },
    Parameter {
        key: "tree",
        kind: ParameterKind::Integer(1_000, 1 << 28),
        default: "16000000",
        help: "maximum nodes of the tree",
    },
    THREADS,
    SEED,
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        let count = |key| u32::try_from(values.integer(key)).unwrap_or(u32::MAX);
        Config {
            exploration: values.decimal("exploration"),
            deviation: values.decimal("deviation"),
            threshold: count("threshold"),
            top: values.decimal("top"),
            top_score: match values.word("top-score") {
                "sum" => TopScore::Sum,
                _ => TopScore::Share,
            },
            restarts: count("restarts"),
            per_move: count("per-move"),
            tree: count("tree") as usize,
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

const NONE: u32 = u32::MAX;
/// Playouts where neither nodes nor time are limited.
const PLAYOUTS: u64 = 100_000;

/// A node of the tree.
struct Node<M> {
    mv: Option<M>,
    first: u32,
    next: u32,
    visits: u32,
    top: Payoff,
    mean: f64,
    /// The sum of squared differences from the mean, kept by Welford's method: sums of raw squares
    /// cancel.
    spread: f64,
    /// Whether all moves are children.
    complete: bool,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, next: u32) -> Node<M> {
        Node {
            mv,
            first: NONE,
            next,
            visits: 0,
            top: Payoff::MIN,
            mean: 0.0,
            spread: 0.0,
            complete: false,
        }
    }

    fn credit(&mut self, payoff: Payoff) {
        self.visits += 1;
        let away = f64::from(payoff) - self.mean;
        self.mean += away / f64::from(self.visits);
        self.spread += away * (f64::from(payoff) - self.mean);
        self.top = self.top.max(payoff);
    }

    /// Equation 3.1, with the top score.
    fn merit(&self, config: &Config, parent: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = f64::from(self.visits);
        let top = f64::from(self.top);
        let value = match config.top_score {
            TopScore::Share => (1.0 - config.top) * self.mean + config.top * top,
            TopScore::Sum => self.mean + config.top * top,
        };
        let deviation = ((self.spread + config.deviation).max(0.0) / visits).sqrt();
        value + config.exploration * (parent.ln() / visits).sqrt() + deviation
    }
}

/// The search.
pub struct SpMcts<P> {
    config: Config,
    policy: P,
    seed: Seed,
}

impl<P> SpMcts<P> {
    /// A search with these switches and playouts.
    pub fn new(config: Config, policy: P) -> SpMcts<P> {
        SpMcts {
            config,
            policy,
            seed: Seed::new(config.seed),
        }
    }
}

/// What the trees of a search were like.
#[derive(Default)]
struct Shape {
    trees: u64,
    nodes: u64,
    leaves: u64,
    depths: u64,
    deepest: u64,
}

/// One tree.
struct Tree<'a, 'g, G: OnePlayer, P> {
    ruled: &'a mut Ruled<'g, G>,
    policy: &'a P,
    config: &'a Config,
    nodes: Vec<Node<G::Move>>,
    path: Vec<u32>,
    moves: Vec<G::Move>,
    player: Player<G::Move>,
    rng: GameRng,
}

impl<G: OnePlayer, P: Playouts<G>> Tree<'_, '_, G, P> {
    fn find(&self, node: u32, mv: G::Move) -> Option<u32> {
        let mut child = self.nodes[node as usize].first;
        while child != NONE {
            let here = &self.nodes[child as usize];
            if here.mv == Some(mv) {
                return Some(child);
            }
            child = here.next;
        }
        None
    }

    fn add(&mut self, node: u32, mv: G::Move) -> u32 {
        let number = self.nodes.len() as u32;
        let next = self.nodes[node as usize].first;
        self.nodes.push(Node::new(Some(mv), next));
        self.nodes[node as usize].first = number;
        number
    }

    /// Adds the moves of a node that no playout has tried.
    fn complete(&mut self, node: u32, state: &mut G::State) {
        self.nodes[node as usize].complete = true;
        self.moves.clear();
        self.ruled.moves(state, &mut self.moves);
        for i in (0..self.moves.len()).rev() {
            if self.find(node, self.moves[i]).is_none() {
                self.add(node, self.moves[i]);
            }
        }
    }

    /// The child with the highest merit, of several the first.
    fn select(&self, node: u32) -> Option<u32> {
        let parent = f64::from(self.nodes[node as usize].visits);
        let mut best: Option<(u32, f64)> = None;
        let mut child = self.nodes[node as usize].first;
        while child != NONE {
            let here = &self.nodes[child as usize];
            let merit = here.merit(self.config, parent);
            if best.is_none_or(|(_, most)| merit > most) {
                best = Some((child, merit));
            }
            child = here.next;
        }
        best.map(|(child, _)| child)
    }

    /// The move that the playout policy makes at a node, and its child.
    fn drift(&mut self, node: u32, state: &mut G::State) -> Option<u32> {
        self.moves.clear();
        self.ruled.moves(state, &mut self.moves);
        if self.moves.is_empty() {
            return None;
        }
        let game = self.ruled.game;
        let plan = self.policy.plan(game, state, &mut self.rng);
        let place = self
            .policy
            .draw(game, state, &self.moves, &plan, &mut self.rng);
        let mv = self.moves[place];
        Some(self.find(node, mv).unwrap_or_else(|| self.add(node, mv)))
    }

    /// One playout: selection, growth by one node, simulation, and its payoff handed back.
    fn simulate(&mut self, root: &G::State, shape: &mut Shape) -> Payoff {
        let (mut state, len) = (root.clone(), self.ruled.len());
        let mut ended = None;
        self.path.clear();
        self.path.push(0);
        loop {
            let node = self.path[self.path.len() - 1];
            let Node {
                visits, complete, ..
            } = self.nodes[node as usize];
            let full = self.nodes.len() >= self.config.tree;
            if (visits == 0 && self.path.len() > 1) || (full && !complete) {
                break;
            }
            let child = if visits < self.config.threshold {
                self.drift(node, &mut state)
            } else {
                if !complete {
                    self.complete(node, &mut state);
                }
                self.select(node)
            };
            let Some(child) = child else {
                break;
            };
            if let Some(mv) = self.nodes[child as usize].mv {
                ended = self.ruled.play(&mut state, mv).1;
            }
            self.path.push(child);
            if ended.is_some() {
                break;
            }
        }
        let (policy, rng) = (self.policy, &mut self.rng);
        let payoff = match ended {
            Some(payoff) => {
                self.player.line.clear();
                payoff
            }
            None => self.player.play_out(self.ruled, &mut state, policy, rng),
        };
        self.ruled.truncate(len);
        for &node in &self.path {
            self.nodes[node as usize].credit(payoff);
        }
        let depth = self.path.len() as u64 - 1;
        shape.leaves += 1;
        shape.depths += depth;
        shape.deepest = shape.deepest.max(depth);
        payoff
    }
}

impl<P> SpMcts<P> {
    /// All restarts of one search from a position, after the moves that led there.
    fn grow<G: OnePlayer>(
        &self,
        (ruled, state, played): (&mut Ruled<'_, G>, &G::State, &[G::Move]),
        seed: Seed,
        meters: &mut Meters<'_>,
        best: &mut Best<'_, '_, G>,
        shape: &mut Shape,
    ) -> Result<(), Stopped>
    where
        P: Playouts<G>,
    {
        let restarts = self.config.restarts;
        for restart in 0..restarts {
            let mut tree = Tree {
                ruled: &mut *ruled,
                policy: &self.policy,
                config: &self.config,
                nodes: vec![Node::new(None, NONE)],
                path: Vec::new(),
                moves: Vec::new(),
                player: Player::new(),
                rng: seed.number(restart.into()).rng(),
            };
            let mut meter = meters.share(restarts - restart);
            let outcome = loop {
                if best.is_perfect() {
                    break Err(Stopped);
                }
                if meter.tick().is_err() {
                    break Ok(());
                }
                let payoff = tree.simulate(state, shape);
                best.offer(payoff, meters.spent + meter.nodes(), |line| {
                    line.extend_from_slice(played);
                    let moves = tree.path.iter().map(|&node| tree.nodes[node as usize].mv);
                    line.extend(moves.flatten());
                    line.extend_from_slice(&tree.player.line);
                });
            };
            shape.trees += 1;
            shape.nodes += tree.nodes.len() as u64;
            meters.spend(&meter);
            outcome?;
            meters.check()?;
        }
        Ok(())
    }
}

/// The budget of a whole search, shared out to its parts.
struct Meters<'a> {
    limits: &'a Limits,
    started: std::time::Instant,
    spent: u64,
    /// Parts of equal weight that have yet to be paid for.
    parts: f64,
}

impl Meters<'_> {
    fn left(&self) -> Limits {
        let nodes = self.limits.nodes.map(|n| n.saturating_sub(self.spent));
        let nodes = match (nodes, self.limits.time) {
            (None, None) => Some(PLAYOUTS.saturating_sub(self.spent)),
            (nodes, _) => nodes,
        };
        Limits {
            nodes,
            time: (self.limits.time).map(|t| t.saturating_sub(self.started.elapsed())),
            ..self.limits.clone()
        }
    }

    /// A meter for the next one of this many equal shares of a part.
    fn share(&self, of: u32) -> Meter {
        let left = self.left();
        let parts = self.parts.max(1.0) * f64::from(of);
        Limits {
            nodes: left.nodes.map(|n| (n as f64 / parts).ceil() as u64),
            time: left.time.map(|t| t.div_f64(parts)),
            ..left
        }
        .meter()
    }

    fn spend(&mut self, meter: &Meter) {
        self.spent += meter.nodes();
    }

    /// An error if nothing is left, or if the search was cancelled.
    fn check(&self) -> Result<(), Stopped> {
        self.left().meter().tick()
    }
}

impl<G: OnePlayer, P: Playouts<G>> Seek<G> for SpMcts<P> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        mut improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let Situation { game, state, .. } = situation;
        let mut best = Best::new(game, state, &mut improved);
        let mut shape = Shape::default();
        let mut meters = Meters {
            limits,
            started: std::time::Instant::now(),
            spent: 0,
            parts: f64::from(self.config.per_move.max(1)),
        };
        let mut ruled = Ruled::new(situation);
        let start = ruled.len();
        let mut here = state.clone();
        let mut played = Vec::new();
        loop {
            let seed = self.seed.number(played.len() as u64);
            let position = (&mut ruled, &here, played.as_slice());
            let grown = self.grow(position, seed, &mut meters, &mut best, &mut shape);
            if grown.is_err() || meters.check().is_err() {
                break;
            }
            // The next move is that of the best line of all searches so far.
            let next = best.line.get(played.len()).copied();
            let next = next.filter(|_| self.config.per_move > 0);
            match next.map(|mv| (mv, ruled.play(&mut here, mv).1)) {
                Some((mv, None)) => {
                    played.push(mv);
                    meters.parts -= 1.0;
                }
                // What is left serves another search of the whole game, with other luck.
                None | Some((_, Some(_))) => {
                    ruled.truncate(start);
                    here = state.clone();
                    played.clear();
                    meters.parts = f64::from(self.config.per_move.max(1));
                    self.seed = self.seed.split("again");
                }
            }
        }
        let counters = vec![
            ("trees", Counter::One(shape.trees)),
            ("tree", Counter::One(shape.nodes / shape.trees.max(1))),
            ("depth", Counter::One(shape.depths / shape.leaves.max(1))),
            ("deepest", Counter::One(shape.deepest)),
        ];
        best.found(game.earned(state), meters.spent, counters)
    }

    fn reseed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn counts_playouts(&self) -> bool {
        true
    }
}
