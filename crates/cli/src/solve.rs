//! `tabia solve`: the value of a position, with a proof that others can check.

mod expectation;
mod finished;
mod guarantees;
mod single_agent;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use tabia_catalog::{
    CertificateSummary, Facet, Images, Solution, SolveJob, SolveMethod, Status, full_spec,
    printed_spec,
};
use tabia_game::Limits;

use crate::arguments::{LimitArguments, OpenedGame, PositionArguments, Threads};
use crate::console::{Console, grouped, rate, seconds, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::files::{Whole, check_writable};
use crate::interrupt::cancel_on_interrupt;
use crate::table::{memory, refuse_missing_folder};

const THREADS: &str = "Threads to work with; all cores if none are given. The value does not \
depend on it, but the nodes do; a limit on them is shared out among the threads";
/// Where the second column of what is told begins.
const INDENT: usize = 13;

/// Find the value of a position
///
/// The value is for the player to move, with best play of both sides; play without end is a draw.
/// Without a limit on nodes or time the search goes on until it is done. Ctrl-C tells how far it
/// came. Retrograde analysis respects only the limit on memory; only alphabeta knows a depth.
///
/// A position of a game with chance is solved if all that can arise from it has room in memory. Its
/// value is an average for the player to move, or for the first player before a roll; 1 is a
/// certain win.
///
/// Of a game for one player the best line is sought: what it pays, its moves, and whether it is
/// proved that no line pays more. Ctrl-C keeps the best so far.
///
/// Of a game for many players it is found what each of them can force if all others are against
/// them, by proof-number search.
#[derive(clap::Args)]
#[command(mut_arg("threads", |arg| arg.help(THREADS)))]
#[command(after_help = "\
Methods: pn (proof-number search), pn2 (in two levels, the second as large as the first),
pn2-fraction (bounded by Breuker's fraction), efpn (guided by the game's evaluation), pp (product
propagation), mopns (several outcomes at once), dfpn (proof-number search depth first, with a
table), memo (plain depth-first search with a table), alphabeta, retrograde (all positions), auto
(retrograde for small games, sums of independent parts for combinatorial ones, as 'tabia cgt solve'
does, else dfpn and memo by turns).

JSON: game, position, method (or \"tables\", if they hold the position, \"sums\", or \"over\" if the
game is), goal, status (of the goal: \"proved\", \"disproved\" or null), player (whose value it is:
the player to move, or the first where the game is over), value (\"win\", \"draw\" or \"loss\", or
null), lower and upper (bounds of it), plies (to the end, if the method tells), move and line (that
bring it about, as far as the method knows), nodes, seconds, proof (null when finished, else pn and dn
of what is open), goals (goal, status, pn, dn, nodes), tables (relied on by the certificate),
certificate (file, entries, positions, or null).

For one player: game, position, engine (with all its options), value (what the line pays), proved,
most (no line pays more), line, finished (whether the game is over then), nodes, seconds, stats,
solution (the file, or null). With --boards: game, engine, boards (position, value, proved, line,
nodes, seconds), total.

With chance: game, position, method (\"expectation\"), player (whose value it is), value (a number),
exact (the same as a fraction, or null), points (value times the largest payoff), positions (all
that can arise), cyclic (those that can come again), nodes, seconds.

For many players: game, position, method (\"paranoid\"), players (player, at_least, at_most, nodes),
nodes, seconds.

Exit status: 0 if it is solved, for one player if it is proved that no line pays more; 1 if the
search ran out before or the certificate cannot be written. What was found is told all the same.

Examples:
  tabia solve connect4:4x4
  tabia solve dao --method retrograde
  tabia solve dice:3,k=3
  tabia solve domineering:6x6
  tabia solve samegame:5x5,colours=3 --solution best.txt
  tabia solve fanorona:3x7 --certificate fanorona.cert
  tabia solve fanorona:5x5 --goal \"White at least draws\" --tables tables")]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArguments,

    /// The method to use
    #[arg(long, value_name = "METHOD", default_value = "auto",
          value_parser = PossibleValuesParser::new(SolveMethod::ALL.map(SolveMethod::word)))]
    method: String,

    /// Find out only this: `win` or `draw` for the player to move, or `White wins`, `Black draws`
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,

    /// Look positions up in the tables of this folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Use only tables of slices up to this size, such as the number of pieces
    #[arg(long, value_name = "N", requires = "tables")]
    table_size: Option<u32>,

    /// Write a certificate of what was found to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Of a game for one player, the search, such as `nrpa:level=3`; `tabia games GAME` lists them
    #[arg(short, long, value_name = "ENGINE")]
    engine: Option<String>,

    /// Write the best line to this file, as a record that `tabia verify` checks; with --boards to
    /// this folder, a file for each
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,

    /// Solve all positions of this file, one a line or as collections of the game are written
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "record"])]
    boards: Option<PathBuf>,

    /// Memory for the search, such as 512M or 2G; with tables, half of it is for their values
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = memory)]
    memory: u64,

    /// Search positions that are images of one another under the symmetries of the board once; for
    /// dfpn
    #[arg(long, value_name = "WHEN", default_value = "auto",
          value_parser = PossibleValuesParser::new(Images::ALL.map(Images::word)))]
    symmetry: String,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    budget: LimitArguments,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let opened = arguments.place.open()?;
    if let Some(boards) = &arguments.boards
        && opened.game.lines().is_some()
    {
        return single_agent::run_boards(console, arguments, &opened, boards);
    }
    let spec = full_spec(&opened.spec)?;
    let printed = printed_spec(&opened.spec)?;
    if let Some(ending) = opened.session.ending() {
        return finished::run(console, arguments, &opened, &spec, ending);
    }
    if opened.game.lines().is_some() {
        return single_agent::run(console, arguments, &opened, &printed);
    }
    if let Some(option) = single_agent::own_option(arguments) {
        return Err(bad_request(format!(
            "{option} is for games of one player; 'tabia games' lists them"
        )));
    }
    if opened.game.exact_values().is_some() {
        return expectation::run(console, arguments, &opened, &printed, cancel_on_interrupt());
    }
    if opened.game.guarantees().is_some() {
        return guarantees::run(console, arguments, &opened, &printed, cancel_on_interrupt());
    }
    if let Some(folder) = &arguments.tables {
        refuse_missing_folder(folder)?;
    }
    let method = SolveMethod::ALL
        .into_iter()
        .find(|method| method.word() == arguments.method)
        .unwrap_or(SolveMethod::Auto);
    let images = Images::ALL
        .into_iter()
        .find(|images| images.word() == arguments.symmetry)
        .unwrap_or_default();
    let cancel = cancel_on_interrupt();
    let job = SolveJob {
        spec: &spec,
        method,
        goal: arguments.goal.as_deref(),
        tables: arguments.tables.as_deref(),
        table_size: arguments.table_size,
        memory: arguments.memory,
        threads: arguments.threads.number(),
        images,
        limits: arguments.budget.limits(cancel.clone()),
    };
    let solving = opened.game.solving();
    let solving = solving.ok_or_else(|| Facet::unsolved(&*opened.game))?;
    let mut whole = match &arguments.certificate {
        Some(path) => {
            check_writable(path)?;
            Some(Whole::begin(path)?)
        }
        None => None,
    };
    let spinner = console.spinner(format!("solving {printed}"));
    let solution = solving.solve(
        &opened.session.position(),
        &job,
        whole.as_mut().map(|whole| whole.file() as _),
        &mut |what, count| spinner.set_message(format!("{what}: {}", grouped(count))),
    );
    spinner.finish_and_clear();
    let mut solution = match solution {
        Err(_) if cancel.is_cancelled() => return Err(Interrupted.into()),
        solution => solution?,
    };
    let kept = match (whole, &solution.certified) {
        (Some(whole), Some(Ok(_))) => whole.keep(),
        _ => Ok(()),
    };
    if kept.is_err() {
        solution.certified = None;
    }
    if console.json {
        console.print_json(&as_json(&opened, &printed, arguments, &solution))?;
    } else {
        console.print(&as_text(console, &opened, arguments, &solution))?;
    }
    kept?;
    let (solved, mut goals) = (solution.is_solved(), solution.goals.iter());
    match solution.certified {
        Some(Ok(_)) | None if solved => Ok(()),
        _ if cancel.is_cancelled() => Err(Interrupted.into()),
        Some(Err(error)) => Err(error.into()),
        _ => match goals.find_map(|found| found.proof.lack) {
            Some(lack) => anyhow::bail!("not solved: {lack}"),
            None => anyhow::bail!("{}", beyond(&job.limits)),
        },
    }
}

/// What is said of a search that a limit ended.
fn beyond(limits: &Limits) -> String {
    let given = [
        (limits.depth.is_some(), "--depth"),
        (limits.nodes.is_some(), "--nodes"),
        (limits.time.is_some(), "--time"),
    ];
    let given: Vec<&str> = given
        .into_iter()
        .filter_map(|(is_given, option)| is_given.then_some(option))
        .collect();
    match given.is_empty() {
        true => "not solved: the search came to no end".to_string(),
        false => format!(
            "not solved within the limits; raise {}",
            given.join(" and ")
        ),
    }
}

fn word(status: Status) -> Option<&'static str> {
    match status {
        Status::Proved => Some("proved"),
        Status::Disproved => Some("disproved"),
        Status::Unknown => None,
    }
}

fn as_json(opened: &OpenedGame, spec: &str, arguments: &Arguments, solution: &Solution) -> Value {
    let open = solution
        .goals
        .iter()
        .find(|found| found.proof.status == Status::Unknown)
        .filter(|_| !solution.is_solved());
    let goals: Vec<Value> = solution
        .goals
        .iter()
        .map(|found| {
            json!({
                "goal": found.goal,
                "status": word(found.proof.status),
                "pn": found.proof.pn,
                "dn": found.proof.dn,
                "nodes": found.proof.nodes,
            })
        })
        .collect();
    json!({
        "game": spec,
        "position": opened.session.position(),
        "method": solution.method,
        "goal": arguments.goal,
        "status": solution.goal.and_then(word),
        "player": opened.turn_text(),
        "value": solution.value().map(|value| value.word()),
        "lower": solution.lower.word(),
        "upper": solution.upper.word(),
        "plies": solution.plies,
        "move": solution.line.first(),
        "line": solution.line,
        "nodes": solution.nodes,
        "seconds": solution.time.as_secs_f64(),
        "proof": open.map(|found| json!({ "pn": found.proof.pn, "dn": found.proof.dn })),
        "goals": goals,
        "tables": solution.tables,
        "certificate": certificate(arguments, solution).map(|(file, written)| {
            json!({
                "file": file.display().to_string(),
                "entries": written.entries,
                "positions": written.positions,
            })
        }),
    })
}

fn as_text(
    console: &Console,
    opened: &OpenedGame,
    arguments: &Arguments,
    solution: &Solution,
) -> String {
    let mover = opened.turn_text();
    let mut lines = vec![
        ("position", opened.session.position()),
        ("method", solution.method.to_string()),
    ];
    if let (Some(goal), Some(status)) = (&arguments.goal, solution.goal) {
        let found = word(status).unwrap_or("not decided");
        lines.push(("goal", format!("{goal}: {found}")));
    } else {
        lines.push(("value", value_text(solution, &mover)));
    }
    for found in &solution.goals {
        let proof = found.proof;
        let text = match word(proof.status) {
            Some(word) => format!("{}: {word}", found.goal),
            None => format!("{}: open, pn {}, dn {}", found.goal, proof.pn, proof.dn),
        };
        lines.push(("", format!("{text}, {} nodes", grouped(proof.nodes))));
    }
    if !solution.line.is_empty() {
        lines.push(("line", wrap(&solution.line, console.width, INDENT)));
    }
    lines.push(("effort", effort(solution.nodes, solution.time)));
    if !solution.tables.is_empty() {
        lines.push(("tables", wrap(&solution.tables, console.width, INDENT)));
    }
    if let Some((file, written)) = certificate(arguments, solution) {
        let text = format!(
            "{}, {} moves, {} positions",
            file.display(),
            grouped(written.entries),
            grouped(written.positions)
        );
        lines.push(("certificate", text));
    }
    let mut text = console.board(&opened.session.picture()) + "\n";
    for (key, value) in lines {
        text += &format!("{key:<INDENT$}{value}\n");
    }
    text
}

/// The certificate that was written.
fn certificate<'a>(
    arguments: &'a Arguments,
    solution: &Solution,
) -> Option<(&'a Path, CertificateSummary)> {
    let written = solution.certified.as_ref()?.as_ref().ok()?;
    Some((arguments.certificate.as_deref()?, *written))
}

fn value_text(solution: &Solution, mover: &str) -> String {
    match (solution.value(), solution.plies) {
        (Some(value), Some(plies)) => format!("{} in {plies} plies for {mover}", value.word()),
        (Some(value), None) => format!("{} for {mover}", value.word()),
        (None, _) => format!(
            "not known; between {} and {} for {mover}",
            solution.lower.word(),
            solution.upper.word()
        ),
    }
}

fn effort(nodes: u64, time: Duration) -> String {
    let mut text = format!("{} nodes, {}", grouped(nodes), seconds(time));
    if let Some(rate) = rate(nodes, time) {
        text += &format!(", {rate} nodes/s");
    }
    text
}
