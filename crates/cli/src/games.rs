//! `tabia games`: what there is, and what each can do.

use std::fmt::Write;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Value, json};
use tabia_catalog::{AnyGame, EngineInfo, GameEntry, entries, entry, open};
use tabia_game::Player;
use tabia_game::options::{Parameter, split_spec};

use crate::console::{Console, counted, wrap};

/// List the games, or tell all about one
///
/// The list shows each game with its engines. With a name: its options, its engines with their
/// options, and how its positions are written.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: a list of objects with name, title, summary, players, player_names, chance,
hidden, symmetries, options, engines, engine_options, position_help, examples.

Examples:
  tabia games
  tabia games mnk
  tabia games --json")]
pub struct Arguments {
    /// The game to tell all about
    name: Option<String>,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let chosen = match &arguments.name {
        None => entries()
            .iter()
            .map(|&entry| Ok((entry, open(entry.name)?)))
            .collect::<anyhow::Result<Vec<_>>>()?,
        Some(spec) => vec![(entry(split_spec(spec.trim()).0)?, open(spec)?)],
    };
    if console.json {
        let list = chosen.iter().map(|(entry, game)| object(entry, &**game));
        return console.print_json(&list.collect());
    }
    match (&arguments.name, &chosen[..]) {
        (Some(_), [(entry, game)]) => console.print(&details(entry, &**game, console.width)),
        _ => console.print(&table(&chosen, console.width)),
    }
}

/// Narrower than this, games are told one below the other.
const TABLE_WIDTH: usize = 60;
const HINT: &str = "\n'tabia games GAME' tells all about one of them.\n";

fn table(games: &[(&GameEntry, Box<dyn AnyGame>)], width: usize) -> String {
    if width < TABLE_WIDTH {
        let lines = games
            .iter()
            .map(|(entry, _)| format!("{}: {}\n", entry.name, entry.title));
        return lines.chain([HINT.to_string()]).collect();
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(["GAME", "TITLE", "OPTIONS", "ENGINES"]);
    for (entry, game) in games {
        let options: Vec<&str> = entry.parameters.iter().map(|p| p.key).collect();
        let engines: Vec<&str> = game.engines().iter().map(|e| e.name).collect();
        table.add_row([
            entry.name,
            entry.title,
            &options.join(", "),
            &engines.join(", "),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines = table.lines().map(|line| line.trim_end().to_string() + "\n");
    lines.chain([HINT.to_string()]).collect()
}

fn details(entry: &GameEntry, game: &dyn AnyGame, width: usize) -> String {
    let traits = game.traits();
    let mut facts = vec![counted(traits.players as u64, "player", "players")];
    facts.extend(traits.chance.then(|| "chance".to_string()));
    facts.extend(traits.hidden.then(|| "hidden information".to_string()));
    facts.push(match traits.symmetries {
        1 => "no symmetries".to_string(),
        n => format!("{n} symmetries"),
    });
    let summary = format!("{}; {}", entry.summary, facts.join(", "));
    let words: Vec<&str> = summary.split(' ').collect();
    let summary = wrap(&words, width, 0);
    let mut text = format!("{} ({})\n{summary}\n", entry.title, entry.name);
    // Writing to a string cannot fail, so the results are not looked at.
    if !entry.parameters.is_empty() {
        text.push_str("\nOptions\n");
        options(&mut text, entry.parameters, width);
    }
    text.push_str("\nEngines, the default first\n");
    engines(&mut text, &game.engines(), width);
    text.push_str("\nPositions\n");
    paragraph(&mut text, game.position_help(), width, 2);
    text.push_str("\nExamples\n");
    for spec in entry.examples {
        let _ = writeln!(text, "  tabia show {spec}");
    }
    let name = entry.name;
    let _ = writeln!(text, "  tabia best {name} --time 2\n  tabia play {name}");
    text
}

/// Engines with the same options are told together: the options of the first, and where the
/// defaults of the others differ.
fn engines(text: &mut String, infos: &[&EngineInfo], width: usize) {
    let mut rest = infos;
    while let [first, others @ ..] = rest {
        paragraph(
            text,
            &format!("{}: {}", first.name, first.summary),
            width,
            2,
        );
        options(text, &first.parameters, width);
        let like = others
            .iter()
            .map_while(|other| Some((other, other.differences(first)?)));
        let mut told = 0;
        for (other, differences) in like {
            paragraph(
                text,
                &format!("{}: {}", other.name, other.summary),
                width,
                2,
            );
            let settings: Vec<String> = differences
                .iter()
                .map(|p| format!("{}={}", p.key, p.default))
                .collect();
            let line = format!("as {}, but {}", first.name, settings.join(" "));
            paragraph(text, &line, width, 4);
            told += 1;
        }
        rest = &others[told..];
    }
}

/// Words on lines that begin with `indent` blanks, after the first two more.
fn paragraph(text: &mut String, words: &str, width: usize, indent: usize) {
    let words: Vec<&str> = words.split(' ').collect();
    text.push_str(&" ".repeat(indent));
    text.push_str(&wrap(&words, width, indent + 2));
    text.push('\n');
}

fn options(text: &mut String, parameters: &[Parameter], width: usize) {
    for Parameter {
        key,
        kind,
        default,
        help,
    } in parameters
    {
        let line = format!("{key}={kind} (default {default}): {help}");
        paragraph(text, &line, width, 4);
    }
}

fn object(entry: &GameEntry, game: &dyn AnyGame) -> Value {
    let traits = game.traits();
    let players = (0..traits.players).filter_map(|p| u8::try_from(p).ok());
    let engine_options: serde_json::Map<String, Value> = game
        .engines()
        .iter()
        .map(|e| (e.name.to_string(), option_list(&e.parameters)))
        .collect();
    json!({
        "name": entry.name,
        "title": entry.title,
        "summary": entry.summary,
        "players": traits.players,
        "player_names": players.map(|p| game.player_name(Player(p))).collect::<Vec<_>>(),
        "chance": traits.chance,
        "hidden": traits.hidden,
        "symmetries": traits.symmetries,
        "options": option_list(entry.parameters),
        "engines": game.engines().iter().map(|e| e.name).collect::<Vec<_>>(),
        "engine_options": engine_options,
        "position_help": game.position_help(),
        "examples": entry.examples,
    })
}

fn option_list(parameters: &[Parameter]) -> Value {
    parameters
        .iter()
        .map(|p| {
            json!({
                "key": p.key,
                "kind": p.kind.to_string(),
                "default": p.default,
                "help": p.help,
            })
        })
        .collect()
}
