//! How SameGame is played out: TabuRandom and TabuColorRandom (Schadd 2011, section 3.3.2), and
//! what policies learn of groups.
//!
//! A playout spares one colour, so that a large group of it can grow: a random one, or the most
//! frequent one on the board where the playout begins. Now and then any group is taken.

use std::ops::Range;
use std::sync::LazyLock;

use rand::{Rng, RngExt};
use tabia_game::{MoveFeature, MoveFeatures, Playouts};

use super::board::{Board, Cells, MAX_COLUMNS, Packed, any_lane, of_colour};
use super::{Move, SameGame, State};

/// The colour that playouts spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spared {
    /// None: every group is as likely as any other.
    Nothing,
    /// A random one, drawn for each playout: TabuRandom.
    Random,
    /// The most frequent one where the playout begins: TabuColorRandom.
    MostFrequent,
}

/// Playouts of SameGame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tabu {
    /// The colour that is spared as long as there are groups of others.
    pub spared: Spared,
    /// The probability of any group instead.
    pub epsilon: f64,
}

/// The exponential of the bias of groups by their size: a point for every block beyond the second,
/// and eight at most. What is better still is learnt, not given.
static FAVOURS: LazyLock<[f64; 11]> =
    LazyLock::new(|| std::array::from_fn(|size| (size as f64 - 2.0).exp()));
/// The exponential of the bias of the spared colour, which is eight points.
static SPARED: LazyLock<f64> = LazyLock::new(|| (-8.0f64).exp());

impl Tabu {
    /// How many moves are played by the rule before any group is taken.
    fn until_any<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        if self.epsilon <= 0.0 {
            return u32::MAX;
        }
        let drawn: f64 = 1.0 - rng.random::<f64>();
        // The geometric distribution, by inversion; the cast saturates.
        (drawn.ln() / (1.0 - self.epsilon.min(1.0)).ln()) as u32
    }
}

impl Playouts<SameGame> for Tabu {
    type Context = Option<u8>;
    type Scratch = CandidateGroups;

    fn plan<R: Rng + ?Sized>(&self, game: &SameGame, state: &State, rng: &mut R) -> Option<u8> {
        match self.spared {
            Spared::Nothing => None,
            Spared::Random => Some(rng.random_range(0..game.colours() as u8)),
            Spared::MostFrequent => {
                let counts = state.counts();
                // Of several the first.
                let most = (0..counts.len()).rev().max_by_key(|&colour| counts[colour]);
                most.map(|colour| colour as u8)
            }
        }
    }

    fn draw<R: Rng + ?Sized>(
        &self,
        game: &SameGame,
        state: &State,
        moves: &[Move],
        tabu: &Option<u8>,
        rng: &mut R,
    ) -> usize {
        let any = self.epsilon > 0.0 && rng.random_bool(self.epsilon.min(1.0));
        let spared = |mv: &Move| tabu.is_some() && game.colour(state, *mv) == *tabu;
        let others = match any {
            true => 0,
            false => moves.iter().filter(|mv| !spared(mv)).count(),
        };
        if others == 0 || others == moves.len() {
            return rng.random_range(0..moves.len());
        }
        let drawn = rng.random_range(0..others);
        let mut left = (0..moves.len()).filter(|&place| !spared(&moves[place]));
        left.nth(drawn).unwrap_or(0)
    }

    fn play_out<R: Rng + ?Sized>(
        &self,
        game: &SameGame,
        state: &mut State,
        plies: usize,
        _: &mut Vec<Move>,
        line: &mut Vec<Move>,
        rng: &mut R,
    ) {
        let tabu = self.plan(game, state, rng);
        let end = line.len() + plies;
        while line.len() < end {
            let before = line.len();
            let ruled = self.until_any(rng).min((end - before) as u32);
            let played = game.play_out(state, ruled, tabu, rng, |mv| line.push(mv));
            let any = u32::from(line.len() < end);
            let more = game.play_out(state, any, None, rng, |mv| line.push(mv));
            if played < ruled || more < any {
                break;
            }
        }
    }

    fn move_features(
        &self,
        _: &SameGame,
        state: &State,
        tabu: &Option<u8>,
        notes: &mut CandidateGroups,
        list: &mut MoveFeatures<Move>,
    ) {
        let board = &state.board;
        notes.groups.clear();
        notes.origins = Origins::of(board);
        list.clear();
        let met = &mut Packed::default();
        add_lessons(board, 0..board.width(), met, *tabu, notes, list);
    }

    /// Most groups stay as they are.
    fn next_move_features(
        &self,
        game: &SameGame,
        state: &mut State,
        tabu: &Option<u8>,
        chosen: usize,
        notes: &mut CandidateGroups,
        list: &mut MoveFeatures<Move>,
    ) {
        let groups = &mut notes.groups;
        let taken = groups[chosen].cells;
        state.points += game.score.of(taken.len());
        let emptied = state.board.remove(&taken);
        notes.origins.remove(&taken, emptied);
        let board = &state.board;
        let (first, last) = taken.range().into_inner();
        // Everything from the lowest block taken on has moved, and all further columns if one is
        // gone.
        let mut moved = taken.columns.map(|cells| match cells {
            0 => 0,
            _ => (cells & cells.wrapping_neg()).wrapping_neg(),
        });
        if emptied {
            moved[first..=MAX_COLUMNS].fill(u16::MAX);
        }
        let (mut from, mut to) = (first.saturating_sub(1), last + 1);
        let packed = Packed::from(&moved);
        let mut met = Packed::default();
        let mut at = 0;
        while at < groups.len() {
            let Noted {
                cells,
                packed: own,
                colour,
            } = &groups[at];
            let near = usize::from(cells.first) <= last + 1 && usize::from(cells.last) + 1 >= first;
            // A group that has not moved is another one if an equal block has come to lie beside or
            // on it.
            let joined = || {
                (first..=last).any(|at| {
                    let new = of_colour(board.columns[at], (*colour).into()) & moved[at];
                    let left = if at > 0 { cells.columns[at - 1] } else { 0 };
                    new & (left | cells.columns[at + 1] | cells.columns[at] << 1) != 0
                })
            };
            if (near || emptied) && (own.meet(&packed) || joined()) {
                from = from.min(cells.first.into());
                to = to.max(cells.last.into());
                groups.swap_remove(at);
                list.moves.swap_remove(at);
                list.features.swap_remove(at);
            } else {
                met.add(own);
                at += 1;
            }
        }
        let width = board.width();
        let end = if emptied { width } else { width.min(to + 1) };
        add_lessons(board, from..end, &mut met, *tabu, notes, list);
    }
}

/// The groups of a list of lessons.
#[derive(Clone, Debug, Default)]
pub struct CandidateGroups {
    groups: Vec<Noted>,
    origins: Origins,
}

#[derive(Clone, Copy, Debug)]
struct Noted {
    cells: Cells,
    packed: Packed,
    colour: u8,
}

/// Where the blocks of a board lay when the playout began. A block stays in its column, and above
/// the blocks that it has lain on.
#[derive(Clone, Copy, Debug, Default)]
struct Origins {
    /// The columns that are left.
    columns: [u8; MAX_COLUMNS],
    /// For each of them the rows of the blocks that are left in it.
    rows: [u16; MAX_COLUMNS],
}

impl Origins {
    fn of(board: &Board) -> Origins {
        Origins {
            columns: std::array::from_fn(|at| at as u8),
            rows: std::array::from_fn(|at| any_lane(board.columns[at])),
        }
    }

    /// Takes blocks away, which may empty columns.
    fn remove(&mut self, cells: &Cells, emptied: bool) {
        for at in cells.range() {
            let (mut gone, mut left) = (cells.columns[at], self.rows[at]);
            while gone != 0 {
                let lowest = left & left.wrapping_neg();
                if gone & 1 != 0 {
                    self.rows[at] ^= lowest;
                }
                left ^= lowest;
                gone >>= 1;
            }
        }
        if emptied {
            let first = usize::from(cells.first);
            let mut to = first;
            for from in first..MAX_COLUMNS {
                let rows = std::mem::take(&mut self.rows[from]);
                if rows != 0 {
                    (self.columns[to], self.rows[to]) = (self.columns[from], rows);
                    to += 1;
                }
            }
        }
    }

    /// The column and the row of a block.
    fn find(&self, column: usize, row: usize) -> (u8, u32) {
        let above = (0..row).fold(self.rows[column], |rows, _| rows & rows.wrapping_sub(1));
        (self.columns[column], above.trailing_zeros())
    }
}

/// Adds the groups that begin in these columns and have not been met.
fn add_lessons(
    board: &Board,
    columns: Range<usize>,
    met: &mut Packed,
    tabu: Option<u8>,
    notes: &mut CandidateGroups,
    list: &mut MoveFeatures<Move>,
) {
    let CandidateGroups { groups, origins } = notes;
    board.each_group(columns, met, |mv, colour, cells| {
        // A group is known by its first block, wherever that lies by now, and by its size.
        let (column, row) = origins.find(mv.column(), mv.row());
        let code = u64::from(column) << 16 | u64::from(row) << 12 | u64::from(cells.len());
        let favour = match tabu == Some(colour as u8) {
            true => *SPARED,
            false => FAVOURS[(cells.len() as usize).min(FAVOURS.len() - 1)],
        };
        groups.push(Noted {
            cells: *cells,
            packed: Packed::from(&cells.columns),
            colour: colour as u8,
        });
        list.moves.push(mv);
        list.features.push(MoveFeature { code, favour });
    });
}
