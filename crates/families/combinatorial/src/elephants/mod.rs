//! Elephants, or Elephants and Rhinos (Albert, Nowakowski and Wolfe 2007): on a strip, Left's
//! stones step one cell to the right, Right's one cell to the left, onto empty cells.
//!
//! Nobody jumps, so the order of the stones never changes. A stone of Right's before one of Left's
//! walk away from each other, and the strip falls apart between them; where they have met, the
//! strip ends for both, and for those that queue up behind them.

#[cfg(not(test))]
pub mod entry;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player, TextError};

use super::cells::{Cells, Set, below, closure};
use super::letters::{Alphabet, Square};
use super::toads::{behind, strip};

const LETTERS: &Alphabet = &[
    ('.', Square::EMPTY),
    ('X', Square::LEFT),
    ('O', Square::RIGHT),
];

/// The rules.
///
/// ```
/// use tabia_game::Combinatorial;
/// use tabia_combinatorial::elephants::Elephants;
///
/// let mut parts = Vec::new();
/// Elephants.split(&Elephants.parse_position("X..O.X.XO").unwrap(), &mut parts);
/// let texts: Vec<String> = parts.iter().map(|part| Elephants.position_text(part)).collect();
/// assert_eq!(texts, ["X..O", "X."]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Elephants;

/// The stone on this cell takes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step(u8);

/// The cell before a stone of a player.
fn ahead(player: Player, cell: usize) -> usize {
    match player {
        Player::FIRST => cell + 1,
        _ => cell.saturating_sub(1),
    }
}

/// The stones of a player with an empty cell before them.
#[inline]
fn free(position: &Cells, player: Player) -> Set {
    position.stones(player) & behind(player, position.empty(), 1)
}

/// The stones that will never move: those that see no empty cell beyond their own kind.
fn stuck(position: &Cells) -> Set {
    let stuck = |player| {
        let stones = position.stones(player);
        stones
            & !closure(free(position, player), |set| {
                behind(player, set, 1) & stones
            })
    };
    stuck(Player::FIRST) | stuck(Player::SECOND)
}

impl Combinatorial for Elephants {
    type Position = Cells;
    type Move = Step;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Step>) {
        out.extend(free(position, player).iter().map(|cell| Step(cell as u8)));
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !free(position, player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, player: Player, Step(from): Step) {
        let from = usize::from(from);
        position.lift(Set::bit(from));
        position.put(player, Set::bit(ahead(player, from)));
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        let walls = stuck(position);
        let [left, right] = [Player::FIRST, Player::SECOND].map(|p| position.stones(p));
        // The cells before Left's first stone and behind Right's last are of use to nobody.
        let mut cut = |start: usize, end: usize| {
            let [left, right] = [left, right].map(|stones| stones & below(end) & !below(start));
            let start = if left.is_empty() { start } else { left.first() };
            let end = match right.leading_zeros() as usize {
                none if none == Set::WIDTH => end,
                zeros => Set::WIDTH - zeros,
            };
            if !(left | right).is_empty() {
                out.push(position.cut(start..end));
            }
        };
        let mut start = 0;
        for cell in 0..position.shape().len() {
            if walls.has(cell) {
                cut(start, cell);
                start = cell + 1;
            } else if left.has(cell) && !(right & below(cell) & !below(start)).is_empty() {
                cut(start, cell);
                start = cell;
            }
        }
        cut(start, position.shape().len());
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.swapped().turned_round()
    }

    fn position_text(&self, position: &Cells) -> String {
        position.write(LETTERS)
    }

    fn parse_position(&self, text: &str) -> Result<Cells, TextError> {
        strip(Cells::read(text, LETTERS)?)
    }

    fn position_help(&self) -> &'static str {
        "a strip in which 'X' goes right, 'O' left and '.' is empty, e.g. 'X..X.O'"
    }

    fn move_text(&self, position: &Cells, player: Player, Step(from): Step) -> String {
        let from = usize::from(from);
        let [from, to] = [from, ahead(player, from)].map(|cell| position.shape().name(cell));
        format!("{from}-{to}")
    }

    fn picture(&self, position: &Cells, last: Option<Step>) -> Picture {
        let marks = last.map(|Step(from)| [usize::from(from)]);
        position.picture(LETTERS, marks.as_ref().map_or(&[], |cells| &cells[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BOTH, Brute, Letters, boards, conforms, random_boards};
    use super::super::toads::Toads;
    use super::*;

    fn plain(board: &Letters, player: Player) -> Vec<Letters> {
        let (own, step) = [('X', 1), ('O', -1)][player.index()];
        let places = board
            .places()
            .into_iter()
            .map(|(x, y)| ((x, y), (x + step, y)));
        places
            .filter(|&(from, to)| board.at(from) == Some(own) && board.at(to) == Some('.'))
            .map(|(from, to)| board.with(&[(from, '.'), (to, own)]))
            .collect()
    }

    #[test]
    fn conforms_to_the_contract() {
        for start in ["X.X..O..XX.O", "X....", "O"] {
            conforms(&Elephants, start);
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(Elephants);
        for text in boards(7, 1, "XO.")
            .into_iter()
            .chain(random_boards(128, 1, "XO..", 50))
        {
            game.check_moves(&text, plain);
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        let mut game = Brute::new(Elephants);
        for text in (1..8).flat_map(|length| boards(length, 1, "XO.")) {
            game.check_value(&game.read(&text));
        }
        for text in random_boards(12, 1, "XO.", 300) {
            game.check_outcome(&game.read(&text));
        }
        for text in random_boards(128, 1, "XO.", 50) {
            game.check_form(&game.read(&text));
        }
    }

    /// Elephants are toads and frogs that never jump.
    #[test]
    fn outcomes_equal_those_of_toads_that_do_not_jump() {
        let (mut game, mut toads) = (Brute::new(Elephants), Brute::new(Toads));
        for text in boards(8, 1, "XO.") {
            let jumpless = toads.read(&format!("1,1,0,0:{text}"));
            assert_eq!(
                game.outcome(&[game.read(&text)]),
                toads.outcome(&[jumpless]),
                "{text}"
            );
        }
    }

    /// By hand: alone on a strip a stone has as many moves as cells before it; one empty cell
    /// between two is a star.
    #[test]
    fn short_strips() {
        let mut game = Brute::new(Elephants);
        assert_eq!(game.outcome_of("X...+..O+.O"), 'P');
        assert_eq!(game.outcome_of("X.O+X.O"), 'P');
        assert_eq!(game.outcome_of("X.O"), 'N');
        assert_eq!(game.outcome_of("X..O"), 'P');
        assert!(
            BOTH.iter()
                .all(|&p| !Elephants.can_move(&game.read("OXXO"), p))
        );
        assert!(Elephants.parse_position("X.|.O").is_err());
    }
}
