//! Nested Monte-Carlo search (Cazenave 2009).
//!
//! A search of level n tries every move by a search of level n - 1, level 0 being a playout, and
//! plays the first move of the best line it knows. The line is kept from move to move, so that a
//! lucky playout is never forgotten.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{GameRng, Limits, Meter, OnePlayer, Payoff, Playouts, Seed, Stopped};

use super::playout::Player;
use super::{Best, Found, Improved, SEED, Seek, THREADS};
use crate::Counter;

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
    game: &'a G,
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
            let payoff = self
                .player
                .play_out(self.game, &mut state, self.policy, &mut self.rng);
            line.extend_from_slice(&self.player.line);
            let (played, moves) = (&self.played, &*line);
            self.best.offer(payoff, self.meter.nodes(), |best| {
                best.extend_from_slice(played);
                best.extend_from_slice(moves);
            });
            if self.best.is_perfect() {
                return Err(Stopped);
            }
            return Ok(payoff);
        }
        let before = self.played.len();
        let mut here = state.clone();
        let mut top: Option<Payoff> = None;
        let (mut moves, mut trial) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < super::playout::MAX_PLAYOUT_PLIES {
            moves.clear();
            self.game.moves(&here, &mut moves);
            if moves.is_empty() {
                // A finished game is a playout, too: what costs nothing could be repeated forever.
                return match at {
                    0 => self.nested(state, 0, line),
                    _ => break,
                };
            }
            for &mv in &moves {
                let token = self.game.play(&mut here, mv);
                self.played.push(mv);
                let payoff = self.nested(&here, level - 1, &mut trial)?;
                self.played.pop();
                self.game.undo(&mut here, token);
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
            self.game.play(&mut here, mv);
            self.played.push(mv);
            at += 1;
        }
        self.played.truncate(before);
        Ok(top.unwrap_or_else(|| self.game.earned(&here)))
    }
}

impl<G: OnePlayer, P: Playouts<G>> Seek<G> for Nested<P> {
    fn seek(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        mut improved: Improved<'_, G::Move>,
    ) -> Found<G::Move> {
        let mut limits = limits.clone();
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(PLAYOUTS);
        }
        let mut search = Search {
            game,
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
