//! The switches of Monte-Carlo tree search, as fields and as options of an engine.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// How much less visited moves are favoured.
    pub exploration: f64,
    /// Plies of a playout before the static evaluation ends it; 0 to play to the end of the game.
    pub plies: u32,
    /// Moves of a new leaf that are added to the tree and played out at once; 0 to play out the
    /// leaf itself.
    pub expand: usize,
    /// Playouts of each position that is played out.
    pub playouts: u32,
    /// Which move of the root is played.
    pub final_move: FinalMove,
    /// Where throws and playouts come from.
    pub seed: u64,
    /// How moves are chosen inside the tree.
    pub selection: Selection,
    /// Whether moves are also valued by playouts in which they came later.
    pub amaf: Amaf,
    /// The visits of a node at which RAVE weighs playouts and moves played later equally.
    pub equivalence: f64,
    /// The playouts that a node needs for GRAVE to look at its statistics.
    pub reference: u32,
    /// How fast GRAVE turns to the playouts of the move itself.
    pub decay: f64,
    /// What is known of a move before it is tried.
    pub heuristic: Heuristic,
    /// The weight of what is known of a move, which its visits wear off; 0 for none.
    pub bias: f64,
    /// How evenly PUCT spreads its prior probabilities.
    pub temperature: f64,
    /// Moves of a node that are tried at first; 0 for all.
    pub widening: u32,
    /// By this factor visits must grow for one more move.
    pub growth: f64,
    /// How playouts choose their moves.
    pub policy: Policy,
    /// The probability of any move instead of the one that a policy prefers.
    pub epsilon: f64,
    /// The share of the minimax value of the static evaluations in the value of a move.
    pub implicit: f64,
    /// Whether what is proved by the end of games is backed up as such.
    pub solver: bool,
    /// Which outcomes of chance get a node.
    pub outcomes: ChanceNodes,
    /// Threads that search together.
    pub threads: usize,
    /// What they share.
    pub parallel: Parallelization,
    /// Whether what is left of the tree after a move is kept for the next one.
    pub reuse: bool,
    /// Bytes that the tree may take.
    pub memory: u64,
}

/// Which move of the root is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The most visited one.
    Visits,
    /// The one with the highest upper confidence bound.
    Bound,
    /// The one with the highest mean.
    Value,
}

/// How moves are chosen inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Upper confidence bounds applied to trees (Kocsis and Szepesvári 2006).
    Uct,
    /// UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002): the less values vary, the less is
    /// explored.
    Tuned,
    /// Predictor and upper confidence bounds (Rosin 2011, in the form of Silver et al. 2017).
    Puct,
}

/// Whether a move is also valued by playouts in which it came later: "all moves as first".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amaf {
    /// It is not.
    Off,
    /// By those through its own node (Gelly and Silver 2007; weights as in Schadd 2011, equation
    /// 2.4).
    Rave,
    /// By those through the nearest node above that has enough of them (Cazenave 2015).
    Grave,
}

/// What is known of a move before it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// The static evaluation of where it leads.
    Evaluation,
    /// Its class in static move ordering.
    Priority,
}

/// How playouts choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// As the game itself plays at random, with every move as likely as any other unless it says
    /// otherwise.
    Game,
    /// Every legal move with the same probability.
    Uniform,
    /// The move that the heuristic likes best, but for some at random.
    Greedy,
    /// The reply to the last move that won most recently, if it is legal (Drake 2009, with the
    /// forgetting of Baier and Drake 2010).
    LastGoodReply,
    /// The move with the best mean of all playouts, alone and after the last move, but for some at
    /// random (Tak, Winands and Björnsson 2012).
    NGrams,
}

/// Which outcomes of chance get a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceNodes {
    /// Every one that occurs.
    Explicit,
    /// As many as the square root of the visits, then those that are there (Couëtoux et al. 2011).
    Widening,
}

/// What threads share (Chaslot, Winands and van den Herik 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelization {
    /// One tree, in which every thread descends by itself.
    Tree,
    /// Nothing; the roots of their trees are added up at the end.
    Root,
    /// One descent at a time, whose leaf every thread plays out.
    Leaf,
}

impl Config {
    /// Plain UCT: every other switch off.
    pub const PLAIN: Config = Config {
        exploration: 1.0,
        plies: 0,
        expand: 0,
        playouts: 1,
        final_move: FinalMove::Visits,
        seed: 0,
        selection: Selection::Uct,
        amaf: Amaf::Off,
        equivalence: 1000.0,
        reference: 50,
        decay: 0.001,
        heuristic: Heuristic::Evaluation,
        bias: 0.0,
        temperature: 0.25,
        widening: 0,
        growth: 1.5,
        policy: Policy::Game,
        epsilon: 0.1,
        implicit: 0.0,
        solver: false,
        outcomes: ChanceNodes::Explicit,
        threads: 1,
        parallel: Parallelization::Tree,
        reuse: false,
        memory: 1 << 30,
    };

    /// Whether a leaf asks for what is known of its moves.
    pub(super) fn knows(&self) -> bool {
        self.bias != 0.0
            || self.widening > 0
            || self.implicit != 0.0
            || self.selection == Selection::Puct
    }

    /// Whether squares of values are added up.
    pub(super) fn squares(&self) -> bool {
        self.selection == Selection::Tuned
    }

    /// Whether the moves of playouts are remembered.
    pub(super) fn remembers(&self) -> bool {
        self.amaf != Amaf::Off || matches!(self.policy, Policy::LastGoodReply | Policy::NGrams)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            solver: true,
            ..Config::PLAIN
        }
    }
}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "exploration",
        kind: ParameterKind::Decimal(0, 100_000),
        default: "1",
        help: "exploration constant: how much less visited moves are favoured",
    },
    Parameter {
        key: "plies",
        kind: ParameterKind::Integer(0, 10_000),
        default: "0",
        help: "plies of a playout before it is evaluated; 0: to the end of the game",
    },
    Parameter {
        key: "expand",
        kind: ParameterKind::Integer(0, 1000),
        default: "0",
        help: "moves of a new leaf that are played out at once; 0: the leaf itself",
    },
    Parameter {
        key: "playouts",
        kind: ParameterKind::Integer(1, 10_000),
        default: "1",
        help: "playouts of each position that is played out",
    },
    Parameter {
        key: "choice",
        kind: ParameterKind::Choice(&["visits", "bound", "value"]),
        default: "visits",
        help: "the move played: most visited, highest confidence bound, or highest mean",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of dice and playouts",
    },
    Parameter {
        key: "selection",
        kind: ParameterKind::Choice(&["uct", "tuned", "puct"]),
        default: "uct",
        help: "confidence bounds inside the tree: UCT, UCB1-tuned, or PUCT with prior \
               probabilities",
    },
    Parameter {
        key: "amaf",
        kind: ParameterKind::Choice(&["off", "rave", "grave"]),
        default: "off",
        help: "values of moves that were played later: none, of the node itself, of a node above",
    },
    Parameter {
        key: "equivalence",
        kind: ParameterKind::Decimal(1, 1_000_000_000),
        default: "1000",
        help: "visits of a node at which rave weighs both values equally",
    },
    Parameter {
        key: "reference",
        kind: ParameterKind::Integer(0, 1_000_000),
        default: "50",
        help: "playouts that a node needs for grave to use its values",
    },
    Parameter {
        key: "decay",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0.001",
        help: "how fast grave turns to the values of the move itself",
    },
    Parameter {
        key: "heuristic",
        kind: ParameterKind::Choice(&["evaluation", "priority"]),
        default: "evaluation",
        help: "what is known of a move: the evaluation of where it leads, or its static order",
    },
    Parameter {
        key: "bias",
        kind: ParameterKind::Decimal(0, 1_000_000),
        default: "0",
        help: "weight of progressive bias, which visits wear off; 0: none",
    },
    Parameter {
        key: "temperature",
        kind: ParameterKind::Decimal(1, 1_000_000),
        default: "0.25",
        help: "how evenly puct spreads its prior probabilities",
    },
    Parameter {
        key: "widening",
        kind: ParameterKind::Integer(0, 10_000),
        default: "0",
        help: "progressive widening: moves of a node that are tried at first; 0: all",
    },
    Parameter {
        key: "growth",
        kind: ParameterKind::Decimal(1001, 1_000_000),
        default: "1.5",
        help: "factor by which visits must grow before widening adds a move",
    },
    Parameter {
        key: "policy",
        kind: ParameterKind::Choice(&["game", "uniform", "greedy", "replies", "ngrams"]),
        default: "game",
        help: "moves of playouts: the game's own, uniform, by heuristic, last good replies, \
               N-grams",
    },
    Parameter {
        key: "epsilon",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0.1",
        help: "the probability of any move instead in greedy and ngrams playouts",
    },
    Parameter {
        key: "implicit",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0",
        help: "share of implicit minimax backups of evaluations in values",
    },
    Parameter {
        key: "solver",
        kind: ParameterKind::Switch,
        default: "on",
        help: "back up proved values",
    },
    Parameter {
        key: "outcomes",
        kind: ParameterKind::Choice(&["explicit", "widening"]),
        default: "explicit",
        help: "outcomes of chance with a node: all that occur, or more and more of them",
    },
    Parameter {
        key: "threads",
        kind: ParameterKind::Integer(1, 256),
        default: "1",
        help: "threads that search together",
    },
    Parameter {
        key: "parallel",
        kind: ParameterKind::Choice(&["tree", "root", "leaf"]),
        default: "tree",
        help: "what threads share: the tree, its root's results, or the playouts of a leaf",
    },
    Parameter {
        key: "reuse",
        kind: ParameterKind::Switch,
        default: "off",
        help: "reuse the rest of the tree for the next move",
    },
    Parameter {
        key: "memory",
        kind: ParameterKind::Bytes(1 << 16, 1 << 40),
        default: "1G",
        help: "maximum size of the tree; the least visited parts are dropped",
    },
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        let number = |key| values.integer(key).unsigned_abs();
        Config {
            exploration: values.decimal("exploration"),
            plies: number("plies") as u32,
            expand: number("expand") as usize,
            playouts: number("playouts") as u32,
            final_move: match values.word("choice") {
                "bound" => FinalMove::Bound,
                "value" => FinalMove::Value,
                _ => FinalMove::Visits,
            },
            seed: number("seed"),
            selection: match values.word("selection") {
                "tuned" => Selection::Tuned,
                "puct" => Selection::Puct,
                _ => Selection::Uct,
            },
            amaf: match values.word("amaf") {
                "rave" => Amaf::Rave,
                "grave" => Amaf::Grave,
                _ => Amaf::Off,
            },
            equivalence: values.decimal("equivalence"),
            reference: number("reference") as u32,
            decay: values.decimal("decay"),
            heuristic: match values.word("heuristic") {
                "priority" => Heuristic::Priority,
                _ => Heuristic::Evaluation,
            },
            bias: values.decimal("bias"),
            temperature: values.decimal("temperature"),
            widening: number("widening") as u32,
            growth: values.decimal("growth"),
            policy: match values.word("policy") {
                "uniform" => Policy::Uniform,
                "greedy" => Policy::Greedy,
                "replies" => Policy::LastGoodReply,
                "ngrams" => Policy::NGrams,
                _ => Policy::Game,
            },
            epsilon: values.decimal("epsilon"),
            implicit: values.decimal("implicit"),
            solver: values.switch("solver"),
            outcomes: match values.word("outcomes") {
                "widening" => ChanceNodes::Widening,
                _ => ChanceNodes::Explicit,
            },
            threads: number("threads") as usize,
            parallel: match values.word("parallel") {
                "root" => Parallelization::Root,
                "leaf" => Parallelization::Leaf,
                _ => Parallelization::Tree,
            },
            reuse: values.switch("reuse"),
            memory: values.bytes("memory"),
        }
    }
}
