//! `tabia best`: the move, the value, the line.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tabia_catalog::{Answer, AnyGame, CatalogError, Counter, Session};
use tabia_game::Seed;

use crate::arguments::{OpenedGame, PlayBudget, PositionArguments, or_time, with_option};
use crate::asked::Asked;
use crate::console::{Console, counted, grouped, rate, seconds, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::live::{Live, ReportedLine, ReportedLines};
use crate::worth::{Share, Worth};

/// Ask an engine for the best move of a position
///
/// Without any limit the engine thinks for 5 seconds. Ctrl-C shows what was found so far. On a
/// terminal the search is shown while it runs.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, position, engine (with all its options), move, value (for the player
to move: 1 is a win, -1 a loss, null not known), payoff (the same in the unit of the
game), payoffs (of all players), unit, solved, outcome (\"win\", \"draw\" or \"loss\"
when solved), plies (to the end, when a result is forced), line, depth, visits (of the
move, in Monte-Carlo search), nodes, seconds, stats. With --lines also lines: of each line
found last its rank, value, solved, plies, depth, visits and line.

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
    let wanted = arguments.lines.map_or(1, usize::from);
    let worth = Worth::of(&*opened.game);
    let mut lines = ReportedLines::new(wanted);
    let started = Instant::now();
    let answer = engine.ask(&*opened.session, &limits, wanted, &mut |report| {
        lines.note(report);
        live.show(&lines, &worth);
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
    let visits = lines.found().first().and_then(|found| found.visits);
    let lines = arguments.lines.map(|_| lines.found());
    if console.json {
        let mut value = json!({
            "game": opened.spec,
            "position": session.position(),
            "engine": engine.full_spec(),
            "move": best,
            "value": answer.value,
            "payoff": answer.value.filter(|_| !answer.is_margin).map(|value| worth.payoff(value)),
            "payoffs": payoffs(&worth, &answer),
            "unit": worth.unit(),
            "solved": answer.solved,
            "outcome": worth.outcome(&answer),
            "plies": answer.plies,
            "line": answer.line,
            "depth": answer.depth,
            "visits": visits,
            "nodes": answer.nodes,
            "seconds": time.as_secs_f64(),
            "stats": stats(&answer.counters),
        });
        if let Some(lines) = lines {
            value["lines"] = (1..).zip(lines).map(as_json).collect();
        }
        return console.print_json(&value);
    }
    let spent = Spent { visits, time };
    let mut text = report(console, &opened, &worth, &spec, (&answer, best), spent);
    if let Some(lines) = lines {
        let mover = opened.turn_text();
        text += &lines_text(console, lines, &worth, answer.is_margin, &mover);
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
        "visits": found.visits,
        "line": found.line,
    })
}

fn lines_text(
    console: &Console,
    lines: &[ReportedLine],
    worth: &Worth,
    is_margin: bool,
    mover: &str,
) -> String {
    const INDENT: usize = 4;
    let mut text = "\nlines\n".to_string();
    for (rank, found) in (1..).zip(lines) {
        let share = Share {
            value: found.value,
            solved: found.solved,
            plies: found.plies,
            is_margin,
        };
        let value = worth.text(share, mover);
        let line = wrap(&found.line, console.width, INDENT);
        let depth = match (found.visits, found.depth) {
            (Some(visits), _) => format!(", {}", counted(visits, "visit", "visits")),
            (None, 0) => String::new(),
            (None, depth) => format!(", depth {depth}"),
        };
        text += &format!("{rank:>2}  {value}{depth}\n    {line}\n");
    }
    text
}

/// What every player may expect, in the unit of the game, where it is known.
fn payoffs(worth: &Worth, answer: &Answer) -> Option<Vec<f64>> {
    let payoffs = answer.values.iter().map(|&value| worth.payoff(value));
    (!answer.values.is_empty()).then(|| payoffs.collect())
}

/// What an answer took.
struct Spent {
    /// Of the move, in Monte-Carlo search.
    visits: Option<u64>,
    time: Duration,
}

fn report(
    console: &Console,
    opened: &OpenedGame,
    worth: &Worth,
    engine: &str,
    (answer, best): (&Answer, &str),
    Spent { visits, time }: Spent,
) -> String {
    const INDENT: usize = 10;
    let nodes = counted(answer.nodes, "node", "nodes");
    let mut facts = format!("{nodes}, {}", seconds(time));
    if let Some(rate) = rate(answer.nodes, time) {
        facts += &format!(", {rate} nodes/s");
    }
    let mut lines = vec![
        ("position", opened.session.position()),
        ("engine", engine.to_string()),
        ("move", best.to_string()),
        ("value", worth.text(answer.into(), &opened.turn_text())),
    ];
    if let Some(everybody) = worth.everybody(&answer.values) {
        let words: Vec<&str> = everybody.split(' ').collect();
        lines.push(("each", wrap(&words, console.width, INDENT)));
    }
    lines.push(("line", wrap(&answer.line, console.width, INDENT)));
    if answer.depth > 0 {
        lines.push(("depth", answer.depth.to_string()));
    }
    if let Some(visits) = visits {
        lines.push(("visits", visits_text(visits, answer)));
    }
    lines.push(("effort", facts));
    let mut text = console.board(&opened.session.picture()) + "\n";
    for (key, value) in lines {
        text += &format!("{key:<INDENT$}{value}\n");
    }
    text
}

/// The visits of the move, of those of all moves where they were counted.
fn visits_text(visits: u64, answer: &Answer) -> String {
    let all = answer
        .counters
        .iter()
        .find_map(|(name, counter)| match counter {
            Counter::One(all) if *name == "simulations" || *name == "games" => Some(*all),
            _ => None,
        });
    match all {
        Some(all) => format!("{} of {}", grouped(visits), grouped(all)),
        None => grouped(visits),
    }
}
