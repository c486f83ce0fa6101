//! `tabia results`: what a file of results holds, and its games once more.

mod replay;

use std::path::PathBuf;

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::{AnyGame, Record, Session, open};
use tabia_game::picture::terminal;
use tabia_lab::export::{self, ExportFormat, StoredRun};
use tabia_lab::matches::PlayedGame;
use tabia_lab::referee::Ending;
use tabia_lab::report;
use tabia_lab::store::{Run, RunKind, Store};

use crate::console::{Console, columns, grouped, sentence, table};
use crate::failure::bad_request;
use crate::files;
use crate::matches;

/// Look into a file of results, export its games, or play one of them again
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia results list loa.db
  tabia results show loa.db
  tabia results show loa.db --game 7 --save game.txt
  tabia results export loa.db --format csv --output games.csv
  tabia results replay loa.db --game 7")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArguments),
    Show(ShowArguments),
    Export(ExportArguments),
    Replay(replay::Arguments),
}

/// List the runs of a file
#[derive(clap::Args)]
#[command(after_help = "\
JSON: a list of id, kind, title, games, cells, complete, version, started, finished.")]
struct ListArguments {
    /// The file of results
    file: PathBuf,
}

/// Which run of which file.
#[derive(clap::Args)]
struct Which {
    /// The file of results
    file: PathBuf,

    /// The run; the newest one if none is named
    #[arg(long, value_name = "N")]
    run: Option<i64>,
}

impl Which {
    fn read(&self) -> anyhow::Result<(Store, StoredRun)> {
        let store = Store::open(&self.file)?;
        let stored = StoredRun::read(&store, self.run)?;
        Ok((store, stored))
    }
}

/// Show a run, or one of its games
#[derive(clap::Args)]
#[command(after_help = "\
JSON: run, kind, title, version, started, finished, games, settings, plan, players (name,
spec, full_spec, version), summary (of a match), crosstable, cells (of an experiment). With --game:
run, number, round, game, seed, seats, position, opening, moves, payoffs, ending, result, final,
board, efforts.")]
struct ShowArguments {
    #[command(flatten)]
    which: Which,

    /// One of its games
    #[arg(long, value_name = "K")]
    game: Option<u64>,

    /// Write that game to a file as a record, which `tabia show --record` and others read
    #[arg(long, value_name = "FILE", requires = "game")]
    save: Option<PathBuf>,
}

/// Write the games of a run in a format that other programs read
///
/// CSV and JSON lines exist for every game, PGN and SGF for those that these formats know.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia results export loa.db --format csv --output games.csv
  tabia results export loa.db --format sgf --run 2")]
struct ExportArguments {
    #[command(flatten)]
    which: Which,

    /// The format
    #[arg(long, value_enum)]
    format: FormatArgument,

    /// Where to write it; standard output if nothing is said
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatArgument {
    Csv,
    Jsonl,
    Pgn,
    Sgf,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::List(arguments) => list(console, arguments),
        Command::Show(arguments) => show(console, arguments),
        Command::Export(arguments) => export(console, arguments),
        Command::Replay(arguments) => replay::run(console, arguments),
    }
}

fn list(console: &Console, arguments: &ListArguments) -> anyhow::Result<()> {
    let runs = Store::open(&arguments.file)?.runs()?;
    if console.json {
        let run = |run: &Run| {
            json!({
                "id": run.id,
                "kind": run.kind,
                "title": run.title,
                "games": run.games,
                "cells": run.cells,
                "complete": run.finished.is_some(),
                "version": run.version,
                "started": run.started,
                "finished": run.finished,
            })
        };
        return console.print_json(&runs.iter().map(run).collect());
    }
    if runs.is_empty() {
        return console.print("there is no run yet\n");
    }
    let row = |run: &Run| {
        vec![
            run.id.to_string(),
            run.kind.word().to_string(),
            run.title.clone(),
            size(run),
            state(run).to_string(),
            minute(&run.started),
            run.version.clone(),
        ]
    };
    let header = [
        "RUN", "KIND", "TITLE", "SIZE", "STATE", "STARTED", "VERSION",
    ];
    let rows = runs.iter().map(row).collect();
    console.print(&table(console, &header, rows, CellAlignment::Left))
}

fn size(run: &Run) -> String {
    match run.kind {
        RunKind::Experiment => format!("{} cells", grouped(run.cells)),
        RunKind::Match | RunKind::Tournament => format!("{} games", grouped(run.games)),
    }
}

fn state(run: &Run) -> &'static str {
    match run.finished {
        Some(_) => "finished",
        None => "unfinished",
    }
}

/// A stored time without its seconds.
fn minute(time: &str) -> String {
    time.chars()
        .take("2026-01-01T00:00".len())
        .collect::<String>()
        .replace('T', " ")
}

fn show(console: &Console, arguments: &ShowArguments) -> anyhow::Result<()> {
    let (store, stored) = arguments.which.read()?;
    if let Some(number) = arguments.game {
        let game = stored.find(number)?;
        return show_game(console, arguments, &stored, game);
    }
    let plan = stored.plan()?;
    let summary = plan.as_ref().map(|plan| stored.summary(plan)).transpose()?;
    let settings = report::settings(&stored, plan.as_ref());
    let crosstable = report::crosstable(&stored)?;
    let cells = store.cells(stored.run.id)?;
    if console.json {
        let run = &stored.run;
        let settings: serde_json::Map<String, Value> = settings
            .into_iter()
            .map(|(name, value)| (name, Value::String(value)))
            .collect();
        let players = stored.players.iter().map(|player| {
            json!({
                "name": player.entrant.name,
                "spec": player.entrant.spec,
                "full_spec": player.full_spec,
                "version": player.version,
            })
        });
        return console.print_json(&json!({
            "run": run.id,
            "kind": run.kind,
            "title": run.title,
            "version": run.version,
            "started": run.started,
            "finished": run.finished,
            "games": run.games,
            "settings": settings,
            "plan": run.plan,
            "players": players.collect::<Value>(),
            "summary": summary,
            "crosstable": crosstable,
            "cells": cells
                .iter()
                .map(|(name, sample)| json!({ "name": name, "sample": sample }))
                .collect::<Value>(),
        }));
    }
    let mut text = format!(
        "run {}: {}, {}, begun {}, version {}\n",
        stored.run.id,
        stored.run.kind.word(),
        state(&stored.run),
        minute(&stored.run.started),
        stored.run.version
    );
    text += &match (&plan, &summary) {
        (Some(plan), Some(summary)) => matches::tell(console, plan, summary),
        _ => format!("{}\n", stored.run.title),
    };
    if let (None, Some(cross)) = (&plan, &crosstable) {
        let header: Vec<&str> = cross.header.iter().map(String::as_str).collect();
        text.push('\n');
        text += &table(console, &header, cross.rows.clone(), CellAlignment::Right);
    }
    if !cells.is_empty() {
        let row =
            |(name, sample): &(String, Vec<Vec<f64>>)| vec![name.clone(), sample.len().to_string()];
        text.push('\n');
        text += &table(
            console,
            &["CELL", "ITEMS"],
            cells.iter().map(row).collect(),
            CellAlignment::Right,
        );
    }
    text.push('\n');
    for player in &stored.players {
        let version = player.version.as_ref().map(|v| format!(" ({v})"));
        let words = format!(
            "{}: {}{}",
            player.entrant.name,
            player.full_spec,
            version.unwrap_or_default()
        );
        text += &sentence(console, &words);
    }
    text.push('\n');
    for (name, value) in settings {
        text += &sentence(console, &format!("{name}: {value}"));
    }
    console.print(&text)
}

/// How a stored game stands at its end.
fn replayed(rules: &dyn AnyGame, game: &PlayedGame) -> anyhow::Result<Box<dyn Session>> {
    let mut session = rules.session(game.position.as_deref())?;
    session.play_line(&game.moves.join(" "))?;
    Ok(session)
}

fn show_game(
    console: &Console,
    arguments: &ShowArguments,
    stored: &StoredRun,
    game: &PlayedGame,
) -> anyhow::Result<()> {
    let spec = stored.game()?;
    let rules = open(spec)?;
    let session = replayed(&*rules, game)?;
    if let Some(file) = &arguments.save {
        let specs = game.seats.iter().map(|&player| {
            let player = stored.players.get(player);
            player.map_or("?".to_string(), |player| player.entrant.spec.clone())
        });
        let record = Record {
            game: spec.to_string(),
            position: game.position.clone(),
            seen: None,
            seats: specs.collect(),
            result: Some(game.text.clone()),
            moves: game.moves.clone(),
        };
        files::write_whole(file, &record.to_string())?;
    }
    if console.json {
        return console.print_json(&json!({
            "run": stored.run.id,
            "number": game.number,
            "round": game.round,
            "game": spec,
            "seed": game.seed,
            "seats": stored.names(game).collect::<Vec<_>>(),
            "position": game.position,
            "opening": game.opening,
            "moves": game.moves,
            "payoffs": game.payoffs,
            "ending": game.ending,
            "result": game.text,
            "final": session.position(),
            "board": terminal::render(&session.picture(), terminal::Style::Plain),
            "efforts": game.efforts,
        }));
    }
    let mut text = format!(
        "game {} of run {}: {spec}, round {}, seed {}\n",
        game.number, stored.run.id, game.round, game.seed
    );
    for (seat, name) in stored.names(game).enumerate() {
        let effort = game.efforts.get(seat).map_or(String::new(), |effort| {
            format!(
                "{} moves, {} nodes, {:.3} s, at most {:.3} s a move",
                effort.moves,
                grouped(effort.nodes),
                effort.seconds,
                effort.longest
            )
        });
        text += &format!("seat {}: {name}: {effort}\n", seat + 1);
    }
    if let Some(position) = &game.position {
        text += &format!("from {position}\n");
    }
    text += &format!("\n{}", columns(&game.moves, console.width));
    if game.opening > 0 {
        text += &format!("the first {} are the opening\n", game.opening);
    }
    text += &format!(
        "\n{}\n{}\n{}\n",
        console.board(&session.picture()),
        session.position(),
        game.text
    );
    if let Ending::Fault { reason, .. } = &game.ending {
        text += &format!("fault: the loser {reason}\n");
    }
    let (file, run, number) = (
        arguments.which.file.display().to_string(),
        stored.run.id.to_string(),
        game.number.to_string(),
    );
    let again = [
        "tabia", "results", "replay", &file, "--run", &run, "--game", &number,
    ];
    text += &format!("'{}' plays it again\n", report::quoted(&again));
    if let Some(file) = &arguments.save {
        text += &format!("written to {}\n", file.display());
    }
    console.print(&text)
}

fn export(console: &Console, arguments: &ExportArguments) -> anyhow::Result<()> {
    if console.json {
        return Err(bad_request(
            "an export is no JSON; for one object a game write --format jsonl",
        ));
    }
    if let Some(output) = &arguments.output {
        files::refuse_same(&arguments.which.file, output)?;
        files::check_writable(output)?;
    }
    let (_, stored) = arguments.which.read()?;
    let format = match arguments.format {
        FormatArgument::Csv => ExportFormat::Csv,
        FormatArgument::Jsonl => ExportFormat::JsonLines,
        FormatArgument::Pgn => ExportFormat::Pgn,
        FormatArgument::Sgf => ExportFormat::Sgf,
    };
    let text = export::write(format, &stored)?;
    match &arguments.output {
        None => console.print(&text),
        Some(output) => {
            files::write_whole(output, &text)?;
            console.print(&format!(
                "{} games written to {}\n",
                grouped(stored.games.len() as u64),
                output.display()
            ))
        }
    }
}
