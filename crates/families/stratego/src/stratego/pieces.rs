//! The pieces, what an opponent knows of them, and what comes of a battle.

use std::cmp::Ordering;

use tabia_game::Player;

/// How many ranks there are.
pub(super) const RANKS: usize = 12;

/// The rank of a piece, the weakest first.
///
/// The order printed by Schadd (2011, section 5.5.1) has Colonel and Major exchanged; his own
/// values (table 5.1) and the rules of the game put the Colonel above the Major.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rank {
    /// Never moves; whoever loses it has lost.
    Flag,
    /// Never moves; destroys all attackers but Miners.
    Bomb,
    /// Defeats the Marshal if it attacks first.
    Spy,
    /// Moves and attacks over any distance in a straight line.
    Scout,
    /// Removes bombs.
    Miner,
    /// Rank 7.
    Sergeant,
    /// Rank 6.
    Lieutenant,
    /// Rank 5.
    Captain,
    /// Rank 4.
    Major,
    /// Rank 3.
    Colonel,
    /// Rank 2.
    General,
    /// Rank 1, the highest.
    Marshal,
}

impl Rank {
    /// All ranks, the weakest first.
    pub const ALL: [Rank; RANKS] = [
        Rank::Flag,
        Rank::Bomb,
        Rank::Spy,
        Rank::Scout,
        Rank::Miner,
        Rank::Sergeant,
        Rank::Lieutenant,
        Rank::Captain,
        Rank::Major,
        Rank::Colonel,
        Rank::General,
        Rank::Marshal,
    ];

    /// The rank as an index into arrays such as [`ARMY`].
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether pieces of this rank move at all.
    #[inline]
    pub fn is_mobile(self) -> bool {
        self > Rank::Bomb
    }

    /// The letter of a white piece.
    pub fn letter(self) -> char {
        LETTERS[self.index()]
    }

    /// The rank with this letter, upper or lower case.
    pub fn of_letter(letter: char) -> Option<Rank> {
        let letter = letter.to_ascii_uppercase();
        Rank::ALL.into_iter().find(|rank| rank.letter() == letter)
    }
}

/// A letter of each name: Major, Captain, Sergeant, Miner and Scout leave the first to another.
const LETTERS: [char; RANKS] = ['F', 'B', 'S', 'O', 'N', 'T', 'L', 'P', 'J', 'C', 'G', 'M'];

/// How many pieces of each rank a side begins with (Schadd 2011, figure 5.7).
pub const ARMY: [u8; RANKS] = [1, 6, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1];

/// What the opponent knows of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sight {
    /// Nothing: it has not moved.
    Hidden,
    /// That it moves, and so is neither a Bomb nor the Flag.
    Moved,
    /// Its rank.
    Known,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// What it is; `None` only in what a player sees, for a piece of the opponent's whose rank is
    /// not known.
    pub rank: Option<Rank>,
    /// What the opponent of its owner knows of it.
    pub sight: Sight,
}

/// What comes of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Battle {
    /// The defender is removed and the attacker takes its square.
    Won,
    /// The attacker is removed.
    Lost,
    /// Both are removed.
    Both,
}

/// What comes of an attack by one rank on another.
///
/// ```
/// use tabia_stratego::stratego::{Battle, Rank, battle};
/// assert_eq!(battle(Rank::Spy, Rank::Marshal), Battle::Won);
/// assert_eq!(battle(Rank::Marshal, Rank::Spy), Battle::Won);
/// assert_eq!(battle(Rank::General, Rank::Bomb), Battle::Lost);
/// ```
#[inline]
pub fn battle(attacker: Rank, defender: Rank) -> Battle {
    match (attacker, defender) {
        (Rank::Miner, Rank::Bomb) | (Rank::Spy, Rank::Marshal) => Battle::Won,
        (_, Rank::Bomb) => Battle::Lost,
        _ => match attacker.cmp(&defender) {
            Ordering::Greater => Battle::Won,
            Ordering::Equal => Battle::Both,
            Ordering::Less => Battle::Lost,
        },
    }
}
