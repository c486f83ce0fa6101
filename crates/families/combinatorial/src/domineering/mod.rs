//! Domineering (Andersson): Left puts dominoes upright, Right puts them across, on squares of any
//! board.
//!
//! Parts are the regions of empty squares that hang together by their sides. Mirroring keeps
//! upright what is upright; a turn by a right angle exchanges the players.

#[cfg(not(test))]
pub mod entry;
mod estate;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player};

use super::cells::{Cells, Set};
use super::letters::{Alphabet, Square, text_of_cells};

const LETTERS: &Alphabet = &[('.', Square::EMPTY), ('#', Square::HOLE)];

/// The rules.
///
/// ```
/// use tabia_game::Combinatorial;
/// use tabia_combinatorial::domineering::Domineering;
///
/// let board = Domineering.parse_position("..#|#..|..#").unwrap();
/// let mut parts = Vec::new();
/// Domineering.split(&board, &mut parts);
/// assert_eq!(parts.len(), 1, "the squares hang together");
/// assert_eq!(Domineering.position_text(&Domineering.negative(&board)), ".#.|...|#.#");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Domineering;

/// A domino: its upper or left square, and the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Domino(u8, u8);

impl Domino {
    #[inline]
    fn squares(self) -> [usize; 2] {
        [self.0, self.1].map(usize::from)
    }
}

/// The upper or left squares of all dominoes of a player.
#[inline]
fn dominoes(position: &Cells, player: Player) -> Set {
    let empty = position.open();
    match player {
        Player::FIRST => empty & position.shape().above(empty),
        _ => empty & position.shape().left_of(empty),
    }
}

impl Combinatorial for Domineering {
    type Position = Cells;
    type Move = Domino;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Domino>) {
        let step = match player {
            Player::FIRST => position.shape().width(),
            _ => 1,
        };
        let domino = |square: usize| Domino(square as u8, (square + step) as u8);
        out.extend(dominoes(position, player).iter().map(domino));
    }

    #[inline]
    fn mobility(&self, position: &Cells, player: Player) -> usize {
        dominoes(position, player).count_ones() as usize
    }

    fn bounds(&self, position: &Cells) -> Option<[i64; 2]> {
        Some(estate::bounds(position))
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !dominoes(position, player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, _: Player, domino: Domino) {
        let [first, second] = domino.squares();
        position.close(Set::bit(first) | Set::bit(second));
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let mut rest = position.open();
        while !rest.is_empty() {
            let seed = rest & rest.wrapping_neg();
            let region = position.shape().flood(seed, rest);
            rest &= !region;
            if region != seed {
                out.push(position.part(region).least_mirror());
            }
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.transposed().least_mirror()
    }

    text_of_cells!(
        LETTERS,
        "rows from the top, '.' empty and '#' taken, e.g. '...|.#.|...'"
    );

    fn move_text(&self, position: &Cells, _: Player, domino: Domino) -> String {
        let [first, second] = domino.squares().map(|square| position.shape().name(square));
        format!("{first}-{second}")
    }

    fn picture(&self, position: &Cells, last: Option<Domino>) -> Picture {
        let marks = last.map(Domino::squares);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |squares| &squares[..]))
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
        let places = board
            .places()
            .into_iter()
            .map(|(x, y)| [(x, y), (x + dx, y + dy)]);
        places
            .filter(|pair| pair.iter().all(|&place| board.at(place) == Some('.')))
            .map(|[one, other]| board.with(&[(one, '#'), (other, '#')]))
            .collect()
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in ["....|....|....|....", "..#...|.#....|......", "."] {
            conforms(&Domineering, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Domineering);
        let large = [(16, 8), (128, 1), (1, 128), (5, 7), (64, 2)];
        let large = large
            .iter()
            .flat_map(|&(w, h)| random_boards(w, h, "..#", 30));
        for text in boards(3, 3, ".#").into_iter().chain(large) {
            game.check_moves(&text, plain);
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(Domineering);
        for (width, height) in [(1, 1), (1, 4), (5, 1), (2, 3), (3, 3), (4, 3)] {
            for text in boards(width, height, ".#") {
                game.check_value(&game.read(&text));
            }
        }
        for text in random_boards(5, 5, ".#", 200) {
            game.check_outcome(&game.read(&text));
        }
        for text in random_boards(16, 8, ".#", 50) {
            game.check_form(&game.read(&text));
        }
    }

    /// Values of Berlekamp, Conway and Guy (1982), by comparison: a column of 2 is 1, a row -1, 2x2
    /// is the switch of 1 and -1, the corner of three squares is a star.
    #[test]
    fn small_values_of_winning_ways() {
        let mut game = Brute::new(Domineering);
        assert_eq!(game.outcome_of(".|."), 'L');
        assert_eq!(game.outcome_of(".|.+.."), 'P');
        assert_eq!(
            game.outcome_of(".|.|.+.."),
            'P',
            "a column of three is worth one move"
        );
        assert_eq!(
            game.outcome_of(".|.|.|.+..+.."),
            'P',
            "a column of four two"
        );
        assert_eq!(game.outcome_of("..|..+..|.."), 'P');
        assert_eq!(game.outcome_of("..|..+..+.|."), 'N');
        assert_eq!(game.outcome_of("..|.#+..|.#"), 'P', "star and star");
        assert_eq!(game.outcome_of("..|.#+.|."), 'L');
    }

    /// Outcomes of square boards (Breuker, Uiterwijk and van den Herik 2000): the 5x5 board is the
    /// smallest that the second player wins, apart from 1x1.
    #[test]
    fn breuker_outcomes_of_square_boards() {
        let mut game = Brute::new(Domineering);
        for (side, expected) in [(1, 'P'), (2, 'N'), (3, 'N'), (4, 'N'), (5, 'P')] {
            let board = Cells::new(side, side).unwrap();
            assert_eq!(game.outcome(&[board]), expected, "{side}x{side}");
        }
    }
}
