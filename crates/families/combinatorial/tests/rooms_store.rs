//! Tables of rooms in files: what is written is read, and what is wrong is found.

use std::path::Path;

use proptest::prelude::*;
use tabia_combinatorial::amazons::rooms::RoomTables;
use tabia_combinatorial::amazons::rooms::active::{Active, Minimax};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::kind::RoomKind;
use tabia_combinatorial::amazons::rooms::spec::{GAME, Spec};
use tabia_combinatorial::amazons::rooms::store;
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_game::Cancel;
use tabia_tables::file::{Heading, write};
use tabia_tables::{
    BuildError, Kept, Kind, Symmetry, Table, TableError, TableForm, TableJob, VerifyError, plan,
    verify,
};

const ALL: [&str; 5] = [
    "rooms:3x3",
    "territory:3x3,queens=4",
    "active:3x3,values=minimax",
    "active:3x3,values=canonical",
    "active:3x3,values=thermograph",
];
const MEMORY: u64 = 1 << 30;

fn spec(text: &str) -> Spec {
    Spec::parse(text).unwrap()
}

fn job(folder: &Path, memory: u64) -> TableJob<'_> {
    let form = TableForm {
        values: Kept::Bytes,
        symmetry: Symmetry::None,
    };
    TableJob {
        spec: GAME,
        folder,
        form,
        memory,
    }
}

/// Builds a table and what it relies on; which of them were built.
fn try_to_build(
    text: &str,
    folder: &Path,
    memory: u64,
    cancel: &Cancel,
) -> Result<Vec<bool>, BuildError> {
    let names = RoomKind.named(text).unwrap();
    let job = job(folder, memory);
    let plan = plan(&RoomKind, &names, job)?;
    let built = tabia_tables::build(&RoomKind, &plan, job, cancel, &|_, _, _| {})?;
    Ok(built.iter().map(Option::is_some).collect())
}

fn build(text: &str, folder: &Path) -> Vec<bool> {
    try_to_build(text, folder, MEMORY, &Cancel::default()).unwrap()
}

fn check(text: &str, folder: &Path) -> Result<u64, VerifyError> {
    let names = RoomKind.named(text).unwrap();
    let (job, cancel) = (job(folder, MEMORY), Cancel::default());
    let verified = verify(&RoomKind, &names, job, &cancel, &|_, _, _| {})?;
    Ok(verified.iter().map(|table| table.entries).sum())
}

#[test]
fn what_is_written_is_read_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    for text in ALL {
        assert_eq!(build(text, folder.path()).last(), Some(&true));
        assert!(!build(text, folder.path()).contains(&true), "{text}");
        assert!(check(text, folder.path()).unwrap() > 0);
    }
    let frame = Frame::new(3, 3).unwrap();
    let tables = RoomTables::open(folder.path(), frame.clone(), &Cancel::default());
    let mut tables = tables.unwrap().unwrap();
    let atlas = Atlas::new(frame, &Cancel::default()).unwrap();
    let territories = Territories::build(&atlas, 4, &Cancel::default(), &|_| {}).unwrap();
    assert_eq!(tables.territories().listed(), territories.listed());
    let scores = Active::build(
        &atlas,
        &territories,
        Minimax,
        9,
        &Cancel::default(),
        &|_| {},
    );
    let read = store::read_scores(&atlas, folder.path(), 9).unwrap();
    assert_eq!(read.entries(), scores.unwrap().entries());
    // Thermographs and values come from different files and agree.
    let graphs = store::read_thermographs(&atlas, folder.path(), 9).unwrap();
    let values = tables.values_mut().unwrap();
    for (place, &value) in values.entries().to_vec().iter().enumerate() {
        let expected = values.kind_mut().values_mut().thermograph(value).unwrap();
        let graph = graphs.kind().graph(graphs.entries()[place]);
        assert_eq!(
            (graph.left(), graph.right()),
            (expected.left(), expected.right())
        );
        assert_eq!(graph.temperature(), expected.temperature());
    }
}

/// Writes a table with other bytes, and right checksums.
fn forge(text: &str, folder: &Path, change: impl Fn(&mut Vec<u8>)) {
    let path = store::file(folder, &spec(text));
    let table = Table::open(&path).unwrap();
    let mut bytes = table.whole().unwrap();
    change(&mut bytes);
    let heading = Heading {
        game: GAME.to_string(),
        slice: table.header().slice.clone(),
        positions: bytes.len() as u64,
        form: TableForm {
            values: Kept::Bytes,
            symmetry: Symmetry::None,
        },
        relies_on: table.header().relies_on.clone(),
    };
    drop(table);
    write(&path, heading, |i| bytes[i as usize], &Cancel::default()).unwrap();
}

#[test]
fn every_kind_of_error_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for text in ALL {
        build(text, folder);
    }
    let refused = |text: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = store::file(folder, &spec(text));
        let kept = std::fs::read(&path).unwrap();
        forge(text, folder, change);
        let error = check(text, folder).unwrap_err().to_string();
        std::fs::write(&path, kept).unwrap();
        error
    };
    let flip = |at: usize, by: u8| {
        move |bytes: &mut Vec<u8>| {
            let at = if at < usize::MAX { at } else { bytes.len() - 4 };
            bytes[at] = bytes[at].wrapping_add(by);
        }
    };
    assert!(refused(ALL[0], &flip(0, 1)).contains("other rooms"));
    assert!(refused(ALL[0], &flip(12, 1)).contains("is not of the class"));
    // One defect more, and a defective territory that is left out.
    let error = refused(ALL[1], &flip(8, 1));
    assert!(error.contains("have 1 moves, not 0"), "{error}");
    let error = refused(ALL[1], &|bytes| {
        bytes.drain(..9);
    });
    assert!(error.contains("have 1 moves, not 2"), "{error}");
    for at in [0, 1, 40, 301] {
        let error = refused(ALL[2], &flip(at, 1));
        assert!(error.contains("does not follow"), "{error}");
    }
    for text in [ALL[3], ALL[4]] {
        let error = refused(text, &flip(usize::MAX, 1));
        assert!(error.contains("does not follow"), "{error}");
    }
    // Made from other territories.
    forge("territory:3x3,queens=1", folder, |bytes| {
        bytes.drain(..9);
    });
    let error = check(ALL[2], folder).unwrap_err().to_string();
    assert!(error.contains("have 1 moves, not 2"), "{error}");
    assert!(build(ALL[2], folder).contains(&true));
}

#[test]
fn sizes_that_would_take_too_much_are_refused_before_anything_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let large = "active:4x6,values=canonical";
    let error = try_to_build(large, folder.path(), 4 << 30, &Cancel::default());
    let error = error.unwrap_err();
    assert!(matches!(
        error,
        BuildError::Table(TableError::Memory { .. })
    ));
    assert!(error.to_string().contains("GiB of memory"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    for text in [
        "rooms:5x5",
        "rooms:0x3",
        "territory:4x4,queens=5",
        "halls:3x3",
        "active:3x3,values=no",
    ] {
        assert!(Spec::parse(text).is_err(), "{text}");
    }
    assert_eq!(
        spec("active:5x4").to_string(),
        "active:4x5,values=minimax,size=20"
    );
}

#[test]
fn work_that_is_stopped_leaves_no_table() {
    let folder = tempfile::tempdir().unwrap();
    for text in ALL {
        let stop = Cancel::default();
        stop.cancel();
        let error = try_to_build(text, folder.path(), MEMORY, &stop);
        assert!(matches!(
            error.unwrap_err(),
            BuildError::Table(TableError::Stopped)
        ));
    }
    let left = std::fs::read_dir(folder.path().join("amazons")).unwrap();
    assert_eq!(
        left.filter(|e| e.as_ref().unwrap().path().extension().is_some())
            .count(),
        0
    );
}

proptest! {
    /// Any bytes are read or refused.
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        start in 0usize..3,
    ) {
        let atlas = Atlas::new(Frame::new(2, 2).unwrap(), &Cancel::default()).unwrap();
        // Small counts at the beginning lead further into the file.
        let mut counted = vec![start as u8, 0, 0, 0, 1];
        counted.extend(&bytes);
        for text in [
            "rooms:2x2",
            "territory:2x2",
            "active:2x2",
            "active:2x2,values=canonical",
            "active:2x2,values=thermograph",
        ] {
            store::read_bytes(&spec(text), &atlas, &bytes);
            store::read_bytes(&spec(text), &atlas, &counted);
        }
    }
}
