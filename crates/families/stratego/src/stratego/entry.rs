//! Stratego in the catalog.

use tabia_game::options::OptionValues;
use tabia_registry::{GameEntry, Listing, OpenResult};
use tabia_search::chance::Regression;

use super::{Armies, PARAMETERS, Setup, Stratego};

/// The entry of the game.
pub const ENTRY: GameEntry = GameEntry::new(
    "stratego",
    "Stratego",
    "find and take the hidden Flag",
    open,
)
.rules(
    "Two armies of forty pieces do not see each other's ranks. A piece steps to a square \
     beside it, a Scout goes as far as it likes; Bombs and the Flag stay. Entering an \
     enemy's square is an attack: both ranks are told, and the lower one is taken, or both \
     if they are equal. A Miner takes a Bomb, and the Spy takes the Marshal it attacks. \
     Taking the Flag wins, and so does leaving the enemy without a move. Going to and fro \
     between two squares more than three times, and chasing the same piece around without \
     end, are forbidden; a long game without an attack is a draw.",
)
.parameters(PARAMETERS)
.secret_options(&["seed"])
.examples(&[
    "stratego",
    "stratego:figure",
    "stratego:setup=random,seed=7,limit=100",
]);

fn open(values: &OptionValues) -> OpenResult {
    let seed = values.integer("seed").unsigned_abs();
    let limit = u32::try_from(values.integer("limit")).unwrap_or(u32::MAX);
    let setup = Setup::named(values.word("setup"), seed);
    let fixed = values.is_given("seed") || !matches!(setup, Setup::Random(_));
    let listing = Listing::new(Stratego::new(setup, limit)).regressions(REGRESSIONS);
    let dealt = listing.dealt_unless(fixed, |game, seed| game.set_up(Setup::Random(seed.value())));
    Ok(dealt.star_minimax_on_belief(Armies).boxed())
}

/// The lines that ChanceProbCut uses (Schadd 2011, section 5.3), as
/// `tabia reproduce chanceprobcut fit --scale full` found them: What a player sees of Stratego,
/// chance events not counted as plies.
pub const REGRESSIONS: &[Regression] = &[
    Regression {
        depth: 4,
        reduction: 2,
        slope: 1.0954,
        intercept: -6_839.0,
        deviation: 69_343.0,
    },
    Regression {
        depth: 5,
        reduction: 2,
        slope: 1.1135,
        intercept: 4_051.0,
        deviation: 86_075.0,
    },
];
