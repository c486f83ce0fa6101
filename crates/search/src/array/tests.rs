//! The array against plain minimax, on Toads-and-Frogs as small as a pond.

use super::*;
use crate::alphabeta::{self, AlphaBeta};
use tabia_combinatorial::Strip;
use tabia_combinatorial::toads::Toads;
use tabia_game::{Combinatorial, LastMover, Path, Text, Uninformed};

const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";
const CONFIG: Config = Config {
    start: 5,
    playouts: 20,
    threads: 1,
    seed: 7,
};

type Pond = LastMover<Toads>;

fn pond(text: &str) -> Pond {
    LastMover::new(Toads, Toads.parse_position(text).unwrap())
}

/// Moves by the stones that make them, from the left, as texts tell.
struct Stones;

impl Stones {
    fn moves(game: &Pond, strip: &Strip, player: Player) -> Vec<<Toads as Combinatorial>::Move> {
        let mut moves = Vec::new();
        game.rules().moves(strip, player, &mut moves);
        moves
    }
}

impl Numbering<Pond> for Stones {
    fn numbers(&self, _: &Pond, state: &<Pond as Game>::State) -> usize {
        let text = Toads.position_text(state.position());
        let count = |stone| text.chars().filter(|&c| c == stone).count();
        count('T').max(count('F'))
    }

    fn numbered(
        &self,
        game: &Pond,
        state: &<Pond as Game>::State,
        number: usize,
    ) -> Option<<Toads as Combinatorial>::Move> {
        let Turn::Player(player) = game.turn(state) else {
            return None;
        };
        let strip = state.position();
        let stone = if player == Player::FIRST { 'T' } else { 'F' };
        let text = Toads.position_text(strip);
        let mut cells = text.char_indices().filter(|&(_, c)| c == stone);
        let cell = tabia_game::grid::file_letter(cells.nth(number)?.0);
        let from = format!("{cell}1-");
        let moves = Stones::moves(game, strip, player);
        let made = |&mv: &_| Toads.move_text(strip, player, mv).starts_with(&from);
        moves.into_iter().find(made)
    }

    fn mobility(&self, game: &Pond, state: &<Pond as Game>::State) -> usize {
        let of = |player| Stones::moves(game, state.position(), player).len();
        of(Player::FIRST) + of(Player::SECOND)
    }
}

fn ask<E: Engine<Pond>>(
    engine: &mut E,
    game: &Pond,
    state: &<Pond as Game>::State,
    limits: &Limits,
) -> Choice<<Toads as Combinatorial>::Move> {
    let path = Path::new();
    engine.choose(
        Situation {
            game,
            state,
            path: &path,
        },
        limits,
    )
}

/// Sizes for seven pieces, the indices of level 2, and round trips.
#[test]
fn wieczorek_array_sizes() {
    let layout = TreeLayout::new(7);
    assert_eq!(layout.size(5), Some(19_608));
    assert_eq!(layout.size(8), Some(6_725_601));
    assert_eq!(layout.level(2), Some(8..57));
    assert_eq!(layout.level(0), Some(0..1));
    assert_eq!(layout.parent(0), None);
    for index in 0..1000 {
        for number in 0..7 {
            let child = layout.child(index, number);
            assert_eq!(layout.parent(child), Some((index, number)));
        }
    }
    // Sizes that nobody could store are not begun.
    assert_eq!(TreeLayout::new(usize::MAX).size(2), None);
    assert!(
        TreeLayout::new(40)
            .size(TreeLayout::new(40).fitting(20))
            .unwrap()
            <= MAX_ENTRIES
    );
    assert_eq!(TreeLayout::new(0).fitting(5), 5);
}

/// Five plies at the start, where both sides together have 14 moves.
#[test]
fn wieczorek_depth_schedule() {
    let depths = [14, 12, 11, 8, 7, 6, 0].map(|moves| CONFIG.depth(moves));
    assert_eq!(depths, [5, 5, 6, 6, 7, 8, 8]);
}

/// Minimax that plays and takes back, and asks for leaves by the index that it has counted up
/// to.
fn minimax(
    filling: &Filling<'_, Pond, Stones>,
    state: &mut <Pond as Game>::State,
    index: usize,
    depth: u32,
) -> i32 {
    let game = filling.game;
    let Turn::Player(player) = game.turn(state) else {
        return game.payoff(state, Player::FIRST) * WON;
    };
    if depth == 0 {
        return filling.leaf(index, state);
    }
    let values: Vec<i32> = (0..7)
        .filter_map(|number| {
            let mv = Stones.numbered(game, state, number)?;
            let token = game.play(state, mv);
            let value = minimax(filling, state, 7 * index + 1 + number, depth - 1);
            game.undo(state, token);
            Some(value)
        })
        .collect();
    let best = match player {
        Player::FIRST => values.into_iter().max(),
        _ => values.into_iter().min(),
    };
    best.unwrap()
}

#[test]
fn the_array_holds_what_minimax_finds() {
    let texts = [
        (START, "x"),
        (START, "o"),
        ("TT.T.FTFT...F.F.FF", "o"),
        ("T.TFTF.TTFF.T..FTF", "x"),
        ("TT.FF", "x"),
    ];
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    for (text, side) in texts {
        let game = pond(text);
        let mut state = game.parse_position(&format!("{text} {side}")).unwrap();
        for depth in 0..=4 {
            let limits = Limits::default();
            let root = state.clone();
            let filling = Filling {
                game: &game,
                numbering: &Stones,
                root: &root,
                layout: TreeLayout::new(7),
                depth,
                playouts: 4,
                luck: Seed::new(3),
                limits: &limits,
                deadline: None,
                spent: AtomicU64::new(0),
                leaves: AtomicU64::new(0),
                next: AtomicU64::new(0),
                stopped: AtomicBool::new(false),
            };
            let (mut alone, mut together) = (Vec::new(), Vec::new());
            filling.fill(&mut alone, None).unwrap();
            filling.fill(&mut together, Some(&pool)).unwrap();
            assert_eq!(alone, together, "{text} {side}, depth {depth}");
            let expected = minimax(&filling, &mut state, 0, depth);
            assert_eq!(alone[0], expected, "{text} {side}, depth {depth}");
        }
    }
}

/// Where the array reaches the end of the game it knows who wins, as minimax does.
#[test]
fn the_end_of_the_game_is_exact() {
    let config = alphabeta::preset("minimax").unwrap().configure("").unwrap();
    for text in ["TT.FF", "T.TF.FF", "TTT.F", "T.F.T", "TF.TF.F", "TT..F"] {
        for side in ["x", "o"] {
            let game = pond(text);
            let state = game.parse_position(&format!("{text} {side}")).unwrap();
            let array = ask(
                &mut Array::new(CONFIG, Stones),
                &game,
                &state,
                &Limits::default(),
            );
            let mut minimax = AlphaBeta::new(config.clone(), Uninformed);
            let exact = ask(&mut minimax, &game, &state, &Limits::depth(30));
            if game.turn(&state) != Turn::Over && array.solved {
                assert_eq!(array.value, exact.value, "{text} {side}");
            }
            assert!(
                array.solved || array.best.is_none() || text.len() > 6,
                "{text}"
            );
        }
    }
}

#[test]
fn limits_are_kept_and_threads_do_not_matter() {
    let game = pond(START);
    let state = game.start();
    for nodes in [0, 1, 5_000, 200_000] {
        let answers = [1, 3].map(|threads| {
            let config = Config { threads, ..CONFIG };
            ask(
                &mut Array::new(config, Stones),
                &game,
                &state,
                &Limits::nodes(nodes),
            )
        });
        assert_eq!(
            (answers[0].best, answers[0].value, answers[0].depth),
            (answers[1].best, answers[1].value, answers[1].depth),
            "{nodes}"
        );
        assert!(answers[0].best.is_some());
    }
    let cancelled = Limits::default();
    cancelled.cancel.cancel();
    let stopped = ask(&mut Array::new(CONFIG, Stones), &game, &state, &cancelled);
    assert_eq!((stopped.depth, stopped.value), (0, None));
}

#[test]
fn a_finished_game_has_no_move() {
    let game = pond("FT");
    let strip: Strip = Toads.parse_position("FT").unwrap();
    let state = game.standing(strip, Player::FIRST);
    let choice = ask(
        &mut Array::new(CONFIG, Stones),
        &game,
        &state,
        &Limits::default(),
    );
    assert_eq!(choice.best, None);
}
