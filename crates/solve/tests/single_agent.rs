//! Searches for one player agree with each other, with plain search, and with what is known of the
//! puzzles.

#[path = "../../families/puzzles/tests/support/plain_morpion.rs"]
mod plain_morpion;
#[path = "../../families/puzzles/tests/support/plain_samegame.rs"]
mod plain_samegame;
mod puzzles;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use plain_morpion::PlainMorpion;
use proptest::prelude::*;
use puzzles::{Eight, Gaps, Program};
use tabia_game::{Game, Limits, MoveIndex, OnePlayer, Payoff, Player, Seed, Turn};
use tabia_puzzles::morpion::{self, Morpion, Variant, pentasol};
use tabia_puzzles::samegame::SameGame;
use tabia_solve::single_agent::{BranchAndBound, DepthFirst, Found, a_star, ida_star};

const TABLE: usize = 1 << 16;
/// Large enough that no two of the positions of an ending meet in one slot.
const LARGE: usize = 1 << 24;
/// Room for all positions of a program.
const SMALL: usize = 1 << 8;

/// The payoff of the game that a search has found.
fn replayed<G: OnePlayer>(game: &G, state: &G::State, found: &Found<G::Move>) -> Option<Payoff> {
    let mut state = state.clone();
    let mut moves = Vec::new();
    for &mv in &found.line {
        moves.clear();
        game.moves(&state, &mut moves);
        assert!(moves.contains(&mv), "{mv:?} is not legal");
        game.play(&mut state, mv);
    }
    (game.turn(&state) == Turn::Over).then(|| game.payoff(&state, Player::FIRST))
}

/// All positions that can arise, and the best payoff: breadth first, by equality of positions.
fn everything<G: Game>(game: &G, start: &G::State) -> (Vec<G::State>, Option<Payoff>)
where
    G::State: std::hash::Hash,
{
    let mut seen = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([start.clone()]);
    let (mut all, mut best) = (Vec::new(), None);
    while let Some(state) = open.pop_front() {
        if game.turn(&state) == Turn::Over {
            best = best.max(Some(game.payoff(&state, Player::FIRST)));
        }
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        for mv in moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            if seen.insert(child.clone()) {
                open.push_back(child);
            }
        }
        all.push(state);
    }
    (all, best)
}

fn program(cyclic: bool) -> impl Strategy<Value = Program> {
    let statement = |values: u8| (0..puzzles::REGISTERS, 0..values, 0..puzzles::REGISTERS);
    (2u8..4).prop_flat_map(move |values| {
        proptest::collection::vec(statement(values), 1..9).prop_map(move |statements| Program {
            values,
            cyclic,
            statements,
            target: None,
        })
    })
}

/// The same program, but no game pays anything.
fn worthless(game: &Program) -> Program {
    Program {
        target: Some([u8::MAX; puzzles::REGISTERS]),
        ..game.clone()
    }
}

fn depth_first<G>(search: DepthFirst, game: &G) -> Found<G::Move>
where
    G: OnePlayer + MoveIndex,
{
    let found = search.search(game, &game.start(), &Limits::default());
    assert!(found.proved);
    assert_eq!(replayed(game, &game.start(), &found), found.payoff);
    found
}

proptest! {
    /// Without cycles: what is found, and how many nodes are visited.
    #[test]
    fn incremental_transpositions_lose_nothing(game in program(false)) {
        let (all, best) = everything(&game, &game.start());
        let positions = all.len() as u64;
        // Once as it is, and once without any payoffs, so that no two positions meet in a slot of
        // the table.
        for (best, game) in [(best, game.clone()), (Some(0), worthless(&game))] {
            let plain = depth_first(DepthFirst::plain(), &game);
            let table = depth_first(DepthFirst::plain().table(SMALL), &game);
            let incremental = depth_first(DepthFirst::incremental(), &game);
            let both = depth_first(DepthFirst::incremental().table(SMALL), &game);
            let tiny = depth_first(DepthFirst::incremental().table(4), &game);
            for found in [&plain, &table, &incremental, &both, &tiny] {
                prop_assert_eq!(found.payoff, best);
            }
            prop_assert!(plain.nodes >= incremental.nodes && incremental.nodes >= tiny.nodes);
            prop_assert!(tiny.nodes >= positions);
            if game.target.is_some() {
                prop_assert_eq!((table.nodes, both.nodes), (positions, positions));
            }
            for search in [DepthFirst::plain(), DepthFirst::incremental()] {
                let found = depth_first(search.growing_table(), &game);
                prop_assert_eq!((found.payoff, found.nodes), (best, positions));
            }
        }
        let incremental = depth_first(DepthFirst::incremental(), &game);
        let threads = depth_first(DepthFirst::incremental().threads(3), &game);
        prop_assert_eq!((threads.payoff, threads.nodes), (best, incremental.nodes));
        let threads = depth_first(DepthFirst::incremental().table(16).threads(2), &game);
        prop_assert_eq!(threads.payoff, best);
    }

    /// With cycles: every single position that ends the game is found when only this one pays.
    #[test]
    fn incremental_transpositions_lose_nothing_on_cycles(game in program(true)) {
        let (all, _) = everything(&game, &game.start());
        let ends = all.iter().filter(|state| game.turn(state) == Turn::Over);
        for &target in ends {
            let game = Program { target: Some(target), ..game.clone() };
            let search = DepthFirst::incremental().cyclic();
            for search in [search.table(SMALL), search.table(SMALL).threads(2)] {
                let found = depth_first(search, &game);
                prop_assert_eq!(found.payoff, Some(1), "{:?}", target);
            }
        }
        let (_, best) = everything(&game, &game.start());
        let nothing = worthless(&game);
        let nodes = depth_first(DepthFirst::plain().cyclic().table(SMALL), &nothing).nodes;
        prop_assert_eq!(nodes, all.len() as u64);
        let found = depth_first(DepthFirst::incremental().cyclic().table(SMALL), &nothing);
        prop_assert!(found.nodes <= 2 * all.len() as u64);
        let search = BranchAndBound::new(SMALL);
        let bounded = search.search(&game, &game.start(), &Limits::default(), &mut |_| ());
        prop_assert_eq!((bounded.payoff, bounded.proved), (best, true));
        let star = a_star(&game, &game.start(), SMALL, &Limits::default());
        prop_assert_eq!((star.payoff, star.proved), (best, true));
    }

    /// Without a table, on cycles, where the path alone must do.
    #[test]
    fn the_path_is_enough_to_end(game in program(true)) {
        let (all, best) = everything(&game, &game.start());
        prop_assume!(all.len() < 14);
        let plain = DepthFirst::plain().cyclic();
        let incremental = DepthFirst::incremental().cyclic();
        for search in [plain, incremental, plain.table(4), incremental.table(4)] {
            prop_assert_eq!(depth_first(search, &game).payoff, best);
        }
    }
}

/// A deal of four suits with four ranks: 160 positions, 236 nodes without a table, 33,217 without
/// anything.
#[test]
fn gaps_of_four_ranks() {
    let game = Gaps::read("3S 3D -- 3C / 3H 2H 4S -- / 4H 4D 4C 2S / -- 2C 2D --");
    let nodes = |search| depth_first(search, &game).nodes;
    assert_eq!(nodes(DepthFirst::plain()), 33_217);
    assert_eq!(nodes(DepthFirst::incremental()), 236);
    assert_eq!(nodes(DepthFirst::plain().table(TABLE)), 160);
    assert_eq!(nodes(DepthFirst::incremental().table(TABLE)), 160);
    assert_eq!(nodes(DepthFirst::plain().growing_table()), 160);
    assert_eq!(nodes(DepthFirst::incremental().growing_table()), 160);
    let best = depth_first(DepthFirst::plain(), &game).payoff;
    assert_eq!(depth_first(DepthFirst::incremental(), &game).payoff, best);
}

/// The distinct positions of Morpion Solitaire by depth: no position is visited twice.
#[test]
fn morpion_positions_by_depth() {
    for (variant, counts) in [
        (
            Variant::FiveTouching,
            &[1u64, 28, 382, 3_368, 21_497, 105_596][..],
        ),
        (Variant::FiveDisjoint, &[1, 28, 374, 3_176, 19_281, 89_212]),
        (Variant::FourTouching, &[1, 40, 772, 9_696, 89_802, 656_064]),
        (
            Variant::FourDisjoint,
            &[1, 40, 764, 9_392, 84_226, 589_672, 3_356_492],
        ),
    ] {
        let game = Morpion::new(variant);
        let mut nodes = 0;
        for (depth, count) in (0..).zip(counts) {
            let limits = Limits::depth(depth);
            let found = DepthFirst::incremental()
                .threads(2)
                .search(&game, &game.start(), &limits);
            nodes += count;
            assert_eq!(
                (found.nodes, found.proved),
                (nodes, false),
                "{variant:?} {depth}"
            );
        }
    }
}

/// Our record of 153 moves; see the tests of `tabia-puzzles`.
const OWN: &str = include_str!("../../families/puzzles/tests/data/morpion-5t.psol");

/// The position after this many moves of a record.
fn after(text: &str, moves: usize) -> (Morpion, morpion::State) {
    let game = Morpion::new(Variant::FiveTouching);
    let (line, _) = pentasol::read(&game, text).expect("a record");
    let mut state = game.start();
    for &mv in &line[..moves] {
        game.play(&mut state, mv);
    }
    (game, state)
}

/// How many positions follow after this many moves of a record, and the most moves of a game, by
/// the plain implementation.
fn plain_ending(text: &str, moves: usize) -> (u64, Payoff) {
    let mut plain = PlainMorpion::new(5, true);
    for &line in &plain_morpion::read_pentasol(text)[..moves] {
        plain.play(line);
    }
    let counts = plain.positions(usize::MAX);
    let longest = moves + counts.len() - 1;
    (counts.iter().sum::<usize>() as u64, longest as Payoff)
}

/// Endings of our record: the search without a table visits each position once, and so as many as
/// the plain implementation counts.
#[test]
fn endings_of_our_record_agree_with_the_plain_implementation() {
    let mut largest = 0;
    for moves in [148, 143, 138, 133, 128, 123] {
        let (nodes, longest) = plain_ending(OWN, moves);
        largest = largest.max(nodes);
        let (game, state) = after(OWN, moves);
        for threads in [1, 2] {
            let search = DepthFirst::incremental().threads(threads);
            let found = search.search(&game, &state, &Limits::default());
            assert_eq!(
                (found.payoff, found.nodes),
                (Some(longest), nodes),
                "{moves}"
            );
            assert!(found.proved);
            assert_eq!(replayed(&game, &state, &found), Some(longest));
        }
        for search in [
            DepthFirst::plain().table(LARGE),
            DepthFirst::incremental().table(LARGE),
        ] {
            let found = search.search(&game, &state, &Limits::default());
            assert_eq!((found.payoff, found.nodes), (Some(longest), nodes));
        }
        let bounded = BranchAndBound::new(TABLE);
        let bounded = bounded.search(&game, &state, &Limits::default(), &mut |_| ());
        assert_eq!((bounded.payoff, bounded.proved), (Some(longest), true));
    }
    assert!(largest > 2_000, "only {largest} positions");
}

/// Boards of ours, whose best payoffs the plain implementation finds in the tests of
/// `tabia-puzzles`.
#[test]
fn exact_searches_solve_our_samegame_boards() {
    const BOARDS: &str = include_str!("../../families/puzzles/tests/data/samegame-6x6.txt");
    let game = SameGame::new(6, 6, 4).unwrap();
    let boards = game.boards(&plain_samegame::boards_of(BOARDS)).unwrap();
    let payoffs = plain_samegame::payoffs_of(BOARDS);
    assert_eq!((boards.len(), payoffs.len()), (12, 12));
    for (state, payoff) in boards.iter().zip(payoffs) {
        let none = Limits::default();
        for found in [
            BranchAndBound::new(TABLE).search(&game, state, &none, &mut |_| ()),
            a_star(&game, state, TABLE, &none),
        ] {
            assert_eq!((found.payoff, found.proved), (Some(payoff), true));
            assert_eq!(replayed(&game, state, &found), Some(payoff));
        }
    }
}

/// Bruneau's grid of 170 moves, in the folder that `TABIA_DATA` names.
fn bruneau() -> String {
    let folder = std::env::var_os("TABIA_DATA").expect("TABIA_DATA names the folder of records");
    let file = PathBuf::from(folder).join("morpion/bruneau.psol");
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn bruneau_endings(known: &[(usize, u64)]) {
    let text = bruneau();
    for &(moves, nodes) in known {
        let (game, state) = after(&text, moves);
        for threads in [1, 2] {
            let search = DepthFirst::incremental().threads(threads);
            let found = search.search(&game, &state, &Limits::default());
            assert_eq!(
                (found.payoff, found.nodes),
                (Some(170), nodes),
                "after {moves}"
            );
            assert!(found.proved);
            assert_eq!(replayed(&game, &state, &found), Some(170));
        }
    }
}

/// Nothing longer than 170 moves follows Bruneau's grid after this many moves, with as many
/// positions as the plain implementation counts.
#[test]
#[ignore = "needs the collection of Morpion records: \
            TABIA_DATA=FOLDER cargo test -p tabia-solve -- --ignored bruneau"]
fn bruneau_endings_are_optimal() {
    let text = bruneau();
    for moves in [160, 155, 150, 145, 140, 135] {
        let (nodes, longest) = plain_ending(&text, moves);
        assert_eq!(longest, 170);
        bruneau_endings(&[(moves, nodes)]);
    }
    let (game, state) = after(&text, 140);
    for search in [
        DepthFirst::plain().table(LARGE),
        DepthFirst::incremental().table(LARGE),
    ] {
        let found = search.search(&game, &state, &Limits::default());
        assert_eq!((found.payoff, found.nodes), (Some(170), 2_936));
    }
}

#[test]
#[ignore = "needs the collection of Morpion records: \
            TABIA_DATA=FOLDER cargo test -p tabia-solve -- --ignored bruneau"]
fn bruneau_deeper_endings_are_optimal() {
    bruneau_endings(&[(130, 268_911), (125, 1_065_712), (120, 6_597_732)]);
}

#[test]
#[ignore = "five seconds, and needs the collection of Morpion records: TABIA_DATA=FOLDER \
            tabia reproduce incremental-transpositions bruneau --scale full"]
fn bruneau_deepest_ending_is_optimal() {
    bruneau_endings(&[(115, 31_867_703)]);
}

/// The last moves of random games of the disjoint variant with lines of four dots, taken back and
/// played otherwise.
#[test]
fn morpion_endings_agree() {
    let game = Morpion::new(Variant::FourDisjoint);
    let none = Limits::default();
    for seed in 0..12 {
        let mut rng = Seed::new(seed).rng();
        let mut end = game.start();
        let plies = game.play_at_random(&mut end, u32::MAX, &mut Vec::new(), &mut rng);
        let mut rng = Seed::new(seed).rng();
        let mut state = game.start();
        game.play_at_random(
            &mut state,
            plies.saturating_sub(5),
            &mut Vec::new(),
            &mut rng,
        );
        let plain = DepthFirst::plain().search(&game, &state, &none);
        assert!(plain.proved && plain.payoff >= Some(plies as Payoff));
        for found in [
            DepthFirst::incremental().search(&game, &state, &none),
            DepthFirst::incremental()
                .table(TABLE)
                .search(&game, &state, &none),
            BranchAndBound::new(TABLE).search(&game, &state, &none, &mut |_| ()),
            a_star(&game, &state, TABLE, &none),
        ] {
            assert_eq!((found.payoff, found.proved), (plain.payoff, true), "{seed}");
            assert_eq!(replayed(&game, &state, &found), plain.payoff);
            assert!(found.nodes <= plain.nodes);
        }
    }
}

/// The best payoff of a position by looking at every game; positions with equal keys have the same
/// future.
fn plainly<G: OnePlayer>(
    game: &G,
    state: &mut G::State,
    known: &mut HashMap<u64, Payoff>,
) -> Payoff {
    let earned = game.earned(state);
    if game.turn(state) == Turn::Over {
        return game.payoff(state, Player::FIRST);
    }
    let key = game.key(state);
    if let Some(gain) = known.get(&key) {
        return earned + gain;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut best = Payoff::MIN;
    for mv in moves {
        let token = game.play(state, mv);
        best = best.max(plainly(game, state, known));
        game.undo(state, token);
    }
    known.insert(key, best - earned);
    best
}

#[test]
fn samegame_searches_agree() {
    for (columns, rows, colours, boards) in
        [(4, 4, 3, 20), (5, 4, 2, 20), (4, 5, 4, 10), (6, 4, 3, 6)]
    {
        let game = SameGame::new(columns, rows, colours).unwrap();
        for seed in 0..boards {
            let game = game.clone().seeded(seed);
            let start = game.start();
            let best = plainly(&game, &mut start.clone(), &mut HashMap::new());
            assert_eq!(best.rem_euclid(2), (columns * rows % 2) as Payoff);
            let none = Limits::default();
            for (name, found) in [
                (
                    "depth first",
                    DepthFirst::plain()
                        .table(TABLE)
                        .search(&game, &start, &none),
                ),
                (
                    "both",
                    DepthFirst::incremental()
                        .table(TABLE)
                        .search(&game, &start, &none),
                ),
                (
                    "bounded",
                    BranchAndBound::new(TABLE).search(&game, &start, &none, &mut |_| ()),
                ),
                (
                    "small table",
                    BranchAndBound::new(8).search(&game, &start, &none, &mut |_| ()),
                ),
                (
                    "no table",
                    BranchAndBound::new(0).search(&game, &start, &none, &mut |_| ()),
                ),
                ("A*", a_star(&game, &start, 1 << 22, &none)),
            ] {
                let name = format!("{name} on {columns}x{rows}, {seed}");
                assert_eq!((found.payoff, found.proved), (Some(best), true), "{name}");
                assert_eq!(replayed(&game, &start, &found), Some(best), "{name}");
            }
        }
    }
}

#[test]
fn iterative_deepening_agrees_on_samegame() {
    let game = SameGame::new(4, 3, 3).unwrap();
    for seed in 0..12 {
        let game = game.clone().seeded(seed);
        let best = plainly(&game, &mut game.start(), &mut HashMap::new());
        let found = ida_star(&game, &game.start(), &Limits::default());
        assert_eq!((found.payoff, found.proved), (Some(best), true));
        assert_eq!(replayed(&game, &game.start(), &found), Some(best));
    }
}

/// Incremental transpositions alone, on boards small enough for them.
#[test]
fn incremental_transpositions_agree_on_samegame() {
    let game = SameGame::new(4, 4, 3).unwrap();
    for seed in 0..8 {
        let game = game.clone().seeded(seed);
        let best = plainly(&game, &mut game.start(), &mut HashMap::new());
        let plain = depth_first(DepthFirst::plain(), &game);
        let found = depth_first(DepthFirst::incremental(), &game);
        assert_eq!((found.payoff, plain.payoff), (Some(best), Some(best)));
        assert!(found.nodes <= plain.nodes);
    }
}

/// The farthest positions of the puzzle of eight tiles are 31 moves from the goal (Reinefeld 1993).
#[test]
fn eight_puzzle_takes_31_moves_at_most() {
    for start in [[8, 6, 7, 2, 5, 4, 3, 0, 1], [6, 4, 7, 8, 5, 0, 3, 2, 1]] {
        let game = Eight(start);
        let none = Limits::default();
        for found in [
            a_star(&game, &game.start(), 1 << 20, &none),
            ida_star(&game, &game.start(), &none),
        ] {
            assert_eq!((found.payoff, found.proved), (Some(-31), true));
            assert_eq!(replayed(&game, &game.start(), &found), Some(-31));
        }
    }
}

/// Distances from the goal by breadth-first search, and every search on positions at all distances.
#[test]
fn eight_puzzle_searches_agree() {
    let goal = Eight(Eight::GOAL);
    let mut open = VecDeque::from([(Eight::GOAL, 0)]);
    let mut distances = HashMap::from([(Eight::GOAL, 0)]);
    while let Some((tiles, distance)) = open.pop_front() {
        let gap = Eight::gap(&tiles);
        for place in 0..9usize {
            if (place / 3).abs_diff(gap / 3) + (place % 3).abs_diff(gap % 3) == 1 {
                let mut next = tiles;
                next.swap(gap, place);
                distances.entry(next).or_insert_with(|| {
                    open.push_back((next, distance + 1));
                    distance + 1
                });
            }
        }
    }
    assert_eq!(distances.len(), 181_440);
    assert_eq!(goal.turn(&goal.start()), Turn::Over);
    let mut positions: Vec<_> = distances.into_iter().collect();
    positions.sort_unstable();
    for (tiles, distance) in positions.into_iter().step_by(6_001) {
        let game = Eight(tiles);
        let none = Limits::default();
        let star = a_star(&game, &game.start(), 1 << 20, &none);
        assert_eq!((star.payoff, star.proved), (Some(-distance), true));
        let deepening = ida_star(&game, &game.start(), &none);
        assert_eq!(
            (deepening.payoff, deepening.proved),
            (Some(-distance), true)
        );
        let bounded = BranchAndBound::new(1 << 18).search(&game, &game.start(), &none, &mut |_| ());
        assert_eq!((bounded.payoff, bounded.proved), (Some(-distance), true));
        assert_eq!(replayed(&game, &game.start(), &bounded), Some(-distance));
    }
}

#[test]
fn limits_are_honoured() {
    let game = SameGame::new(10, 10, 4).unwrap();
    let start = game.start();
    let limits = Limits::nodes(5_000);
    let mut reported = Vec::new();
    let mut report = |found: &Found<_>| reported.push(found.payoff);
    let found = BranchAndBound::new(TABLE).search(&game, &start, &limits, &mut report);
    assert_eq!((found.nodes, found.proved), (5_000, false));
    assert_eq!(reported.last(), Some(&found.payoff));
    assert!(reported.is_sorted() && !reported.is_empty());
    assert_eq!(replayed(&game, &start, &found), found.payoff);
    let found = DepthFirst::plain().search(&game, &start, &limits);
    assert_eq!((found.nodes, found.proved), (5_000, false));
    let found = DepthFirst::incremental()
        .threads(2)
        .search(&game, &start, &limits);
    assert!(found.nodes <= 5_000 && !found.proved);
    let found = a_star(&game, &start, 1 << 20, &Limits::nodes(100));
    assert_eq!(
        (found.nodes, found.proved, found.payoff),
        (100, false, None)
    );
    assert!(!a_star(&game, &start, 50, &Limits::default()).proved);
    let found = ida_star(&game, &start, &limits);
    assert_eq!((found.nodes, found.proved), (5_000, false));
    let soon = Limits {
        time: Some(Duration::from_millis(30)),
        ..Limits::default()
    };
    assert!(!DepthFirst::plain().search(&game, &start, &soon).proved);
    let cancelled = Limits::default();
    cancelled.cancel.cancel();
    let found = BranchAndBound::new(0).search(&game, &start, &cancelled, &mut |_| ());
    assert_eq!((found.nodes, found.proved, found.payoff), (0, false, None));
}
