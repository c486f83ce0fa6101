//! How the armies are set up: after a printed figure, by name, or drawn at random within reason.

use rand::Rng;
use rand::seq::SliceRandom;
use tabia_game::{Player, Seed};

use super::board::{Board, near};
use super::pieces::{ARMY, Piece, Rank, Sight};

/// The ranks of the board that a side fills.
const ROWS: usize = 4;

/// The pieces of an army.
const PIECES: usize = 10 * ROWS;

/// How both armies stand at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setup {
    /// Drawn from this seed, each army for itself: the Flag at the back with Bombs around it, no
    /// Bomb, Miner or Spy in front.
    Random(u64),
    /// Figure 5.7 of Schadd (2011).
    Figure,
    /// The Flag in a corner.
    Corner,
    /// The Flag in the middle of the back rank.
    Centre,
    /// The Flag on one wing and most other Bombs on the other.
    Decoy,
}

/// The words for [`Setup::named`].
pub(super) const NAMES: &[&str] = &["random", "figure", "corner", "centre", "decoy"];

// Armies as their owner sees them, the foremost row first.
const CORNER: [&str; ROWS] = ["OLOPOCLOPO", "JOMLTGSJPL", "BTNCOBJOPN", "FBNTBNTNBB"];
const CENTRE: [&str; ROWS] = ["POLOGLOCOP", "OJTMPSJLTO", "NCBOBNLJBP", "TNOBFBNTNB"];
const DECOY: [&str; ROWS] = ["LOPOOJOLOC", "OTGPLMPOTJ", "BNOSCLTPBN", "NBNTJBNBFB"];
const FIGURE: [[&str; ROWS]; 2] = [
    ["OLTCOLJPLO", "PONOLOPGBO", "BTSMNBCTJP", "FBNJBTBNON"],
    ["PTJOPOOLOP", "OONBNLJPBC", "TBMSOTBGTL", "CNOLNBFBNJ"],
];

impl Setup {
    /// The set-up with this name; any other word draws one from the seed.
    pub fn named(name: &str, seed: u64) -> Setup {
        match name {
            "figure" => Setup::Figure,
            "corner" => Setup::Corner,
            "centre" => Setup::Centre,
            "decoy" => Setup::Decoy,
            _ => Setup::Random(seed),
        }
    }

    /// The board at the start.
    pub(super) fn board(self) -> Board {
        let mut board = Board::EMPTY;
        for player in [Player::FIRST, Player::SECOND] {
            for (place, rank) in self.army(player).into_iter().enumerate() {
                let piece = Piece {
                    owner: player,
                    rank: Some(rank),
                    sight: Sight::Hidden,
                };
                board.set(square(player, place), Some(piece));
            }
        }
        board
    }

    /// The pieces of a player from their left to their right, the back row first.
    fn army(self, player: Player) -> Vec<Rank> {
        let rows = match self {
            Setup::Figure => FIGURE[player.index() & 1],
            Setup::Corner => CORNER,
            Setup::Centre => CENTRE,
            Setup::Decoy => DECOY,
            Setup::Random(seed) => {
                let seed = Seed::new(seed).split("setup").number(u64::from(player.0));
                return draw(&mut seed.rng());
            }
        };
        let letters = rows.iter().rev().flat_map(|row| row.chars());
        letters.filter_map(Rank::of_letter).collect()
    }
}

/// Where a place of the army lies: that of the second player is turned round.
fn square(player: Player, place: usize) -> u8 {
    match player {
        Player::FIRST => place as u8,
        _ => 99 - place as u8,
    }
}

/// Draws an army, the back row first.
fn draw<R: Rng + ?Sized>(rng: &mut R) -> Vec<Rank> {
    let mut places = [None; PIECES];
    let mut left = ARMY;
    let mut put = |place: usize, rank: Rank, places: &mut [Option<Rank>; PIECES]| {
        places[place] = Some(rank);
        left[rank.index()] -= 1;
    };
    let mut back: Vec<usize> = (0..10).collect();
    back.shuffle(rng);
    let flag = back[0];
    put(flag, Rank::Flag, &mut places);
    let guarded = (0..PIECES).filter(|&place| near(flag as u8) >> place & 1 == 1);
    guarded.for_each(|place| put(place, Rank::Bomb, &mut places));
    let front = PIECES - 10;
    let shy = [Rank::Bomb, Rank::Miner, Rank::Spy];
    let (behind, rest): (Vec<Rank>, Vec<Rank>) = Rank::ALL
        .into_iter()
        .flat_map(|rank| std::iter::repeat_n(rank, usize::from(left[rank.index()])))
        .partition(|rank| shy.contains(rank));
    for (ranks, end) in [(behind, front), (rest, PIECES)] {
        let mut free: Vec<usize> = (0..end).filter(|&place| places[place].is_none()).collect();
        free.shuffle(rng);
        for (rank, place) in ranks.into_iter().zip(free) {
            places[place] = Some(rank);
        }
    }
    places.into_iter().flatten().collect()
}
