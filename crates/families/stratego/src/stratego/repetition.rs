//! The two rules against moving to and fro for ever, as they are read off the path of a game.
//!
//! The rules are those of the International Stratego Federation (game rules, articles 10 and 11),
//! to which Schadd (2011, section 5.5.1) refers. They are read as follows.
//!
//! **Two-Squares Rule.** A piece may not move more than three times in consecutive turns of its
//! owner between the same two squares, whatever the opponent does and whether it attacks or not.
//! For a Scout all squares it passes count; so, for every piece, the fourth of four consecutive
//! moves is illegal if all four cross the border between the same two neighbouring squares.
//!
//! **More-Squares Rule.** A *chase* is a sequence of moves of one player, each of which ends next
//! to a piece of the opponent, who answers each by moving away a piece next to it. During a chase
//! no move may lead to a position that has occurred after a move of the same chase if it ends next
//! to a piece that has moved away during the chase; but the piece that moved last may always go
//! straight back. A battle ends all chases, since no position before it can come back.
//!
//! A position is here which of the forty pieces stands where, two pieces of equal rank being
//! two pieces. Both players can see that, so nobody's moves depend on what is hidden from them.

use tabia_game::bits::Bits;
use tabia_game::{Made, Player, zobrist};

use super::board::{Board, SQUARES, Step, near};

/// The moves that a piece may make across one border in a row.
const SHUTTLES: usize = 3;

/// The last moves of a player as the squares that one piece came along, as far as they all cross
/// one border.
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

/// What the rules need to know of a move: the [note](tabia_game::Key::note) of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note {
    pub mover: Player,
    pub step: Step,
    pub kind: MoveKind,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    /// It went to an empty square. Whether a piece of the opponent stands next to that.
    Quiet { threatens: bool },
    /// It attacked. Who survived.
    Attack { attacker: bool, defender: bool },
    /// It is not known.
    Unknown,
}

impl Note {
    /// The note of a move to an empty square; `board` is the one before it.
    pub fn quiet(board: &Board, mover: Player, step: Step) -> Note {
        let threatened = near(step.to) & board.owned(mover.other());
        let kind = MoveKind::Quiet {
            threatens: !threatened.is_empty(),
        };
        Note { mover, step, kind }
    }

    /// The note as a number, which is never 0.
    pub fn packed(self) -> u64 {
        let (kind, first, second) = match self.kind {
            MoveKind::Quiet { threatens } => (1, threatens, false),
            MoveKind::Attack { attacker, defender } => (2, attacker, defender),
            MoveKind::Unknown => (3, false, false),
        };
        kind | u64::from(first) << 2
            | u64::from(second) << 3
            | u64::from(self.mover.0) << 8
            | u64::from(self.step.from) << 16
            | u64::from(self.step.to) << 24
    }

    fn of(made: &Made) -> Option<Note> {
        let (first, second) = (made.note >> 2 & 1 == 1, made.note >> 3 & 1 == 1);
        let kind = match made.note & 3 {
            0 => return None,
            1 => MoveKind::Quiet { threatens: first },
            2 => MoveKind::Attack {
                attacker: first,
                defender: second,
            },
            _ => MoveKind::Unknown,
        };
        Some(Note {
            mover: Player((made.note >> 8) as u8),
            step: Step {
                from: (made.note >> 16) as u8,
                to: (made.note >> 24) as u8,
            },
            kind,
        })
    }

    fn threatens(self) -> bool {
        self.kind == MoveKind::Quiet { threatens: true }
    }

    /// Whether this move takes a piece away from beside where `threat` went.
    fn evades(self, threat: Note) -> bool {
        matches!(self.kind, MoveKind::Quiet { .. })
            && near(threat.step.to).has(usize::from(self.step.from))
    }
}

/// A chase, as seen by the chaser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Chase {
    /// The plies since it began, both players' counted; 0 if there is none.
    age: usize,
    /// Where the pieces now stand that have moved away.
    evaders: u128,
}

/// The moves that count in a chain were made within this many plies.
const CHAIN_PLIES: usize = 2 * SHUTTLES + 2;

/// What the rules of repetition make of the moves before a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct History<'a> {
    made: &'a [Made],
    chains: [Chain; 2],
    chases: [Chase; 2],
}

impl<'a> History<'a> {
    /// The history that these moves leave.
    pub fn of(made: &'a [Made]) -> History<'a> {
        let mut recent = [None; CHAIN_PLIES];
        let last = notes(made).take(CHAIN_PLIES);
        for (slot, note) in recent.iter_mut().rev().zip(last) {
            *slot = Some(note);
        }
        let mut chains = [Chain::default(); 2];
        for note in recent.into_iter().flatten() {
            extend(&mut chains, note);
        }
        let chases = [Player::FIRST, Player::SECOND].map(|chaser| chase(made, chaser));
        History {
            made,
            chains,
            chases,
        }
    }

    /// The chain of a player.
    pub fn chain(&self, player: Player) -> Chain {
        self.chains[player.index() & 1]
    }

    /// The moves since the oldest chase began, the last one first.
    fn backwards(&self) -> impl Iterator<Item = Step> + use<'a> {
        let [first, second] = self.chases;
        let age = first.age.max(second.age);
        notes(self.made).take(age).map(|note| note.step)
    }

    /// The moves since the oldest chase began.
    pub fn trail(&self) -> Vec<Step> {
        let mut trail: Vec<Step> = self.backwards().collect();
        trail.reverse();
        trail
    }

    /// Whether the rules can forbid anything to this player.
    #[inline]
    pub fn may_forbid(&self, mover: Player) -> bool {
        usize::from(self.chain(mover).length) > SHUTTLES || self.is_old_chase(mover)
    }

    /// Whether a rule of repetition forbids a move that obeys all others.
    #[inline]
    pub fn forbids(&self, board: &Board, mover: Player, step: Step) -> bool {
        self.chain(mover).forbids(step) || self.is_endless_chase(board, mover, step)
    }

    /// The shortest way round is that of a Scout in three moves.
    #[inline]
    fn is_old_chase(&self, mover: Player) -> bool {
        self.chases[mover.index() & 1].age >= 6
    }

    #[inline]
    fn is_endless_chase(&self, board: &Board, mover: Player, step: Step) -> bool {
        let chase = self.chases[mover.index() & 1];
        if !self.is_old_chase(mover) || (near(step.to) & chase.evaders).is_empty() {
            return false;
        }
        let before = notes(self.made).nth(1).map(|note| note.step);
        let back = before.is_some_and(|last| (last.from, last.to) == (step.to, step.from));
        !back && board.at(step.to).is_none() && self.recurs(step, chase.age)
    }

    /// Whether this move leads to a position that was there after a move of the same player among
    /// this many last plies. Goes back through them and keeps, for every square, where the
    /// piece that stood there then would stand after the move.
    fn recurs(&self, step: Step, plies: usize) -> bool {
        let mut now: [u8; SQUARES] = std::array::from_fn(|square| square as u8);
        now[usize::from(step.from)] = step.to;
        let mut displaced = 1;
        for (back, note) in notes(self.made).take(plies - 1).enumerate() {
            let ply = note.step;
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
    /// different positions of all transpositions, for the sake of a move that is illegal three
    /// turns later.
    pub fn key(&self) -> u64 {
        let mut key = 0;
        for (player, chain) in self.chains.iter().enumerate() {
            if chain.squares().len() > 2 {
                let packed = chain
                    .squares()
                    .iter()
                    .fold(player as u64 + 1, |packed, &s| packed << 8 | u64::from(s));
                key ^= zobrist::number(0x57_7b, packed);
            }
        }
        for (i, step) in self.backwards().enumerate() {
            key ^= zobrist::number(0x57_7c, (i * SQUARES * SQUARES + step.index()) as u64);
        }
        key
    }
}

/// The moves of a path of which anything was noted, the last one first.
fn notes(made: &[Made]) -> impl Iterator<Item = Note> + '_ {
    made.iter().rev().filter_map(Note::of)
}

/// What a move makes of the chains of both players.
fn extend(chains: &mut [Chain; 2], note: Note) {
    let Note { mover, step, kind } = note;
    let chain = &mut chains[mover.index() & 1];
    match kind {
        MoveKind::Quiet { .. } | MoveKind::Attack { attacker: true, .. } => {
            *chain = chain.after(step)
        }
        MoveKind::Attack { .. } | MoveKind::Unknown => *chain = Chain::default(),
    }
    let opposing = &mut chains[mover.other().index() & 1];
    let fell = matches!(
        kind,
        MoveKind::Attack {
            defender: false,
            ..
        }
    );
    if fell && opposing.squares().last() == Some(&step.to) {
        *opposing = Chain::default();
    }
}

/// The chase that a player has going at the end of these moves.
fn chase(made: &[Made], chaser: Player) -> Chase {
    let mut chase = Chase::default();
    let mut moves = notes(made).peekable();
    if let Some(last) = moves.next_if(|last| last.mover == chaser) {
        if !last.threatens() {
            return chase;
        }
        chase.age = 1;
    }
    // Squares about which a later move has told already.
    let mut told = 0u128;
    while let (Some(answer), Some(threat)) = (moves.next(), moves.next()) {
        if threat.mover != chaser || !threat.threatens() || !answer.evades(threat) {
            break;
        }
        chase.age += 2;
        let [from, to] = [answer.step.from, answer.step.to].map(|s| u128::bit(usize::from(s)));
        if told & to == 0 {
            chase.evaders |= to;
        }
        told |= from | to;
    }
    chase
}
