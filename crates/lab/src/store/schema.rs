//! The tables of a file of results.

use rusqlite::Connection;

/// `Tabi` in ASCII: tells our files from other databases.
const APPLICATION: i64 = 0x5461_6269;
/// Raised with every change of the tables.
const VERSION: i64 = 1;

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

/// Makes the tables.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    // Readers may look while a run is writing.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()
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
        VERSION => {
            // Fast, and still safe against the death of the process.
            let set = connection.pragma_update(None, "synchronous", "NORMAL");
            set.map_err(|error| error.to_string())
        }
        other => Err(format!(
            "its version is {other}, this program knows {VERSION}"
        )),
    }
}
