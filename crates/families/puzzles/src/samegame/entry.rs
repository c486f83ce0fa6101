//! SameGame in the catalog.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_registry::{GameEntry, Listing, OpenResult};
use tabia_search::single_agent::Outlook;

use super::{PARAMETERS, SameGame, Spared, Tabu};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "samegame",
    "SameGame",
    "take away groups of one colour, large ones best",
    open,
)
.rules(
    "A move takes away a group: two or more blocks of one colour that hang together by \
     their sides. Blocks above fall, and where a column is empty those to its right move \
     up. A group of n blocks pays (n-2)^2 points. At the end an empty board brings 1000 \
     points; otherwise the blocks left over of each colour cost what they would pay as one \
     group.",
)
.parameters(PARAMETERS)
.examples(&[
    "samegame",
    "samegame:5x4,colours=3",
    "samegame:20x15,score=product,penalty=off",
]);

fn open(values: &OptionValues) -> OpenResult {
    let game = SameGame::from_values(values)?;
    let listing =
        Listing::new(game).single_agent(|searches| searches.sampling(SPARING, Outlook, sparing));
    let dealt = listing.dealt_unless(values.is_given("seed"), |game, seed| {
        game.random_board(&mut seed.rng())
    });
    Ok(dealt.boards(SameGame::boards).boxed())
}

/// How SameGame is played out.
const SPARING: &[Parameter] = &[
    Parameter {
        key: "spare",
        kind: ParameterKind::Choice(&["frequent", "random", "nothing"]),
        default: "frequent",
        help: "the colour that playouts spare: the most frequent one, a random one, or none",
    },
    Parameter {
        key: "epsilon",
        kind: ParameterKind::Decimal(0, 1_000),
        default: "0",
        help: "the probability of any group instead; Schadd's 0.003, and next to nothing once it \
               was tuned",
    },
];

fn sparing(values: &OptionValues) -> Tabu {
    Tabu {
        spared: match values.word("spare") {
            "random" => Spared::Random,
            "nothing" => Spared::Nothing,
            _ => Spared::MostFrequent,
        },
        epsilon: values.decimal("epsilon"),
    }
}
