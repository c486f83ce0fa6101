//! Tables with one entry for each class of symmetric positions: the same values as tables of every
//! position, in as few entries as there are classes.

use std::path::Path;

use tabia_fanorona::fanorona::{Fanorona, Slice};
use tabia_game::{Cancel, Classes, Indexed, Retro, Symmetric, Text, TwoPlayer};
use tabia_small::dao::Dao;
use tabia_small::doguti::DoGuti;
use tabia_small::lgame::LGame;
use tabia_tables::file::{Heading, write};
use tabia_tables::retrograde::solve_all;
use tabia_tables::{
    Counted, Kept, Kind, Retrograde, Scheme, Symmetry, Table, TableForm, TableJob, TableValue,
    Tables, ValueTables, VerifyError, build, parse_slices, plan, stats, table_file, verify,
    with_all_they_need,
};

const MEMORY: u64 = 1 << 32;
const SPEC: &str = "some:game";

trait Tabled: Retro + Symmetric + TwoPlayer + Text {}
impl<G: Retro + Symmetric + TwoPlayer + Text> Tabled for G {}

fn fanorona(rows: usize, columns: usize) -> Fanorona<u64> {
    Fanorona::new(rows, columns).unwrap()
}

fn job(folder: &Path, values: Kept, symmetry: Symmetry) -> TableJob<'_> {
    TableJob {
        spec: SPEC,
        folder,
        form: TableForm { values, symmetry },
        memory: MEMORY,
    }
}

fn build_tables<G: Tabled>(game: &G, slices: &str, job: TableJob<'_>, scheme: Scheme) {
    let kind = ValueTables::new(game, Retrograde { scheme });
    let plan = plan(&kind, &kind.named(slices).unwrap(), job).unwrap();
    build(&kind, &plan, job, &Cancel::default(), &|_, _, _| {}).unwrap();
}

fn open<G: Tabled>(game: &G, slices: &str, folder: &Path) -> Tables<G> {
    let all = with_all_they_need(game, &parse_slices(game, slices).unwrap());
    Tables::open(game, SPEC, folder, &all, MEMORY).unwrap()
}

fn verify_tables<G: Tabled>(game: &G, slices: &str, folder: &Path) -> Result<(), VerifyError> {
    let kind = ValueTables::new(game, Retrograde::default());
    let job = job(folder, Kept::Wdl, Symmetry::None);
    let names = kind.named(slices).unwrap();
    verify(&kind, &names, job, &Cancel::default(), &|_, _, _| {}).map(|_| ())
}

/// The tables say of every position what a solution of all positions says, and count the same.
fn check_values<G: Tabled>(game: &G, tables: &Tables<G>, kept: Kept) {
    let cancel = Cancel::default();
    let slices: Vec<G::Slice> = tables.iter().map(|(slice, _)| slice).collect();
    let solved = solve_all(game, &slices, kept, MEMORY, &cancel, &|_| {}).unwrap();
    for (slice, table) in tables.iter() {
        assert_eq!(table.header().symmetry, Symmetry::Orbits);
        assert_eq!(Some(table.header().positions), game.class_count(slice));
        for index in 0..game.slice_len(slice).unwrap() {
            let state = game.position_at(slice, index);
            let expected = solved.value(game, &state);
            assert_eq!(tables.probe(game, &state).unwrap(), expected, "{state:?}");
        }
        for counted in [Counted::All, Counted::Orbits, Counted::Thesis] {
            let values = |index| {
                let state = game.position_at(slice, index);
                Ok(solved.value(game, &state).unwrap())
            };
            let expected = stats(game, slice, values, counted, &cancel).unwrap();
            let found = tables.stats(game, slice, counted, &cancel).unwrap();
            assert_eq!(found, expected, "{slice:?} {counted:?}");
        }
    }
}

fn check<G: Tabled>(game: &G, slices: &str, schemes: &[Scheme]) {
    for kept in [Kept::Wdl, Kept::Distance] {
        for &scheme in schemes {
            let folder = tempfile::tempdir().unwrap();
            let job = job(folder.path(), kept, Symmetry::Orbits);
            build_tables(game, slices, job, scheme);
            let tables = open(game, slices, folder.path());
            verify_tables(game, slices, folder.path()).unwrap();
            check_values(game, &tables, kept);
        }
    }
}

#[test]
fn every_position_of_small_games_and_every_scheme() {
    check(&DoGuti, "", &Scheme::ALL);
    check(&LGame, "", &Scheme::ALL);
    check(&fanorona(3, 3), "", &Scheme::ALL);
}

#[test]
fn every_position_of_larger_boards() {
    check(&fanorona(3, 5), "2..5", &Scheme::ALL);
    check(&fanorona(5, 3), "2..4", &[Scheme::Layers]);
    check(&fanorona(5, 5), "2..4", &[Scheme::Layers]);
}

#[test]
fn every_position_of_dao() {
    check(&Dao, "", &[Scheme::Checks, Scheme::Layers]);
}

/// The number of ways to put `own` and `enemy` pieces on points, where all points of a cycle hold
/// the same.
fn colourings(cycles: &[usize], own: usize, enemy: usize) -> u64 {
    let Some((&length, rest)) = cycles.split_first() else {
        return u64::from(own == 0 && enemy == 0);
    };
    let mut ways = colourings(rest, own, enemy);
    if own >= length {
        ways += colourings(rest, own - length, enemy);
    }
    if enemy >= length {
        ways += colourings(rest, own, enemy - length);
    }
    ways
}

/// How many classes there are by the lemma of Burnside: the mean, over the four symmetries of a
/// rectangle with odd sides, of the positions that each maps to itself.
fn burnside(rows: usize, columns: usize, own: usize, enemy: usize) -> u64 {
    let points = rows * columns;
    let fixed = [points, rows, columns, 1];
    let cycles = fixed.map(|fixed| [vec![2; (points - fixed) / 2], vec![1; fixed]].concat());
    let sum: u64 = cycles
        .iter()
        .map(|cycles| colourings(cycles, own, enemy))
        .sum();
    sum / 4
}

/// Do-Guti and Dao: Donkers et al. (2004, sections 2 and 4.1). The 2,296 of the L game are those of
/// the plain rules in the tests of `tabia-small`. Fanorona: the classes of each slice are what
/// table 4.3 of Schadd (2011) counts, with the ones that a half turn maps to themselves.
#[test]
fn there_are_as_many_entries_as_classes() {
    assert_eq!(DoGuti.class_count(()), Some(16));
    assert_eq!(Dao.class_count(()), Some(113_028));
    assert_eq!(LGame.class_count(()), Some(2_296));
    let game = fanorona(5, 9);
    let classes = |own, enemy| game.class_count(Slice { own, enemy });
    assert_eq!(classes(2, 1), Some(10_378 + 400 + 6));
    assert_eq!(classes(1, 2), Some(717 + 3_237 + 6_830));
    assert_eq!(classes(2, 2), Some(127_819 + 79_137 + 17_444));
    assert_eq!(classes(3, 1), Some(149_458 + 91 + 1));
    assert_eq!(classes(1, 3), Some(4_188 + 15_875 + 129_487));
    for (own, enemy) in [(1, 1), (2, 1), (2, 2), (3, 1), (1, 3), (3, 2), (3, 3)] {
        let expected = burnside(5, 9, own.into(), enemy.into());
        assert_eq!(classes(own, enemy), Some(expected), "{own}-{enemy}");
    }
    // With more pieces than half of the board has points nothing overflows.
    assert!(game.slice_len(Slice { own: 22, enemy: 22 }).is_some());
    assert!(classes(22, 22).is_some());
    assert_eq!(classes(16, 15), None, "there are too many placements");
}

/// Positions share a number exactly if they have the same least image.
#[test]
fn classes_of_the_l_game() {
    let classes = LGame.classes(()).unwrap();
    let mut least = vec![None; 2_296];
    for index in 0..LGame.slice_len(()).unwrap() {
        let state = LGame.position_at((), index);
        let canonical = LGame.canonical(&state);
        let of_class = &mut least[classes.number(&state) as usize];
        assert_eq!(*of_class.get_or_insert(canonical), canonical);
    }
    assert!(least.iter().all(Option::is_some));
}

#[test]
fn tables_of_both_kinds_lie_side_by_side() {
    let game = fanorona(3, 5);
    let folder = tempfile::tempdir().unwrap();
    let every = job(folder.path(), Kept::Distance, Symmetry::None);
    let reduced = job(folder.path(), Kept::Distance, Symmetry::Orbits);
    let symmetry = |slice: &str| {
        let file = table_file(folder.path(), SPEC, slice);
        Table::open(&file).unwrap().header().symmetry
    };
    build_tables(&game, "2..3", reduced, Scheme::Layers);
    // What is there will do, and what is not is built as it is asked for.
    build_tables(&game, "2..4", every, Scheme::Layers);
    assert_eq!(symmetry("2-1"), Symmetry::Orbits);
    assert_eq!(symmetry("2-2"), Symmetry::None);
    let tables = open(&game, "2..4", folder.path());
    verify_tables(&game, "2..4", folder.path()).unwrap();
    let cancel = Cancel::default();
    let slices = parse_slices(&game, "2..4").unwrap();
    let solved = solve_all(&game, &slices, Kept::Distance, MEMORY, &cancel, &|_| {}).unwrap();
    for slice in slices {
        for index in 0..game.slice_len(slice).unwrap() {
            let state = game.position_at(slice, index);
            assert_eq!(tables.value(&game, &state), solved.value(&game, &state));
        }
    }
    // Who wants few entries does not keep many.
    build_tables(&game, "2..4", reduced, Scheme::Layers);
    assert_eq!(symmetry("2-2"), Symmetry::Orbits);
    verify_tables(&game, "2..4", folder.path()).unwrap();
}

#[test]
fn false_values_of_classes_are_found() {
    let game = fanorona(3, 3);
    for kept in [Kept::Wdl, Kept::Distance] {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), kept, Symmetry::Orbits);
        build_tables(&game, "2-2", job, Scheme::Layers);
        let file = table_file(folder.path(), SPEC, "2-2");
        let sound = Table::open(&file).unwrap();
        let header = sound.header().clone();
        for at in 0..header.positions {
            let value = sound.value(at).unwrap();
            let other = match value {
                TableValue::DRAW => TableValue::win(1),
                _ => TableValue::DRAW,
            };
            let heading = Heading {
                form: header.form(),
                game: header.game.clone(),
                slice: header.slice.clone(),
                positions: header.positions,
                relies_on: header.relies_on.clone(),
            };
            let changed = |index| match index == at {
                true => other,
                false => sound.value(index).unwrap(),
            };
            write(&file, heading, changed, &Cancel::default()).unwrap();
            let verified = verify_tables(&game, "2-2", folder.path());
            assert!(verified.is_err(), "{at}: {value} as {other}");
        }
    }
}
