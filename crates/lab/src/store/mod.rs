//! Results on file: an SQLite database of runs, their players and games, and measured cells.
//!
//! Every game is written in a transaction of its own as soon as it is finished, so a run that is
//! killed loses the games in flight and nothing else. A run keeps its plan; going on means playing
//! the games of the plan that are not there yet. The tables are described in `docs/results.md`.

mod machine;
mod read;
mod schema;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use schema::Journal;

use crate::LabError;
use crate::matches::PlayedGame;

pub use read::{Run, Sitting, StoredPlayer};

/// Why results cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no file '{0}'")]
    Missing(String),
    /// A file of another kind.
    #[error("'{0}' is no file of results: {1}")]
    Foreign(String, String),
    /// Somebody else writes to it.
    #[error("another run is writing to '{0}'; wait for its end or use another file")]
    Busy(String),
    /// There is no such run.
    #[error("{0}")]
    NoRun(String),
    /// A stored text that cannot be read.
    #[error("'{0}' is damaged: {1}")]
    Damaged(String, String),
    /// The file system refuses.
    #[error("'{0}' cannot be used: {1}")]
    Io(String, std::io::Error),
    /// The database refuses.
    #[error("'{0}' cannot be used: {1}")]
    Database(String, rusqlite::Error),
}

impl StoreError {
    /// Whether the request was at fault, as opposed to the program or the machine.
    pub fn is_bad_request(&self) -> bool {
        !matches!(self, StoreError::Io(..) | StoreError::Database(..))
    }
}

/// How often and after which pause a file that is locked is tried again.
const LOCK_TRIALS: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// What kind of run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// A match.
    Match,
    /// A tournament.
    Tournament,
    /// An experiment of a paper.
    Experiment,
}

impl RunKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            RunKind::Match => "match",
            RunKind::Tournament => "tournament",
            RunKind::Experiment => "experiment",
        }
    }

    fn from_word(word: &str) -> Option<RunKind> {
        [RunKind::Match, RunKind::Tournament, RunKind::Experiment]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// The measurements of a cell of an experiment: a row of figures for every item.
pub type Sample = Vec<Vec<f64>>;

/// A file of results.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Held while this store writes; let go after the connection is closed, since closing any
    /// handle of the file would let go of SQLite's own locks.
    lock: Option<File>,
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // One plain file is left, which can also be read where nothing can be written. While
            // somebody reads it stays as it is, which does no harm.
            let _ = schema::journal(&self.connection, Journal::Rollback);
        }
    }
}

fn refuse_folder(path: &Path) -> Result<(), StoreError> {
    match path.is_dir() {
        true => {
            let reason = "it is a folder".to_string();
            Err(StoreError::Foreign(path.display().to_string(), reason))
        }
        false => Ok(()),
    }
}

impl Store {
    /// Opens a file to read it.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let shown = path.display().to_string();
        if !path.exists() {
            return Err(StoreError::Missing(shown));
        }
        refuse_folder(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .map_err(|error| StoreError::Database(shown.clone(), error))?;
        let store = Store {
            connection,
            path: path.to_path_buf(),
            lock: None,
        };
        schema::check(&store.connection).map_err(|reason| StoreError::Foreign(shown, reason))?;
        Ok(store)
    }

    /// Opens a file to write to it, or begins one. There is one writer at a time.
    pub fn writer(path: &Path) -> Result<Store, StoreError> {
        refuse_folder(path)?;
        let shown = || path.display().to_string();
        let io = |error| StoreError::Io(shown(), error);
        let database = |error| StoreError::Database(shown(), error);
        let file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io)?;
        // A program that was being started at the moment when a file was closed holds its lock
        // until it runs; so a lock is given a second try.
        let mut trials = 0;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if trials < LOCK_TRIALS => {
                    trials += 1;
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(shown())),
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
        }
        let foreign = |reason| StoreError::Foreign(shown(), reason);
        let mut connection = Connection::open(path).map_err(database)?;
        if schema::is_empty(&connection).map_err(foreign)? {
            schema::create(&mut connection).map_err(database)?;
        }
        schema::check(&connection).map_err(foreign)?;
        schema::upgrade(&mut connection).map_err(database)?;
        schema::journal(&connection, Journal::WriteAhead).map_err(database)?;
        Ok(Store {
            connection,
            path: path.to_path_buf(),
            lock: Some(file),
        })
    }

    /// A store that is gone with this value.
    pub fn in_memory() -> Result<Store, StoreError> {
        let path = PathBuf::from(":memory:");
        let open = || -> rusqlite::Result<Connection> {
            let mut connection = Connection::open_in_memory()?;
            schema::create(&mut connection)?;
            Ok(connection)
        };
        let connection =
            open().map_err(|error| StoreError::Database(path.display().to_string(), error))?;
        Ok(Store {
            connection,
            path,
            lock: None,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Database(self.path.display().to_string(), error)
    }

    fn json<T: Serialize + ?Sized>(&self, value: &T) -> Result<String, StoreError> {
        serde_json::to_string(value).map_err(|error| self.damaged(error))
    }

    fn damaged(&self, reason: impl std::fmt::Display) -> StoreError {
        StoreError::Damaged(self.path.display().to_string(), reason.to_string())
    }

    /// The number of a run: with `resume` the newest one of the same plan, if there is one, else a
    /// new one with these players.
    pub fn enter(
        &mut self,
        kind: RunKind,
        title: &str,
        plan: &Value,
        resume: bool,
        players: impl FnOnce() -> Result<Vec<StoredPlayer>, LabError>,
    ) -> Result<i64, LabError> {
        let earlier = match resume {
            true => self.find(kind, plan)?,
            false => None,
        };
        let Some(run) = earlier else {
            return Ok(self.begin(kind, title, plan, &players()?)?);
        };
        let begun = self.run(Some(run))?;
        if begun.finished.is_none() {
            self.refuse_changes(&begun, &players()?)?;
        }
        Ok(run)
    }

    /// One run is played by one program and by the same players.
    fn refuse_changes(&self, run: &Run, players: &[StoredPlayer]) -> Result<(), LabError> {
        let changed = |what: String| {
            Err(LabError::BadRequest(format!(
                "run {} cannot go on: {what}; begin a new run without --resume",
                run.id
            )))
        };
        let version = env!("CARGO_PKG_VERSION");
        if run.version != version {
            return changed(format!(
                "it was begun by version {} and this is {version}",
                run.version
            ));
        }
        for (then, now) in self.players(run.id)?.iter().zip(players) {
            if then != now {
                let told = |p: &StoredPlayer| match &p.version {
                    Some(version) => format!("'{}' ({version})", p.full_spec),
                    None => format!("'{}'", p.full_spec),
                };
                return changed(format!(
                    "player '{}' was {} and is {}",
                    then.entrant.name,
                    told(then),
                    told(now)
                ));
            }
        }
        Ok(())
    }

    /// Begins a run and gives its number.
    pub(crate) fn begin(
        &mut self,
        kind: RunKind,
        title: &str,
        plan: &Value,
        players: &[StoredPlayer],
    ) -> Result<i64, StoreError> {
        let insert = |connection: &mut Connection| -> rusqlite::Result<i64> {
            let transaction = connection.transaction()?;
            transaction.execute(
                "INSERT INTO run (kind, title, plan, version, started) VALUES (?, ?, ?, ?, ?)",
                params![
                    kind.word(),
                    title,
                    plan.to_string(),
                    env!("CARGO_PKG_VERSION"),
                    now()
                ],
            )?;
            let run = transaction.last_insert_rowid();
            for (number, player) in players.iter().enumerate() {
                transaction.execute(
                    "INSERT INTO player (run, number, name, spec, full_spec, version) VALUES (?, \
                     ?, ?, ?, ?, ?)",
                    params![
                        run,
                        number as i64,
                        player.entrant.name,
                        player.entrant.spec,
                        player.full_spec,
                        player.version
                    ],
                )?;
            }
            transaction.commit()?;
            Ok(run)
        };
        insert(&mut self.connection).map_err(|error| self.failed(error))
    }

    /// Notes that a run is played from now on, on this machine by this many threads.
    pub fn sit(&mut self, run: i64, threads: usize) -> Result<(), StoreError> {
        self.connection
            .execute(
                "INSERT INTO sitting (run, started, machine, threads) VALUES (?, ?, ?, ?)",
                params![run, now(), machine::describe(), threads as i64],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// The newest run with this plan.
    fn find(&self, kind: RunKind, plan: &Value) -> Result<Option<i64>, StoreError> {
        self.connection
            .query_row(
                "SELECT id FROM run WHERE kind = ? AND plan = ? ORDER BY id DESC LIMIT 1",
                params![kind.word(), plan.to_string()],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.failed(error))
    }

    /// Writes a game that was finished.
    pub fn add(&mut self, run: i64, game: &PlayedGame) -> Result<(), StoreError> {
        let payoffs = game.payoffs.as_ref();
        let payoffs = payoffs.map(|payoffs| self.json(payoffs)).transpose()?;
        self.connection
            .execute(
                "INSERT INTO game (run, number, round, seats, seed, position, opening, moves,
                     payoffs, ending, text, efforts, finished)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    run,
                    game.number as i64,
                    game.round as i64,
                    self.json(&game.seats)?,
                    game.seed as i64,
                    game.position,
                    game.opening as i64,
                    game.moves.join(" "),
                    payoffs,
                    self.json(&game.ending)?,
                    game.text,
                    self.json(&game.efforts)?,
                    now(),
                ],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// Takes out the games from this number on: they were played before it was known that they
    /// would not be needed.
    pub fn remove_from(&mut self, run: i64, number: u64) -> Result<(), StoreError> {
        self.connection
            .execute(
                "DELETE FROM game WHERE run = ? AND number >= ?",
                params![run, number as i64],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// Writes the measurements of a cell of an experiment.
    pub fn add_cell(
        &mut self,
        run: i64,
        name: &str,
        sample: &[Vec<f64>],
    ) -> Result<(), StoreError> {
        let text = self.json(sample)?;
        self.connection
            .execute(
                "INSERT INTO cell (run, name, sample, finished) VALUES (?, ?, ?, ?)",
                params![run, name, text, now()],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }

    /// Marks a run as finished.
    pub fn finish(&mut self, run: i64) -> Result<(), StoreError> {
        self.connection
            .execute(
                "UPDATE run SET finished = ? WHERE id = ? AND finished IS NULL",
                params![now(), run],
            )
            .map(|_| ())
            .map_err(|error| self.failed(error))
    }
}

fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}
