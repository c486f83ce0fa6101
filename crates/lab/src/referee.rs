//! The referee: plays one game between players, by the rules and under agreed terms.
//!
//! It applies what no player may be trusted with: legality, the repetition rule (both through the
//! [`Session`]), the length of the game, the clocks and the node budgets. A player that breaks the
//! terms or the rules loses that game; the [`Fault`] is part of the record.
//!
//! Everything random in a game follows from one seed. Chance events are numbered and each has a
//! seed of its own, as has each seat, so that two games with the same seed share their luck as far
//! as they go alike, whoever sits where (duplicate games: Sheppard 2004, section 5). Where something is
//! hidden, a program's seed follows from the number of the round and nothing else: it cannot search
//! for the seed of the match, from which the deal follows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabia_game::text::shortened;
use tabia_game::{Cancel, Limits, Payoff, Seed, Turn};
use tabia_registry::{AnyGame, CatalogError, Session};

use crate::player::{Fault, Participant, Remaining, Request};

/// What the players have agreed on. No limit at all is read as [`Terms::DEFAULT_NODES`] a move,
/// unless the player's own spec has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Simulated games for each move. Players that do not count them refuse to play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// Milliseconds for each move.
    pub ms: Option<u64>,
    /// Nodes for a whole game, for each seat.
    pub game_nodes: Option<u64>,
    /// Milliseconds for a whole game, for each seat.
    pub game_ms: Option<u64>,
    /// Milliseconds added to the clock after every move.
    pub increment_ms: u64,
    /// Milliseconds by which a limit on time may be overstepped: that of a move at every move, a
    /// clock once a game.
    pub margin_ms: u64,
    /// Milliseconds to wait for an answer where time is not limited.
    pub patience_ms: u64,
    /// A game of this many plies, the opening included, is called a draw; one of a lone player has
    /// no result then.
    pub plies: u32,
    /// Whether the luck that each seat had is told after a game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub luck: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            depth: None,
            nodes: None,
            playouts: None,
            ms: None,
            game_nodes: None,
            game_ms: None,
            increment_ms: 0,
            margin_ms: 100,
            patience_ms: 60_000,
            plies: 1000,
            luck: false,
        }
    }
}

impl Terms {
    /// Nodes for each move of a player that nothing else limits.
    pub const DEFAULT_NODES: u64 = 10_000;

    /// Whether the same game played again goes the same way: nothing depends on a clock.
    pub fn are_timeless(&self) -> bool {
        self.ms.is_none() && self.game_ms.is_none()
    }
}

/// How a game came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// By the repetition rule.
    Repetition,
    /// It was too long and is called a draw, or stopped without a result if one plays alone.
    Length,
    /// A player lost by a fault.
    Fault {
        /// Its seat, counted from zero.
        seat: usize,
        /// What it did.
        reason: Fault,
    },
}

/// What a seat spent on a game, and the luck it had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it was asked for.
    pub moves: u32,
    /// Nodes, as far as the player told.
    pub nodes: u64,
    /// Seconds altogether.
    pub seconds: f64,
    /// Seconds for the longest move.
    pub longest: f64,
    /// What chance gave it by static evaluation, in the units of the payoffs, if that was asked
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
}

/// How a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// The position, if not the start.
    pub position: Option<String>,
    /// Moves that are played before the players are asked.
    pub moves: Vec<String>,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// All moves, those of the opening and the events of chance included.
    pub moves: Vec<String>,
    /// What the game was worth to each seat; nothing if it was forfeited or has no result.
    pub payoffs: Option<Vec<Payoff>>,
    /// How it came to its end.
    pub ending: Ending,
    /// The end as a sentence without a full stop.
    pub text: String,
    /// What each seat spent.
    pub efforts: Vec<Effort>,
}

impl GameResult {
    /// The seat that forfeited the game.
    pub fn forfeit(&self) -> Option<usize> {
        match self.ending {
            Ending::Fault { seat, .. } => Some(seat),
            _ => None,
        }
    }
}

/// A game in the hands of the referee.
pub struct Referee<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// What was agreed on.
    pub terms: &'a Terms,
    /// The number of the round.
    pub round: u64,
    /// Stops the game; nothing is known of it then.
    pub cancel: &'a Cancel,
}

/// What is left of the budgets of a game, for one seat.
struct Account {
    time: Option<Duration>,
    /// By how much the clock has been overstepped so far; the margin is granted once a game.
    overdrawn: Duration,
    nodes: Option<u64>,
}

impl Referee<'_> {
    /// Plays a game; `players` has one for each seat. `None` if it was cancelled.
    pub fn play(
        &self,
        players: &mut [&mut dyn Participant],
        beginning: &Beginning,
        luck: Seed,
    ) -> Result<Option<GameResult>, CatalogError> {
        let mut session = self.game.session(beginning.position.as_deref())?;
        session.play_line(&beginning.moves.join(" "))?;
        let mut efforts = vec![Effort::default(); players.len()];
        let mut accounts: Vec<Account> = (0..players.len())
            .map(|_| Account {
                time: self.terms.game_ms.map(Duration::from_millis),
                overdrawn: Duration::ZERO,
                nodes: self.terms.game_nodes,
            })
            .collect();
        let ending = 'game: {
            for (seat, player) in players.iter_mut().enumerate() {
                let source = match player.keeps_secrets() || !self.game.traits().hidden {
                    true => luck,
                    false => public_luck(self.round),
                };
                let own = source.split("seat").number(seat as u64);
                if let Err(reason) = guarded(|| player.new_game(own)) {
                    break 'game Ending::Fault { seat, reason };
                }
            }
            let mut events = 0;
            loop {
                if self.cancel.is_cancelled() {
                    return Ok(None);
                }
                let seat = match session.turn() {
                    Turn::Over => break,
                    // Only play counts: a long game is not cut off before a chance event.
                    Turn::Player(_) if session.history().len() >= self.terms.plies as usize => {
                        break 'game Ending::Length;
                    }
                    Turn::Chance => {
                        let mut rng = luck.split("chance").number(events).rng();
                        session.roll(&mut rng)?;
                        events += 1;
                        continue;
                    }
                    Turn::Player(player) => player.index(),
                };
                let (player, effort) = (&mut *players[seat], &mut efforts[seat]);
                let asked = self.ask(player, &mut *session, &mut accounts[seat], effort);
                // A player that was told to stop answers anything.
                if self.cancel.is_cancelled() {
                    return Ok(None);
                }
                if let Err(reason) = asked {
                    break 'game Ending::Fault { seat, reason };
                }
            }
            match session.ending() {
                Some(ending) if ending.repetition => Ending::Repetition,
                _ => Ending::Rules,
            }
        };
        Ok(Some(self.outcome(&*session, ending, efforts)))
    }

    /// Asks for a move, watches the limits and plays it.
    fn ask(
        &self,
        player: &mut dyn Participant,
        session: &mut dyn Session,
        account: &mut Account,
        effort: &mut Effort,
    ) -> Result<(), Fault> {
        let request = self.request(player, account);
        let started = Instant::now();
        let reply = guarded(|| player.choose(session, &request));
        let spent = started.elapsed();
        effort.moves += 1;
        effort.seconds += spent.as_secs_f64();
        effort.longest = effort.longest.max(spent.as_secs_f64());
        let reply = reply?;
        let nodes = reply.nodes.unwrap_or(0);
        effort.nodes = effort.nodes.saturating_add(nodes);
        let margin = Duration::from_millis(self.terms.margin_ms);
        let too_slow = |limit: Duration| {
            let (spent, limit) = (spent.as_millis(), limit.as_millis());
            Err(Fault::Time(format!("{spent} ms instead of {limit} ms")))
        };
        if let Some(limit) = request.limits.time
            && spent > limit.saturating_add(margin)
        {
            return too_slow(limit);
        }
        if let Some(left) = account.time {
            account.overdrawn += spent.saturating_sub(left);
            if account.overdrawn > margin {
                return too_slow(left);
            }
            let increment = Duration::from_millis(self.terms.increment_ms);
            account.time = Some(left.saturating_sub(spent) + increment);
        }
        if let Some(limit) = request.limits.nodes.filter(|&limit| nodes > limit) {
            return Err(Fault::Nodes(format!("{nodes} instead of {limit}")));
        }
        account.nodes = account.nodes.map(|n| n.saturating_sub(nodes));
        session
            .play(&reply.mv)
            .map_err(|_| Fault::Illegal(shortened(&reply.mv)))
    }

    fn request(&self, player: &dyn Participant, account: &Account) -> Request {
        let Terms {
            depth,
            nodes,
            playouts,
            ms,
            ..
        } = *self.terms;
        // As with clocks, a part of what is left; the last node is never taken away.
        let allotted = account.nodes.map(|left| (left / 25).max(1));
        let mut limits = player.limits(&Limits {
            depth,
            nodes: nodes.into_iter().chain(allotted).min(),
            playouts,
            time: ms.map(Duration::from_millis),
            cancel: self.cancel.clone(),
        });
        if limits.is_unlimited() && account.time.is_none() {
            limits.nodes = Some(Terms::DEFAULT_NODES);
        }
        let clock = account.time.map(|time| Remaining {
            time,
            increment: Duration::from_millis(self.terms.increment_ms),
        });
        let margin = Duration::from_millis(self.terms.margin_ms);
        let of_move = limits.time.map(|time| time.saturating_add(margin));
        let of_game = account.time.map(|time| {
            let margin = margin.saturating_sub(account.overdrawn);
            time.saturating_add(margin)
        });
        let soonest = of_move.into_iter().chain(of_game).min();
        Request {
            patience: soonest.unwrap_or(Duration::from_millis(self.terms.patience_ms)),
            limits,
            clock,
        }
    }

    fn outcome(&self, session: &dyn Session, ending: Ending, efforts: Vec<Effort>) -> GameResult {
        let finished = session.ending();
        let (payoffs, text) = match &ending {
            Ending::Fault { seat, reason } => {
                let seat = u8::try_from(*seat).unwrap_or(u8::MAX);
                let name = self.game.player_name(tabia_game::Player(seat));
                (None, format!("{name} {reason}"))
            }
            // A lone player has nobody to draw with, and no score before the end.
            Ending::Length if efforts.len() == 1 => {
                let plies = session.history().len();
                (
                    None,
                    format!("stopped after {plies} plies, without a result"),
                )
            }
            Ending::Length => (
                Some(vec![0; efforts.len()]),
                format!("called a draw after {} plies", session.history().len()),
            ),
            Ending::Rules | Ending::Repetition => finished
                .map_or((None, String::new()), |ending| {
                    (Some(ending.payoffs), ending.text)
                }),
        };
        GameResult {
            moves: session.history().to_vec(),
            payoffs,
            ending,
            text,
            efforts,
        }
    }
}

/// The luck of players in a round of which anybody may know everything.
pub fn public_luck(round: u64) -> Seed {
    Seed::new(0).split("public").number(round)
}

/// A panic of a player is its fault, not the end of the match.
fn guarded<T>(act: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    // The player is opened anew after a fault, so nobody sees what a panic has left behind.
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(|text| text.to_string())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Fault::Crashed(
            message.unwrap_or_else(|| "a panic".to_string()),
        ))
    })
}

/// Reads a clock such as `60+0.6`, seconds for a game and seconds added for each move, as
/// milliseconds of both.
pub fn parse_clock(text: &str) -> Result<(u64, u64), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let ms = |text: &str| {
        let seconds: f64 = text.trim().parse().ok()?;
        (0.0..=1e6)
            .contains(&seconds)
            .then(|| (seconds * 1000.0).round() as u64)
    };
    ms(base)
        .filter(|&base| base > 0)
        .zip(ms(increment))
        .ok_or_else(|| "a clock is seconds, and perhaps seconds a move: 60 or 60+0.6".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_or_refused() {
        assert_eq!(parse_clock("60+0.6"), Ok((60_000, 600)));
        assert_eq!(parse_clock("0.5"), Ok((500, 0)));
        for wrong in ["", "+", "0", "-1", "a+1", "1+b", "1e9", "nan", "inf+0"] {
            assert!(parse_clock(wrong).is_err(), "{wrong}");
        }
    }
}
