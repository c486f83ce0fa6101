//! Snort (Norton) and Col (Vout): the players colour cells of a map in turn (Berlekamp, Conway and
//! Guy 1982).
//!
//! In Snort neighbours may not have different colours, in Col they may not have the same. What has
//! been coloured matters only by what it forbids. So the parts of a position have no coloured
//! cells; a cell that only one player may still colour is reserved for that player. A cell bears on
//! its neighbour only if the same move could be forbidden there, which separates more than the map
//! does.

#[cfg(not(test))]
pub mod entry;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player};

use super::cells::{Cells, Set, closure};
use super::letters::{Alphabet, Square, text_of_cells};

/// Coloured cells are out of the game and belong to who has coloured them; reserved ones are in it.
const LETTERS: &Alphabet = &[
    ('.', Square::EMPTY),
    ('X', Square::LEFT_HOLE),
    ('O', Square::RIGHT_HOLE),
    ('x', Square::LEFT),
    ('o', Square::RIGHT),
    ('#', Square::HOLE),
];

/// The rules: which neighbours are forbidden.
///
/// ```
/// use tabia_game::Combinatorial;
/// use tabia_combinatorial::colouring::Colouring;
///
/// let snort = Colouring::Snort;
/// let mut parts = Vec::new();
/// snort.split(&snort.parse_position("..X.O..").unwrap(), &mut parts);
/// let texts: Vec<String> = parts.iter().map(|part| snort.position_text(part)).collect();
/// assert_eq!(texts, ["x.", "o."]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colouring {
    /// Neighbours may not have different colours.
    Snort,
    /// Neighbours may not have the same colour.
    Col,
}

/// This cell is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dab(u8);

impl Colouring {
    /// The player who may not colour the neighbours of a cell that `player` has coloured.
    #[inline]
    fn barred(self, player: Player) -> Player {
        match self {
            Colouring::Snort => player.other(),
            Colouring::Col => player,
        }
    }

    /// The cells that a player may colour.
    #[inline]
    fn allowed(self, position: &Cells, player: Player) -> Set {
        // Either rule bars the same player from both sides.
        let coloured = position.stones(self.barred(player)) & !position.open();
        let reserved = position.stones(player.other());
        position.open() & !reserved & !position.shape().beside(coloured)
    }
}

impl Combinatorial for Colouring {
    type Position = Cells;
    type Move = Dab;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Dab>) {
        out.extend(
            self.allowed(position, player)
                .iter()
                .map(|cell| Dab(cell as u8)),
        );
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !self.allowed(position, player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, player: Player, Dab(cell): Dab) {
        let cell = Set::bit(usize::from(cell));
        position.close(cell);
        position.put(player, cell);
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let shape = position.shape();
        let [left, right] = [Player::FIRST, Player::SECOND].map(|p| self.allowed(position, p));
        let [left_bars, right_bars] = match self {
            Colouring::Snort => [right, left],
            Colouring::Col => [left, right],
        };
        let reserved = Cells::of(shape, left | right, [left & !right, right & !left]);
        let mut rest = left | right;
        while !rest.is_empty() {
            let seed = rest & rest.wrapping_neg();
            let region = closure(seed, |set| {
                shape.beside(set & left) & left_bars | shape.beside(set & right) & right_bars
            });
            rest &= !region;
            out.push(reserved.part(region).least_image());
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.swapped().least_image()
    }

    text_of_cells!(
        LETTERS,
        "rows from the top, 'X' and 'O' coloured, 'x' and 'o' reserved for a player, '.' free and \
         '#' no cell, e.g. 'X..|..O'"
    );

    fn move_text(&self, position: &Cells, _: Player, Dab(cell): Dab) -> String {
        position.shape().name(usize::from(cell))
    }

    fn picture(&self, position: &Cells, last: Option<Dab>) -> Picture {
        let marks = last.map(|Dab(cell)| [usize::from(cell)]);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |cells| &cells[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Brute, Letters, STEPS, boards, conforms, random_boards};
    use super::*;

    const GAMES: [Colouring; 2] = [Colouring::Snort, Colouring::Col];

    fn plain(rules: Colouring, board: &Letters, player: Player) -> Vec<Letters> {
        let (own, reserved) = [('X', 'x'), ('O', 'o')][player.index()];
        let forbidden = match (rules, own) {
            (Colouring::Snort, 'X') | (Colouring::Col, 'O') => 'O',
            _ => 'X',
        };
        let may = |&(x, y): &(i32, i32)| {
            let free = matches!(board.at((x, y)), Some(c) if c == '.' || c == reserved);
            free && STEPS
                .iter()
                .all(|&(dx, dy)| board.at((x + dx, y + dy)) != Some(forbidden))
        };
        let places = board.places().into_iter().filter(may);
        places.map(|place| board.with(&[(place, own)])).collect()
    }

    #[test]
    fn conforms_to_the_contract() {
        for rules in GAMES {
            for start in ["....|....|....", "X..#.o..", "#"] {
                conforms(&rules, start);
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        for rules in GAMES {
            let game = Brute::new(rules);
            let large = [(16, 8), (128, 1), (1, 128), (5, 7), (64, 2)];
            let large = large
                .iter()
                .flat_map(|&(w, h)| random_boards(w, h, "XOxo....#", 30));
            for text in boards(3, 2, "XOxo.").into_iter().chain(large) {
                game.check_moves(&text, |board, player| plain(rules, board, player));
            }
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        for rules in GAMES {
            let mut game = Brute::new(rules);
            for text in boards(2, 2, "XOxo.#")
                .into_iter()
                .chain(boards(4, 1, "XOxo.#"))
            {
                game.check_value(&game.read(&text));
            }
            for text in boards(3, 2, "XOx.").into_iter().chain(boards(6, 1, "XO.")) {
                game.check_value(&game.read(&text));
            }
            for text in random_boards(4, 3, "XOxo....", 300) {
                game.check_outcome(&game.read(&text));
            }
            for text in random_boards(16, 8, "XO......#", 30) {
                game.check_form(&game.read(&text));
            }
        }
    }

    /// Berlekamp, Conway and Guy (1982): in both games one cell is a star; two cells are the switch
    /// of 1 and -1 in Snort and nothing in Col, where no position is hot.
    #[test]
    fn winning_ways_values() {
        let [mut snort, mut col] = GAMES.map(Brute::new);
        for game in [&mut snort, &mut col] {
            assert_eq!(game.outcome_of("."), 'N');
            assert_eq!(game.outcome_of(".+."), 'P');
            assert_eq!(game.outcome_of("x+o"), 'P');
            assert_eq!(game.outcome_of("x"), 'L');
        }
        assert_eq!(snort.outcome_of(".."), 'N');
        assert_eq!(
            snort.outcome_of("..+o"),
            'N',
            "a move in the switch is worth more than the one lost"
        );
        assert_eq!(snort.outcome_of("..+..+."), 'N');
        assert_eq!(snort.outcome_of("...+.."), 'N');
        assert_eq!(snort.outcome_of("...+..."), 'P');
        assert_eq!(col.outcome_of(".."), 'P');
        assert_eq!(col.outcome_of("x."), 'L');
        assert_eq!(col.outcome_of("x.+x.+o"), 'P', "a half");
    }
}
