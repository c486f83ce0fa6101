//! Players as the referee sees them: engines of the catalog, or programs outside.
//!
//! A player is asked for one move at a time and answers with a text. Whatever goes wrong with it is
//! a [`Fault`], which loses the game and is told in the record; the match goes on with the player
//! opened anew.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_catalog::{AnyEngine, AnyGame, CatalogError, Session};
use tabia_game::options::split_spec;
use tabia_game::{Limits, Seed};

use crate::external::Program;
use crate::external::gnubg::{self, Gnubg};

/// Somebody who can be asked for moves.
pub trait Player: Send {
    /// Begins a game: earlier ones are forgotten, and what is random follows from `luck`.
    fn new_game(&mut self, luck: Seed) -> Result<(), Fault>;

    /// The engine spelled out with all options, or the command line.
    fn full_spec(&self) -> String;

    /// What a program says of its name and version, once it runs.
    fn version(&self) -> Option<String> {
        None
    }

    /// The limits it keeps when these are asked for; its own may be tighter.
    fn limits(&self, asked: &Limits) -> Limits {
        asked.clone()
    }

    /// Chooses a move.
    fn choose(&mut self, session: &dyn Session, request: &Request) -> Result<Reply, Fault>;
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
pub struct Reply {
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

/// Somebody who takes part: a name for tables, and what to play with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables, different from all others.
    pub name: String,
    /// An engine's spec, `program:` and a command line, or `gnubg` with options.
    pub spec: String,
}

/// The beginning of a spec that names a program.
const PROGRAM: &str = "program:";

impl Entrant {
    /// Reads `SPEC` or `NAME=SPEC`. Without a name the spec is the name; a program is called after
    /// its file.
    pub fn parse(text: &str) -> Entrant {
        let text = text.trim();
        // An equals sign after the colon belongs to the options.
        let named = text
            .split_once('=')
            .filter(|(name, _)| !name.contains(':') && !name.trim().is_empty());
        let (name, spec) = match named {
            Some((name, spec)) => (name.to_string(), spec),
            None => (short_name(text), text),
        };
        Entrant {
            name: name.trim().to_string(),
            spec: spec.trim().to_string(),
        }
    }

    /// Gives entrants of the same name different ones.
    pub fn tell_apart(entrants: &mut [Entrant]) {
        for i in 1..entrants.len() {
            let name = entrants[i].name.clone();
            let taken = |wanted: &str| entrants[..i].iter().any(|e| e.name == wanted);
            if let Some(free) = std::iter::once(name.clone())
                .chain((2..).map(|n| format!("{name} ({n})")))
                .find(|wanted| !taken(wanted))
            {
                entrants[i].name = free;
            }
        }
    }

    /// A player, ready for its first game.
    pub fn open(&self, game: &dyn AnyGame, game_spec: &str) -> Result<Box<dyn Player>, OpenError> {
        if let (gnubg::NAME, options) = split_spec(&self.spec) {
            return Ok(Box::new(Gnubg::new(options, game_spec)?));
        }
        match self.spec.strip_prefix(PROGRAM) {
            Some(command) => Ok(Box::new(Program::new(command, game, game_spec)?)),
            None => Ok(Box::new(game.engine(&self.spec)?)),
        }
    }
}

/// The file that a program is: the last word that looks like one, else the first word.
fn short_name(spec: &str) -> String {
    let words = spec.strip_prefix(PROGRAM).and_then(shlex::split);
    let words = words.unwrap_or_default();
    let is_file = |word: &&String| !word.starts_with('-') && word.contains(['.', '/']);
    let chosen = words.iter().rev().find(is_file).or(words.first());
    let name = chosen.and_then(|word| word.rsplit('/').next());
    name.filter(|name| !name.is_empty())
        .unwrap_or(spec)
        .to_string()
}

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

impl Player for AnyEngine {
    fn new_game(&mut self, luck: Seed) -> Result<(), Fault> {
        AnyEngine::new_game(self, luck);
        Ok(())
    }

    fn full_spec(&self) -> String {
        self.spec().to_string()
    }

    fn limits(&self, asked: &Limits) -> Limits {
        AnyEngine::limits(self, asked)
    }

    fn choose(&mut self, session: &dyn Session, request: &Request) -> Result<Reply, Fault> {
        let mut limits = request.limits.clone();
        if let Some(clock) = request.clock {
            let allotted = clock.allotment();
            limits.time = Some(limits.time.map_or(allotted, |time| time.min(allotted)));
        }
        let answer = session.ask(self, &limits).map_err(|error| match error {
            CatalogError::IllegalAnswer { answer, .. } => Fault::Illegal(answer),
            other => Fault::Refused(other.to_string()),
        })?;
        Ok(Reply {
            mv: answer.best.ok_or(Fault::NoMove)?,
            nodes: Some(answer.nodes),
            value: answer.value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_told_apart() {
        let texts = [
            "pvs:depth=3",
            "fast=pvs:depth=1",
            "pvs:depth=3",
            "pvs",
            "pvs",
            "pvs",
        ];
        let mut entrants: Vec<Entrant> = texts.iter().map(|t| Entrant::parse(t)).collect();
        Entrant::tell_apart(&mut entrants);
        let names: Vec<&str> = entrants.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "pvs:depth=3",
                "fast",
                "pvs:depth=3 (2)",
                "pvs",
                "pvs (2)",
                "pvs (3)"
            ]
        );
        assert_eq!(entrants[1].spec, "pvs:depth=1");
        for (text, name) in [
            ("program:python3 examples/engines/greedy.py", "greedy.py"),
            ("program:./engine", "engine"),
            ("program:", "program:"),
            ("mine=program:./engine --level=3", "mine"),
            ("program:python3 'my engine.py' --a=b", "my engine.py"),
            ("program:sh -c './run.sh'", "run.sh"),
            ("program:engine 5", "engine"),
        ] {
            assert_eq!(Entrant::parse(text).name, name);
        }
    }
}
