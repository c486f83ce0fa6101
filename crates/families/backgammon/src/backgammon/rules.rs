//! What is played for.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};

/// The longest match.
pub(super) const MAX_LENGTH: u8 = 25;

/// The options of the game.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "match",
        kind: ParameterKind::Integer(0, MAX_LENGTH as i64),
        default: "0",
        help: "points of a match; 0 for a single game",
    },
    Parameter {
        key: "cube",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether the stakes can be doubled, up to 64",
    },
    Parameter {
        key: "jacoby",
        kind: ParameterKind::Switch,
        default: "off",
        help: "whether gammons count only after a double",
    },
    Parameter {
        key: "gammons",
        kind: ParameterKind::Switch,
        default: "on",
        help: "whether gammons count twice and backgammons three times",
    },
];

/// What is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Points of a match; 0 for a single game.
    pub length: u8,
    /// Whether there is a doubling cube.
    pub cube: bool,
    /// Whether gammons and backgammons count only once the cube has been turned.
    pub jacoby: bool,
    /// Whether gammons and backgammons count more than other wins.
    pub gammons: bool,
}

/// A single game without the cube, where gammons count.
impl Default for Rules {
    fn default() -> Rules {
        Rules {
            length: 0,
            cube: false,
            jacoby: false,
            gammons: true,
        }
    }
}

/// Rules that contradict each other, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(&'static str);

impl Rules {
    /// The rules themselves unless they contradict each other.
    pub(super) fn checked(self) -> Result<Rules, RulesError> {
        if self.length > MAX_LENGTH {
            return Err(RulesError("a match has 25 points at most"));
        }
        if self.jacoby && (!self.cube || self.length > 0) {
            return Err(RulesError(
                "the Jacoby rule is for single games with the cube: cube=on and no match",
            ));
        }
        Ok(self)
    }
}

impl From<&OptionValues> for Rules {
    /// The values of [`PARAMETERS`].
    fn from(values: &OptionValues) -> Rules {
        Rules {
            length: u8::try_from(values.integer("match")).unwrap_or(u8::MAX),
            cube: values.switch("cube"),
            jacoby: values.switch("jacoby"),
            gammons: values.switch("gammons"),
        }
    }
}
