//! Chinese Checkers in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult, integer, size_error};

use super::tables;
use super::{ChineseCheckers, Foreign, PARAMETERS, Rules, Target};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "chinese_checkers",
    "Chinese Checkers",
    "be the first to fill the opposite triangle of the star",
    open,
)
.rules(
    "Six pieces of each player stand in a point of the star. A piece steps to an empty cell \
     beside it, or jumps over single pieces beside it, as often in one turn as it likes; \
     nothing is captured. Whoever's opposite point is filled first, with one own piece in \
     it at least, wins. Pieces do not leave it again and stay out of the points at the \
     sides, unless options say otherwise. After a fixed number of moves the game is a draw.",
)
.aliases(&["chinese"])
.parameters(PARAMETERS)
.examples(&[
    "chinese_checkers",
    "chinese_checkers:2",
    "chinese_checkers:4",
    "chinese_checkers:6",
    "chinese_checkers:3,leave=on,foreign=open,target=own,moves=200",
]);

fn open(values: &OptionValues) -> OpenResult {
    let rules = Rules {
        leave: values.switch("leave"),
        foreign: Foreign::named(values.word("foreign")),
        target: Target::named(values.word("target")),
        longest: integer(values, "moves"),
    };
    let game = ChineseCheckers::new(integer(values, "players"), rules);
    let game = game.map_err(size_error("chinese_checkers"))?;
    let know = move |values: &OptionValues| tables::race(rules, values);
    let listing = Listing::new(game)
        .symmetric()
        .many_players_with(tables::PARAMETERS, know)
        .best_reply_with(ChineseCheckers::hand_turn, tables::PARAMETERS, know);
    Ok(listing
        .own_tables(|game| Box::new(tables::of(game)))
        .boxed())
}
