//! Amazons (Zamkauskas 1988): a queen slides as in chess and then shoots an arrow that slides the
//! same way and blocks its square for ever.
//!
//! Nothing passes an arrow, so parts are the rooms of a position: regions of squares without arrows
//! that hang together by sides or corners (Tegos 2002, chapter 3). Rooms without a queen are worth
//! nothing; those with queens of one colour stay, since it is not always plain how many moves they
//! hold.

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player};

use crate::cells::{Cells, Set, Shape, closure};
use crate::letters::{Alphabet, Square, text_of_cells};

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
/// use tabia_combinatorial::amazons::combinatorial::Amazons;
///
/// let mut room = Amazons.parse_position("X.O").unwrap();
/// let mut moves = Vec::new();
/// Amazons.moves(&room, Player::FIRST, &mut moves);
/// assert_eq!(Amazons.move_text(&room, Player::FIRST, moves[0]), "a1-b1/a1");
/// Amazons.play(&mut room, Player::FIRST, moves[0]);
/// assert_eq!(Amazons.position_text(&room), "#XO");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Amazons;

/// From where to where a queen goes, and where its arrow comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shot {
    from: u8,
    to: u8,
    arrow: u8,
}

impl Shot {
    fn cells(self) -> [usize; 3] {
        [self.from, self.to, self.arrow].map(usize::from)
    }
}

/// Steps to the side and down.
const DIRECTIONS: [(isize, isize); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// Calls `visit` with every square that is reached from one by sliding over empty ones.
#[inline]
fn slide(shape: Shape, empty: Set, from: usize, mut visit: impl FnMut(usize)) {
    let (width, height) = (shape.width() as isize, shape.height() as isize);
    let (column, row) = shape.place(from);
    for (dx, dy) in DIRECTIONS {
        let room = |step: isize, place: usize, length: isize| match step {
            -1 => place as isize,
            0 => isize::MAX,
            _ => length - 1 - place as isize,
        };
        let steps = room(dx, column, width).min(room(dy, row, height));
        let stride = dy * width + dx;
        let mut to = from as isize;
        for _ in 0..steps {
            to += stride;
            if !empty.has(to as usize) {
                break;
            }
            visit(to as usize);
        }
    }
}

/// Positions that are looked at for a way to fill a room.
const EFFORT: u32 = 100;

/// How many moves a side with a room to itself can make at least. A move that cuts nothing off is
/// looked for, and again, until the room is full; few rooms cannot be filled (Tegos 2002, tables
/// A.1 to A.8).
fn filled(room: &Cells, player: Player) -> i64 {
    let (mut best, mut effort) = (0, EFFORT);
    fill(*room, player, 0, &mut best, &mut effort);
    best
}

/// Whether the room could be filled; the most moves found otherwise.
fn fill(room: Cells, player: Player, made: i64, best: &mut i64, effort: &mut u32) -> bool {
    let (shape, empty) = (room.shape(), room.empty());
    let left = empty.count();
    *best = made.max(*best);
    if left == 0 || *effort == 0 {
        return left == 0;
    }
    *effort -= 1;
    let mut moves = Vec::new();
    Amazons.moves(&room, player, &mut moves);
    // Squares with few neighbours are the first to be cut off.
    let neighbours = |shot: &Shot| {
        let arrow = Set::bit(usize::from(shot.arrow));
        (shape.around(arrow) & (empty | Set::bit(usize::from(shot.from)))).count()
    };
    moves.sort_by_cached_key(neighbours);
    for shot in moves {
        let mut next = room;
        Amazons.play(&mut next, player, shot);
        let within = closure(next.stones(player), |set| shape.around(set) & next.open());
        // Moves that cut squares off are not followed.
        if (within & next.empty()).count() + 1 == left && fill(next, player, made + 1, best, effort)
        {
            return true;
        }
    }
    if made == *best && left > 0 && Amazons.can_move(&room, player) {
        *best = made + 1;
    }
    false
}

impl Amazons {
    /// The usual start on ten by ten squares; Left's queens stand below.
    pub fn start() -> Cells {
        const SIDE: usize = 10;
        let shape = Shape::new(SIDE, SIDE).expect("a hundred cells fit");
        let at = |places: [(usize, usize); 4]| {
            let cells = places.map(|(column, row)| Set::bit(row * SIDE + column));
            cells.into_iter().fold(0, |set, cell| set | cell)
        };
        let left = at([(0, 6), (3, 9), (6, 9), (9, 6)]);
        let right = at([(0, 3), (3, 0), (6, 0), (9, 3)]);
        Cells::of(shape, shape.full(), [left, right])
    }
}

impl Combinatorial for Amazons {
    type Position = Cells;
    type Move = Shot;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Shot>) {
        let (shape, empty) = (position.shape(), position.empty());
        for from in position.stones(player).iter() {
            let vacated = empty | Set::bit(from);
            slide(shape, empty, from, |to| {
                slide(shape, vacated, to, |arrow| {
                    let [from, to, arrow] = [from, to, arrow].map(|cell| cell as u8);
                    out.push(Shot { from, to, arrow });
                });
            });
        }
    }

    /// Every move takes a square. With queens of one side alone it makes as many moves as are found
    /// here.
    fn bounds(&self, position: &Cells) -> Option<[i64; 2]> {
        let squares = position.empty().count() as i64;
        let has = |player| !position.stones(player).is_empty();
        Some(match (has(Player::FIRST), has(Player::SECOND)) {
            (true, true) => [-squares, squares],
            (true, false) => [filled(position, Player::FIRST), squares],
            (false, true) => [-squares, -filled(position, Player::SECOND)],
            (false, false) => [0, 0],
        })
    }

    /// A queen that can go one step can shoot at the square that it came from.
    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !(position.shape().around(position.stones(player)) & position.empty()).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, player: Player, shot: Shot) {
        let [from, to, arrow] = shot.cells().map(Set::bit);
        position.lift(from);
        position.put(player, to);
        position.close(arrow);
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let shape = position.shape();
        let (queens, empty) = (position.occupied(), position.empty());
        let mut rest = queens;
        while !rest.is_empty() {
            let seed = rest & rest.wrapping_neg();
            let room = closure(seed, |set| shape.around(set) & position.open());
            rest &= !room;
            if !(room & empty).is_empty() {
                out.push(position.part(room).least_image());
            }
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.swapped().least_image()
    }

    text_of_cells!(
        LETTERS,
        "rows from the top, 'X' and 'O' queens, '#' arrows and '.' empty, e.g. 'X..|.#.|..O'"
    );

    fn move_text(&self, position: &Cells, _: Player, shot: Shot) -> String {
        let [from, to, arrow] = shot.cells().map(|cell| position.shape().name(cell));
        format!("{from}-{to}/{arrow}")
    }

    fn picture(&self, position: &Cells, last: Option<Shot>) -> Picture {
        let marks = last.map(Shot::cells);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |cells| &cells[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Brute, Letters, boards, conforms, random_boards};
    use tabia_game::{Game, LastMover, perft};

    /// The squares in sight of a place, by coordinates.
    fn in_sight(board: &Letters, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut out = Vec::new();
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let mut place = (x + dx, y + dy);
            while (dx, dy) != (0, 0) && board.at(place) == Some('.') {
                out.push(place);
                place = (place.0 + dx, place.1 + dy);
            }
        }
        out
    }

    fn plain(board: &Letters, player: Player) -> Vec<Letters> {
        let own = ['X', 'O'][player.index()];
        let mut out = Vec::new();
        for from in board
            .places()
            .into_iter()
            .filter(|&place| board.at(place) == Some(own))
        {
            for to in in_sight(board, from) {
                let moved = board.with(&[(from, '.'), (to, own)]);
                let shots = in_sight(&moved, to).into_iter();
                out.extend(shots.map(|arrow| moved.with(&[(arrow, '#')])));
            }
        }
        out
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in ["X..|.#.|..O", "X...#..O", "O"] {
            conforms(&Amazons, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Amazons);
        let large = [(16, 8), (128, 1), (1, 128), (5, 7), (64, 2)];
        let large = large
            .iter()
            .flat_map(|&(w, h)| random_boards(w, h, "XO......##", 15));
        for text in boards(3, 2, "XO.#").into_iter().chain(large) {
            game.check_form(&game.read(&text));
            game.check_moves(&text, plain);
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(Amazons);
        for (width, height) in [(1, 1), (5, 1), (3, 2)] {
            for text in boards(width, height, "XO.#") {
                game.check_value(&game.read(&text));
            }
        }
        for text in random_boards(4, 3, "XO..###", 300) {
            game.check_outcome(&game.read(&text));
        }
    }

    /// Tegos (2002): 2176 first moves; and after two moves 4,307,152 positions, counted with
    /// repetition.
    #[test]
    fn perft_of_the_start() {
        let game = LastMover::new(Amazons, Amazons::start());
        assert_eq!(perft(&game, &game.start(), 1), 2_176);
        assert_eq!(perft(&game, &game.start(), 2), 4_307_152);
    }

    /// A queen alone in a strip has one move for every empty square; two queens with one square
    /// between them are a star.
    #[test]
    fn small_rooms() {
        let mut game = Brute::new(Amazons);
        assert_eq!(game.outcome_of("X..+.O.+X.#O."), 'P');
        assert_eq!(game.outcome_of("X.O+X.O"), 'P');
        assert_eq!(game.outcome_of("X.O"), 'N');
    }
}
