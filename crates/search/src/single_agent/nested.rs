//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A search of level n tries every move by a search of level n - 1, level 0 being a playout, and
//! plays the first move of the best line it knows. The line is kept from move to move, so that a
//! lucky playout is never forgotten.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{GameRng, Limits, Meter, OnePlayer, Payoff, Playouts, Seed, Stopped};

use super::playout::Player;
use super::ruled::Ruled;
use super::{Best, Found, Improved, SEED, Seek, THREADS};
use crate::{Counter, Situation};

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How many searches are nested.
    pub level: u32,
    /// Where playouts come from.
    pub seed: u64,
}

/// The switches as options of an engine.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "level",
        kind: ParameterKind::Integer(0, 10),
        default: "3",
        help: "nesting level of the search",
    },
    THREADS,
    SEED,
];

impl From<&OptionValues> for Config {
    fn from(values: &OptionValues) -> Config {
        Config {
            level: values.integer("level").unsigned_abs() as u32,
            seed: values.integer("seed").unsigned_abs(),
        }
    }
}

/// Playouts where neither nodes nor time are limited.
const PLAYOUTS: u64 = 100_000;

/// The search. It starts anew, with other luck, as long as its limits allow.
pub struct Nested<P> {
    config: Config,
    policy: P,
    seed: Seed,
}

impl<P> Nested<P> {
    /// A search with these switches and playouts.
    pub fn new(config: Config, policy: P) -> Nested<P> {
        Nested {
            config,
            policy,
            seed: Seed::new(config.seed),
        }
    }
}

struct Search<'a, 'b, 'c, G: OnePlayer, P> {
    ruled: Ruled<'a, G>,
    policy: &'a P,
    player: Player<G::Move>,
    rng: GameRng,
    meter: Meter,
    best: Best<'b, 'c, G>,
    /// The moves that were played before the innermost search.
    played: Vec<G::Move>,
}

impl<G: OnePlayer, P: Playouts<G>> Search<'_, '_, '_, G, P> {
    /// The payoff of the best line of this level, which is left in `line`.
    fn nested(
        &mut self,
        state: &G::State,
        level: u32,
        line: &mut Vec<G::Move>,
    ) -> Result<Payoff, Stopped> {
        line.clear();
        if level == 0 {
            self.meter.tick()?;
            let mut state = state.clone();
            let (ruled, policy) = (&mut self.ruled, self.policy);
            let payoff = self
                .player
                .play_out(ruled, &mut state, policy, &mut self.rng);
            line.extend_from_slice(&self.player.line);
            return self.finished(payoff, line);
        }
        let (before, path) = (self.played.len(), self.ruled.len());
        let mut here = state.clone();
        let mut top: Option<Payoff> = None;
        let (mut moves, mut trial) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < super::playout::MAX_PLAYOUT_PLIES {
            moves.clear();
            let stuck = self.ruled.moves(&mut here, &mut moves);
            if moves.is_empty() || stuck.is_some() {
                // A finished game is a playout, too: what costs nothing could be repeated forever.
                return match at {
                    0 => self.nested(state, 0, line),
                    _ => break,
                };
            }
            for &mv in &moves {
                let (token, ended) = self.ruled.play(&mut here, mv);
                self.played.push(mv);
                let payoff = match ended {
                    Some(payoff) => {
                        self.meter.tick()?;
                        trial.clear();
                        self.finished(payoff, &trial)?
                    }
                    None => self.nested(&here, level - 1, &mut trial)?,
                };
                self.played.pop();
                self.ruled.undo(&mut here, token);
                if top.is_none_or(|top| payoff > top) {
                    top = Some(payoff);
                    line.truncate(at);
                    line.push(mv);
                    line.extend_from_slice(&trial);
                }
            }
            // A line that was broken off may be shorter than the game.
            let Some(&mv) = line.get(at) else {
                break;
            };
            let (_, ended) = self.ruled.play(&mut here, mv);
            self.played.push(mv);
            at += 1;
            if ended.is_some() {
                break;
            }
        }
        self.played.truncate(before);
        self.ruled.truncate(path);
        Ok(top.unwrap_or_else(|| self.ruled.game.earned(&here)))
    }

    /// A game is finished, by these moves after those that were played before.
    fn finished(&mut self, payoff: Payoff, moves: &[G::Move]) -> Result<Payoff, Stopped> {
        let played = &self.played;
        self.best.offer(payoff, self.meter.nodes(), |best| {
            best.extend_from_slice(played);
            best.extend_from_slice(moves);
        });
        match self.best.is_perfect() {
            true => Err(Stopped),
            false => Ok(payoff),
        }
    }
}

impl<G: OnePlayer, P: Playouts<G>> Seek<G> for Nested<P> {
    fn seek(
        &mut self,
        situation: Situation<'_, G>,
        limits: &Limits,
        mut improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let Situation { game, state, .. } = situation;
        let mut limits = limits.clone();
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(PLAYOUTS);
        }
        let mut search = Search {
            ruled: Ruled::new(situation),
            policy: &self.policy,
            player: Player::new(),
            rng: self.seed.rng(),
            meter: limits.meter(),
            best: Best::new(game, state, &mut improved),
            played: Vec::new(),
        };
        let (mut runs, mut line) = (0, Vec::new());
        while search.nested(state, self.config.level, &mut line).is_ok() {
            runs += 1;
        }
        let nodes = search.meter.nodes();
        let counters = vec![("runs", Counter::One(runs))];
        search.best.found(game.earned(state), nodes, counters)
    }

    fn reseed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn counts_playouts(&self) -> bool {
        true
    }
}
