//! Tables of rooms against the rules: values of all active areas in 3x4, built as a table and by
//! the evaluator of any rules; and how long it takes to look a room up, in the frame and by its
//! lines.

use criterion::{Criterion, criterion_group, criterion_main};
use tabia_cgt::{Evaluator, Values};
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::amazons::rooms::RoomTables;
use tabia_combinatorial::amazons::rooms::active::{Active, Canonical};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_combinatorial::{Cells, Shape};
use tabia_game::{Cancel, Combinatorial, Limits};

fn atlas() -> Atlas {
    let frame = Frame::new(3, 4).expect("twelve squares");
    Atlas::new(frame, &Cancel::default()).expect("nobody stops it")
}

fn territories(atlas: &Atlas) -> Territories {
    Territories::build(atlas, 1, &Cancel::default(), &|_| {}).expect("nobody stops it")
}

fn table(atlas: &Atlas) -> Active<Canonical> {
    let values = Canonical::new(Values::new()).expect("there is room");
    let stop = Cancel::default();
    Active::build(atlas, &territories(atlas), values, 12, &stop, &|_| {}).expect("there is room")
}

/// All active areas as positions of the rules.
fn positions(atlas: &Atlas) -> Vec<Cells> {
    let shape = Shape::new(4, 3).expect("a board");
    let mut positions = Vec::new();
    for &room in atlas.rooms() {
        let squares: Vec<u32> = (0..12).filter(|i| room >> i & 1 != 0).collect();
        for (i, &white) in squares.iter().enumerate() {
            let queens = squares[..i].iter().map(|&black| [1 << black, 1 << white]);
            positions
                .extend(queens.filter_map(|queens| Cells::from_sets(shape, room.into(), queens)));
        }
    }
    positions
}

fn values(criterion: &mut Criterion) {
    let atlas = atlas();
    let positions = positions(&atlas);
    let mut group = criterion.benchmark_group("values of active areas in 3x4");
    group.sample_size(10);
    group.bench_function("table", |bencher| {
        bencher.iter(|| table(&atlas).entries().len())
    });
    group.bench_function("evaluator of any rules", |bencher| {
        bencher.iter(|| {
            let mut evaluator = Evaluator::new(Amazons);
            let mut meter = Limits::default().meter();
            for position in &positions {
                evaluator
                    .value(position, &mut meter)
                    .expect("there is room");
            }
            evaluator.looked_at()
        });
    });
    group.finish();
}

fn probes(criterion: &mut Criterion) {
    let atlas = atlas();
    let table = table(&atlas);
    let territories = territories(&atlas);
    let tables = RoomTables::new(atlas, territories).with_values(table);
    let mut group = criterion.benchmark_group("look a room up");
    for (name, text) in [
        ("in the frame", "X..#|.#..|...O"),
        ("by its lines", "X.....#|######.|#######|#######"),
    ] {
        let room = Amazons.parse_position(text).expect("a room");
        let mut parts = Vec::new();
        Amazons.split(&room, &mut parts);
        group.bench_function(name, |bencher| bencher.iter(|| tables.place(&parts[0])));
    }
    group.finish();
}

criterion_group!(benches, values, probes);
criterion_main!(benches);
