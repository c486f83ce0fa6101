//! The options of Chinese Checkers: rules that differ from place to place.

use tabia_game::options::{Parameter, ParameterKind};

use super::star::TRIANGLES;

/// The options.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "players",
        kind: ParameterKind::Integer(2, TRIANGLES as i64),
        default: "3",
        help: "number of players: 2, 3, 4 or 6",
    },
    Parameter {
        key: "leave",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether a piece may leave its target triangle",
    },
    Parameter {
        key: "foreign",
        kind: ParameterKind::Choice(&["closed", "through", "open"]),
        default: "closed",
        help: "triangles of others at the sides: closed, passed by jumps, or open",
    },
    Parameter {
        key: "target",
        kind: ParameterKind::Choice(&["filled", "own"]),
        default: "filled",
        help: "won when the target is filled with an own piece in it, or with own pieces alone",
    },
    Parameter {
        key: "moves",
        kind: ParameterKind::Integer(1, 60_000),
        default: "1000",
        help: "moves of all players together until a game is a draw",
    },
];

/// Whether pieces may be in triangles that are neither home nor target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// Not at all.
    Closed,
    /// While they jump.
    Through,
    /// As everywhere else.
    Open,
}

impl Foreign {
    /// The rule with this name, as in [`PARAMETERS`].
    pub fn named(name: &str) -> Foreign {
        match name {
            "through" => Foreign::Through,
            "open" => Foreign::Open,
            _ => Foreign::Closed,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Foreign::Closed => "closed",
            Foreign::Through => "through",
            Foreign::Open => "open",
        }
    }
}

/// What wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The target filled, and one own piece in it at least.
    Filled,
    /// The target filled with own pieces.
    Own,
}

impl Target {
    /// The rule with this name, as in [`PARAMETERS`].
    pub fn named(name: &str) -> Target {
        match name {
            "own" => Target::Own,
            _ => Target::Filled,
        }
    }
}

/// Rules that differ from place to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether a piece may leave its target.
    pub leave: bool,
    /// Whether pieces may be in triangles at the sides.
    pub foreign: Foreign,
    /// What wins.
    pub target: Target,
    /// Moves of all players until a game is a draw.
    pub longest: u16,
}

impl Default for Rules {
    /// The rules of the thesis, and a draw after a thousand moves.
    fn default() -> Rules {
        Rules {
            leave: false,
            foreign: Foreign::Closed,
            target: Target::Filled,
            longest: 1000,
        }
    }
}
