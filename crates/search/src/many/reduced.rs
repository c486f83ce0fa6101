//! Engines that search a game of many players as one of two.

use tabia_game::options::{OptionValues, Parameter, ParameterKind};
use tabia_game::{Game, Key, Knowledge, Limits, Made, Path, Player, Seed, Turn};

use super::ManyPlayerGame;
use super::reduction::{Against, ReductionObjective, Replies, Reply, Through};
use crate::alphabeta::{self, AlphaBeta};
use crate::mcts::{self, Mcts, WithoutChance};
use crate::{Choice, Engine, Listener, Past, Reading, Report, Situation};

/// What the one who searches wants, as an option.
pub const LEAF: Parameter = Parameter {
    key: "leaf",
    kind: ParameterKind::Choice(&["margin", "own"]),
    default: "margin",
    help: "what counts: the own result less all others', or the own result alone",
};

impl From<&OptionValues> for ReductionObjective {
    fn from(values: &OptionValues) -> ReductionObjective {
        match values.word(LEAF.key) {
            "own" => ReductionObjective::Own,
            _ => ReductionObjective::Margin,
        }
    }
}

/// The search of Schadd (2011, section 6.5): iterative deepening, a table that keeps the deeper and
/// the newer, history and killers.
const SCHADD: &[(&str, &str)] = &[
    ("method", "failsoft"),
    ("deepening", "on"),
    ("table", "64M"),
    ("replace", "twodeep"),
    ("killers", "2"),
    ("history", "history"),
    ("best", "d2"),
    ("static", "on"),
    ("graft", "off"),
];

const fn named(name: &'static str, help: &'static str) -> alphabeta::Preset {
    alphabeta::Preset::new(name, help, alphabeta::PARAMETERS, SCHADD)
}

/// Paranoid search, for [`Everybody`](super::reduction::Everybody).
pub const PARANOID: alphabeta::Preset = named("paranoid", "alpha-beta against all others together");

/// Best-Reply Search, for [`OneOfAll`](super::reduction::OneOfAll).
pub const BRS: alphabeta::Preset = named(
    "brs",
    "Best-Reply Search: one opponent replies, the others pass",
);

/// BRS+, for [`OneOfAllLegal`](super::reduction::OneOfAllLegal).
pub const BRS_PLUS: alphabeta::Preset = named(
    "brs+",
    "Best-Reply Search with legal moves: the others play the first move of the static order",
);

/// Solo search, for [`Nobody`](super::reduction::Nobody).
pub const SOLO: alphabeta::Preset = named("solo", "only the own moves, as if alone");

/// Alpha-beta for one of many players, with replies by `R`.
pub struct Reduced<R, K> {
    leaf: ReductionObjective,
    knowledge: K,
    search: AlphaBeta<Through>,
    /// Whose values the table holds.
    searcher: Option<Player>,
    replies: R,
}

impl<R, K> Reduced<R, K> {
    /// An engine with these switches.
    pub fn new(
        replies: R,
        config: alphabeta::Config,
        leaf: ReductionObjective,
        knowledge: K,
    ) -> Reduced<R, K> {
        Reduced {
            leaf,
            knowledge,
            search: AlphaBeta::new(config, Through),
            searcher: None,
            replies,
        }
    }
}

/// The part of a line that can be played: the first moves, as long as everybody moves in their
/// turn.
fn playable<G: Key>(
    game: &G,
    state: &G::State,
    path: &Path,
    line: &[Reply<G::Move>],
) -> Vec<G::Move> {
    let rule = game.repetition();
    let mut path = path.clone();
    let mut state = state.clone();
    let mut legal = Vec::new();
    let mut played = Vec::new();
    for reply in line {
        let Some(mv) = reply.mv else { break };
        if game.turn(&state) != Turn::Player(reply.player) {
            break;
        }
        legal.clear();
        path.legal_moves(game, &state, &mut legal);
        if !legal.contains(&mv) {
            break;
        }
        let made = Made::of(game, rule, &state, mv);
        game.play(&mut state, mv);
        played.push(mv);
        if !path.enter(game, rule, &state, made).is_open() {
            break;
        }
    }
    played
}

fn translated<G: Key>(
    choice: Choice<Reply<G::Move>>,
    objective: ReductionObjective,
    game: &G,
    state: &G::State,
    path: &Path,
) -> Choice<G::Move> {
    // Of two players whose payoffs cancel out one is ahead by what both get.
    let cancel_out = game.players() == 2 && game.payoff_sum() == Some(0);
    Choice {
        best: choice.best.and_then(|reply| reply.mv),
        value: choice.value,
        reading: match objective {
            ReductionObjective::Margin if !cancel_out => Reading::Margin,
            _ => Reading::Own,
        },
        // What the others are taken to do is no proof.
        solved: choice.solved && game.players() <= 2,
        plies: choice.plies.filter(|_| game.players() <= 2),
        line: playable(game, state, path, &choice.line),
        depth: choice.depth,
        nodes: choice.nodes,
        counters: choice.counters,
    }
}

/// Asks an engine for the game as one of two players, and hands on what it reports.
fn ask<'v, G, E, V>(
    engine: &mut E,
    (game, view, objective): (&G, &'v V, ReductionObjective),
    (state, path): (&'v G::State, &'v Path),
    limits: &Limits,
    listener: &mut Listener<'_, G::Move>,
) -> Choice<G::Move>
where
    G: Key,
    V: Game<State = G::State, Move = Reply<G::Move>>,
    E: Engine<V>,
{
    let proves = game.players() <= 2;
    let (lines, interval) = (listener.lines(), listener.interval());
    let mut tell = |report: &Report<'_, Reply<G::Move>>| {
        let line = playable(game, state, path, report.line);
        listener.tell(&Report {
            // What the others are taken to do is no proof.
            solved: report.solved && proves,
            plies: report.plies.filter(|_| proves),
            ..report.with_line(&line)
        });
    };
    let mut inner = Listener::new(lines, &mut tell).every(interval);
    let situation = Situation {
        game: view,
        state,
        path,
    };
    let choice = engine.choose_reporting(Past::none(state), situation, limits, &mut inner);
    translated(choice, objective, game, state, path)
}

impl<G, R, K> Engine<G> for Reduced<R, K>
where
    G: ManyPlayerGame,
    R: Replies<G, K>,
    K: Knowledge<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let Turn::Player(root) = game.turn(state) else {
            return Choice::nothing();
        };
        let view = Against::new(game, &self.knowledge, &self.replies, root, self.leaf);
        if self.searcher.replace(root).is_some_and(|old| old != root) {
            Engine::<Against<'_, G, K>>::new_game(&mut self.search, Seed::new(0));
        }
        let search = &mut self.search;
        ask(
            search,
            (game, &view, self.leaf),
            (state, path),
            limits,
            listener,
        )
    }

    fn new_game(&mut self, luck: Seed) {
        Engine::<Against<'_, G, K>>::new_game(&mut self.search, luck);
    }

    fn estimate(&self, game: &G, state: &G::State, player: Player) -> Option<f64> {
        let estimate = self.knowledge.evaluate(game, state, player);
        Some(crate::score::to_value(crate::score::of_estimate(estimate)))
    }
}

/// Monte-Carlo tree search for one of many players, with replies by `R`.
pub struct ReducedMcts<R, K> {
    leaf: ReductionObjective,
    knowledge: K,
    config: mcts::Config,
    luck: Seed,
    replies: R,
}

impl<R, K> ReducedMcts<R, K> {
    /// An engine with these switches. Every move is thought about anew: the tree of one move is of
    /// no use for the next, since the others do not move as it has it.
    pub fn new(
        replies: R,
        config: mcts::Config,
        leaf: ReductionObjective,
        knowledge: K,
    ) -> ReducedMcts<R, K> {
        ReducedMcts {
            leaf,
            knowledge,
            luck: Seed::new(config.seed),
            config,
            replies,
        }
    }
}

impl<G, R, K> Engine<G> for ReducedMcts<R, K>
where
    G: ManyPlayerGame,
    R: Replies<G, K>,
    K: Knowledge<G>,
{
    fn choose(&mut self, situation: Situation<'_, G>, limits: &Limits) -> Choice<G::Move> {
        let past = Past::none(situation.state);
        self.choose_reporting(past, situation, limits, &mut Listener::silent())
    }

    fn reports(&self) -> bool {
        true
    }

    fn counts_playouts(&self) -> bool {
        true
    }

    fn choose_reporting(
        &mut self,
        _: Past<'_, G>,
        situation: Situation<'_, G>,
        limits: &Limits,
        listener: &mut Listener<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Situation { game, state, path } = situation;
        let Turn::Player(root) = game.turn(state) else {
            return Choice::nothing();
        };
        let view = Against::new(game, &self.knowledge, &self.replies, root, self.leaf);
        let config = mcts::Config {
            reuse: false,
            ..self.config
        };
        let mut search: Mcts<_, _, WithoutChance> = Mcts::new(config, Through);
        Engine::new_game(&mut search, self.luck);
        ask(
            &mut search,
            (game, &view, self.leaf),
            (state, path),
            limits,
            listener,
        )
    }

    fn new_game(&mut self, luck: Seed) {
        self.luck = luck;
    }
}
