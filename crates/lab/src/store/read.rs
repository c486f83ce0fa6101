//! Reading results back.

use rusqlite::types::FromSql;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{RunKind, Sample, Store, StoreError, schema};
use crate::matches::PlayedGame;
use crate::player::Entrant;

/// A run as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its number in the file.
    pub id: i64,
    /// What kind of run.
    pub kind: RunKind,
    /// What it is about, in a line.
    pub title: String,
    /// Everything it takes to do it again.
    pub plan: Value,
    /// The version of the program that began it.
    pub version: String,
    /// When it began.
    pub started: String,
    /// When it was finished, if it was.
    pub finished: Option<String>,
    /// Games stored.
    pub games: u64,
    /// Cells stored.
    pub cells: u64,
}

/// Somebody who takes part in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPlayer {
    /// Name and spec.
    pub entrant: Entrant,
    /// The engine with all its options.
    pub full_spec: String,
    /// What a program says of itself.
    pub version: Option<String>,
}

/// A time when a run was begun or went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sitting {
    /// When.
    pub started: String,
    /// On which machine.
    pub machine: String,
    /// By how many threads.
    pub threads: u64,
}

const RUNS: &str = "SELECT id, kind, title, plan, version, started, finished,
    (SELECT count(*) FROM game WHERE game.run = run.id),
    (SELECT count(*) FROM cell WHERE cell.run = run.id) FROM run";

impl Store {
    fn collect<T>(
        &self,
        sql: &str,
        run: Option<i64>,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |error| self.failed(error);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(run))
            .map_err(failed)?;
        let mut read_rows = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            read_rows.push(read(row)?);
        }
        Ok(read_rows)
    }

    fn get<T: FromSql>(&self, row: &Row<'_>, column: usize) -> Result<T, StoreError> {
        row.get(column).map_err(|error| self.failed(error))
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.collect(&format!("{RUNS} ORDER BY id"), None, |row| self.run_of(row))
    }

    /// A run by its number, or the newest one.
    pub fn run(&self, id: Option<i64>) -> Result<Run, StoreError> {
        let newest = || -> Result<Option<i64>, StoreError> {
            self.connection
                .query_row("SELECT max(id) FROM run", [], |row| row.get(0))
                .map_err(|error| self.failed(error))
        };
        let id = match id {
            Some(id) => id,
            None => newest()?.ok_or_else(|| {
                StoreError::NoRun(format!("'{}' holds no run yet", self.path.display()))
            })?,
        };
        self.connection
            .query_row(&format!("{RUNS} WHERE id = ?"), params![id], |row| {
                Ok(self.run_of(row))
            })
            .optional()
            .map_err(|error| self.failed(error))?
            .unwrap_or_else(|| {
                let known: Vec<String> = self.runs()?.iter().map(|r| r.id.to_string()).collect();
                Err(StoreError::NoRun(format!(
                    "'{}' has no run {id}; it has {}",
                    self.path.display(),
                    if known.is_empty() {
                        "none".to_string()
                    } else {
                        known.join(", ")
                    }
                )))
            })
    }

    fn run_of(&self, row: &Row<'_>) -> Result<Run, StoreError> {
        let kind: String = self.get(row, 1)?;
        let number = |column| Ok(self.get::<i64>(row, column)?.unsigned_abs());
        Ok(Run {
            id: self.get(row, 0)?,
            kind: RunKind::from_word(&kind)
                .ok_or_else(|| self.damaged(format!("'{kind}' is no kind of run")))?,
            title: self.get(row, 2)?,
            plan: self.parsed(&self.get::<String>(row, 3)?)?,
            version: self.get(row, 4)?,
            started: self.get(row, 5)?,
            finished: self.get(row, 6)?,
            games: number(7)?,
            cells: number(8)?,
        })
    }

    fn parsed<T: DeserializeOwned>(&self, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|error| self.damaged(error))
    }

    /// Who takes part in a run.
    pub fn players(&self, run: i64) -> Result<Vec<StoredPlayer>, StoreError> {
        self.collect(
            "SELECT name, spec, full_spec, version FROM player WHERE run = ? ORDER BY number",
            Some(run),
            |row| {
                Ok(StoredPlayer {
                    entrant: Entrant {
                        name: self.get(row, 0)?,
                        spec: self.get(row, 1)?,
                    },
                    full_spec: self.get(row, 2)?,
                    version: self.get(row, 3)?,
                })
            },
        )
    }

    /// When and where a run was played; nothing is known of files of an older version.
    pub fn sittings(&self, run: i64) -> Result<Vec<Sitting>, StoreError> {
        let known = schema::has_sittings(&self.connection);
        if !known.map_err(|error| self.failed(error))? {
            return Ok(Vec::new());
        }
        self.collect(
            "SELECT started, machine, threads FROM sitting WHERE run = ? ORDER BY rowid",
            Some(run),
            |row| {
                Ok(Sitting {
                    started: self.get(row, 0)?,
                    machine: self.get(row, 1)?,
                    threads: self.get::<i64>(row, 2)?.unsigned_abs(),
                })
            },
        )
    }

    /// The games of a run in the order of their numbers.
    pub fn games(&self, run: i64) -> Result<Vec<PlayedGame>, StoreError> {
        self.collect(
            "SELECT number, round, seats, seed, position, opening, moves, payoffs, ending, text,
                 efforts
             FROM game WHERE run = ? ORDER BY number",
            Some(run),
            |row| self.game_of(row),
        )
    }

    fn game_of(&self, row: &Row<'_>) -> Result<PlayedGame, StoreError> {
        let text = |column| self.get::<String>(row, column);
        let number = |column| self.get::<i64>(row, column);
        Ok(PlayedGame {
            number: number(0)? as u64,
            round: number(1)? as u64,
            seats: self.parsed(&text(2)?)?,
            seed: number(3)? as u64,
            position: self.get(row, 4)?,
            opening: usize::try_from(number(5)?).map_err(|error| self.damaged(error))?,
            moves: text(6)?.split_whitespace().map(str::to_string).collect(),
            payoffs: self
                .get::<Option<String>>(row, 7)?
                .map(|payoffs| self.parsed(&payoffs))
                .transpose()?,
            ending: self.parsed(&text(8)?)?,
            text: text(9)?,
            efforts: self.parsed(&text(10)?)?,
        })
    }

    /// The cells of a run by name.
    pub fn cells(&self, run: i64) -> Result<Vec<(String, Sample)>, StoreError> {
        self.collect(
            "SELECT name, sample FROM cell WHERE run = ? ORDER BY name",
            Some(run),
            |row| {
                let sample: String = self.get(row, 1)?;
                Ok((self.get(row, 0)?, self.parsed(&sample)?))
            },
        )
    }
}
