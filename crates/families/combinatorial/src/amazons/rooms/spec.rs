//! Tables of rooms by name: `rooms:4x5`, `territory:4x5,queens=2`, `active:4x4,values=canonical`.

use std::fmt;

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind, split_spec};

use crate::amazons::rooms::frame::{Frame, MAX_SQUARES};
use crate::amazons::rooms::territory::MAX_QUEENS;

/// The game that the tables belong to.
pub const GAME: &str = "amazons";

/// What is kept of active areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaValue {
    /// The scores for either player to begin.
    Minimax,
    /// Canonical forms.
    Canonical,
    /// Thermographs.
    Thermograph,
}

const WORDS: &[&str] = &["minimax", "canonical", "thermograph"];

impl AreaValue {
    /// `minimax`, `canonical` or `thermograph`.
    pub fn word(self) -> &'static str {
        WORDS[self as usize]
    }
}

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// All rooms, and which of them are alike.
    Rooms,
    /// Defective territories with 1 to this many queens.
    Territory(usize),
    /// Active areas with a queen of each colour, in rooms of up to this many squares.
    Active(AreaValue, usize),
}

/// A table of rooms.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The rectangle that the rooms fit into.
    pub frame: Frame,
    /// What it holds of them.
    pub holds: Holds,
}

const SIZE: Parameter = Parameter {
    key: "box",
    kind: ParameterKind::Size(1, MAX_SQUARES),
    default: "4x4",
    help: "the rectangle that rooms fit into, 24 squares at most",
};
const QUEENS: Parameter = Parameter {
    key: "queens",
    kind: ParameterKind::Integer(1, MAX_QUEENS as i64),
    default: "4",
    help: "maximum queens of a territory",
};
const VALUES: Parameter = Parameter {
    key: "values",
    kind: ParameterKind::Choice(WORDS),
    default: "minimax",
    help: "what is kept of active areas",
};
const ROOM_SIZE: Parameter = Parameter {
    key: "size",
    kind: ParameterKind::Integer(2, MAX_SQUARES as i64),
    default: "24",
    help: "maximum squares of a room with an active area",
};

impl Spec {
    /// Reads a name with its options.
    pub fn parse(text: &str) -> Result<Spec, OptionError> {
        let (name, options) = split_spec(text.trim());
        let parameters: &[Parameter] = match name {
            "rooms" => &[SIZE],
            "territory" => &[SIZE, QUEENS],
            "active" => &[SIZE, VALUES, ROOM_SIZE],
            _ => {
                return Err(OptionError::new(format!(
                    "there are no tables '{name}' of amazons; there are rooms, territory and \
                     active, such as 'amazons/territory:4x5,queens=2'"
                )));
            }
        };
        let values = OptionValues::parse(name, options, parameters)?;
        let (a, b) = values.size(SIZE.key);
        let frame = Frame::new(a, b).map_err(|error| OptionError::new(error.to_string()))?;
        let number = |key| values.integer(key) as usize;
        let holds = match name {
            "rooms" => Holds::Rooms,
            "territory" => Holds::Territory(number(QUEENS.key)),
            _ => {
                let worth = match values.word(VALUES.key) {
                    "minimax" => AreaValue::Minimax,
                    "canonical" => AreaValue::Canonical,
                    _ => AreaValue::Thermograph,
                };
                Holds::Active(worth, number(ROOM_SIZE.key).min(frame.area()))
            }
        };
        Ok(Spec { frame, holds })
    }

    /// The table of the same rooms that holds something else.
    pub fn holding(&self, holds: Holds) -> Spec {
        Spec {
            frame: self.frame.clone(),
            holds,
        }
    }

    /// The tables that this one relies on.
    pub fn relies_on(&self) -> Option<Spec> {
        match self.holds {
            Holds::Active(..) => Some(self.holding(Holds::Territory(1))),
            _ => None,
        }
    }

    /// Active areas that there are at most, symmetric rooms being counted four times.
    fn positions(&self, largest: usize) -> u64 {
        let area = self.frame.area() as u64;
        let mut sets = 1u64;
        let mut positions = 0;
        for size in 1..=largest as u64 {
            sets = sets * (area + 1 - size) / size;
            positions += sets * (size * (size - 1) / 2);
        }
        positions / 4 + 1
    }

    /// The bytes of memory that it takes to verify the table, about and at most.
    pub fn verification_memory(&self) -> u64 {
        let positions = match self.holds {
            Holds::Active(_, largest) => 100 * self.positions(largest),
            _ => 0,
        };
        self.memory().saturating_add(positions)
    }

    /// The bytes of memory that it takes to build the table, about and at most. How many different
    /// values there are nobody knows before; there is room for one an entry.
    pub fn memory(&self) -> u64 {
        let atlas = crate::amazons::rooms::atlas::Atlas::memory(&self.frame);
        let more = match self.holds {
            Holds::Rooms => (1 << self.frame.area()) * 40,
            Holds::Territory(_) => 64 << 20,
            // Entries, and the bytes of the file while it is written.
            Holds::Active(AreaValue::Minimax, largest) => 4 * self.positions(largest),
            Holds::Active(AreaValue::Canonical, largest) => 700 * self.positions(largest),
            Holds::Active(AreaValue::Thermograph, largest) => 200 * self.positions(largest),
        };
        atlas + more
    }
}

impl fmt::Display for Spec {
    /// With all options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = &self.frame;
        match self.holds {
            Holds::Rooms => write!(f, "rooms:{frame}"),
            Holds::Territory(queens) => write!(f, "territory:{frame},queens={queens}"),
            Holds::Active(worth, largest) => {
                write!(f, "active:{frame},values={},size={largest}", worth.word())
            }
        }
    }
}
