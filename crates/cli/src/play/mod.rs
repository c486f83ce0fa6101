//! `tabia play`: a person against an engine, or any seats against each other.

pub mod lines;
mod table;

use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;
use tabia_catalog::AnyEngine;
use tabia_game::Seed;

use crate::arguments::{OpenedGame, PlayBudget, PositionArguments, with_option};
use crate::best::default_engine;
use crate::console::Console;
use crate::failure::{Interrupted, bad_request};
use crate::files;
use crate::interrupt::cancel_on_interrupt;
use table::{PlaySession, Stop};

/// Play a game in the terminal
///
/// Each seat is `human` or an engine. Without --seat the person has the first seat and the game's
/// default engine the others; once another seat is given to a person, an engine takes the first.
/// Engines think for 2 seconds a move unless limited otherwise. Moves are typed at the prompt, as
/// are `moves`, `hint`, `undo`, `board`, `save FILE`, `resign`, `help` and `quit`.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position (at the beginning), seats, moves, final (position), over, result,
payoffs. Nothing is prompted for then, but moves are still read.

Examples:
  tabia play tictactoe
  tabia play tictactoe --seat 2=human --time 0.5
  tabia play mnk:5,5,4 --seat 1=random --seat 2=random:seed=3 --save game.txt
  tabia play --record game.txt")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// Player of a seat: `1=human`, `2=random:seed=7`
    #[arg(short, long = "seat", value_name = "N=WHO")]
    seats: Vec<String>,

    #[command(flatten)]
    budget: PlayBudget,

    /// Write the record of the game to this file when it ends or is left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Random seed of chance events, and of engines whose spec gives no seed
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
}

/// Who has a seat.
pub enum Seat {
    /// A person at the terminal.
    Human,
    /// An engine, with its spec as it was given, its seed included.
    Engine(String, AnyEngine),
}

impl Seat {
    fn name(&self) -> &str {
        match self {
            Seat::Human => "human",
            Seat::Engine(spec, _) => spec,
        }
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    let seats = seats(&opened, &arguments.seats, arguments.seed)?;
    if let Some(file) = &arguments.save {
        files::check_writable(file)?;
    }
    let mut table = PlaySession {
        console,
        limits: arguments.budget.limits(cancel_on_interrupt()),
        rng: Seed::new(arguments.seed).split("chance").rng(),
        seats,
        opened,
        resigned: None,
    };
    // A game that an error has ended is worth keeping as well.
    let stop = table.play();
    if let Some(file) = &arguments.save {
        files::write_whole(file, &table.record().to_string())?;
    }
    let stop = stop?;
    if console.json {
        let ending = table.opened.session.ending();
        let record = table.record();
        console.print_json(&json!({
            "game": record.game,
            "position": record.position,
            "seats": record.seats,
            "moves": record.moves,
            "final": table.opened.session.position(),
            "over": record.result.is_some(),
            "result": record.result,
            "payoffs": ending.map(|e| e.payoffs),
        }))?;
    }
    match stop {
        Stop::Interrupted => Err(Interrupted.into()),
        Stop::Ended | Stop::Left => Ok(()),
    }
}

/// Who sits where: as asked for, else as the record says, else a person against the default engine.
fn seats(opened: &OpenedGame, asked: &[String], seed: u64) -> anyhow::Result<Vec<Seat>> {
    let players = opened.game.traits().players;
    let mut named: Vec<Option<&str>> = vec![None; players];
    for text in asked {
        let (seat, who) = text
            .split_once('=')
            .and_then(|(n, who)| Some((n.trim().parse::<usize>().ok()?, who.trim())))
            .filter(|(seat, _)| (1..=players).contains(seat))
            .ok_or_else(|| {
                bad_request(format!(
                    "'{text}' is no seat: write N=human or N=ENGINE with N from 1 to {players}"
                ))
            })?;
        if named[seat - 1].replace(who).is_some() {
            return Err(bad_request(format!("seat {seat} is given twice")));
        }
    }
    if asked.is_empty() && opened.seats.len() == players {
        named = opened.seats.iter().map(|who| Some(who.as_str())).collect();
    }
    let engine = default_engine(&*opened.game);
    let first = if named.contains(&Some("human")) {
        engine
    } else {
        "human"
    };
    named
        .iter()
        .enumerate()
        .map(|(i, who)| {
            let who = who.unwrap_or(if i == 0 { first } else { engine });
            if who == "human" {
                return Ok(Seat::Human);
            }
            let spec = with_option(&*opened.game, who, "seed", seed);
            let spec = spec.unwrap_or_else(|| who.to_string());
            let made = opened.game.engine(&spec);
            let made = made.with_context(|| format!("seat {}", i + 1))?;
            Ok(Seat::Engine(spec, made))
        })
        .collect()
}
