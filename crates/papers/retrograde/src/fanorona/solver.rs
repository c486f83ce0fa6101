//! Solving a board: tables of endings in memory, and searches that use them.

use std::time::Instant;

use tabia_fanorona::fanorona::{Material, Slice, State};
use tabia_game::{Cancel, Game, Indexed, Limits, Player, Wdl};
use tabia_solve::best_first::{Guided, Pn2};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Prover, Settled, Status};
use tabia_tables::retrograde::{InMemory, Solved, solve_all};
use tabia_tables::{BuildError, Kept, TableError};

use super::Board;
use tabia_lab::LabError;
use tabia_lab::experiment::Measured;

/// The bytes that the tables of a board may take.
const TABLE_MEMORY: u64 = 4 << 30;

/// The values of all positions with at most this many pieces.
pub struct Endings {
    pieces: usize,
    solved: Solved<Board>,
    /// How long they took.
    pub seconds: f64,
}

impl Endings {
    /// Solves them, on the threads of the current pool.
    pub fn build(game: &Board, pieces: usize, cancel: &Cancel) -> Result<Endings, LabError> {
        let started = Instant::now();
        let mut slices = game.slices();
        slices.retain(|&slice| game.slice_size(slice) as usize <= pieces);
        let solved = solve_all(game, &slices, Kept::Wdl, TABLE_MEMORY, cancel, &|_| {});
        Ok(Endings {
            pieces,
            solved: solved.map_err(failure)?,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// The values of a slice.
    pub fn slice(&self, slice: Slice) -> Result<&InMemory, LabError> {
        let missing = || LabError::BadRequest(format!("there is no slice {slice:?}"));
        self.solved.slice(slice).ok_or_else(missing)
    }
}

impl Settled<Board> for Endings {
    /// Most positions have too many pieces, and are not worth the computation of an index.
    #[inline]
    fn value(&self, game: &Board, state: &State<u64>) -> Option<Wdl> {
        if state.count() > self.pieces {
            return None;
        }
        Settled::value(&self.solved, game, state)
    }
}

/// Why there are no tables.
pub fn failure(error: BuildError) -> LabError {
    match error {
        BuildError::Table(TableError::Stopped) => LabError::Stopped,
        error => LabError::BadRequest(error.to_string()),
    }
}

/// Does one thing on one thread. A thread of a pool would take up another cell wherever it had to
/// wait, and the times of both would be wrong.
pub fn on_one_thread<T: Send>(
    work: impl FnOnce() -> Result<T, LabError> + Send,
) -> Result<T, LabError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| LabError::Threads(error.to_string()))?;
    let done = std::thread::scope(|scope| scope.spawn(|| pool.install(work)).join());
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The value of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    White,
    Black,
    Nobody,
}

impl Winner {
    const ALL: [Winner; 3] = [Winner::White, Winner::Black, Winner::Nobody];

    pub fn words(self) -> &'static str {
        match self {
            Winner::White => "White wins",
            Winner::Black => "Black wins",
            Winner::Nobody => "drawn",
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The value, unless the nodes were used up.
    pub winner: Option<Winner>,
    pub nodes: u64,
    pub seconds: f64,
}

impl Found {
    /// Figures of a cell.
    pub const FIGURES: usize = 3;

    pub fn figures(&self) -> [f64; Found::FIGURES] {
        let number = Winner::ALL
            .iter()
            .position(|&winner| Some(winner) == self.winner)
            .map_or(0, |place| place + 1);
        [number as f64, self.nodes as f64, self.seconds]
    }

    /// What the figures of a cell from this column on say.
    pub fn read(measured: &Measured, cell: &str, column: usize) -> Result<Found, LabError> {
        let number = measured.count(cell, column)? as usize;
        Ok(Found {
            winner: number
                .checked_sub(1)
                .and_then(|n| Winner::ALL.get(n).copied()),
            nodes: measured.count(cell, column + 1)?,
            seconds: measured.column(cell, column + 2)?.iter().sum(),
        })
    }
}

/// How much a search may spend.
#[derive(Clone, Copy)]
pub struct Budget {
    /// Nodes of depth-first proof-number search.
    pub dfpn: u64,
    /// Bytes of its table.
    pub memory: u64,
    /// Nodes of PN2.
    pub pn2: u64,
}

/// The value of a board by depth-first proof-number search and by PN2.
pub fn solve(game: &Board, endings: &Endings, budget: Budget, cancel: &Cancel) -> [Found; 2] {
    let mut dfpn = Dfpn::guided(budget.memory, 1, Guided::by(Material));
    let first = value(&mut dfpn, game, endings, budget.dfpn, cancel);
    let second = value(&mut Pn2::default(), game, endings, budget.pn2, cancel);
    [first, second]
}

/// Looks into an attack of White, and if that fails into one of Black.
fn value<P: Prover<Board>>(
    prover: &mut P,
    game: &Board,
    endings: &Endings,
    budget: u64,
    cancel: &Cancel,
) -> Found {
    let started = Instant::now();
    let mut nodes = 0;
    let mut winner = Some(Winner::Nobody);
    for (attacker, wins) in [
        (Player::FIRST, Winner::White),
        (Player::SECOND, Winner::Black),
    ] {
        let attack = Attack {
            attacker,
            at_least: 1,
        };
        let limits = Limits {
            nodes: Some(budget.saturating_sub(nodes)),
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let proof = prover.prove(game, &game.start(), attack, endings, &limits);
        nodes += proof.nodes;
        winner = match proof.status {
            Status::Proved => Some(wins),
            Status::Disproved => continue,
            Status::Unknown => None,
        };
        break;
    }
    Found {
        winner,
        nodes,
        seconds: started.elapsed().as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::board;
    use super::*;

    /// Schadd (2011, table 4.4), and complete tables.
    #[test]
    fn both_searches_tell_the_value_with_and_without_tables() {
        let game = board((3, 3)).unwrap();
        let cancel = Cancel::default();
        let budget = Budget {
            dfpn: 100_000,
            memory: 1 << 20,
            pn2: 100_000,
        };
        for pieces in [0, 3, 8] {
            let endings = Endings::build(&game, pieces, &cancel).unwrap();
            for found in solve(&game, &endings, budget, &cancel) {
                assert_eq!(found.winner, Some(Winner::White));
            }
        }
        let budget = Budget {
            dfpn: 5,
            pn2: 5,
            ..budget
        };
        let endings = Endings::build(&game, 0, &cancel).unwrap();
        for found in solve(&game, &endings, budget, &cancel) {
            assert_eq!(found.winner, None);
        }
    }
}
