//! Lines of Action to a fixed depth with one thread and with two that share the table. The ratio
//! of the two times over a set of positions is printed last.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rand::RngExt;
use tabia_connection::loa::{Both, Loa, Mia, State};
use tabia_game::{Game, Key, Limits, Path, Seed, Turn};
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::{Engine, Situation};

/// Deep enough that one thread takes a second or more.
const DEPTHS: [(&str, u32); 2] = [("pvs", 8), ("mia", 10)];
const POSITIONS: u64 = 6;

/// Positions after some random moves.
fn positions(game: &Loa) -> Vec<State> {
    (0..POSITIONS)
        .map(|number| {
            let mut rng = Seed::new(1).number(number).rng();
            let mut state = game.start();
            let mut moves = Vec::new();
            for _ in 0..8 {
                moves.clear();
                game.moves(&state, &mut moves);
                let mv = moves[rng.random_range(0..moves.len())];
                let old = game.play(&mut state, mv);
                if game.turn(&state) == Turn::Over {
                    state = old;
                }
            }
            state
        })
        .collect()
}

fn search(game: &Loa, state: &State, engine: &str, depth: u32, threads: usize) -> (u64, Duration) {
    let options = format!("threads={threads}");
    let config = preset(engine).and_then(|preset| preset.configure(&options).ok());
    let mut engine = AlphaBeta::new(config.expect("known options"), Mia::default());
    let mut path = Path::new();
    path.push(game.key(state));
    let situation = Situation {
        game,
        state,
        path: &path,
    };
    let started = Instant::now();
    let choice = engine.choose(situation, &Limits::depth(depth));
    (choice.nodes, started.elapsed())
}

fn compare(criterion: &mut Criterion) {
    let game = Loa::new(Both::Draw);
    let positions = positions(&game);
    let mut group = criterion.benchmark_group("loa depth 8");
    group.sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("pvs, {threads} thread(s)"), |b| {
            b.iter(|| search(&game, &positions[0], "pvs", 8, threads));
        });
    }
    group.finish();
    for (engine, depth) in DEPTHS {
        let mut totals = [(0, Duration::ZERO); 2];
        for state in &positions {
            // One and two threads by turns, and the best of three each, so that a disturbance hits
            // both or does not count.
            let mut best = [(0, Duration::MAX); 2];
            for _ in 0..3 {
                for threads in [1, 2] {
                    let run = search(&game, state, engine, depth, threads);
                    if run.1 < best[threads - 1].1 {
                        best[threads - 1] = run;
                    }
                }
            }
            for (total, run) in totals.iter_mut().zip(best) {
                *total = (total.0 + run.0, total.1 + run.1);
            }
        }
        let [one, two] = totals;
        println!(
            "{engine} to depth {depth}: two threads {:?} ({} nodes) / one thread {:?} ({} nodes) = \
             {:.3}",
            two.1,
            two.0,
            one.1,
            one.0,
            two.1.as_secs_f64() / one.1.as_secs_f64()
        );
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
