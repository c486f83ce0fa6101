//! Pattern databases of the sliding-tile puzzle: against breadth-first search, and against the
//! lengths of the shortest solutions that Korf (1985) found.

use std::collections::HashMap;
use std::path::Path;

use tabia_game::{Cancel, Game, Key, OnePlayer, Payoff, Text, Turn};
use tabia_puzzles::sliding::{Blank, Sliding, State, TilePattern};
use tabia_tables::file::{Heading, write};
use tabia_tables::patterns::{
    Abstraction, Additive, PatternDatabase, ShortestPath, UNREACHED, build, distances, file, open,
    verify,
};
use tabia_tables::{BuildError, Kept, Symmetry, TableError, TableForm, VerifyError};

const SPEC: &str = "sliding:3x3,blank=first";
const ROOM: u64 = 1 << 30;

fn eight() -> Sliding {
    Sliding::new(3, 3, Blank::First, 0).unwrap()
}

fn pattern(game: &Sliding, tiles: &[u8]) -> TilePattern {
    TilePattern::new(game, tiles).unwrap()
}

fn computed(abstraction: TilePattern) -> PatternDatabase<TilePattern> {
    let distances = distances(&abstraction, &Cancel::default(), &|_| {}).unwrap();
    PatternDatabase::new(abstraction, distances).unwrap()
}

/// The databases of a partition, and the same seen in the mirror.
fn both_ways(game: &Sliding, groups: Vec<TilePattern>) -> Additive<TilePattern> {
    let plain: Vec<_> = groups.into_iter().map(computed).collect();
    let mirrored = plain.iter().map(|database| {
        let mirrored = database.abstraction().mirrored(game).unwrap();
        database.shared(mirrored).unwrap()
    });
    Additive::default().with(mirrored.collect()).with(plain)
}

/// All positions with their distances, the goal first.
fn breadth_first(game: &Sliding) -> Vec<(State, u32)> {
    let mut seen = HashMap::from([(game.key(&game.solved()), ())]);
    let mut all = vec![(game.solved(), 0)];
    let mut at = 0;
    while let Some(&(state, distance)) = all.get(at) {
        at += 1;
        for next in around(game, &state) {
            if seen.insert(game.key(&next), ()).is_none() {
                all.push((next, distance + 1));
            }
        }
    }
    all
}

/// The positions one move away, also from the goal, where the game is over: by exchanging numbers
/// in the text.
fn around(game: &Sliding, state: &State) -> Vec<State> {
    let text = game.position_text(state);
    let board: Vec<&str> = text.split([' ', '/']).filter(|w| !w.is_empty()).collect();
    let blank = board.iter().position(|&tile| tile == "0").unwrap();
    let beside = |a: usize, b: usize| (a % 3).abs_diff(b % 3) + (a / 3).abs_diff(b / 3) == 1;
    let beside = (0..9).filter(|&place| beside(blank, place));
    let swapped = |place| {
        let mut board = board.clone();
        board.swap(blank, place);
        game.parse_position(&board.join(" ")).unwrap()
    };
    beside.map(swapped).collect()
}

/// Plain IDA* (Korf 1985): the payoff of the best game, and the positions that were looked at.
fn ida_star(
    game: &Sliding,
    start: &State,
    most: &impl Fn(&Sliding, &State) -> Payoff,
) -> (Payoff, u64) {
    struct Search<'a, F> {
        game: &'a Sliding,
        most: &'a F,
        threshold: Payoff,
        next: Payoff,
        nodes: u64,
        moves: Vec<<Sliding as Game>::Move>,
    }
    impl<F: Fn(&Sliding, &State) -> Payoff> Search<'_, F> {
        fn solve(&mut self, state: &mut State, before: Option<<Sliding as Game>::Move>) -> bool {
            self.nodes += 1;
            let most = (self.most)(self.game, state);
            if most < self.threshold {
                self.next = self.next.max(most);
                return false;
            }
            if self.game.turn(state) == Turn::Over {
                return true;
            }
            let first = self.moves.len();
            self.game.moves(state, &mut self.moves);
            let index = |mv| tabia_game::MoveIndex::move_index(self.game, mv);
            let back = before.map(index);
            for i in first..self.moves.len() {
                let mv = self.moves[i];
                if back == Some(tabia_game::MoveIndex::move_index(self.game, mv)) {
                    continue;
                }
                let token = self.game.play(state, mv);
                let solved = self.solve(state, Some(mv));
                self.game.undo(state, token);
                if solved {
                    return true;
                }
            }
            self.moves.truncate(first);
            false
        }
    }
    let mut search = Search {
        game,
        most,
        threshold: most(game, start),
        next: Payoff::MIN,
        nodes: 0,
        moves: Vec::new(),
    };
    let mut state = *start;
    while !search.solve(&mut state, None) {
        search.threshold = search.next;
        search.next = Payoff::MIN;
    }
    (search.threshold, search.nodes)
}

/// With all tiles in one pattern the distances are those of the puzzle itself.
#[test]
fn a_pattern_of_all_tiles_is_the_puzzle() {
    let game = eight();
    let all = breadth_first(&game);
    assert_eq!(all.len(), 181_440);
    assert_eq!(all.last().map(|&(_, distance)| distance), Some(31));
    let whole = computed(pattern(&game, &[1, 2, 3, 4, 5, 6, 7, 8]));
    for (state, distance) in &all {
        assert_eq!(whole.distance(&game, state), *distance);
    }
    let reached = whole.distances().iter().filter(|&&d| d != UNREACHED);
    assert_eq!(reached.count(), 181_440);
}

/// Sums of disjoint patterns are never too large, reach the bound of single tiles, which is the
/// Manhattan distance, and lead IDA* to shortest solutions.
#[test]
fn sums_bound_the_eight_puzzle() {
    let game = eight();
    let all = breadth_first(&game);
    let single =
        Additive::default().with((1..=8).map(|t| computed(pattern(&game, &[t]))).collect());
    let four = both_ways(&game, TilePattern::partition(&game, 4).unwrap());
    let mut better = 0;
    for (state, distance) in &all {
        let bound = four.distance(&game, state);
        assert!(single.distance(&game, state) <= bound && bound <= *distance);
        assert!(four.most(&game, state) <= game.most(state) || *distance == 0);
        better += u32::from(bound > game.distance(state));
    }
    assert!(better > 0, "never better than linear conflicts");
    for (state, distance) in all.iter().step_by(997).chain(all.last()) {
        let (payoff, _) = ida_star(&game, state, &|game, state| four.most(game, state));
        assert_eq!(payoff, -(*distance as Payoff));
        let (payoff, _) = ida_star(&game, state, &|game, state| game.most(state));
        assert_eq!(payoff, -(*distance as Payoff));
    }
}

#[test]
fn databases_are_kept_in_files() {
    let game = eight();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cancel = Cancel::default();
    for group in TilePattern::partition(&game, 4).unwrap() {
        let wanted = computed(group.clone());
        assert!(matches!(
            open(folder, SPEC, group.clone()),
            Err(TableError::Missing(_))
        ));
        assert!(build(folder, SPEC, &group, ROOM, &cancel).unwrap());
        assert!(!build(folder, SPEC, &group, ROOM, &cancel).unwrap());
        let read = open(folder, SPEC, group.clone()).unwrap();
        assert_eq!(read.distances(), wanted.distances());
        let patterns = verify(folder, SPEC, &group, ROOM, &cancel).unwrap();
        assert_eq!(Some(patterns), group.patterns());
        // A table of another puzzle in this place.
        let other = "sliding:3x3";
        std::fs::create_dir_all(file(folder, other, &group).parent().unwrap()).unwrap();
        std::fs::copy(file(folder, SPEC, &group), file(folder, other, &group)).unwrap();
        assert!(matches!(
            open(folder, other, group.clone()),
            Err(TableError::Foreign { .. })
        ));
        // A table that was damaged is built again.
        let path = file(folder, SPEC, &group);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(open(folder, SPEC, group.clone()).is_err());
        assert!(build(folder, SPEC, &group, ROOM, &cancel).unwrap());
        assert!(open(folder, SPEC, group).is_ok());
    }
}

#[test]
fn wrong_distances_are_found() {
    let game = eight();
    let group = pattern(&game, &[1, 2, 5]);
    let sound = computed(group.clone());
    let cancel = Cancel::default();
    for wrong in [0, 100, sound.distances().len() - 1] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &group, |index| {
            sound.distances()[index] + u8::from(index == wrong)
        });
        match verify(folder.path(), SPEC, &group, ROOM, &cancel) {
            Err(VerifyError::Wrong { index, .. }) => assert_eq!(index, wrong as u64),
            other => panic!("{other:?}"),
        }
    }
}

/// Writes a table that may say anything.
fn put(folder: &Path, group: &TilePattern, value: impl Fn(usize) -> u8 + Sync) {
    let heading = Heading {
        game: SPEC.to_string(),
        slice: group.text(),
        positions: group.patterns().unwrap(),
        form: TableForm {
            values: Kept::Bytes,
            symmetry: Symmetry::None,
        },
        relies_on: Vec::new(),
    };
    let path = file(folder, SPEC, group);
    write(
        &path,
        heading,
        |index| value(index as usize),
        &Cancel::default(),
    )
    .unwrap();
}

/// Sizes of patterns of Korf and Felner (2002, section 4): 5,765,760 entries for six tiles,
/// 57,657,600 for seven, 518,918,400 for eight, and 127,512,000 for six tiles of the 24-puzzle.
#[test]
fn too_little_memory_is_told_before_anything_is_begun() {
    let game = Sliding::new(4, 4, Blank::First, 0).unwrap();
    let sizes = |game: &Sliding, largest| -> Vec<u64> {
        let groups = TilePattern::partition(game, largest).unwrap();
        groups.iter().map(|g| g.patterns().unwrap()).collect()
    };
    assert_eq!(sizes(&game, 6), [3_360, 5_765_760, 5_765_760]);
    assert_eq!(sizes(&game, 8), [518_918_400, 57_657_600]);
    let large = Sliding::new(5, 5, Blank::First, 0).unwrap();
    assert_eq!(sizes(&large, 6), [127_512_000; 4]);
    let folder = tempfile::tempdir().unwrap();
    let group = &TilePattern::partition(&game, 8).unwrap()[0];
    let refused = build(folder.path(), SPEC, group, ROOM, &Cancel::default());
    match refused {
        Err(BuildError::Table(TableError::Memory { needed, given, .. })) => {
            assert_eq!((needed, given), (Some(13 * 518_918_400), ROOM));
        }
        other => panic!("{other:?}"),
    }
}

/// Positions of Korf (1985, table 1) with the lengths of their shortest solutions.
const KORF: [(u32, &str, Payoff); 6] = [
    (1, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
    (2, "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55),
    (3, "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", 59),
    (4, "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", 56),
    (5, "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0", 56),
    (79, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42),
];

fn solve_korf(largest: usize, instances: &[u32]) {
    let game = Sliding::new(4, 4, Blank::First, 0).unwrap();
    let databases = both_ways(&game, TilePattern::partition(&game, largest).unwrap());
    for (number, text, length) in KORF {
        if !instances.contains(&number) {
            continue;
        }
        let state = game.parse_position(text).unwrap();
        let (payoff, nodes) = ida_star(&game, &state, &|game, state| databases.most(game, state));
        println!("instance {number}: {nodes} nodes with patterns of {largest} tiles");
        assert_eq!(payoff, -length, "instance {number}");
    }
}

#[test]
fn some_of_korfs_positions() {
    solve_korf(5, &[1, 2, 79]);
}

#[test]
#[ignore = "ten seconds: tabia reproduce proofs 15-puzzle --scale full"]
fn korfs_first_positions() {
    solve_korf(6, &[1, 2, 3, 4, 5, 79]);
}
