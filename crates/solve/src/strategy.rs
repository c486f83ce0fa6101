//! Strategies: what a certificate lists, made after a search has proved that there is one.
//!
//! A search is only asked which positions to look at. That the strategy holds follows from how the
//! positions looked at hang together, so an error of the search leads to no strategy and never to a
//! wrong one. A strategy to win is an attractor: each of its positions was reached backwards from
//! finished games, so it has no cycles. A strategy to draw is a set of positions that the opponent
//! cannot leave.

mod draw;
mod explorer;
mod win;

use std::cell::RefCell;
use std::io::{self, Write};

use tabia_game::{Cancel, Limits, Stopped, Wdl};

use crate::certificate::{
    Certifiable, CertificateSummary, Header, Positions, StrategyFault, Task, Walked, Writer, walk,
};
use crate::{Prover, Settled};
use explorer::Explorer;

/// Why there is no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// What it should bring about cannot be forced.
    #[error("there is no such strategy: the search says the opposite")]
    Refuted,
    /// The search gives up here, though no limit was reached.
    #[error("the search can neither prove nor disprove {0}")]
    Undecided(String),
    /// What the search says of positions does not fit together.
    #[error("the search contradicts itself about {0}")]
    Contradiction(String),
    /// More positions than can be numbered.
    #[error("the strategy has more than four thousand million positions")]
    TooLarge,
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Why a certificate could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The strategy; a defect of what made it.
    #[error(transparent)]
    Fault(#[from] StrategyFault),
    /// The strategy has no move for a position that can arise; a defect of what made it.
    #[error("the strategy has no move for {0}")]
    Missing(String),
}

/// A move for every position of a player that can arise when this player follows it.
pub struct Strategy<G: Certifiable> {
    task: Task,
    root: G::State,
    positions: Positions<G>,
    choices: Vec<Option<G::Move>>,
}

impl<G: Certifiable> Strategy<G> {
    /// Makes the strategy that brings about the task in this position. The limit on nodes is one on
    /// the nodes of the prover and the positions of the strategy together; progress is told as the
    /// number of positions.
    pub fn find(
        game: &G,
        root: &G::State,
        task: Task,
        prover: &mut dyn Prover<G>,
        settled: &dyn Settled<G>,
        limits: &Limits,
        mut progress: impl FnMut(u64),
    ) -> Result<Strategy<G>, StrategyError> {
        let mut explorer = Explorer::new(game, task, prover, settled, limits, &mut progress);
        if explorer.begin(root)? {
            match task.at_least {
                Wdl::Win => explorer.explore_win()?,
                _ => explorer.explore_draw()?,
            }
        }
        let (positions, choices) = explorer.into_choices();
        Ok(Strategy {
            task,
            root: root.clone(),
            positions,
            choices,
        })
    }

    /// The move in a position of the player whose strategy it is.
    pub fn choice(&self, game: &G, state: &G::State) -> Option<G::Move> {
        let number = self.positions.find(game, state)?;
        self.choices.get(number as usize).copied().flatten()
    }

    /// Tells every settled position that it relies on, some of them more than once.
    pub fn relies_on(
        &self,
        game: &G,
        settled: &dyn Settled<G>,
        cancel: &Cancel,
        tell: impl FnMut(&G::State),
    ) -> Result<(), WriteError> {
        let tell = RefCell::new(tell);
        let probe = |state: &G::State| {
            let value = settled.value(game, state);
            if value.is_some() {
                (tell.borrow_mut())(state);
            }
            value
        };
        self.walk(game, probe, cancel, |_, _| Ok(()))?;
        Ok(())
    }

    fn write<W: Write>(
        &self,
        game: &G,
        settled: &dyn Settled<G>,
        cancel: &Cancel,
        writer: &mut Writer<W>,
    ) -> Result<Walked, WriteError> {
        writer.strategy(&game.player_name(self.task.player), self.task.at_least)?;
        let probe = |state: &G::State| settled.value(game, state);
        self.walk(game, probe, cancel, |state, mv| {
            writer.entry(&game.move_text(state, mv))
        })
    }

    fn walk(
        &self,
        game: &G,
        probe: impl Fn(&G::State) -> Option<Wdl>,
        cancel: &Cancel,
        mut met: impl FnMut(&G::State, G::Move) -> io::Result<()>,
    ) -> Result<Walked, WriteError> {
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let mut meter = limits.meter();
        let choose = |state: &G::State, _: &[G::Move]| {
            let missing = || WriteError::Missing(game.position_text(state));
            let mv = self.choice(game, state).ok_or_else(missing)?;
            met(state, mv)?;
            Ok(mv)
        };
        let probe = |state: &G::State| Ok(probe(state));
        walk(
            game,
            &self.root,
            self.task,
            probe,
            &mut meter,
            |_| (),
            choose,
        )
    }
}

/// Writes the certificate of a position from the strategies that its claim needs, in the order of
/// [`Task::of_value`]. The tables are those that `settled` asks; it knows nothing beyond them.
pub fn write_certificate<G: Certifiable, W: Write>(
    out: W,
    game: &G,
    header: &Header,
    strategies: &[Strategy<G>],
    settled: &dyn Settled<G>,
    cancel: &Cancel,
) -> Result<CertificateSummary, WriteError> {
    let mut writer = Writer::new(out, header)?;
    let mut summary = CertificateSummary::default();
    for strategy in strategies {
        let walked = strategy.write(game, settled, cancel, &mut writer)?;
        summary.entries += walked.entries;
        summary.positions += walked.positions;
    }
    writer.finish()?;
    Ok(summary)
}
