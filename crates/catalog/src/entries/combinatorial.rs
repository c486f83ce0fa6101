//! The entries of the combinatorial games. All but Toads-and-Frogs are one type behind the catalog, so that searches are
//! compiled for them once.

use tabia_game::options::{Kind, OptionError, Parameter, Values};
use tabia_game::{Combinatorial, LastMover};
use tabia_games::combinatorial::Mobility;
use tabia_games::combinatorial::mixed::{self, Mixed};
use tabia_games::combinatorial::toads::{Locks, Toads};

use super::Entry;
use crate::{AnyGame, Listing};

type Opened = Result<Box<dyn AnyGame>, OptionError>;

/// The game `name` from a position, in the form that the options ask for.
pub(super) fn opened(name: &str, values: &Values, start: &str) -> Opened {
    let wrong = |error| OptionError::new(format!("{name}: {error}"));
    let kind = mixed::Kind::named(name).map_err(wrong)?;
    let rules = Mixed::new(kind, values.switch(IMPARTIAL.key));
    let start = rules.parse_position(start).map_err(wrong)?;
    let game = LastMover::new(rules, start);
    let listing = Listing::new(game).alphabeta(Mobility);
    Ok(listing.sums(Mobility).solve_as_sum().boxed())
}

pub(super) const IMPARTIAL: Parameter = Parameter {
    key: "impartial",
    kind: Kind::Switch,
    default: "off",
    help: "either player may make any move of both",
};

const fn size(default: &'static str) -> Parameter {
    Parameter {
        key: "size",
        kind: Kind::Size(1, 26),
        default,
        help: "columns and rows, 128 cells at most",
    }
}

const fn length(default: &'static str, help: &'static str) -> Parameter {
    Parameter {
        key: "n",
        kind: Kind::Integer(1, 60),
        default,
        help,
    }
}

/// A board, cell by cell.
fn rows(values: &Values, cell: impl Fn(usize, usize) -> char) -> String {
    let (width, height) = values.size("size");
    let row = |y| (0..width).map(|x| cell(x, y)).collect::<String>();
    (0..height).map(row).collect::<Vec<_>>().join("|")
}

fn number(values: &Values, key: &str) -> usize {
    usize::try_from(values.integer(key)).unwrap_or_default()
}

const fn entry(
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    examples: &'static [&'static str],
    open: fn(&Values) -> Opened,
) -> Entry {
    Entry {
        name,
        title,
        summary,
        parameters,
        examples,
        pgn: None,
        sgf: None,
        open,
    }
}

pub const CLOBBER: Entry = entry(
    "clobber",
    "Clobber",
    "stones take their neighbours; the last to take wins",
    &[size("5x6"), IMPARTIAL],
    &["clobber", "clobber:10x1", "clobber:4x4,impartial=on"],
    |values| {
        let start = rows(values, |x, y| if (x + y) % 2 == 0 { 'X' } else { 'O' });
        opened("clobber", values, &start)
    },
);

pub const COL: Entry = entry(
    "col",
    "Col",
    "colour cells; neighbours must differ",
    &[size("5x5"), IMPARTIAL],
    &["col"],
    |values| opened("col", values, &rows(values, |_, _| '.')),
);

pub const DOMINEERING: Entry = entry(
    "domineering",
    "Domineering",
    "dominoes upright against dominoes across",
    &[size("8x8"), IMPARTIAL],
    &["domineering", "domineering:5x4,impartial=on"],
    |values| opened("domineering", values, &rows(values, |_, _| '.')),
);

pub const ELEPHANTS: Entry = entry(
    "elephants",
    "Elephants",
    "elephants walk towards each other and stop",
    &[length("4", "elephants of each side"), IMPARTIAL],
    &["elephants"],
    |values| {
        let n = number(values, "n").min(20);
        let start = format!("{}{}", "X..".repeat(n), "..O".repeat(n));
        opened("elephants", values, &start)
    },
);

pub const FISSION: Entry = entry(
    "fission",
    "Fission",
    "a stone splits in two, upright or across",
    &[size("6x6"), IMPARTIAL],
    &["fission"],
    |values| {
        let (width, height) = values.size("size");
        let middle = ((width - 1) / 2, (height - 1) / 2);
        let start = rows(values, |x, y| if (x, y) == middle { 'X' } else { '.' });
        opened("fission", values, &start)
    },
);

pub const HACKENBUSH: Entry = entry(
    "hackenbush",
    "Hackenbush",
    "cut edges; what hangs in the air falls",
    &[length("4", "stalks"), IMPARTIAL],
    &["hackenbush", "hackenbush:2,impartial=on"],
    |values| {
        let stalks = ["BRG", "RBB", "GBR", "RRB"];
        let n = number(values, "n").min(20);
        let start: Vec<&str> = stalks.into_iter().cycle().take(n).collect();
        opened("hackenbush", values, &start.join("+"))
    },
);

pub const KAYLES: Entry = entry(
    "kayles",
    "Kayles",
    "knock down one pin or two neighbours",
    &[length("13", "pins in the row"), IMPARTIAL],
    &["kayles"],
    |values| opened("octal.77", values, &number(values, "n").to_string()),
);

pub const NIM: Entry = entry(
    "nim",
    "Nim",
    "take from one heap as many as you like",
    &[
        length("3", "heaps, of three, five, seven and so on"),
        IMPARTIAL,
    ],
    &["nim", "nim:5"],
    |values| {
        let heaps = (1..=number(values, "n")).map(|heap| (2 * heap + 1).to_string());
        opened("nim", values, &heaps.collect::<Vec<_>>().join(","))
    },
);

pub const NODE_KAYLES: Entry = entry(
    "nodekayles",
    "Node-Kayles",
    "take a vertex of a path and its neighbours",
    &[length("12", "vertices of the path"), IMPARTIAL],
    &["nodekayles"],
    |values| {
        opened(
            "nodekayles",
            values,
            &format!("path:{}", number(values, "n")),
        )
    },
);

pub const NOGO: Entry = entry(
    "nogo",
    "NoGo",
    "stones that must leave every block a liberty",
    &[size("5x5"), IMPARTIAL],
    &["nogo", "nogo:7x1"],
    |values| opened("nogo", values, &rows(values, |_, _| '.')),
);

pub const PIN_KAYLES: Entry = entry(
    "pinkayles",
    "Pin-Kayles",
    "take one vertex of a path or two neighbours",
    &[length("12", "vertices of the path"), IMPARTIAL],
    &["pinkayles"],
    |values| {
        opened(
            "pinkayles",
            values,
            &format!("path:{}", number(values, "n")),
        )
    },
);

pub const SNORT: Entry = entry(
    "snort",
    "Snort",
    "colour cells; neighbours must agree",
    &[size("5x5"), IMPARTIAL],
    &["snort"],
    |values| opened("snort", values, &rows(values, |_, _| '.')),
);

/// The tournament of 2013 began here (Wieczorek et al. 2013).
const TOURNAMENT: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

const TOADS_AND_FROGS: &[Parameter] = &[
    Parameter {
        key: "toads",
        kind: Kind::Integer(0, 40),
        default: "0",
        help: "toads on the left; none of either for the start of the tournament of 2013",
    },
    Parameter {
        key: "gap",
        kind: Kind::Integer(1, 40),
        default: "2",
        help: "empty cells between them",
    },
    Parameter {
        key: "frogs",
        kind: Kind::Integer(0, 40),
        default: "0",
        help: "frogs on the right",
    },
    IMPARTIAL,
];

pub const TOADS: Entry = entry(
    "toads",
    "Toads-and-Frogs",
    "toads hop right, frogs left, over one another",
    TOADS_AND_FROGS,
    &["toads", "toads:5,2,5"],
    |values| {
        let [toads, gap, frogs] = ["toads", "gap", "frogs"].map(|key| number(values, key));
        let start = match toads + frogs {
            0 => TOURNAMENT.to_string(),
            _ => "T".repeat(toads) + &".".repeat(gap) + &"F".repeat(frogs),
        };
        if values.switch(IMPARTIAL.key) {
            return opened("toads", values, &start);
        }
        let start = Toads
            .parse_position(&start)
            .map_err(|error| OptionError::new(format!("toads: {error}")))?;
        // A type of its own, so that playouts are fast and the evaluation knows the strip.
        let listing = Listing::new(LastMover::new(Toads, start)).alphabeta(Locks);
        let listing = listing.array(Locks).rules(Locks).sums(Locks);
        Ok(listing.solve_as_sum().boxed())
    },
);

pub const TOPPLING_DOMINOES: Entry = entry(
    "toppling_dominoes",
    "Toppling Dominoes",
    "topple a domino and all on one side of it",
    &[
        length("12", "dominoes, alternately of both players"),
        IMPARTIAL,
    ],
    &["toppling_dominoes"],
    |values| {
        let start = "XO".repeat(number(values, "n").div_ceil(2));
        opened("toppling_dominoes", values, &start[..number(values, "n")])
    },
);
