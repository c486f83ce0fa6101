//! Table files: what is written is read, what is damaged is refused.

use crate::toy::{SPEC, as_kept, captures, heading};
use proptest::prelude::*;
use tabia_game::{Cancel, Indexed, Wdl, zobrist};
use tabia_tables::file::write;
use tabia_tables::{Kept, Table, TableError, TableValue, Tables, parse_slices, table_file};

/// A value that belongs to an index by luck.
fn lucky(index: u64) -> TableValue {
    let luck = zobrist::number(7, index);
    match luck % 3 {
        0 => TableValue::DRAW,
        1 => TableValue::win((luck >> 20) as u16 % 500),
        _ => TableValue::loss((luck >> 20) as u16 % 500),
    }
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tbl");
    // One block holds 262,144 values of two bits and 32,768 with distances.
    for positions in [0, 1, 5, 32_767, 32_768, 32_769, 262_144, 262_145, 600_001] {
        for kept in [Kept::Wdl, Kept::Distance] {
            let told = heading(positions, kept);
            let checksum = write(&file, told, lucky, &Cancel::default()).unwrap();
            for memory in [0, 100_000, u64::MAX] {
                let table = Table::open(&file).unwrap().keeping(memory);
                assert_eq!(table.checksum(), checksum);
                table.check(&Cancel::default()).unwrap();
                let counted = (0..positions).map(lucky).filter(|v| v.wdl == Wdl::Win);
                assert_eq!(table.header().win, counted.count() as u64);
                let step = if memory == 0 { 977 } else { 1 };
                for index in (0..positions).step_by(step) {
                    assert_eq!(table.value(index).unwrap(), as_kept(lucky(index), kept));
                }
                assert!(table.value(positions).is_err());
                assert!(table.value(u64::MAX).is_err());
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = [1, 4].map(|threads| {
        let file = folder.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let told = heading(3_000_000, Kept::Distance);
            write(&file, told, lucky, &Cancel::default()).unwrap();
        });
        std::fs::read(file).unwrap()
    });
    assert!(files[0] == files[1]);
}

/// The bytes of a small table with two blocks.
fn small() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tbl");
    // Long runs, so that the file is short.
    let value = |index: u64| lucky(index / 5000);
    write(
        &file,
        heading(40_000, Kept::Distance),
        value,
        &Cancel::default(),
    )
    .unwrap();
    std::fs::read(file).unwrap()
}

fn is_refused(bytes: Vec<u8>) -> bool {
    let table = Table::from_bytes("damaged.tbl", bytes);
    let checked = table.and_then(|table| table.check(&Cancel::default()));
    checked.is_err_and(|error| {
        error
            .to_string()
            .starts_with("'damaged.tbl' is no sound table: ")
    })
}

#[test]
fn every_changed_byte_is_noticed() {
    let sound = small();
    assert!(sound.len() < 3000, "{} bytes take too long", sound.len());
    assert!(!is_refused(sound.clone()));
    for at in 0..sound.len() {
        for bit in [1, 0x80] {
            let mut changed = sound.clone();
            changed[at] ^= bit;
            assert!(is_refused(changed), "byte {at}");
        }
    }
}

#[test]
fn files_that_are_too_short_or_too_long_are_refused() {
    let sound = small();
    for length in 0..sound.len() {
        let cut = sound[..length].to_vec();
        assert!(Table::from_bytes("cut", cut).is_err(), "{length} bytes");
    }
    let long = [&sound[..], b"x"].concat();
    assert!(Table::from_bytes("long", long).is_err());
    let shown = |bytes: &[u8]| {
        let error = Table::from_bytes("f", bytes.to_vec()).err().unwrap();
        error.to_string()
    };
    assert!(shown(b"no table").contains("does not begin with TABIATBL"));
    assert!(shown(&sound[..40]).contains("ends at byte 40, within the header"));
    let mut other = sound.clone();
    for version in [1, 9] {
        other[8] = version;
        let message = format!("it has version {version}, we know 2");
        assert!(shown(&other).contains(&message));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        header: bool,
    ) {
        let prefix: &[u8] = if header { b"TABIATBL\x02\0\0\0\x02\0\0\0" } else { b"" };
        let table = Table::from_bytes("any", [prefix, &bytes].concat());
        prop_assert!(table.is_err());
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tbl");
    // The last of several blocks holds a value without a code.
    let late = |index: u64| TableValue {
        plies: None,
        ..TableValue::win(u16::from(index < 290_000))
    };
    let late = |index: u64| {
        if index < 290_000 {
            lucky(index)
        } else {
            late(index)
        }
    };
    let failed = write(
        &file,
        heading(300_000, Kept::Distance),
        late,
        &Cancel::default(),
    );
    let message = failed.unwrap_err().to_string();
    assert!(
        message.contains("cannot hold the value of position 290000"),
        "{message}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    write(&file, heading(10, Kept::Wdl), lucky, &Cancel::default()).unwrap();
    let before = std::fs::read(&file).unwrap();
    let cancelled = Cancel::default();
    cancelled.cancel();
    let failed = write(&file, heading(20, Kept::Wdl), lucky, &cancelled);
    assert!(matches!(failed, Err(TableError::Stopped)));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn tables_of_other_games_and_slices_are_refused() {
    let game = captures();
    let folder = tempfile::tempdir().unwrap();
    let positions = game.slice_len((1, 1)).unwrap();
    let open = || Tables::open(&game, SPEC, folder.path(), &game.slices(), 0).err();
    let place = |slice: &str| table_file(folder.path(), SPEC, slice);
    let told = heading(positions, Kept::Wdl);
    let never = Cancel::default();

    write(&place("1-1"), told.clone(), lucky, &never).unwrap();
    assert!(open().is_none());
    write(&place("2-1"), told.clone(), lucky, &never).unwrap();
    assert!(
        open()
            .unwrap()
            .to_string()
            .contains("it is the table of 1-1, not of 2-1")
    );
    std::fs::remove_file(place("2-1")).unwrap();

    let mut other = told.clone();
    other.game = "toy:2,1".to_string();
    write(&place("1-1"), other, lucky, &never).unwrap();
    assert!(
        open()
            .unwrap()
            .to_string()
            .contains("it is a table of toy:2,1, not of toy:1,2")
    );

    write(
        &place("1-1"),
        heading(positions - 1, Kept::Wdl),
        lucky,
        &never,
    )
    .unwrap();
    assert!(
        open()
            .unwrap()
            .to_string()
            .contains("it has 1599 positions where there are 1600")
    );
}

#[test]
fn slices_in_words() {
    let game = captures();
    let read = |text| parse_slices(&game, text);
    assert_eq!(read("2-1"), Ok(vec![(2, 1)]));
    assert_eq!(read(" 2-1, 1-1,2-1 "), Ok(vec![(1, 1), (2, 1)]));
    assert_eq!(read("2..3"), Ok(vec![(1, 1), (1, 2), (2, 1)]));
    assert_eq!(read("1-1,4..9"), Ok(vec![(1, 1), (1, 3), (2, 2), (3, 1)]));
    assert_eq!(read(""), Ok(game.slices()));
    for bad in [
        "7-7",
        "2-1,",
        "..",
        "2..",
        "5..9",
        "3..2",
        "-1..3",
        "99999999999..3",
    ] {
        let error = read(bad).unwrap_err().to_string();
        assert!(error.contains("there are 1-1, 1-2, 1-3"), "{bad}: {error}");
        assert!(
            error.ends_with("ranges of sizes from 2..4"),
            "{bad}: {error}"
        );
    }
}
