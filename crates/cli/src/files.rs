//! Files that are never left half-written: written beside and renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
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
    } else if path.exists() && !path.is_file() {
        Ok(())
    } else {
        // Only an attempt tells what permissions, quotas and mounts allow. What a link leads to is
        // written beside it.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let trial = tempfile::tempfile_in(self::folder(&place));
        trial.map(drop).map_err(|error| {
            bad_request(format!("'{}' cannot be written: {error}", path.display()))
        })
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
    let mut whole = Whole::begin(path)?;
    let written = whole.file().write_all(text.as_bytes());
    written.with_context(|| not_written(path))?;
    whole.keep()
}

/// A file that appears under its name only when it is whole. Pipes, devices and whatever else is no
/// regular file are written to as they are: renaming would replace them.
pub struct Whole {
    writer: BufWriter<Target>,
    path: PathBuf,
}

enum Target {
    Beside(tempfile::NamedTempFile),
    Straight(File),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Beside(file) => file.write(bytes),
            Target::Straight(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Beside(file) => file.flush(),
            Target::Straight(file) => file.flush(),
        }
    }
}

impl Whole {
    /// Begins the file beside its place.
    pub fn begin(path: &Path) -> anyhow::Result<Whole> {
        // What a link leads to is written, and the link stays.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let target = if path.exists() && !path.is_file() {
            File::options()
                .write(true)
                .open(&path)
                .map(Target::Straight)
        } else {
            let mut builder = tempfile::Builder::new();
            like_any_new_file(&mut builder);
            builder.tempfile_in(folder(&path)).map(Target::Beside)
        };
        let target = target.with_context(|| not_written(&path))?;
        Ok(Whole {
            writer: BufWriter::new(target),
            path,
        })
    }

    /// What to write to.
    pub fn file(&mut self) -> &mut dyn Write {
        &mut self.writer
    }

    /// Puts the file in its place, for good even if the power fails.
    pub fn keep(self) -> anyhow::Result<()> {
        let Whole { writer, path } = self;
        let keep = || {
            let target = writer.into_inner().map_err(|error| error.into_error())?;
            if let Target::Beside(file) = target {
                file.as_file().sync_all()?;
                file.persist(&path).map_err(|error| error.error)?;
                sync_folder(&folder(&path))?;
            }
            Ok::<_, io::Error>(())
        };
        keep().with_context(|| not_written(&path))
    }
}

fn not_written(path: &Path) -> String {
    format!("'{}' cannot be written", path.display())
}

/// A renaming is lost with the power unless the folder is written, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The permissions of any new file, where the default would be those of a secret.
fn like_any_new_file(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = builder;
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
