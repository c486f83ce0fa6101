//! Files that are never left half-written: written beside and renamed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::failure::bad_request;

/// Refuses a path that nothing can be written to, before any work is done for it.
pub fn check_writable(path: &Path) -> anyhow::Result<()> {
    let folder = folder(path);
    if path.is_dir() {
        Err(bad_request(format!(
            "'{}' is a folder, not a file",
            path.display()
        )))
    } else if !folder.is_dir() {
        Err(bad_request(format!(
            "there is no folder '{}'",
            folder.display()
        )))
    } else {
        Ok(())
    }
}

/// Refuses to replace the file that is read, by whatever path it is named.
pub fn refuse_same(read: &Path, written: &Path) -> anyhow::Result<()> {
    match (read.canonicalize(), written.canonicalize()) {
        (Ok(read), Ok(written)) if read == written => Err(bad_request(format!(
            "'{}' is the file of results itself; give --output another name",
            written.display()
        ))),
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    check_writable(path)?;
    let write = || {
        // A pipe or a device is written to; renaming would replace it by a file.
        if path.exists() && !path.is_file() {
            return std::fs::write(path, text);
        }
        let mut beside =
            named_like_others(&mut tempfile::Builder::new()).tempfile_in(folder(path))?;
        beside.write_all(text.as_bytes())?;
        beside.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    write().with_context(|| format!("'{}' cannot be written", path.display()))
}

/// A file that appears under its name only when it is whole.
pub struct Whole {
    beside: tempfile::NamedTempFile,
    writer: BufWriter<File>,
    path: PathBuf,
}

impl Whole {
    /// Begins the file beside its place.
    pub fn begin(path: &Path) -> anyhow::Result<Whole> {
        let open = || {
            let beside =
                named_like_others(&mut tempfile::Builder::new()).tempfile_in(folder(path))?;
            let writer = BufWriter::new(beside.reopen()?);
            Ok::<_, std::io::Error>((beside, writer))
        };
        let (beside, writer) =
            open().with_context(|| format!("'{}' cannot be written", path.display()))?;
        Ok(Whole {
            beside,
            writer,
            path: path.to_path_buf(),
        })
    }

    /// What to write to.
    pub fn file(&mut self) -> &mut dyn Write {
        &mut self.writer
    }

    /// Puts the file in its place.
    pub fn keep(mut self) -> anyhow::Result<()> {
        let kept = self.writer.flush().and_then(|()| {
            self.beside.as_file().sync_all()?;
            self.beside.persist(&self.path).map_err(|e| e.error)
        });
        kept.with_context(|| format!("'{}' cannot be written", self.path.display()))?;
        Ok(())
    }
}

/// The permissions of any new file, where the default would be those of a secret.
#[cfg(unix)]
fn named_like_others<'a, 'p, 's>(
    builder: &'a mut tempfile::Builder<'p, 's>,
) -> &'a mut tempfile::Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn named_like_others<'a, 'p, 's>(
    builder: &'a mut tempfile::Builder<'p, 's>,
) -> &'a mut tempfile::Builder<'p, 's> {
    builder
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
