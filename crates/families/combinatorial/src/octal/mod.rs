//! Octal games (Guy and Smith 1956): taking and breaking heaps by the digits of a code.
//!
//! The digit at place k says what may be done when k are taken from a heap: 1 is added if they may
//! be the whole heap, 2 if one heap may be left, 4 if two may be left. The digit before the point
//! is 0 or 4, the latter where a heap may be broken without taking anything. Kayles, a row of pins
//! of which one or two neighbours fall, is .77.

#[cfg(not(test))]
pub mod entry;
pub(crate) mod theory;

use tabia_game::picture::Picture;
use tabia_game::text::shortened;
use tabia_game::{Combinatorial, Player, TextError};

use super::nim::Heaps;

/// The most digits of a code.
const MAX_DIGITS: usize = 64;

/// The rules of one code.
///
/// ```
/// use tabia_game::{Combinatorial, Player};
/// use tabia_combinatorial::octal::Octal;
///
/// let dawson = Octal::new(".137").unwrap();
/// let row = dawson.parse_position("5").unwrap();
/// let mut moves = Vec::new();
/// dawson.moves(&row, Player::FIRST, &mut moves);
/// let texts = moves.iter().map(|&mv| dawson.move_text(&row, Player::FIRST, mv));
/// assert_eq!(texts.collect::<Vec<_>>(), ["5to3", "5to2", "5to1+1"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Octal {
    /// By place, the one before the point first.
    digits: Vec<u8>,
}

/// From a heap of one size to two others, the larger one first, either of them possibly empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Break(u16, [u16; 2]);

impl Octal {
    /// The rules of a code such as `.137`, `0.77` or `4.007`.
    pub fn new(code: &str) -> Result<Octal, TextError> {
        let wrong = |why: String| {
            TextError::new(format!(
                "'{}' is no octal code: {why}; right would be '.137' or '4.007'",
                shortened(code)
            ))
        };
        let Some((before, after)) = code.trim().split_once('.') else {
            return Err(wrong("it has no point".to_string()));
        };
        let first = match before {
            "" | "0" => 0,
            "4" => 4,
            _ => {
                return Err(wrong(format!(
                    "'{before}' before the point is neither 0 nor 4"
                )));
            }
        };
        let mut digits = vec![first];
        for (place, character) in (1..).zip(after.chars()) {
            let digit = character.to_digit(8).ok_or_else(|| {
                wrong(format!(
                    "'{character}' at place {place} is no digit from 0 to 7"
                ))
            })?;
            digits.push(digit as u8);
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            return Err(wrong("no digit but 0".to_string()));
        }
        if digits.len() > MAX_DIGITS {
            return Err(wrong(format!("it has more than {MAX_DIGITS} digits")));
        }
        Ok(Octal { digits })
    }

    /// Kayles: one pin or two neighbours fall.
    pub fn kayles() -> Octal {
        Octal {
            digits: vec![0, 7, 7],
        }
    }

    /// The code.
    pub fn code(&self) -> String {
        let digits = self.digits[1..].iter().map(u8::to_string);
        let before = if self.digits[0] == 0 { "" } else { "4" };
        format!("{before}.{}", digits.collect::<String>())
    }

    /// Whether there is a move in a heap.
    fn is_alive(&self, heap: u16) -> bool {
        let heap = usize::from(heap);
        let places = self.digits.iter().enumerate().take(heap + 1);
        places.into_iter().any(|(taken, digit)| match heap - taken {
            0 => digit & 1 != 0,
            1 => digit & 2 != 0,
            _ => digit & 6 != 0,
        })
    }
}

impl Combinatorial for Octal {
    type Position = Heaps;
    type Move = Break;

    fn is_impartial(&self, _: &Heaps) -> bool {
        true
    }

    fn moves(&self, position: &Heaps, _: Player, out: &mut Vec<Break>) {
        for heap in position.kinds() {
            for (taken, digit) in (0..=heap).zip(&self.digits) {
                let left = heap - taken;
                if left == 0 {
                    out.extend((digit & 1 != 0).then_some(Break(heap, [0, 0])));
                    continue;
                }
                out.extend((digit & 2 != 0).then_some(Break(heap, [left, 0])));
                if digit & 4 != 0 {
                    out.extend((1..=left / 2).map(|less| Break(heap, [left - less, less])));
                }
            }
        }
    }

    fn can_move(&self, position: &Heaps, _: Player) -> bool {
        position.sizes().iter().any(|&heap| self.is_alive(heap))
    }

    fn play(&self, position: &mut Heaps, _: Player, Break(heap, rest): Break) {
        position.replace(heap, rest);
    }

    fn split(&self, position: &Heaps, out: &mut Vec<Heaps>) {
        let alive = position.sizes().iter().filter(|&&heap| self.is_alive(heap));
        out.extend(alive.map(|&heap| Heaps::one(heap)));
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
        "heaps joined by commas, e.g. '9' or '3,5,7'"
    }

    fn move_text(&self, _: &Heaps, _: Player, Break(heap, [more, less]): Break) -> String {
        match less {
            0 => format!("{heap}to{more}"),
            _ => format!("{heap}to{more}+{less}"),
        }
    }

    fn picture(&self, position: &Heaps, _: Option<Break>) -> Picture {
        position.picture()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Brute, conforms};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Values of heaps by their definition, each split into single heaps.
    fn nimbers(rules: &Octal, up_to: u16) -> Vec<usize> {
        let mut values: Vec<usize> = vec![0];
        for heap in 1..=up_to {
            let mut moves = Vec::new();
            rules.moves(&Heaps::one(heap), Player::FIRST, &mut moves);
            let reached: BTreeSet<usize> = moves
                .iter()
                .map(|&Break(_, [a, b])| values[usize::from(a)] ^ values[usize::from(b)])
                .collect();
            values.push((0..).find(|value| !reached.contains(value)).unwrap());
        }
        values
    }

    fn periodic(period: &[usize], exceptions: &[(usize, &[usize])], heap: usize) -> usize {
        let exception = exceptions.iter().find(|(_, heaps)| heaps.contains(&heap));
        exception.map_or(period[heap % period.len()], |&(value, _)| value)
    }

    #[test]
    fn conforms_to_the_contract() {
        conforms(&Octal::kayles(), "9,4,4");
        conforms(&Octal::new(".137").unwrap(), "12");
        conforms(&Octal::new("4.007").unwrap(), "11,2");
        conforms(&Octal::new(".4").unwrap(), "2,1");
    }

    /// Guy and Smith (1956): Kayles has period 12 after 70, with fourteen exceptions.
    #[test]
    fn guy_and_smith_kayles() {
        let period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
        let exceptions: [(usize, &[usize]); 6] = [
            (0, &[0]),
            (3, &[3, 6, 18, 39]),
            (4, &[9, 21, 57]),
            (5, &[28]),
            (6, &[11, 22, 34, 70]),
            (7, &[15]),
        ];
        let values = nimbers(&Octal::kayles(), 400);
        for (heap, &value) in values.iter().enumerate() {
            assert_eq!(value, periodic(&period, &exceptions, heap), "{heap} pins");
        }
    }

    /// Guy and Smith (1956): Dawson's Kayles, .137, has period 34 with seven exceptions.
    #[test]
    fn guy_and_smith_dawson() {
        let period = [
            8, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5, 5, 9, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0,
            4, 5, 3, 7, 4,
        ];
        let exceptions: [(usize, &[usize]); 2] = [(0, &[0, 14, 34]), (2, &[16, 17, 31, 51])];
        let values = nimbers(&Octal::new(".137").unwrap(), 400);
        for (heap, &value) in values.iter().enumerate() {
            assert_eq!(value, periodic(&period, &exceptions, heap), "{heap}");
        }
    }

    /// The moves of Kayles as rows of pins.
    #[test]
    fn kayles_moves_are_those_of_rows_of_pins() {
        for pins in 1..12u16 {
            let mut plain = BTreeSet::new();
            for falling in 1..=2.min(pins) {
                for before in 0..=pins - falling {
                    let after = pins - falling - before;
                    plain.insert([before.max(after), before.min(after)]);
                }
            }
            let mut moves = Vec::new();
            Octal::kayles().moves(&Heaps::one(pins), Player::FIRST, &mut moves);
            assert_eq!(moves.len(), plain.len());
            assert_eq!(moves.iter().map(|mv| mv.1).collect::<BTreeSet<_>>(), plain);
        }
    }

    #[test]
    fn positions_equal_the_sums_of_their_parts() {
        for code in [".77", ".137", "4.007", ".4", ".351", ".05"] {
            let mut game = Brute::new(Octal::new(code).unwrap());
            for text in (0..9).map(|n| n.to_string()) {
                game.check_value(&game.read(&text));
            }
            for text in ["1,2,3", "5,5", "7,2", "4,3,1,1", "6,5,2"] {
                game.check_outcome(&game.read(text));
            }
        }
    }

    proptest! {
        #[test]
        fn any_code_is_read_or_refused(code in "[0-8.]{0,9}|.{0,9}") {
            if let Ok(rules) = Octal::new(&code) {
                prop_assert_eq!(Octal::new(&rules.code()), Ok(rules));
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |code: &str| Octal::new(code).unwrap_err().to_string();
        assert!(error("137").contains("no point"));
        assert!(error(".198").contains("'9' at place 2"));
        assert!(error("1.3").contains("'1' before the point"));
        assert!(error("0.00").contains("no digit but 0"));
    }
}
