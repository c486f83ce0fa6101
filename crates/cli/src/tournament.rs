//! `tabia tournament`: plays a tournament between engines, or ranks one whose results are given.

use std::path::Path;
use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};
use tabia_catalog::{open, read_text};
use tabia_lab::matches::{PlayedGame, usual_seed};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::store::RunKind;
use tabia_lab::tournament::{
    Contest, Crosstable, Meeting, Points, Scoring, Standing, Tournament, TournamentFormat,
    TournamentPlan, TournamentRules,
};

use crate::arguments::{Keep, Threads};
use crate::console::{Console, grouped, wrap};
use crate::failure::{Interrupted, bad_request};
use crate::interrupt::cancel_on_interrupt;
use crate::matches::{TermsArguments, faults_json, opening, tell_faults};
use crate::progress::Progress;

/// Play a tournament between engines, or rank one: standings, tie-breaks and the crosstable
///
/// The file names the players and either their engines or what they scored; docs/tournaments.md
/// tells how it is written. Without a file, name the game, a format and the players. The same seed
/// plays the same tournament again, on any number of threads, as long as nothing is limited by
/// time.
#[derive(clap::Args)]
#[command(after_help = "\
JSON: name, format, games, standings (place, shared, name, points, played, wins,
draws, losses, tie_breaks), crosstable (header, rows), and for engines play (game,
opening, seed, planned, complete, seconds, faults).

Examples:
  tabia tournament examples/tournaments/dutch-rapid-draughts-2013.toml
  tabia tournament examples/tournaments/connect-four.toml --db results.db
  tabia tournament --db results.db --resume
  tabia tournament loa --format swiss --rounds 3 --games 2 --nodes 1000 \\
        --player pvs --player mia --player mtdf --player random")]
pub struct Arguments {
    /// The tournament, a TOML file, or a game; with --resume it may be left out
    #[arg(value_name = "FILE|GAME", required_unless_present = "resume")]
    what: Option<String>,

    #[command(flatten)]
    quick: Quick,

    /// Random seed; that of the file if none is given, or 1; drawn where a program must not guess
    /// what is hidden
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    keep: Keep,
}

/// A tournament without a file.
#[derive(clap::Args)]
#[command(next_help_heading = "Without a file")]
struct Quick {
    /// Who meets whom: round-robin, double-round-robin, round-robin-final, swiss or knockout
    #[arg(long, value_name = "F", value_parser = parse_format)]
    format: Option<TournamentFormat>,

    /// A player: SPEC or NAME=SPEC; the strongest first
    #[arg(long = "player", value_name = "P")]
    players: Vec<String>,

    /// Games of a pair each time it meets; 1 if nothing is said
    #[arg(short, long, value_name = "N")]
    games: Option<u32>,

    /// Rounds of a Swiss tournament
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,

    /// Points of a game, such as 2-1-0; 1-½-0 if nothing is said
    #[arg(long, value_name = "S")]
    scoring: Option<Scoring>,

    /// Where games begin: start, random:PLIES, file:FILE or book:FILE; random:4 if nothing is said,
    /// start in games that begin with a deal
    #[arg(long, value_name = "O")]
    opening: Option<String>,

    #[command(flatten)]
    terms: TermsArguments,
}

/// The formats have their names in files.
fn parse_format(text: &str) -> Result<TournamentFormat, String> {
    serde_json::from_value(json!(text)).map_err(|error| error.to_string())
}

impl Quick {
    fn is_empty(&self) -> bool {
        self.format.is_none()
            && self.players.is_empty()
            && self.games.is_none()
            && self.rounds.is_none()
            && self.scoring.is_none()
            && self.opening.is_none()
            && self.terms.terms() == Terms::default()
    }

    fn plan(&self, spec: &str) -> anyhow::Result<TournamentPlan> {
        let game = open(spec)?;
        let Some(format) = self.format else {
            return Err(bad_request(format!(
                "'{spec}' is a game and no file, so a format is needed, such as --format \
                 round-robin"
            )));
        };
        let mut players: Vec<Entrant> = self.players.iter().map(|p| Entrant::parse(p)).collect();
        Entrant::tell_apart(&mut players);
        let scoring = self.scoring.unwrap_or_else(Scoring::classical);
        let games = self.games.unwrap_or(1);
        let word = serde_json::to_value(format)?;
        let seed = usual_seed(&*game, &players);
        Ok(TournamentPlan {
            name: format!("{spec} {}", word.as_str().unwrap_or_default()),
            game: spec.to_string(),
            format,
            rules: TournamentRules::new(scoring).with_games(games),
            players,
            final_games: None,
            rounds: self.rounds,
            opening: opening(self.opening.as_deref(), &*game)?,
            terms: self.terms.terms(),
            seed,
        })
    }
}

pub fn run(console: &Console, arguments: &Arguments) -> anyhow::Result<()> {
    let quick = &arguments.quick;
    let plan = match arguments.what.as_deref().map(str::trim) {
        Some(what) if is_file(what) => {
            if !quick.is_empty() {
                return Err(bad_request(
                    "the file says how to play; formats, players and limits are for tournaments \
                     without a file",
                ));
            }
            let path = Path::new(what);
            let tournament = read(path)?;
            if tournament.play.is_none() {
                if arguments.keep.db.is_some() || arguments.seed.is_some() {
                    return Err(bad_request(
                        "the results of this tournament are given; nothing is played that could be \
                         stored or follow from a seed",
                    ));
                }
                return print(console, &tournament, None);
            }
            let folder = path.parent().unwrap_or(Path::new(""));
            TournamentPlan::new(tournament, folder)
                .map_err(|error| bad_request(format!("'{}': {error}", path.display())))?
        }
        Some(game) => quick.plan(game).map_err(|error| match open(game) {
            Err(unknown) => bad_request(format!("there is no file '{game}' either: {unknown}")),
            Ok(_) => error,
        })?,
        None if quick.is_empty() && arguments.seed.is_none() => {
            TournamentPlan::from_json(&arguments.keep.newest_plan(RunKind::Tournament)?)?
        }
        None => {
            return Err(bad_request(
                "options without a game: name the game or the file before them, or leave all out \
                 to go on with a stored tournament",
            ));
        }
    };
    let seed = arguments.seed.unwrap_or(plan.seed);
    let mut contest = Contest::new(TournamentPlan { seed, ..plan })?;
    if arguments.keep.db.is_none() || arguments.keep.is_new() {
        contest.check()?;
    }
    let mut store = arguments.keep.store()?;
    if let Some(store) = &mut store {
        contest = contest.stored(store, arguments.keep.resume)?;
    }
    arguments.keep.tell_if_new(contest.games().count());
    let cancel = cancel_on_interrupt();
    let started = Instant::now();
    let bar = Progress::new(&contest.plan().name, contest.plan().planned());
    bar.begin_at(contest.games().count() as u64);
    let finished = contest.play(arguments.threads.number(), &cancel, &mut |done, planned| {
        bar.set(done, planned);
    });
    bar.finish();
    let finished = finished?;
    let games: Vec<&PlayedGame> = contest.games().collect();
    let played = Account {
        plan: contest.plan(),
        games: &games,
        finished,
        seconds: started.elapsed().as_secs_f64(),
        keep: &arguments.keep,
    };
    print(console, contest.tournament(), Some(&played))?;
    if finished {
        Ok(())
    } else {
        Err(Interrupted.into())
    }
}

/// What is told of games that were played here.
struct Account<'a> {
    plan: &'a TournamentPlan,
    games: &'a [&'a PlayedGame],
    finished: bool,
    seconds: f64,
    keep: &'a Keep,
}

impl Account<'_> {
    fn text(&self) -> String {
        let mut text = tell_faults(&self.plan.players, self.games.iter().copied());
        if !self.finished {
            text += &self.keep.hint("tournament");
        }
        text
    }

    fn json(&self) -> Value {
        let TournamentPlan {
            game,
            opening,
            seed,
            players,
            ..
        } = self.plan;
        let played = self.games.len() as u64;
        json!({
            "game": game,
            "opening": opening.describe(),
            "seed": seed,
            "planned": self.plan.planned().max(played),
            "complete": self.finished,
            "seconds": self.seconds,
            "faults": faults_json(players, self.games.iter().copied()),
        })
    }
}

/// Whether a file is meant, and not a game.
fn is_file(what: &str) -> bool {
    let path = Path::new(what);
    path.is_file() || path.extension().is_some_and(|end| end == "toml")
}

fn print(
    console: &Console,
    tournament: &Tournament,
    played: Option<&Account<'_>>,
) -> anyhow::Result<()> {
    let standings = tournament.standings();
    let crosstable = tournament.crosstable(&standings);
    if console.json {
        let mut value = as_json(tournament, &standings, &crosstable);
        value["play"] = played.map_or(Value::Null, Account::json);
        console.print_json(&value)
    } else {
        let text = as_text(console.width, tournament, &standings, &crosstable);
        let faults = played.map_or(String::new(), Account::text);
        let gap = if faults.is_empty() { "" } else { "\n" };
        console.print(&format!("{text}{gap}{faults}"))
    }
}

fn read(path: &Path) -> anyhow::Result<Tournament> {
    let text = read_text(path)
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
    if tournament.format == TournamentFormat::Knockout {
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
