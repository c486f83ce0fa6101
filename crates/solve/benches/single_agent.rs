//! Morpion Solitaire 5T: all positions within six moves of the start, with incremental
//! transpositions, with tables, and with a set of positions that keeps from visiting them twice.
//!
//! The searches take turns, and what counts is the time of the processor: other programs that run
//! at the same time then disturb all of them alike. Prints positions a second and how they compare.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tabia_game::{Game, Key, Limits};
use tabia_puzzles::morpion::{Morpion, Move, State, Variant};
use tabia_solve::single_agent::DepthFirst;

/// Deep enough for a set of positions that no cache holds, as in any search worth making.
const DEPTH: u32 = 8;
/// 1 + 28 + 382 + 3,368 + 21,497 + 105,596, the positions within five moves, are a part of what is
/// visited.
const WITHIN_FIVE: u64 = 130_872;
const ROUNDS: usize = 5;

/// Keys are scrambled already.
#[derive(Default)]
struct Unchanged(u64);

impl Hasher for Unchanged {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Keys = HashSet<u64, BuildHasherDefault<Unchanged>>;

fn with_set(
    game: &Morpion,
    state: &mut State,
    depth: u32,
    seen: &mut Keys,
    moves: &mut Vec<Move>,
) -> u64 {
    if !seen.insert(game.key(state)) {
        return 0;
    }
    if depth == 0 {
        return 1;
    }
    let first = moves.len();
    game.moves(state, moves);
    let mut nodes = 1;
    for at in first..moves.len() {
        let token = game.play(state, moves[at]);
        nodes += with_set(game, state, depth - 1, seen, moves);
        game.undo(state, token);
    }
    moves.truncate(first);
    nodes
}

/// What the processor has done for this program so far, on all threads.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

type Search = Box<dyn Fn() -> u64>;

fn main() {
    let game = Morpion::new(Variant::FiveTouching);
    let depth_first = |search: DepthFirst| -> Search {
        Box::new(move || {
            let found = search.search(&game, &game.start(), &Limits::depth(DEPTH));
            found.nodes
        })
    };
    let set = move || {
        let (mut seen, mut moves) = (Keys::default(), Vec::new());
        with_set(&game, &mut game.start(), DEPTH, &mut seen, &mut moves)
    };
    let searches: [(&str, Search); 5] = [
        ("set of positions", Box::new(set)),
        (
            "incremental transpositions",
            depth_first(DepthFirst::incremental()),
        ),
        (
            "incremental transpositions, two threads",
            depth_first(DepthFirst::incremental().threads(2)),
        ),
        (
            "incremental transpositions and a table",
            depth_first(DepthFirst::incremental().table(1 << 22)),
        ),
        ("a table", depth_first(DepthFirst::plain().table(1 << 22))),
    ];
    let mut times = [Duration::ZERO; 5];
    let mut visited = [0; 5];
    for _ in 0..ROUNDS {
        for (at, (_, search)) in searches.iter().enumerate() {
            let before = processor_time();
            visited[at] += search();
            times[at] += processor_time() - before;
        }
    }
    let positions = visited[0] / ROUNDS as u64;
    assert!(positions > WITHIN_FIVE);
    // Without a table no position is visited twice; a table may forget.
    assert_eq!(visited[0], visited[1]);
    assert_eq!(visited[1], visited[2]);
    println!(
        "Morpion Solitaire 5T, {positions} positions within {DEPTH} moves, {ROUNDS} rounds, \
         processor time"
    );
    // Different positions a second, whatever was visited twice.
    let rate = |at: usize| positions as f64 * ROUNDS as f64 / times[at].as_secs_f64();
    for (at, (name, _)) in searches.iter().enumerate() {
        println!(
            "{name:40} {:8.2} million positions a second, {:5.2} times the set",
            rate(at) / 1e6,
            rate(at) / rate(0)
        );
    }
}
