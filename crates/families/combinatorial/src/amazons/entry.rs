//! Amazons in the catalog: the fast game, and the combinatorial one where it is impartial.

use std::sync::Arc;

use tabia_cgt::Evaluator;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Combinatorial, Game};
use tabia_registry::{GameEntry, Listing, OpenResult, size_error};
use tabia_search::Engine;
use tabia_search::alphabeta::{self, AlphaBeta, Preset};

use super::combinatorial as rooms;
use super::endgame::{Endgame, EndgameStrategy};
use super::room_tables::{self, Leaves, LookedUp};
use super::rooms::kind::RoomKind;
use super::{Amazons, Evaluation, Judge, SettledByBounds};
use crate::entry::{IMPARTIAL, opened};

const PARAMETERS: &[Parameter] = &[super::PARAMETERS[0], IMPARTIAL];

/// The search of Antiope (Tegos 2002, section 6.2): NegaScout with a table of two million entries,
/// and a beam.
const ANTIOPE: Preset = Preset::new(
    "antiope",
    "the search of Antiope: iterative NegaScout with a table and a beam of 20 moves",
    alphabeta::PARAMETERS,
    &[
        ("method", "pvs"),
        ("deepening", "on"),
        ("table", "32M"),
        ("replace", "buckets"),
        ("beam", "20"),
        ("distances", "on"),
    ],
);

/// The options of Antiope beside those of the search.
const ANTIOPES_OWN: &[Parameter] = &[
    Parameter {
        key: "evaluation",
        kind: ParameterKind::Choice(Evaluation::NAMES),
        default: "territory",
        help: "what positions are judged by",
    },
    Parameter {
        key: "endgame",
        kind: ParameterKind::Choice(&["off", "exact", "sente", "thermo"]),
        default: "exact",
        help: "once all rooms are small: searched on, by search of the sum, by Sentestrat or by \
               Thermostrat",
    },
    Parameter {
        key: "rooms",
        kind: ParameterKind::Integer(1, 30),
        default: "9",
        help: "squares of a contested room that is small; twice as many in others",
    },
    Parameter {
        key: "tables",
        kind: ParameterKind::File,
        default: "",
        help: "folder with tables of rooms, for leaves and endgames",
    },
];

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "amazons",
    "Amazons",
    "queens shoot arrows until one side cannot move",
    open,
)
.rules(
    "A queen moves any distance in a straight or diagonal line over empty squares, and then \
     shoots an arrow that goes the same way from where it stands. The arrow blocks its \
     square for the rest of the game, for queens and arrows alike. Whoever cannot move has \
     lost.",
)
.parameters(PARAMETERS)
.examples(&[
    "amazons",
    "amazons:5x5",
    "amazons:6x4",
    "amazons:4x4,impartial=on",
]);

fn open(values: &OptionValues) -> OpenResult {
    let (width, height) = values.size("size");
    let game = Amazons::new(width, height).map_err(size_error("amazons"))?;
    if values.switch(IMPARTIAL.key) {
        let start = rooms::Amazons.position_text(&game.cells(&game.start()));
        return opened("amazons", values, &start);
    }
    let judge = Leaves::new(Judge::default(), None);
    let listing = Listing::new(game).symmetric().alphabeta(judge.clone());
    let listing = listing.preset(&ANTIOPE, ANTIOPES_OWN, |values, config| {
        let judge = Judge(Evaluation::named(values.word("evaluation")));
        let open = |folder| room_tables::open(folder);
        let tables = values.file("tables").map(open).transpose()?;
        let leaves = Leaves::new(judge, tables.map(Arc::new));
        let search: Box<dyn Engine<Amazons>> = Box::new(AlphaBeta::new(config, leaves));
        let strategy = match values.word("endgame") {
            "exact" => EndgameStrategy::Exact,
            "sente" => EndgameStrategy::Sente,
            "thermo" => EndgameStrategy::Thermo,
            _ => return Ok(search),
        };
        let largest = values.integer("rooms").unsigned_abs() as usize;
        Ok(match values.file("tables") {
            Some(folder) => {
                let worth = LookedUp::new(room_tables::open(folder)?);
                Box::new(Endgame::new(search, strategy, largest, worth))
            }
            None => {
                let worth = Evaluator::new(rooms::Amazons);
                Box::new(Endgame::new(search, strategy, largest, worth))
            }
        })
    });
    let listing = listing.prefer("antiope").own_tables(|_| Box::new(RoomKind));
    // Larger boards are out of reach.
    match width * height <= 36 {
        true => {
            let judge = Judge(Evaluation::Distance);
            Ok(listing
                .solve_with_sight(SettledByBounds, judge, super::SQUARE / 2)
                .boxed())
        }
        false => Ok(listing.boxed()),
    }
}
