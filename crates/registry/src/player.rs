//! Players as a referee sees them: engines of the catalog, and programs outside.
//!
//! A player is asked for one move at a time and answers with a text. Whatever goes wrong with it is
//! a [`Fault`]. A program that plays one game only, in a protocol of its own, is a [`Peer`] of that
//! game's [`GameEntry`](crate::GameEntry).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_game::options::{OptionValues, Parameter};
use tabia_game::{Limits, Seed};

use crate::{AnyEngine, CatalogError, Session};

/// Somebody who can be asked for moves.
pub trait Participant: Send {
    /// Begins a game: earlier ones are forgotten, and what is random follows from `luck`.
    fn new_game(&mut self, luck: Seed) -> Result<(), Fault>;

    /// The engine spelled out with all options, or the command line.
    fn full_spec(&self) -> String;

    /// Whether a seed is safe with it from which follows what is hidden: so it is with an engine of
    /// the catalog, which draws from it and does nothing else. A program could derive the deal.
    fn keeps_secrets(&self) -> bool {
        false
    }

    /// What a program says of its name and version, once it runs.
    fn version(&self) -> Option<String> {
        None
    }

    /// The limits it keeps when these are asked for; its own may be tighter.
    fn limits(&self, asked: &Limits) -> Limits {
        asked.clone()
    }

    /// Whether a limit on playouts means something to it; a program is told of the limit.
    fn counts_playouts(&self) -> bool {
        true
    }

    /// Chooses a move.
    fn choose(
        &mut self,
        session: &dyn Session,
        request: &Request,
    ) -> Result<ParticipantReply, Fault>;
}

/// What a player may spend on a move.
#[derive(Clone, Debug)]
pub struct Request {
    /// For this move.
    pub limits: Limits,
    /// For the rest of the game, this move included.
    pub clock: Option<Remaining>,
    /// After this time a player that has not answered is given up.
    pub patience: Duration,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Time left for the rest of the game.
    pub time: Duration,
    /// Added after every move.
    pub increment: Duration,
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticipantReply {
    /// The move, in the notation of the game.
    pub mv: String,
    /// Nodes visited, where the player tells.
    pub nodes: Option<u64>,
    /// What it expects, from -1 (a loss) to 1 (a win), where it tells.
    pub value: Option<f64>,
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", content = "detail", rename_all = "lowercase")]
pub enum Fault {
    /// A text that is no legal move.
    #[error("played '{0}', which is not a legal move")]
    Illegal(String),
    /// Too slow.
    #[error("overstepped the time: {0}")]
    Time(String),
    /// More nodes than allowed, by its own account.
    #[error("visited too many nodes: {0}")]
    Nodes(String),
    /// No move at all.
    #[error("gave no move")]
    NoMove,
    /// It did not answer at all and was given up.
    #[error("did not answer: {0}")]
    Hung(String),
    /// It came to an end, or could not begin.
    #[error("crashed: {0}")]
    Crashed(String),
    /// It answered with something that is not part of the protocol.
    #[error("answered with something else than a move: {0}")]
    Garbage(String),
    /// It said itself that it cannot go on.
    #[error("gave up: {0}")]
    Refused(String),
}

/// A program that plays one game only, in a protocol of its own.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its name in the specs of players.
    pub name: &'static str,
    /// Its name in the literature.
    pub title: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
    /// Starts it for a game with these options: its own, then those of the game. An error says why
    /// it cannot play.
    pub open: OpenPlayer,
}

/// Starts a program with its own options and those of the game.
pub type OpenPlayer = fn(&OptionValues, &OptionValues) -> Result<Box<dyn Participant>, String>;

/// Why a player cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The catalog has no such engine.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A program that cannot be asked.
    #[error("{0}")]
    Program(String),
}

/// The time an engine takes for a move when it has a clock: so much of what is left, and most of
/// the increment.
const SHARE_OF_CLOCK: u32 = 25;

impl Remaining {
    fn allotment(self) -> Duration {
        (self.time / SHARE_OF_CLOCK + self.increment * 3 / 4).min(self.time)
    }
}

impl Participant for AnyEngine {
    fn new_game(&mut self, luck: Seed) -> Result<(), Fault> {
        // The clock of a game is not running yet.
        self.prepare();
        AnyEngine::new_game(self, luck);
        Ok(())
    }

    fn full_spec(&self) -> String {
        self.spec().to_string()
    }

    fn keeps_secrets(&self) -> bool {
        true
    }

    fn limits(&self, asked: &Limits) -> Limits {
        AnyEngine::limits(self, asked)
    }

    fn counts_playouts(&self) -> bool {
        AnyEngine::counts_playouts(self)
    }

    fn choose(
        &mut self,
        session: &dyn Session,
        request: &Request,
    ) -> Result<ParticipantReply, Fault> {
        let mut limits = request.limits.clone();
        if let Some(clock) = request.clock {
            let allotted = clock.allotment();
            limits.time = Some(limits.time.map_or(allotted, |time| time.min(allotted)));
        }
        let answer = session.ask(self, &limits).map_err(|error| match error {
            CatalogError::IllegalAnswer { answer, .. } => Fault::Illegal(answer),
            other => Fault::Refused(other.to_string()),
        })?;
        Ok(ParticipantReply {
            mv: answer.best.ok_or(Fault::NoMove)?,
            nodes: Some(answer.nodes),
            value: answer.value,
        })
    }
}
