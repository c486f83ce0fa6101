//! `tabia kayles`: Kayles on stars, star by star and class by class.

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_cgt::impartial::stars::{Paths, Rule, StarPeriod, Stars, Taken, Unsolved};
use tabia_game::text::{place, shortened};
use tabia_game::{Cancel, Limits};

use crate::console::{Console, columns, counted, sentence, table, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;

/// The most vertices of a star.
const MAX_VERTICES: u32 = 1_000_000;
/// From here on the period of a class is proved before a star is looked up in it.
const LONG: u32 = 2000;

/// Kayles on stars: nimbers, winning moves and proved periods
///
/// A star is a centre from which rays go out, written as their lengths: `3,2,1`. In Node-Kayles a
/// move takes a vertex with all its neighbours, in Pin-Kayles a vertex or two neighbours; whoever
/// cannot move loses.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia kayles value 310,1,1
  tabia kayles value --rule pin 5,4,3 path:7 --moves
  tabia kayles class 1,1 --to 400
  tabia kayles class --rule pin 24,1 --json")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Value(ValueArguments),
    Class(ClassArguments),
}

/// The nimber of a sum of stars and paths, and the moves that win it
#[derive(clap::Args)]
#[command(after_help = "\
JSON: rule, parts (a list: star, nimber), nimber, wins (whether the one who moves first wins), winning_moves (or null;
a list: part and ray, both counted from one, distance from the centre, pair: whether the next vertex goes, too).

Examples:
  tabia kayles value 310,1,1
  tabia kayles value --rule pin 5,4,3 path:7 --moves")]
struct ValueArguments {
    /// Stars such as `3,2,1` and paths such as `path:7`; several are added up
    #[arg(required = true, value_name = "STAR", value_parser = star)]
    stars: Vec<Star>,

    /// What a move takes
    #[arg(long, value_enum, default_value = "node")]
    rule: RuleArgument,

    /// List the moves that win
    #[arg(long)]
    moves: bool,
}

/// The nimbers of all stars that differ in one ray, and their period with its proof
#[derive(clap::Args)]
#[command(after_help = "\
JSON: rule, regular, fixed, nimbers (from a ray of 1 on), period, last_irregular, proved_to, cycle (from the ray that is
a multiple of the period on), verified. The last five are null if they are not known.

Examples:
  tabia kayles class 1,1 --to 400
  tabia kayles class 35,1 --regular
  tabia kayles class --rule pin 24,1 --verify")]
struct ClassArguments {
    /// The rays that do not change, at least two
    #[arg(value_name = "RAYS", value_parser = fixed)]
    fixed: Star,

    /// What a move takes
    #[arg(long, value_enum, default_value = "node")]
    rule: RuleArgument,

    /// Play on paths whose nimbers have no exceptions to their period
    #[arg(long)]
    regular: bool,

    /// Print the nimbers of rays up to this one
    #[arg(
        long,
        value_name = "RAY",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VERTICES)),
    )]
    to: u32,

    /// Look for a proof with rays up to this one
    #[arg(
        long,
        value_name = "RAY",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VERTICES)),
    )]
    within: u32,

    /// Check the proof once more from the list of all moves
    #[arg(long)]
    verify: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RuleArgument {
    /// A vertex and all its neighbours
    Node,
    /// A vertex, or two neighbours
    Pin,
}

impl RuleArgument {
    fn rule(self) -> Rule {
        match self {
            RuleArgument::Node => Rule::Node,
            RuleArgument::Pin => Rule::Pin,
        }
    }

    fn name(self) -> &'static str {
        match self {
            RuleArgument::Node => "node",
            RuleArgument::Pin => "pin",
        }
    }
}

/// A star as it was written, and its rays.
#[derive(Clone)]
struct Star {
    text: String,
    rays: Vec<u32>,
}

fn star(text: &str) -> Result<Star, String> {
    let wrong = |part: &str, what: &str| {
        format!(
            "{}: '{}' is no {what}: a star is the lengths of its rays, such as 3,2,1, and a path \
             is such as path:7",
            place(text, part, |c| c.is_ascii_digit() || matches!(c, ',' | ' ')),
            shortened(text)
        )
    };
    let number = |word: &str| word.trim().parse::<u32>().ok();
    let rays = match text.trim().split_once(':') {
        Some(("path", vertices)) => {
            let below = number(vertices).and_then(|vertices| vertices.checked_sub(1));
            vec![below.ok_or_else(|| wrong(vertices, "path of at least one vertex"))?]
        }
        Some(("star", rays)) => read_rays(rays).ok_or_else(|| wrong(rays, "star"))?,
        Some((name, _)) => return Err(wrong(name, "star or path")),
        None => read_rays(text).ok_or_else(|| wrong(text, "star"))?,
    };
    let vertices = rays
        .iter()
        .fold(1, |sum: u32, &ray| sum.saturating_add(ray));
    match vertices > MAX_VERTICES {
        true => Err(format!(
            "a star of more than {MAX_VERTICES} vertices is too large"
        )),
        false => Ok(Star {
            text: text.trim().to_string(),
            rays,
        }),
    }
}

fn read_rays(text: &str) -> Option<Vec<u32>> {
    let words = text.split(',');
    words.map(|word| word.trim().parse().ok()).collect()
}

fn fixed(text: &str) -> Result<Star, String> {
    let read = star(text)?;
    match read.rays.iter().filter(|&&ray| ray > 0).count() {
        0 | 1 => Err(
            "with fewer than two rays all stars are paths: name two or more, such as 1,1"
                .to_string(),
        ),
        _ => Ok(read),
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Value(arguments) => value(console, arguments),
        Command::Class(arguments) => class(console, arguments),
    }
}

/// The error of a computation, with the status that belongs to it.
fn failed(error: Unsolved) -> anyhow::Error {
    match error {
        Unsolved::Stopped(_) => Interrupted.into(),
        other => bad_request(other.to_string()),
    }
}

fn limits(cancel: &Cancel) -> Limits {
    Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    }
}

fn value(console: &Console, arguments: &ValueArguments) -> anyhow::Result<()> {
    let cancel = cancel_on_interrupt();
    let spinner = console.spinner("evaluating".to_string());
    let found = valued(arguments, &cancel);
    spinner.finish_and_clear();
    let (nimbers, winning) = found.map_err(failed)?;
    let total = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
    let parts = arguments.stars.iter().zip(&nimbers);
    if console.json {
        let parts = parts.map(|(star, nimber)| json!({ "star": star.text, "nimber": nimber }));
        return console.print_json(&json!({
            "rule": arguments.rule.name(),
            "parts": parts.collect::<Value>(),
            "nimber": total,
            "wins": total != 0,
            "winning_moves": winning.map(|moves| moves.iter().map(move_json).collect::<Value>()),
        }));
    }
    let rows = parts.map(|(star, nimber)| vec![star.text.clone(), nimber.to_string()]);
    let mut text = table(
        console,
        &["STAR", "NIMBER"],
        rows.collect(),
        CellAlignment::Right,
    );
    text += &match total {
        0 => "nimber 0: whoever moves second wins\n".to_string(),
        _ => format!("nimber {total}: whoever moves first wins\n"),
    };
    for (part, taken) in winning.iter().flatten() {
        let star = arguments.stars.get(*part).map_or("", |star| &star.text);
        text += &format!("  {} of {star}\n", told(*taken));
    }
    console.print(&text)
}

type Valued = (Vec<u32>, Option<Vec<(usize, Taken)>>);

/// The nimbers of the stars, and the moves that win if they are asked for.
fn valued(arguments: &ValueArguments, cancel: &Cancel) -> Result<Valued, Unsolved> {
    let mut stars = Stars::new(arguments.rule.rule());
    let mut meter = limits(cancel).meter();
    let mut nimbers = Vec::new();
    for star in &arguments.stars {
        let mut rays = star.rays.clone();
        rays.retain(|&ray| ray > 0);
        rays.sort_unstable();
        if let Some(longest) = rays.pop()
            && longest > LONG
            && rays.len() > 1
        {
            stars.period(&rays, longest, &mut meter)?;
        }
        nimbers.push(stars.nimber(&star.rays, &mut meter)?);
    }
    let all: Vec<Vec<u32>> = arguments
        .stars
        .iter()
        .map(|star| star.rays.clone())
        .collect();
    let winning = match arguments.moves {
        true => Some(stars.winning_moves(&all, &mut meter)?),
        false => None,
    };
    Ok((nimbers, winning))
}

fn move_json((part, taken): &(usize, Taken)) -> Value {
    json!({
        "part": part + 1,
        "ray": taken.ray + 1,
        "distance": taken.distance,
        "pair": taken.pair,
    })
}

/// A move in words.
fn told(taken: Taken) -> String {
    let Taken {
        ray,
        distance,
        pair,
    } = taken;
    let (ray, next) = (ray + 1, distance + 1);
    match (distance, pair) {
        (0, false) => "the centre".to_string(),
        (0, true) => format!("the centre and the first vertex on ray {ray}"),
        (_, false) => format!("vertex {distance} on ray {ray}"),
        (_, true) => format!("vertices {distance} and {next} on ray {ray}"),
    }
}

fn class(console: &Console, arguments: &ClassArguments) -> anyhow::Result<()> {
    let rule = arguments.rule.rule();
    let mut stars = Stars::on(match arguments.regular {
        true => Paths::regular(rule),
        false => Paths::new(rule),
    });
    let cancel = cancel_on_interrupt();
    let mut meter = limits(&cancel).meter();
    let rays = &arguments.fixed.rays;
    let spinner = console.spinner("looking for a period".to_string());
    let period = stars.period(rays, arguments.within, &mut meter);
    let nimbers = stars
        .class(rays, arguments.to, &mut meter)
        .map(|nimbers| nimbers[1..].to_vec());
    let verified = match &period {
        Ok(Some(period)) if arguments.verify => Some(period.verify()),
        _ => None,
    };
    spinner.finish_and_clear();
    let (period, nimbers) = (period.map_err(failed)?, nimbers.map_err(failed)?);
    // A proof that does not hold would be a fault of the program.
    let verified = verified.transpose()?.map(|()| true);
    if console.json {
        return console.print_json(&json!({
            "rule": arguments.rule.name(),
            "regular": arguments.regular,
            "fixed": rays,
            "nimbers": nimbers,
            "period": period.as_ref().map(StarPeriod::period),
            "last_irregular": period.as_ref().and_then(StarPeriod::last_irregular),
            "proved_to": period.as_ref().map(StarPeriod::proved_to),
            "cycle": period.as_ref().map(StarPeriod::cycle),
            "verified": verified,
        }));
    }
    let words: Vec<String> = nimbers.iter().map(u32::to_string).collect();
    let mut text = columns(&words, console.width);
    let Some(period) = period else {
        let none = format!("no period is proved with rays up to {}", arguments.within);
        return console.print(&(text + &sentence(console, &none)));
    };
    let irregular = match period.last_irregular() {
        Some(last) => format!("last irregular {last}"),
        None => "no irregularities".to_string(),
    };
    let proof = format!(
        "period {}, {irregular}, proved with rays up to {} and {}",
        period.period(),
        period.proved_to(),
        counted(period.claims.len() as u64, "class", "classes"),
    );
    text += &sentence(console, &proof);
    let cycle: Vec<String> = period.cycle().iter().map(u32::to_string).collect();
    text += &format!("  {}\n", wrap(&cycle, console.width, 2));
    if verified.is_some() {
        text += "the proof was checked from the list of all moves\n";
    }
    console.print(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_read_or_refused() {
        let rays = |text: &str| star(text).map(|star| star.rays);
        assert_eq!(rays("3,2,1"), Ok(vec![3, 2, 1]));
        assert_eq!(rays(" star:3, 0 "), Ok(vec![3, 0]));
        assert_eq!(rays("path:7"), Ok(vec![6]));
        for text in ["", "3,,1", "path:0", "path:1,2", "-1", "wheel:3", "3;1"] {
            let error = rays(text).unwrap_err();
            assert!(
                error.contains("3,2,1") && error.contains("path:7"),
                "{error}"
            );
        }
        for text in ["1000000", "4294967295,4294967295", "path:1000001"] {
            assert!(rays(text).unwrap_err().contains("too large"), "{text}");
        }
        assert!(fixed("5,0").is_err_and(|error| error.contains("1,1")));
        assert!(fixed("5,1").is_ok());
    }
}
