//! Nim (Bouton 1901): any number is taken from one of several heaps.

#[cfg(not(test))]
pub mod entry;
pub(crate) mod theory;

use tabia_game::picture::{Body, Colour, Picture, Shade};
use tabia_game::text::{place, shortened};
use tabia_game::{Combinatorial, Player, TextError};

/// The most heaps of a position.
const MAX_HEAPS: usize = 64;
/// The largest heap; every smaller one may be the result of a move.
const MAX_HEAP: u16 = 10_000;

/// The rules.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::nim::Nim;
///
/// let heaps = Nim.parse_position("3,5,3").unwrap();
/// assert_eq!(Nim.position_text(&heaps), "3,3,5");
/// let mut moves = Vec::new();
/// Nim.moves(&heaps, Player::FIRST, &mut moves);
/// assert_eq!(moves.len(), 3 + 5, "heaps that are alike count once");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nim;

/// Heaps in ascending order, none of them empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heaps(Vec<u16>);

impl Heaps {
    /// These heaps; empty ones are left out.
    pub fn new(heaps: &[u16]) -> Result<Heaps, TextError> {
        let heaps: Vec<u16> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        if heaps.len() > MAX_HEAPS {
            return Err(TextError::new(format!(
                "there are {} heaps where at most {MAX_HEAPS} fit",
                heaps.len()
            )));
        }
        if let Some(heap) = heaps.iter().find(|&&heap| heap > MAX_HEAP) {
            return Err(TextError::new(format!(
                "a heap of {heap} is too large: the limit is {MAX_HEAP}"
            )));
        }
        let mut heaps = Heaps(heaps);
        heaps.0.sort_unstable();
        Ok(heaps)
    }

    /// One heap.
    pub(super) fn one(heap: u16) -> Heaps {
        Heaps(vec![heap])
    }

    /// The heaps in ascending order.
    pub fn sizes(&self) -> &[u16] {
        &self.0
    }

    /// The sizes that occur, each once.
    pub(super) fn kinds(&self) -> impl Iterator<Item = u16> {
        let first = |&i: &usize| i == 0 || self.0[i] != self.0[i - 1];
        (0..self.0.len()).filter(first).map(|i| self.0[i])
    }

    /// Puts other heaps in the place of one.
    pub(super) fn replace(&mut self, heap: u16, rest: [u16; 2]) {
        if let Some(place) = self.0.iter().position(|&other| other == heap) {
            self.0.remove(place);
        }
        for heap in rest.into_iter().filter(|&heap| heap > 0) {
            self.0
                .insert(self.0.partition_point(|&other| other < heap), heap);
        }
    }

    /// The heaps joined by commas; `0` if there is none.
    pub(super) fn write(&self) -> String {
        if self.0.is_empty() {
            return "0".to_string();
        }
        let heaps: Vec<String> = self.0.iter().map(u16::to_string).collect();
        heaps.join(",")
    }

    /// Reads heaps joined by commas, blanks or `+`.
    pub(super) fn read(text: &str) -> Result<Heaps, TextError> {
        let mut heaps = Vec::new();
        for word in text.split([',', '+', ' ']).filter(|word| !word.is_empty()) {
            heaps.push(word.parse().map_err(|_| {
                TextError::new(format!(
                    "{}: '{}' is no heap: heaps are numbers from 0 to {MAX_HEAP}, as in '3,5,7'",
                    place(text, word, |c| c.is_ascii_digit()),
                    shortened(word)
                ))
            })?);
        }
        if heaps.is_empty() {
            return Err(TextError::new("there is no heap; an empty one is '0'"));
        }
        Heaps::new(&heaps)
    }

    /// One line for each heap, as far as there is room, and its size before it.
    pub(super) fn picture(&self) -> Picture {
        const SHOWN: u16 = 40;
        let mut picture = Picture::default();
        let none = [0];
        let heaps = if self.0.is_empty() {
            &none[..]
        } else {
            &self.0
        };
        for (y, &heap) in heaps.iter().enumerate() {
            picture.label(-1.0, y as f32, heap.to_string());
            picture.cell(0.0, y as f32, Shade::Light);
            for x in 0..heap.min(SHOWN) {
                let place = (f32::from(x), y as f32);
                picture.piece(place, 'o', Colour::Black, Body::Disc);
            }
        }
        picture
    }
}

/// From a heap of one size to one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Take(u16, u16);

impl Combinatorial for Nim {
    type Position = Heaps;
    type Move = Take;

    fn is_impartial(&self, _: &Heaps) -> bool {
        true
    }

    fn moves(&self, position: &Heaps, _: Player, out: &mut Vec<Take>) {
        for heap in position.kinds() {
            out.extend((0..heap).map(|left| Take(heap, left)));
        }
    }

    #[inline]
    fn can_move(&self, position: &Heaps, _: Player) -> bool {
        !position.sizes().is_empty()
    }

    fn play(&self, position: &mut Heaps, _: Player, Take(heap, left): Take) {
        position.replace(heap, [left, 0]);
    }

    fn split(&self, position: &Heaps, out: &mut Vec<Heaps>) {
        out.extend(position.sizes().iter().map(|&heap| Heaps::one(heap)));
    }

    fn negative(&self, position: &Heaps) -> Heaps {
        position.clone()
    }

    fn position_text(&self, position: &Heaps) -> String {
        position.write()
    }

    fn parse_position(&self, text: &str) -> Result<Heaps, TextError> {
        Heaps::read(text)
    }

    fn position_help(&self) -> &'static str {
        "heaps joined by commas, e.g. '3,5,7'"
    }

    fn move_text(&self, _: &Heaps, _: Player, Take(heap, left): Take) -> String {
        format!("{heap}to{left}")
    }

    fn picture(&self, position: &Heaps, _: Option<Take>) -> Picture {
        position.picture()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Brute, conforms};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn conforms_to_the_contract() {
        for start in ["3,5,7", "1,1,1", "0", "111,11"] {
            conforms(&Nim, start);
        }
    }

    /// Bouton (1901): the player to move loses where the exclusive or of all heaps is zero.
    #[test]
    fn bouton_rule() {
        let mut game = Brute::new(Nim);
        for a in 0..7 {
            for b in 0..7 {
                for c in 0..7 {
                    let heaps = Heaps::new(&[a, b, c]).unwrap();
                    let expected = if a ^ b ^ c == 0 { 'P' } else { 'N' };
                    assert_eq!(
                        game.outcome(std::slice::from_ref(&heaps)),
                        expected,
                        "{heaps:?}"
                    );
                    game.check_outcome(&heaps);
                }
            }
        }
        for heaps in ["1,2,2,3", "2,3", "4", "0"] {
            game.check_value(&game.read(heaps));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9, +-]{0,12}|.{0,12}") {
            if let Ok(heaps) = Nim.parse_position(&text) {
                prop_assert_eq!(Nim.parse_position(&Nim.position_text(&heaps)), Ok(heaps));
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| Nim.parse_position(text).unwrap_err().to_string();
        assert!(error("3,x").contains("at character 3 ('x'): 'x' is no heap"));
        assert!(error("70000").contains("'70000' is no heap"));
        assert!(error("20000").contains("10000"));
        assert!(error("").contains("'0'"));
        assert!(error(&"1,".repeat(65)).contains("65 heaps"));
    }
}
