//! Whoever is asked for a move: an engine of the catalog or a program, told apart by the spec.

use std::time::Duration;

use tabia_catalog::{Answer, AnyEngine, AnyGame, Report, Session};
use tabia_game::{Limits, Seed};
use tabia_lab::player::{Participant, Request, open_program};

use crate::failure::bad_request;

/// How long a program is waited for beyond its time, and where its time is not limited.
const MARGIN: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine or a program.
pub enum Asked {
    /// An engine of the catalog.
    Engine(AnyEngine),
    /// A program that was started for this.
    Program(Box<dyn Participant>),
}

impl Asked {
    /// The engine or the program of a spec; what is random in a program follows from `luck`.
    pub fn open(
        spec: &str,
        game: &dyn AnyGame,
        game_spec: &str,
        luck: Seed,
    ) -> anyhow::Result<Asked> {
        let Some(program) = open_program(spec, game, game_spec) else {
            let mut engine = game.engine(spec)?;
            engine.prepare();
            return Ok(Asked::Engine(engine));
        };
        let mut program = program.map_err(|error| bad_request(error.to_string()))?;
        let begun = program.new_game(luck);
        begun.map_err(|fault| anyhow::anyhow!("{spec} {fault}"))?;
        Ok(Asked::Program(program))
    }

    /// The spec with all options, or the command line.
    pub fn full_spec(&self) -> String {
        match self {
            Asked::Engine(engine) => engine.spec().to_string(),
            Asked::Program(program) => program.full_spec(),
        }
    }

    /// The limits it keeps when these are asked for.
    pub fn limits(&self, asked: &Limits) -> Limits {
        match self {
            Asked::Engine(engine) => engine.limits(asked),
            Asked::Program(program) => program.limits(asked),
        }
    }

    /// Asks for a move and tells what an engine finds of this many lines while it thinks.
    pub fn ask(
        &mut self,
        session: &dyn Session,
        limits: &Limits,
        lines: usize,
        tell: &mut (dyn FnMut(&Report<'_, String>) + Send),
    ) -> anyhow::Result<Answer> {
        match self {
            Asked::Engine(engine) => Ok(session.ask_reporting(engine, limits, lines, tell)?),
            Asked::Program(program) => {
                let request = Request {
                    limits: limits.clone(),
                    clock: None,
                    patience: limits.time.map_or(PATIENCE, |time| time + MARGIN),
                };
                let reply = program.choose(session, &request);
                let reply =
                    reply.map_err(|fault| anyhow::anyhow!("{} {fault}", program.full_spec()))?;
                Ok(Answer {
                    line: vec![reply.mv.clone()],
                    best: Some(reply.mv),
                    value: reply.value,
                    solved: false,
                    plies: None,
                    is_margin: false,
                    values: Vec::new(),
                    depth: 0,
                    nodes: reply.nodes.unwrap_or(0),
                    counters: Vec::new(),
                })
            }
        }
    }
}
