//! NoGo, or Anti-Atari Go (Sneddon 2005; Chou, Teytaud and Yen 2011): stones are placed as in Go,
//! but neither capture nor suicide is legal.
//!
//! No block ever loses its last liberty, so stones stay. A point matters to another one only if
//! they are neighbours or liberties of the same block. Parts are therefore what hangs together by
//! sides once the border between stones of different colours is cut; every block lies in one part
//! with all its liberties.

#[cfg(not(test))]
pub mod entry;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player, TextError};

use super::cells::{Cells, Set, closure};
use super::letters::{Alphabet, Square};

const LETTERS: &Alphabet = &[
    ('.', Square::EMPTY),
    ('X', Square::LEFT),
    ('O', Square::RIGHT),
    ('#', Square::HOLE),
];

/// The rules.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::nogo::NoGo;
///
/// let board = NoGo.parse_position("X.O.").unwrap();
/// // b1 and d1 would capture or be without a liberty.
/// assert!(!NoGo.can_move(&board, Player::FIRST));
/// assert!(NoGo.parse_position("XO.").is_err(), "the stone in the corner has no liberty");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoGo;

/// A stone is placed on this point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

/// Calls `visit` with every block of these stones and its liberties.
#[inline]
fn blocks(position: &Cells, stones: Set, mut visit: impl FnMut(Set, Set)) {
    let (shape, empty) = (position.shape(), position.empty());
    let mut rest = stones;
    while !rest.is_empty() {
        let seed = rest & rest.wrapping_neg();
        let block = shape.flood(seed, rest);
        rest &= !block;
        visit(block, shape.beside(block) & empty);
    }
}

/// The points on which a player may place a stone.
#[inline]
fn legal(position: &Cells, player: Player) -> Set {
    let empty = position.empty();
    // A stone breathes by itself next to an empty point, and by a block that keeps a liberty.
    let mut breathing = position.shape().beside(empty);
    blocks(position, position.stones(player), |_, liberties| {
        if !liberties.without_first().is_empty() {
            breathing |= liberties;
        }
    });
    let mut captures = 0;
    blocks(position, position.stones(player.other()), |_, liberties| {
        if liberties.without_first().is_empty() {
            captures |= liberties;
        }
    });
    empty & breathing & !captures
}

/// The moves that a player is sure of, and the most that the player can make.
///
/// What is illegal stays so, since blocks only lose liberties, or grow by the very point. So nobody
/// makes more moves than there are legal points now. A *private* point has stones of one player all
/// around: the other can never play there. Where blocks hang together by private points the player
/// can fill all of these but the last, farthest from it first, and the last one, too, only if there
/// is another liberty.
fn sure_and_most(position: &Cells, player: Player) -> [i64; 2] {
    let (shape, empty, stones) = (position.shape(), position.empty(), position.stones(player));
    let private = empty & !shape.beside(position.open() & !stones) & shape.beside(stones);
    let mut rest = private;
    let mut most = legal(position, player).count_ones() as i64;
    let mut sure = 0;
    while !rest.is_empty() {
        let seed = rest & rest.wrapping_neg();
        let cluster = shape.flood(seed, stones | private);
        let points = (cluster & private).count_ones() as i64;
        rest &= !cluster;
        sure += points - 1;
        let others = shape.beside(cluster & stones) & empty & !private;
        most -= i64::from(points > 1 && others.is_empty());
    }
    [sure, most]
}

impl Combinatorial for NoGo {
    type Position = Cells;
    type Move = Point;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Point>) {
        out.extend(legal(position, player).iter().map(|cell| Point(cell as u8)));
    }

    #[inline]
    fn mobility(&self, position: &Cells, player: Player) -> usize {
        legal(position, player).count_ones() as usize
    }

    fn bounds(&self, position: &Cells) -> Option<[i64; 2]> {
        let [left, right] = [Player::FIRST, Player::SECOND].map(|p| sure_and_most(position, p));
        Some([left[0] - right[1], left[1] - right[0]])
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        // Beside an empty point and away from the enemy a stone does no harm, which needs no look
        // at blocks.
        let (shape, empty) = (position.shape(), position.empty());
        let far = !shape.beside(position.stones(player.other()));
        !(empty & shape.beside(empty) & far).is_empty() || !legal(position, player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, player: Player, Point(cell): Point) {
        position.put(player, Set::bit(usize::from(cell)));
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let shape = position.shape();
        let [left, right] = [Player::FIRST, Player::SECOND].map(|p| position.stones(p));
        let mut rest = position.empty();
        while !rest.is_empty() {
            let seed = rest & rest.wrapping_neg();
            let region = closure(seed, |set| {
                let stones = shape.beside(set & left) & !right | shape.beside(set & right) & !left;
                (shape.beside(set & position.empty()) | stones) & position.open()
            });
            rest &= !region;
            let part = position.part(region).least_image();
            if self.can_move(&part, Player::FIRST) || self.can_move(&part, Player::SECOND) {
                out.push(part);
            }
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.swapped().least_image()
    }

    fn position_text(&self, position: &Cells) -> String {
        position.write(LETTERS)
    }

    fn parse_position(&self, text: &str) -> Result<Cells, TextError> {
        let position = Cells::read(text, LETTERS)?;
        let mut dead = 0;
        for player in [Player::FIRST, Player::SECOND] {
            blocks(&position, position.stones(player), |block, liberties| {
                if liberties.is_empty() {
                    dead |= block;
                }
            });
        }
        if dead.is_empty() {
            return Ok(position);
        }
        Err(TextError::new(format!(
            "the stone on {} belongs to a block without an empty point beside it",
            position.shape().name(dead.first())
        )))
    }

    fn position_help(&self) -> &'static str {
        "rows from the top, 'X' and 'O' stones, '.' empty and '#' no point, e.g. 'X..|...|.O.'"
    }

    fn move_text(&self, position: &Cells, _: Player, Point(cell): Point) -> String {
        position.shape().name(usize::from(cell))
    }

    fn picture(&self, position: &Cells, last: Option<Point>) -> Picture {
        let marks = last.map(|Point(cell)| [usize::from(cell)]);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |cells| &cells[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Brute, Letters, STEPS, boards, conforms, random_boards};
    use super::*;
    use std::collections::BTreeSet;

    /// Whether every block of a board has a liberty.
    fn all_breathe(board: &Letters) -> bool {
        board.places().into_iter().all(|place| {
            let Some(colour @ ('X' | 'O')) = board.at(place) else {
                return true;
            };
            let (mut seen, mut todo) = (BTreeSet::from([place]), vec![place]);
            while let Some((x, y)) = todo.pop() {
                for (dx, dy) in STEPS {
                    let next = (x + dx, y + dy);
                    match board.at(next) {
                        Some('.') => return true,
                        Some(c) if c == colour && seen.insert(next) => todo.push(next),
                        _ => {}
                    }
                }
            }
            false
        })
    }

    fn plain(board: &Letters, player: Player) -> Vec<Letters> {
        let places = board.places().into_iter();
        places
            .filter(|&place| board.at(place) == Some('.'))
            .map(|place| board.with(&[(place, ['X', 'O'][player.index()])]))
            .filter(all_breathe)
            .collect()
    }

    fn legal_boards(boards: Vec<String>) -> Vec<String> {
        let breathes = |text: &String| all_breathe(&Letters::read(text));
        boards.into_iter().filter(breathes).collect()
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in ["....|....|....", "X...#.O.", "."] {
            conforms(&NoGo, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(NoGo);
        let large = [(16, 8), (128, 1), (5, 7), (64, 2)];
        let large = large
            .iter()
            .flat_map(|&(w, h)| random_boards(w, h, "XO.....#", 200));
        let all = boards(3, 3, "XO.")
            .into_iter()
            .chain(boards(3, 2, "XO.#"))
            .chain(large);
        for text in all {
            match all_breathe(&Letters::read(&text)) {
                true => game.check_moves(&text, plain),
                false => assert!(NoGo.parse_position(&text).is_err(), "{text}"),
            }
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(NoGo);
        for (width, height) in [(1, 1), (6, 1), (3, 2), (2, 3)] {
            for text in legal_boards(boards(width, height, "XO.#")) {
                game.check_value(&game.read(&text));
            }
        }
        let more = boards(3, 3, "XO.").into_iter().chain(boards(9, 1, "XO."));
        let more = more.chain(random_boards(4, 4, "XO..#", 3000)).collect();
        let mut several = 0;
        for text in legal_boards(more) {
            let position = game.read(&text);
            game.check_outcome(&position);
            several += usize::from(game.split(&position).len() > 1);
        }
        assert!(several > 100, "{several} positions have several parts");
        for text in legal_boards(random_boards(16, 8, "XO......", 50)) {
            game.check_form(&game.read(&text));
        }
    }

    /// By hand: nothing can be placed on a single point; on two points the first stone is the last;
    /// on three points the middle one leaves its owner a second move and the opponent none.
    #[test]
    fn short_strips() {
        let mut game = Brute::new(NoGo);
        assert_eq!(game.outcome_of("."), 'P');
        assert_eq!(game.outcome_of(".."), 'N');
        assert_eq!(game.outcome_of("..+.."), 'P');
        assert_eq!(game.outcome_of("..."), 'N');
        assert_eq!(game.outcome_of(".X."), 'L');
        assert_eq!(game.outcome_of(".X.+.O."), 'P');
        assert_eq!(game.outcome_of("X.+.X"), 'P', "nobody can move");
    }
}
