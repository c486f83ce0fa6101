//! Building tables and verifying them: what is killed goes on, what is false is found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::toy::{ByDefinition, Graph, SPEC, as_kept, captures, circle, form, heading};
use tabia_game::{Cancel, Indexed, zobrist};
use tabia_tables::file::{Heading, write};
use tabia_tables::{
    BuildError, Kept, Kind, Table, TableError, TableGroup, TableJob, TableValue, Tables,
    ValueTables, VerifyError, build, groups, plan, table_file, table_files, verify,
    with_all_they_need,
};

/// The tables of the toy.
fn kind(game: &Graph) -> ValueTables<&Graph, ByDefinition> {
    ValueTables::new(game, ByDefinition)
}

/// The names of all tables of a game.
fn all(game: &Graph) -> Vec<String> {
    kind(game).named("").unwrap()
}

fn job(folder: &Path, values: Kept) -> TableJob<'_> {
    TableJob {
        spec: SPEC,
        folder,
        form: form(values),
        memory: 1 << 30,
    }
}

fn build_all(game: &Graph, folder: &Path, kept: Kept) -> Result<(), BuildError> {
    let job = job(folder, kept);
    let kind = kind(game);
    let plan = plan(&kind, &all(game), job)?;
    build(&kind, &plan, job, &Cancel::default(), &|_, _, _| {}).map(|_| ())
}

/// All files of a folder but the lock.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let game = tabia_tables::game_folder(folder, SPEC);
    let Ok(entries) = std::fs::read_dir(game) else {
        return BTreeMap::new();
    };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap() != ".lock")
        .map(|path| {
            let name = PathBuf::from(path.file_name().unwrap());
            (name, std::fs::read(path).unwrap())
        })
        .collect()
}

fn verify_all(game: &Graph, folder: &Path) -> Result<(), VerifyError> {
    verify_some(game, &all(game), folder)
}

fn verify_some(game: &Graph, names: &[String], folder: &Path) -> Result<(), VerifyError> {
    let job = job(folder, Kept::Wdl);
    let quiet = |_: &str, _, _| {};
    verify(&kind(game), names, job, &Cancel::default(), &quiet).map(|_| ())
}

#[test]
fn groups_come_after_what_they_need() {
    let game = captures();
    let needed = with_all_they_need(&game, &[(2, 1)]);
    assert_eq!(needed, [(1, 1), (1, 2), (2, 1)]);
    assert_eq!(groups(&game, &needed), [vec![(1, 1)], vec![(1, 2), (2, 1)]]);
    let all = groups(&game, &game.slices());
    let place = |slice| all.iter().position(|group| group.contains(&slice)).unwrap();
    for slice in game.slices() {
        for next in game.next_slices(slice) {
            assert!(place(next) <= place(slice), "{next:?} after {slice:?}");
        }
    }
}

#[test]
fn tables_are_built_with_all_they_need_and_verified() {
    let game = captures();
    for kept in [Kept::Wdl, Kept::Distance] {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), kept);
        let kind = kind(&game);
        let plan = plan(&kind, &kind.named("2-2").unwrap(), job).unwrap();
        let texts: Vec<&str> = plan.iter().map(|group| group.text.as_str()).collect();
        assert_eq!(texts, ["1-1", "1-2,2-1", "2-2"]);
        assert!(plan.iter().all(|group| group.wanted.is_some()));
        build(&kind, &plan, job, &Cancel::default(), &|_, _, _| {}).unwrap();
        assert_eq!(table_files(folder.path()).unwrap().len(), 4);
        build_all(&game, folder.path(), kept).unwrap();
        verify_all(&game, folder.path()).unwrap();

        let tables = Tables::open(&game, SPEC, folder.path(), &game.slices(), 0).unwrap();
        let upper = tables.get((2, 1)).unwrap().header();
        let lower = tables.get((1, 1)).unwrap();
        assert_eq!(upper.relies_on.len(), 1);
        assert_eq!(upper.relies_on[0].checksum, lower.checksum());
        // The toy is no toy: there is something of everything, and far from the end.
        assert!(
            upper.win > 100 && upper.draw > 100 && upper.loss > 100,
            "{upper:?}"
        );
        assert!(upper.max_plies.is_none_or(|plies| plies > 8), "{upper:?}");
    }
}

#[test]
fn what_is_there_and_sound_is_kept() {
    let game = captures();
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), Kept::Distance);
    build_all(&game, folder.path(), Kept::Distance).unwrap();
    let built = bytes(folder.path());
    let told_reasons = Mutex::new(Vec::new());
    let rebuilt = |values: Kept| {
        let job = TableJob {
            form: form(values),
            ..job
        };
        let plan = plan(&kind(&game), &all(&game), job).unwrap();
        let at_work = Mutex::new(Vec::new());
        let told = |group: &TableGroup, _, _| at_work.lock().unwrap().push(group.text.clone());
        let reasons = build(&kind(&game), &plan, job, &Cancel::default(), &told).unwrap();
        let mut at_work = at_work.into_inner().unwrap();
        at_work.dedup();
        let with_reason = plan
            .iter()
            .zip(&reasons)
            .filter(|(_, reason)| reason.is_some());
        let with_reason: Vec<&String> = with_reason.map(|(group, _)| &group.text).collect();
        assert_eq!(with_reason, at_work.iter().collect::<Vec<_>>());
        told_reasons
            .lock()
            .unwrap()
            .extend(reasons.into_iter().flatten());
        at_work
    };
    assert!(rebuilt(Kept::Distance).is_empty());
    assert!(
        rebuilt(Kept::Wdl).is_empty(),
        "distances are more than enough"
    );

    // Damage within a block is found although header and index are as they were.
    let file = table_file(folder.path(), SPEC, "1-2");
    let mut damaged = std::fs::read(&file).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    assert_eq!(rebuilt(Kept::Distance), ["1-2,2-1"]);
    let [reason] = &std::mem::take(&mut *told_reasons.lock().unwrap())[..] else {
        panic!("one reason");
    };
    let damage = "1-2.tbl' is no sound table: block 0 at byte ";
    assert!(reason.contains(damage), "{reason}");

    // The table of another slice is no obstacle, neither in its place nor below.
    std::fs::copy(table_file(folder.path(), SPEC, "2-1"), &file).unwrap();
    assert_eq!(rebuilt(Kept::Distance), ["1-2,2-1"]);
    let reason = told_reasons.lock().unwrap().concat();
    let foreign = "1-2.tbl' does not fit: it is the table of 2-1, not of 1-2";
    assert!(reason.contains(foreign), "{reason}");
    assert_eq!(bytes(folder.path()), built);
    assert_eq!(bytes(folder.path()), built);

    std::fs::remove_file(table_file(folder.path(), SPEC, "1-1")).unwrap();
    std::fs::write(file.with_file_name(".abc.part"), "half").unwrap();
    assert_eq!(
        rebuilt(Kept::Distance),
        ["1-1"],
        "the others rest on the same bytes"
    );
    assert_eq!(
        bytes(folder.path()),
        built,
        "and what was left behind is gone"
    );

    // Other values below: everything above rests on them and is built again.
    std::fs::remove_file(table_file(folder.path(), SPEC, "1-1")).unwrap();
    assert_eq!(rebuilt(Kept::Wdl).len(), 4);
    assert_ne!(bytes(folder.path()), built);
    assert_eq!(rebuilt(Kept::Distance).len(), 4);
    assert_eq!(bytes(folder.path()), built);
}

#[test]
fn work_that_is_stopped_goes_on() {
    let game = captures();
    /// Builds until this many steps are done, and says how many there were.
    fn until(game: &Graph, folder: &Path, stop_at: usize) -> (Result<(), BuildError>, usize) {
        let job = job(folder, Kept::Wdl);
        let cancel = Cancel::default();
        let plan = plan(&kind(game), &all(game), job).unwrap();
        let steps = Mutex::new(0);
        let told = |_: &TableGroup, _, _| {
            let mut steps = steps.lock().unwrap();
            *steps += 1;
            if *steps > stop_at {
                cancel.cancel();
            }
        };
        let done = build(&kind(game), &plan, job, &cancel, &told).map(|_| ());
        (done, steps.into_inner().unwrap())
    }
    let whole = tempfile::tempdir().unwrap();
    let (done, steps) = until(&game, whole.path(), usize::MAX);
    done.unwrap();
    let whole = bytes(whole.path());
    for stop_at in (0..steps - 1).step_by(steps / 8) {
        let folder = tempfile::tempdir().unwrap();
        let (stopped, _) = until(&game, folder.path(), stop_at);
        assert!(matches!(
            stopped,
            Err(BuildError::Table(TableError::Stopped))
        ));
        for (name, bytes) in bytes(folder.path()) {
            assert_eq!(whole.get(&name), Some(&bytes), "{name:?}");
        }
        build_all(&game, folder.path(), Kept::Wdl).unwrap();
        assert_eq!(bytes(folder.path()), whole);
    }
}

#[test]
fn too_little_memory_is_told_before_any_work() {
    let game = captures();
    let folder = tempfile::tempdir().unwrap();
    let job = TableJob {
        memory: 60_000,
        ..job(folder.path(), Kept::Wdl)
    };
    let refused = plan(&kind(&game), &all(&game), job);
    let message = refused.unwrap_err().to_string();
    // 1-3 and 3-1 have 3,000 and 3,400 positions, of 16 bytes each in the toy solver, and look into
    // 2-1, which has 2,500 of two bits. 1-2 and 2-1 have 4,800 positions, too many as well.
    let expected = "the tables of 1-3,3-1 take 100.6 KiB of memory, and 58.6 KiB may be used; \
                    those of 2..2 would fit";
    assert_eq!(message, expected);
    assert!(bytes(folder.path()).is_empty());
}

#[test]
fn two_builds_do_not_disturb_each_other() {
    let game = captures();
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), Kept::Wdl);
    let plan = plan(&kind(&game), &all(&game), job).unwrap();
    let second = Mutex::new(None);
    let told = |_: &TableGroup, _, _| {
        let mut second = second.lock().unwrap();
        if second.is_none() {
            *second = Some(build_all(&game, folder.path(), Kept::Wdl));
        }
    };
    build(&kind(&game), &plan, job, &Cancel::default(), &told).unwrap();
    let second = second.into_inner().unwrap();
    assert!(matches!(second, Some(Err(BuildError::Busy(_)))));
}

/// Writes a table of the toy again with one value changed, and everything else in order.
fn falsify(game: &Graph, folder: &Path, slice: (u8, u8), at: u64, to: TableValue) {
    let file = table_file(folder, SPEC, &game.slice_text(slice));
    let old = Table::open(&file).unwrap();
    let header = old.header().clone();
    let told = Heading {
        form: header.form(),
        game: header.game,
        slice: header.slice,
        positions: header.positions,
        relies_on: header.relies_on,
    };
    let value = |index| {
        if index == at {
            to
        } else {
            old.value(index).unwrap()
        }
    };
    write(&file, told, value, &Cancel::default()).unwrap();
}

#[test]
fn every_false_value_is_found() {
    let game = captures();
    let group = [(1, 2), (2, 1)];
    for kept in [Kept::Wdl, Kept::Distance] {
        let folder = tempfile::tempdir().unwrap();
        build_all(&game, folder.path(), kept).unwrap();
        for trial in 0..120 {
            let slice = group[trial as usize % 2];
            let at = zobrist::number(3, trial) % game.slice_len(slice).unwrap();
            let file = table_file(folder.path(), SPEC, &game.slice_text(slice));
            let sound = std::fs::read(&file).unwrap();
            let true_value = Table::open(&file).unwrap().value(at).unwrap();
            let other = match trial % 4 {
                0 => TableValue::DRAW,
                1 => TableValue::win(true_value.plies.map_or(1, |p| p + 2)),
                2 => TableValue::loss(true_value.plies.map_or(2, |p| p + 2)),
                _ => TableValue::win(true_value.plies.map_or(1, |p| p.saturating_sub(2))),
            };
            if as_kept(other, kept) == true_value {
                continue;
            }
            falsify(&game, folder.path(), slice, at, other);
            let names = group.map(|slice| game.slice_text(slice));
            let verified = verify_some(&game, &names, folder.path());
            assert!(
                matches!(verified, Err(VerifyError::Wrong { .. })),
                "{slice:?} {at}: {true_value} as {other}: {verified:?}"
            );
            std::fs::write(&file, sound).unwrap();
        }
        verify_all(&game, folder.path()).unwrap();
    }
}

#[test]
fn wins_that_rest_on_each_other_are_found() {
    let game = circle();
    let folder = tempfile::tempdir().unwrap();
    let file = table_file(folder.path(), SPEC, "0-0");
    let told = Heading {
        slice: "0-0".to_string(),
        ..heading(4, Kept::Wdl)
    };
    // Every entry agrees with its successor, and none is true.
    let circular = |index: u64| match index % 2 {
        0 => TableValue::win(1),
        _ => TableValue::loss(2),
    };
    write(&file, told.clone(), circular, &Cancel::default()).unwrap();
    let error = verify_all(&game, folder.path()).unwrap_err();
    assert!(
        matches!(error, VerifyError::Circular { index: 0, .. }),
        "{error}"
    );
    write(&file, told, |_| TableValue::DRAW, &Cancel::default()).unwrap();
    verify_all(&game, folder.path()).unwrap();
}

#[test]
fn tables_that_do_not_belong_together_are_refused() {
    let game = captures();
    let folder = tempfile::tempdir().unwrap();
    build_all(&game, folder.path(), Kept::Wdl).unwrap();
    let verified = || verify_all(&game, folder.path()).unwrap_err().to_string();
    // The table below is another now, though it says the same of every position above.
    let distances = tempfile::tempdir().unwrap();
    build_all(&game, distances.path(), Kept::Distance).unwrap();
    let [here, there] = [&folder, &distances].map(|f| table_file(f.path(), SPEC, "1-1"));
    std::fs::copy(&there, &here).unwrap();
    assert!(
        verified().contains("was made from other tables than those"),
        "{}",
        verified()
    );
    std::fs::remove_file(&here).unwrap();
    assert_eq!(verified(), "the table of 1-1 is needed and is not there");
}
