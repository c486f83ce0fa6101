//! The tables of a file of results.

use rusqlite::Connection;

/// `Tabi` in ASCII: tells our files from other databases.
const APPLICATION: i64 = 0x5461_6269;
/// Raised with every change of the tables.
const VERSION: i64 = 2;
/// The oldest version that is read; a writer adds what it lacks.
const OLDEST: i64 = 1;

/// What version 2 has added: on which machine, and by how many threads, a run was played, each time
/// that it was begun or went on.
const SITTINGS: &str = "
CREATE TABLE sitting (
    run INTEGER NOT NULL REFERENCES run (id),
    started TEXT NOT NULL,
    machine TEXT NOT NULL,
    threads INTEGER NOT NULL
) STRICT;
";

const TABLES: &str = "
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    plan TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT
) STRICT;
CREATE TABLE player (
    run INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    full_spec TEXT NOT NULL,
    version TEXT,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
    run INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seats TEXT NOT NULL,
    seed INTEGER NOT NULL,
    position TEXT,
    opening INTEGER NOT NULL,
    moves TEXT NOT NULL,
    payoffs TEXT,
    ending TEXT NOT NULL,
    text TEXT NOT NULL,
    efforts TEXT NOT NULL,
    finished TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE cell (
    run INTEGER NOT NULL REFERENCES run (id),
    name TEXT NOT NULL,
    sample TEXT NOT NULL,
    finished TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
";

/// Whether there is nothing in the file yet. A kill while it was begun leaves it like that, too.
pub(super) fn is_empty(connection: &Connection) -> Result<bool, String> {
    let count = "SELECT count(*) FROM sqlite_schema";
    let count = connection.query_row(count, [], |row| row.get::<_, i64>(0));
    count
        .map(|tables| tables == 0)
        .map_err(|error| error.to_string())
}

/// Makes the tables.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.execute_batch(SITTINGS)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()
}

/// Adds what a file of an older version lacks.
pub(super) fn upgrade(connection: &mut Connection) -> rusqlite::Result<()> {
    if has_sittings(connection)? {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    transaction.execute_batch(SITTINGS)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Whether the file tells on which machines its runs were played.
pub(super) fn has_sittings(connection: &Connection) -> rusqlite::Result<bool> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(version >= VERSION)
}

/// How SQLite keeps a file whole.
pub(super) enum Journal {
    /// Readers may look while a run is writing, and a game is written without waiting for the disk.
    WriteAhead,
    /// A single file, while nobody writes.
    Rollback,
}

/// Sets the journal; without effect while somebody else has the file open.
pub(super) fn journal(connection: &Connection, journal: Journal) -> rusqlite::Result<()> {
    let mode = match journal {
        Journal::WriteAhead => "WAL",
        Journal::Rollback => "DELETE",
    };
    // The answer is the mode that is in force then.
    connection.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))
}

/// Whether this is a file of ours, of a version we know.
pub(super) fn check(connection: &Connection) -> Result<(), String> {
    let pragma = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_err(|error| error.to_string())
    };
    if pragma("application_id")? != APPLICATION {
        return Err("it is a database of something else".to_string());
    }
    match pragma("user_version")? {
        OLDEST..=VERSION => {
            // Fast, and still safe against the death of the process.
            let set = connection.pragma_update(None, "synchronous", "NORMAL");
            set.map_err(|error| error.to_string())
        }
        other => Err(format!(
            "its version is {other}, this program knows {VERSION}"
        )),
    }
}
