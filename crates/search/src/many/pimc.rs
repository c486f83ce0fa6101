//! Perfect-information Monte Carlo for many players: positions are drawn that agree with what the
//! player to move has observed, each is searched as if all saw everything, and the move with the
//! highest mean is played (Ginsberg 1999 for Bridge; Sturtevant 2004, section 3, for Hearts).
//!
//! Each move of each position is searched by max^n to depth 1, 2, 3, ... until the position's share
//! of the nodes and of the time is spent; the deepest depth that all moves were searched to counts.
//! Positions come from the observation alone, and so does the luck: what is hidden cannot be read
//! from the answer.

use std::hash::{Hash, Hasher};
use std::time::Instant;

use rustc_hash::FxHasher;
use tabia_game::options::{Parameter, ParameterKind};
use tabia_game::{Game, Key, Knowledge, Limits, Opened, Path, Player, Seed, Turn};

use super::{Config, ManyPlayerGame, MaxN, Payoffs, aims};
use crate::alphabeta::MAX_DEPTH;
use crate::{Choice, Counter, Engine, Listener, Past, Reading, Situation};

/// What the engine has beside the options of max^n.
pub const PIMC_PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "samples",
        kind: ParameterKind::Integer(1, 10_000),
        default: "20",
        help: "positions sampled and searched for each move",
    },
    Parameter {
        key: "seed",
        kind: ParameterKind::Integer(0, i64::MAX),
        default: "0",
        help: "random seed",
    },
];

/// Nodes for each move where nothing else limits the search.
const NODES: u64 = 1_000_000;

/// The engine.
pub struct Pimc<K> {
    search: MaxN<K>,
    samples: u32,
    seed: u64,
    luck: Seed,
}

impl<K> Pimc<K> {
    /// An engine that searches this many positions with these switches.
    pub fn new(config: Config, samples: u32, seed: u64, knowledge: K) -> Pimc<K> {
        Pimc {
            search: MaxN::new(config, knowledge),
            samples: samples.max(1),
            seed,
            luck: Seed::new(seed),
        }
    }

    /// What each move of a position is worth to the player, in the units of the search; the depth
    /// that all were searched to.
    fn values<G>(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        player: Player,
        limits: &Limits,
        nodes: &mut u64,
    ) -> (Vec<f64>, u32)
    where
        G: ManyPlayerGame,
        K: Knowledge<G>,
    {
        let deadline = limits.time.map(|time| Instant::now() + time);
        let unit = aims::unit(&Payoffs, game);
        let mut kept = (vec![0.0; moves.len()], 0);
        let most = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=most {
            let mut values = Vec::with_capacity(moves.len());
            let mut complete = true;
            for &mv in moves {
                let mut next = state.clone();
                game.play(&mut next, mv);
                if game.turn(&next) == Turn::Over {
                    values.push(f64::from(unit) * f64::from(game.payoff(&next, player)));
                    continue;
                }
                let left = Limits {
                    nodes: limits.nodes.map(|limit| limit.saturating_sub(*nodes)),
                    time: deadline.map(|end| end.saturating_duration_since(Instant::now())),
                    ..limits.clone()
                };
                let path = Path::new();
                let situation = Situation {
                    game,
                    state: &next,
                    path: &path,
                };
                match self.search.search(&situation, depth, &left) {
                    Some(found) => {
                        *nodes += found.nodes;
                        complete &= found.complete;
                        values.push(f64::from(found.values[player.index()]));
                    }
                    None => {
                        // What a stopped search has spent is all there was.
                        *nodes = left.nodes.map_or(*nodes, |left| *nodes + left);
                        return kept;
                    }
                }
            }
            kept = (values, depth);
            if complete {
                break;
            }
        }
        kept
    }
}

impl<G, K> Engine<G> for Pimc<K>
where
    G: Key + Opened<Open: ManyPlayerGame>,
    K: Knowledge<G::Open>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_after(past, situation, limits)
    }

    fn choose_after(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
    ) -> Choice<G::Move> {
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    /// Reports after every position that was searched.
    fn choose_reporting(
        &mut self,
        past: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let Turn::Player(player) = game.turn(state) else {
            return Choice::nothing();
        };
        let seen = past.observed_by(game, player);
        // Positions that look the same are searched with the same luck.
        let mut hasher = FxHasher::default();
        seen.view().hash(&mut hasher);
        let mut draws = self.luck.number(hasher.finish()).rng();
        let mut moves = Vec::new();
        path.legal_moves(game, state, &mut moves);
        let open = game.open_game();
        let nodes = match (limits.nodes, limits.time, limits.depth) {
            (None, None, None) => Some(NODES),
            (nodes, ..) => nodes,
        };
        let share = Limits {
            nodes: nodes.map(|nodes| nodes / u64::from(self.samples)),
            time: limits.time.map(|time| time / self.samples),
            ..limits.clone()
        };
        let mut sums = vec![0.0; moves.len()];
        let (mut spent, mut searched, mut shallowest) = (0, 0u32, u32::MAX);
        let top = f64::from(aims::unit(&Payoffs, &open)) * f64::from(open.max_payoff().max(1));
        let mean = |sum: f64, searched| (sum / f64::from(searched) / top).clamp(-1.0, 1.0);
        for _ in 0..if moves.len() > 1 { self.samples } else { 0 } {
            if limits.cancel.is_cancelled() {
                break;
            }
            let drawn = game.open_state(&game.sample_state(&seen, &mut draws));
            let mut nodes = 0;
            let (values, depth) = self.values(&open, &drawn, &moves, player, &share, &mut nodes);
            spent += nodes;
            if depth > 0 {
                searched += 1;
                shallowest = shallowest.min(depth);
                sums.iter_mut()
                    .zip(values)
                    .for_each(|(sum, value)| *sum += value);
                if !listener.is_silent() {
                    let mut order: Vec<usize> = (0..moves.len()).collect();
                    order.sort_by(|&one, &other| sums[other].total_cmp(&sums[one]));
                    let lines = order.iter();
                    let lines =
                        lines.map(|&at| (Some(mean(sums[at], searched)), None, [moves[at]]));
                    listener.tell_ranked(lines, 1 + shallowest, spent);
                }
            }
        }
        let best = crate::mcts::highest(0..moves.len(), |place| sums[place]);
        let value = best.filter(|_| searched > 0);
        let chosen = best.map(|place| moves[place]);
        let choice = Choice {
            best: chosen,
            value: value.map(|place| mean(sums[place], searched)),
            reading: Reading::Own,
            solved: false,
            plies: None,
            line: chosen.into_iter().collect(),
            depth: if searched > 0 { 1 + shallowest } else { 0 },
            nodes: spent,
            counters: vec![("positions", Counter::One(u64::from(searched)))],
        };
        if searched == 0 {
            listener.conclude(&choice);
        }
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck.number(self.seed);
    }
}
