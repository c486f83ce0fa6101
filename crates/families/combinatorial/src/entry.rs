//! What the entries of combinatorial games share: they are one type in the catalog.

use tabia_game::options::{OptionError, OptionValues, Parameter, ParameterKind};
use tabia_game::{Combinatorial, LastMover};
use tabia_registry::{Listing, OpenResult};

use crate::Mobility;
use crate::mixed::{self, Mixed};

/// The game `name` from a position, in the form that the options ask for.
pub(crate) fn opened(name: &str, values: &OptionValues, start: &str) -> OpenResult {
    let wrong = |error| OptionError::new(format!("{name}: {error}"));
    let kind = mixed::GameKind::named(name).map_err(wrong)?;
    let rules = Mixed::new(kind, values.switch(IMPARTIAL.key));
    let start = rules.parse_position(start).map_err(wrong)?;
    let game = LastMover::new(rules, start);
    let listing = Listing::new(game).alphabeta(Mobility);
    Ok(listing.sums(Mobility).solve_as_sum().boxed())
}

pub(crate) const IMPARTIAL: Parameter = Parameter {
    key: "impartial",
    kind: ParameterKind::Switch,
    default: "off",
    help: "either player may make any move of both",
};

pub(crate) const fn size(default: &'static str) -> Parameter {
    Parameter {
        key: "size",
        kind: ParameterKind::Size(1, 26),
        default,
        help: "columns and rows, 128 cells at most",
    }
}

pub(crate) const fn length(default: &'static str, help: &'static str) -> Parameter {
    Parameter {
        key: "n",
        kind: ParameterKind::Integer(1, 60),
        default,
        help,
    }
}

/// A board, cell by cell.
pub(crate) fn rows(values: &OptionValues, cell: impl Fn(usize, usize) -> char) -> String {
    let (width, height) = values.size("size");
    let row = |y| (0..width).map(|x| cell(x, y)).collect::<String>();
    (0..height).map(row).collect::<Vec<_>>().join("|")
}

pub(crate) fn number(values: &OptionValues, key: &str) -> usize {
    usize::try_from(values.integer(key)).unwrap_or_default()
}
