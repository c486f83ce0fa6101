//! The games of this program, found by name from anywhere in it.
//!
//! Families are listed above this crate, in `tabia-catalog`, and what looks games up by name
//! (matches, experiments) need not be compiled again when one of them changes. So the list comes to
//! [`FAMILIES`] when the program is linked. Without `tabia-catalog` in the program there are no
//! games by name, and whoever asks for one is told so.

use std::path::Path;
use std::sync::LazyLock;

use linkme::distributed_slice;

use crate::{
    AnyCertificate, AnyGame, CatalogError, CertificateSummary, CheckError, CheckJob, GameEntry,
    RecordFormat, Registry,
};

/// Lists of families.
#[distributed_slice]
pub static FAMILIES: [&'static [&'static [GameEntry]]];

/// All games of [`FAMILIES`].
pub static GAMES: LazyLock<Registry> = LazyLock::new(|| Registry::of(&FAMILIES));

/// All games, by name.
pub fn entries() -> &'static [&'static GameEntry] {
    GAMES.entries()
}

/// The game with this name.
pub fn entry(name: &str) -> Result<&'static GameEntry, CatalogError> {
    GAMES.entry(name)
}

/// Opens a game from `name` or `name:options`. A program without games is told how to get them:
///
/// ```standalone_crate
/// let error = tabia_registry::open("connect4").err().unwrap().to_string();
/// assert!(error.contains("no family of games is linked"), "{error}");
/// assert!(error.contains("use tabia_catalog as _;"), "{error}");
/// ```
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, CatalogError> {
    GAMES.open(spec)
}

/// The format of a game's own that files with this name are written in.
pub fn record_format(file: &Path) -> Option<&'static RecordFormat> {
    GAMES.record_format(file)
}

/// The spec of a game with all its options spelled out. See [`Registry::full_spec`].
pub fn full_spec(spec: &str) -> Result<String, CatalogError> {
    GAMES.full_spec(spec)
}

/// The spec of a game as its players may know it. See [`Registry::public_spec`].
pub fn public_spec(spec: &str) -> Result<String, CatalogError> {
    GAMES.public_spec(spec)
}

/// The spec of a game as people read it. See [`Registry::printed_spec`].
pub fn printed_spec(spec: &str) -> Result<String, CatalogError> {
    GAMES.printed_spec(spec)
}

/// Checks a certificate with the rules of the game that it names.
pub fn check_certificate(
    certificate: AnyCertificate,
    checking: CheckJob<'_>,
) -> Result<CertificateSummary, CheckError> {
    GAMES.check_certificate(certificate, checking)
}
