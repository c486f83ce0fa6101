//! `tabia graph`: a small game as an explicit graph.

use std::time::Instant;

use comfy_table::CellAlignment;
use serde_json::{Value, json};
use tabia_catalog::graph::{Class, LaidOut, RandomGames, Steps, counted};
use tabia_catalog::{Facet, open};
use tabia_game::{Cancel, Seed, Wdl};

use crate::console::{Console, grouped, seconds, sentence, table};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;

/// Lay a small game out as a graph and tell what it looks like
///
/// Positions that symmetries of the board turn into each other are one class, and classes are seen
/// by the player to move, so that an edge is a move and an exchange of colours. Without a word
/// tells the size and the value of the game; the words add tables, of the classes that can arise in
/// play where nothing else is said.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: game, seconds, summary (positions, classes, classes_with_exchange, reachable,
edges, moves, terminal and reachable_terminal (each wins, draws, losses), value,
plies), and what was asked for, else null: degrees (incoming, outgoing: classes by
degree), distances (plain, bipartite: classes by distance), cycles (lengths: classes
by length, none), steps (a list of wins, losses, reachable_wins, reachable_losses),
classes (a list of position, size, reachable, value, plies, distance, cycle,
successors, predecessors), random (games, unfinished, mean, mode, shortest, longest,
lengths: games by plies).

Examples:
  tabia graph dao
  tabia graph dao degrees distances
  tabia graph dao classes --step 10
  tabia graph dao random --games 1000000 --seed 7
  tabia graph doguti classes --limit 16 --json")]
pub struct Arguments {
    /// The game, such as `dao`; `tabia games` lists them
    game: String,

    /// What to print besides the summary
    #[arg(value_enum, value_name = "WHAT")]
    what: Vec<What>,

    /// Only classes decided in this step, that is, this many plies before the end [with: classes]
    #[arg(long, value_name = "N")]
    step: Option<u16>,

    /// Maximum number of classes to list [with: classes] [default: 20]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Games to play [with: random] [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: Option<u64>,

    /// Random seed of the games [with: random] [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// How many edges lead into classes and out of them
    Degrees,
    /// How far classes are from the start
    Distances,
    /// The smallest cycle through each class
    Cycles,
    /// What each step of retrograde analysis decides
    Steps,
    /// The classes themselves
    Classes,
    /// How long games at random are
    Random,
}

/// Random games that are longer are broken off.
const MAX_GAME_PLIES: usize = 100_000;
const LISTED: usize = 20;
const GAMES: u64 = 100_000;
const SEED: u64 = 1;

/// The graph, and what several answers need.
struct View<'a> {
    arguments: &'a Arguments,
    /// What games at random came to, if they were asked for.
    random: Option<RandomGames>,
    laid_out: LaidOut,
    reachable: Vec<bool>,
    distances: Vec<Option<u32>>,
    solved: Steps,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    for (given, option, what, word) in [
        (arguments.step.is_some(), "--step", What::Classes, "classes"),
        (
            arguments.limit.is_some(),
            "--limit",
            What::Classes,
            "classes",
        ),
        (arguments.games.is_some(), "--games", What::Random, "random"),
        (arguments.seed.is_some(), "--seed", What::Random, "random"),
    ] {
        if given && !arguments.what.contains(&what) {
            return Err(bad_request(format!(
                "{option} says something about '{word}': ask for it, too"
            )));
        }
    }
    let started = Instant::now();
    let cancel = arguments
        .what
        .contains(&What::Random)
        .then(cancel_on_interrupt);
    let laid_out = Facet::Graph
        .require(open(&arguments.game)?.graph())?
        .lay_out()?;
    let random = match &cancel {
        Some(cancel) => Some(random(arguments, &laid_out, cancel).ok_or(Interrupted)?),
        None => None,
    };
    let distances = laid_out.graph.distances(laid_out.graph.start());
    let view = View {
        arguments,
        random,
        reachable: distances.iter().map(Option::is_some).collect(),
        distances,
        solved: laid_out.graph.steps(),
        laid_out,
    };
    if console.json {
        let answer = view.json();
        let mut object = json!({
            "game": arguments.game.trim(),
            "seconds": started.elapsed().as_secs_f64(),
        });
        if let (Value::Object(object), Value::Object(answer)) = (&mut object, answer) {
            object.extend(answer);
        }
        return console.print_json(&object);
    }
    let mut text = view.summary_text(console);
    for what in &arguments.what {
        text += "\n";
        text += &view.section(console, *what);
    }
    text += &format!("\n{}\n", seconds(started.elapsed()));
    console.print(&text)
}

/// Games at random; `None` if they were interrupted.
fn random(arguments: &Arguments, laid_out: &LaidOut, cancel: &Cancel) -> Option<RandomGames> {
    let seed = Seed::new(arguments.seed.unwrap_or(SEED)).split("random games");
    let games = arguments.games.unwrap_or(GAMES);
    laid_out
        .graph
        .random_games(games, MAX_GAME_PLIES, seed, cancel)
}

/// How many finished games are won, drawn and lost for the player to move.
fn outcomes(view: &View<'_>, reachable: bool) -> [usize; 3] {
    let graph = &view.laid_out.graph;
    let counted = |class: &Class| !reachable || view.is_reachable(*class);
    [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|wdl| {
        let with = graph
            .all()
            .filter(|&class| graph.outcome(class) == Some(wdl));
        with.filter(counted).count()
    })
}

impl View<'_> {
    fn is_reachable(&self, class: Class) -> bool {
        self.distances[class as usize].is_some()
    }

    fn asked(&self, what: What) -> bool {
        self.arguments.what.contains(&what)
    }

    /// Figures of the classes that can arise in play.
    fn of_reachable<'a>(
        &'a self,
        figures: &'a [Option<u32>],
    ) -> impl Iterator<Item = Option<u32>> + 'a {
        let classes = self.laid_out.graph.all();
        let reachable = classes.filter(|&class| self.is_reachable(class));
        reachable.map(|class| figures[class as usize])
    }

    fn bipartite(&self) -> Vec<u64> {
        let graph = &self.laid_out.graph;
        let [even, odd] = graph.bipartite_distances(graph.start());
        counted(even.into_iter().chain(odd))
    }

    /// Wins and losses of a step, all and reachable.
    fn steps(&self) -> Vec<[usize; 4]> {
        let reachable =
            |classes: &[Class]| classes.iter().filter(|&&c| self.is_reachable(c)).count();
        let steps = self.solved.steps.iter();
        steps
            .map(|step| {
                let [wins, losses] = [&step.wins, &step.losses];
                [wins.len(), losses.len(), reachable(wins), reachable(losses)]
            })
            .collect()
    }

    /// The classes to be listed.
    fn chosen(&self) -> Vec<Class> {
        let step = self.arguments.step;
        let wanted =
            |&class: &Class| step.is_none() || self.solved.values[class as usize].plies == step;
        let limit = self.arguments.limit.unwrap_or(LISTED);
        self.laid_out
            .graph
            .all()
            .filter(wanted)
            .take(limit)
            .collect()
    }

    fn summary_text(&self, console: &Console) -> String {
        let graph = &self.laid_out.graph;
        let outcomes = outcomes(self, true).map(|n| n as u64);
        let over = outcomes.iter().sum();
        let [wins, draws, losses] = outcomes.map(grouped);
        let degrees = graph.degrees(&self.reachable);
        let reachable = self.distances.iter().flatten().count();
        let farthest = self.distances.iter().flatten().max().copied().unwrap_or(0);
        let lines = [
            format!(
                "{}: {} positions in {} classes, {} if colours are exchanged, too",
                self.arguments.game.trim(),
                grouped(graph.places() as u64),
                grouped(graph.classes() as u64),
                grouped(graph.classes_with_exchange() as u64),
            ),
            format!(
                "{} classes can arise in play, at most {farthest} moves from the start, with {} \
                 edges, {:.2} a class",
                grouped(reachable as u64),
                grouped(degrees.edges),
                degrees.edges as f64 / reachable.max(1) as f64,
            ),
            format!(
                "the game is over in {} of them: {wins} won, {draws} drawn and {losses} lost for \
                 the player to move",
                grouped(over)
            ),
            format!(
                "value of the start: {}",
                self.solved.values[graph.start() as usize]
            ),
        ];
        lines.iter().map(|line| sentence(console, line)).collect()
    }

    fn section(&self, console: &Console, what: What) -> String {
        let graph = &self.laid_out.graph;
        let right = |header: &[&str], rows| table(console, header, rows, CellAlignment::Right);
        match what {
            What::Degrees => {
                let degrees = graph.degrees(&self.reachable);
                let columns = [degrees.incoming, degrees.outgoing];
                right(&["EDGES", "CLASSES, IN", "OUT"], side_by_side(&columns))
            }
            What::Distances => {
                let columns = [counted(self.distances.iter().copied()), self.bipartite()];
                right(
                    &["DISTANCE", "CLASSES", "BIPARTITE"],
                    side_by_side(&columns),
                )
            }
            What::Cycles => {
                let cycles = graph.smallest_cycles();
                let mut rows = side_by_side(&[counted(self.of_reachable(&cycles))]);
                let none = self.of_reachable(&cycles).filter(Option::is_none).count();
                rows.push(vec!["none".to_string(), grouped(none as u64)]);
                right(&["SMALLEST CYCLE", "CLASSES"], rows)
            }
            What::Steps => {
                let row = |(step, figures): (usize, [usize; 4])| {
                    let figures = figures.map(|figure| grouped(figure as u64));
                    [vec![step.to_string()], figures.to_vec()].concat()
                };
                let rows = self.steps().into_iter().enumerate().map(row).collect();
                let header = ["STEP", "WINS", "LOSSES", "REACHABLE WINS", "LOSSES"];
                right(&header, rows)
            }
            What::Classes => {
                let cycles = graph.smallest_cycles();
                let number = |n: Option<u32>| n.map_or(String::new(), |n| n.to_string());
                let row = |&class: &Class| {
                    vec![
                        self.laid_out.position(class).unwrap_or_default(),
                        graph.size(class).to_string(),
                        self.solved.values[class as usize].to_string(),
                        number(self.distances[class as usize]),
                        number(cycles[class as usize]),
                        graph.successors().row(class).len().to_string(),
                        graph.predecessors().row(class).len().to_string(),
                    ]
                };
                let rows = self.chosen().iter().map(row).collect();
                let header = [
                    "POSITION", "SIZE", "VALUE", "DISTANCE", "CYCLE", "OUT", "IN",
                ];
                right(&header, rows)
            }
            What::Random => {
                let Some(games) = &self.random else {
                    return String::new();
                };
                let plies =
                    |length: Option<usize>| length.map_or("-".to_string(), |n| n.to_string());
                let line = format!(
                    "{} games at random: {} plies on average, most often {}, at least {}, at most \
                     {}; {} broken off",
                    grouped(games.finished() + games.unfinished),
                    games
                        .mean()
                        .map_or("-".to_string(), |mean| format!("{mean:.2}")),
                    plies(games.mode()),
                    plies(games.shortest()),
                    plies(games.longest()),
                    grouped(games.unfinished),
                );
                sentence(console, &line)
            }
        }
    }

    fn json(&self) -> Value {
        let graph = &self.laid_out.graph;
        let terminal = |reachable| {
            let [wins, draws, losses] = outcomes(self, reachable);
            json!({ "wins": wins, "draws": draws, "losses": losses })
        };
        let degrees = graph.degrees(&self.reachable);
        let value = self.solved.values[graph.start() as usize];
        let cycles = (self.asked(What::Cycles) || self.asked(What::Classes))
            .then(|| graph.smallest_cycles());
        let told = |what, value: &dyn Fn() -> Value| match self.asked(what) {
            true => value(),
            false => Value::Null,
        };
        json!({
            "summary": {
                "positions": graph.places(),
                "classes": graph.classes(),
                "classes_with_exchange": graph.classes_with_exchange(),
                "reachable": self.distances.iter().flatten().count(),
                "edges": degrees.edges,
                "moves": graph.total_moves(),
                "terminal": terminal(false),
                "reachable_terminal": terminal(true),
                "value": value.wdl.word(),
                "plies": value.plies,
            },
            "degrees": told(What::Degrees, &|| json!({
                "incoming": degrees.incoming,
                "outgoing": degrees.outgoing,
            })),
            "distances": told(What::Distances, &|| json!({
                "plain": counted(self.distances.iter().copied()),
                "bipartite": self.bipartite(),
            })),
            "cycles": told(What::Cycles, &|| {
                let cycles = cycles.as_deref().unwrap_or_default();
                json!({
                    "lengths": counted(self.of_reachable(cycles)),
                    "none": self.of_reachable(cycles).filter(Option::is_none).count(),
                })
            }),
            "steps": told(What::Steps, &|| {
                let step = |[wins, losses, reachable_wins, reachable_losses]: [usize; 4]| json!({
                    "wins": wins,
                    "losses": losses,
                    "reachable_wins": reachable_wins,
                    "reachable_losses": reachable_losses,
                });
                self.steps().into_iter().map(step).collect()
            }),
            "classes": told(What::Classes, &|| {
                let cycles = cycles.as_deref().unwrap_or_default();
                self.chosen().iter().map(|&class| self.class_json(class, cycles)).collect()
            }),
            "random": self.random.as_ref().map(|games| json!({
                "games": games.finished() + games.unfinished,
                "unfinished": games.unfinished,
                "mean": games.mean(),
                "mode": games.mode(),
                "shortest": games.shortest(),
                "longest": games.longest(),
                "lengths": games.lengths,
            })),
        })
    }

    fn class_json(&self, class: Class, cycles: &[Option<u32>]) -> Value {
        let graph = &self.laid_out.graph;
        let value = self.solved.values[class as usize];
        json!({
            "position": self.laid_out.position(class),
            "size": graph.size(class),
            "reachable": self.is_reachable(class),
            "value": value.wdl.word(),
            "plies": value.plies,
            "distance": self.distances[class as usize],
            "cycle": cycles.get(class as usize).copied().flatten(),
            "successors": graph.successors().row(class).len(),
            "predecessors": graph.predecessors().row(class).len(),
        })
    }
}

/// Rows of columns of counts, numbered from zero; rows of zeros alone are left out.
fn side_by_side(columns: &[Vec<u64>]) -> Vec<Vec<String>> {
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
    let row = |i: usize| {
        columns
            .iter()
            .map(move |column| column.get(i).copied().unwrap_or(0))
    };
    (0..longest)
        .filter(|&i| row(i).any(|count| count > 0))
        .map(|i| {
            std::iter::once(i.to_string())
                .chain(row(i).map(grouped))
                .collect()
        })
        .collect()
}
