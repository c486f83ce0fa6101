//! Rooms against the rules of Amazons, which share nothing with them.

use std::collections::{BTreeMap, HashMap, HashSet};

use rand::RngExt;
use rustc_hash::FxHashMap;
use tabia_cgt::{Evaluator, Tree, Values};
use tabia_combinatorial::Cells;
use tabia_combinatorial::amazons::combinatorial::Amazons;
use tabia_combinatorial::amazons::rooms::RoomTables;
use tabia_combinatorial::amazons::rooms::active::{Active, Canonical, Minimax, Thermographs};
use tabia_combinatorial::amazons::rooms::atlas::Atlas;
use tabia_combinatorial::amazons::rooms::frame::Frame;
use tabia_combinatorial::amazons::rooms::lines::LineSegments;
use tabia_combinatorial::amazons::rooms::room::{Room, RoomGenerator};
use tabia_combinatorial::amazons::rooms::territory::Territories;
use tabia_game::{Cancel, Combinatorial, Limits, Player, Seed};

fn tables(a: usize, b: usize, queens: usize) -> RoomTables {
    let stop = Cancel::default();
    let atlas = Atlas::new(Frame::new(a, b).unwrap(), &stop).unwrap();
    let area = atlas.frame().area();
    let territories = Territories::build(&atlas, queens, &stop, &|_| {}).unwrap();
    let scores = Active::build(&atlas, &territories, Minimax, area, &stop, &|_| {}).unwrap();
    let values = Canonical::new(Values::new()).unwrap();
    let values = Active::build(&atlas, &territories, values, area, &stop, &|_| {}).unwrap();
    let graphs = Thermographs::default();
    let graphs = Active::build(&atlas, &territories, graphs, area, &stop, &|_| {}).unwrap();
    RoomTables::new(atlas, territories)
        .with_scores(scores)
        .with_values(values)
        .with_thermographs(graphs)
}

/// A position by its rows.
fn position(text: &str) -> Cells {
    Amazons.parse_position(text).unwrap()
}

/// A room with queens on some of its squares, which are numbered in rows.
fn with_queens(room: &Room, black: &[usize], white: &[usize]) -> Cells {
    let (width, height) = room.dimensions();
    let squares: Vec<_> = room.squares().collect();
    let letter = |x: usize, y: usize| match squares.iter().position(|&s| s == (x as u8, y as u8)) {
        None => '#',
        Some(i) if black.contains(&i) => 'X',
        Some(i) if white.contains(&i) => 'O',
        Some(_) => '.',
    };
    let row = |y| (0..width).map(|x| letter(x, y)).collect::<String>();
    position(&(0..height).map(row).collect::<Vec<_>>().join("|"))
}

fn successors(position: &Cells, player: Player) -> Vec<Cells> {
    let mut moves = Vec::new();
    Amazons.moves(position, player, &mut moves);
    let after = |mv| {
        let mut after = *position;
        Amazons.play(&mut after, player, mv);
        after
    };
    moves.into_iter().map(after).collect()
}

/// How many moves a player can make if the other never does, by trying everything.
fn longest(position: &Cells, player: Player, known: &mut HashMap<Cells, u32>) -> u32 {
    if let Some(&moves) = known.get(position) {
        return moves;
    }
    let after = successors(position, player);
    let longest = after
        .iter()
        .map(|next| 1 + longest(next, player, known))
        .max();
    known.insert(*position, longest.unwrap_or(0));
    longest.unwrap_or(0)
}

/// Scores by plain minimax: moves count one each, who cannot move passes.
fn score(position: &Cells, mover: Player, known: &mut HashMap<(Cells, Player), i32>) -> i32 {
    if let Some(&score) = known.get(&(*position, mover)) {
        return score;
    }
    let sign = if mover == Player::FIRST { 1 } else { -1 };
    let options = successors(position, mover).into_iter();
    let best = options
        .map(|next| sign * (sign + score(&next, mover.other(), known)))
        .max();
    let found = match best {
        Some(best) => sign * best,
        None if Amazons.can_move(position, mover.other()) => score(position, mover.other(), known),
        None => 0,
    };
    known.insert((*position, mover), found);
    found
}

/// Every territory of up to three queens in rooms of up to seven squares that fit into 3x4, by
/// trying everything.
#[test]
fn territories_by_trying_everything() {
    let tables = tables(3, 4, 3);
    let mut checked = 0;
    for number in 0..tables.atlas().of_size(7).end {
        let room = tables.atlas().room(number);
        for queens in 1u32..1 << room.size() {
            if queens.count_ones() > 3 {
                continue;
            }
            let places: Vec<usize> = (0..room.size()).filter(|i| queens >> i & 1 != 0).collect();
            let black = with_queens(&room, &places, &[]);
            let moves = longest(&black, Player::FIRST, &mut HashMap::new());
            assert_eq!(
                tables.territory(&tables.place(&black).unwrap()),
                Some(moves)
            );
            let white = with_queens(&room, &[], &places);
            let placed = tables.place(&white).unwrap();
            assert_eq!(tables.scores(&placed), Some([-(moves as i8); 2]));
            checked += 1;
        }
    }
    assert!(checked > 10_000);
}

/// Every active area in 3x4: values by the evaluator of the rules, thermographs from these values,
/// and scores by plain minimax in rooms of up to seven squares.
#[test]
fn active_areas_by_the_rules() {
    let mut tables = tables(3, 4, 1);
    let mut rules = Evaluator::new(Amazons);
    let mut meter = Limits::default().meter();
    let mut known = HashMap::new();
    for number in 0..tables.atlas().rooms().len() {
        let room = tables.atlas().room(number);
        for (black, white) in (0..room.size()).flat_map(|b| (0..room.size()).map(move |w| (b, w))) {
            if black == white {
                continue;
            }
            let position = with_queens(&room, &[black], &[white]);
            let placed = tables.place(&position).unwrap();
            let expected = rules.value(&position, &mut meter).unwrap();
            let graph = rules.values_mut().thermograph(expected).unwrap();
            let text = rules.values_mut().write(expected).unwrap();
            let value = tables.value(&placed).unwrap();
            let store = tables.values_mut().unwrap().kind_mut().values_mut();
            assert_eq!(store.write(value).unwrap(), text);
            let stored = tables.thermograph(&placed).unwrap();
            assert_eq!(
                (stored.left(), stored.right()),
                (graph.left(), graph.right())
            );
            if room.size() <= 7 {
                let scores =
                    [Player::FIRST, Player::SECOND].map(|p| score(&position, p, &mut known) as i8);
                assert_eq!(tables.scores(&placed), Some(scores));
            }
        }
    }
}

/// Rooms that do not fit are found by their lines, and are worth what the rules say.
#[test]
fn rooms_beyond_the_frame_are_found_by_their_lines() {
    let mut tables = tables(3, 4, 2);
    let mut rules = Evaluator::new(Amazons);
    let mut meter = Limits::default().meter();
    let mut found = 0;
    for rooms in RoomGenerator::new(|_, _| true).take(6) {
        for room in rooms.iter().filter(|room| {
            let (width, height) = room.dimensions();
            width.max(height) > 4 || width.min(height) > 3
        }) {
            for (black, white) in [(0, room.size() - 1), (room.size() / 2, 0)] {
                let position = with_queens(room, &[black], &[white]);
                let Some(placed) = tables.place(&position) else {
                    continue;
                };
                found += 1;
                let expected = rules.value(&position, &mut meter).unwrap();
                let text = rules.values_mut().write(expected).unwrap();
                let value = tables.value(&placed).unwrap();
                let store = tables.values_mut().unwrap().kind_mut().values_mut();
                assert_eq!(store.write(value).unwrap(), text);
                let both = with_queens(room, &[black, white], &[]);
                let moves = longest(&both, Player::FIRST, &mut HashMap::new());
                assert_eq!(tables.territory(&tables.place(&both).unwrap()), Some(moves));
            }
        }
    }
    assert!(found > 100, "{found}");
    // Two squares apart are no room.
    assert_eq!(tables.place(&position("X.####.")), None);
    assert_eq!(tables.place(&position("X#.")), None);
}

/// Line segment graphs by their definition: two rooms are alike if some matching of their squares
/// takes lines to lines.
#[test]
fn labellings_agree_with_the_definition() {
    type Runs = HashSet<Vec<usize>>;
    /// The maximal runs as sequences of squares, in both directions.
    fn runs(room: &Room) -> Runs {
        let squares: Vec<_> = room.squares().map(|(x, y)| (x as i8, y as i8)).collect();
        let mut runs = HashSet::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for &(x, y) in &squares {
                let run: Vec<usize> = (0..)
                    .map_while(|i| squares.iter().position(|&s| s == (x + i * dx, y + i * dy)))
                    .collect();
                if run.len() > 1 && !squares.contains(&(x - dx, y - dy)) {
                    runs.insert(run.iter().rev().copied().collect());
                    runs.insert(run);
                }
            }
        }
        runs
    }
    fn matched(a: &Runs, b: &Runs, size: usize, map: &mut Vec<usize>) -> bool {
        let whole = |run: &&Vec<usize>| run.iter().all(|&s| s < map.len());
        if !a
            .iter()
            .filter(whole)
            .all(|run| b.contains(&run.iter().map(|&s| map[s]).collect::<Vec<_>>()))
        {
            return false;
        }
        if map.len() == size {
            return a.len() == b.len();
        }
        (0..size).any(|next| {
            if map.contains(&next) {
                return false;
            }
            map.push(next);
            let found = matched(a, b, size, map);
            map.pop();
            found
        })
    }
    for rooms in RoomGenerator::new(|_, _| true).take(5) {
        let known: Vec<_> = rooms
            .iter()
            .map(|room| (runs(room), LineSegments::new(room).form().form))
            .collect();
        for (i, (a, a_form)) in known.iter().enumerate() {
            for (b, b_form) in &known[..i] {
                let alike = a.len() == b.len() && matched(a, b, rooms[0].size(), &mut Vec::new());
                assert_eq!(alike, a_form == b_form);
            }
        }
    }
}

/// A labelling does not depend on how a room lies, and queens are told apart.
#[test]
fn labellings_of_images_with_queens_are_the_same() {
    let mut luck = Seed::new(4).rng();
    let rooms: Vec<Room> = RoomGenerator::new(|w, h| w.max(h) <= 5 && w.min(h) <= 4)
        .flatten()
        .collect();
    for _ in 0..300 {
        let room = &rooms[luck.random_range(0..rooms.len())];
        let colours: BTreeMap<_, u8> = room
            .squares()
            .map(|s| (s, luck.random_range(0..3)))
            .collect();
        let (width, height) = room.dimensions();
        let label = |turn: &dyn Fn((u8, u8)) -> (u8, u8)| {
            let turned: Vec<_> = colours.iter().map(|(&s, &c)| (turn(s), c)).collect();
            let squares: Vec<_> = turned.iter().map(|&(s, _)| s).collect();
            let image = Room::of(&squares).unwrap();
            let colours: Vec<u8> = image
                .squares()
                .map(|s| turned.iter().find(|t| t.0 == s).unwrap().1)
                .collect();
            LineSegments::new(&image).label(&colours).form
        };
        let (w, h) = (width as u8 - 1, height as u8 - 1);
        let plain = label(&|s| s);
        assert_eq!(plain, label(&|(x, y)| (y, x)));
        assert_eq!(plain, label(&|(x, y)| (w - x, y)));
        assert_eq!(plain, label(&|(x, y)| (w - x, h - y)));
    }
}

/// Who wins an active area next to a heap of Nim, by trying everything. Rooms without a move are
/// left out, the others are in the order of the parts that the rules split them into.
struct Plain {
    known: FxHashMap<(Vec<Cells>, u32, Player), bool>,
}

impl Plain {
    /// Whether the player to move wins.
    fn wins(&mut self, parts: &[Cells], heap: u32, mover: Player) -> bool {
        let key = (parts.to_vec(), heap, mover);
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let mut wins = (0..heap).any(|left| !self.wins(parts, left, mover.other()));
        for (i, part) in parts.iter().enumerate() {
            if wins {
                break;
            }
            for next in successors(part, mover) {
                let mut rest = parts.to_vec();
                rest.remove(i);
                Amazons.split(&next, &mut rest);
                rest.sort_unstable();
                if !self.wins(&rest, heap, mover.other()) {
                    wins = true;
                    break;
                }
            }
        }
        self.known.insert(key, wins);
        wins
    }

    /// Whether the position is worth as much as the heap: together whoever begins loses.
    fn equals(&mut self, position: &Cells, heap: u32) -> bool {
        let mut parts = Vec::new();
        Amazons.split(position, &mut parts);
        [Player::FIRST, Player::SECOND]
            .into_iter()
            .all(|p| !self.wins(&parts, heap, p))
    }
}

/// Table 7.1 of Tegos (2002) without any values. It prints 21 positions worth *2 of size 11, and
/// there are 22; it prints one worth *2 of size 14, and the one there is is worth *3.
#[test]
fn nimbers_without_values() {
    let atlas = Atlas::new(Frame::new(4, 4).unwrap(), &Cancel::default()).unwrap();
    let mut plain = Plain {
        known: FxHashMap::default(),
    };
    let mut counts = BTreeMap::new();
    for size in [11, 14] {
        for number in atlas.of_size(size) {
            let room = atlas.room(number);
            for (black, white) in (0..size).flat_map(|w| (0..w).map(move |b| (b, w))) {
                let position = with_queens(&room, &[black], &[white]);
                for heap in 2..=3 {
                    if plain.equals(&position, heap) {
                        *counts.entry((size, heap)).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    let expected = [((11, 2), 22), ((14, 3), 1)];
    assert_eq!(counts, BTreeMap::from(expected));
}

/// The values that the text of the thesis gives as examples.
#[test]
fn small_values_of_the_thesis() {
    let mut values = Values::new();
    for (text, value) in [
        ("{-1|1}", "0"),
        ("{-1/2,0,0,0|*,-2,2}", "{0|-2}"),
        ("{3|7}", "4"),
        ("{5/4|2}", "3/2"),
        ("{5/2|}", "3"),
    ] {
        let read = values.read(text).unwrap();
        assert_eq!(values.write(read).unwrap(), value);
    }
    for (text, mean, temperature) in [("{2|-1}", "1/2", "3/2"), ("{0,{1|0}|-1/2}", "0", "1/2")] {
        let value = values.read(text).unwrap();
        assert_eq!(values.mean(value).unwrap().to_string(), mean);
        assert_eq!(values.temperature(value).unwrap().to_string(), temperature);
    }
    let tree = Tree::read("2|-1").unwrap();
    assert_eq!(tree.thermograph().unwrap().temperature().to_string(), "3/2");
}
