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

use linkme::distributed_slice;

/// Sums of combinatorial games by name.
pub use tabia_combinatorial::sums;
pub use tabia_registry::*;

#[distributed_slice(FAMILIES)]
static ALL: &[&[GameEntry]] = &[
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
];
