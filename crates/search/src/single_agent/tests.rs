//! All searches on a small tree whose best line is known by looking at every leaf.

use rand::RngExt;
use tabia_game::{
    CERTAIN, Deterministic, Game, Key, Knowledge, Limits, MoveIndex, OnePlayer, Path, Payoff,
    Perfect, Player, Seed, Turn, Uniform,
};

use super::*;
use crate::{Engine, Situation};

/// A ternary tree whose leaves pay points earned on the way, different ones on every edge.
struct Edges {
    depth: usize,
    points: Vec<Payoff>,
}

impl Edges {
    fn new(depth: usize, seed: u64) -> Edges {
        let mut rng = Seed::new(seed).rng();
        let nodes = 3usize.pow(depth as u32 + 1);
        let points = (0..nodes).map(|_| rng.random_range(0..100)).collect();
        Edges { depth, points }
    }

    /// The best payoff, by trying everything.
    fn optimum(&self, state: &At) -> Payoff {
        if state.moves.len() == self.depth {
            return state.earned;
        }
        let follow = (0..3).map(|mv| {
            let mut state = state.clone();
            self.play(&mut state, mv);
            self.optimum(&state)
        });
        follow.max().unwrap_or(0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct At {
    moves: Vec<u8>,
    number: usize,
    earned: Payoff,
}

impl Game for Edges {
    type State = At;
    type Move = u8;
    type Undo = At;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> At {
        At {
            moves: Vec::new(),
            number: 0,
            earned: 0,
        }
    }
    fn turn(&self, state: &At) -> Turn {
        match state.moves.len() == self.depth {
            true => Turn::Over,
            false => Turn::Player(Player::FIRST),
        }
    }
    fn moves(&self, state: &At, out: &mut Vec<u8>) {
        if state.moves.len() < self.depth {
            out.extend(0..3);
        }
    }
    fn play(&self, state: &mut At, mv: u8) -> At {
        let old = state.clone();
        state.number = 3 * state.number + usize::from(mv) + 1;
        state.moves.push(mv);
        state.earned += self.points[state.number % self.points.len()];
        old
    }
    fn undo(&self, state: &mut At, old: At) {
        *state = old;
    }
    fn payoff(&self, state: &At, _: Player) -> Payoff {
        state.earned
    }
    fn max_payoff(&self) -> Payoff {
        100 * self.depth as Payoff
    }
    fn payoff_sum(&self) -> Option<Payoff> {
        None
    }
}

impl Key for Edges {
    fn key(&self, state: &At) -> u64 {
        state.number as u64
    }
}

impl MoveIndex for Edges {
    fn move_indices(&self) -> usize {
        3
    }
    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }
}

impl OnePlayer for Edges {
    fn earned(&self, state: &At) -> Payoff {
        state.earned
    }
    fn most(&self, state: &At) -> Payoff {
        state.earned + 100 * (self.depth - state.moves.len()) as Payoff
    }
}

struct Earned;

impl Knowledge<Edges> for Earned {
    fn evaluate(&self, game: &Edges, state: &At, _: Player) -> i32 {
        (i64::from(state.earned) * i64::from(CERTAIN) / i64::from(game.max_payoff())) as i32
    }
}

const SPMCTS: SpMctsConfig = SpMctsConfig {
    exploration: 500.0,
    deviation: 1000.0,
    threshold: 3,
    top: 0.1,
    top_score: TopScore::Share,
    restarts: 1,
    per_move: 0,
    tree: 100_000,
    seed: 1,
};

fn searches() -> Vec<(&'static str, Box<dyn Seek<Edges>>)> {
    let nested = NestedConfig { level: 2, seed: 1 };
    let nrpa = NrpaConfig {
        level: 2,
        iterations: 30,
        playouts: 2,
        step: 1.0,
        bias: true,
        repeats: 0,
        seed: 1,
    };
    let beam = BeamConfig {
        width: 8,
        factor: 2.0,
        playouts: 0,
        mean: false,
        noise: 0.0,
        threads: 2,
        seed: 1,
    };
    let played_out = BeamConfig {
        playouts: 2,
        ..beam
    };
    let by_mean = BeamConfig {
        mean: true,
        ..played_out
    };
    let restarts = SpMctsConfig {
        restarts: 4,
        ..SPMCTS
    };
    let per_move = SpMctsConfig {
        per_move: 6,
        ..SPMCTS
    };
    vec![
        ("spmcts", Box::new(SpMcts::new(SPMCTS, Uniform))),
        ("restarts", Box::new(SpMcts::new(restarts, Uniform))),
        ("per move", Box::new(SpMcts::new(per_move, Uniform))),
        ("nested", Box::new(Nested::new(nested, Uniform))),
        ("nrpa", Box::new(Nrpa::new(nrpa, Uniform))),
        ("beam", Box::new(Beam::new(beam, Earned, Uniform))),
        (
            "beam by playouts",
            Box::new(Beam::new(played_out, Earned, Uniform)),
        ),
        (
            "beam by means",
            Box::new(Beam::new(by_mean, Earned, Uniform)),
        ),
    ]
}

fn seek(search: &mut dyn Seek<Edges>, game: &Edges, nodes: u64) -> Found<u8> {
    let mut told: Vec<Payoff> = Vec::new();
    let start = game.start();
    let situation = Situation {
        game,
        state: &start,
        path: &Path::new(),
    };
    let found = search.seek(situation, &Limits::nodes(nodes), &mut |payoff, _, _| {
        told.push(payoff);
    });
    assert!(told.is_sorted_by(|one, next| one < next), "{told:?}");
    assert_eq!(told.last().copied().unwrap_or(0), found.payoff);
    found
}

fn replay(game: &Edges, line: &[u8]) -> Payoff {
    let mut state = game.start();
    for &mv in line {
        game.play(&mut state, mv);
    }
    assert_eq!(game.turn(&state), Turn::Over);
    state.earned
}

#[test]
fn every_search_finds_the_best_leaf_of_a_small_tree() {
    for seed in 0..5 {
        let game = Edges::new(6, seed);
        let optimum = game.optimum(&game.start());
        for (name, mut search) in searches() {
            let found = seek(search.as_mut(), &game, 60_000);
            assert_eq!(found.payoff, optimum, "{name}, tree {seed}");
            assert_eq!(replay(&game, &found.line), optimum, "{name}");
            assert!(found.nodes <= 60_000, "{name}: {}", found.nodes);
        }
    }
}

#[test]
fn budgets_are_kept_and_runs_replay() {
    let game = Edges::new(9, 3);
    for (name, mut search) in searches() {
        for nodes in [0, 1, 2, 1_000] {
            search.reseed(Seed::new(nodes));
            let one = seek(search.as_mut(), &game, nodes);
            search.reseed(Seed::new(nodes));
            let other = seek(search.as_mut(), &game, nodes);
            assert_eq!(one, other, "{name}");
            assert!(one.nodes <= nodes, "{name}: {} of {nodes}", one.nodes);
            if !one.line.is_empty() {
                assert_eq!(replay(&game, &one.line), one.payoff, "{name}");
            }
        }
    }
}

/// On one thread root parallelism is the search itself; on two both halves of the budget are used.
#[test]
fn parallel_searches_share_a_budget() {
    let game = Edges::new(9, 4);
    let run = |threads| {
        let make = || SpMcts::new(SPMCTS, Uniform);
        let mut search = Parallel::new::<Edges>(threads, Seed::new(1), make);
        seek(&mut search, &game, 2_001)
    };
    let mut alone = SpMcts::new(SPMCTS, Uniform);
    assert_eq!(run(1), seek(&mut alone, &game, 2_001));
    assert_eq!(run(2), run(2));
    assert_eq!(run(2).nodes, 2_001);
}

/// Where every line pays the most that is possible, the first one ends the search.
#[test]
fn nothing_is_sought_beyond_the_best_possible() {
    let game = Edges {
        depth: 4,
        points: vec![100; 243],
    };
    for (name, mut search) in searches() {
        let found = seek(search.as_mut(), &game, 100_000);
        assert!(found.proved, "{name}");
        assert!(found.nodes < 1_000, "{name}: {}", found.nodes);
    }
}

/// A player never earns less than the line it has found at first.
#[test]
fn a_player_keeps_its_best_line() {
    let game = Edges::new(8, 5);
    for (name, search) in searches() {
        let mut engine = Follow::new(search, Seed::new(1));
        let mut state = game.start();
        let mut promised = None;
        while game.turn(&state) != Turn::Over {
            let situation = Situation {
                game: &game,
                state: &state,
                path: &Path::new(),
            };
            let choice = engine.choose(situation, &Limits::nodes(200));
            assert!(choice.value >= promised, "{name}");
            promised = choice.value;
            game.play(&mut state, choice.best.unwrap());
        }
        let earned = f64::from(state.earned) / f64::from(game.max_payoff());
        assert_eq!(promised, Some(earned), "{name}");
    }
}

/// Every improvement is reported, the last of them is the choice, and playouts are counted where
/// nodes are playouts.
#[test]
fn players_report_their_improvements() {
    let game = Edges::new(6, 3);
    let (state, path) = (game.start(), Path::new());
    for (name, search) in searches() {
        let mut player = Follow::new(search, Seed::new(1));
        let (mut values, mut nodes, mut line) = (Vec::new(), Vec::new(), Vec::new());
        let mut tell = |report: &crate::Report<'_, u8>| {
            values.extend(report.value);
            nodes.push(report.nodes);
            line = report.line.to_vec();
        };
        let situation = Situation {
            game: &game,
            state: &state,
            path: &path,
        };
        let counts = Engine::<Edges>::counts_playouts(&player);
        let limits = match counts {
            true => Limits::playouts(600),
            false => Limits::nodes(600),
        };
        let mut listener = crate::Listener::new(1, &mut tell);
        let past = crate::Past::none(&state);
        let choice = player.choose_reporting(past, situation, &limits, &mut listener);
        assert!(choice.nodes <= 600, "{name}");
        assert!(
            values.len() > 1 && values.is_sorted() && nodes.is_sorted(),
            "{name}"
        );
        assert_eq!(
            (values.last(), &line),
            (choice.value.as_ref(), &choice.line),
            "{name}"
        );
        assert!(nodes.iter().all(|&nodes| nodes <= choice.nodes), "{name}");
    }
}
