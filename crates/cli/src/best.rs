//! `tabia best`: the move, the value, the line.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tabia_catalog::{Answer, AnyGame, CatalogError, Counter, Session};
use tabia_game::Seed;

use crate::arguments::{OpenedGame, PlayBudget, PositionArguments, or_time, with_option};
use crate::asked::Asked;
use crate::console::{Console, counted, rate, seconds, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::live::{Live, ReportedLine, ReportedLines};

/// Ask an engine for the best move of a position
///
/// Without any limit the engine thinks for 5 seconds. Ctrl-C shows what was found so far. On a
/// terminal the search is shown while it runs.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, engine (with all its options), move, value (for the player
to move: 1 is a win, -1 a loss, null not known), solved, outcome (\"win\", \"draw\"
or \"loss\" when solved), plies (to the end, when a result is forced), line, depth,
nodes, seconds, stats. With --lines also lines: of each line found last its rank, value,
solved, plies, depth and line.

Examples:
  tabia best tictactoe --moves \"b2 a1\"
  tabia best connect4 --lines 3 --depth 8
  tabia best mnk:4,4,4 --depth 6
  tabia best tictactoe --engine random:seed=7")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// The engine, such as `random:seed=7`; `tabia games GAME` lists them. Or a program, as in
    /// `tabia match`
    #[arg(short, long, value_name = "ENGINE")]
    engine: Option<String>,

    #[command(flatten)]
    budget: PlayBudget,

    /// Lines to show: the best move, the second-best move and so on, each with its continuation
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: Option<u16>,

    /// Number of threads, for engines that can use them
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let mut opened = arguments.place.open()?;
    let mut spec = match &arguments.engine {
        Some(spec) => spec.clone(),
        None => default_engine(&*opened.game).to_string(),
    };
    if let Some(threads) = arguments.threads {
        spec = with_option(&*opened.game, &spec, "threads", threads)
            .ok_or_else(|| bad_request(format!("{spec} does not use threads")))?;
    }
    let luck = Seed::new(0);
    let mut engine = Asked::open(&spec, &*opened.game, &opened.spec, luck)?;
    if matches!(engine, Asked::Program(_)) && arguments.lines.is_some() {
        return Err(bad_request(format!(
            "{spec} is a program, which tells no lines"
        )));
    }
    if let Some(ending) = opened.session.ending() {
        return Err(CatalogError::Over(ending.text).into());
    }
    let limits = arguments.budget.limits(cancel_on_interrupt());
    let limits = or_time(engine.limits(&limits), DEFAULT_TIME);
    let live = Live::new(console, &spec);
    let wanted = match arguments.lines {
        Some(lines) => lines.into(),
        None => usize::from(live.is_visible()),
    };
    let mut lines = ReportedLines::new(wanted);
    let started = Instant::now();
    let answer = engine.ask(&*opened.session, &limits, wanted, &mut |report| {
        lines.note(report);
        live.show(&lines);
    });
    let time = started.elapsed();
    live.finish();
    let mut answer = answer?;
    if matches!(engine, Asked::Program(_)) {
        in_our_notation(&mut answer, &mut *opened.session, &spec)?;
    }
    let session = &opened.session;
    let Some(best) = &answer.best else {
        if limits.cancel.is_cancelled() {
            return Err(Interrupted.into());
        }
        anyhow::bail!("{spec} found no move within its limits; give it more");
    };
    let lines = arguments.lines.map(|_| lines.found());
    if console.json {
        let mut value = json!({
            "game": opened.spec,
            "position": session.position(),
            "engine": engine.full_spec(),
            "move": best,
            "value": answer.value,
            "solved": answer.solved,
            "outcome": answer.value.filter(|_| answer.solved).map(outcome),
            "plies": answer.plies,
            "line": answer.line,
            "depth": answer.depth,
            "nodes": answer.nodes,
            "seconds": time.as_secs_f64(),
            "stats": stats(&answer.counters),
        });
        if let Some(lines) = lines {
            value["lines"] = (1..).zip(lines).map(as_json).collect();
        }
        return console.print_json(&value);
    }
    let mut text = report(console, &opened, &spec, &answer, best, time);
    if let Some(lines) = lines {
        text += &lines_text(console, lines, &opened.turn_text());
    }
    console.print(&text)
}

/// The move of a program, which may write it in any way that is read, as it is written here.
fn in_our_notation(
    answer: &mut Answer,
    session: &mut dyn Session,
    spec: &str,
) -> anyhow::Result<()> {
    if let Some(best) = &answer.best {
        let played = session.play(best);
        played.map_err(|error| anyhow::anyhow!("{spec} answered: {error}"))?;
        answer.best = session.history().last().cloned();
        answer.line = answer.best.iter().cloned().collect();
        session.undo();
    }
    Ok(())
}

/// The engine to choose when nothing was said.
pub fn default_engine(game: &dyn AnyGame) -> &'static str {
    game.engines().first().map_or("", |engine| engine.name)
}

fn outcome(value: f64) -> &'static str {
    if value > 0.0 {
        "win"
    } else if value < 0.0 {
        "loss"
    } else {
        "draw"
    }
}

/// What the player to move may expect, in words.
pub fn value_text(answer: &Answer, mover: &str) -> String {
    expectation(answer.value, answer.solved, answer.plies, mover)
}

fn expectation(value: Option<f64>, solved: bool, plies: Option<u32>, mover: &str) -> String {
    let Some(value) = value else {
        return "not known".to_string();
    };
    match plies {
        Some(plies) => format!(
            "{} in {} for {mover}",
            outcome(value),
            counted(plies, "ply", "plies")
        ),
        None if solved && value == value.round() => {
            format!("{} for {mover}", outcome(value))
        }
        None if solved => format!("{value:+.4} for {mover}, exactly"),
        None => format!("{value:+.2} for {mover}"),
    }
}

/// What an engine counted, by name.
pub fn stats(counters: &[(&'static str, Counter)]) -> Map<String, Value> {
    counters
        .iter()
        .map(|(name, counter)| {
            let value = match counter {
                Counter::One(number) => json!(number),
                Counter::Row(numbers) => json!(numbers),
            };
            ((*name).to_string(), value)
        })
        .collect()
}

/// One of several lines.
fn as_json((rank, found): (usize, &ReportedLine)) -> Value {
    json!({
        "rank": rank,
        "value": found.value,
        "solved": found.solved,
        "plies": found.plies,
        "depth": found.depth,
        "line": found.line,
    })
}

fn lines_text(console: &Console, lines: &[ReportedLine], mover: &str) -> String {
    const INDENT: usize = 4;
    let mut text = "\nlines\n".to_string();
    for (rank, found) in (1..).zip(lines) {
        let value = expectation(found.value, found.solved, found.plies, mover);
        let line = wrap(&found.line, console.width, INDENT);
        let depth = match found.depth {
            0 => String::new(),
            depth => format!(", depth {depth}"),
        };
        text += &format!("{rank:>2}  {value}{depth}\n    {line}\n");
    }
    text
}

fn report(
    console: &Console,
    opened: &OpenedGame,
    engine: &str,
    answer: &Answer,
    best: &str,
    time: Duration,
) -> String {
    const INDENT: usize = 10;
    let nodes = counted(answer.nodes, "node", "nodes");
    let mut facts = format!("{nodes}, {}", seconds(time));
    if let Some(rate) = rate(answer.nodes, time) {
        facts += &format!(", {rate} nodes/s");
    }
    let lines = [
        ("position", opened.session.position()),
        ("engine", engine.to_string()),
        ("move", best.to_string()),
        ("value", value_text(answer, &opened.turn_text())),
        ("line", wrap(&answer.line, console.width, INDENT)),
        ("depth", answer.depth.to_string()),
        ("effort", facts),
    ];
    let mut text = console.board(&opened.session.picture()) + "\n";
    for (key, value) in lines {
        text += &format!("{key:<INDENT$}{value}\n");
    }
    text
}
