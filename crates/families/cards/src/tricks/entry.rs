//! Hearts and Spades in the catalog.

use std::marker::PhantomData;

use tabia_game::options::{OptionError, OptionValues};
use tabia_game::{Imperfect, Limits, Perfect, Seed};
use tabia_search::many::{self, MaxN};
use tabia_search::{Choice, Engine, Listener, Past, Situation};

use tabia_registry::{Built, GameEntry, Listing, Maker, OpenResult, refuse_beyond_memory};

use super::{
    Card, Habits, HeartsRules, Merged, SpadesRules, TrickRules, TrickSettings, Tricks, hearts,
    spades,
};

/// The entry of the game.
pub const HEARTS: GameEntry = GameEntry::new(
    "hearts",
    "Hearts",
    "take tricks without hearts and without the Queen of spades",
    open_hearts,
)
.rules(
    "Whoever leads plays any card, and the others follow suit if they can; the highest card \
     of the suit led takes the trick and its owner leads the next. Each heart costs a point \
     and the Queen of spades thirteen. Whoever takes all points that were dealt has none, \
     and everybody else has them all, unless the moon is switched off. Nothing is passed. A \
     game pays a player's points with a minus sign.",
)
.parameters(hearts::PARAMETERS)
.secret_options(&["seed"])
.examples(&[
    "hearts",
    "hearts:players=3,cards=7,open=on,moon=off",
    "hearts:lead=club,broken=on,first=on",
    "hearts:players=3,cards=5,seed=7",
]);

fn open_hearts(values: &OptionValues) -> OpenResult {
    open_or_hidden(values, HeartsRules::from(values))
}

/// The entry of the game.
pub const SPADES: GameEntry = GameEntry::new(
    "spades",
    "Spades",
    "bid for tricks, with spades as trump",
    open_spades,
)
.rules(
    "Whoever leads plays any card, and the others follow suit if they can; the highest \
     spade takes the trick, or else the highest card of the suit led, and its owner leads \
     the next. There are no partners, and bids follow a fixed rule. Making the bid scores \
     ten times the bid and one for every trick beyond it; failing loses ten times the bid; \
     ten tricks beyond the bid cost a hundred. With count=tricks a game pays the tricks \
     taken.",
)
.parameters(spades::PARAMETERS)
.secret_options(&["seed"])
.examples(&[
    "spades",
    "spades:players=3,cards=8,open=on,count=tricks",
    "spades:players=3,broken=on",
]);

fn open_spades(values: &OptionValues) -> OpenResult {
    open_or_hidden(values, SpadesRules::from(values))
}

/// Max^n of an open game of tricks with cards that come to the same merged.
struct OnMerged<S>(MaxN<Habits>, PhantomData<fn() -> S>);

impl<S: TrickRules> Engine<Tricks<S, Perfect>> for OnMerged<S> {
    fn choose(
        &mut self,
        situation: Situation<'_, Tricks<S, Perfect>>,
        limits: &Limits,
    ) -> Choice<Card> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, Tricks<S, Perfect>>,
        situation: Situation<'_, Tricks<S, Perfect>>,
        limits: &Limits,
        listener: &mut Listener<'_, Card>,
    ) -> Choice<Card> {
        let merged = Merged(situation.game.clone());
        let situation = Situation {
            game: &merged,
            state: situation.state,
            path: situation.path,
        };
        let past = Past::<Merged<S>> {
            start: past.start,
            moves: past.moves,
        };
        self.0.choose_reporting(past, situation, limits, listener)
    }

    fn new_game(&mut self, luck: Seed) {
        Engine::<Merged<S>>::new_game(&mut self.0, luck);
    }
}

const MERGED: many::Preset = many::Preset::new(
    "merged",
    "max^n with speculative pruning, of cards that come to the same only one",
    many::PARAMETERS,
    &[
        ("ties", "total"),
        ("prune", "speculative"),
        ("deepening", "on"),
        ("table", "64M"),
        ("killers", "2"),
        ("history", "on"),
        ("static", "on"),
    ],
);

fn open_or_hidden<S: TrickRules>(values: &OptionValues, rules: S) -> OpenResult {
    let (table, fixed) = (TrickSettings::from(values), values.is_given("seed"));
    let wrong = |error| OptionError::new(format!("{}: {error}", S::NAME.to_lowercase()));
    if !values.switch("open") {
        let game = Tricks::<S, Imperfect>::new(table, rules).map_err(wrong)?;
        let listing = Listing::new(game).dealt_unless(fixed, Tricks::dealt_from);
        return Ok(listing.unseen(Habits).prefer("pimc").boxed());
    }
    let game = Tricks::<S, Perfect>::new(table, rules).map_err(wrong)?;
    let build = |_: &Tricks<S, Perfect>, values: &OptionValues| -> Built<Tricks<S, Perfect>> {
        let config = many::Config::from(values);
        refuse_beyond_memory(config.table)?;
        Ok(Box::new(OnMerged(MaxN::new(config, Habits), PhantomData)))
    };
    let maker = Maker::new(MERGED.name, MERGED.help, &MERGED.parameters(), build);
    let listing = Listing::new(game)
        .dealt_unless(fixed, Tricks::dealt_from)
        .many_players(Habits)
        .engine(maker.limited());
    Ok(listing.prefer(MERGED.name).boxed())
}
