//! `tabia games`: what there is, and what each can do.

use std::fmt::Write;

use serde_json::{Value, json};
use tabia_catalog::{AnyGame, EngineInfo, GameEntry, Traits, entries, entry, open, sample};
use tabia_game::Player;
use tabia_game::options::{Parameter, ParameterKind, split_spec};

use crate::console::{Console, counted, wrap};

/// List the games, or tell all about one
///
/// The list has a line for each game, to be searched with grep. With a name: its rules, how moves
/// and positions are written, its options, and its engines with theirs.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: a list of objects with name, title, summary, rules, players, player_names, chance,
hidden, symmetries, unit, options, engines, engine_options, move_example,
position_example, position_help, examples.

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
        return console.print_json(&list.collect::<anyhow::Result<Value>>()?);
    }
    match (&arguments.name, &chosen[..]) {
        (Some(_), [(entry, game)]) => console.print(&details(entry, &**game, console.width)?),
        _ => console.print(&list(&chosen)),
    }
}

/// A line for each game, never broken.
fn list(games: &[(&GameEntry, Box<dyn AnyGame>)]) -> String {
    let rows = games.iter().map(|(entry, game)| {
        let summary = format!("{}: {}", entry.title, entry.summary);
        let traits = game.traits();
        let cells = [
            entry.name.to_string(),
            players(entry, &traits),
            kind(&traits),
        ];
        (cells, summary)
    });
    let header = ["GAME", "PLAYERS", "KIND"].map(String::from);
    let rows: Vec<_> = std::iter::once((header, "WHAT IT IS".to_string()))
        .chain(rows)
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|(cells, _)| cells[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths = [0, 1, 2].map(width);
    let line = |(cells, summary): &([String; 3], String)| {
        let padded = cells.iter().zip(widths);
        let padded = padded.map(|(cell, width)| format!("{cell:<width$}  "));
        format!("{}{summary}\n", padded.collect::<String>())
    };
    rows.iter().map(line).collect()
}

/// How many can play: as many as an option of this name says, if there is one.
fn players(entry: &GameEntry, traits: &Traits) -> String {
    let option = entry.parameters.iter().find(|p| p.key == "players");
    match option.map(|option| option.kind) {
        Some(ParameterKind::Integer(least, most)) => format!("{least}-{most}"),
        _ => traits.players.to_string(),
    }
}

/// The class of a game in one word.
fn kind(traits: &Traits) -> String {
    let kind = match (traits.chance, traits.hidden) {
        (false, false) => "perfect",
        (true, false) => "chance",
        (false, true) => "hidden",
        (true, true) => "chance+hidden",
    };
    kind.to_string()
}

fn details(entry: &GameEntry, game: &dyn AnyGame, width: usize) -> anyhow::Result<String> {
    let traits = game.traits();
    let mut facts = vec![counted(traits.players as u64, "player", "players")];
    facts.extend(traits.chance.then(|| "chance".to_string()));
    facts.extend(traits.hidden.then(|| "hidden information".to_string()));
    facts.push(match traits.symmetries {
        1 => "no symmetries".to_string(),
        n => format!("{n} symmetries"),
    });
    facts.extend(game.unit().name().map(|unit| format!("counted in {unit}")));
    let title = format!("{} ({}): {}", entry.title, entry.name, entry.summary);
    let mut text = String::new();
    paragraph(&mut text, &title, width, 0, 0);
    // Writing to a string cannot fail, so the results are not looked at.
    let _ = writeln!(text, "{}\n", facts.join(", "));
    text.push_str("Rules\n");
    paragraph(&mut text, entry.rules, width, 2, 2);
    text.push_str("\nMoves and positions\n");
    let example = Example::of(game)?;
    if let Some(mv) = &example.mv {
        paragraph(&mut text, &format!("a move: {mv}"), width, 2, 4);
    }
    let position = format!("a position: {}", example.position);
    paragraph(&mut text, &position, width, 2, 4);
    let help = format!("positions are {}", game.position_help());
    paragraph(&mut text, &help, width, 2, 4);
    if !entry.parameters.is_empty() {
        text.push_str("\nOptions\n");
        options(&mut text, entry.parameters, width);
    }
    text.push_str("\nEngines, the default first\n");
    engines(&mut text, &game.engines(), width);
    text.push_str("\nExamples\n");
    for spec in entry.examples {
        let _ = writeln!(text, "  tabia show {spec}");
    }
    let name = entry.name;
    let _ = writeln!(text, "  tabia best {name} --time 2\n  tabia play {name}");
    Ok(text)
}

/// How a game is written, by a game that was begun.
struct Example {
    /// The last move that a player made.
    mv: Option<String>,
    position: String,
}

impl Example {
    /// The moves of the example, few enough that it looks like a start.
    const PLIES: usize = 4;

    fn of(game: &dyn AnyGame) -> anyhow::Result<Example> {
        let mut mv = None;
        for plies in 1..=Self::PLIES {
            let before = sample(game, plies - 1)?;
            let after = sample(game, plies)?;
            if matches!(before.turn(), tabia_game::Turn::Player(_)) {
                mv = after.history().last().cloned();
            }
        }
        Ok(Example {
            mv,
            position: sample(game, Self::PLIES)?.position(),
        })
    }
}

/// Engines with the same options are told together: the options of the first, and where the
/// defaults of the others differ.
fn engines(text: &mut String, infos: &[&EngineInfo], width: usize) {
    let mut rest = infos;
    while let [first, others @ ..] = rest {
        paragraph(
            text,
            &format!("{}: {}", names(first), first.summary),
            width,
            2,
            4,
        );
        options(text, &first.parameters, width);
        let like = others
            .iter()
            .map_while(|other| Some((other, other.differences(first)?)));
        let mut told = 0;
        for (other, differences) in like {
            paragraph(
                text,
                &format!("{}: {}", names(other), other.summary),
                width,
                2,
                4,
            );
            let settings: Vec<String> = differences
                .iter()
                .map(|p| format!("{}={}", p.key, p.default))
                .collect();
            let line = match settings.is_empty() {
                true => format!("options as {}", first.name),
                false => format!("options as {}, but {}", first.name, settings.join(" ")),
            };
            paragraph(text, &line, width, 4, 6);
            told += 1;
        }
        rest = &others[told..];
    }
}

/// What an engine is called.
fn names(info: &EngineInfo) -> String {
    match info.aliases {
        [] => info.name.to_string(),
        aliases => format!("{} (or {})", info.name, aliases.join(", ")),
    }
}

/// Words on lines that begin with this many blanks, the first and the others.
fn paragraph(text: &mut String, words: &str, width: usize, first: usize, others: usize) {
    let words: Vec<&str> = words.split(' ').collect();
    text.push_str(&" ".repeat(first));
    text.push_str(&wrap(&words, width, others));
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
        paragraph(text, &line, width, 4, 6);
    }
}

fn object(entry: &GameEntry, game: &dyn AnyGame) -> anyhow::Result<Value> {
    let traits = game.traits();
    let players = (0..traits.players).filter_map(|p| u8::try_from(p).ok());
    let engine_options: serde_json::Map<String, Value> = game
        .engines()
        .iter()
        .map(|e| (e.name.to_string(), option_list(&e.parameters)))
        .collect();
    let example = Example::of(game)?;
    Ok(json!({
        "name": entry.name,
        "title": entry.title,
        "summary": entry.summary,
        "rules": entry.rules,
        "players": traits.players,
        "player_names": players.map(|p| game.player_name(Player(p))).collect::<Vec<_>>(),
        "chance": traits.chance,
        "hidden": traits.hidden,
        "symmetries": traits.symmetries,
        "unit": game.unit().name(),
        "options": option_list(entry.parameters),
        "engines": game.engines().iter().map(|e| e.name).collect::<Vec<_>>(),
        "engine_options": engine_options,
        "move_example": example.mv,
        "position_example": example.position,
        "position_help": game.position_help(),
        "examples": entry.examples,
    }))
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
