//! A tournament between engines in progress.
//!
//! Games are kept as they are finished, and what has to be played next follows from them. So a
//! tournament that was stopped at any moment goes on as if it had not been.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use tabia_game::{Cancel, Seed};
use tabia_registry::{AnyGame, open};

use super::course::{Scores, follow};
use super::{Tournament, TournamentPlan};
use crate::LabError;
use crate::matches::{Fixture, Hall, PlayedGame};
use crate::store::{RunKind, Store, StoredPlayer};

/// A tournament that can be played, with the games there are.
pub struct Contest<'a> {
    plan: TournamentPlan,
    game: Box<dyn AnyGame>,
    games: BTreeMap<u64, PlayedGame>,
    store: Option<(&'a mut Store, i64)>,
    tournament: Tournament,
}

impl<'a> Contest<'a> {
    /// A tournament that is kept in memory alone.
    pub fn new(plan: TournamentPlan) -> Result<Contest<'a>, LabError> {
        let game = open(&plan.game)?;
        Contest::with_game(plan, game)
    }

    /// The same with a game that need not be in the catalog.
    pub fn with_game(
        plan: TournamentPlan,
        game: Box<dyn AnyGame>,
    ) -> Result<Contest<'a>, LabError> {
        plan.check()?;
        let seats = game.traits().players;
        if seats != 2 {
            return Err(LabError::BadRequest(format!(
                "tournaments are for games of two, and {} has {seats} seats; 'tabia match' plays \
                 it in all seatings",
                plan.game
            )));
        }
        Ok(Contest {
            tournament: plan.empty(),
            plan,
            game,
            games: BTreeMap::new(),
            store: None,
        })
    }

    /// Keeps the games in a store; with `resume`, goes on with the newest run of the same plan.
    pub fn stored(mut self, store: &'a mut Store, resume: bool) -> Result<Contest<'a>, LabError> {
        let plan = self.plan.to_json()?;
        let name = self.plan.name.clone();
        let run = store.enter(RunKind::Tournament, &name, &plan, resume, || self.check())?;
        let games = store.games(run)?.into_iter();
        self.games = games.map(|game| (game.number, game)).collect();
        self.store = Some((store, run));
        Ok(self)
    }

    /// Opens everybody once, so that what is wrong is told before anything is played.
    pub fn check(&self) -> Result<Vec<StoredPlayer>, LabError> {
        hall(&self.plan, &*self.game).check()
    }

    /// What it follows from.
    pub fn plan(&self) -> &TournamentPlan {
        &self.plan
    }

    /// The games there are, by number.
    pub fn games(&self) -> impl Iterator<Item = &PlayedGame> {
        self.games.values()
    }

    /// How it stands after [`Contest::play`].
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Plays what is missing. `each` is told after every game how many are played and how many are
    /// laid out; false if `cancel` stopped it.
    pub fn play(
        &mut self,
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(u64, u64),
    ) -> Result<bool, LabError> {
        let Contest {
            plan,
            game,
            games,
            store,
            ..
        } = self;
        let hall = hall(plan, &**game);
        let largest = game.traits().max_payoff;
        let mut sits = false;
        let mut play = |fixtures: &[Fixture]| -> Result<Scores, LabError> {
            let is_missing = |fixture: &&Fixture| !games.contains_key(&fixture.number);
            let missing: Vec<Fixture> = fixtures.iter().filter(is_missing).cloned().collect();
            let laid_out = fixtures.last().map_or(0, |fixture| fixture.number + 1);
            let planned = plan.planned().max(laid_out);
            if !missing.is_empty() {
                if let Some((store, run)) = store
                    && !std::mem::replace(&mut sits, true)
                {
                    store.sit(*run, threads)?;
                }
                hall.play(&missing, threads, cancel, &mut |played| {
                    if let Some((store, run)) = store {
                        store.add(*run, &played)?;
                    }
                    games.insert(played.number, played);
                    each(games.len() as u64, planned);
                    Ok(ControlFlow::Continue(()))
                })?;
            }
            let score = |fixture: &Fixture| {
                let game = games.get(&fixture.number);
                game.map(|game| plan.score(fixture, game, largest))
                    .transpose()
            };
            fixtures.iter().map(score).collect()
        };
        let (tournament, finished) = follow(plan, &mut play)?;
        self.tournament = tournament;
        if let (Some((store, run)), true) = (&mut self.store, finished) {
            store.finish(*run)?;
        }
        Ok(finished)
    }
}

fn hall<'a>(plan: &'a TournamentPlan, game: &'a dyn AnyGame) -> Hall<'a> {
    Hall {
        game,
        spec: &plan.game,
        entrants: &plan.players,
        terms: &plan.terms,
        opening: &plan.opening,
        seed: Seed::new(plan.seed),
    }
}
