//! `tabia tournament`: standings and crosstable of a tournament file.

use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};
use tabia_lab::tournament::{Crosstable, Format, Meeting, Points, Standing, Tournament};

use crate::console::{Console, grouped, wrap};
use crate::failure::bad_request;

/// Rank a tournament: standings, tie-breaks and the crosstable
///
/// The file names the players and what they scored; docs/tournaments.md tells how it is written.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: name, format, games, standings (place, shared, name, points, played, wins,
draws, losses, tie_breaks), crosstable (header, rows).

Example:
  tabia tournament examples/tournaments/dutch-rapid-draughts-2013.toml")]
pub struct Arguments {
    /// The tournament, a TOML file
    file: PathBuf,
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let tournament = read(&arguments.file)?;
    if tournament.play.is_some() {
        return Err(bad_request(
            "this tournament is still to be played by engines; only files with results can be ranked",
        ));
    }
    let standings = tournament.standings();
    let crosstable = tournament.crosstable(&standings);
    if console.json {
        console.print_json(&as_json(&tournament, &standings, &crosstable))
    } else {
        console.print(&as_text(
            console.width,
            &tournament,
            &standings,
            &crosstable,
        ))
    }
}

fn read(path: &Path) -> anyhow::Result<Tournament> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| bad_request(format!("'{}' cannot be read: {error}", path.display())))?;
    text.parse()
        .map_err(|error| bad_request(format!("'{}': {error}", path.display())))
}

/// Games that were played, byes aside.
fn games(tournament: &Tournament) -> usize {
    let is_game = |meeting: &&Meeting| matches!(meeting, Meeting::Game { .. });
    tournament.meetings.iter().filter(is_game).count()
}

fn as_json(tournament: &Tournament, standings: &[Standing], crosstable: &Crosstable) -> Value {
    let standings = standings.iter().map(|standing| {
        let names = tournament.rules.tie_breaks.iter().map(|t| t.name());
        let values = standing.tie_breaks.iter();
        let tie_breaks: Map<String, Value> = names
            .zip(values)
            .map(|(name, value)| (name.to_string(), value.map_or(Value::Null, number)))
            .collect();
        json!({
            "place": standing.place,
            "shared": standing.shared,
            "name": tournament.players[standing.player].name,
            "points": number(standing.points),
            "played": standing.played,
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "tie_breaks": tie_breaks,
        })
    });
    json!({
        "name": tournament.name,
        "format": tournament.format,
        "games": games(tournament),
        "standings": standings.collect::<Value>(),
        "crosstable": crosstable,
    })
}

/// Points as the nearest number there is.
fn number(points: Points) -> Value {
    match i64::try_from(points.to_integer()) {
        Ok(whole) if points.is_integer() => json!(whole),
        _ => json!(*points.numer() as f64 / *points.denom() as f64),
    }
}

fn as_text(
    width: usize,
    tournament: &Tournament,
    standings: &[Standing],
    crosstable: &Crosstable,
) -> String {
    let count = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {what}{plural}", grouped(count as u64))
    };
    let head = format!(
        "{}: {}, {}",
        tournament.name,
        count(tournament.players.len(), "player"),
        count(games(tournament), "game")
    );
    let words: Vec<&str> = head.split(' ').collect();
    let mut text = format!("{}\n\n", wrap(&words, width, 0));
    if tournament.format == Format::Knockout {
        text += &fitted(width, crosstable);
        text.push('\n');
        text += &fitted(width, &list(tournament, standings));
        return text;
    }
    text + &fitted(width, crosstable)
}

/// The places of a knockout, whose crosstable has none.
fn list(tournament: &Tournament, standings: &[Standing]) -> Crosstable {
    let row = |standing: &Standing| {
        let name = tournament.players[standing.player].name.clone();
        vec![standing.place_text(), name]
    };
    Crosstable {
        header: vec!["place".to_string(), "name".to_string()],
        rows: standings.iter().map(row).collect(),
    }
}

/// The whole table if it fits, else the table without the single results, else player by player.
fn fitted(width: usize, crosstable: &Crosstable) -> String {
    let Crosstable { header, rows } = crosstable;
    let name = header.iter().position(|h| h == "name").unwrap_or(0);
    let points = header.iter().position(|h| h == "points");
    let kept = |at: usize| points.is_none_or(|points| at <= name || at >= points);
    let pick = |cells: &[String]| -> Vec<String> {
        let cells = cells.iter().enumerate().filter(|(at, _)| kept(*at));
        cells.map(|(_, cell)| cell.clone()).collect()
    };
    let whole = aligned(crosstable);
    if fits(&whole, width) {
        return whole;
    }
    let short = Crosstable {
        header: pick(header),
        rows: rows.iter().map(|row| pick(row)).collect(),
    };
    let listed = aligned(&short);
    if fits(&listed, width) {
        return listed;
    }
    let tell = |row: &Vec<String>| {
        let cells = short
            .header
            .iter()
            .zip(row)
            .filter(|(_, cell)| !cell.is_empty());
        let words: Vec<String> = cells
            .flat_map(|(title, cell)| [title.clone(), cell.clone()])
            .flat_map(|cell| cell.split(' ').map(str::to_string).collect::<Vec<_>>())
            .collect();
        format!("{}\n", wrap(&words, width, 2))
    };
    short.rows.iter().map(tell).collect()
}

fn fits(table: &str, width: usize) -> bool {
    table.lines().all(|line| line.chars().count() <= width)
}

/// A table without lines; names to the left, all else to the right.
fn aligned(crosstable: &Crosstable) -> String {
    let is_text = |title: &str| ["name", "opponent"].contains(&title);
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(crosstable.header.iter().map(|title| title.to_uppercase()))
        .add_rows(&crosstable.rows);
    for (column, title) in table.column_iter_mut().zip(&crosstable.header) {
        column.set_padding((0, 2));
        if !is_text(title) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let line = |line: String| format!("{}\n", line.trim_end());
    table.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_terminals_get_less_but_whole_lines() {
        let cells = |texts: &[&str]| texts.iter().map(|t| t.to_string()).collect::<Vec<_>>();
        let table = Crosstable {
            header: cells(&["#", "name", "R1", "R2", "points", "sos"]),
            rows: vec![cells(&["1", "Somebody", "2+", "3=", "1½", "1"])],
        };
        let whole = fitted(80, &table);
        assert!(whole.contains("R2") && whole.contains("3="));
        let listed = fitted(30, &table);
        assert!(!listed.contains("R2") && listed.contains("Somebody      1½    1"));
        let told = fitted(20, &table);
        assert_eq!(told, "# 1 name Somebody\n  points 1½ sos 1\n");
        for width in 20..90 {
            assert!(fits(&fitted(width, &table), width), "{width}");
        }
    }
}
