//! Random probes of a table whose blocks are unpacked, with and without room for all of them.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabia_game::{Cancel, zobrist};
use tabia_tables::file::{Heading, write};
use tabia_tables::{Kept, Symmetry, Table, TableForm, TableValue};

const POSITIONS: u64 = 40_000_000;
const PROBES: u64 = 4096;

fn value(index: u64) -> TableValue {
    match zobrist::number(1, index / 16) % 4 {
        0 => TableValue::DRAW,
        1 => TableValue::loss(12),
        _ => TableValue::win(13),
    }
}

fn probes(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut group = criterion.benchmark_group("probe");
    group.throughput(Throughput::Elements(PROBES));
    for values in [Kept::Wdl, Kept::Distance] {
        let file = folder.path().join(values.word());
        let heading = Heading {
            game: "bench".to_string(),
            slice: "all".to_string(),
            positions: POSITIONS,
            form: TableForm {
                values,
                symmetry: Symmetry::None,
            },
            relies_on: Vec::new(),
        };
        write(&file, heading, value, &Cancel::default()).expect("the table is written");
        for (name, share) in [("whole", 1.0), ("nine tenths", 0.9)] {
            let table = Table::open(&file).expect("the table is read");
            let memory = (table.unpacked() as f64 * share) as u64;
            let table = table.keeping(memory);
            let mut round = 0;
            group.bench_function(format!("{} {name}", values.word()), |bencher| {
                bencher.iter(|| {
                    round += 1;
                    for probe in 0..PROBES {
                        let index = zobrist::number(round, probe) % POSITIONS;
                        black_box(table.value(index).is_ok());
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, probes);
criterion_main!(benches);
