//! The switches of the search, as values and as words.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};

use crate::table::{MIN_BYTES, Replacement};

/// How a node's value is found from its children's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every child, no window (Schadd 2011, algorithm 2.1).
    Minimax,
    /// Alpha-beta that never returns a value outside its window, exactly as printed (algorithm
    /// 2.2).
    FailHard,
    /// Alpha-beta that returns the best bound it has.
    FailSoft,
    /// Principal variation search (Marsland and Campbell 1982): null windows after the first move.
    Pvs,
    /// MTD(f) (Plaat et al. 1996): null windows at the root, too.
    Mtdf,
}

/// What orders the moves that no other rule puts in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Nothing: the order of generation.
    None,
    /// How often a move was best (Schaeffer 1983).
    History,
    /// How often a move was tried (Hartmann 1988).
    Butterfly,
    /// The one divided by the other (Winands et al. 2004).
    Relative,
    /// Bonus for cutoffs, malus for moves tried in vain, fading towards a limit.
    Gravity,
}

/// How much a table grows for a search of depth d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Increment {
    /// 1
    One,
    /// d
    Depth,
    /// d^2
    Square,
    /// d^3
    Cube,
    /// 2^d
    Exponential,
}

impl Increment {
    /// The increment for a search of this depth.
    #[inline]
    pub fn of(self, depth: i32) -> u64 {
        let d = depth.max(0) as u64;
        match self {
            Increment::One => 1,
            Increment::Depth => d,
            Increment::Square => d * d,
            Increment::Cube => d * d * d,
            Increment::Exponential => 1 << d.min(40),
        }
    }
}

/// Null-move pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullMove {
    /// None.
    Off,
    /// This many plies are saved.
    Fixed(i32),
    /// As in MIA (Winands et al. 2004, section 4.2): three plies at ALL nodes and at CUT nodes of
    /// more than six plies (eight in an endgame), otherwise two.
    Adaptive,
}

/// Multi-cut pruning (Björnsson and Marsland 1999): when `cutoffs` of the first `moves` moves fail
/// high in a search reduced by `reduction`, the node is taken to fail high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiCut {
    /// C
    pub cutoffs: usize,
    /// M
    pub moves: usize,
    /// R
    pub reduction: i32,
}

/// All switches of the search. [`Config::default`] is plain alpha-beta as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How values are backed up.
    pub method: Method,
    /// Search to depth 1, 2, 3, ... instead of to the depth asked for at once.
    pub deepening: bool,
    /// Half the width of the window around the last iteration's value; 0 for a full window.
    pub aspiration: i32,
    /// Bytes of the transposition table; 0 for none.
    pub table: u64,
    /// Its replacement scheme.
    pub replacement: Replacement,
    /// Use entries that were searched deeper than asked for. Off, the value is exactly that of a
    /// search to the depth asked for.
    pub graft: bool,
    /// Enhanced transposition cutoffs at nodes with more than this depth; 0 for none.
    pub etc: i32,
    /// Killer moves a ply.
    pub killers: usize,
    /// Dynamic move ordering.
    pub history: History,
    /// What the best move adds to the history table.
    pub best_increment: Increment,
    /// What every move tried adds to the butterfly board.
    pub tried_increment: Increment,
    /// One history table for both players.
    pub shared_history: bool,
    /// A move never tried counts as always best instead of never best in relative history.
    pub optimistic: bool,
    /// The last refutation of the opponent's move comes after the killers (Uiterwijk 1992).
    pub countermove: bool,
    /// History of pairs of consecutive moves is added to the order.
    pub continuation: bool,
    /// Use the game's static ordering.
    pub static_order: bool,
    /// Null-move pruning.
    pub null_move: NullMove,
    /// Multi-cut pruning.
    pub multi_cut: Option<MultiCut>,
    /// Late moves are searched one or two plies shallower first.
    pub late_move_reductions: bool,
    /// Moves that stay at every node, by static evaluation of where they lead; 0 for all.
    pub beam: usize,
    /// Follow tactical moves beyond the horizon.
    pub quiescence: bool,
    /// Prefer early wins and late losses.
    pub distances: bool,
    /// Threads that share the table.
    pub threads: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            method: Method::FailHard,
            deepening: false,
            aspiration: 0,
            table: 0,
            replacement: Replacement::TwoDeep,
            graft: true,
            etc: 0,
            killers: 0,
            history: History::None,
            best_increment: Increment::Exponential,
            tried_increment: Increment::Exponential,
            shared_history: false,
            optimistic: false,
            countermove: false,
            continuation: false,
            static_order: false,
            null_move: NullMove::Off,
            multi_cut: None,
            late_move_reductions: false,
            beam: 0,
            quiescence: false,
            distances: false,
            threads: 1,
        }
    }
}

const INCREMENTS: ParameterKind = ParameterKind::Choice(&["1", "d", "d2", "d3", "2d"]);

/// The switches as options of an engine, with the defaults of [`Config::default`].
pub const PARAMETERS: &[Parameter] = &[
    parameter(
        "method",
        ParameterKind::Choice(&["minimax", "failhard", "failsoft", "pvs", "mtdf"]),
        "failhard",
        "how values are backed up",
    ),
    parameter(
        "deepening",
        ParameterKind::Switch,
        "off",
        "iterative deepening",
    ),
    parameter(
        "aspiration",
        ParameterKind::Integer(0, 1_000_000),
        "0",
        "half width of the aspiration window in millionths of a win; 0: full window",
    ),
    parameter(
        "table",
        ParameterKind::Bytes(0, 16 << 30),
        "0",
        "size of the transposition table; 0: none",
    ),
    parameter(
        "replace",
        ParameterKind::Choice(&["always", "deep", "twodeep", "buckets"]),
        "twodeep",
        "replacement scheme of the table",
    ),
    parameter(
        "graft",
        ParameterKind::Switch,
        "on",
        "use entries searched deeper than asked for",
    ),
    parameter(
        "etc",
        ParameterKind::Integer(0, 200),
        "0",
        "enhanced transposition cutoffs above this depth; 0: none",
    ),
    parameter(
        "killers",
        ParameterKind::Integer(0, 4),
        "0",
        "killer moves a ply",
    ),
    parameter(
        "history",
        ParameterKind::Choice(&["none", "history", "butterfly", "relative", "gravity"]),
        "none",
        "dynamic move ordering",
    ),
    parameter(
        "best",
        INCREMENTS,
        "2d",
        "history increment of the best move (2d is 2^d)",
    ),
    parameter(
        "tried",
        INCREMENTS,
        "2d",
        "butterfly increment of every move tried",
    ),
    parameter(
        "shared",
        ParameterKind::Switch,
        "off",
        "one history table for both players",
    ),
    parameter(
        "optimistic",
        ParameterKind::Switch,
        "off",
        "relative history takes untried moves for good ones",
    ),
    parameter(
        "countermove",
        ParameterKind::Switch,
        "off",
        "countermove heuristic",
    ),
    parameter(
        "continuation",
        ParameterKind::Switch,
        "off",
        "continuation history",
    ),
    parameter(
        "static",
        ParameterKind::Switch,
        "off",
        "static ordering by the game's knowledge",
    ),
    parameter(
        "null",
        ParameterKind::Choice(&["off", "2", "3", "adaptive"]),
        "off",
        "null move, plies saved",
    ),
    parameter(
        "multicut",
        ParameterKind::Switch,
        "off",
        "multi-cut pruning",
    ),
    parameter(
        "cuts",
        ParameterKind::Integer(1, 20),
        "3",
        "multi-cut: cutoffs needed (C)",
    ),
    parameter(
        "cutmoves",
        ParameterKind::Integer(1, 100),
        "10",
        "multi-cut: moves tried (M)",
    ),
    parameter(
        "cutplies",
        ParameterKind::Integer(1, 10),
        "2",
        "multi-cut: plies saved (R)",
    ),
    parameter("lmr", ParameterKind::Switch, "off", "late-move reductions"),
    parameter(
        "beam",
        ParameterKind::Integer(0, 10_000),
        "0",
        "moves that stay at every node, by where they lead; 0: all",
    ),
    parameter(
        "quiescence",
        ParameterKind::Switch,
        "off",
        "follow tactical moves beyond the horizon",
    ),
    parameter(
        "distances",
        ParameterKind::Switch,
        "off",
        "prefer early wins and late losses",
    ),
    parameter(
        "threads",
        ParameterKind::Integer(1, 256),
        "1",
        "threads that share the table",
    ),
];

const fn parameter(
    key: &'static str,
    kind: ParameterKind,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter {
        key,
        kind,
        default,
        help,
    }
}

fn increment(word: &str) -> Increment {
    match word {
        "1" => Increment::One,
        "d" => Increment::Depth,
        "d2" => Increment::Square,
        "d3" => Increment::Cube,
        _ => Increment::Exponential,
    }
}

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        let number = |key| values.integer(key);
        let null_move = match values.word("null") {
            "2" => NullMove::Fixed(2),
            "3" => NullMove::Fixed(3),
            "adaptive" => NullMove::Adaptive,
            _ => NullMove::Off,
        };
        let multi_cut = values.switch("multicut").then(|| MultiCut {
            cutoffs: number("cuts") as usize,
            moves: number("cutmoves") as usize,
            reduction: number("cutplies") as i32,
        });
        Config {
            method: match values.word("method") {
                "minimax" => Method::Minimax,
                "failhard" => Method::FailHard,
                "pvs" => Method::Pvs,
                "mtdf" => Method::Mtdf,
                _ => Method::FailSoft,
            },
            deepening: values.switch("deepening"),
            aspiration: number("aspiration") as i32,
            table: match values.bytes("table") {
                0 => 0,
                bytes => bytes.max(MIN_BYTES),
            },
            replacement: match values.word("replace") {
                "always" => Replacement::Always,
                "deep" => Replacement::Deep,
                "buckets" => Replacement::Buckets,
                _ => Replacement::TwoDeep,
            },
            graft: values.switch("graft"),
            etc: number("etc") as i32,
            killers: number("killers") as usize,
            history: match values.word("history") {
                "history" => History::History,
                "butterfly" => History::Butterfly,
                "relative" => History::Relative,
                "gravity" => History::Gravity,
                _ => History::None,
            },
            best_increment: increment(values.word("best")),
            tried_increment: increment(values.word("tried")),
            shared_history: values.switch("shared"),
            optimistic: values.switch("optimistic"),
            countermove: values.switch("countermove"),
            continuation: values.switch("continuation"),
            static_order: values.switch("static"),
            null_move,
            multi_cut,
            late_move_reductions: values.switch("lmr"),
            beam: number("beam") as usize,
            quiescence: values.switch("quiescence"),
            distances: values.switch("distances"),
            threads: number("threads") as usize,
        }
    }
}

/// A named setting of the switches.
pub type Preset = crate::Preset<Config>;

/// The engines that are this search under another name.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "pvs",
        "principal variation search with every enhancement but forward pruning",
        PARAMETERS,
        &[
            ("method", "pvs"),
            ("deepening", "on"),
            ("table", "64M"),
            ("replace", "buckets"),
            ("etc", "2"),
            ("killers", "2"),
            ("history", "relative"),
            ("best", "d2"),
            ("continuation", "on"),
            ("static", "on"),
            ("distances", "on"),
        ],
    ),
    Preset::new(
        "mia",
        "the selective search of MIA IV: pvs with null move, multi-cut and quiescence",
        PARAMETERS,
        &[
            ("method", "pvs"),
            ("deepening", "on"),
            ("table", "64M"),
            ("replace", "twodeep"),
            ("etc", "2"),
            ("killers", "2"),
            ("history", "relative"),
            ("best", "d2"),
            ("static", "on"),
            ("null", "adaptive"),
            ("multicut", "on"),
            ("quiescence", "on"),
            ("distances", "on"),
        ],
    ),
    Preset::new(
        "mtdf",
        "MTD(f): null-window searches that close in on the value",
        PARAMETERS,
        &[
            ("method", "mtdf"),
            ("deepening", "on"),
            ("table", "64M"),
            ("replace", "buckets"),
            ("etc", "2"),
            ("killers", "2"),
            ("history", "relative"),
            ("best", "d2"),
            ("continuation", "on"),
            ("static", "on"),
            ("distances", "on"),
        ],
    ),
    Preset::new(
        "alphabeta",
        "plain alpha-beta exactly as printed: fail-hard, moves as generated",
        PARAMETERS,
        &[],
    ),
    Preset::new(
        "minimax",
        "plain minimax: every line, no pruning",
        PARAMETERS,
        &[("method", "minimax")],
    ),
];

/// The preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabeta_preset_is_the_default_configuration() {
        assert_eq!(
            preset("alphabeta").unwrap().configure("").unwrap(),
            Config::default()
        );
    }

    #[test]
    fn every_setting_of_every_preset_is_an_option() {
        for preset in PRESETS {
            assert!(preset.configure("").is_ok());
            assert!(preset.stray_settings().is_empty(), "{}", preset.name);
        }
    }

    #[test]
    fn options_override_presets() {
        let config = preset("pvs")
            .unwrap()
            .configure("table=1K,history=gravity,lmr")
            .unwrap();
        assert_eq!((config.table, config.history), (1024, History::Gravity));
        assert!(config.late_move_reductions && config.deepening);
    }
}
