//! `tabia play`: a person against an engine, or any seats against each other.

pub mod lines;
mod table;

use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;
use tabia_game::Seed;
use tabia_lab::matches::deal;
use tabia_lab::player::Entrant;

use crate::arguments::{OpenedGame, PlayBudget, PositionArguments, with_option};
use crate::asked::Asked;
use crate::best::default_engine;
use crate::console::Console;
use crate::failure::{Interrupted, bad_request};
use crate::files;
use crate::interrupt::cancel_on_interrupt;
use table::{PlaySession, Stop};

/// Play a game in the terminal
///
/// Each seat is `human`, an engine or a program as in `tabia match`. Without --seat the person has
/// the first seat and the game's default engine the others; once another seat is given to a person,
/// an engine takes the first. Engines think for 2 seconds a move unless limited otherwise. Moves are
/// typed at the prompt, as are `moves`, `hint`, `undo`, `board`, `save FILE`, `resign`, `help` and
/// `quit`. Where a game begins with a deal, it is drawn from the seed, unless the game's options name
/// one.
///
/// Where something is hidden, all that is shown and saved before the end is what the person has
/// seen, and nothing is taken back.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position (at the beginning), seats, seed, seen_by, moves, final (position), over,
result, payoffs. Nothing is prompted for then, but moves are still read. Where something is hidden and the
game is not over, seen_by is the seat whose view is told, in moves and final as well.

Examples:
  tabia play tictactoe
  tabia play tictactoe --seat 2=human --time 0.5
  tabia play mnk:5,5,4 --seat 1=random --seat 2=random:seed=3 --save game.txt
  tabia play breakthrough --seat \"2=program:python3 my_engine.py\"
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

    /// Random seed of the deal, of chance events, and of engines whose spec gives no seed; another
    /// one for every game with a deal or chance if nothing is said, else 0
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
}

/// Who has a seat.
pub enum Seat {
    /// A person at the terminal.
    Human,
    /// An engine or a program.
    Asked {
        /// Its spec as it was given.
        name: String,
        /// The same with the engine's seed.
        spec: String,
        /// Who is asked.
        asked: Asked,
    },
}

impl Seat {
    fn name(&self) -> &str {
        match self {
            Seat::Human => "human",
            Seat::Asked { name, .. } => name,
        }
    }

    /// What a record has to say of it.
    fn spec(&self) -> &str {
        match self {
            Seat::Human => "human",
            Seat::Asked { spec, .. } => spec,
        }
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let mut opened = arguments.place.open()?;
    let is_drawn = opened.game.deals().is_some() || opened.game.traits().chance;
    let seed = arguments.seed.map_or_else(
        || {
            if is_drawn {
                Seed::drawn()
            } else {
                Seed::new(0)
            }
        },
        Seed::new,
    );
    if arguments.place.is_at_the_start()
        && let Some(position) = deal(&*opened.game, seed)
    {
        opened.session = opened.game.session(Some(&position))?;
        opened.position = Some(position);
    }
    if let Some(file) = &arguments.save {
        files::check_writable(file)?;
    }
    let seats = seats(&opened, &arguments.seats, seed)?;
    let mut table = PlaySession {
        console,
        limits: arguments.budget.limits(cancel_on_interrupt()),
        rng: seed.split("chance").rng(),
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
        let over = record.result.is_some();
        let (seen_by, last) = match &record.seen {
            Some(seen) => (Some(seen.seat), seen.view.clone()),
            None => (None, table.opened.session.position()),
        };
        console.print_json(&json!({
            "game": record.game,
            "position": record.position,
            "seats": record.seats,
            "seed": seen_by.is_none().then_some(seed.value()),
            "seen_by": seen_by,
            "moves": record.moves,
            "final": last,
            "over": over,
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
fn seats(opened: &OpenedGame, asked: &[String], seed: Seed) -> anyhow::Result<Vec<Seat>> {
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
            if Entrant::parse(who).is_program() {
                // From the luck of the game a program could find out what is dealt.
                let luck = match opened.game.traits().hidden {
                    true => Seed::drawn(),
                    false => seed.split("seat").number(i as u64),
                };
                let made = Asked::open(who, &*opened.game, &opened.spec, luck);
                let made = made.with_context(|| format!("seat {}", i + 1))?;
                return Ok(Seat::Asked {
                    name: who.to_string(),
                    spec: who.to_string(),
                    asked: made,
                });
            }
            // The spec is shown and kept, and so must not tell a seed from which the deal follows.
            let own = match opened.game.traits().hidden {
                true => seed.split("engines").value() >> 1,
                false => seed.value(),
            };
            let spec = with_option(&*opened.game, who, "seed", own);
            let spec = spec.unwrap_or_else(|| who.to_string());
            let made = Asked::open(&spec, &*opened.game, &opened.spec, seed);
            let made = made.with_context(|| format!("seat {}", i + 1))?;
            Ok(Seat::Asked {
                name: who.to_string(),
                spec,
                asked: made,
            })
        })
        .collect()
}
