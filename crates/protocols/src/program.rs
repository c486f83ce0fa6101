//! Programs in any language as players.
//!
//! A [`Program`] is a child process that is asked for moves by the line protocol.

use tabia_game::Seed;
use tabia_registry::player::{Fault, OpenError, Participant, ParticipantReply, Request};
use tabia_registry::{AnyGame, Registry, Session};

use crate::line;
use crate::process::Process;

/// A program that speaks the line protocol.
pub struct Program {
    command: String,
    program: String,
    arguments: Vec<String>,
    /// The game as its players may know it.
    game_spec: String,
    version: Option<String>,
    /// None after a fault, until the next game begins.
    process: Option<Process>,
}

impl Program {
    /// Starts the program of a command line, quoted as for a shell, and waits until it is ready.
    ///
    /// The program is told of the game what `games` says that its players may know.
    pub fn new(
        command: &str,
        games: &Registry,
        game: &dyn AnyGame,
        game_spec: &str,
    ) -> Result<Program, OpenError> {
        let refusal = |reason: &str| {
            Err(OpenError::Program(format!(
                "cannot play with 'program:{command}': {reason}"
            )))
        };
        // The seed of a deal would tell what is hidden as well as the deal itself.
        let game_spec = match game.traits().hidden {
            true => match games.public_spec(game_spec) {
                Ok(spec) => spec,
                Err(error) => return refusal(&error.to_string()),
            },
            false => game_spec.to_string(),
        };
        let Some(words) = shlex::split(command) else {
            return refusal("a quotation mark or a backslash has no counterpart");
        };
        let Some((program, arguments)) = words.split_first() else {
            return refusal(
                "there is no command; a right one is 'program:python3 examples/engines/greedy.py'",
            );
        };
        let mut player = Program {
            command: command.trim().to_string(),
            program: program.clone(),
            arguments: arguments.to_vec(),
            game_spec,
            version: None,
            process: None,
        };
        match player.start() {
            Ok(process) => player.process = Some(process),
            Err(fault) => return refusal(&format!("it {fault}")),
        }
        Ok(player)
    }

    fn start(&mut self) -> Result<Process, Fault> {
        let mut process = Process::start(&self.program, &self.arguments).map_err(|error| {
            Fault::Crashed(format!(
                "'{}' cannot be started ({error}); it must be a program of the search path, \
                 or a path to one",
                self.program
            ))
        })?;
        let patience = line::PATIENCE_AT_START;
        self.version = line::greet(&mut process, &self.game_spec, patience)?;
        Ok(process)
    }
}

impl Participant for Program {
    fn full_spec(&self) -> String {
        format!("program:{}", self.command)
    }

    fn version(&self) -> Option<String> {
        self.version.clone()
    }

    fn new_game(&mut self, luck: Seed) -> Result<(), Fault> {
        // Whatever fails, the process does not survive it.
        let process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        line::begin(&process, luck)?;
        self.process = Some(process);
        Ok(())
    }

    fn choose(
        &mut self,
        session: &dyn Session,
        request: &Request,
    ) -> Result<ParticipantReply, Fault> {
        let Some(mut process) = self.process.take() else {
            return Err(Fault::Crashed("it is not running".to_string()));
        };
        let reply = line::ask(&mut process, session, request)?;
        self.process = Some(process);
        Ok(reply)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            line::part(process);
        }
    }
}
