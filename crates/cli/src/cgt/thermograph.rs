//! `tabia cgt thermograph`: the thermograph of a sum, as numbers and as a picture.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::json;
use tabia_catalog::sums::{Dyadic, SumEvaluator, Thermograph, Valued, Wall};

use super::value::corners;
use super::{Memory, Timeout, failed, read_sum};
use crate::console::Console;
use crate::files::{check_writable, write_whole};
use crate::interrupt::cancel_on_interrupt;

/// The thermograph of a position, a value or a sum of both
#[derive(clap::Args)]
#[command(after_help = "\
JSON: value, mean, temperature, left, right (lists of [tax, value] from tax -1 upwards), svg (the
file or null).

Examples:
  tabia cgt thermograph \"{10|0||-1}\"
  tabia cgt thermograph \"amazons:X..|..O\" --svg room.svg")]
pub struct Arguments {
    /// What to draw; several are added up
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,

    /// Draw it into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(file) = &arguments.svg {
        check_writable(file)?;
    }
    let sum = read_sum(&arguments.specs)?;
    let cancel = cancel_on_interrupt();
    let mut evaluator = SumEvaluator::with_memory(arguments.memory.memory);
    let valued = evaluator.of(&sum, &arguments.timeout.limits(&cancel));
    let valued = valued.map_err(|error| failed(error, &cancel))?;
    if let Some(file) = &arguments.svg {
        let picture = drawn(&valued.thermograph, &valued.value);
        write_whole(file, &picture)?;
    }
    match console.json {
        true => console.print_json(&as_json(&valued, arguments)),
        false => console.print(&as_text(&valued)),
    }
}

fn as_json(valued: &Valued, arguments: &Arguments) -> serde_json::Value {
    let graph = &valued.thermograph;
    json!({
        "value": valued.value,
        "mean": valued.mean.to_string(),
        "temperature": valued.temperature.to_string(),
        "left": corners(graph.left()),
        "right": corners(graph.right()),
        "svg": arguments.svg.as_ref().map(|file| file.display().to_string()),
    })
}

fn as_text(valued: &Valued) -> String {
    let wall = |wall: &Wall| -> String {
        let corners = corners(wall).into_iter();
        let told: Vec<String> = corners
            .map(|[tax, value]| format!("{value} at {tax}"))
            .collect();
        told.join(", ")
    };
    format!(
        "value        {}\nmean         {}\ntemperature  {}\nleft wall    {}\nright wall   {}\n",
        valued.value,
        valued.mean,
        valued.temperature,
        wall(valued.thermograph.left()),
        wall(valued.thermograph.right())
    )
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;

fn approximate(number: Dyadic) -> f64 {
    number.numerator() as f64 / 2f64.powi(number.exponent() as i32)
}

/// The picture: values grow to the left, as in the literature, and taxes upwards; the mast ends in
/// an arrow.
fn drawn(graph: &Thermograph, title: &str) -> String {
    let walls = [graph.left(), graph.right()];
    let points = || walls.iter().flat_map(|wall| wall.points());
    let values = || points().map(|&(_, value)| approximate(value));
    let (low, high) = (
        values().fold(f64::INFINITY, f64::min).floor() - 1.0,
        values().fold(f64::NEG_INFINITY, f64::max).ceil() + 1.0,
    );
    let top = points()
        .map(|&(tax, _)| approximate(tax))
        .fold(0.0, f64::max)
        + 1.0;
    let x = |value: f64| MARGIN + (high - value) / (high - low) * (WIDTH - 2.0 * MARGIN);
    let y = |tax: f64| HEIGHT - MARGIN - (tax + 1.0) / (top + 1.0) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut line = |x1: f64, y1: f64, x2: f64, y2: f64, style: &str| {
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    };
    let axis = "stroke=\"#999\"";
    line(MARGIN, y(0.0), WIDTH - MARGIN, y(0.0), axis);
    line(MARGIN, y(-1.0), MARGIN, y(top), axis);
    for (wall, colour) in walls.iter().zip(["#1f4e9c", "#b03030"]) {
        let style = format!("stroke=\"{colour}\" stroke-width=\"2\"");
        for pair in wall.points().windows(2) {
            let [(t1, v1), (t2, v2)] =
                [pair[0], pair[1]].map(|(t, v)| (approximate(t), approximate(v)));
            line(x(v1), y(t1), x(v2), y(t2), &style);
        }
        if let Some(&(tax, value)) = wall.points().last() {
            let at = x(approximate(value));
            line(at, y(approximate(tax)), at, y(top), &style);
        }
    }
    let mut label = |x: f64, y: f64, anchor: &str, text: &str| {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    };
    let step = ((high - low) / 8.0).ceil().max(1.0) as usize;
    for value in (low as i64..=high as i64).step_by(step) {
        label(
            x(value as f64),
            HEIGHT - MARGIN + 18.0,
            "middle",
            &value.to_string(),
        );
    }
    let step = ((top + 1.0) / 6.0).ceil().max(1.0) as usize;
    for tax in (-1..=top as i64).step_by(step) {
        label(MARGIN - 8.0, y(tax as f64) + 4.0, "end", &tax.to_string());
    }
    let shown: String = title.chars().take(60).collect();
    label(WIDTH / 2.0, 20.0, "middle", &shown);
    svg.push_str("</svg>\n");
    svg
}
