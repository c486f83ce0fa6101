//! Writing a table: beside its place, then renamed, so that no broken file is ever found there.
//!
//! Blocks are packed by all threads and written in order; the bytes depend on the values alone.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tabia_game::Cancel;
use tabia_game::threads;

use super::{
    BLOCK, Checksum, Heading, Layout, MAGIC, TableError, TableForm, TableHeader, VERSION,
    ValueCounts, checksum, parent,
};
use crate::Content;

/// How the names of files end that are not finished.
pub const TEMPORARY: &str = ".part";
/// The effort of the compression: beyond it files hardly become smaller.
const LEVEL: i32 = 9;
/// Blocks that are packed before they are written.
const BATCH: u64 = 64;

/// Writes the values of a slice to a file, whole or not at all; `value` tells them by their index.
pub fn write<V: Content, F>(
    path: &Path,
    heading: Heading,
    value: F,
    cancel: &Cancel,
) -> Result<Checksum, TableError>
where
    F: Fn(u64) -> V + Sync,
{
    let broken = |error| TableError::io(path, "written")(error);
    let folder = parent(path);
    std::fs::create_dir_all(&folder).map_err(broken)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Those of any new file, where the default would be those of a secret.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut beside = builder.tempfile_in(&folder).map_err(broken)?;
    let checksum = write_to(beside.as_file_mut(), path, heading, value, cancel)?;
    beside.as_file().sync_all().map_err(broken)?;
    beside.persist(path).map_err(|error| broken(error.error))?;
    sync_folder(&folder).map_err(broken)?;
    Ok(checksum)
}

/// A renaming is lost with the power unless the folder is written, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Writes a table to anything; `path` is for messages only.
pub(super) fn write_to<W, V, F>(
    out: W,
    path: &Path,
    heading: Heading,
    value: F,
    cancel: &Cancel,
) -> Result<Checksum, TableError>
where
    W: Write,
    V: Content,
    F: Fn(u64) -> V + Sync,
{
    let broken = |error| TableError::io(path, "written")(error);
    let unsound = |reason: &str| TableError::Unsound {
        file: path.display().to_string(),
        reason: reason.to_string(),
    };
    let layout = Layout::new(heading.positions, heading.form.values, BLOCK)
        .ok_or_else(|| unsound("a slice of so many positions cannot be written"))?;
    let header = header(heading, &layout, &value);
    let json = serde_json::to_vec(&header).map_err(|error| broken(error.into()))?;
    let length = u32::try_from(json.len()).map_err(|_| unsound("the header is too long"))?;
    let mut beginning = MAGIC.to_vec();
    beginning.extend(VERSION.to_le_bytes());
    beginning.extend(length.to_le_bytes());
    beginning.extend(json);

    let mut out = BufWriter::new(out);
    out.write_all(&beginning).map_err(broken)?;
    let mut end = beginning.len() as u64;
    let mut index = Vec::new();
    for first in (0..layout.blocks()).step_by(BATCH as usize) {
        if cancel.is_cancelled() {
            return Err(TableError::Stopped);
        }
        let count = layout.blocks().min(first + BATCH) - first;
        // Of several blocks that fail the first is told of, whichever thread was the faster.
        let packed = threads::map(count, &|n| pack(path, &layout, first + n, &value));
        for packed in packed {
            let (bytes, hash) = packed?;
            out.write_all(&bytes).map_err(broken)?;
            end += bytes.len() as u64;
            index.extend(end.to_le_bytes());
            index.extend(hash.as_bytes());
        }
    }
    let checksum = checksum(&beginning, &index);
    out.write_all(&index).map_err(broken)?;
    out.write_all(&end.to_le_bytes()).map_err(broken)?;
    out.write_all(checksum.0.as_bytes()).map_err(broken)?;
    out.flush().map_err(broken)?;
    Ok(checksum)
}

/// Counts what the header tells of the values.
fn header<V, F>(heading: Heading, layout: &Layout, value: &F) -> TableHeader
where
    V: Content,
    F: Fn(u64) -> V + Sync,
{
    let blocks = threads::map(layout.blocks(), &|block| {
        let mut counts = ValueCounts::default();
        layout
            .places(block)
            .for_each(|index| counts.add(value(index), 1));
        counts
    });
    let counts = blocks
        .into_iter()
        .fold(ValueCounts::default(), ValueCounts::and);
    let TableForm { values, symmetry } = heading.form;
    let keeps_plies = values == super::Kept::Distance;
    TableHeader {
        game: heading.game,
        slice: heading.slice,
        symmetry,
        positions: heading.positions,
        values,
        block: BLOCK,
        win: counts.win,
        draw: counts.draw,
        loss: counts.loss,
        max_plies: counts.max_plies.filter(|_| keeps_plies),
        relies_on: heading.relies_on,
    }
}

fn pack<V: Content, F: Fn(u64) -> V>(
    path: &Path,
    layout: &Layout,
    block: u64,
    value: &F,
) -> Result<(Vec<u8>, blake3::Hash), TableError> {
    let mut bytes = vec![0; layout.unpacked(block)];
    for (place, index) in layout.places(block).enumerate() {
        let put = value(index).put(layout.kept, &mut bytes, place);
        put.map_err(|reason| TableError::Value {
            file: path.display().to_string(),
            index,
            reason,
        })?;
    }
    let packed = zstd::bulk::compress(&bytes, LEVEL).map_err(TableError::io(path, "packed"))?;
    let hash = blake3::hash(&packed);
    Ok((packed, hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Table;
    use crate::{Kept, Symmetry, TableValue};

    /// A disk with so much room.
    struct Disk {
        room: usize,
        written: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.room - self.written.len();
            if left == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = &bytes[..bytes.len().min(left)];
            self.written.extend(taken);
            Ok(taken.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_told_and_what_it_holds_is_no_table() {
        let written = |room: usize| {
            let mut disk = Disk {
                room,
                written: Vec::new(),
            };
            let heading = Heading {
                game: "toy".to_string(),
                slice: "1-1".to_string(),
                positions: 600_000,
                form: TableForm {
                    values: Kept::Wdl,
                    symmetry: Symmetry::None,
                },
                relies_on: Vec::new(),
            };
            let value = |index: u64| match index / 1000 % 3 {
                0 => TableValue::DRAW,
                1 => TableValue::win(1),
                _ => TableValue::loss(2),
            };
            let path = Path::new("full.tbl");
            let done = write_to(&mut disk, path, heading, value, &Cancel::default());
            (done, disk.written)
        };
        let (done, whole) = written(1 << 20);
        let table = Table::from_bytes("whole", whole.clone()).unwrap();
        assert_eq!(done.unwrap(), table.checksum());
        for room in (0..whole.len()).step_by(7) {
            let (done, cut) = written(room);
            let message = done.unwrap_err().to_string();
            assert!(
                message.starts_with("'full.tbl' cannot be written: "),
                "{message}"
            );
            assert!(Table::from_bytes("cut", cut).is_err());
        }
        assert_eq!(written(whole.len()).1, whole);
    }
}
