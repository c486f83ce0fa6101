//! The walk through a strategy, depth first from a position.
//!
//! Where the strategist is to move one move is asked for; where the opponent is, all legal moves
//! are gone through in the order of [`Game::moves`](tabia_game::Game::moves). A position that was
//! entered before is not entered again. What a certificate lists are the moves asked for, in this
//! order, so writer and checker walk the same way.

use tabia_game::{Meter, Player, Stopped, Turn, Wdl};

use super::positions::{Full, Positions};
use super::{Certifiable, Task};

/// Why a strategy does not do what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyFault {
    /// A strategy that is to win comes back to a position, so that the win may never come.
    #[error("the strategy to win comes back to {0}, so that the game need never end")]
    Cycle(String),
    /// A game or a table ends a line with less than promised.
    #[error(
        "the strategy leads to {position}, a {value} where at least a {needed} was promised",
        value = .value.word(),
        needed = .needed.word(),
    )]
    Insufficient {
        /// The position.
        position: String,
        /// What it is worth to the strategist.
        value: Wdl,
        /// What was promised.
        needed: Wdl,
    },
    /// The rules give no move in a position that is not over; a defect of the game.
    #[error("the game is not over in {0}, yet nothing can be played")]
    Stuck(String),
    /// More positions than can be numbered.
    #[error("the strategy has more than four thousand million positions")]
    TooLarge,
    /// A limit ended the walk.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What a walk has met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Moves of the strategist.
    pub entries: u64,
    /// Positions that were entered.
    pub positions: u64,
}

/// How often progress is told: once in this many positions.
const INTERVAL: usize = 1024;

/// A position on the way to the present one. Its moves that are still to be played are those on the
/// common stack from `base` on, the next one last.
struct Frame {
    position: u32,
    base: usize,
}

struct Walk<'a, G: Certifiable, P, C> {
    game: &'a G,
    task: Task,
    probe: P,
    choose: C,
    positions: Positions<G>,
    /// By position: whether it is on the stack.
    open: Vec<bool>,
    stack: Vec<Frame>,
    moves: Vec<G::Move>,
    entries: u64,
}

/// Walks through a strategy. `probe` tells the value of positions, for the player to move, that
/// count as known; `choose` gives the strategist's move, one of those listed.
pub(crate) fn walk<G: Certifiable, E: From<StrategyFault>>(
    game: &G,
    root: &G::State,
    task: Task,
    probe: impl Fn(&G::State) -> Result<Option<Wdl>, E>,
    meter: &mut Meter,
    mut progress: impl FnMut(u64),
    choose: impl FnMut(&G::State, &[G::Move]) -> Result<G::Move, E>,
) -> Result<Walked, E> {
    let mut walk = Walk {
        game,
        task,
        probe,
        choose,
        positions: Positions::new(),
        open: Vec::new(),
        stack: Vec::new(),
        moves: Vec::new(),
        entries: 0,
    };
    walk.visit(root.clone(), meter)?;
    while let Some(frame) = walk.stack.last() {
        let position = frame.position;
        if walk.moves.len() == frame.base {
            walk.open[position as usize] = false;
            walk.stack.pop();
        } else if let Some(mv) = walk.moves.pop() {
            let mut state = walk.positions.get(position).clone();
            game.play(&mut state, mv);
            let before = walk.positions.len();
            walk.visit(state, meter)?;
            if walk.positions.len() > before && walk.positions.len().is_multiple_of(INTERVAL) {
                progress(walk.positions.len() as u64);
            }
        }
    }
    Ok(Walked {
        entries: walk.entries,
        positions: walk.positions.len() as u64,
    })
}

impl<G: Certifiable, P, C> Walk<'_, G, P, C> {
    /// Comes to a position: a leaf, one that was entered before, or one to be entered.
    fn visit<E: From<StrategyFault>>(&mut self, state: G::State, meter: &mut Meter) -> Result<(), E>
    where
        P: Fn(&G::State) -> Result<Option<Wdl>, E>,
        C: FnMut(&G::State, &[G::Move]) -> Result<G::Move, E>,
    {
        let (game, strategist) = (self.game, self.task.player);
        // Without chance, a game in which no player is to move is over.
        let Turn::Player(mover) = game.turn(&state) else {
            let value = Wdl::of_payoff(game.payoff(&state, strategist));
            return Ok(self.leaf(&state, value)?);
        };
        if let Some(value) = (self.probe)(&state)? {
            return Ok(self.leaf(&state, seen_by(strategist, mover, value))?);
        }
        if let Some(known) = self.positions.find(game, &state) {
            if self.task.at_least == Wdl::Win && self.open[known as usize] {
                return Err(StrategyFault::Cycle(game.position_text(&state)).into());
            }
            return Ok(());
        }
        meter.tick().map_err(StrategyFault::from)?;
        let base = self.moves.len();
        game.moves(&state, &mut self.moves);
        if self.moves.len() == base {
            return Err(StrategyFault::Stuck(game.position_text(&state)).into());
        }
        if mover == strategist {
            let mv = (self.choose)(&state, &self.moves[base..])?;
            self.moves.truncate(base);
            self.moves.push(mv);
            self.entries += 1;
        } else {
            self.moves[base..].reverse();
        }
        let added = self.positions.add(game, state);
        let position = added.map_err(|Full| StrategyFault::TooLarge)?;
        self.open.push(true);
        self.stack.push(Frame { position, base });
        Ok(())
    }

    fn leaf(&self, state: &G::State, value: Wdl) -> Result<(), StrategyFault> {
        let needed = self.task.at_least;
        if value >= needed {
            return Ok(());
        }
        let position = self.game.position_text(state);
        Err(StrategyFault::Insufficient {
            position,
            value,
            needed,
        })
    }
}

/// A value for the mover as the strategist sees it.
fn seen_by(strategist: Player, mover: Player, value: Wdl) -> Wdl {
    if mover == strategist {
        value
    } else {
        value.flipped()
    }
}
