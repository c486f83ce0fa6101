//! A game in progress, in words.

use tabia_game::{GameRng, Limits, NotCounted, Payoff, Picture, Player, Stopped, Turn};
use tabia_search::Report;

use crate::{Answer, AnyEngine, CatalogError};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// What it is worth to each player.
    pub payoffs: Vec<Payoff>,
    /// Whether the repetition rule ended it.
    pub repetition: bool,
    /// The result as a sentence without a full stop, such as `Black has won`.
    pub text: String,
}

/// What one player has observed of a game, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The position as the player sees it; the position itself where nothing is hidden.
    pub position: String,
    /// What the player saw of each move and of each event of chance since the game began; the
    /// moves themselves where nothing is hidden.
    pub history: Vec<String>,
}

/// A game in progress with its history, so that the declared repetition rule can be applied.
pub trait Session: Send {
    /// Who acts; [`Turn::Over`] also when the repetition rule has ended the game, or forbids all
    /// moves.
    fn turn(&self) -> Turn;

    /// The result of a finished game.
    fn ending(&self) -> Option<GameEnd>;

    /// The legal moves, or the outcomes of chance; none when the game is over.
    fn moves(&self) -> Vec<String>;

    /// Whether the move that is made next is kept from the other players for now.
    fn is_secret(&self) -> bool;

    /// What a player has observed, with perfect recall: all that it may be told of the game.
    fn observed(&self, viewer: Player) -> Observed;

    /// Plays a move.
    fn play(&mut self, text: &str) -> Result<(), CatalogError>;

    /// Lets chance act and says what happened.
    fn roll(&mut self, rng: &mut GameRng) -> Result<String, CatalogError>;

    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;

    /// The moves played so far.
    fn history(&self) -> &[String];

    /// The position on one line, with what its notation can tell of the moves before.
    fn position(&self) -> String;

    /// The 64-bit key of the position.
    fn key(&self) -> u64;

    /// What there is to see, the last move marked.
    fn picture(&self) -> Picture;

    /// The same as a player may see it: without what is hidden from that player.
    fn picture_for(&self, viewer: Player) -> Picture;

    /// The number of move sequences of exactly this length from the present position, history
    /// and repetition left aside. A limit on nodes is counted by one thread.
    fn perft(&self, depth: u32, threads: usize, limits: &Limits) -> Result<u64, Stopped>;

    /// Tells the number of distinct positions after exactly one move, two moves and so on, history
    /// and repetition left aside.
    fn distinct(
        &self,
        depth: u32,
        limits: &Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), NotCounted>;

    /// Asks an engine for a move, without playing it. Limits of the engine's own spec count
    /// as well.
    fn ask(&self, engine: &mut AnyEngine, limits: &Limits) -> Result<Answer, CatalogError>;

    /// Asks an engine for a move as [`Session::ask`] does, and tells what it finds while it thinks:
    /// this many lines, with moves as text. See [`AnyEngine::reports`].
    fn ask_reporting(
        &self,
        engine: &mut AnyEngine,
        limits: &Limits,
        lines: usize,
        tell: &mut (dyn FnMut(&Report<'_, String>) + Send),
    ) -> Result<Answer, CatalogError>;

    /// The legal moves with what the player to move may expect of each at first sight; zero where
    /// the engine does not judge positions without searching them.
    fn estimates(&self, engine: &AnyEngine) -> Result<Vec<(String, f64)>, CatalogError>;
}

impl dyn Session + '_ {
    /// Plays moves separated by blanks; those before a bad one stay played.
    pub fn play_line(&mut self, line: &str) -> Result<(), CatalogError> {
        for (i, text) in line.split_whitespace().enumerate() {
            self.play(text).map_err(|reason| CatalogError::Line {
                number: i + 1,
                reason: Box::new(reason),
            })?;
        }
        Ok(())
    }
}
