//! The switches of the search, as values and as words.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};

/// In which order the moves of a node are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As generated.
    Generated,
    /// By lot, always the same in one position.
    Random,
    /// By the static evaluation of where they lead.
    Static,
    /// By the classes of the game's knowledge.
    Quick,
}

/// In which order the outcomes of a chance node are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeOrder {
    /// As listed.
    Given,
    /// The most likely first.
    Likely,
    /// Those first whose bounds, weighted by their probability, are furthest apart.
    Widest,
}

/// Which successor of an outcome is probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeChoice {
    /// The first as generated.
    First,
    /// The one of the highest class.
    Quick,
    /// The one of the best static evaluation.
    Static,
    /// The best one the table remembers, otherwise the one of the highest class.
    Table,
}

/// How wide the windows are through which outcomes are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// As the other outcomes make them, even beyond all values that exist.
    Nothing,
    /// Within the values that exist, as printed.
    Values,
    /// Within what is already known of the outcome.
    Bounds,
}

/// Which moves are searched at all; which of them are good is told by static evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// Moves at the root, whatever they are worth.
    pub accept: usize,
    /// As many more at the root if they are not worth less than the best by `within`.
    pub more: usize,
    /// A share of the largest payoff.
    pub within: f64,
    /// Moves at all other nodes but the last.
    pub width: usize,
}

/// All switches of the search. [`Config::default`] is plain Expectimax.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Prune at move and at chance nodes.
    pub prune: bool,
    /// Successors of each outcome that are probed before the outcomes are searched: none in Star1,
    /// one in Star2, more in Star2.5.
    pub probes: u32,
    /// Which ones.
    pub pick: ProbeChoice,
    /// Look all outcomes up in the table first (StarETC).
    pub etc: bool,
    /// The width of the estimates of ChanceProbCut in standard deviations; none without it.
    pub probcut: Option<f64>,
    /// Only some moves are searched; none without it.
    pub filter: Option<Filter>,
    /// Outcomes drawn at each chance node; 0 for all of them.
    pub samples: u32,
    /// Chance events count as plies.
    pub count_chance: bool,
    /// How wide the windows of outcomes are.
    pub clamp: Clamp,
    /// Search to depth 1, 2, 3, ... (to odd depths if chance counts) instead of at once.
    pub deepening: bool,
    /// The order of moves.
    pub order: MoveOrder,
    /// Moves that were good elsewhere come earlier among those of one class.
    pub history: bool,
    /// The order of outcomes.
    pub outcomes: OutcomeOrder,
    /// Bytes of the transposition table; 0 for none.
    pub table: u64,
    /// Where lots and samples come from.
    pub seed: u64,
    /// Threads that share the table.
    pub threads: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            prune: false,
            probes: 0,
            pick: ProbeChoice::First,
            etc: false,
            probcut: None,
            filter: None,
            samples: 0,
            count_chance: true,
            clamp: Clamp::Bounds,
            deepening: false,
            order: MoveOrder::Generated,
            history: false,
            outcomes: OutcomeOrder::Given,
            table: 0,
            seed: 0,
            threads: 1,
        }
    }
}

/// The switches as options of an engine, with the defaults of [`Config::default`].
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "prune",
        kind: ParameterKind::Switch,
        default: "off",
        help: "prune moves that cannot change the value",
    },
    Parameter {
        key: "probes",
        kind: ParameterKind::Integer(0, 100),
        default: "0",
        help: "successors of each outcome that are probed first",
    },
    Parameter {
        key: "pick",
        kind: ParameterKind::Choice(&["first", "quick", "static", "table"]),
        default: "first",
        help: "which successors are probed",
    },
    Parameter {
        key: "etc",
        kind: ParameterKind::Switch,
        default: "off",
        help: "look up all outcomes in the table first (StarETC)",
    },
    Parameter {
        key: "probcut",
        kind: ParameterKind::Decimal(0, 100_000),
        default: "0",
        help: "width of ChanceProbCut's estimates in standard deviations; 0: none",
    },
    Parameter {
        key: "width",
        kind: ParameterKind::Integer(0, 1000),
        default: "0",
        help: "moves that are searched below the root, the best by static evaluation; 0: all of \
               them",
    },
    Parameter {
        key: "accept",
        kind: ParameterKind::Integer(1, 1000),
        default: "1",
        help: "moves at the root that are searched in any case, if there is a width",
    },
    Parameter {
        key: "more",
        kind: ParameterKind::Integer(0, 1000),
        default: "7",
        help: "moves at the root that are searched if they are worth nearly as much",
    },
    Parameter {
        key: "within",
        kind: ParameterKind::Decimal(0, 2000),
        default: "0.053",
        help: "how much worse those may be, as a share of the largest payoff",
    },
    Parameter {
        key: "samples",
        kind: ParameterKind::Integer(0, 1_000_000),
        default: "0",
        help: "outcomes drawn at each chance node; 0: all of them",
    },
    Parameter {
        key: "chance",
        kind: ParameterKind::Switch,
        default: "on",
        help: "chance events count as plies",
    },
    Parameter {
        key: "deepening",
        kind: ParameterKind::Switch,
        default: "off",
        help: "iterative deepening",
    },
    Parameter {
        key: "order",
        kind: ParameterKind::Choice(&["generated", "random", "static", "quick"]),
        default: "generated",
        help: "order of moves",
    },
    Parameter {
        key: "history",
        kind: ParameterKind::Switch,
        default: "off",
        help: "moves that were good elsewhere come earlier",
    },
    Parameter {
        key: "outcomes",
        kind: ParameterKind::Choice(&["given", "likely", "widest"]),
        default: "given",
        help: "order of outcomes",
    },
    Parameter {
        key: "table",
        kind: ParameterKind::Bytes(0, 16 << 30),
        default: "0",
        help: "size of the transposition table; 0: none",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed of samples and random choices",
    },
    Parameter {
        key: "threads",
        kind: ParameterKind::Integer(1, 256),
        default: "1",
        help: "threads that share the table",
    },
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        let number = |key| values.integer(key).unsigned_abs();
        Config {
            prune: values.switch("prune"),
            probes: number("probes") as u32,
            pick: match values.word("pick") {
                "first" => ProbeChoice::First,
                "static" => ProbeChoice::Static,
                "table" => ProbeChoice::Table,
                _ => ProbeChoice::Quick,
            },
            etc: values.switch("etc"),
            probcut: Some(values.decimal("probcut")).filter(|&width| width > 0.0),
            filter: Some(Filter {
                accept: number("accept") as usize,
                more: number("more") as usize,
                within: values.decimal("within"),
                width: number("width") as usize,
            })
            .filter(|filter| filter.width > 0),
            samples: number("samples") as u32,
            count_chance: values.switch("chance"),
            clamp: Clamp::Bounds,
            deepening: values.switch("deepening"),
            order: match values.word("order") {
                "generated" => MoveOrder::Generated,
                "random" => MoveOrder::Random,
                "static" => MoveOrder::Static,
                _ => MoveOrder::Quick,
            },
            history: values.switch("history"),
            outcomes: match values.word("outcomes") {
                "likely" => OutcomeOrder::Likely,
                "widest" => OutcomeOrder::Widest,
                _ => OutcomeOrder::Given,
            },
            table: values.bytes("table"),
            seed: number("seed"),
            threads: number("threads") as usize,
        }
    }
}

/// A named setting of the switches.
pub type Preset = crate::Preset<Config>;

/// The engines that are this search under another name.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "star2",
        "Star2 with table look-ups, the strongest full-width search of games with chance",
        PARAMETERS,
        &[
            ("prune", "on"),
            ("probes", "1"),
            ("pick", "table"),
            ("etc", "on"),
            ("deepening", "on"),
            ("order", "quick"),
            ("history", "on"),
            ("outcomes", "widest"),
            ("table", "64M"),
        ],
    ),
    Preset::new(
        "star1",
        "Star1: cutoffs at chance nodes by the bounds of the evaluation",
        PARAMETERS,
        &[
            ("prune", "on"),
            ("deepening", "on"),
            ("order", "quick"),
            ("table", "64M"),
        ],
    ),
    Preset::new(
        "star2.5",
        "Star2 that probes two successors of each outcome",
        PARAMETERS,
        &[
            ("prune", "on"),
            ("probes", "2"),
            ("pick", "table"),
            ("deepening", "on"),
            ("order", "quick"),
            ("table", "64M"),
        ],
    ),
    Preset::new(
        "mcms",
        "Monte Carlo *-Minimax: Star2 on a sample of the outcomes",
        PARAMETERS,
        &[
            ("prune", "on"),
            ("probes", "1"),
            ("pick", "table"),
            ("samples", "5"),
            ("deepening", "on"),
            ("order", "quick"),
            ("table", "64M"),
        ],
    ),
    Preset::new(
        "filtered",
        "forward pruning: a few good moves at the root, the best one after each outcome",
        PARAMETERS,
        &[("width", "1"), ("deepening", "on"), ("table", "64M")],
    ),
    Preset::new(
        "expectimax",
        "plain Expectimax: every line, no pruning",
        PARAMETERS,
        &[],
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
    fn every_setting_of_every_preset_is_an_option() {
        for preset in PRESETS {
            assert!(preset.configure("").is_ok());
            assert!(preset.stray_settings().is_empty(), "{}", preset.name);
        }
    }

    #[test]
    fn the_expectimax_preset_is_the_default_configuration() {
        let config = preset("expectimax").unwrap().configure("").unwrap();
        assert_eq!(config, Config::default());
    }

    #[test]
    fn options_override_presets() {
        let config = preset("star2")
            .unwrap()
            .configure("probes=3,probcut=1.6")
            .unwrap();
        assert_eq!((config.probes, config.probcut), (3, Some(1.6)));
        assert!(config.prune);
    }
}
