//! What a position is worth with the cube and in a match, given what may happen without them.
//!
//! Between a cube that nobody will turn again (*dead*) and one that is always turned at the right
//! moment (*live*) values lie a constant share of the way (Janowski 1993). With a live cube a
//! player cashes where the opponent may just as well drop, and between such points the value is a
//! straight line. One form serves money and matches: only what points are worth differs.

use tabia_game::Player;

use super::evaluation::Chances;
use super::rules::MAX_LENGTH;
use super::{Backgammon, MAX_DOUBLES, State};

/// How much of a live cube there is in a real one.
const EFFICIENCY: f64 = 0.68;

/// A position before a roll with what may happen, as the player on roll sees it.
pub struct Prospect<'a> {
    game: &'a Backgammon,
    state: &'a State,
    chances: Chances,
}

impl<'a> Prospect<'a> {
    /// A position before the roll, and what the player on roll may expect of its board.
    pub fn new(game: &'a Backgammon, state: &'a State, chances: Chances) -> Prospect<'a> {
        Prospect {
            game,
            state,
            chances,
        }
    }

    /// What points are worth to the player on roll who wins them (or loses them, if negative), as a
    /// share of the largest payoff.
    fn worth(&self, points: i32) -> f64 {
        let length = i32::from(self.game.rules().length);
        if length == 0 {
            return f64::from(points) / f64::from(tabia_game::Game::max_payoff(self.game));
        }
        let mover = self.state.mover();
        let mut score = [mover, mover.other()].map(|p| i32::from(self.state.score()[p.index()]));
        let winner = usize::from(points < 0);
        score[winner] += points.abs();
        let away = score.map(|points| (length - points).max(0));
        let crawford_over = self.state.score().contains(&(length as u8 - 1));
        2.0 * match_chance(away, crawford_over) - 1.0
    }

    /// The mean worth of a win and of a loss with the cube at this value.
    fn ends(&self, cube: i32) -> (f64, f64) {
        let rules = self.game.rules();
        let counted = rules.gammons && (cube > 1 || !rules.jacoby);
        let mean = |all: f32, gammon: f32, backgammon: f32, sign: i32| {
            let single = self.worth(sign * cube);
            if !counted || all <= 0.0 {
                return single;
            }
            let share = |part: f32| f64::from((part / all).clamp(0.0, 1.0));
            let (gammon, backgammon) = (share(gammon), share(backgammon));
            single * (1.0 - gammon)
                + self.worth(sign * 2 * cube) * (gammon - backgammon)
                + self.worth(sign * 3 * cube) * backgammon
        };
        let c = self.chances;
        (
            mean(c.win, c.win_gammon, c.win_backgammon, 1),
            mean(1.0 - c.win, c.lose_gammon, c.lose_backgammon, -1),
        )
    }

    /// The chance to win from which on the player with this sign (1: on roll) may take a double
    /// from `cube` to twice as much, if it is then always turned at the right moment.
    fn take_point(&self, sign: i32, cube: i32) -> f64 {
        let (win, lose) = self.ends(2 * cube);
        let seen = |worth: f64| f64::from(sign) * worth;
        let (win, lose) = if sign > 0 {
            (win, lose)
        } else {
            (seen(lose), seen(win))
        };
        let drop = seen(self.worth(-sign * cube));
        let cash = seen(self.worth(sign * 2 * cube));
        if self.game.rules().length == 0 {
            // The same again at every height of the cube: the equation solved for its own answer.
            let unit = seen(self.worth(sign * 2 * cube));
            let (won, lost) = (win / unit, -lose / unit);
            return ((lost - 0.5) / (won + lost + 0.5)).clamp(0.0, 1.0);
        }
        let own = if sign > 0 {
            self.state.mover()
        } else {
            self.state.mover().other()
        };
        let needed =
            i32::from(self.game.rules().length) - i32::from(self.state.score()[own.index()]);
        // A cube that wins the match is not turned again.
        let (best, at) = if 2 * cube >= needed || 2 * cube >= 1 << MAX_DOUBLES {
            (win, 1.0)
        } else {
            (cash, 1.0 - self.take_point(-sign, 2 * cube))
        };
        if best <= lose {
            return 1.0;
        }
        (at * (drop - lose) / (best - lose)).clamp(0.0, 1.0)
    }

    /// The value with the cube at `cube` in the hands of `owner`; nobody's hands are both.
    fn value_with(&self, cube: i32, owner: Option<Player>) -> f64 {
        let (win, lose) = self.ends(cube);
        let chance = f64::from(self.chances.win);
        let dead = lose + chance * (win - lose);
        let usable = self.game.rules().cube && !self.state.is_crawford() && cube < 1 << MAX_DOUBLES;
        if !usable {
            return dead;
        }
        let mover = self.state.mover();
        let mut points = vec![(0.0, lose)];
        if owner != Some(mover) {
            // The opponent cashes here.
            points.push((self.take_point(1, cube), self.worth(-cube)));
        }
        if owner != Some(mover.other()) {
            points.push((1.0 - self.take_point(-1, cube), self.worth(cube)));
        }
        points.push((1.0, win));
        let live = between(&points, chance);
        EFFICIENCY * live + (1.0 - EFFICIENCY) * dead
    }

    /// The value to the player on roll, who rolls now, as a share of the largest payoff.
    pub fn value(&self) -> f64 {
        self.value_with(self.state.cube().into(), self.state.cube_owner())
    }

    /// The value to the player on roll if a double is dropped.
    pub fn dropped(&self) -> f64 {
        self.worth(self.state.cube().into())
    }

    /// The value to the player on roll if a double is taken.
    pub fn taken(&self) -> f64 {
        let cube = 2 * i32::from(self.state.cube());
        self.value_with(cube, Some(self.state.mover().other()))
    }
}

/// The straight line through points with rising first parts.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    for pair in points.windows(2) {
        let [(from, low), (to, high)] = [pair[0], pair[1]];
        if at <= to {
            let share = if to > from {
                (at - from) / (to - from)
            } else {
                1.0
            };
            return low + share.clamp(0.0, 1.0) * (high - low);
        }
    }
    points.last().map_or(0.0, |&(_, value)| value)
}

/// How many wins are gammons in the simple account of matches below.
const GAMMONS: f64 = 0.22;

/// The chance to win a match with this many points to go for the player and for the opponent.
///
/// Where nobody is one point away this is the formula of Janowski (1993). A player one point away
/// is in the Crawford game first; after it the other doubles every game at once.
fn match_chance(away: [i32; 2], crawford_over: bool) -> f64 {
    match away {
        [0, _] => 1.0,
        [_, 0] => 0.0,
        [1, 1] => 0.5,
        [1, other] => 1.0 - trailing(other, crawford_over),
        [own, 1] => trailing(own, crawford_over),
        [own, other] => {
            let (difference, most) = (f64::from(other - own), f64::from(own.max(other)));
            let chance = 0.5 + 0.85 * difference / (most + 6.0);
            // The formula promises too much to whoever is far ahead: more than one point away would
            // give.
            chance.clamp(trailing(own, true), 1.0 - trailing(other, true))
        }
    }
}

/// The chance of a player this many points away against one who is one point away.
fn trailing(away: i32, crawford_over: bool) -> f64 {
    let after = |points: i32| {
        let left = usize::try_from(away - points).unwrap_or(0);
        AFTER_CRAWFORD[left.min(AFTER_CRAWFORD.len() - 1)]
    };
    match crawford_over {
        true => after(0),
        false => 0.5 * (GAMMONS * after(2) + (1.0 - GAMMONS) * after(1)),
    }
}

/// The same by points to go, where the Crawford game is over.
static AFTER_CRAWFORD: [f64; 1 + MAX_LENGTH as usize] = {
    let mut table = [1.0; 1 + MAX_LENGTH as usize];
    table[1] = 0.5;
    let mut away = 2;
    while away < table.len() {
        let (single, gammon) = (table[away - 2], table[away.saturating_sub(4)]);
        table[away] = 0.5 * (GAMMONS * gammon + (1.0 - GAMMONS) * single);
        away += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::{Board, Rules};
    use super::*;

    fn prospect(rules: Rules, text: &str, win: f32, test: impl Fn(Prospect<'_>)) {
        let game = Backgammon::new(rules).unwrap();
        let state = tabia_game::Text::parse_position(&game, text).unwrap();
        let chances = Chances {
            win,
            ..Chances::default()
        };
        test(Prospect::new(&game, &state, chances));
    }

    const MONEY: Rules = Rules {
        length: 0,
        cube: true,
        jacoby: false,
        gammons: true,
    };
    const CENTRED: &str = "6/6 w cube";

    /// Without gammons money is taken from 20 % with a live cube, and 25 % with a dead one.
    #[test]
    fn take_points_of_money() {
        prospect(MONEY, CENTRED, 0.5, |p| {
            assert!((p.take_point(1, 1) - 0.2).abs() < 1e-9);
            assert!((p.take_point(-1, 1) - 0.2).abs() < 1e-9);
            assert!(p.value().abs() < 1e-9, "even");
        });
        // At 80 % with a live cube, taking and dropping are the same; with a dead one taking costs.
        let unit = f64::from(3u32 << MAX_DOUBLES);
        prospect(MONEY, CENTRED, 0.8, |p| {
            assert!((p.dropped() * unit - 1.0).abs() < 1e-9);
            let dead = 2.0 * 0.6;
            let wanted = EFFICIENCY + (1.0 - EFFICIENCY) * dead;
            assert!((p.taken() * unit - wanted).abs() < 1e-6);
        });
    }

    /// A player two points away needs no more than a double; at two away each the cube is dead once
    /// turned, and 25 % must be won to take.
    #[test]
    fn take_points_of_matches() {
        let rules = Rules { length: 2, ..MONEY };
        prospect(rules, CENTRED, 0.5, |p| {
            // Dropping leaves one against two points away, before the Crawford game.
            let dropped = match_chance([2, 1], false);
            assert!((p.take_point(1, 1) - dropped).abs() < 1e-9);
        });
    }

    #[test]
    fn chances_of_matches_are_fair_and_rise() {
        for crawford_over in [false, true] {
            for own in 1..15 {
                for other in 1..15 {
                    let here = match_chance([own, other], crawford_over);
                    let there = match_chance([other, own], crawford_over);
                    assert!((here + there - 1.0).abs() < 1e-9, "{own} {other}");
                    assert!(match_chance([own + 1, other], crawford_over) <= here + 1e-9);
                }
            }
        }
        assert_eq!(Board::START.left(0), 15);
    }
}
