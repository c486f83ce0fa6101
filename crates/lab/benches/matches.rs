//! What the laboratory costs: the referee's share of the time at one millisecond a move, and the
//! games a second that two cores play of what one does. Both ratios are printed last.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
// The games that matches are played with, found by name.
use tabia_catalog as _;
use tabia_game::Cancel;
use tabia_lab::matches::{Match, MatchPlan, Opening};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::store::Store;

fn plan(game: &str, player: &str, games: u64, terms: Terms) -> MatchPlan {
    MatchPlan {
        game: game.to_string(),
        players: vec![Entrant::parse(player); 2],
        games,
        paired: true,
        opening: Opening::Random(4),
        terms,
        sprt: None,
        seed: 1,
    }
}

/// Plays a match into a store; the time it took, and the time the players thought.
fn play(plan: MatchPlan, threads: usize) -> (Duration, Duration) {
    let folder = tempfile::tempdir().expect("a folder for results");
    let mut store = Store::writer(&folder.path().join("bench.db")).expect("a new file");
    let mut played = Match::new(plan)
        .and_then(|played| played.stored(&mut store, false))
        .expect("a match that can be played");
    let started = Instant::now();
    let finished = played.play(threads, &Cancel::default(), &mut |_| {});
    let time = started.elapsed();
    assert!(finished.expect("no failure"));
    let thought = played.games().flat_map(|game| &game.efforts);
    (
        time,
        Duration::from_secs_f64(thought.map(|effort| effort.seconds).sum()),
    )
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("matches");
    group.sample_size(10);
    group.bench_function("100 random games of Connect Four", |b| {
        b.iter(|| play(plan("connect4", "random", 100, Terms::default()), 1));
    });
    group.finish();

    let a_millisecond = Terms {
        ms: Some(1),
        margin_ms: 10_000,
        ..Terms::default()
    };
    for (game, player) in [("loa", "mia"), ("connect4", "pvs"), ("breakthrough", "pvs")] {
        let (time, thought) = play(plan(game, player, 40, a_millisecond.clone()), 1);
        println!(
            "{game}, {player}, 1 ms a move: {time:?} for {thought:?} of thinking, overhead {:.2}%",
            100.0 * (time.as_secs_f64() / thought.as_secs_f64() - 1.0)
        );
    }

    // One and two threads by turns, and the best of five each, so that a disturbance hits both or
    // does not count.
    for (game, player, games) in [
        ("loa", "mia:nodes=1000,table=4M", 150),
        ("connect4", "pvs:nodes=2000,table=4M", 400),
    ] {
        let mut best = [Duration::MAX; 2];
        for _ in 0..5 {
            for threads in [1, 2] {
                let (time, _) = play(plan(game, player, games, Terms::default()), threads);
                best[threads - 1] = best[threads - 1].min(time);
            }
        }
        println!(
            "{game}, {player}: {:.1} games a second on one thread, {:.1} on two, ratio {:.2}",
            games as f64 / best[0].as_secs_f64(),
            games as f64 / best[1].as_secs_f64(),
            best[0].as_secs_f64() / best[1].as_secs_f64()
        );
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
