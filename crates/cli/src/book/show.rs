//! `tabia book show`: the outline of a book, and where games leave it.

use std::path::PathBuf;

use serde_json::{Value, json};
use tabia_catalog::book::{Book, Flag, NodeId, drop_outs, drop_outs_svg};
use tabia_catalog::open;

use super::{node, player_names, read, shown};
use crate::console::{Console, grouped};
use crate::files::write_whole;

/// Look at a book: the outline by value, the board, the ways out
#[derive(clap::Args)]
#[command(after_help = "\
JSON: file, game, engine, depth, breadth, correction, nodes, levels (nodes of each level, from the
root), position, node (the one looked at: move, mover, value, propagated, given, flag, searches,
children), exits (for either owner of the book: owner, level, value, optimal). Values are those of
the first player but for exits, where they are the owner's.")]
pub struct Arguments {
    /// The file of the book
    file: PathBuf,

    /// Look at the position after these moves of the book
    #[arg(short, long, value_name = "MOVES")]
    line: Option<String>,

    /// Plies of the outline
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(..=500),
    )]
    depth: u32,

    /// Children of each position in the outline
    #[arg(long, value_name = "N", default_value_t = 5)]
    width: usize,

    /// Draw the drop-out diagram to this file, as SVG
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,

    /// Whose book the diagram is: 1 for the first player, 2 for the second
    #[arg(
        long,
        value_name = "SEAT",
        default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=2),
    )]
    owner: u8,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let book = read(&arguments.file)?;
    let id = node(&book, arguments.line.as_deref())?;
    if let Some(file) = &arguments.diagram {
        let exits = drop_outs(&book, arguments.owner - 1);
        write_whole(file, &drop_outs_svg(&exits, 1_000_000))?;
    }
    let header = book.header();
    let game = open(&header.game)?;
    let mut session = game.session(header.position.as_deref())?;
    for mv in book.line(id) {
        session.play(mv)?;
    }
    if console.json {
        let ways = [0, 1].map(|owner| exits(&book, owner)).concat();
        return console.print_json(&json!({
            "file": arguments.file.display().to_string(),
            "game": header.game,
            "engine": header.engine,
            "depth": header.depth,
            "breadth": header.breadth,
            "correction": header.correction,
            "nodes": book.nodes().len(),
            "levels": levels(&book),
            "position": session.position(),
            "node": object(&book, id, arguments.depth as usize),
            "exits": ways,
        }));
    }
    let names = player_names(&book)?;
    let mut text = console.board(&session.picture()) + "\n";
    text += &format!("{}\n", session.position());
    text += &format!(
        "{} nodes, by level: {}\n",
        grouped(book.nodes().len() as u64),
        levels(&book)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    );
    text += &format!("values are those of {}\n\n", names[0]);
    outline(&book, id, arguments, 0, &mut text);
    for (owner, name) in names.iter().enumerate() {
        let ways = drop_outs(&book, owner as u8);
        if let Some(best) = ways.iter().find(|exit| exit.optimal) {
            let soonest = ways.iter().map(|exit| exit.level).min().unwrap_or(0);
            text += &format!(
                "{name} with this book leaves it after {} plies with {} if both play best, after \
                 {soonest} at the soonest\n",
                best.level,
                shown(best.value)
            );
        }
    }
    console.print(&text)
}

/// How many nodes each level has.
fn levels(book: &Book) -> Vec<usize> {
    let mut levels = Vec::new();
    for place in book.tree() {
        if levels.len() <= place.level {
            levels.resize(place.level + 1, 0);
        }
        levels[place.level] += 1;
    }
    levels
}

fn word(flag: Flag) -> &'static str {
    match flag {
        Flag::Best => "best",
        Flag::Worst => "worst",
    }
}

/// Recursion goes no deeper than the outline that was asked for and the book.
fn outline(book: &Book, id: NodeId, arguments: &Arguments, depth: usize, text: &mut String) {
    let (node, place) = (&book.nodes()[id], &book.tree()[id]);
    let name = if node.mv.is_empty() {
        "(root)"
    } else {
        &node.mv
    };
    let indent = "  ".repeat(depth);
    let mut remarks = String::new();
    if let Some(flag) = node.flag {
        remarks += &format!(" [{}]", word(flag));
    }
    if node.given.is_some() {
        remarks += " [given]";
    }
    if node.mover.is_none() {
        remarks += " [over]";
    }
    let (own, all) = (shown(node.value), shown(place.propagated));
    *text += &format!("{indent}{name}  {all} ({own}){remarks}\n");
    if depth >= arguments.depth as usize {
        return;
    }
    let children = book.ranked_children(id);
    for &child in children.iter().take(arguments.width) {
        outline(book, child, arguments, depth + 1, text);
    }
    if children.len() > arguments.width {
        *text += &format!("{indent}  and {} more\n", children.len() - arguments.width);
    }
}

fn object(book: &Book, id: NodeId, depth: usize) -> Value {
    let (node, place) = (&book.nodes()[id], &book.tree()[id]);
    let unit = |value: i32| f64::from(value) / 1e6;
    let children: Vec<Value> = match depth {
        0 => Vec::new(),
        _ => book
            .ranked_children(id)
            .into_iter()
            .map(|child| object(book, child, depth - 1))
            .collect(),
    };
    json!({
        "move": node.mv,
        "mover": node.mover,
        "value": unit(node.value),
        "propagated": unit(place.propagated),
        "given": node.given.map(unit),
        "flag": node.flag.map(word),
        "searches": node.log,
        "children": children,
    })
}

fn exits(book: &Book, owner: u8) -> Vec<Value> {
    let exits = drop_outs(book, owner);
    exits
        .iter()
        .map(|exit| {
            json!({
                "owner": owner + 1,
                "level": exit.level,
                "value": f64::from(exit.value) / 1e6,
                "optimal": exit.optimal,
            })
        })
        .collect()
}
