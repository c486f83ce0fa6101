//! `tabia verify`: check a certificate or a table, independently of what made it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabia_catalog::{
    CERTIFICATE_MAGIC, Certificate, CertificateHeader, CertificateSummary, CheckError, CheckJob,
    Claim, Record, TABLE_MAGIC, check_certificate, open, record_format, replay,
};
use tabia_game::Limits;

use crate::console::{Console, counted, grouped, sentence};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::table::{self, Folder};

/// Check a certificate, a table or the record of a game with the rules alone
///
/// A certificate gives the value of a position and the strategies that prove it. They are followed
/// against every defence; nothing is searched and nothing is believed but the rules of the game and
/// the tables that the certificate names. Of a table every entry is derived again from the moves of
/// its position, as by `tabia table verify`. A record, such as a solution of a game for one player,
/// is played through, and must lead to the result that it tells.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: file, kind (null if it is neither), game, position, value, goal (player and at_least, or
null), entries (moves listed), positions, tables (name and checksum), valid, reason (why not, or
null). Of a table what `tabia table verify` tells. Of a record: file, kind, game, position, moves
(their number), result and payoffs (null if the game is not over), valid, reason.

Exit status: 0 if it is valid, 1 if it is refused.

Examples:
  tabia verify tictactoe.cert
  tabia verify best.txt
  tabia verify fanorona.cert --tables /data/tables")]
pub struct Arguments {
    /// The file
    file: PathBuf,

    #[command(flatten)]
    folder: Folder,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    arguments.folder.refuse_if_missing()?;
    let file = &arguments.file;
    let shown = file.display();
    let unreadable = |e| bad_request(format!("'{shown}' cannot be read: {e}"));
    let mut reader = BufReader::new(File::open(file).map_err(unreadable)?);
    let begin = reader.fill_buf().map_err(unreadable)?;
    if begin.starts_with(CERTIFICATE_MAGIC.as_bytes()) {
        verify_certificate(console, file, Box::new(reader), &arguments.folder.path())
    } else if begin.starts_with(&TABLE_MAGIC) {
        table::verify_file(console, file, &arguments.folder)
    } else if let Some(record) = record(file, reader)? {
        verify_record(console, file, &record)
    } else {
        let neither = format!(
            "it is neither a certificate, which would begin with '{CERTIFICATE_MAGIC}1', nor a \
             table, nor a record of a game, which would have a line 'game: SPEC'"
        );
        if console.json {
            console.print_json(&as_json(file, None, None, None, Some(&neither)))?;
        }
        Err(refused(file, &neither))
    }
}

/// The largest record that is looked at.
const MAX_RECORD_BYTES: u64 = 16 << 20;

/// The record of a game, if that is what the file is.
fn record(file: &Path, reader: impl BufRead) -> io::Result<Option<Record>> {
    let mut bytes = Vec::new();
    reader.take(MAX_RECORD_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes).ok();
    Ok(text.and_then(|text| match record_format(file) {
        Some(format) => (format.read)(None, &text).ok(),
        None => text.parse().ok(),
    }))
}

/// Plays a record through by the rules, and compares what it says of the result with where it
/// leads.
fn verify_record(console: &Console, file: &Path, record: &Record) -> anyhow::Result<()> {
    let replayed = open(&record.game).and_then(|game| replay(record, &*game));
    let (ending, reason) = match replayed {
        Err(error) => (None, Some(error.to_string())),
        Ok(session) => {
            let ending = session.ending();
            let reached = ending.as_ref().map(|ending| ending.text.as_str());
            let reason = match (&record.result, reached) {
                (Some(told), Some(reached)) if told != reached => Some(format!(
                    "it tells of '{told}', but its moves lead to '{reached}'"
                )),
                (Some(told), None) => Some(format!(
                    "it tells of '{told}', but its moves do not end the game"
                )),
                _ => None,
            };
            (ending, reason)
        }
    };
    let result = ending.as_ref().map(|ending| ending.text.clone());
    if console.json {
        console.print_json(&json!({
            "file": file.display().to_string(),
            "kind": "record",
            "game": record.game,
            "position": record.position,
            "moves": record.moves.len(),
            "result": result,
            "payoffs": ending.map(|ending| ending.payoffs),
            "valid": reason.is_none(),
            "reason": reason,
        }))?;
    } else if reason.is_none() {
        let moves = counted(record.moves.len() as u64, "legal move", "legal moves");
        let result = result.unwrap_or_else(|| "the game is not over".to_string());
        let text = format!("{}\n{moves}\n{result}\n", record.game);
        console.print(&text)?;
    }
    match reason {
        None => Ok(()),
        Some(reason) => Err(refused(file, &reason)),
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
            let checking = CheckJob {
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
    summary: Option<CertificateSummary>,
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

fn as_text(console: &Console, header: &CertificateHeader, summary: CertificateSummary) -> String {
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
