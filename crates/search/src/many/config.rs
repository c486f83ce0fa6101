//! The switches of max^n, as values and as words.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};

use super::ties::Ties;

/// What is not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prune {
    /// Everything is searched.
    Nothing,
    /// The moves behind one that gives a player all they can get.
    Immediate,
    /// Also by the bounds of two players who move one after the other (Korf 1991).
    Shallow,
    /// Also by the bounds of up to n players in a row, where those between the first and the last
    /// are at their last move (last-branch pruning; Sturtevant 2003).
    LastBranch,
    /// Also where they are not; what turns out to matter after all is searched again (speculative
    /// pruning; Sturtevant 2003).
    Speculative,
    /// By the latest bounds of all players, wherever on the path, and never again: fast, and not
    /// always right (approximate deep pruning; Sturtevant 2004, section 5.4).
    Deep,
}

/// What opponents are taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Everybody does what is best for themselves.
    Exact,
    /// An opponent does what is worst for the root with this probability, and what is best for
    /// themselves otherwise (prob-max^n with these two models; Sturtevant, Zinkevich and Bowling
    /// 2006).
    Prob(f64),
    /// Nobody knows how an opponent breaks ties: nodes have sets of values (soft-max^n; Sturtevant
    /// and Bowling 2006).
    Soft,
}

/// All switches of the search. [`Config::default`] is plain max^n.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The tie rule.
    pub ties: Ties,
    /// What is not searched.
    pub prune: Prune,
    /// Estimates and payoffs count by how far they are ahead of the others'.
    pub ahead: bool,
    /// What opponents are taken for.
    pub model: Model,
    /// Search to depth 1, 2, 3, ... instead of at once.
    pub deepening: bool,
    /// Bytes of the transposition table; 0 for none.
    pub table: u64,
    /// Killer moves of a ply, at most 4.
    pub killers: usize,
    /// Moves that were good elsewhere come earlier; everybody has a table of their own.
    pub history: bool,
    /// Moves come by the classes of the game's knowledge.
    pub static_order: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            ties: Ties::First,
            prune: Prune::Nothing,
            ahead: false,
            model: Model::Exact,
            deepening: false,
            table: 0,
            killers: 0,
            history: false,
            static_order: false,
        }
    }
}

/// The switches as options of an engine, with the defaults of [`Config::default`].
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "ties",
        kind: ParameterKind::Choice(&["first", "worst", "total"]),
        default: "first",
        help: "of equally good moves the first, the worst for the root, or the larger vector",
    },
    Parameter {
        key: "prune",
        kind: ParameterKind::Choice(&[
            "none",
            "immediate",
            "shallow",
            "last",
            "speculative",
            "deep",
        ]),
        default: "none",
        help: "pruning method; all but deep find the same value",
    },
    Parameter {
        key: "ahead",
        kind: ParameterKind::Switch,
        default: "off",
        help: "players maximise their lead over the mean of the others",
    },
    Parameter {
        key: "model",
        kind: ParameterKind::Choice(&["exact", "prob", "soft"]),
        default: "exact",
        help: "opponents: best for themselves, now and then hostile, or with unknown ties",
    },
    Parameter {
        key: "hostile",
        kind: ParameterKind::Decimal(0, 1000),
        default: "0.25",
        help: "how often opponents are hostile, with model=prob",
    },
    Parameter {
        key: "deepening",
        kind: ParameterKind::Switch,
        default: "off",
        help: "iterative deepening",
    },
    Parameter {
        key: "table",
        kind: ParameterKind::Bytes(0, 16 << 30),
        default: "0",
        help: "size of the transposition table; 0: none",
    },
    Parameter {
        key: "killers",
        kind: ParameterKind::Integer(0, 4),
        default: "0",
        help: "killer moves of a ply",
    },
    Parameter {
        key: "history",
        kind: ParameterKind::Switch,
        default: "off",
        help: "moves that were good elsewhere come earlier",
    },
    Parameter {
        key: "static",
        kind: ParameterKind::Switch,
        default: "off",
        help: "order moves by the game's knowledge",
    },
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        Config {
            ties: match values.word("ties") {
                "worst" => Ties::Worst,
                "total" => Ties::Total,
                _ => Ties::First,
            },
            prune: match values.word("prune") {
                "immediate" => Prune::Immediate,
                "shallow" => Prune::Shallow,
                "last" => Prune::LastBranch,
                "speculative" => Prune::Speculative,
                "deep" => Prune::Deep,
                _ => Prune::Nothing,
            },
            ahead: values.switch("ahead"),
            model: match values.word("model") {
                "prob" => Model::Prob(values.decimal("hostile")),
                "soft" => Model::Soft,
                _ => Model::Exact,
            },
            deepening: values.switch("deepening"),
            table: values.bytes("table"),
            killers: values.integer("killers").unsigned_abs() as usize,
            history: values.switch("history"),
            static_order: values.switch("static"),
        }
    }
}

/// A named setting of the switches.
pub type Preset = crate::Preset<Config>;

/// The engines that are this search under another name.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "maxn",
        "max^n without pruning, ties broken against the root",
        PARAMETERS,
        &[
            ("ties", "worst"),
            ("deepening", "on"),
            ("table", "64M"),
            ("static", "on"),
        ],
    ),
    Preset::new(
        "speculative",
        "max^n with speculative pruning, for games that share out a fixed sum",
        PARAMETERS,
        &[
            ("ties", "total"),
            ("prune", "speculative"),
            ("deepening", "on"),
            ("table", "64M"),
            ("killers", "2"),
            ("history", "on"),
            ("static", "on"),
        ],
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
    fn options_override_presets() {
        let config = preset("maxn").unwrap();
        let config = config
            .configure("prune=last,model=prob,hostile=0.5")
            .unwrap();
        assert_eq!(config.prune, Prune::LastBranch);
        assert_eq!(config.model, Model::Prob(0.5));
        assert_eq!(config.ties, Ties::Worst);
    }
}
