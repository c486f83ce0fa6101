//! `tabia cgt compare`: which of two sums is greater.

use std::cmp::Ordering;

use serde_json::json;
use tabia_catalog::sums::SumEvaluator;

use super::{Memory, Timeout, failed, read_one};
use crate::console::Console;
use crate::interrupt::cancel_on_interrupt;

/// Compare two values: less, equal, greater, or confused with each other
#[derive(clap::Args)]
#[command(after_help = "\
JSON: relation (less, equal, greater or confused), sign (<, =, > or ||).

Examples:
  tabia cgt compare \"^\" \"*\"
  tabia cgt compare toads:TT.F \"{1/2|0}\"")]
pub struct Arguments {
    /// One sum
    #[arg(value_name = "A")]
    one: String,

    /// The other
    #[arg(value_name = "B")]
    other: String,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let (one, other) = (read_one(&arguments.one)?, read_one(&arguments.other)?);
    let cancel = cancel_on_interrupt();
    let mut evaluator = SumEvaluator::with_memory(arguments.memory.memory);
    let limits = arguments.timeout.limits(&cancel);
    let found = evaluator.compare(&one, &other, &limits);
    let found = found.map_err(|error| failed(error, &cancel))?;
    let (relation, sign) = match found {
        Some(Ordering::Less) => ("less", "<"),
        Some(Ordering::Equal) => ("equal", "="),
        Some(Ordering::Greater) => ("greater", ">"),
        None => ("confused", "||"),
    };
    match console.json {
        true => console.print_json(&json!({ "relation": relation, "sign": sign })),
        false => console.print(&format!("{} {sign} {}\n", arguments.one, arguments.other)),
    }
}
