//! The generated pages `docs/games.md` and `docs/gallery.md`, and the pictures on them: what there
//! is, how it looks, and which engine plays what.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tabia_catalog::{AnyGame, EngineInfo, GameEntry, Session, entries, open, sample};
use tabia_game::Turn;
use tabia_game::options::Parameter;
use tabia_game::picture::svg;

const GENERATED: &str = "Generated from the catalog; \
    `TABIA_BLESS=1 cargo test -p tabia-catalog --test all document` writes it anew.\n\n";

/// Moves of the game that a picture shows: enough that there is something on the board, and few
/// enough that the game is not over.
const PLIES: [usize; 4] = [6, 4, 2, 1];

/// The position of a game that is shown.
fn shown(game: &dyn AnyGame) -> Box<dyn Session> {
    let mut sessions = PLIES.iter().map(|&plies| sample(game, plies).unwrap());
    sessions
        .find(|session| session.turn() != Turn::Over)
        .unwrap()
}

/// Pictures in a row of the gallery.
const ACROSS: usize = 4;

type Opened = (&'static GameEntry, Box<dyn AnyGame>);

fn games() -> Vec<Opened> {
    let entries = entries().iter();
    entries
        .map(|&entry| (entry, open(entry.name).unwrap()))
        .collect()
}

/// All engines with a game that they play, in the order of the games.
fn engines(games: &[Opened]) -> Vec<&EngineInfo> {
    let mut engines: Vec<&EngineInfo> = Vec::new();
    for info in games.iter().flat_map(|(_, game)| game.engines()) {
        if engines.iter().all(|known| known.name != info.name) {
            engines.push(info);
        }
    }
    engines
}

fn page(games: &[Opened]) -> String {
    let mut page = format!("# Games and engines\n\n{GENERATED}");
    page.push_str("The boards are side by side in the [gallery](gallery.md).\n\n");
    let columns = ["game", "name", "players", "chance", "hidden", "symmetries"];
    row(&mut page, &columns);
    row(&mut page, &["---"; 6]);
    let yes = |yes| if yes { "yes" } else { "" };
    for (entry, game) in games {
        let traits = game.traits();
        let title = format!("[{}](#{})", entry.title, anchor(entry.title));
        let name = format!("`{}`", entry.name);
        let (players, symmetries) = (traits.players.to_string(), traits.symmetries.to_string());
        let (chance, hidden) = (yes(traits.chance), yes(traits.hidden));
        row(
            &mut page,
            &[&title, &name, &players, chance, hidden, &symmetries],
        );
    }
    page.push_str("\n## Games\n");
    for (entry, game) in games {
        section(&mut page, entry, &**game);
    }
    page.push_str("\n## Engines\n");
    let infos = engines(games);
    for (i, info) in infos.iter().enumerate() {
        let EngineInfo { name, summary, .. } = info;
        write!(page, "\n### {name}\n\n{summary}.\n\n").unwrap();
        if !info.aliases.is_empty() {
            write!(page, "Also called `{}`.\n\n", info.aliases.join("`, `")).unwrap();
        }
        // Engines with the same options are told by how their defaults differ from the first.
        let told = infos[..i].iter().find_map(|earlier| {
            let differences = info.differences(earlier)?;
            Some((earlier.name, differences))
        });
        match told {
            Some((earlier, differences)) if differences.is_empty() => {
                writeln!(page, "The options are those of {earlier}.").unwrap();
            }
            Some((earlier, differences)) => {
                let settings: Vec<String> = differences
                    .iter()
                    .map(|p| format!("`{}={}`", p.key, p.default))
                    .collect();
                writeln!(page, "Options as {earlier}, but {}.", settings.join(", ")).unwrap();
            }
            None => options(&mut page, &info.parameters),
        }
    }
    page
}

/// All about one game.
fn section(page: &mut String, entry: &GameEntry, game: &dyn AnyGame) {
    let GameEntry {
        name,
        title,
        summary,
        rules,
        ..
    } = entry;
    write!(
        page,
        "\n### {title}\n\n![{title}]({})\n\n",
        picture_link(entry)
    )
    .unwrap();
    write!(page, "`{name}`: {summary}.\n\n{rules}\n\n").unwrap();
    options(page, entry.parameters);
    if let Some(unit) = game.unit().name() {
        writeln!(page, "- payoffs are counted in {unit}").unwrap();
    }
    let session = shown(game);
    let moves = session.history().join("`, `");
    writeln!(page, "- moves: the picture is the position after `{moves}`").unwrap();
    writeln!(page, "- that position: `{}`", session.position()).unwrap();
    writeln!(page, "- positions: {}", game.position_help()).unwrap();
    writeln!(page, "- examples: `{}`", entry.examples.join("`, `")).unwrap();
    let engines = game.engines();
    let links = engines
        .iter()
        .map(|e| format!("[{}](#{})", e.name, anchor(e.name)));
    writeln!(page, "- engines: {}", links.collect::<Vec<_>>().join(", ")).unwrap();
}

fn gallery(games: &[Opened]) -> String {
    let mut page = format!("# Gallery of boards\n\n{GENERATED}");
    page.push_str("A position of every [game](games.md), after a few random moves.\n\n");
    let link = |(entry, _): &Opened| {
        let (title, picture) = (entry.title, picture_link(entry));
        let image = format!("<img src=\"{picture}\" width=\"200\" alt=\"{title}\">");
        format!(
            "[{image}](games.md#{0})<br>[{title}](games.md#{0})",
            anchor(title)
        )
    };
    row(&mut page, &[""; ACROSS]);
    row(&mut page, &["---"; ACROSS]);
    for games in games.chunks(ACROSS) {
        let mut cells: Vec<String> = games.iter().map(link).collect();
        cells.resize(ACROSS, String::new());
        row(&mut page, &cells);
    }
    page
}

/// The name of a heading in links.
fn anchor(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn row(page: &mut String, cells: &[impl AsRef<str>]) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    writeln!(page, "| {} |", cells.join(" | ")).unwrap();
}

fn options(page: &mut String, parameters: &[Parameter]) {
    for Parameter {
        key,
        kind,
        default,
        help,
    } in parameters
    {
        writeln!(page, "- `{key}` ({kind}; default {default}): {help}").unwrap();
    }
}

fn picture_link(entry: &GameEntry) -> String {
    format!("pictures/boards/{}.svg", entry.name)
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Compares a file of `docs` with what it should be, or writes it.
fn compare(file: &str, fresh: &str) {
    let path = docs().join(file);
    if std::env::var_os("TABIA_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, fresh).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == fresh,
        "docs/{file} is not what the catalog says; run\n  \
         TABIA_BLESS=1 cargo test -p tabia-catalog --test all document\n\
         and look at the difference"
    );
}

#[test]
fn the_pages_of_games_are_up_to_date() {
    let games = games();
    compare("games.md", &page(&games));
    compare("gallery.md", &gallery(&games));
}

#[test]
fn the_pictures_of_boards_are_up_to_date() {
    for (entry, game) in games() {
        let session = shown(&*game);
        compare(
            &picture_link(entry),
            &svg::render(&session.picture(), entry.title),
        );
    }
    let known: Vec<String> = entries()
        .iter()
        .map(|e| format!("{}.svg", e.name))
        .collect();
    let folder = std::fs::read_dir(docs().join("pictures/boards")).unwrap();
    for file in folder {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(
            known.contains(&name),
            "docs/pictures/boards/{name} belongs to no game"
        );
    }
}

#[test]
fn every_game_tells_its_rules() {
    for entry in entries() {
        let rules = entry.rules;
        let is_told = rules.len() > 80 && rules.ends_with('.') && !rules.contains("  ");
        assert!(is_told, "the rules of {}: '{rules}'", entry.name);
    }
}

/// What is written of a game can be read again: the moves of the example lead to its position.
#[test]
fn examples_can_be_played() {
    for (entry, game) in games() {
        let example = shown(&*game);
        let mut session = game.session(None).unwrap();
        for mv in example.history() {
            session.play(mv).unwrap();
        }
        assert_eq!(session.position(), example.position(), "{}", entry.name);
        let begins_with_chance = game.session(None).unwrap().turn() == Turn::Chance;
        assert!(
            begins_with_chance || !example.history().is_empty(),
            "{}",
            entry.name
        );
    }
}
