//! What a tree of ten million nodes takes of memory, as the system sees it: one line of JSON for
//! each game.
//!
//! Playouts are one ply long, since only the tree matters. A short search tells how many nodes a
//! longer one will have; the peak of the process is read after it, so that each game is measured by
//! a process of its own.
//!
//! Usage: `mcts_memory [GAME]`, one of `connect_four`, `breakthrough` and `amazons`; all of them
//! without one

use std::process::Command;

use tabia_alignment::connect4::Connect4;
use tabia_breakthrough::breakthrough::Breakthrough;
use tabia_combinatorial::amazons::Amazons;
use tabia_game::{Deterministic, Game, Limits, Path, Perfect, Seed, TwoPlayer, Uninformed};
use tabia_search::mcts::{Config, Mcts, Playable, WithoutChance};
use tabia_search::{Counter, Engine, Situation};

const NODES: u64 = 10_000_000;
const GAMES: [&str; 3] = ["connect_four", "breakthrough", "amazons"];

/// The peak of the memory of this process that is really there, in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// The nodes and the bytes of a tree after this many nodes of search.
fn grown<G>(game: &G, nodes: u64) -> (u64, u64)
where
    G: Playable + TwoPlayer + Game<Luck = Deterministic, Information = Perfect>,
{
    let config = Config {
        plies: 1,
        memory: u64::MAX,
        ..Config::PLAIN
    };
    let (state, path) = (game.start(), Path::new());
    let mut engine = Mcts::<G, _, WithoutChance>::new(config, Uninformed);
    engine.new_game(Seed::new(1));
    let situation = Situation {
        game,
        state: &state,
        path: &path,
    };
    let found = engine.choose(situation, &Limits::nodes(nodes));
    let counted = |name: &str| {
        let counter = found.counters.iter().find(|(known, _)| *known == name);
        match counter {
            Some((_, Counter::One(count))) => *count,
            _ => 0,
        }
    };
    (counted("tree"), counted("bytes"))
}

fn measure<G>(name: &str, game: &G)
where
    G: Playable + TwoPlayer + Game<Luck = Deterministic, Information = Perfect>,
{
    let before = peak();
    let mut effort = 1_000_000;
    loop {
        let (nodes, bytes) = grown(game, effort);
        if nodes >= NODES {
            let whole = peak();
            let own = before.zip(whole).map(|(before, whole)| whole - before);
            let shown = |bytes: Option<u64>| bytes.map_or("null".to_string(), |b| b.to_string());
            println!(
                "{{\"game\": \"{name}\", \"nodes\": {nodes}, \"counted_bytes\": {bytes}, \
                 \"peak_bytes\": {}, \"peak_bytes_of_the_tree\": {}, \"within_a_gibibyte\": {}}}",
                shown(whole),
                shown(own),
                whole.map_or("null".to_string(), |whole| (whole <= 1 << 30).to_string())
            );
            return;
        }
        // A little more than what the last one promises.
        effort = (effort as f64 * (1.01 * NODES as f64 / nodes as f64).min(4.0)) as u64 + 1;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1).as_deref() {
        None => {
            let program = std::env::current_exe()?;
            for game in GAMES {
                Command::new(&program).arg(game).status()?;
            }
        }
        Some("connect_four") => measure("connect_four", &Connect4::<u64>::new(7, 6, 4)?),
        Some("breakthrough") => measure("breakthrough", &Breakthrough::<u64>::new(8, 8)?),
        Some("amazons") => measure("amazons", &Amazons::new(10, 10)?),
        Some(other) => return Err(format!("unknown game '{other}'; there are {GAMES:?}").into()),
    }
    Ok(())
}
