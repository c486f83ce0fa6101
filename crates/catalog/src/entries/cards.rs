//! The entries of Hearts, Spades and Goofspiel.

use std::marker::PhantomData;

use tabia_game::options::{OptionError, Values};
use tabia_game::{Imperfect, Limits, Perfect, Seed};
use tabia_games::goofspiel::{self, Goofspiel};
use tabia_games::tricks::{
    Card, Habits, HeartsRules, Merged, Scoring, SpadesRules, Table, Tricks, hearts, spades,
};
use tabia_search::many::{self, MaxN};
use tabia_search::{Choice, Engine, Situation};

use super::Entry;
use crate::engine::{Built, Maker};
use crate::listing::refuse_beyond_memory;
use crate::{AnyGame, Listing};

/// Max^n of an open game of tricks with cards that come to the same merged.
struct OnMerged<S>(MaxN<Habits>, PhantomData<fn() -> S>);

impl<S: Scoring> Engine<Tricks<S, Perfect>> for OnMerged<S> {
    fn choose(
        &mut self,
        situation: Situation<'_, Tricks<S, Perfect>>,
        limits: &Limits,
    ) -> Choice<Card> {
        let merged = Merged(situation.game.clone());
        let situation = Situation {
            game: &merged,
            state: situation.state,
            path: situation.path,
        };
        self.0.choose(situation, limits)
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

fn open_or_hidden<S: Scoring>(values: &Values, rules: S) -> Result<Box<dyn AnyGame>, OptionError> {
    let table = Table::from(values);
    let wrong = |error| OptionError::new(format!("{}: {error}", S::NAME.to_lowercase()));
    if !values.switch("open") {
        let game = Tricks::<S, Imperfect>::new(table, rules).map_err(wrong)?;
        return Ok(Listing::new(game).unseen(Habits).prefer("pimc").boxed());
    }
    let game = Tricks::<S, Perfect>::new(table, rules).map_err(wrong)?;
    let build = |_: &Tricks<S, Perfect>, values: &Values| -> Built<Tricks<S, Perfect>> {
        let config = many::Config::from(values);
        refuse_beyond_memory(config.table)?;
        Ok(Box::new(OnMerged(MaxN::new(config, Habits), PhantomData)))
    };
    let maker = Maker::new(MERGED.name, MERGED.help, &MERGED.parameters(), build);
    let mut listing = Listing::new(game).many_players(Habits);
    listing.makers.push(maker.limited());
    Ok(listing.prefer(MERGED.name).boxed())
}

pub(super) const GOOFSPIEL: Entry = Entry {
    name: "goofspiel",
    title: "Goofspiel",
    summary: "bid for prizes at the same time, each card once",
    parameters: goofspiel::PARAMETERS,
    examples: &[
        "goofspiel",
        "goofspiel:13,order=random",
        "goofspiel:5,order=ascending,objective=win,ties=carry",
    ],
    pgn: None,
    sgf: None,
    open: |values| {
        let game = Goofspiel::from_values(values);
        let game = game.map_err(|error| OptionError::new(format!("goofspiel: {error}")))?;
        Ok(Listing::new(game).simultaneous().boxed())
    },
};

pub(super) const HEARTS: Entry = Entry {
    name: "hearts",
    title: "Hearts",
    summary: "take tricks without hearts and without the Queen of spades",
    parameters: hearts::PARAMETERS,
    examples: &[
        "hearts",
        "hearts:players=3,cards=7,open=on,moon=off",
        "hearts:lead=club,broken=on,first=on",
        "hearts:players=3,cards=5,seed=7",
    ],
    pgn: None,
    sgf: None,
    open: |values| open_or_hidden(values, HeartsRules::from(values)),
};

pub(super) const SPADES: Entry = Entry {
    name: "spades",
    title: "Spades",
    summary: "bid for tricks, with spades as trump",
    parameters: spades::PARAMETERS,
    examples: &[
        "spades",
        "spades:players=3,cards=8,open=on,count=tricks",
        "spades:players=3,broken=on",
    ],
    pgn: None,
    sgf: None,
    open: |values| open_or_hidden(values, SpadesRules::from(values)),
};
