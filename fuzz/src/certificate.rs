//! Certificates without their last line, which is added, since no fuzzer guesses a checksum. A
//! refusal says why; what is accepted is refused with any other checksum, and if it goes on or
//! breaks off.

use std::io::Cursor;
use std::path::Path;

use tabia_catalog::{Certificate, CertificateSummary, CheckError, CheckJob, check_certificate};
use tabia_game::Limits;

/// Positions that may be entered.
const MOST: u64 = 20_000;

fn check(text: String) -> Result<CertificateSummary, CheckError> {
    let certificate = Certificate::read(Box::new(Cursor::new(text)) as Box<_>)?;
    let checking = CheckJob {
        tables: Path::new("/nowhere"),
        limits: &Limits::nodes(MOST),
        progress: &mut |_| (),
    };
    check_certificate(certificate, checking)
}

/// The target.
pub fn target(text: &str) {
    let end = format!("end {}\n", blake3::hash(text.as_bytes()).to_hex());
    let summary = match check(format!("{text}{end}")) {
        Ok(summary) => summary,
        Err(error) => {
            assert!(!error.to_string().trim().is_empty(), "{error:?} is silent");
            return;
        }
    };
    let lines = text.lines().count() as u64;
    assert!(summary.entries < lines, "more moves than lines");
    assert!(summary.positions <= MOST, "a limit was overrun");
    let zeros = format!("end {}\n", "0".repeat(64));
    for other in [
        zeros,
        format!("{end}\n"),
        end.trim_end().to_string(),
        String::new(),
    ] {
        assert!(
            check(format!("{text}{other}")).is_err(),
            "{other:?} is accepted"
        );
    }
}
