//! `tabia cgt score`: sums that are played for points.

use std::time::Instant;

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::sums::scoring::{
    Options, Search, StrategyKind, Sum, SumStrategy, Summand, loss,
};
use tabia_catalog::sums::{Dyadic, Exceeded};
use tabia_game::{Limits, Player};

use super::solve::{Side, capitalised};
use super::{Memory, Timeout};
use crate::console::{Console, grouped, table};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;

/// The score of a sum that is played for points, under best play
///
/// A COMPONENT is a binary tree with integers at its ends, such as `114|66||49|0`: more bars divide
/// first, Left moves to what stands before the bars and Right to what stands after them. A move
/// goes to one component, nobody passes, and the score is what all components come to. Left wants
/// many points. Components in which both players would rather have the other move are refused.
///
/// The temperature of a component is the least tax on moves, from 0 on, at which nobody gains by
/// moving; the pseudo-temperature of a player is the largest tax at which the player's move costs
/// nothing, which is more where the move threatens.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: first (left or right), score, bounds (of the score from thermographs: the lower and the
upper), line (a list: player, component, counted from one, and becomes), components (a list:
component, mean, temperature, pseudo_temperatures, of Left and of Right), losses (or null; a list:
strategy, left and right, the points given away as that player, Left moving first), nodes, seconds.

Examples:
  tabia cgt score \"114|66||49|0\" \"10|0||-1\"
  tabia cgt score \"2|0||0|-2\" \"3|-3\" --first right
  tabia cgt score \"114|66||49|0\" \"10|0||-1\" \"3|-3\" --losses")]
pub struct Arguments {
    /// What is played side by side; a component that begins with a minus sign goes after `--`
    #[arg(required = true, value_name = "COMPONENT")]
    components: Vec<String>,

    /// Who moves first
    #[arg(long, value_name = "WHO", default_value = "left")]
    first: Side,

    /// Tell what strategies that go by thermographs give away
    #[arg(long)]
    losses: bool,

    #[command(flatten)]
    memory: Memory,

    #[command(flatten)]
    timeout: Timeout,
}

/// Strategies without search.
const STRATEGIES: [(&str, StrategyKind); 4] = [
    ("hotstrat", StrategyKind::Hotstrat),
    ("hotstrat+", StrategyKind::HotstratPlus),
    ("sentestrat", StrategyKind::Sentestrat),
    ("thermostrat", StrategyKind::Thermostrat),
];

/// A move under best play: whose it is, the component, counted from one, and what becomes of it.
type Step = (Player, usize, Summand);

/// What was found.
struct Found {
    score: i64,
    bounds: [Dyadic; 2],
    line: Vec<Step>,
    losses: Option<Vec<(&'static str, [i64; 2])>>,
    nodes: u64,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let components = arguments.components.iter();
    let components: Vec<Summand> = components
        .map(|text| text.parse::<Summand>())
        .collect::<Result<_, _>>()
        .map_err(|error| bad_request(error.to_string()))?;
    let sum = Sum::new(&components).map_err(|error| bad_request(error.to_string()))?;
    let cancel = cancel_on_interrupt();
    let limits = arguments.timeout.limits(&cancel);
    let spinner = console.spinner("searching".to_string());
    let started = Instant::now();
    let found = find(&sum, &components, arguments, &limits);
    spinner.finish_and_clear();
    let found = found.map_err(|error| match error {
        Exceeded::Stopped if cancel.is_cancelled() => Interrupted.into(),
        error => anyhow::Error::from(error),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    match console.json {
        true => console.print_json(&as_json(&sum, &components, arguments, &found, seconds)),
        false => console.print(&as_text(
            console,
            &sum,
            &components,
            arguments,
            &found,
            seconds,
        )),
    }
}

fn find(
    sum: &Sum,
    components: &[Summand],
    arguments: &Arguments,
    limits: &Limits,
) -> Result<Found, Exceeded> {
    let mut search = Search::new(sum, Options::BEST)?;
    search.remember(arguments.memory.memory);
    search.watch(limits);
    let (mut position, mut mover) = (sum.start(), arguments.first.player());
    let first = search.solve(&position, mover)?;
    let bounds = search.thermographic_bounds(&position, mover)?;
    let mut now = components.to_vec();
    let (mut line, mut next, mut nodes) = (Vec::new(), first, first.nodes);
    while let Some(component) = next.best {
        sum.play(&mut position, mover, component);
        if let Summand::Options(options) = &now[component] {
            now[component] = options[mover.index() % 2].clone();
        }
        line.push((mover, component + 1, now[component].clone()));
        mover = mover.other();
        next = search.solve(&position, mover)?;
        nodes += next.nodes;
    }
    let mut losses = None;
    if arguments.losses {
        let mut told = Vec::new();
        for (name, method) in STRATEGIES {
            let mut lost = [0; 2];
            for (lost, player) in lost.iter_mut().zip([Player::FIRST, Player::SECOND]) {
                let mut strategy: Box<dyn SumStrategy + '_> = method.player(sum)?;
                *lost = loss(sum, &mut *strategy, player, &mut search)?;
            }
            told.push((name, lost));
        }
        losses = Some(told);
    }
    Ok(Found {
        score: first.score,
        bounds,
        line,
        losses,
        nodes,
    })
}

/// Mean, temperature and the pseudo-temperatures of both players of a component at the start.
fn measures(sum: &Sum, components: &[Summand], number: usize) -> [Option<Dyadic>; 4] {
    let start = sum.start();
    let pseudo = |player| sum.pseudo_temperature(&start, number, player);
    let graph = components[number].tree().thermograph().ok();
    [
        graph.map(|graph| graph.mean()),
        sum.temperature_of(&start, number),
        pseudo(Player::FIRST),
        pseudo(Player::SECOND),
    ]
}

fn as_json(
    sum: &Sum,
    components: &[Summand],
    arguments: &Arguments,
    found: &Found,
    seconds: f64,
) -> Value {
    let told = components.iter().enumerate().map(|(number, component)| {
        let [mean, temperature, left, right] = measures(sum, components, number)
            .map(|measure| measure.map(|measure| measure.to_string()));
        json!({
            "component": component.to_string(),
            "mean": mean,
            "temperature": temperature,
            "pseudo_temperatures": [left, right],
        })
    });
    let line = found.line.iter().map(|(player, component, becomes)| {
        json!({
            "player": Side::name(*player),
            "component": component,
            "becomes": becomes.to_string(),
        })
    });
    let losses = found.losses.as_ref().map(|losses| {
        let losses = losses.iter().map(|(strategy, [left, right])| {
            json!({ "strategy": strategy, "left": left, "right": right })
        });
        losses.collect::<Value>()
    });
    json!({
        "first": Side::name(arguments.first.player()),
        "score": found.score,
        "bounds": found.bounds.map(|bound| bound.to_string()),
        "line": line.collect::<Value>(),
        "components": told.collect::<Value>(),
        "losses": losses,
        "nodes": found.nodes,
        "seconds": seconds,
    })
}

fn as_text(
    console: &Console,
    sum: &Sum,
    components: &[Summand],
    arguments: &Arguments,
    found: &Found,
    seconds: f64,
) -> String {
    let told = |measure: Option<Dyadic>| measure.map_or("-".to_string(), |m| m.to_string());
    let rows = components.iter().enumerate();
    let rows = rows.map(|(number, component)| {
        let measures = measures(sum, components, number).map(told);
        let start = [(number + 1).to_string(), component.to_string()];
        start.into_iter().chain(measures).collect()
    });
    let heads = [
        "",
        "COMPONENT",
        "MEAN",
        "TEMPERATURE",
        "PSEUDO LEFT",
        "PSEUDO RIGHT",
    ];
    let mut text = table(console, &heads, rows.collect(), CellAlignment::Right);
    let [low, high] = found.bounds;
    let first = Side::name(arguments.first.player());
    text += &format!(
        "{} moves first: score {} (thermographs bound it by {low} and {high})\n",
        capitalised(first),
        found.score
    );
    for (player, component, becomes) in &found.line {
        let name = capitalised(Side::name(*player));
        text += &format!("  {name} in {component}: {becomes}\n");
    }
    if let Some(losses) = &found.losses {
        let rows = losses.iter().map(|(strategy, [left, right])| {
            vec![strategy.to_string(), left.to_string(), right.to_string()]
        });
        let heads = ["LOSS OF", "AS LEFT", "AS RIGHT"];
        text += &table(console, &heads, rows.collect(), CellAlignment::Right);
    }
    text += &format!("{} nodes, {seconds:.3} s\n", grouped(found.nodes));
    text
}
