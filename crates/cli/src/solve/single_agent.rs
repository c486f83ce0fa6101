//! `tabia solve` of a game for one player: the best line, and whether it is proved to be that.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::{
    BestLine, Counter, Facet, Images, Record, SeekJob, Session, SolveMethod, printed_spec,
    read_text, record_format,
};
use tabia_game::Cancel;

use super::{Arguments, INDENT, effort};
use crate::arguments::OpenedGame;
use crate::best::stats;
use crate::console::{Console, counted, grouped, table, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::files::{check_writable, write_whole};
use crate::interrupt::cancel_on_interrupt;

/// The first option that means nothing in other games.
pub fn own_option(arguments: &Arguments) -> Option<&'static str> {
    let options = [
        ("--engine", arguments.engine.is_some()),
        ("--solution", arguments.solution.is_some()),
        ("--boards", arguments.boards.is_some()),
    ];
    let mut given = options.into_iter().filter(|(_, given)| *given);
    given.next().map(|(option, _)| option)
}

/// The first option that means nothing here.
fn foreign_option(arguments: &Arguments) -> Option<&'static str> {
    let options = [
        ("--method", arguments.method != SolveMethod::Auto.word()),
        ("--goal", arguments.goal.is_some()),
        ("--tables", arguments.tables.is_some()),
        ("--certificate", arguments.certificate.is_some()),
        ("--symmetry", arguments.symmetry != Images::Auto.word()),
    ];
    let mut given = options.into_iter().filter(|(_, given)| *given);
    given.next().map(|(option, _)| option)
}

fn refuse_foreign(arguments: &Arguments, spec: &str) -> anyhow::Result<()> {
    match foreign_option(arguments) {
        Some(option) => Err(bad_request(format!(
            "{option} is for games of two players; a search for {spec} is chosen by --engine"
        ))),
        None => Ok(()),
    }
}

/// The best line from a position, told of while it improves.
fn seek(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    position: &str,
    (title, cancel): (&str, &Cancel),
) -> anyhow::Result<BestLine> {
    let job = SeekJob {
        engine: arguments.engine.as_deref(),
        threads: arguments.threads.number(),
        limits: arguments.budget.limits(cancel.clone()),
    };
    let lines = Facet::Lines.require(opened.game.lines())?;
    let spinner = console.spinner(format!("solving {title}"));
    let found = lines.seek(position, &job, &mut |payoff, moves| {
        let moves = counted(moves.len() as u64, "move", "moves");
        spinner.set_message(format!("{title}: {payoff} so far, in {moves}"));
    });
    spinner.finish_and_clear();
    Ok(found?)
}

/// The position after the line.
fn played(
    opened: &OpenedGame,
    position: &str,
    line: &BestLine,
) -> anyhow::Result<Box<dyn Session>> {
    let mut session = opened.game.session(Some(position))?;
    session.play_line(&line.moves.join(" "))?;
    Ok(session)
}

fn record(spec: &str, position: &str, line: &BestLine, session: &dyn Session) -> Record {
    Record {
        game: spec.to_string(),
        position: Some(position.to_string()),
        seen: None,
        seats: vec![line.engine.clone()],
        result: session.ending().map(|ending| ending.text),
        moves: line.moves.clone(),
    }
}

/// Writes a record in the format that the name of the file asks for.
fn write_record(file: &Path, record: &Record) -> anyhow::Result<()> {
    let text = match record_format(file) {
        Some(format) => (format.write)(record)?,
        None => record.to_string(),
    };
    write_whole(file, &text)
}

pub fn run(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    spec: &str,
) -> anyhow::Result<()> {
    refuse_foreign(arguments, spec)?;
    if let Some(file) = &arguments.solution {
        check_writable(file)?;
    }
    let (position, cancel) = (opened.session.position(), cancel_on_interrupt());
    let line = seek(console, arguments, opened, &position, (spec, &cancel))?;
    let session = played(opened, &position, &line)?;
    if let Some(file) = &arguments.solution {
        let record = record(spec, &position, &line, &*session);
        write_record(file, &record)?;
    }
    if console.json {
        let file = arguments.solution.as_ref();
        console.print_json(&json!({
            "game": spec,
            "position": position,
            "engine": line.engine,
            "value": line.payoff,
            "proved": line.proved,
            "most": line.most,
            "line": line.moves,
            "finished": session.ending().is_some(),
            "nodes": line.nodes,
            "seconds": line.time.as_secs_f64(),
            "stats": stats(&line.counters),
            "solution": file.map(|file| file.display().to_string()),
        }))?;
    } else {
        console.print(&as_text(console, arguments, &position, &line, &*session))?;
    }
    end(&cancel, line.proved)
}

/// Says with which status to leave.
fn end(cancel: &Cancel, proved: bool) -> anyhow::Result<()> {
    if cancel.is_cancelled() {
        return Err(Interrupted.into());
    }
    if !proved {
        anyhow::bail!(
            "not proved to be the best; give more nodes or time, or choose an exact search with \
             --engine"
        );
    }
    Ok(())
}

/// One of several boards.
fn as_json(position: &str, line: &BestLine, session: &dyn Session) -> Value {
    json!({
        "position": position,
        "value": line.payoff,
        "proved": line.proved,
        "most": line.most,
        "line": line.moves,
        "finished": session.ending().is_some(),
        "nodes": line.nodes,
        "seconds": line.time.as_secs_f64(),
    })
}

fn verdict(line: &BestLine) -> String {
    match line.proved {
        true => "proved to be the best".to_string(),
        false => format!("the best found; no line pays more than {}", line.most),
    }
}

/// How many different positions were looked at, if the search tells.
fn remembered(line: &BestLine) -> Option<String> {
    let count = |wanted: &str| {
        let found = line.counters.iter().find(|(name, _)| *name == wanted);
        match found?.1 {
            Counter::One(count) => Some(count),
            _ => None,
        }
    };
    let (positions, forgotten) = (count("positions")?, count("forgotten")?);
    let positions = counted(positions, "position", "positions");
    Some(match forgotten {
        0 => format!("{positions}, nodes are visits of them"),
        n => format!(
            "{positions}, of which the table forgot {}: those count again when they are met again",
            grouped(n)
        ),
    })
}

fn as_text(
    console: &Console,
    arguments: &Arguments,
    position: &str,
    line: &BestLine,
    session: &dyn Session,
) -> String {
    let moves = counted(line.moves.len() as u64, "move", "moves");
    let mut lines = vec![
        ("position", position.to_string()),
        ("engine", line.engine.clone()),
        ("value", format!("{} in {moves}", line.payoff)),
        ("", verdict(line)),
        ("line", wrap(&line.moves, console.width, INDENT)),
        ("effort", effort(line.nodes, line.time)),
    ];
    lines.extend(remembered(line).map(|text| ("", text)));
    if session.ending().is_none() {
        lines.insert(4, ("", "the game is not over then".to_string()));
    }
    if let Some(file) = &arguments.solution {
        lines.push(("solution", file.display().to_string()));
    }
    let mut text = console.board(&session.picture()) + "\n";
    for (key, value) in lines {
        text += &format!("{key:<INDENT$}{value}\n");
    }
    text
}

/// Solves every position of a file.
pub fn run_boards(
    console: &Console,
    arguments: &Arguments,
    opened: &OpenedGame,
    file: &Path,
) -> anyhow::Result<()> {
    let spec = printed_spec(&opened.spec)?;
    refuse_foreign(arguments, &spec)?;
    let shown = file.display();
    let text =
        read_text(file).map_err(|e| bad_request(format!("'{shown}' cannot be read: {e}")))?;
    let positions = opened.game.positions(&text);
    let positions =
        positions.map_err(|e| bad_request(format!("'{shown}' has no boards of {spec}: {e}")))?;
    if positions.is_empty() {
        return Err(bad_request(format!("'{shown}' has no boards")));
    }
    if let Some(folder) = &arguments.solution {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("there can be no folder '{}'", folder.display()))?;
    }
    let cancel = cancel_on_interrupt();
    let mut found: Vec<(Value, BestLine)> = Vec::new();
    for (number, position) in (1..).zip(&positions) {
        let title = format!("board {number} of {}", positions.len());
        let line = seek(console, arguments, opened, position, (&title, &cancel))?;
        let session = played(opened, position, &line)?;
        if let Some(folder) = &arguments.solution {
            let record = record(&spec, position, &line, &*session);
            write_record(&folder.join(format!("{number}.txt")), &record)?;
        }
        found.push((as_json(position, &line, &*session), line));
        if cancel.is_cancelled() {
            break;
        }
    }
    let total: i64 = found.iter().map(|(_, line)| i64::from(line.payoff)).sum();
    if console.json {
        let boards: Vec<&Value> = found.iter().map(|(json, _)| json).collect();
        let engine = found.first().map(|(_, line)| &line.engine);
        let json = json!({ "game": spec, "engine": engine, "boards": boards, "total": total });
        console.print_json(&json)?;
    } else {
        let header = ["board", "value", "moves", "", "nodes", "seconds"];
        let row = |(number, (_, line)): (usize, &(Value, BestLine))| {
            vec![
                number.to_string(),
                line.payoff.to_string(),
                line.moves.len().to_string(),
                if line.proved { "proved" } else { "" }.to_string(),
                grouped(line.nodes),
                format!("{:.1}", line.time.as_secs_f64()),
            ]
        };
        let rows: Vec<Vec<String>> = (1..).zip(&found).map(row).collect();
        let time: Duration = found.iter().map(|(_, line)| line.time).sum();
        let nodes = found.iter().map(|(_, line)| line.nodes).sum();
        let mut text = table(console, &header, rows, CellAlignment::Right) + "\n";
        for (key, value) in [
            ("total", total.to_string()),
            ("effort", effort(nodes, time)),
        ] {
            text += &format!("{key:<INDENT$}{value}\n");
        }
        console.print(&text)?;
    }
    end(&cancel, found.iter().all(|(_, line)| line.proved))
}
