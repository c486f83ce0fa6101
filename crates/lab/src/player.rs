//! Who takes part in matches and tournaments: engines of the catalog, or programs outside.
//!
//! Whatever goes wrong with a player is a [`Fault`], which loses the game and is told in the
//! record; the match goes on with the player opened anew.

use serde::{Deserialize, Serialize};
use tabia_game::options::split_spec;
use tabia_protocols::Program;
use tabia_registry::{AnyGame, GAMES};

pub use tabia_registry::player::{
    Fault, OpenError, Participant, ParticipantReply, Remaining, Request,
};

/// Somebody who takes part: a name for tables, and what to play with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables, different from all others.
    pub name: String,
    /// An engine's spec, `program:` and a command line, or the spec of a program that plays this
    /// game only.
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
    pub fn open(
        &self,
        game: &dyn AnyGame,
        game_spec: &str,
    ) -> Result<Box<dyn Participant>, OpenError> {
        match open_program(&self.spec, game, game_spec) {
            Some(opened) => opened,
            None => Ok(Box::new(game.engine(&self.spec)?)),
        }
    }

    /// Whether it is a program, as opposed to an engine of the catalog.
    pub fn is_program(&self) -> bool {
        let (name, _) = split_spec(&self.spec);
        let mut peers = GAMES.entries().iter().flat_map(|entry| entry.peers);
        self.spec.starts_with(PROGRAM) || peers.any(|peer| peer.name == name)
    }
}

/// Starts the program that a spec names; nothing if it names no program.
pub fn open_program(
    spec: &str,
    game: &dyn AnyGame,
    game_spec: &str,
) -> Option<Result<Box<dyn Participant>, OpenError>> {
    if let Some(command) = spec.strip_prefix(PROGRAM) {
        let program = Program::new(command, &GAMES, game, game_spec);
        return Some(program.map(|program| Box::new(program) as _));
    }
    let (name, options) = split_spec(spec);
    GAMES.peer(name, options, game_spec)
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
