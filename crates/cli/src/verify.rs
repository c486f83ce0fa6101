//! `tabia verify`: check a certificate or a table, independently of what made it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabia_catalog::{
    CERTIFICATE_MAGIC, Certificate, CertificateHeader, CheckError, Checking, Claim, Summary,
    TABLE_MAGIC, check_certificate,
};
use tabia_game::Limits;

use crate::console::{Console, counted, grouped, sentence};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::table::{self, Folder};

/// Check a certificate or a table with the rules alone
///
/// A certificate gives the value of a position and the strategies that prove it. They are followed
/// against every defence; nothing is searched and nothing is believed but the rules of the game and
/// the tables that the certificate names. Of a table every entry is derived again from the moves of
/// its position, as by `tabia table verify`.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: file, kind (null if it is neither), game, position, value, goal (player and at_least, or
null), entries (moves listed), positions, tables (name and checksum), valid, reason (why not, or
null). Of a table what `tabia table verify` tells.

Exit status: 0 if it is valid, 1 if it is refused.

Examples:
  tabia verify tictactoe.cert
  tabia verify fanorona.cert --tables /data/tables")]
pub struct Arguments {
    /// The file
    file: PathBuf,

    #[command(flatten)]
    folder: Folder,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.file;
    let shown = file.display();
    let unreadable = |e| bad_request(format!("'{shown}' cannot be read: {e}"));
    let mut reader = BufReader::new(File::open(file).map_err(unreadable)?);
    let begin = reader.fill_buf().map_err(unreadable)?;
    if begin.starts_with(CERTIFICATE_MAGIC.as_bytes()) {
        verify_certificate(console, file, Box::new(reader), &arguments.folder.path())
    } else if begin.starts_with(&TABLE_MAGIC) {
        table::verify_file(console, file, &arguments.folder)
    } else {
        let neither = format!(
            "it is neither a certificate, which would begin with '{CERTIFICATE_MAGIC}1', nor a table"
        );
        if console.json {
            console.print_json(&as_json(file, None, None, None, Some(&neither)))?;
        }
        Err(refused(file, &neither))
    }
}

fn verify_certificate(
    console: &Console,
    file: &Path,
    reader: Box<dyn BufRead>,
    folder: &Path,
) -> anyhow::Result<()> {
    let (header, checked) = match Certificate::read(reader) {
        Err(refused) => (None, Err(refused)),
        Ok(certificate) => {
            let header = certificate.header.clone();
            let spinner = console.spinner("checking".to_string());
            let checking = Checking {
                tables: folder,
                limits: &Limits {
                    cancel: cancel_on_interrupt(),
                    ..Limits::default()
                },
                progress: &mut |positions| {
                    spinner.set_message(format!("{} positions", grouped(positions)));
                },
            };
            let checked = check_certificate(certificate, checking);
            spinner.finish_and_clear();
            (Some(header), checked)
        }
    };
    let (summary, reason) = match checked {
        Ok(summary) => (Some(summary), None),
        Err(refused @ CheckError::Refused { .. }) => (None, Some(refused.to_string())),
        Err(CheckError::Stopped(_)) => return Err(Interrupted.into()),
        Err(error @ CheckError::Read(_)) => return Err(error.into()),
    };
    if console.json {
        let kind = Some("certificate");
        let reason = reason.as_deref();
        console.print_json(&as_json(file, kind, header.as_ref(), summary, reason))?;
    } else if let (Some(header), Some(summary)) = (&header, summary) {
        console.print(&as_text(console, header, summary))?;
    }
    match reason {
        None => Ok(()),
        Some(reason) => Err(refused(file, &reason)),
    }
}

fn refused(file: &Path, reason: &str) -> anyhow::Error {
    anyhow::anyhow!("'{}' is refused: {reason}", file.display())
}

fn as_json(
    file: &Path,
    kind: Option<&str>,
    header: Option<&CertificateHeader>,
    summary: Option<Summary>,
    reason: Option<&str>,
) -> Value {
    let (value, goal) = match header.map(|header| &header.claim) {
        Some(Claim::Value(value)) => (Some(value.word()), None),
        Some(Claim::Goal { player, at_least }) => {
            let goal = json!({ "player": player, "at_least": at_least.word() });
            (None, Some(goal))
        }
        None => (None, None),
    };
    let tables = header.into_iter().flat_map(|header| &header.tables);
    let table = |(name, checksum)| json!({ "name": name, "checksum": checksum });
    json!({
        "file": file.display().to_string(),
        "kind": kind,
        "game": header.map(|header| &header.game),
        "position": header.map(|header| &header.position),
        "value": value,
        "goal": goal,
        "entries": summary.map(|summary| summary.entries),
        "positions": summary.map(|summary| summary.positions),
        "tables": tables.map(table).collect::<Vec<_>>(),
        "valid": reason.is_none(),
        "reason": reason,
    })
}

fn as_text(console: &Console, header: &CertificateHeader, summary: Summary) -> String {
    let claim = match &header.claim {
        Claim::Value(value) => format!("a {} for the player to move", value.word()),
        Claim::Goal { player, at_least } => format!("{player} has at least a {}", at_least.word()),
    };
    let mut text = format!("{}\n{}\n", header.game, header.position);
    text += &sentence(console, &format!("proved: {claim}"));
    text += &sentence(
        console,
        &format!(
            "{}, {} listed",
            counted(summary.positions, "position", "positions"),
            counted(summary.entries, "move", "moves")
        ),
    );
    for name in header.tables.keys() {
        text += &sentence(console, &format!("relies on the table {name}"));
    }
    text
}
