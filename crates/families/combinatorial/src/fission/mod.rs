//! Fission: a stone splits in two, which go to the squares on opposite sides of it, if both are
//! empty. Left splits stones upright, Right across.
//!
//! Stones belong to nobody. Parts are the regions of squares, empty or not, that hang together by
//! their sides. Mirroring keeps upright what is upright; a turn by a right angle exchanges the
//! players.

#[cfg(not(test))]
pub mod entry;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player};

use super::cells::{Cells, Set, closure};
use super::letters::{Alphabet, Square, text_of_cells};

/// All stones are held as Left's.
const LETTERS: &Alphabet = &[
    ('.', Square::EMPTY),
    ('X', Square::LEFT),
    ('#', Square::HOLE),
];

/// The rules.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::fission::Fission;
///
/// let mut board = Fission.parse_position("...|.X.|...").unwrap();
/// let mut moves = Vec::new();
/// Fission.moves(&board, Player::FIRST, &mut moves);
/// Fission.play(&mut board, Player::FIRST, moves[0]);
/// assert_eq!(Fission.position_text(&board), ".X.|...|.X.");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fission;

/// The stone on this square splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Split(u8);

/// The stones that a player can split.
#[inline]
fn fissile(position: &Cells, player: Player) -> Set {
    let (shape, empty) = (position.shape(), position.empty());
    let between = match player {
        Player::FIRST => shape.above(empty) & shape.under(empty),
        _ => shape.left_of(empty) & shape.right_of(empty),
    };
    position.occupied() & between
}

impl Combinatorial for Fission {
    type Position = Cells;
    type Move = Split;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Split>) {
        out.extend(
            fissile(position, player)
                .iter()
                .map(|cell| Split(cell as u8)),
        );
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !fissile(position, player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, player: Player, Split(cell): Split) {
        let (shape, stone) = (position.shape(), Set::bit(usize::from(cell)));
        let halves = match player {
            Player::FIRST => shape.above(stone) | shape.under(stone),
            _ => shape.left_of(stone) | shape.right_of(stone),
        };
        position.lift(stone);
        position.put(Player::FIRST, halves);
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let mut rest = position.open();
        while !rest.is_empty() {
            let seed = rest & rest.wrapping_neg();
            let region = closure(seed, |set| position.shape().beside(set) & rest);
            rest &= !region;
            let alive = |player| !(fissile(position, player) & region).is_empty();
            if alive(Player::FIRST) || alive(Player::SECOND) {
                out.push(position.part(region).least_mirror());
            }
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.transposed().least_mirror()
    }

    text_of_cells!(
        LETTERS,
        "rows from the top, 'X' stones, '.' empty and '#' holes, e.g. '...|.X.|...'"
    );

    fn move_text(&self, position: &Cells, _: Player, Split(cell): Split) -> String {
        position.shape().name(usize::from(cell))
    }

    fn picture(&self, position: &Cells, last: Option<Split>) -> Picture {
        let marks = last.map(|Split(cell)| [usize::from(cell)]);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |cells| &cells[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Brute, Letters, boards, conforms, random_boards};
    use super::*;

    fn plain(board: &Letters, player: Player) -> Vec<Letters> {
        let (dx, dy) = if player == Player::FIRST {
            (0, 1)
        } else {
            (1, 0)
        };
        let mut out = Vec::new();
        for (x, y) in board.places() {
            let halves = [(x - dx, y - dy), (x + dx, y + dy)];
            let free = halves.iter().all(|&place| board.at(place) == Some('.'));
            if board.at((x, y)) == Some('X') && free {
                out.push(board.with(&[((x, y), '.'), (halves[0], 'X'), (halves[1], 'X')]));
            }
        }
        out
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in [".....|..X..|.#...|X....|.....", "..X....", "#"] {
            conforms(&Fission, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Fission);
        let large = [(16, 8), (128, 1), (1, 128), (5, 7), (64, 2)];
        let large = large
            .iter()
            .flat_map(|&(w, h)| random_boards(w, h, "X...#", 30));
        for text in boards(3, 3, "X.").into_iter().chain(large) {
            game.check_moves(&text, plain);
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(Fission);
        for (width, height) in [(1, 1), (7, 1), (1, 5), (3, 2), (3, 3)] {
            for text in boards(width, height, "X.#") {
                game.check_value(&game.read(&text));
            }
        }
        for text in random_boards(5, 4, "X..#", 500) {
            game.check_outcome(&game.read(&text));
        }
        for text in random_boards(16, 8, "X..##", 50) {
            game.check_form(&game.read(&text));
        }
    }

    /// By hand: the middle of three squares is one move, that of five two; from the middle of 3x3
    /// squares each player gives the other two moves.
    #[test]
    fn small_boards() {
        let mut game = Brute::new(Fission);
        assert_eq!(game.outcome_of(".X."), 'R');
        assert_eq!(game.outcome_of(".|X|.+.X."), 'P');
        assert_eq!(game.outcome_of("..X..+.|X|.+.|X|."), 'P');
        assert_eq!(game.outcome_of("...|.X.|..."), 'P');
    }
}
