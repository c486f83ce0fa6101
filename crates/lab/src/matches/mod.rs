//! Matches: this many games between players, every seating equally often.
//!
//! A match is a [`MatchPlan`]. Its games are numbered; who sits where, the opening and the luck of
//! a game follow from the plan and the number, so any part of a match can be played anywhere and
//! any time. In a *paired* match the games of a round, one for every seating, share opening and
//! luck, and the round is the unit of all statistics: engines that play alike then score exactly
//! the same, and the luck of the draw cancels out (Sheppard 2004; Hauk 2004 pairs dice the same
//! way).

mod allowance;
mod boards;
pub mod opening;
mod runner;
pub mod seating;
mod summary;
pub mod units;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabia_game::{Cancel, Seed};
use tabia_registry::{AnyGame, open};

use crate::LabError;
use crate::player::Entrant;
use crate::referee::Terms;
use crate::statistics::{Counts, Decision, Sprt};
use crate::store::{RunKind, Store, StoredPlayer};

use units::{score_of_player, units};

pub use allowance::{Allowance, Counting, allowances, limits_line, unfairness};
pub use boards::Comparison;
pub use opening::{Opening, OpeningError, deal};
pub use runner::{Fixture, Hall, PlayedGame};
pub use summary::{PlayerSummary, Summary, ratings};

/// Everything that a match follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchPlan {
    /// The spec of the game.
    pub game: String,
    /// Who takes part.
    pub players: Vec<Entrant>,
    /// How many games at most, a multiple of the number of seatings.
    pub games: u64,
    /// Whether the games of a round share opening and luck. In games for one player they always do.
    pub paired: bool,
    /// Where games begin.
    pub opening: Opening,
    /// What was agreed on.
    pub terms: Terms,
    /// A test that ends the match early.
    pub sprt: Option<Sprt>,
    /// Everything random follows from it.
    pub seed: u64,
}

/// The seed of a match or tournament unless one is given: always the same, so that figures repeat.
/// A program that guesses it knows what is dealt, so it is drawn where a program takes part and
/// something is hidden.
pub fn usual_seed(game: &dyn AnyGame, players: &[Entrant]) -> u64 {
    match game.traits().hidden && players.iter().any(Entrant::is_program) {
        true => Seed::drawn().value(),
        false => 1,
    }
}

/// The most games of a match.
pub const MAX_MATCH_GAMES: u64 = 100_000_000;

impl MatchPlan {
    /// Rounds the number of games up to whole sets of seatings, and refuses what cannot be played.
    pub fn balanced(mut self, game: &dyn AnyGame) -> Result<MatchPlan, LabError> {
        let refuse = |reason: String| Err(LabError::BadRequest(reason));
        let seats = game.traits().players;
        let players = self.players.len();
        if players < 2 && seats > 1 {
            return refuse("a match needs at least two players".to_string());
        }
        let Some(seatings) = seating::count(players, seats) else {
            return refuse(format!(
                "there are too many ways to seat {players} players at {seats} seats"
            ));
        };
        if self.games == 0 || self.games > MAX_MATCH_GAMES {
            return refuse(format!("a match has from 1 to {MAX_MATCH_GAMES} games"));
        }
        if self.sprt.is_some() && (players, seats) != (2, 2) {
            return refuse("a sequential test compares two players of a game for two".to_string());
        }
        if self.terms.luck && !(game.luck().is_some() && seats == 2) {
            return refuse(format!(
                "the luck of '{}' cannot be told: that takes chance events and an evaluation",
                self.game
            ));
        }
        // Scores can only be compared where the boards are the same.
        self.paired |= seats == 1;
        self.games = self.games.div_ceil(seatings) * seatings;
        Entrant::tell_apart(&mut self.players);
        Ok(self)
    }

    /// How the match stands after these games, in the order of their numbers.
    pub fn summary<'a>(
        &self,
        seats: usize,
        games: impl Iterator<Item = &'a PlayedGame> + Clone,
    ) -> Summary {
        Summary::new(self, seats, games)
    }

    /// A line about it.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.players.iter().map(|p| p.name.as_str()).collect();
        format!("{}: {}", self.game, names.join(" - "))
    }

    /// The games of a unit: of a round if they are paired, else one.
    pub fn games_in_a_unit(&self, seats: usize) -> u64 {
        match seating::count(self.players.len(), seats) {
            Some(seatings) if self.paired => seatings,
            _ => 1,
        }
    }

    fn fixture(&self, number: u64, seatings: &[Vec<usize>]) -> Fixture {
        let sets = seatings.len() as u64;
        let round = if self.paired { number / sets } else { number };
        Fixture {
            number,
            round,
            // A line of a file is played in all seatings, also where games are not paired; else a
            // line could always fall to the same seating.
            opening: match self.opening {
                Opening::File(_) => number / sets,
                _ => round,
            },
            seats: seatings[(number % sets) as usize].clone(),
        }
    }

    fn hall<'a>(&'a self, game: &'a dyn AnyGame) -> Hall<'a> {
        Hall {
            game,
            spec: &self.game,
            entrants: &self.players,
            terms: &self.terms,
            opening: &self.opening,
            seed: Seed::new(self.seed),
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> Result<Value, LabError> {
        serde_json::to_value(self).map_err(|e| LabError::BadRequest(e.to_string()))
    }
}

/// A match that can be played, with the games there are.
pub struct Match<'a> {
    plan: MatchPlan,
    game: Box<dyn AnyGame>,
    seatings: Vec<Vec<usize>>,
    ledger: Ledger<'a>,
}

/// The games there are, and what the sequential test says of them.
struct Ledger<'a> {
    games: BTreeMap<u64, PlayedGame>,
    store: Option<(&'a mut Store, i64)>,
    sprt: Option<Sprt>,
    games_in_a_unit: u64,
    /// The scores of the first player in the units that were judged. Units are judged in their
    /// order, so that the end of a match does not depend on which game was finished first.
    counts: Counts,
    judged: u64,
    /// The number of games after which the test has decided.
    decided: Option<u64>,
}

impl<'a> Match<'a> {
    /// A match that is kept in memory alone.
    pub fn new(plan: MatchPlan) -> Result<Match<'a>, LabError> {
        let game = open(&plan.game)?;
        Match::with_game(plan, game)
    }

    /// The same with a game that need not be in the catalog.
    pub fn with_game(plan: MatchPlan, game: Box<dyn AnyGame>) -> Result<Match<'a>, LabError> {
        let plan = plan.balanced(&*game)?;
        let seatings = seating::seatings(plan.players.len(), game.traits().players);
        Ok(Match {
            ledger: Ledger {
                games: BTreeMap::new(),
                store: None,
                sprt: plan.sprt,
                games_in_a_unit: plan.games_in_a_unit(game.traits().players),
                counts: if plan.paired {
                    Counts::pairs()
                } else {
                    Counts::games()
                },
                judged: 0,
                decided: None,
            },
            seatings,
            plan,
            game,
        })
    }

    /// The plan, with the number of games rounded up.
    pub fn plan(&self) -> &MatchPlan {
        &self.plan
    }

    /// The game.
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// Keeps the games in a store; with `resume`, goes on with the newest run of the same plan.
    pub fn stored(mut self, store: &'a mut Store, resume: bool) -> Result<Match<'a>, LabError> {
        let plan = self.plan.to_json()?;
        let title = self.plan.title();
        let run = store.enter(RunKind::Match, &title, &plan, resume, || self.check())?;
        for game in store.games(run)? {
            self.ledger.enter(game);
        }
        self.ledger.store = Some((store, run));
        Ok(self)
    }

    /// Opens everybody once, so that a wrong spec is told before anything is played.
    pub fn check(&self) -> Result<Vec<StoredPlayer>, LabError> {
        self.plan.hall(&*self.game).check()
    }

    /// The games there are, by number.
    pub fn games(&self) -> impl Iterator<Item = &PlayedGame> {
        self.ledger.games.values()
    }

    /// Whether all games are played or the test has decided.
    pub fn is_finished(&self) -> bool {
        self.ledger.is_finished(&self.plan)
    }

    /// How it stands.
    pub fn summary(&self) -> Summary {
        let seats = self.game.traits().players;
        Summary::new(&self.plan, seats, self.ledger.games.values())
    }

    /// Plays what is missing. `each` is called after every game and can ask how the match stands;
    /// false if `cancel` stopped it.
    pub fn play(
        &mut self,
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(&dyn Fn() -> Summary),
    ) -> Result<bool, LabError> {
        // A long match is not laid out in full.
        const AT_ONCE: usize = 10_000;
        let Match {
            plan,
            game,
            seatings,
            ledger,
        } = self;
        if !ledger.is_finished(plan)
            && let Some((store, run)) = &mut ledger.store
        {
            store.sit(*run, threads)?;
        }
        let hall = plan.hall(&**game);
        let seats = game.traits().players;
        let mut next = 0;
        while next < plan.games && !ledger.is_finished(plan) {
            let mut fixtures = Vec::new();
            while next < plan.games && fixtures.len() < AT_ONCE {
                if !ledger.games.contains_key(&next) {
                    fixtures.push(plan.fixture(next, seatings));
                }
                next += 1;
            }
            let done = hall.play(&fixtures, threads, cancel, &mut |played| {
                ledger.add(played)?;
                each(&|| Summary::new(plan, seats, ledger.games.values()));
                Ok(match ledger.decided {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                })
            });
            // It may have been stopped when there was nothing left to play.
            if !done? && !ledger.is_finished(plan) {
                return Ok(false);
            }
        }
        ledger.close()?;
        Ok(true)
    }
}

impl Ledger<'_> {
    fn is_finished(&self, plan: &MatchPlan) -> bool {
        self.decided.is_some() || self.games.len() as u64 >= plan.games
    }

    fn add(&mut self, played: PlayedGame) -> Result<(), LabError> {
        if let Some((store, run)) = &mut self.store {
            store.add(*run, &played)?;
        }
        self.enter(played);
        Ok(())
    }

    fn enter(&mut self, played: PlayedGame) {
        self.games.insert(played.number, played);
        let Some(sprt) = self.sprt else { return };
        while self.decided.is_none() {
            let first = self.judged * self.games_in_a_unit;
            let after = first + self.games_in_a_unit;
            let games = self.games.range(first..after).map(|(_, game)| game);
            let unit = units(self.games_in_a_unit, games, |game| score_of_player(game, 0)).pop();
            let Some(unit) = unit.filter(|unit| unit.full) else {
                return;
            };
            // Wins, draws and losses of two players have no other scores.
            let _ = self.counts.add(unit.score);
            self.judged += 1;
            if sprt.state(&self.counts).decision != Decision::Continue {
                self.decided = Some(after);
            }
        }
    }

    /// Drops what was played after the decision, and marks the run as finished.
    fn close(&mut self) -> Result<(), LabError> {
        if let Some(number) = self.decided {
            self.games.retain(|&n, _| n < number);
        }
        if let Some((store, run)) = &mut self.store {
            if let Some(number) = self.decided {
                store.remove_from(*run, number)?;
            }
            store.finish(*run)?;
        }
        Ok(())
    }
}
