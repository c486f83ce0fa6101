//! Toppling Dominoes (Albert, Nowakowski and Wolfe 2007): a row of standing dominoes. A player
//! topples one of their own to the left or to the right, and it goes with all the dominoes on that
//! side.
//!
//! What is left of a row is a row, so nothing ever falls apart. A row may be read from either end.
//! An empty row is written `.`.

#[cfg(not(test))]
pub mod entry;

use tabia_game::bits::Bits;
use tabia_game::picture::Picture;
use tabia_game::{Combinatorial, Player, TextError};

use super::cells::{Cells, column_name};
use super::letters::{Alphabet, Square};
use super::toads::strip;

const LETTERS: &Alphabet = &[
    ('X', Square::LEFT),
    ('O', Square::RIGHT),
    ('#', Square::EITHER),
];
const EMPTY: &str = ".";

/// The rules.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::toppling_dominoes::TopplingDominoes;
///
/// let row = TopplingDominoes.parse_position("XO#").unwrap();
/// let mut moves = Vec::new();
/// TopplingDominoes.moves(&row, Player::SECOND, &mut moves);
/// let texts = moves.iter().map(|&mv| TopplingDominoes.move_text(&row, Player::SECOND, mv));
/// assert_eq!(texts.collect::<Vec<_>>(), ["b<", "b>", "c<", "c>"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TopplingDominoes;

/// This domino topples, to the left or to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Topple {
    domino: u8,
    right: bool,
}

impl Combinatorial for TopplingDominoes {
    type Position = Cells;
    type Move = Topple;

    fn moves(&self, position: &Cells, player: Player, out: &mut Vec<Topple>) {
        for domino in position.stones(player).iter() {
            let domino = domino as u8;
            out.extend([false, true].map(|right| Topple { domino, right }));
        }
    }

    #[inline]
    fn can_move(&self, position: &Cells, player: Player) -> bool {
        !position.stones(player).is_empty()
    }

    #[inline]
    fn play(&self, position: &mut Cells, _: Player, Topple { domino, right }: Topple) {
        let domino = usize::from(domino);
        *position = match right {
            true => position.cut(0..domino),
            false => position.cut(domino + 1..position.shape().len()),
        };
    }

    fn split(&self, position: &Cells, out: &mut Vec<Cells>) {
        if !position.shape().is_empty() {
            out.push(position.least_mirror());
        }
    }

    fn negative(&self, position: &Cells) -> Cells {
        position.swapped().least_mirror()
    }

    fn position_text(&self, position: &Cells) -> String {
        match position.shape().is_empty() {
            true => EMPTY.to_string(),
            false => position.write(LETTERS),
        }
    }

    fn parse_position(&self, text: &str) -> Result<Cells, TextError> {
        match text == EMPTY {
            true => Ok(Cells::read("X", LETTERS)?.cut(0..0)),
            false => strip(Cells::read(text, LETTERS)?),
        }
    }

    fn position_help(&self) -> &'static str {
        "a row in which 'X' is Left's, 'O' Right's and '#' a domino of both, e.g. 'XX#OX'; '.' has \
         none"
    }

    fn move_text(&self, _: &Cells, _: Player, Topple { domino, right }: Topple) -> String {
        let direction = if right { '>' } else { '<' };
        format!("{}{direction}", column_name(usize::from(domino)))
    }

    /// The dominoes that are left stand elsewhere than before the move, so nothing is marked.
    fn picture(&self, position: &Cells, _: Option<Topple>) -> Picture {
        position.picture(LETTERS, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BOTH, Brute, boards, conforms, random_boards};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn conforms_to_the_contract() {
        for start in ["XXO#OX#", "O", "#"] {
            conforms(&TopplingDominoes, start);
        }
    }

    /// Against strings: what lies before or behind an own letter.
    #[test]
    fn moves_are_those_of_the_plain_rules() {
        let game = Brute::new(TopplingDominoes);
        for text in boards(6, 1, "XO#")
            .into_iter()
            .chain(random_boards(128, 1, "XO#", 20))
        {
            let position = game.read(&text);
            for player in BOTH {
                let own = |&(_, c): &(usize, char)| c == '#' || c == ['X', 'O'][player.index()];
                let plain: Vec<&str> = text
                    .char_indices()
                    .filter(own)
                    .flat_map(|(i, _)| [&text[..i], &text[i + 1..]])
                    .map(|rest| if rest.is_empty() { "." } else { rest })
                    .collect();
                let options = game.options(&position, player);
                assert_eq!(options.len(), plain.len());
                let texts = options
                    .iter()
                    .map(|option| TopplingDominoes.position_text(option));
                let plain: BTreeSet<String> = plain.iter().map(|s| s.to_string()).collect();
                assert_eq!(texts.collect::<BTreeSet<_>>(), plain, "{text}");
            }
        }
    }

    #[test]
    fn positions_equal_their_mirror_images() {
        let mut game = Brute::new(TopplingDominoes);
        game.check_value(&game.read("."));
        for text in (1..6).flat_map(|length| boards(length, 1, "XO#")) {
            game.check_value(&game.read(&text));
        }
        for text in random_boards(10, 1, "XO#", 100) {
            game.check_outcome(&game.read(&text));
        }
    }

    /// Albert, Nowakowski and Wolfe (2007): n dominoes of one player are n moves, of both together
    /// a nimber; XO is a star.
    #[test]
    fn albert_small_values() {
        let mut game = Brute::new(TopplingDominoes);
        assert_eq!(game.outcome_of("XXX+OO+O"), 'P');
        assert_eq!(game.outcome_of("##+#"), 'N');
        assert_eq!(game.outcome_of("##+###+#"), 'P');
        assert_eq!(game.outcome_of("XO+XO"), 'P');
        assert_eq!(game.outcome_of("XO+#"), 'P');
        assert!(TopplingDominoes.parse_position("X.O").is_err());
    }
}
