//! `tabia cgt value`: the canonical value of a sum.

use serde_json::json;
use tabia_catalog::sums::{OutcomeClass, SumEvaluator, Valued, Wall};

use super::{Memory, Timeout, failed, read_sum};
use crate::console::{Console, grouped};
use crate::interrupt::cancel_on_interrupt;

/// The canonical value of a position, a value or a sum of both
///
/// Tells its name, who wins, mean and temperature, the nimber if it is one, and its thermograph.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: value, outcome (L, R, N or P), mean, temperature (as fractions), thermograph (left and right,
lists of [tax, value] from tax -1 upwards), nimber (or null), atomic_weight (or null), birthday,
positions.

Examples:
  tabia cgt value toads:TT.F
  tabia cgt value \"hackenbush:BRG + *2\"
  tabia cgt value \"impartial clobber:XOX\" --json")]
pub struct Arguments {
    /// What to value; several are added up
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let sum = read_sum(&arguments.specs)?;
    let cancel = cancel_on_interrupt();
    let mut evaluator = SumEvaluator::with_memory(arguments.memory.memory);
    let spinner = console.spinner("evaluating".to_string());
    let valued = evaluator.of(&sum, &arguments.timeout.limits(&cancel));
    spinner.finish_and_clear();
    let valued = valued.map_err(|error| failed(error, &cancel))?;
    match console.json {
        true => console.print_json(&as_json(&valued)),
        false => console.print(&as_text(&valued)),
    }
}

/// The corners of a wall as tax and value.
pub fn corners(wall: &Wall) -> Vec<[String; 2]> {
    let corners = wall.points().iter();
    corners
        .map(|(tax, value)| [tax.to_string(), value.to_string()])
        .collect()
}

fn as_json(valued: &Valued) -> serde_json::Value {
    let graph = &valued.thermograph;
    json!({
        "value": valued.value,
        "outcome": valued.outcome.to_string(),
        "mean": valued.mean.to_string(),
        "temperature": valued.temperature.to_string(),
        "thermograph": {
            "left": corners(graph.left()),
            "right": corners(graph.right()),
        },
        "nimber": valued.nimber,
        "atomic_weight": valued.atomic_weight,
        "birthday": valued.birthday,
        "positions": valued.positions,
    })
}

fn as_text(valued: &Valued) -> String {
    let mut text = format!(
        "value        {}\noutcome      {} ({})\nmean         {}\ntemperature  {}\n\
         birthday     {}\n",
        valued.value,
        valued.outcome,
        winner(valued.outcome),
        valued.mean,
        valued.temperature,
        valued.birthday
    );
    if let Some(nimber) = valued.nimber {
        text += &format!("nimber       {nimber}\n");
    }
    if let Some(weight) = &valued.atomic_weight {
        text += &format!("weight       {weight}\n");
    }
    if valued.positions > 0 {
        text += &format!("effort       {} positions\n", grouped(valued.positions));
    }
    text
}

/// Who wins, in words.
fn winner(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::P => "whoever moves second wins",
        OutcomeClass::N => "whoever moves first wins",
        OutcomeClass::L => "Left wins",
        OutcomeClass::R => "Right wins",
    }
}
