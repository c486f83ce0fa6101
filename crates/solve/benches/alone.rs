//! Morpion Solitaire 5T: all positions within five moves of the start, with incremental transpositions and with a set
//! of positions to keep from visiting them twice.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabia_game::{Game, Key, Limits};
use tabia_games::morpion::{Morpion, Move, State, Variant};
use tabia_solve::alone::DepthFirst;

const DEPTH: u32 = 5;
/// 1 + 28 + 382 + 3,368 + 21,497 + 105,596.
const POSITIONS: u64 = 130_872;

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

fn searches(c: &mut Criterion) {
    let game = Morpion::new(Variant::FiveTouching);
    let mut group = c.benchmark_group("morpion 5T, five moves");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(POSITIONS));
    let limits = Limits::depth(DEPTH);
    for (name, search) in [
        ("incremental transpositions", DepthFirst::incremental()),
        (
            "incremental, two threads",
            DepthFirst::incremental().threads(2),
        ),
        (
            "incremental and table",
            DepthFirst::incremental().table(1 << 20),
        ),
        ("table", DepthFirst::plain().table(1 << 20)),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let found = search.search(&game, &game.start(), &limits);
                // A table may forget.
                assert!(found.nodes >= POSITIONS);
            });
        });
    }
    group.bench_function("set of positions", |b| {
        b.iter(|| {
            let (mut seen, mut moves) = (Keys::default(), Vec::new());
            let nodes = with_set(&game, &mut game.start(), DEPTH, &mut seen, &mut moves);
            assert_eq!(nodes, POSITIONS);
        });
    });
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
