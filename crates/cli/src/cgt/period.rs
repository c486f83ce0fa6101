//! `tabia cgt period`: the nimbers of a sequence of positions, and its proved period.

use serde_json::json;
use tabia_catalog::sums::{Asked, MAX_SIZE, Periodic, Sequence, sequence};

use super::{Timeout, failed};
use crate::console::{Console, columns, counted, sentence, wrap};
use crate::interrupt::cancel_on_interrupt;

/// The nimbers of all positions that differ in one number, and their period with its proof
///
/// A SEQUENCE is a position of an impartial game with `_` in the place of a number. There are
/// `octal.137:_` for the heaps of an octal game, and in Node-Kayles and Pin-Kayles `path:_`, stars
/// such as `star:_,1,1` that differ in one ray, and the same stars on paths whose nimbers have no
/// exceptions to their period, `regular:_,1,1`.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: sequence, nimbers (from 1 on), period, last_irregular, proved_to, cycle (from the number that
is a multiple of the period on), verified. The last five are null if they are not known.

Examples:
  tabia cgt period octal.137:_
  tabia cgt period nodekayles:star:_,1,1 --to 400
  tabia cgt period nodekayles:regular:_,35,1
  tabia cgt period pinkayles:star:_,24,1 --verify")]
pub struct Arguments {
    /// Positions that differ in the number that is written `_`
    #[arg(value_name = "SEQUENCE")]
    sequence: String,

    /// Print the nimbers up to this number
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = size())]
    to: u32,

    /// Look for a proof with numbers up to this one
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = size())]
    within: u32,

    /// Check the proof once more from the list of all moves
    #[arg(long)]
    verify: bool,

    #[command(flatten)]
    timeout: Timeout,
}

fn size() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MAX_SIZE))
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let asked = Asked {
        to: arguments.to,
        within: arguments.within,
        verify: arguments.verify,
    };
    let cancel = cancel_on_interrupt();
    let mut meter = arguments.timeout.limits(&cancel).meter();
    let spinner = console.spinner("looking for a period".to_string());
    let found = sequence(&arguments.sequence, asked, &mut meter);
    spinner.finish_and_clear();
    let found = found.map_err(|error| failed(error, &cancel))?;
    match console.json {
        true => console.print_json(&as_json(&arguments.sequence, &found)),
        false => console.print(&as_text(console, &found, arguments.within)),
    }
}

fn as_json(text: &str, found: &Sequence) -> serde_json::Value {
    let period = found.period.as_ref();
    json!({
        "sequence": text,
        "nimbers": found.nimbers,
        "period": period.map(|period| period.period),
        "last_irregular": period.and_then(|period| period.last_irregular),
        "proved_to": period.map(|period| period.proved_to),
        "cycle": period.map(|period| period.cycle.clone()),
        "verified": period.and_then(|period| period.verified.then_some(true)),
    })
}

fn as_text(console: &Console, found: &Sequence, within: u32) -> String {
    let words: Vec<String> = found.nimbers.iter().map(u32::to_string).collect();
    let text = columns(&words, console.width);
    match &found.period {
        Some(period) => text + &told(console, period),
        None => {
            let none = format!("no period is proved with numbers up to {within}");
            text + &sentence(console, &none)
        }
    }
}

/// A period and its proof in words.
fn told(console: &Console, period: &Periodic) -> String {
    let irregular = match period.last_irregular {
        Some(last) => format!("last irregular {last}"),
        None => "no irregularities".to_string(),
    };
    let claims = match period.claims {
        1 => String::new(),
        claims => format!(" and {}", counted(claims as u64, "sequence", "sequences")),
    };
    let proof = format!(
        "period {}, {irregular}, proved with numbers up to {}{claims}",
        period.period, period.proved_to,
    );
    let cycle: Vec<String> = period.cycle.iter().map(u32::to_string).collect();
    let mut text = sentence(console, &proof);
    text += &format!("  {}\n", wrap(&cycle, console.width, 2));
    if period.verified {
        text += "the proof was checked from the list of all moves\n";
    }
    text
}
