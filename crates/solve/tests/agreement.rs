//! All ways to a value agree: proof-number search in one level and in two, depth-first proof-number
//! search, alpha-beta and retrograde analysis, position by position.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use tabia_game::{
    Cancel, Game, Indexed, Key, Knowledge, Limits, Path, Player, Retro, Symmetric, Turn,
    Uninformed, Wdl,
};
use tabia_games::dao::Dao;
use tabia_games::fanorona::{self, Fanorona, Material};
use tabia_search::alphabeta::{AlphaBeta, Searchable, preset};
use tabia_search::{Engine, Situation};
use tabia_solve::best_first::{Pn, Pn2, Solvable};
use tabia_solve::dfpn::Dfpn;
use tabia_solve::{Attack, Prover, Settled, Status};
use tabia_tables::retrograde::{Solved, solve_all};
use tabia_tables::{Kept, Value};

fn wins(attacker: Player) -> Attack {
    Attack {
        attacker,
        at_least: 1,
    }
}

fn solved<G: Retro>(game: &G, slices: &[G::Slice]) -> Solved<G> {
    let cancel = Cancel::default();
    solve_all(game, slices, Kept::Distance, 1 << 32, &cancel, &|_| {}).unwrap()
}

/// Whether the attack of each side succeeds, by the value for the player to move.
fn expected(value: Value, mover: Player, attacker: Player) -> Status {
    let winner = match value.wdl {
        Wdl::Win => Some(mover),
        Wdl::Loss => Some(mover.other()),
        Wdl::Draw => None,
    };
    Status::of(winner == Some(attacker))
}

/// Everything that can arise from the start, the start first.
fn reachable<G: Key>(game: &G) -> Vec<G::State> {
    let mut seen = HashSet::from([game.key(&game.start())]);
    let mut all = vec![game.start()];
    let (mut next, mut moves) = (0, Vec::new());
    while let Some(state) = all.get(next).cloned() {
        next += 1;
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            if seen.insert(game.key(&child)) {
                all.push(child);
            }
        }
    }
    all
}

fn check_dfpn<G: Solvable + Indexed>(game: &G, values: &Solved<G>, positions: &[G::State]) {
    let mut dfpn = Dfpn::new(1 << 28, 1);
    for state in positions {
        let Turn::Player(mover) = game.turn(state) else {
            continue;
        };
        let value = values.value(game, state).unwrap();
        for attacker in [mover, mover.other()] {
            let proof = dfpn.prove(game, state, wins(attacker), &(), &Limits::default());
            assert_eq!(proof.status, expected(value, mover, attacker), "{state:?}");
        }
    }
}

/// Decided positions are proved to the end. A drawn position has no finite proof tree without
/// transpositions in a game that can go round for ever: there the table answers for the positions
/// two plies on.
fn check_trees<G: Solvable + Indexed>(game: &G, values: &Solved<G>, positions: &[G::State]) {
    for state in positions {
        let Turn::Player(mover) = game.turn(state) else {
            continue;
        };
        let value = values.value(game, state).unwrap();
        let beyond = Beyond::new(game, values, state, 2);
        for attacker in [mover, mover.other()] {
            let wanted = expected(value, mover, attacker);
            let limits = Limits::nodes(2_000_000);
            let ask = |pn: &mut dyn FnMut() -> Status| assert_eq!(pn(), wanted, "{state:?}");
            let attack = wins(attacker);
            if value.wdl == Wdl::Draw {
                ask(&mut || {
                    Pn::default()
                        .prove(game, state, attack, &beyond, &limits)
                        .status
                });
                ask(&mut || {
                    Pn2::default()
                        .prove(game, state, attack, &beyond, &limits)
                        .status
                });
            } else {
                ask(&mut || {
                    Pn::default()
                        .prove(game, state, attack, &(), &limits)
                        .status
                });
                ask(&mut || {
                    Pn2::default()
                        .prove(game, state, attack, &(), &limits)
                        .status
                });
            }
        }
    }
}

/// The values of all positions that are not among the first plies.
struct Beyond<'a, G: Indexed> {
    values: &'a Solved<G>,
    near: HashSet<u64>,
}

impl<'a, G: Indexed + Key> Beyond<'a, G> {
    fn new(game: &G, values: &'a Solved<G>, root: &G::State, plies: u32) -> Beyond<'a, G> {
        let mut near = HashSet::new();
        let mut layer = vec![root.clone()];
        for _ in 0..plies {
            let mut next = Vec::new();
            for state in &layer {
                near.insert(game.key(state));
                let mut moves = Vec::new();
                game.moves(state, &mut moves);
                next.extend(moves.into_iter().map(|mv| {
                    let mut child = state.clone();
                    game.play(&mut child, mv);
                    child
                }));
            }
            layer = next;
        }
        Beyond { values, near }
    }
}

impl<G: Indexed + Key> Settled<G> for Beyond<'_, G> {
    fn value(&self, game: &G, state: &G::State) -> Option<Wdl> {
        let far = !self.near.contains(&game.key(state));
        far.then(|| self.values.value(game, state))
            .flatten()
            .map(|value| value.wdl)
    }
}

/// Alpha-beta to the depth at which a win or a loss ends finds it and its length; one ply less does
/// not. A drawn position stays undecided at any depth.
fn check_alphabeta<G: Searchable + Indexed, K: Knowledge<G> + Copy>(
    game: &G,
    knowledge: K,
    values: &Solved<G>,
    positions: &[G::State],
) {
    let mut config = preset("pvs").unwrap().configure("graft=off").unwrap();
    config.table = 1 << 24;
    let mut engine = AlphaBeta::new(config, knowledge);
    for state in positions {
        if game.turn(state) == Turn::Over {
            continue;
        }
        let value = values.value(game, state).unwrap();
        let mut path = Path::new();
        path.push(game.key(state));
        let mut search = |depth: u32| {
            engine.new_game(tabia_game::Seed::new(0));
            let path = &path;
            engine.choose(Situation { game, state, path }, &Limits::depth(depth))
        };
        match value.plies {
            Some(plies) => {
                let choice = search(u32::from(plies).max(1));
                assert!(choice.solved, "{state:?}");
                assert_eq!(choice.plies, Some(u32::from(plies)), "{state:?}");
                assert_eq!(
                    choice.value.unwrap() > 0.0,
                    value.wdl == Wdl::Win,
                    "{state:?}"
                );
            }
            None => assert_eq!(search(3).plies, None, "{state:?}"),
        }
    }
}

fn every<T: Clone>(positions: &[T], step: usize) -> Vec<T> {
    positions.iter().step_by(step).cloned().collect()
}

/// One position of each class under the symmetries of the board, White to move.
fn classes() -> Vec<<Dao as Game>::State> {
    let of_slice = |slice| {
        let places = 0..Dao.slice_len(slice).unwrap();
        places.map(move |index| Dao.position_at(slice, index))
    };
    let all = Dao.slices().into_iter().flat_map(of_slice);
    all.filter(|state| Dao.canonical(state) == *state).collect()
}

fn agree_on_dao(step: usize) {
    let values = solved(&Dao, &Dao.slices());
    let all = classes();
    assert_eq!(all.len(), 113_028);
    let some = every(&all, step);
    check_dfpn(&Dao, &values, &some);
    check_trees(&Dao, &values, &some);
    check_alphabeta(&Dao, Uninformed, &values, &some);
}

#[test]
fn dao_every_thousandth_class() {
    agree_on_dao(1_009);
}

#[test]
#[ignore = "about ten minutes"]
fn dao_every_class() {
    agree_on_dao(1);
}

/// How many positions there are in which both sides have pieces, if the player to move always counts
/// as White.
fn up_to_colours(all: &[fanorona::State<u64>]) -> usize {
    let pieces = all.iter().map(|state| (state.own(), state.enemy()));
    let going_on = pieces.filter(|&(own, enemy)| own != 0 && enemy != 0);
    going_on.collect::<HashSet<_>>().len()
}

/// A board of Schadd (2011), table 4.4, with the number of positions that can arise and the length of
/// White's win: figures computed independently.
struct Board {
    rows: usize,
    columns: usize,
    positions: usize,
    plies: u16,
}

const BOARDS: [Board; 3] = [
    Board {
        rows: 3,
        columns: 3,
        positions: 623,
        plies: 11,
    },
    Board {
        rows: 3,
        columns: 5,
        positions: 316_193,
        plies: 11,
    },
    Board {
        rows: 5,
        columns: 3,
        positions: 133_731,
        plies: 13,
    },
];

fn agree_on_fanorona(board: &Board, step: usize) {
    let game = Fanorona::<u64>::new(board.rows, board.columns).unwrap();
    let start = game.start();
    let (slice, _) = game.locate(&start).unwrap();
    let values = solved(&game, &[slice]);
    assert_eq!(values.value(&game, &start), Some(Value::win(board.plies)));
    let all = reachable(&game);
    assert_eq!(up_to_colours(&all), board.positions);
    check_dfpn(&game, &values, &every(&all, step.div_ceil(10)));
    check_trees(&game, &values, &every(&all, step));
    check_alphabeta(&game, Material, &values, &every(&all, step));
}

#[test]
fn schadd_table_4_4_board_3x3_every_position() {
    agree_on_fanorona(&BOARDS[0], 1);
}

#[test]
fn schadd_table_4_4_board_3x5_every_thousandth_position() {
    agree_on_fanorona(&BOARDS[1], 1_009);
}

#[test]
fn schadd_table_4_4_board_5x3_every_thousandth_position() {
    agree_on_fanorona(&BOARDS[2], 1_009);
}

#[test]
#[ignore = "about ten minutes"]
fn schadd_table_4_4_board_3x5_every_position() {
    agree_on_fanorona(&BOARDS[1], 1);
}
