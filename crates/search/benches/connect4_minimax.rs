//! Connect Four on seven columns and six rows, from the empty board to the same depth: this
//! search against the iterative search of the crate `minimax`, both with one thread, a table of the
//! same size, the same rules and the same evaluation. The ratios of the times are printed last.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use minimax::{Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};
use tabia_alignment::connect4::{Connect4, Drop, State, Threats};
use tabia_game::{Game, Key, Knowledge, Limits, MoveIndex, Path, Player, Turn};
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::{Choice, Engine, Situation};

const DEPTH: u8 = 14;
const TABLE: usize = 16 << 20;

/// Sixteen bits must hold the peer's evaluations.
const SCALE: i32 = 32;

#[derive(Clone, Copy)]
struct Board {
    game: &'static Connect4<u64>,
    state: State<u64>,
}

struct Peer;

impl minimax::Game for Peer {
    type S = Board;
    type M = Drop;

    fn generate_moves(board: &Board, moves: &mut Vec<Drop>) -> Option<Winner> {
        board.game.moves(&board.state, moves);
        Self::get_winner(board)
    }
    fn apply(board: &mut Board, mv: Drop) -> Option<Board> {
        let mut next = *board;
        next.game.play(&mut next.state, mv);
        Some(next)
    }
    fn get_winner(board: &Board) -> Option<Winner> {
        if board.game.turn(&board.state) != Turn::Over {
            return None;
        }
        // Whoever has not moved last sees the payoff with the opposite sign.
        match board.game.payoff(&board.state, Player::FIRST) {
            0 => Some(Winner::Draw),
            _ => Some(Winner::PlayerJustMoved),
        }
    }
    fn zobrist_hash(board: &Board) -> u64 {
        board.game.key(&board.state)
    }
    fn table_index(mv: Drop) -> u16 {
        GAME.with(|game| game.move_index(mv) as u16)
    }
    fn max_table_index() -> u16 {
        6
    }
}

thread_local! {
    static GAME: &'static Connect4<u64> = game();
}

struct PeerEvaluation;

impl Evaluator for PeerEvaluation {
    type G = Peer;

    fn evaluate(&self, board: &Board) -> i16 {
        let Turn::Player(mover) = board.game.turn(&board.state) else {
            return 0;
        };
        (Threats.evaluate(board.game, &board.state, mover) / SCALE) as i16
    }
}

fn game() -> &'static Connect4<u64> {
    Box::leak(Box::new(Connect4::new(7, 6, 4).expect("the usual board")))
}

fn ours(game: &Connect4<u64>, options: &str) -> Choice<Drop> {
    let mut path = Path::new();
    let state = game.start();
    path.push(game.key(&state));
    let config = preset("pvs").and_then(|preset| preset.configure(options).ok());
    let mut engine = AlphaBeta::new(config.expect("known options"), Threats);
    engine.choose(
        Situation {
            game,
            state: &state,
            path: &path,
        },
        &Limits::depth(u32::from(DEPTH)),
    )
}

fn theirs(game: &'static Connect4<u64>, options: IterativeOptions) -> (Option<Drop>, i16) {
    let mut search = IterativeSearch::new(PeerEvaluation, options.with_table_byte_size(TABLE));
    search.set_max_depth(DEPTH);
    let best = search.choose_move(&Board {
        game,
        state: game.start(),
    });
    (best, search.root_value())
}

/// The peer's options that matter here; its default is the first.
fn variants() -> [(&'static str, IterativeOptions); 4] {
    let plain = IterativeOptions::new();
    [
        ("default", plain),
        ("countermoves", plain.with_countermoves()),
        ("countermove history", plain.with_countermove_history()),
        ("mtdf", plain.with_mtdf()),
    ]
}

fn best_time(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let started = Instant::now();
        run();
        started.elapsed()
    };
    (0..5).map(time).min().unwrap_or_default()
}

fn compare(criterion: &mut Criterion) {
    let game = game();
    let options = format!("table={TABLE}");
    // Both must find the same value; grafting deeper entries would make it another search.
    let exact = ours(game, &format!("{options},graft=off,distances=off"));
    let (_, value) = theirs(game, IterativeOptions::new());
    println!(
        "value at depth {DEPTH}: {} here, {} there",
        exact.value.unwrap_or_default(),
        f64::from(value) * 32e-6
    );

    let mut group = criterion.benchmark_group("connect4 depth 14");
    group.sample_size(10);
    group.bench_function("tabia", |b| b.iter(|| ours(game, &options)));
    for (name, variant) in variants() {
        group.bench_function(format!("minimax {name}"), |b| {
            b.iter(|| theirs(game, variant))
        });
    }
    group.finish();

    let here = best_time(|| {
        ours(game, &options);
    });
    for (name, variant) in variants() {
        let there = best_time(|| {
            theirs(game, variant);
        });
        println!(
            "ratio: minimax ({name}) {there:?} / tabia {here:?} = {:.2}",
            there.as_secs_f64() / here.as_secs_f64()
        );
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
