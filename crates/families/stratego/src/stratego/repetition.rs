//! The two rules against moving to and fro for ever, and the little history they need.
//!
//! The rules are those of the International Stratego Federation (game rules, articles 10 and 11), to which
//! Schadd (2011, section 5.5.1) refers. They are read as follows.
//!
//! **Two-Squares Rule.** A piece may not move more than three times in consecutive turns of its owner
//! between the same two squares, whatever the opponent does and whether it attacks or not. For a Scout all
//! squares it passes count; so, for every piece, the fourth of four consecutive moves is illegal if all four
//! cross the border between the same two neighbouring squares.
//!
//! **More-Squares Rule.** A *chase* is a sequence of moves of one player, each of which ends next to a piece
//! of the opponent, who answers each by moving away a piece next to it. During a chase no move may lead to a
//! position that has occurred after a move of the same chase if it ends next to a piece that has moved away
//! during the chase; but the piece that moved last may always go straight back. A battle ends all chases,
//! since no position before it can come back.
//!
//! A position is here which of the forty pieces stands where, two pieces of equal rank being
//! two pieces. Both players can see that, so nobody's moves depend on what is hidden from him.

use std::hash::{Hash, Hasher};

use tabia_game::bits::Bits;
use tabia_game::{Player, zobrist};

use super::board::{Board, SQUARES, Step, near};

/// The moves that a piece may make across one border in a row.
const SHUTTLES: usize = 3;

/// The last moves of a player as the squares that one piece came along, as far as they all cross one
/// border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Chain {
    squares: [u8; SHUTTLES + 1],
    length: u8,
}

impl Chain {
    /// A chain of these squares; `None` if they are no chain.
    pub fn new(squares: &[u8]) -> Option<Chain> {
        let room = squares.len() != 1 && squares.len() <= SHUTTLES + 1;
        (room && (squares.is_empty() || cross_one_border(squares))).then(|| Chain::of(squares))
    }

    fn of(path: &[u8]) -> Chain {
        let mut chain = Chain::default();
        for (square, &to) in chain.squares.iter_mut().zip(path) {
            *square = to;
            chain.length += 1;
        }
        chain
    }

    /// The squares, the present one of the piece last.
    pub fn squares(&self) -> &[u8] {
        &self.squares[..usize::from(self.length)]
    }

    /// The squares after a further move, if the same piece makes it.
    fn path(&self, step: Step) -> ([u8; SHUTTLES + 2], usize) {
        let mut path = [0; SHUTTLES + 2];
        let before = match self.squares().last() {
            Some(&last) if last == step.from => self.squares(),
            _ => &[step.from],
        };
        path[..before.len()].copy_from_slice(before);
        path[before.len()] = step.to;
        (path, before.len() + 1)
    }

    #[inline]
    fn forbids(&self, step: Step) -> bool {
        if usize::from(self.length) <= SHUTTLES {
            return false;
        }
        let (path, length) = self.path(step);
        length > SHUTTLES + 1 && cross_one_border(&path[..length])
    }

    fn after(&self, step: Step) -> Chain {
        let (path, length) = self.path(step);
        let mut rest = &path[..length];
        while !cross_one_border(rest) || rest.len() > SHUTTLES + 1 {
            rest = &rest[1..];
        }
        Chain::of(rest)
    }
}

/// Whether all moves along these squares cross one border; so does a single move.
fn cross_one_border(path: &[u8]) -> bool {
    let same = |key: fn(u8) -> u8| path.windows(2).all(|pair| key(pair[0]) == key(pair[1]));
    if !same(|square| square % 10) && !same(|square| square / 10) {
        return false;
    }
    let low = path.windows(2).map(|pair| pair[0].min(pair[1])).max();
    let high = path.windows(2).map(|pair| pair[0].max(pair[1])).min();
    low < high
}

/// A chase, as seen by the chaser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Chase {
    /// The plies since it began, both players' counted; 0 if there is none.
    age: u32,
    /// Where the pieces now stand that have moved away.
    evaders: u128,
}

/// The part of the history that is restored when a move is taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Recent {
    chains: [Chain; 2],
    chases: [Chase; 2],
}

/// What the rules of repetition need to know of the past.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    recent: Recent,
    /// Moves that were no attacks. Those before the oldest chase only stay because moves may be taken
    /// back, and make no difference.
    trail: Vec<Step>,
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.recent == other.recent && self.trail() == other.trail()
    }
}

impl Eq for History {}

impl Hash for History {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.recent.hash(hasher);
        self.trail().hash(hasher);
    }
}

impl History {
    /// The same history with other chains.
    pub fn with_chains(mut self, chains: [Chain; 2]) -> History {
        self.recent.chains = chains;
        self
    }

    /// What [`History::restore`] wants.
    #[inline]
    pub fn recent(&self) -> Recent {
        self.recent
    }

    /// The chain of a player.
    pub fn chain(&self, player: Player) -> Chain {
        self.recent.chains[player.index() & 1]
    }

    /// The moves since the oldest chase began.
    pub fn trail(&self) -> &[Step] {
        let [first, second] = self.recent.chases;
        let age = first.age.max(second.age) as usize;
        &self.trail[self.trail.len().saturating_sub(age)..]
    }

    /// Takes a move back that was no attack.
    pub fn take_back(&mut self, before: Recent) {
        self.trail.pop();
        self.recent = before;
    }

    /// Takes an attack back.
    pub fn restore(&mut self, before: Recent) {
        self.recent = before;
    }

    /// Notes a move that was no attack; `board` is the one after it.
    pub fn moved(&mut self, board: &Board, mover: Player, step: Step) {
        let threatened = near(step.to) & board.owned(mover.other());
        let last = self.trail.last().copied();
        self.trail.push(step);
        let Recent { chains, chases } = &mut self.recent;
        let chain = &mut chains[mover.index() & 1];
        *chain = chain.after(step);
        let opposing = &mut chases[mover.other().index() & 1];
        let evades = last.is_some_and(|last| near(last.to).has(usize::from(step.from)));
        if opposing.age > 0 && evades {
            let gone = u128::bit(usize::from(step.from));
            opposing.age = opposing.age.saturating_add(1);
            opposing.evaders = opposing.evaders & !gone | u128::bit(usize::from(step.to));
        } else {
            *opposing = Chase::default();
        }
        let own = &mut chases[mover.index() & 1];
        if threatened.is_empty() {
            *own = Chase::default();
        } else {
            own.age = own.age.saturating_add(1);
        }
    }

    /// Notes an attack and who survived it.
    pub fn fought(&mut self, mover: Player, step: Step, attacker: bool, defender: bool) {
        let Recent { chains, chases } = &mut self.recent;
        *chases = Default::default();
        let chain = &mut chains[mover.index() & 1];
        *chain = match attacker {
            true => chain.after(step),
            false => Chain::default(),
        };
        let opposing = &mut chains[mover.other().index() & 1];
        if !defender && opposing.squares().last() == Some(&step.to) {
            *opposing = Chain::default();
        }
    }

    /// Whether a rule of repetition forbids a move that obeys all others.
    #[inline]
    pub fn forbids(&self, board: &Board, mover: Player, step: Step) -> bool {
        self.chain(mover).forbids(step) || self.is_endless_chase(board, mover, step)
    }

    #[inline]
    fn is_endless_chase(&self, board: &Board, mover: Player, step: Step) -> bool {
        let chase = self.recent.chases[mover.index() & 1];
        // The shortest way round is that of a Scout in three moves.
        if chase.age < 6 || (near(step.to) & chase.evaders).is_empty() {
            return false;
        }
        let before = self.trail.len().checked_sub(2).map(|last| self.trail[last]);
        let back = before.is_some_and(|last| (last.from, last.to) == (step.to, step.from));
        !back && board.at(step.to).is_none() && self.recurs(step, chase.age as usize)
    }

    /// Whether this move leads to a position that was there after a move of the same player among the
    /// last so many plies. Goes back through them and keeps, for every square, where the piece that stood
    /// there then would stand after the move.
    fn recurs(&self, step: Step, plies: usize) -> bool {
        let mut now: [u8; SQUARES] = std::array::from_fn(|square| square as u8);
        now[usize::from(step.from)] = step.to;
        let mut displaced = 1;
        for (back, ply) in self.trail.iter().rev().take(plies - 1).enumerate() {
            let piece = now[usize::from(ply.to)];
            now[usize::from(ply.from)] = piece;
            displaced += i32::from(piece != ply.from) - i32::from(piece != ply.to);
            if back % 2 == 0 && displaced == 0 {
                return true;
            }
        }
        false
    }

    /// A number for what the future depends on. Single moves count in no chain: they would make
    /// different positions of all transpositions, for the sake of a move that is illegal three turns later.
    pub fn key(&self) -> u64 {
        let mut key = 0;
        for (player, chain) in self.recent.chains.iter().enumerate() {
            if chain.squares().len() > 2 {
                let packed = chain
                    .squares()
                    .iter()
                    .fold(player as u64 + 1, |packed, &s| packed << 8 | u64::from(s));
                key ^= zobrist::number(0x57_7b, packed);
            }
        }
        for (i, step) in self.trail().iter().enumerate() {
            key ^= zobrist::number(0x57_7c, (i * SQUARES * SQUARES + step.index()) as u64);
        }
        key
    }
}
