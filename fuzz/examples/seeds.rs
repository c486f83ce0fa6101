//! Writes the seeds that follow from the catalog: specs, positions, moves and records of every
//! game, in a folder for each target. A new game is covered without further work.
//!
//! `cargo run --example seeds -- corpus`

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;

use tabia_catalog::{Record, entries, open};

/// Plies after which a position is kept; the last one of the game is kept as well.
const KEPT: [usize; 3] = [0, 5, 30];
const LONGEST: usize = 120;
/// Moves in a seed of the moves themselves.
const LINE: usize = 16;

struct Seeds<'a> {
    folder: &'a Path,
}

impl Seeds<'_> {
    fn write(&self, target: &str, name: &str, text: &str) -> io::Result<()> {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = name.chars().map(safe).take(60).collect();
        fs::write(folder.join(name), text)
    }

    fn engines(&self, name: &str) -> Result<(), Box<dyn Error>> {
        let game = open(name)?;
        for info in game.engines() {
            self.write("engine_spec", info.name, info.name)?;
            let full = format!("{name} {} in full", info.name);
            self.write("engine_spec", &full, game.engine(info.name)?.spec())?;
        }
        Ok(())
    }

    /// One game, with a stride over the lists of moves that visits many of them.
    fn play(&self, spec: &str) -> Result<(), Box<dyn Error>> {
        self.write("game_spec", spec, spec)?;
        let game = open(spec)?;
        let mut session = game.session(None)?;
        for ply in 0..LONGEST {
            let moves = session.moves();
            if moves.is_empty() {
                break;
            }
            if KEPT.contains(&ply) {
                let text = format!("{spec}\n{}", session.position());
                self.write("position", &format!("{spec} {ply}"), &text)?;
            }
            session.play(&moves[(ply * 7 + 3) % moves.len()])?;
        }
        let last = format!("{spec}\n{}", session.position());
        self.write("position", &format!("{spec} last"), &last)?;
        let moves = session.history();
        let line = &moves[..moves.len().min(LINE)];
        self.write("moves", spec, &format!("{spec}\n\n{}", line.join("\n")))?;
        let record = Record {
            game: spec.to_string(),
            seats: vec!["human".to_string(), "random".to_string()],
            result: session.ending().map(|ending| ending.text),
            moves: moves.to_vec(),
            ..Record::default()
        };
        self.write("record", spec, &record.to_string())?;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or("corpus".to_string());
    let seeds = Seeds {
        folder: Path::new(&folder),
    };
    for entry in entries() {
        seeds.engines(entry.name)?;
        for spec in entry.examples {
            seeds.play(spec)?;
        }
    }
    Ok(())
}
