//! Seeds that follow from the catalog: specs, positions, moves and records of every game. A new
//! game is covered without further work.

use std::collections::HashSet;

use tabia_catalog::{CatalogError, Record, entries, open};

/// Plies after which a position is kept; the last one of the game is kept as well.
const KEPT: [usize; 3] = [0, 5, 30];
const LONGEST: usize = 120;
/// Moves in a seed of the moves themselves.
const LINE: usize = 16;

/// An input for a target.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Whose.
    pub target: &'static str,
    /// Where it comes from.
    pub name: String,
    /// The input.
    pub text: String,
}

#[derive(Default)]
struct Seeds {
    all: Vec<Seed>,
}

impl Seeds {
    fn add(&mut self, target: &'static str, name: &str, text: &str) {
        self.all.push(Seed {
            target,
            name: name.to_string(),
            text: text.to_string(),
        });
    }

    fn engines(&mut self, name: &str) -> Result<(), CatalogError> {
        let game = open(name)?;
        for info in game.engines() {
            self.add("engine_spec", info.name, info.name);
            let full = format!("{name} {} in full", info.name);
            self.add("engine_spec", &full, game.engine(info.name)?.spec());
        }
        Ok(())
    }

    /// One game, with a stride over the lists of moves that visits many of them.
    fn play(&mut self, spec: &str) -> Result<(), CatalogError> {
        self.add("game_spec", spec, spec);
        let game = open(spec)?;
        let mut session = game.session(None)?;
        for ply in 0..LONGEST {
            let moves = session.moves();
            if moves.is_empty() {
                break;
            }
            if KEPT.contains(&ply) {
                let text = format!("{spec}\n{}", session.position());
                self.add("position", &format!("{spec} {ply}"), &text);
            }
            session.play(&moves[(ply * 7 + 3) % moves.len()])?;
        }
        let last = format!("{spec}\n{}", session.position());
        self.add("position", &format!("{spec} last"), &last);
        let moves = session.history();
        let line = &moves[..moves.len().min(LINE)];
        self.add("moves", spec, &format!("{spec}\n\n{}", line.join("\n")));
        let record = Record {
            game: spec.to_string(),
            seats: vec!["human".to_string(), "random".to_string()],
            result: session.ending().map(|ending| ending.text),
            moves: moves.to_vec(),
            ..Record::default()
        };
        self.add("record", spec, &record.to_string());
        Ok(())
    }
}

/// All of them, each input once for a target.
pub fn of_the_catalog() -> Result<Vec<Seed>, CatalogError> {
    let mut seeds = Seeds::default();
    for entry in entries() {
        seeds.engines(entry.name)?;
        for spec in entry.examples {
            seeds.play(spec)?;
        }
    }
    let mut known = HashSet::new();
    let mut is_new = |seed: &Seed| known.insert((seed.target, seed.text.clone()));
    Ok(seeds.all.into_iter().filter(|seed| is_new(seed)).collect())
}
