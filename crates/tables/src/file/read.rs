//! Reading a table: mapped into memory, its blocks unpacked when they are first asked for.
//!
//! Header and index are checked on opening, every block before its first use, so a value that is
//! returned is one that was written.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use memmap2::Mmap;
use rayon::prelude::*;
use tabia_game::{Cancel, Probability};

use super::{
    Checksum, ENTRY, FOOTER, Layout, MAGIC, PRELUDE, TableError, TableHeader, VERSION, ValueCounts,
    checksum,
};
use crate::{Content, Kept, TableValue};

/// The values of one slice, kept in a file.
pub struct Table {
    file: String,
    bytes: Bytes,
    header: TableHeader,
    checksum: Checksum,
    layout: Layout,
    /// Of [`Layout::per_block`], the binary logarithm.
    shift: u32,
    blocks: Box<[Block]>,
    cache: Cache,
}

/// A block as it is packed: where it lies, and the checksum it must have.
struct Block {
    range: Range<usize>,
    checksum: [u8; blake3::OUT_LEN],
}

enum Bytes {
    Mapped(Mmap),
    Held(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => bytes,
        }
    }
}

/// The unpacked blocks.
enum Cache {
    /// There is room for all of them, and reading takes no lock.
    Whole(Box<[OnceLock<Box<[u8]>>]>),
    /// There is room for some; each has one slot it can be in.
    Some(Box<[Slot]>),
}

type Slot = Mutex<Option<(usize, Box<[u8]>)>>;

impl Table {
    /// Opens a file. Blocks that were unpacked are kept, unless [`Table::keeping`] says otherwise.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let file = File::open(path).map_err(TableError::io(path, "opened"))?;
        let metadata = file.metadata().map_err(TableError::io(path, "opened"))?;
        if metadata.is_dir() {
            let folder = io::ErrorKind::IsADirectory.into();
            return Err(TableError::io(path, "opened")(folder));
        }
        // An empty file cannot be mapped.
        let bytes = match metadata.len() {
            0 => Bytes::Held(Vec::new()),
            _ => Bytes::Mapped(map(&file).map_err(TableError::io(path, "read"))?),
        };
        Table::new(path.display().to_string(), bytes)
    }

    /// A table that lies in memory; the name is for messages.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::new(name.to_string(), Bytes::Held(bytes))
    }

    fn new(file: String, bytes: Bytes) -> Result<Table, TableError> {
        let parts = Parts::read(&bytes).map_err(|reason| TableError::Unsound {
            file: file.clone(),
            reason,
        })?;
        Ok(Table {
            file,
            shift: parts.layout.per_block().ilog2(),
            header: parts.header,
            checksum: parts.checksum,
            layout: parts.layout,
            cache: Cache::Whole(parts.blocks.iter().map(|_| OnceLock::new()).collect()),
            blocks: parts.blocks,
            bytes,
        })
    }

    /// Keeps this many bytes of unpacked blocks at most, but always one block.
    pub fn keeping(mut self, memory: u64) -> Table {
        if self.layout.bytes > memory {
            let slots = (memory / self.layout.block).max(1);
            self.cache = Cache::Some((0..slots).map(|_| Mutex::new(None)).collect());
        }
        self
    }

    /// The bytes of all values, unpacked.
    pub fn unpacked(&self) -> u64 {
        self.layout.bytes
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What the file says of itself.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Stands for everything in the file.
    pub fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// The bytes of the file.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The value of the position with this index.
    #[inline]
    pub fn value(&self, index: u64) -> Result<TableValue, TableError> {
        self.content(index)
    }

    /// What the table holds at this index, which must be of the kind that it keeps.
    #[inline]
    pub fn content<V: Content>(&self, index: u64) -> Result<V, TableError> {
        if index >= self.layout.positions {
            return Err(self.beyond(index));
        }
        let block = (index >> self.shift) as usize;
        let place = (index & ((1 << self.shift) - 1)) as usize;
        let kept = self.layout.kept;
        let value = match &self.cache {
            Cache::Whole(cells) => {
                let bytes = match cells[block].get() {
                    Some(bytes) => bytes,
                    None => {
                        let fresh = self.unpacked_block(block)?;
                        cells[block].get_or_init(|| fresh)
                    }
                };
                V::get(kept, bytes, place)
            }
            Cache::Some(slots) => {
                let slot = &slots[block % slots.len()];
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                match &*slot {
                    Some((held, bytes)) if *held == block => V::get(kept, bytes, place),
                    _ => {
                        let bytes = self.unpacked_block(block)?;
                        let value = V::get(kept, &bytes, place);
                        *slot = Some((block, bytes));
                        value
                    }
                }
            }
        };
        value.ok_or_else(|| self.no_value::<V>(index))
    }

    /// Checks every block, and that the values are as many of each kind as the header says.
    pub fn check(&self, cancel: &Cancel) -> Result<(), TableError> {
        let counts = match self.layout.kept {
            Kept::Chance => self.counted::<Probability>(cancel)?,
            Kept::Wdl | Kept::Distance => self.counted::<TableValue>(cancel)?,
            Kept::Bytes => self.counted::<u8>(cancel)?,
        };
        if counts != self.header.counts() {
            let told = self.header.counts();
            return Err(self.unsound(format!("it holds {counts}, its header says {told}")));
        }
        Ok(())
    }

    /// Reads every block and counts what is in it.
    fn counted<V: Content>(&self, cancel: &Cancel) -> Result<ValueCounts, TableError> {
        (0..self.blocks.len())
            .into_par_iter()
            .map(|block| {
                if cancel.is_cancelled() {
                    return Err(TableError::Stopped);
                }
                let bytes = self.unpacked_block(block)?;
                let mut counts = ValueCounts::default();
                for (place, index) in self.layout.places(block as u64).enumerate() {
                    let value = V::get(self.layout.kept, &bytes, place);
                    counts.add(value.ok_or_else(|| self.no_value::<V>(index))?, 1);
                }
                Ok(counts)
            })
            .try_reduce(ValueCounts::default, |a, b| Ok(a.and(b)))
    }

    /// All bytes of a table that keeps bytes, each block checked.
    pub fn whole(&self) -> Result<Vec<u8>, TableError> {
        if self.layout.kept != Kept::Bytes {
            return Err(self.no_value::<u8>(0));
        }
        let blocks: Vec<Box<[u8]>> = (0..self.blocks.len())
            .into_par_iter()
            .map(|block| self.unpacked_block(block))
            .collect::<Result<_, _>>()?;
        Ok(blocks.concat())
    }

    /// A block as it was before it was packed. Its place must exist.
    fn unpacked_block(&self, block: usize) -> Result<Box<[u8]>, TableError> {
        let Block { range, checksum } = &self.blocks[block];
        let place = || format!("block {block} at byte {}", range.start);
        let packed = self.bytes.get(range.clone()).unwrap_or_default();
        if blake3::hash(packed).as_bytes() != checksum {
            return Err(self.unsound(format!("{} has another checksum", place())));
        }
        let length = self.layout.unpacked(block as u64);
        let bytes = zstd::bulk::decompress(packed, length).map_err(|_| {
            self.unsound(format!("{} cannot be unpacked to {length} bytes", place()))
        })?;
        if bytes.len() != length {
            let reason = format!("{} holds {} bytes, not {length}", place(), bytes.len());
            return Err(self.unsound(reason));
        }
        Ok(bytes.into_boxed_slice())
    }

    #[cold]
    fn unsound(&self, reason: String) -> TableError {
        TableError::Unsound {
            file: self.file.clone(),
            reason,
        }
    }

    #[cold]
    fn no_value<V: Content>(&self, index: u64) -> TableError {
        let kept = self.layout.kept;
        if !V::is_in(kept) {
            return TableError::Foreign {
                file: self.file.clone(),
                reason: format!("it keeps values of another kind, '{}'", kept.word()),
            };
        }
        self.unsound(format!("position {index} has no value"))
    }

    #[cold]
    fn beyond(&self, index: u64) -> TableError {
        let positions = self.layout.positions;
        let reason = format!("there is no position {index} among its {positions}");
        TableError::Foreign {
            file: self.file.clone(),
            reason,
        }
    }
}

/// Maps a file into memory.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is sound as long as nobody changes the file. Tables are written beside their
    // place and renamed, never in place, so the file that was opened keeps its bytes even when its
    // name goes to another. The map is as long as the file was when it was made.
    unsafe { Mmap::map(file) }
}

/// What is known of a table before any block is read.
struct Parts {
    header: TableHeader,
    checksum: Checksum,
    layout: Layout,
    blocks: Box<[Block]>,
}

impl Parts {
    fn read(bytes: &[u8]) -> Result<Parts, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("it does not begin with TABIATBL".to_string());
        }
        let short = |what: &str| format!("it ends at byte {}, within the {what}", bytes.len());
        let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        match number(8) {
            Some(VERSION) => {}
            Some(other) => return Err(format!("it has version {other}, we know {VERSION}")),
            None => return Err(short("version")),
        }
        let header_length = number(12).ok_or_else(|| short("length of the header"))?;
        let header_end = PRELUDE.saturating_add(header_length as usize);
        let json = bytes
            .get(PRELUDE..header_end)
            .ok_or_else(|| short("header"))?;
        let footer_start = bytes
            .len()
            .checked_sub(FOOTER)
            .filter(|&at| at >= header_end);
        let footer_start = footer_start.ok_or_else(|| short("footer"))?;
        let footer = &bytes[footer_start..];
        let (start, told) = footer.split_first_chunk().ok_or_else(|| short("footer"))?;
        let index_start = usize::try_from(u64::from_le_bytes(*start)).ok();
        let index = index_start.and_then(|at| bytes.get(at..footer_start));
        let (Some(index_start), Some(index)) = (index_start, index) else {
            return Err(format!(
                "its footer at byte {footer_start} points to an index outside of the file"
            ));
        };
        let checksum = checksum(&bytes[..header_end], index);
        if checksum.0.as_bytes() != told {
            return Err(format!(
                "the checksum of header and index is not that of the footer at byte {footer_start}"
            ));
        }
        let header: TableHeader =
            serde_json::from_slice(json).map_err(|error| format!("its header: {error}"))?;
        let layout = Layout::new(header.positions, header.values, header.block)
            .ok_or("its header tells of an impossible number of positions or size of blocks")?;
        if index.len() as u64 != layout.blocks().saturating_mul(ENTRY as u64) {
            return Err(format!(
                "its index at byte {index_start} has {} bytes where {} blocks belong",
                index.len(),
                layout.blocks()
            ));
        }
        let blocks = blocks(index, header_end, index_start)?;
        Ok(Parts {
            header,
            checksum,
            layout,
            blocks,
        })
    }
}

/// Reads the index: blocks follow each other from the header to the index without a gap.
fn blocks(index: &[u8], header_end: usize, index_start: usize) -> Result<Box<[Block]>, String> {
    let mut start = header_end;
    let mut blocks = Vec::with_capacity(index.len() / ENTRY);
    for entry in index.chunks_exact(ENTRY) {
        let number = blocks.len();
        let block = entry.split_first_chunk().and_then(|(end, checksum)| {
            let end = usize::try_from(u64::from_le_bytes(*end)).ok()?;
            let fits = (start..=index_start).contains(&end);
            fits.then_some(Block {
                range: start..end,
                checksum: checksum.try_into().ok()?,
            })
        });
        let block = block.ok_or_else(|| format!("its index places block {number} wrongly"))?;
        start = block.range.end;
        blocks.push(block);
    }
    if start != index_start {
        return Err(format!("bytes {start} to {index_start} belong to no block"));
    }
    Ok(blocks.into_boxed_slice())
}
