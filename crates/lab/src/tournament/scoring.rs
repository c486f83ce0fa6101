//! Points for the players of one game.
//!
//! A scheme is written as in tournament rules: `1-½-0` and `2-1-0` are the points of a win, a draw
//! and a loss. With `shared` those who did best share one win, as in the experiments with several
//! players of Schadd (2011, chapter 6); with `margin` the payoffs of the game are the points.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tabia_game::Payoff;

/// Points, exactly. Sums of products of them fit, whatever a file says: a game is worth at most
/// [`MAX_POINTS`] in thousandths, or a payoff of 32 bits, and tie-breaks multiply only twice.
pub type Points = Ratio<i128>;

/// The most points that a file can give for a game.
pub const MAX_POINTS: i128 = 1_000_000;

/// How the payoffs of a game become points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Points for a win, a draw and a loss.
    WinDrawLoss([Points; 3]),
    /// One point, shared by those with the highest payoff.
    Shared,
    /// The payoffs themselves.
    Margin,
}

/// A text that is no scoring scheme, or no number of points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoringError {
    /// No scheme.
    #[error(
        "'{0}' is no scoring; it is the points of a win, a draw and a loss such as 1-½-0 or 2-1-0, \
         or 'shared', or 'margin'"
    )]
    Scheme(String),
    /// A scheme by which one would rather not win.
    #[error(
        "the scoring '{0}' must not give more for a draw than for a win, nor for a loss than for a \
         draw, and a win must be worth more than a loss"
    )]
    Order(String),
    /// No points.
    #[error(
        "'{0}' is no number of points; it is a whole number up to {MAX_POINTS}, with ½ or up to \
         three decimals if need be"
    )]
    Points(String),
}

impl Scoring {
    /// A win counts one, a draw one half.
    pub fn classical() -> Scoring {
        Scoring::WinDrawLoss([Ratio::ONE, Ratio::new_raw(1, 2), Ratio::ZERO])
    }

    /// What a win is worth; by margin a win as such is worth nothing.
    pub fn win(&self) -> Points {
        match self {
            Scoring::WinDrawLoss([win, _, _]) => *win,
            Scoring::Shared => Ratio::ONE,
            Scoring::Margin => Ratio::ZERO,
        }
    }

    /// The points of all seats of a finished game. By win, draw and loss a game that several have
    /// done best in is a draw between them and lost by the others.
    pub fn points(&self, payoffs: &[Payoff]) -> Vec<Points> {
        let highest = payoffs.iter().max();
        let leaders = payoffs.iter().filter(|p| Some(*p) == highest).count() as i128;
        let points = |payoff: &Payoff| {
            let leads = Some(payoff) == highest;
            match self {
                Scoring::WinDrawLoss([_, _, loss]) if !leads => *loss,
                Scoring::WinDrawLoss([win, draw, _]) => {
                    if leaders == 1 {
                        *win
                    } else {
                        *draw
                    }
                }
                Scoring::Shared if leads => Ratio::new(1, leaders),
                Scoring::Shared => Ratio::ZERO,
                Scoring::Margin => Ratio::from_integer(i128::from(*payoff)),
            }
        };
        payoffs.iter().map(points).collect()
    }

    /// The points of a game that one seat has lost by a fault, such as an illegal move or a fallen
    /// flag. It gets a loss and the others win, as if they had done best together; by margin it
    /// loses the game's `largest` payoff, which the others share.
    pub fn forfeit(&self, seats: usize, at_fault: usize, largest: Payoff) -> Vec<Points> {
        let others = seats.saturating_sub(1).max(1) as i128;
        let largest = i128::from(largest);
        let payoffs: Vec<Payoff> = (0..seats).map(|s| Payoff::from(s != at_fault)).collect();
        let mut points = match self {
            Scoring::Margin => vec![Ratio::new(largest, others); seats],
            _ => self.points(&payoffs),
        };
        if let Some(own) = points.get_mut(at_fault) {
            *own = match self {
                Scoring::WinDrawLoss([_, _, loss]) => *loss,
                Scoring::Shared => Ratio::ZERO,
                Scoring::Margin => Ratio::from_integer(-largest),
            };
        }
        points
    }

    /// Whether a game of two can end with these points.
    pub fn allows(&self, points: [Points; 2]) -> bool {
        *self == Scoring::Margin || self.results().contains(&points)
    }

    /// The results that a game of two can have, for a message.
    pub(super) fn expected(&self) -> String {
        let show = |[a, b]: &[Points; 2]| format!("{}-{}", show_points(*a), show_points(*b));
        match self {
            Scoring::Margin => "two numbers such as 12:-12".to_string(),
            _ => self.results().each_ref().map(show).join(", "),
        }
    }

    fn results(&self) -> [[Points; 2]; 3] {
        [[1, 0], [0, 0], [0, 1]].map(|payoffs| {
            let points = self.points(&payoffs);
            [points[0], points[1]]
        })
    }
}

/// Reads `2`, `2.5`, `½` or `2½`.
pub fn parse_points(text: &str) -> Result<Points, ScoringError> {
    let wrong = || ScoringError::Points(text.to_string());
    let (text, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (whole, part) = match (text.strip_suffix('½'), text.split_once('.')) {
        (Some(whole), _) => (if whole.is_empty() { "0" } else { whole }, "5"),
        (None, Some((whole, part))) => (whole, part),
        (None, None) => (text, "0"),
    };
    let number = |digits: &str, most: usize| {
        let right =
            (1..=most).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        right
            .then(|| digits.parse::<i128>().ok())
            .flatten()
            .ok_or_else(wrong)
    };
    let points = Ratio::from_integer(number(whole, 7)?)
        + Ratio::new(number(part, 3)?, 10_i128.pow(part.len() as u32));
    if points > Ratio::from_integer(MAX_POINTS) {
        return Err(wrong());
    }
    Ok(if negative { -points } else { points })
}

/// Whole numbers plain, halves with `½`, anything else with three decimals.
pub fn show_points(points: Points) -> String {
    let sign = if points < Ratio::ZERO { "-" } else { "" };
    let size = if points < Ratio::ZERO {
        -points
    } else {
        points
    };
    match (size.to_integer(), *size.denom()) {
        (whole, 1) => format!("{sign}{whole}"),
        (0, 2) => format!("{sign}½"),
        (whole, 2) => format!("{sign}{whole}½"),
        _ => {
            let thousandths = (size * 1000).round().to_integer();
            format!("{sign}{}.{:03}", thousandths / 1000, thousandths % 1000)
        }
    }
}

/// Who did better: the first of two numbers of points, or the second, or neither.
pub(super) fn compare(points: [Points; 2]) -> Ordering {
    points[0].cmp(&points[1])
}

impl FromStr for Scoring {
    type Err = ScoringError;

    fn from_str(text: &str) -> Result<Scoring, ScoringError> {
        match text {
            "shared" => return Ok(Scoring::Shared),
            "margin" => return Ok(Scoring::Margin),
            _ => {}
        }
        let wrong = |_| ScoringError::Scheme(text.to_string());
        let parts: Vec<&str> = text.split('-').collect();
        let [win, draw, loss] = parts[..] else {
            return Err(ScoringError::Scheme(text.to_string()));
        };
        let [win, draw, loss] = [
            parse_points(win).map_err(wrong)?,
            parse_points(draw).map_err(wrong)?,
            parse_points(loss).map_err(wrong)?,
        ];
        if win < draw || draw < loss || win == loss {
            return Err(ScoringError::Order(text.to_string()));
        }
        Ok(Scoring::WinDrawLoss([win, draw, loss]))
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scoring::WinDrawLoss(points) => f.write_str(&points.map(show_points).join("-")),
            Scoring::Shared => f.write_str("shared"),
            Scoring::Margin => f.write_str("margin"),
        }
    }
}

impl Serialize for Scoring {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scoring {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scoring, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Points in files, as they are written by people.
pub(super) mod as_text {
    use super::*;

    pub(in crate::tournament) fn serialize<S: Serializer>(
        points: &Points,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&show_points(*points))
    }

    pub(in crate::tournament) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Points, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_points(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratios(parts: &[(i128, i128)]) -> Vec<Points> {
        parts.iter().map(|&(n, d)| Ratio::new(n, d)).collect()
    }

    #[test]
    fn schemes_are_read_and_written() {
        for (text, written) in [
            ("1-½-0", "1-½-0"),
            ("1-0.5-0", "1-½-0"),
            ("2-1-0", "2-1-0"),
            ("3-1-0", "3-1-0"),
            ("1-0.25-0", "1-0.250-0"),
            ("shared", "shared"),
            ("margin", "margin"),
        ] {
            let scoring: Scoring = text.parse().unwrap();
            assert_eq!(scoring.to_string(), written);
            assert_eq!(written.parse(), Ok(scoring));
        }
        assert_eq!("1-½-0".parse(), Ok(Scoring::classical()));
        for text in [
            "",
            "1",
            "1-0",
            "0-1-2",
            "1-1-1",
            "1-½-0-0",
            "2--1-0",
            "1-0-0.1234",
            "9999999-1-0",
        ] {
            assert!(text.parse::<Scoring>().is_err(), "{text}");
        }
    }

    #[test]
    fn points_of_games_of_two() {
        let draughts: Scoring = "2-1-0".parse().unwrap();
        assert_eq!(draughts.points(&[1, -1]), ratios(&[(2, 1), (0, 1)]));
        assert_eq!(draughts.points(&[0, 0]), ratios(&[(1, 1), (1, 1)]));
        assert_eq!(draughts.points(&[-3, 3]), ratios(&[(0, 1), (2, 1)]));
        assert_eq!(Scoring::Margin.points(&[-3, 3]), ratios(&[(-3, 1), (3, 1)]));
        assert!(draughts.allows([Ratio::from_integer(1); 2]));
        assert!(!draughts.allows([Ratio::from_integer(2); 2]));
    }

    #[test]
    fn several_players_share_a_win() {
        let points = Scoring::Shared.points(&[20, 20, 4, 20]);
        assert_eq!(points, ratios(&[(1, 3), (1, 3), (0, 1), (1, 3)]));
        let draw = Scoring::classical().points(&[7, 7, 1]);
        assert_eq!(draw, ratios(&[(1, 2), (1, 2), (0, 1)]));
        assert!(Scoring::Shared.points(&[]).is_empty());
    }

    #[test]
    fn a_fault_loses() {
        let forfeit = |scoring: &Scoring, seats, at| scoring.forfeit(seats, at, 12);
        assert_eq!(
            forfeit(&Scoring::classical(), 2, 0),
            ratios(&[(0, 1), (1, 1)])
        );
        assert_eq!(
            forfeit(&Scoring::Shared, 3, 1),
            ratios(&[(1, 2), (0, 1), (1, 2)])
        );
        assert_eq!(
            forfeit(&Scoring::Margin, 4, 3),
            ratios(&[(4, 1), (4, 1), (4, 1), (-12, 1)])
        );
        assert_eq!(forfeit(&Scoring::Shared, 1, 0), ratios(&[(0, 1)]));
        assert!(forfeit(&Scoring::Margin, 0, 0).is_empty());
    }

    #[test]
    fn points_are_shown() {
        let shown = |n, d| show_points(Ratio::new(n, d));
        assert_eq!(
            [
                shown(5, 2),
                shown(1, 2),
                shown(7, 1),
                shown(1, 3),
                shown(-3, 2),
                shown(-2, 3)
            ],
            ["2½", "½", "7", "0.333", "-1½", "-0.667"]
        );
    }

    proptest! {
        #[test]
        fn points_round_trip(thousandths in -1_000_000_000_i128..=1_000_000_000) {
            let points = Ratio::new(thousandths, 1000);
            prop_assert_eq!(parse_points(&show_points(points)), Ok(points));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}|[0-9½.-]{0,9}") {
            if let Ok(scoring) = text.parse::<Scoring>() {
                prop_assert_eq!(scoring.to_string().parse(), Ok(scoring));
            }
        }

        /// What is won is one whole win, however it is shared.
        #[test]
        fn shares_sum_to_one(payoffs in proptest::collection::vec(-3..3, 1..7)) {
            prop_assert_eq!(Scoring::Shared.points(&payoffs).iter().sum::<Points>(), Ratio::ONE);
        }
    }
}
