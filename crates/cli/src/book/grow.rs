//! `tabia book grow`: begins a book, or goes on with one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use tabia_catalog::book::{Book, Builder, Correction, Growth, GrowthMethod, Header};
use tabia_catalog::open;

use super::{millionths, node, read, refused, shown};
use crate::arguments::Threads;
use crate::best::default_engine;
use crate::console::{Console, grouped, seconds};
use crate::failure::bad_request;
use crate::files::{check_writable, write_whole};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Begin a book, or go on with one
///
/// The file is begun if it is not there; game, engine, depth, breadth and correction are then kept
/// in it. Ctrl-C keeps what there is, and the same command goes on.
#[derive(clap::Args)]
#[command(after_help = "\
Methods: best-first follows the line that both play best; drop-out follows the opponent who leaves
the book soonest for the least; depth is best-first with a cost for every ply; breadth goes level
by level.

JSON: file, game, engine, method, nodes, added, complete, value (for the first player), line,
seconds.")]
pub struct Arguments {
    /// The file of the book
    file: PathBuf,

    /// The game; for a book that is there it may be left out
    game: Option<String>,

    /// Number of nodes to grow the book to
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000),
    )]
    nodes: u32,

    /// How the next node is chosen
    #[arg(
        long,
        value_name = "M",
        default_value = "best-first",
        value_parser = ["best-first", "drop-out", "depth", "breadth"],
    )]
    method: String,

    /// Method depth: what a ply costs, as a share of a win
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = millionths)]
    penalty: i32,

    /// Method drop-out: plies that the loss of a whole win weighs as much as
    #[arg(long, value_name = "W", default_value_t = 100.0)]
    weight: f64,

    /// Method breadth: how much worse than the best a move may be, as a share of a win
    #[arg(long, value_name = "W", default_value = "0.03", value_parser = millionths)]
    width: i32,

    /// Method breadth: by which factor that shrinks from level to level
    #[arg(long, value_name = "F", default_value_t = 0.8)]
    shrink: f64,

    /// Grow only at and below this line of the book
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,

    /// Of a new book: the engine that values positions
    #[arg(short, long, value_name = "ENGINE")]
    engine: Option<String>,

    /// Of a new book: search depth of the engine in plies [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,

    /// Of a new book: moves of a position that are searched at a time [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    breadth: Option<u32>,

    /// Of a new book, against values that favour whoever moved last: none, search (one more ply),
    /// or a share of a win [default: none]
    #[arg(long, value_name = "C", value_parser = correction)]
    correction: Option<Correction>,

    /// Of a new book: the position it begins at
    #[arg(short, long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,

    #[command(flatten)]
    threads: Threads,
}

/// How often the file is written while the book grows.
const SAVE: Duration = Duration::from_secs(30);

fn correction(text: &str) -> Result<Correction, String> {
    match text {
        "none" => Ok(Correction::None),
        "search" => Ok(Correction::Search),
        other => millionths(other).map(Correction::Amount),
    }
}

impl Arguments {
    fn method(&self) -> anyhow::Result<GrowthMethod> {
        let sound = |value: f64| value.is_finite() && value >= 0.0;
        if !sound(self.weight) || !sound(self.shrink) {
            return Err(bad_request("--weight and --shrink are numbers from 0 on"));
        }
        Ok(match self.method.as_str() {
            "drop-out" => GrowthMethod::DropOut(self.weight),
            "depth" => GrowthMethod::DepthPenalty(self.penalty),
            "breadth" => GrowthMethod::Breadth(self.width, self.shrink),
            _ => GrowthMethod::BestFirst,
        })
    }

    /// What a new book is about.
    fn header(&self) -> anyhow::Result<Header> {
        let Some(game) = &self.game else {
            return Err(bad_request(format!(
                "there is no book '{}' yet: name the game, too",
                self.file.display()
            )));
        };
        let engine = match &self.engine {
            Some(engine) => engine.clone(),
            None => default_engine(&*open(game)?).to_string(),
        };
        Ok(Header {
            game: game.trim().to_string(),
            position: self.position.clone(),
            engine,
            depth: self.depth.unwrap_or(2),
            breadth: self.breadth.unwrap_or(50) as usize,
            correction: self.correction.unwrap_or_default(),
        })
    }

    /// Refuses to go on with a book in another way than it was begun.
    fn agrees(&self, header: &Header) -> anyhow::Result<()> {
        let same = |given: Option<&str>, kept: &str| given.is_none_or(|given| given.trim() == kept);
        let fits = same(self.game.as_deref(), &header.game)
            && same(self.engine.as_deref(), &header.engine)
            && self.depth.is_none_or(|depth| depth == header.depth)
            && self
                .breadth
                .is_none_or(|breadth| breadth as usize == header.breadth)
            && self
                .correction
                .is_none_or(|correction| correction == header.correction)
            && (self.position.is_none() || self.position == header.position);
        if fits {
            return Ok(());
        }
        Err(bad_request(format!(
            "the book '{}' is of {}, valued by {} at depth {} and breadth {}: leave those options \
             out to go on with it",
            self.file.display(),
            header.game,
            header.engine,
            header.depth,
            header.breadth
        )))
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.file;
    let method = arguments.method()?;
    let known = match file.exists() {
        true => Some(read(file)?),
        false => None,
    };
    let header = match &known {
        Some(book) => {
            arguments.agrees(book.header())?;
            book.header().clone()
        }
        None => arguments.header()?,
    };
    check_writable(file)?;
    let cancel = cancel_on_interrupt();
    let started = Instant::now();
    let threads = arguments.threads.number();
    let game = open(&header.game)?;
    let mut builder = Builder::new(game, &header, threads, &cancel).map_err(refused)?;
    let mut book = match known {
        Some(book) => book,
        None => builder.begin().map_err(refused)?,
    };
    let before = book.nodes().len();
    let growth = Growth {
        method,
        nodes: arguments.nodes as usize,
        from: node(&book, arguments.line.as_deref())?,
    };
    let progress = Progress::new("nodes", u64::from(arguments.nodes));
    progress.begin_at(before as u64);
    let mut saved = Instant::now();
    let mut failed = None;
    let grown = builder.grow(&mut book, &growth, |book| {
        progress.set(book.nodes().len() as u64, u64::from(arguments.nodes));
        if saved.elapsed() >= SAVE {
            saved = Instant::now();
            failed = write_whole(file, &book.write()).err();
        }
        failed.is_none()
    });
    progress.finish();
    // Whatever happened, what has grown is kept.
    write_whole(file, &book.write())?;
    if let Some(error) = failed {
        return Err(error);
    }
    grown.map_err(refused)?;
    report(console, arguments, &book, before, started.elapsed())
}

fn report(
    console: &Console,
    arguments: &Arguments,
    book: &Book,
    before: usize,
    time: Duration,
) -> anyhow::Result<()> {
    let nodes = book.nodes().len();
    let line = book.principal_line(0);
    let moves: Vec<&str> = line
        .iter()
        .map(|&id| book.nodes()[id].mv.as_str())
        .collect();
    let root = &book.tree()[0];
    if console.json {
        return console.print_json(&json!({
            "file": arguments.file.display().to_string(),
            "game": book.header().game,
            "engine": book.header().engine,
            "method": arguments.method,
            "nodes": nodes,
            "added": nodes - before,
            "complete": root.closed,
            "value": f64::from(root.propagated) / 1e6,
            "line": moves,
            "seconds": time.as_secs_f64(),
        }));
    }
    console.print(&format!(
        "{}: {} nodes, {} of them new{}\nvalue  {} for the first player\nline   {}\n{}\n",
        arguments.file.display(),
        grouped(nodes as u64),
        grouped((nodes - before) as u64),
        if root.closed {
            "; everything is in it"
        } else {
            ""
        },
        shown(root.propagated),
        moves.join(" "),
        seconds(time),
    ))
}
