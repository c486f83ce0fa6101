//! What every engine looks like from outside.

use tabia_game::{Game, Hidden, Limits, ObservationOf, Path, Player, Seed};

use crate::report::Listener;

/// Where an engine is to choose: a position and the way it came about.
pub struct Situation<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// The keys of all positions of the game so far, the present one last. Repetition rules look
    /// at it.
    pub path: &'a Path,
}

impl<G: Game> Clone for Situation<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Situation<'_, G> {}

/// How a position came about: where the game began, and all moves since, outcomes of chance
/// included.
pub struct Past<'a, G: Game> {
    /// Where the game began.
    pub start: &'a G::State,
    /// What was played since.
    pub moves: &'a [G::Move],
}

impl<'a, G: Game> Past<'a, G> {
    /// A game that begins here.
    pub fn none(state: &'a G::State) -> Past<'a, G> {
        Past {
            start: state,
            moves: &[],
        }
    }

    /// Returns what a player has observed.
    pub fn observed_by(&self, game: &G, player: Player) -> ObservationOf<G>
    where
        G: Hidden,
    {
        game.observe(self.start, self.moves, player)
    }
}

/// A player that can be asked for moves. It may remember things from one move to the next.
pub trait Engine<G: Game>: Send {
    /// Chooses a move. Deterministic under limits of depth or nodes with one thread.
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move>;

    /// Chooses a move of a game whose past is known. Engines for hidden information use it to find
    /// out what the player to move has observed; [`Engine::choose`] asks them as if the game began
    /// at the position.
    fn choose_after(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
    ) -> Choice<G::Move> {
        let _ = past;
        self.choose(situation, limits)
    }

    /// Chooses a move as [`Engine::choose_after`] does, and tells a listener what it finds while it
    /// thinks.
    ///
    /// The last report of rank 1 agrees with the choice in value and line. Under limits of depth,
    /// and under limits of nodes or playouts where one line is asked for, the choice is the one
    /// that is made without a listener. An engine that does not report while it thinks tells its
    /// choice when it has made it.
    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let choice = self.choose_after(past, situation, limits);
        listener.conclude(&choice);
        choice
    }

    /// Whether the engine reports while it thinks, and not only when it has chosen.
    fn reports(&self) -> bool {
        false
    }

    /// Whether the engine heeds [`Limits::playouts`]. Other engines ignore that limit.
    fn counts_playouts(&self) -> bool {
        false
    }

    /// Does what takes long and is needed but once, such as learning or the building of a database,
    /// before anybody waits for an answer. Without it the first answer takes that long.
    fn prepare(&mut self, game: &G) {
        let _ = game;
    }

    /// Forgets everything about earlier games. What is random in the next one follows from `luck`
    /// and from the engine's own options, so that engines with the same options and the same luck
    /// play alike.
    fn new_game(&mut self, luck: Seed);

    /// What a player may expect of an unfinished position at first sight, in the units of
    /// [`Choice::value`]; `None` if the engine does not judge positions without searching them.
    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let _ = (game, state, player);
        None
    }
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move, if the game is not over.
    pub best: Option<M>,
    /// What the player to move may expect, as a share of the game's largest payoff: 1 is a win.
    /// `None` if the engine has no opinion, or was stopped before it had formed one.
    pub value: Option<f64>,
    /// What the value stands for, and what the others may expect.
    pub reading: Reading,
    /// Whether the value is exact: every line was followed to the end of the game.
    pub solved: bool,
    /// Plies to the end of the game, where a forced win or loss was found.
    pub plies: Option<u32>,
    /// The expected line of play, the best move first.
    pub line: Vec<M>,
    /// Plies looked ahead in the last iteration that was finished.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// What the search counted, by name.
    pub counters: Vec<(&'static str, Counter)>,
}

impl<M> Choice<M> {
    /// The answer where nobody is to move.
    pub fn nothing() -> Choice<M> {
        Choice {
            best: None,
            value: None,
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            counters: Vec::new(),
        }
    }
}

/// What [`Choice::value`] stands for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Reading {
    /// What the player to move may expect; what others may is not known, unless it follows.
    #[default]
    Own,
    /// The same, and what every player may expect, by seat.
    Each(Vec<f64>),
    /// No payoff, but what the engine aims at in its place: as a rule how far the player to move is
    /// ahead of the others, as a share of the largest margin there is.
    Margin,
}

/// A named number, or a row of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counter {
    /// One number.
    One(u64),
    /// Several, such as cutoffs by move number.
    Row(Vec<u64>),
}
