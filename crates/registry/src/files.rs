//! Files from outside, of which no more is read than a bound: a device or a pipe may have no end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read of a file at once.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Reads a file whole, as [`std::fs::read`] does, unless it is longer than [`MAX_FILE_BYTES`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_within(File::open(path)?, MAX_FILE_BYTES)
}

/// Reads a text file whole, as [`std::fs::read_to_string`] does, unless it is longer than
/// [`MAX_FILE_BYTES`].
pub fn read_text(path: &Path) -> io::Result<String> {
    read_text_from(File::open(path)?)
}

/// Reads text to its end, unless it is longer than [`MAX_FILE_BYTES`].
pub fn read_text_from(reader: impl Read) -> io::Result<String> {
    let bytes = read_within(reader, MAX_FILE_BYTES)?;
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8");
    String::from_utf8(bytes).map_err(not_text)
}

fn read_within(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let reason = match most >> 20 {
            0 => format!("it is longer than {most} bytes, the most that is read"),
            megabytes => format!("it is longer than {megabytes}M, the most that is read"),
        };
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_the_bound() {
        assert_eq!(read_within(&b"12345"[..], 5).unwrap(), b"12345");
        let error = read_within(&b"123456"[..], 5).unwrap_err().to_string();
        assert_eq!(error, "it is longer than 5 bytes, the most that is read");
        let endless = read_within(io::repeat(7), 1 << 20).unwrap_err().to_string();
        assert_eq!(endless, "it is longer than 1M, the most that is read");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let error = read_text_from(&[0xff, 0xfe][..]).unwrap_err().to_string();
        assert_eq!(error, "it is not text in UTF-8");
    }
}
