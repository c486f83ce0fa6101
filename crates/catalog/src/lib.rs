//! Every game of every family, by name.
//!
//! The list of families is all that is here; what a game can do is said in its folder, and how it
//! is called by name in [`tabia_registry`].
//!
//! ```
//! use tabia_catalog::open;
//! use tabia_game::Limits;
//!
//! let game = open("mnk:3,3,3")?;
//! let mut session = game.session(None)?;
//! session.play("b2")?;
//! let mut engine = game.engine("random:seed=7")?;
//! let answer = session.ask(&mut engine, &Limits::default())?;
//! assert!(session.moves().contains(&answer.best.unwrap()));
//!
//! let error = open("tiktaktoe").err().unwrap().to_string();
//! assert!(error.contains("did you mean 'tictactoe'?"), "{error}");
//! # Ok::<(), tabia_catalog::CatalogError>(())
//! ```

/// The examples of the guides are tested like those of the code.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/adding-a-game.md")]
    mod adding_a_game {}
    #[doc = include_str!("../../../docs/adding-an-algorithm.md")]
    mod adding_an_algorithm {}
}

use std::path::Path;
use std::sync::LazyLock;

/// Sums of combinatorial games by name.
pub use tabia_combinatorial::sums;
pub use tabia_registry::*;

/// All games.
pub static GAMES: LazyLock<Registry> = LazyLock::new(|| {
    Registry::new(&[
        tabia_alignment::FAMILY,
        tabia_backgammon::FAMILY,
        tabia_breakthrough::FAMILY,
        tabia_cards::FAMILY,
        tabia_combinatorial::FAMILY,
        tabia_connection::FAMILY,
        tabia_fanorona::FAMILY,
        tabia_multiplayer::FAMILY,
        tabia_puzzles::FAMILY,
        tabia_reversi::FAMILY,
        tabia_small::FAMILY,
        tabia_stratego::FAMILY,
    ])
});

/// All games, by name.
pub fn entries() -> &'static [&'static Entry] {
    GAMES.entries()
}

/// The game with this name.
pub fn entry(name: &str) -> Result<&'static Entry, CatalogError> {
    GAMES.entry(name)
}

/// Opens a game from `name` or `name:options`.
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

/// Checks a certificate with the rules of the game that it names.
pub fn check_certificate(
    certificate: AnyCertificate,
    checking: Checking<'_>,
) -> Result<Summary, CheckError> {
    GAMES.check_certificate(certificate, checking)
}
