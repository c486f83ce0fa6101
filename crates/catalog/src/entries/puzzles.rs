//! The entries of the games for one player.

use tabia_game::options::{Kind, OptionError, Parameter, Values};
use tabia_game::{MoveIndex, OnePlayer, Uniform};
use tabia_games::gaps::{self, Gaps};
use tabia_games::klondike::{self, Klondike};
use tabia_games::morpion::{self, Morpion};
use tabia_games::samegame::{self, SameGame, Spared, Tabu};
use tabia_games::sliding::{self, Sliding};

use tabia_search::alone::Outlook;

use super::Entry;
use crate::{Alone, Listable, Listing};

/// How SameGame is played out.
const SPARING: &[Parameter] = &[
    Parameter {
        key: "spare",
        kind: Kind::Choice(&["frequent", "random", "nothing"]),
        default: "frequent",
        help: "the colour that playouts spare: the most frequent one, a random one, or none",
    },
    Parameter {
        key: "epsilon",
        kind: Kind::Decimal(0, 1_000),
        default: "0",
        help: "the probability of any group instead; Schadd's 0.003, and next to nothing once it was tuned",
    },
];

fn sparing(values: &Values) -> Tabu {
    Tabu {
        spared: match values.word("spare") {
            "random" => Spared::Random,
            "nothing" => Spared::Nothing,
            _ => Spared::MostFrequent,
        },
        epsilon: values.decimal("epsilon"),
    }
}

/// A game about which nothing is known but its rules and what it can pay at most.
fn plain<G: Listable + OnePlayer + MoveIndex>(alone: Alone<G>) -> Alone<G> {
    alone.sampling(&[], Outlook, |_| Uniform)
}

fn number(values: &Values, key: &str) -> usize {
    usize::try_from(values.integer(key)).unwrap_or_default()
}

fn seed(values: &Values) -> u64 {
    values.integer("seed").unsigned_abs()
}

pub(super) const GAPS: Entry = Entry {
    name: "gaps",
    title: "Gaps",
    summary: "bring rows of cards in order through their gaps",
    parameters: gaps::PARAMETERS,
    examples: &[
        "gaps",
        "gaps:common",
        "gaps:ranks=4,seed=3",
        "gaps:common,ranks=5,suits=3",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let variant = gaps::Variant::named(values.word("variant")).unwrap_or(gaps::Variant::Basic);
        let game = Gaps::new(
            variant,
            number(values, "ranks"),
            number(values, "suits"),
            seed(values),
        );
        let game = game.map_err(|error| OptionError::new(format!("gaps: {error}")))?;
        let cyclic = variant == gaps::Variant::Common;
        let listing = Listing::new(game).alone(|alone| plain(alone).incremental(cyclic));
        Ok(listing.boxed())
    },
};

pub(super) const KLONDIKE: Entry = Entry {
    name: "klondike",
    title: "Klondike",
    summary: "the patience everybody knows, with all cards in sight",
    parameters: klondike::PARAMETERS,
    examples: &[
        "klondike",
        "klondike:1,back=on",
        "klondike:ranks=3,piles=3,passes=2",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let small = |key| u8::try_from(values.integer(key)).unwrap_or_default();
        let rules = klondike::Rules {
            draw: small("draw"),
            passes: small("passes"),
            back: values.switch("back"),
            ranks: small("ranks"),
            piles: small("piles"),
        };
        let game = Klondike::new(rules, seed(values));
        let game = game.map_err(|error| OptionError::new(format!("klondike: {error}")))?;
        Ok(Listing::new(game).alone(plain).boxed())
    },
};

pub(super) const MORPION: Entry = Entry {
    name: "morpion",
    title: "Morpion Solitaire",
    summary: "draw as many lines of dots as you can",
    parameters: morpion::PARAMETERS,
    examples: &["morpion", "morpion:5D", "morpion:4T", "morpion:4D"],
    pgn: None,
    sgf: None,
    open: |values| {
        let listing = Listing::new(Morpion::from_values(values)?);
        Ok(listing
            .alone(|alone| plain(alone).incremental(false))
            .boxed())
    },
};

pub(super) const SAMEGAME: Entry = Entry {
    name: "samegame",
    title: "SameGame",
    summary: "take away groups of one colour, large ones best",
    parameters: samegame::PARAMETERS,
    examples: &[
        "samegame",
        "samegame:5x4,colours=3",
        "samegame:20x15,score=product,penalty=off",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let game = SameGame::from_values(values)?;
        let listing = Listing::new(game).alone(|alone| alone.sampling(SPARING, Outlook, sparing));
        Ok(listing.boards(SameGame::boards).boxed())
    },
};

pub(super) const SLIDING: Entry = Entry {
    name: "sliding",
    title: "Sliding tiles",
    summary: "bring the tiles in order in few moves",
    parameters: sliding::PARAMETERS,
    examples: &["sliding", "sliding:3x3", "sliding:5x2,blank=first"],
    pgn: None,
    sgf: None,
    open: |values| {
        let (width, height) = values.size("size");
        let blank = sliding::Blank::named(values.word("blank")).unwrap_or(sliding::Blank::Last);
        let game = Sliding::new(width, height, blank, seed(values));
        let game = game.map_err(|error| OptionError::new(format!("sliding: {error}")))?;
        // Databases depend on the board alone, not on where a game starts.
        let spec = format!("sliding:{width}x{height},blank={}", values.word("blank"));
        let listing =
            Listing::new(game).alone(|alone| plain(alone).incremental(true).patterns(spec));
        Ok(listing.symmetric().boxed())
    },
};
