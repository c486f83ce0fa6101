//! Certificates: a proved value as a text that anybody can check with the rules alone.
//!
//! A certificate names a game, a position and what was proved of it, and gives the strategies that
//! bring it about: for every position that can arise, the move of the player whose strategy it is.
//! A decided value needs the winner's strategy, a drawn one a strategy of each side. Whoever checks
//! it walks through these strategies and believes nothing but the rules and the tables that the
//! certificate names. `docs/certificates.md` tells the format.
//!
//! This module and what lies below it use nothing of the searches, so that an error there cannot
//! hide itself here.

mod check;
mod positions;
mod read;
mod walk;

use std::collections::BTreeMap;
use std::io::{self, Write};

use tabia_game::{Deterministic, Game, Key, Perfect, Player, Text, TwoPlayer, Wdl};

pub use check::{CertificateSummary, check};
pub(crate) use positions::Positions;
pub use read::{Certificate, CheckError, Refusal};
pub(crate) use walk::walk;
pub use walk::{StrategyFault, Walked};

/// How a certificate begins; its version follows.
pub const MAGIC: &str = "tabia certificate ";
const VERSION: &str = "1";

/// Games whose values can be certified.
pub trait Certifiable:
    TwoPlayer + Key + Text + Game<Luck = Deterministic, Information = Perfect>
{
}

impl<G> Certifiable for G where
    G: TwoPlayer + Key + Text + Game<Luck = Deterministic, Information = Perfect>
{
}

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The spec of the game.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// What was proved of it.
    pub claim: Claim,
    /// The tables relied on, each with its checksum.
    pub tables: BTreeMap<String, String>,
}

/// What is claimed of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The value for the player to move.
    Value(Wdl),
    /// That a player, told by name, can force at least a draw or a win.
    Goal {
        /// The player.
        player: String,
        /// What can be forced.
        at_least: Wdl,
    },
}

/// What a strategy is to bring about: that a player gets at least this much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Whose strategy it is.
    pub player: Player,
    /// A draw or a win. Play without end is a draw.
    pub at_least: Wdl,
}

impl Task {
    /// The strategies that show the value of a position with this player to move, in the order in
    /// which a certificate gives them.
    pub fn of_value(value: Wdl, mover: Player) -> Vec<Task> {
        let wins = |player| Task {
            player,
            at_least: Wdl::Win,
        };
        let draws = |player| Task {
            player,
            at_least: Wdl::Draw,
        };
        match value {
            Wdl::Win => vec![wins(mover)],
            Wdl::Draw => vec![draws(Player::FIRST), draws(Player::SECOND)],
            Wdl::Loss => vec![wins(mover.other())],
        }
    }
}

fn wdl(word: &str) -> Option<Wdl> {
    [Wdl::Loss, Wdl::Draw, Wdl::Win]
        .into_iter()
        .find(|value| value.word() == word)
}

fn strategy_line(player: &str, at_least: Wdl) -> String {
    format!("strategy {player} {}", at_least.word())
}

/// Writes a certificate line by line.
pub struct Writer<W> {
    out: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate.
    pub fn new(out: W, header: &Header) -> io::Result<Writer<W>> {
        let hasher = blake3::Hasher::new();
        let mut writer = Writer { out, hasher };
        writer.line(&format!("{MAGIC}{VERSION}"))?;
        writer.line(&format!("game {}", header.game))?;
        writer.line(&format!("position {}", header.position))?;
        writer.line(&match &header.claim {
            Claim::Value(value) => format!("value {}", value.word()),
            Claim::Goal { player, at_least } => format!("goal {player} {}", at_least.word()),
        })?;
        for (name, checksum) in &header.tables {
            if [name, checksum].iter().any(|word| !is_word(word)) {
                return Err(unfit(name));
            }
            writer.line(&format!("table {name} {checksum}"))?;
        }
        Ok(writer)
    }

    /// Begins a strategy; the player is told by name.
    pub fn strategy(&mut self, player: &str, at_least: Wdl) -> io::Result<()> {
        self.line(&strategy_line(player, at_least))
    }

    /// The next move of the strategy.
    pub fn entry(&mut self, mv: &str) -> io::Result<()> {
        if !is_word(mv) {
            return Err(unfit(mv));
        }
        self.line(mv)
    }

    /// Ends the certificate.
    pub fn finish(mut self) -> io::Result<W> {
        let checksum = self.hasher.finalize().to_hex();
        self.line(&format!("end {checksum}"))?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        if text.contains('\n') {
            return Err(unfit(text));
        }
        for part in [text.as_bytes(), b"\n"] {
            self.hasher.update(part);
            self.out.write_all(part)?;
        }
        Ok(())
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

fn unfit(text: &str) -> io::Error {
    let reason = format!("'{text}' cannot be written in a certificate");
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}
