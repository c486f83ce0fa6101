//! The generated page `docs/games.md`: what there is, and which engine plays what.

use std::fmt::Write;
use std::path::Path;

use tabia_catalog::{EngineInfo, entries, open};
use tabia_game::options::Parameter;

fn page() -> String {
    let mut page = String::from(
        "# Games and engines\n\n\
         Generated from the catalog; \
         `TABIA_BLESS=1 cargo test -p tabia-catalog --test all document` writes it anew.\n\n",
    );
    let games: Vec<_> = entries()
        .iter()
        .map(|entry| (entry, open(entry.name).unwrap()))
        .collect();
    let mut engines: Vec<(&str, &str)> = Vec::new();
    for info in games.iter().flat_map(|(_, game)| game.engines()) {
        if engines.iter().all(|(name, _)| *name != info.name) {
            engines.push((info.name, info.summary));
        }
    }
    let mut columns = vec!["game", "players", "chance", "hidden", "symmetries"];
    columns.extend(engines.iter().map(|(name, _)| *name));
    row(&mut page, &columns);
    row(&mut page, &vec!["---"; columns.len()]);
    let yes = |yes| if yes { "yes" } else { "" };
    for (entry, game) in &games {
        let traits = game.traits();
        let own: Vec<&str> = game.engines().iter().map(|e| e.name).collect();
        let (players, symmetries) = (traits.players.to_string(), traits.symmetries.to_string());
        let mut cells = vec![
            entry.name,
            &players,
            yes(traits.chance),
            yes(traits.hidden),
            &symmetries,
        ];
        cells.extend(engines.iter().map(|(name, _)| yes(own.contains(name))));
        row(&mut page, &cells);
    }
    page.push_str("\n## Games\n");
    for (entry, game) in &games {
        write!(
            page,
            "\n### {}\n\n`{}`: {}.\n\n",
            entry.title, entry.name, entry.summary
        )
        .unwrap();
        options(&mut page, entry.parameters);
        writeln!(page, "- positions: {}", game.position_help()).unwrap();
        writeln!(page, "- examples: `{}`", entry.examples.join("`, `")).unwrap();
    }
    page.push_str("\n## Engines\n");
    let infos: Vec<&EngineInfo> = engines
        .iter()
        .filter_map(|(name, _)| {
            let mut all = games.iter().flat_map(|(_, game)| game.engines());
            all.find(|info| info.name == *name)
        })
        .collect();
    for (i, info) in infos.iter().enumerate() {
        let EngineInfo { name, summary, .. } = info;
        write!(page, "\n### {name}\n\n{summary}.\n\n").unwrap();
        // Engines with the same options are told by how their defaults differ from the first.
        let told = infos[..i].iter().find_map(|earlier| {
            let differences = info.differences(earlier)?;
            Some((earlier.name, differences))
        });
        match told {
            None => options(&mut page, &info.parameters),
            Some((earlier, differences)) if differences.is_empty() => {
                writeln!(page, "The options are those of {earlier}.").unwrap();
            }
            Some((earlier, differences)) => {
                let settings: Vec<String> = differences
                    .iter()
                    .map(|p| format!("`{}={}`", p.key, p.default))
                    .collect();
                writeln!(page, "As {earlier}, but {}.", settings.join(", ")).unwrap();
            }
        }
    }
    page
}

fn row(page: &mut String, cells: &[&str]) {
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

#[test]
fn the_page_of_games_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/games.md");
    let fresh = page();
    if std::env::var_os("TABIA_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &fresh).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == fresh,
        "docs/games.md is not what the catalog says; run\n  \
         TABIA_BLESS=1 cargo test -p tabia-catalog --test all document\n\
         and look at the difference"
    );
}
