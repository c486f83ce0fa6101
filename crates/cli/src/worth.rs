//! What values mean in the units of a game: tricks, discs, equity, or a result.

use tabia_catalog::{Answer, AnyGame};
use tabia_game::{Player, Unit};

use crate::console::counted;

/// How the values of a game are told.
pub struct Worth {
    unit: Unit,
    most: f64,
    names: Vec<String>,
}

/// A value for the player to move, as a share of the largest payoff.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The share, where it is known.
    pub value: Option<f64>,
    /// Whether it is exact.
    pub solved: bool,
    /// Plies to the end, where a result is forced.
    pub plies: Option<u32>,
    /// Whether it is no payoff, but how far the player to move is ahead.
    pub is_margin: bool,
}

impl From<&Answer> for Share {
    fn from(answer: &Answer) -> Share {
        Share {
            value: answer.value,
            solved: answer.solved,
            plies: answer.plies,
            is_margin: answer.is_margin,
        }
    }
}

impl Worth {
    /// The units of a game.
    pub fn of(game: &dyn AnyGame) -> Worth {
        let traits = game.traits();
        let seats = (0..traits.players).map(|seat| Player(seat as u8));
        Worth {
            unit: game.unit(),
            most: f64::from(traits.max_payoff.max(1)),
            names: seats.map(|player| game.player_name(player)).collect(),
        }
    }

    /// What payoffs are counted in; nothing where games are only won, drawn or lost.
    pub fn unit(&self) -> Option<&'static str> {
        self.unit.name()
    }

    /// A share of the largest payoff as a payoff.
    pub fn payoff(&self, share: f64) -> f64 {
        let payoff = share * self.most;
        // A whole payoff that was divided and multiplied may have become something beside it.
        match payoff.round() {
            whole if (whole - payoff).abs() < 1e-6 => whole + 0.0,
            _ => payoff,
        }
    }

    /// Whether games are won, drawn and lost, and a payoff says no more.
    fn is_result(&self) -> bool {
        self.unit == Unit::Result && (self.most == 1.0 || self.names.len() == 2)
    }

    /// `win`, `draw` or `loss`, where that is what a proved value tells.
    pub fn outcome(&self, answer: &Answer) -> Option<&'static str> {
        let cancel_out = match &answer.values[..] {
            [one, other] => one + other == 0.0,
            _ => false,
        };
        let told = answer.solved && !answer.is_margin;
        let value = answer.value.filter(|_| told)?;
        (self.unit == Unit::Result || cancel_out).then(|| outcome(value))
    }

    /// What the player to move may expect, in words.
    pub fn text(&self, share: Share, mover: &str) -> String {
        let Some(value) = share.value else {
            return "not known".to_string();
        };
        if let Some(plies) = share.plies {
            let plies = counted(plies, "ply", "plies");
            return format!("{} in {plies} for {mover}", outcome(value));
        }
        if share.is_margin {
            return format!("{value:+.2} of the largest margin for {mover}");
        }
        if self.is_result() {
            return match share.solved {
                true if value == value.round() => format!("{} for {mover}", outcome(value)),
                true => format!("{value:+.4} for {mover}, exactly"),
                false => format!("{value:+.2} for {mover}"),
            };
        }
        let about = if share.solved { "" } else { "about " };
        format!("{about}{} for {mover}", self.amount(value))
    }

    /// What every player may expect; nothing where that is not known, or where two players get
    /// what the other does not.
    pub fn everybody(&self, values: &[f64]) -> Option<String> {
        let each = self.names.iter().zip(values);
        let each = each.map(|(name, &value)| format!("{name}: {}", self.amount(value)));
        (values.len() > 2).then(|| each.collect::<Vec<_>>().join(", "))
    }

    /// A value in few characters, for a row of several.
    pub fn short(&self, value: f64) -> String {
        match self.unit {
            Unit::Result => format!("{value:+.3}"),
            _ => format!("{:+.3}", self.payoff(value)),
        }
    }

    fn amount(&self, value: f64) -> String {
        let payoff = self.payoff(value);
        match self.unit {
            Unit::Result => format!("{} of {}", signed(payoff), self.most),
            unit => unit.amount(payoff),
        }
    }
}

/// With its sign and two decimal places at most.
fn signed(payoff: f64) -> String {
    match payoff == payoff.round() {
        true => format!("{payoff:+.0}"),
        false => format!("{payoff:+.2}"),
    }
}

fn outcome(value: f64) -> &'static str {
    if value > 0.0 {
        "win"
    } else if value < 0.0 {
        "loss"
    } else {
        "draw"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_catalog::open;

    fn worth(spec: &str) -> Worth {
        Worth::of(&*open(spec).expect("a game"))
    }

    fn share(value: f64, solved: bool) -> Share {
        Share {
            value: Some(value),
            solved,
            plies: None,
            is_margin: false,
        }
    }

    #[test]
    fn values_are_told_in_the_units_of_the_game() {
        let tricks = worth("spades:count=tricks,cards=5,open=on");
        let most = tricks.most;
        assert_eq!(tricks.text(share(2.0 / most, true), "A"), "2 tricks for A");
        assert_eq!(tricks.text(share(1.0 / most, true), "A"), "1 trick for A");
        assert_eq!(tricks.text(share(0.0, true), "A"), "0 tricks for A");
        assert_eq!(
            tricks.text(share(1.5 / most, false), "A"),
            "about 1.5 tricks for A"
        );
        let equity = worth("backgammon:gammons=off");
        let told = equity.text(share(0.0625, false), "White");
        assert_eq!(told, "about equity +0.062 for White");
        let three = worth("focus:3");
        assert_eq!(three.text(share(-0.5, true), "Red"), "-1 of 2 for Red");
        let plain = worth("tictactoe");
        assert_eq!(plain.text(share(0.0, true), "X"), "draw for X");
        assert_eq!(plain.text(share(0.25, false), "X"), "+0.25 for X");
    }

    #[test]
    fn everybody_is_told_of_where_there_are_more_than_two() {
        let three = worth("focus:3");
        let told = three.everybody(&[1.0, -0.5, -0.5]);
        assert_eq!(
            told.as_deref(),
            Some("Red: +2 of 2, Green: -1 of 2, Blue: -1 of 2")
        );
        assert_eq!(worth("tictactoe").everybody(&[1.0, -1.0]), None);
    }
}
