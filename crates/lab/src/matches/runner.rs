//! Plays fixtures in parallel.
//!
//! Every thread has players of its own, which forget everything between games. A game follows from
//! its fixture, the seed and the terms alone, so results do not depend on the number of threads as
//! long as no clock is involved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_game::{Cancel, Payoff, Seed};
use tabia_registry::{AnyGame, Facet, Session};

use super::opening::Opening;
use crate::LabError;
use crate::player::{Entrant, Fault, OpenError, Participant, ParticipantReply, Request};
use crate::referee::{Beginning, Effort, Ending, GameResult, Referee, Terms};
use crate::store::StoredPlayer;
use crate::tournament::{Points, Scoring};

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the match or tournament.
    pub number: u64,
    /// Games of the same round have the same luck.
    pub round: u64,
    /// Games of the same number here have the same opening.
    pub opening: u64,
    /// The player of every seat.
    pub seats: Vec<usize>,
}

/// A game that was played, with all it takes to play it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the match or tournament.
    pub number: u64,
    /// Games of the same round have the same opening and the same luck.
    pub round: u64,
    /// The player of every seat.
    pub seats: Vec<usize>,
    /// Everything random in it follows from this.
    pub seed: u64,
    /// Where it began, if not at the start.
    pub position: Option<String>,
    /// How many of the moves belong to the opening.
    pub opening: usize,
    /// All moves, the opening and the events of chance included.
    pub moves: Vec<String>,
    /// What it was worth to each seat; nothing if it was forfeited.
    pub payoffs: Option<Vec<Payoff>>,
    /// How it came to its end.
    pub ending: Ending,
    /// The end as a sentence without a full stop.
    pub text: String,
    /// What each seat spent.
    pub efforts: Vec<Effort>,
}

impl PlayedGame {
    fn new(fixture: &Fixture, seed: Seed, beginning: Beginning, outcome: GameResult) -> PlayedGame {
        PlayedGame {
            number: fixture.number,
            round: fixture.round,
            seats: fixture.seats.clone(),
            seed: seed.value(),
            position: beginning.position,
            opening: beginning.moves.len(),
            moves: outcome.moves,
            payoffs: outcome.payoffs,
            ending: outcome.ending,
            text: outcome.text,
            efforts: outcome.efforts,
        }
    }

    /// How it began.
    pub fn beginning(&self) -> Beginning {
        Beginning {
            position: self.position.clone(),
            moves: self.moves[..self.opening.min(self.moves.len())].to_vec(),
        }
    }

    /// What each seat scored; nothing if the game has no result. `largest` is the game's largest
    /// payoff.
    pub fn points(&self, scoring: &Scoring, largest: Payoff) -> Option<Vec<Points>> {
        match (&self.payoffs, self.forfeit()) {
            (Some(payoffs), _) => Some(scoring.points(payoffs)),
            (None, Some(seat)) => Some(scoring.forfeit(self.seats.len(), seat, largest)),
            (None, None) => None,
        }
    }

    /// What each seat scored when a win is one point, shared by those who did best; nothing where
    /// one player plays alone, who has nobody to win against.
    pub fn shares(&self) -> Option<Vec<Points>> {
        // How large payoffs are does not matter then.
        let points = self.points(&Scoring::Shared, 1);
        points.filter(|_| self.seats.len() > 1)
    }

    /// The seat that forfeited it.
    pub fn forfeit(&self) -> Option<usize> {
        match self.ending {
            Ending::Fault { seat, .. } => Some(seat),
            _ => None,
        }
    }
}

/// What all games of a match or tournament have in common.
pub struct Hall<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// Its spec.
    pub spec: &'a str,
    /// Who takes part.
    pub entrants: &'a [Entrant],
    /// What was agreed on.
    pub terms: &'a Terms,
    /// Where games begin.
    pub opening: &'a Opening,
    /// Everything random follows from it.
    pub seed: Seed,
}

/// The players of one thread. A player is opened when it is first needed, and anew after a fault.
struct Players<'a> {
    hall: &'a Hall<'a>,
    /// For each entrant as many as sit in one game.
    idle: Vec<Vec<Box<dyn Participant>>>,
}

/// Somebody who could not be opened: loses every game for this reason.
struct Absent(String);

impl Participant for Absent {
    fn full_spec(&self) -> String {
        self.0.clone()
    }

    fn new_game(&mut self, _: Seed) -> Result<(), Fault> {
        Err(Fault::Crashed(self.0.clone()))
    }

    fn choose(&mut self, _: &dyn Session, _: &Request) -> Result<ParticipantReply, Fault> {
        Err(Fault::Crashed(self.0.clone()))
    }
}

impl<'a> Players<'a> {
    fn new(hall: &'a Hall<'a>) -> Players<'a> {
        Players {
            hall,
            idle: hall.entrants.iter().map(|_| Vec::new()).collect(),
        }
    }

    fn open(&mut self, entrant: usize) -> Box<dyn Participant> {
        let Hall {
            game,
            spec,
            entrants,
            ..
        } = *self.hall;
        self.idle[entrant].pop().unwrap_or_else(|| {
            entrants[entrant]
                .open(game, spec)
                .unwrap_or_else(|error| Box::new(Absent(error.to_string())))
        })
    }

    fn play(
        &mut self,
        fixture: &Fixture,
        beginning: Beginning,
        luck: Seed,
        cancel: &Cancel,
    ) -> Result<Option<PlayedGame>, LabError> {
        let seats = &fixture.seats;
        let mut players: Vec<Box<dyn Participant>> = seats.iter().map(|&e| self.open(e)).collect();
        let mut seated: Vec<&mut dyn Participant> = Vec::with_capacity(players.len());
        for player in &mut players {
            seated.push(&mut **player);
        }
        let referee = Referee {
            game: self.hall.game,
            terms: self.hall.terms,
            round: fixture.round,
            cancel,
        };
        let outcome = referee.play(&mut seated, &beginning, luck)?;
        let forfeit = outcome.as_ref().and_then(GameResult::forfeit);
        for (seat, player) in players.into_iter().enumerate() {
            if forfeit != Some(seat) {
                self.idle[seats[seat]].push(player);
            }
        }
        let played = outcome.map(|outcome| PlayedGame::new(fixture, luck, beginning, outcome));
        played.map(|played| self.hall.with_luck(played)).transpose()
    }
}

impl Hall<'_> {
    /// Draws an opening and opens everybody once, so that what is wrong is told before anything is
    /// played.
    pub fn check(&self) -> Result<Vec<StoredPlayer>, LabError> {
        let beginning = self.opening.draw(self.game, 0, self.seed)?;
        if beginning.moves.len() >= self.terms.plies as usize {
            return Err(LabError::BadRequest(format!(
                "games of {} plies would be over with the opening; allow more, or open with fewer",
                self.terms.plies
            )));
        }
        let open = |entrant: &Entrant| {
            let mut player = entrant.open(self.game, self.spec)?;
            if self.terms.playouts.is_some() && !player.counts_playouts() {
                let reason = "it does not count playouts; limit depth, nodes or time instead";
                return Err(OpenError::Program(reason.to_string()));
            }
            // An engine cannot fail here; a program that does not answer is better told now.
            player
                .new_game(self.seed)
                .map_err(|fault| OpenError::Program(fault.to_string()))?;
            Ok(StoredPlayer {
                entrant: entrant.clone(),
                full_spec: player.full_spec(),
                version: player.version(),
            })
        };
        let check = |entrant: &Entrant| {
            open(entrant).map_err(|reason| LabError::Player {
                name: entrant.name.clone(),
                reason,
            })
        };
        self.entrants.iter().map(check).collect()
    }

    /// Tells the luck of each seat, if that was agreed on. What one of two players gains by it the
    /// other loses.
    fn with_luck(&self, mut played: PlayedGame) -> Result<PlayedGame, LabError> {
        if self.terms.luck {
            let (position, moves) = (played.position.as_deref(), &played.moves);
            let luck = Facet::Luck.require(self.game.luck())?;
            let luck = luck.luck(position, moves, played.opening)?;
            let signs = [luck, -luck];
            for (effort, luck) in played.efforts.iter_mut().zip(signs) {
                effort.luck = Some(luck);
            }
        }
        Ok(played)
    }

    /// The seed of a round.
    fn luck(&self, round: u64) -> Seed {
        self.seed.split("luck").number(round)
    }

    /// Plays a stored game again.
    pub fn replay(
        &self,
        game: &PlayedGame,
        cancel: &Cancel,
    ) -> Result<Option<PlayedGame>, LabError> {
        let fixture = Fixture {
            number: game.number,
            round: game.round,
            opening: game.round,
            seats: game.seats.clone(),
        };
        let luck = Seed::new(game.seed);
        Players::new(self).play(&fixture, game.beginning(), luck, cancel)
    }

    /// Plays fixtures on this many threads and hands over each game as soon as it is finished, in
    /// any order; `each` may stop the rest. False if `cancel` stopped it.
    pub fn play(
        &self,
        fixtures: &[Fixture],
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(PlayedGame) -> Result<ControlFlow<()>, LabError>,
    ) -> Result<bool, LabError> {
        // Searches look at this flag; Ctrl-C reaches it through the loop below.
        let stop = Cancel::default();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::sync_channel::<Result<PlayedGame, LabError>>(1024);
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, fixtures.len().max(1)) {
                let (sender, stop, next) = (sender.clone(), &stop, &next);
                scope.spawn(move || {
                    let mut players = Players::new(self);
                    while let Some(fixture) = fixtures.get(next.fetch_add(1, Relaxed)) {
                        if stop.is_cancelled() {
                            break;
                        }
                        let beginning = self.opening.draw(self.game, fixture.opening, self.seed);
                        let played = beginning.map_err(LabError::from).and_then(|beginning| {
                            players.play(fixture, beginning, self.luck(fixture.round), stop)
                        });
                        let Some(played) = played.transpose() else {
                            break;
                        };
                        if sender.send(played).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let done = loop {
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    Ok(Ok(played)) => match each(played) {
                        Ok(ControlFlow::Continue(())) => {}
                        Ok(ControlFlow::Break(())) => break Ok(true),
                        Err(error) => break Err(error),
                    },
                    Ok(Err(error)) => break Err(error),
                    Err(RecvTimeoutError::Disconnected) => break Ok(!cancel.is_cancelled()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if cancel.is_cancelled() {
                    stop.cancel();
                }
            };
            stop.cancel();
            // Threads that wait to hand over a game find nobody and leave.
            drop(receiver);
            done
        })
    }
}
