//! The player of combinatorial games that knows the end: exact as soon as the sum of the parts can
//! be searched, and alpha-beta before.
//!
//! Half of what it may spend goes into the question whether the player to move wins the sum of the
//! independent parts (Wieczorek et al. 2013 cut strips at their locks for an evaluation; here parts
//! are cut off for good, and small ones have exact values). If that is answered, a winning move is
//! found the same way. If not, or if the game is lost, alpha-beta chooses with the rest.

use std::time::Instant;

use tabia_cgt::sums::{Config, Solver, Sum};
use tabia_game::combinatorial::LastMoverState;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Combinatorial, Knowledge, LastMover, Limits, Seed, Turn};
use tabia_search::alphabeta::{self, AlphaBeta};
use tabia_search::{Choice, Counter, Engine, Listener, Past, Reading, Report, Situation};

use super::{Listing, refuse_beyond_memory};
use crate::engine::{Built, Maker};
use crate::solving::by_sums;

const PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "table",
        kind: ParameterKind::Bytes(1 << 16, 16 << 30),
        default: "32M",
        help: "size of the table of sums, and half of that for alpha-beta",
    },
    Parameter {
        key: "valued",
        kind: ParameterKind::Integer(0, 64),
        // Long strips have few moves at a time, and values of more than a few moves took all the
        // time there was.
        default: "2",
        help: "parts with at most this many moves of both players together are replaced by their \
               values",
    },
];

/// Sums that are looked at where neither nodes nor time are limited.
const UNASKED: u64 = 1_000_000;

/// The engine.
pub struct SumPlayer<R: Combinatorial, K> {
    solver: Solver<R>,
    before: AlphaBeta<K>,
}

impl<R: Combinatorial + Clone, K> SumPlayer<R, K> {
    /// An engine that searches sums of these rules, and until then plays with this search.
    pub fn new(rules: R, config: Config, before: AlphaBeta<K>) -> SumPlayer<R, K> {
        SumPlayer {
            solver: Solver::new(rules, config),
            before,
        }
    }

    /// Whether the player to move wins, if that can be found out, and what was spent on it.
    fn wins(
        &mut self,
        state: &LastMoverState<R::Position>,
        limits: &Limits,
    ) -> Option<(bool, u64)> {
        let sum = Sum {
            positions: std::slice::from_ref(state.position()),
            values: &[],
        };
        // What cannot be solved, for whatever reason, is left to alpha-beta.
        let won = self.solver.wins(sum, state.mover(), limits).ok()?;
        Some((won.wins, won.nodes))
    }
}

/// What is left of limits.
fn rest(limits: &Limits, nodes: u64, started: Instant) -> Limits {
    Limits {
        nodes: limits.nodes.map(|most| most.saturating_sub(nodes)),
        time: limits
            .time
            .map(|time| time.saturating_sub(started.elapsed())),
        ..limits.clone()
    }
}

impl<R, K> Engine<LastMover<R>> for SumPlayer<R, K>
where
    R: Combinatorial + Clone,
    K: Knowledge<LastMover<R>>,
{
    fn choose(
        &mut self,
        situation: Situation<'_, LastMover<R>>,
        limits: &Limits,
    ) -> Choice<R::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        past: Past<'_, LastMover<R>>,
        situation: Situation<'_, LastMover<R>>,
        limits: &Limits,
        listener: &mut Listener<'_, R::Move>,
    ) -> Choice<R::Move> {
        use tabia_game::Game;
        let Situation { game, state, path } = situation;
        let started = Instant::now();
        if game.turn(state) == Turn::Over {
            return self.before.choose(Situation { game, state, path }, limits);
        }
        let half = Limits {
            nodes: match (limits.nodes, limits.time) {
                (None, None) => Some(UNASKED),
                (nodes, _) => nodes.map(|nodes| nodes / 2),
            },
            time: limits.time.map(|time| time / 2),
            ..limits.clone()
        };
        let answer = self.wins(state, &half);
        let mut spent = self.solver.spent();
        let solved = Counter::One(u64::from(answer.is_some()));
        if let Some((true, _)) = answer {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            for mv in moves {
                let mut next = state.clone();
                game.play(&mut next, mv);
                let rest = rest(limits, spent, started);
                let Some((wins, nodes)) = self.wins(&next, &rest) else {
                    break;
                };
                spent += nodes;
                if !wins {
                    let choice = Choice {
                        best: Some(mv),
                        value: Some(1.0),
                        reading: Reading::Own,
                        solved: true,
                        plies: None,
                        line: vec![mv],
                        depth: 0,
                        nodes: spent,
                        counters: vec![("solved", solved)],
                    };
                    listener.conclude(&choice);
                    return choice;
                }
            }
        }
        let rest = match (limits.depth, limits.nodes, limits.time) {
            (None, None, None) => Limits {
                nodes: Some(UNASKED),
                ..limits.clone()
            },
            _ => rest(limits, spent, started),
        };
        let known = answer.map(|(wins, _)| if wins { 1.0 } else { -1.0 });
        let (lines, interval) = (listener.lines(), listener.interval());
        let mut tell = |report: &Report<'_, R::Move>| {
            // A won sum has a best move that wins; in a lost one all moves lose.
            let known = known.filter(|&value| report.rank == 1 || value < 0.0);
            listener.tell(&Report {
                value: known.or(report.value),
                solved: known.is_some() || report.solved,
                nodes: spent + report.nodes,
                ..report.clone()
            });
        };
        let mut inner = Listener::new(lines, &mut tell).every(interval);
        let situation = Situation { game, state, path };
        let before = &mut self.before;
        let mut choice = before.choose_reporting(past, situation, &rest, &mut inner);
        if known.is_some() {
            choice.value = known;
            choice.solved = true;
        }
        choice.nodes += spent;
        choice.counters.push(("solved", solved));
        choice
    }

    fn new_game(&mut self, luck: Seed) {
        self.solver.clear();
        Engine::<LastMover<R>>::new_game(&mut self.before, luck);
    }
}

impl<R: Combinatorial + Clone + 'static> Listing<LastMover<R>> {
    /// Exact search of the sum of the parts, with alpha-beta and this knowledge before.
    pub fn sums<K>(mut self, knowledge: K) -> Self
    where
        K: Knowledge<LastMover<R>> + Clone + 'static,
    {
        let build = move |game: &LastMover<R>, values: &OptionValues| -> Built<LastMover<R>> {
            let table = values.bytes("table");
            refuse_beyond_memory(table.saturating_mul(3))?;
            let config = Config {
                valued: u32::try_from(values.integer("valued")).ok(),
                // Values may take as much as the table.
                memory: table.saturating_mul(2),
                threads: 1,
            };
            let search = alphabeta::Config {
                table: table / 2,
                ..preset()
            };
            let before = AlphaBeta::new(search, knowledge.clone());
            Ok(Box::new(SumPlayer::new(
                game.rules().clone(),
                config,
                before,
            )))
        };
        let help = "exact search of the sum of independent parts, alpha-beta before";
        let maker = Maker::new("sums", help, PARAMETERS, build);
        self.makers.push(maker.limited());
        self
    }

    /// Its positions can be solved as sums of their parts.
    pub fn solve_as_sum(self) -> Self {
        self.solved_by(by_sums(), None)
    }
}

/// The search that plays before the end is known.
fn preset() -> alphabeta::Config {
    alphabeta::Config {
        method: alphabeta::Method::Pvs,
        deepening: true,
        etc: 2,
        killers: 2,
        history: alphabeta::History::Relative,
        best_increment: alphabeta::Increment::Square,
        continuation: true,
        distances: true,
        replacement: tabia_search::table::Replacement::Buckets,
        ..alphabeta::Config::default()
    }
}
