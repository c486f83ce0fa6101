//! Hex against a plain second implementation, and against what is known of it.

use std::collections::HashMap;

use tabia_game::bits::{Bits, Wide};
use tabia_game::{Game, Key, Player, Text, Turn, perft};
use tabia_kit::Kit;

use super::{Distances, Hex, Move, State};

fn kit() -> Kit<Hex<u128>> {
    Kit::new()
        .two_player()
        .key()
        .move_index()
        .text()
        .text_key()
        .symmetric()
        .draw()
}

#[test]
fn conforms() {
    for (width, height, swap) in [
        (1, 1, true),
        (1, 5, false),
        (5, 1, false),
        (3, 3, true),
        (4, 6, false),
        (11, 11, true),
    ] {
        let game = Hex::<u128>::new(width, height, swap).unwrap();
        let games = if width * height < 30 { 20 } else { 4 };
        kit().effort(games, 200).run(&game).unwrap();
    }
    let wide = Hex::<Wide>::new(19, 19, true).unwrap();
    let kit = Kit::new().two_player().key().move_index().text();
    kit.effort(2, 400).run(&wide).unwrap();
}

/// Hex written down as simply as possible: an array of cells and a depth-first search.
#[derive(Clone)]
struct Plain {
    width: i32,
    height: i32,
    cells: Vec<Option<usize>>,
    mover: usize,
}

impl Plain {
    fn new(width: i32, height: i32) -> Plain {
        Plain {
            width,
            height,
            cells: vec![None; (width * height) as usize],
            mover: 0,
        }
    }

    fn at(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| self.cells[(y * self.width + x) as usize])?
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&player| {
            let starts: Vec<(i32, i32)> = match player {
                0 => (0..self.width).map(|x| (x, 0)).collect(),
                _ => (0..self.height).map(|y| (0, y)).collect(),
            };
            let mut open: Vec<(i32, i32)> = starts;
            let mut seen = vec![false; self.cells.len()];
            while let Some((x, y)) = open.pop() {
                if self.at(x, y) != Some(player) {
                    continue;
                }
                let place = (y * self.width + x) as usize;
                if std::mem::replace(&mut seen[place], true) {
                    continue;
                }
                let arrived = match player {
                    0 => y == self.height - 1,
                    _ => x == self.width - 1,
                };
                if arrived {
                    return true;
                }
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                    open.push((x + dx, y + dy));
                }
            }
            false
        })
    }

    fn children(&self) -> Vec<(usize, Plain)> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let empty = (0..self.cells.len()).filter(|&cell| self.cells[cell].is_none());
        let child = |cell: usize| {
            let mut child = self.clone();
            child.cells[cell] = Some(self.mover);
            child.mover = 1 - self.mover;
            (cell, child)
        };
        empty.map(child).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self
                .children()
                .iter()
                .map(|(_, c)| c.perft(depth - 1))
                .sum(),
        }
    }

    /// Whether the player to move wins.
    fn wins(&self, known: &mut HashMap<(Vec<Option<usize>>, usize), bool>) -> bool {
        if let Some(winner) = self.winner() {
            return winner == self.mover;
        }
        let name = (self.cells.clone(), self.mover);
        if let Some(&wins) = known.get(&name) {
            return wins;
        }
        let wins = self.children().iter().any(|(_, c)| !c.wins(known));
        known.insert(name, wins);
        wins
    }
}

/// Whether the player to move wins, by the rules of the crate.
fn wins<B: Bits>(game: &Hex<B>, state: &State<B>, known: &mut HashMap<u64, bool>) -> bool {
    let Turn::Player(mover) = game.turn(state) else {
        panic!("the game is over");
    };
    if let Some(&wins) = known.get(&game.key(state)) {
        return wins;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let won = moves.iter().any(|&mv| {
        let mut child = *state;
        game.play(&mut child, mv);
        match game.turn(&child) {
            Turn::Over => game.payoff(&child, mover) == 1,
            _ => !wins(game, &child, known),
        }
    });
    known.insert(game.key(state), won);
    won
}

#[test]
fn move_sequences_equal_those_of_the_plain_game() {
    for (width, height) in [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
        let game = Hex::<u128>::new(width, height, false).unwrap();
        let plain = Plain::new(width as i32, height as i32);
        for depth in 0..=(width * height).min(7) as u32 {
            let counted = perft(&game, &game.start(), depth);
            assert_eq!(
                counted,
                plain.perft(depth),
                "{width}x{height} depth {depth}"
            );
        }
    }
}

/// Whoever begins wins with equal sides (Nash 1949), and with different ones whoever has the
/// shorter way, even if the other begins (Gardner 1957).
#[test]
fn values_of_small_boards() {
    for (width, height, first_wins) in [
        (1, 1, true),
        (2, 2, true),
        (3, 3, true),
        (3, 2, true),
        (4, 3, true),
        (2, 3, false),
        (3, 4, false),
    ] {
        let game = Hex::<u128>::new(width, height, false).unwrap();
        let won = wins(&game, &game.start(), &mut HashMap::new());
        assert_eq!(won, first_wins, "{width}x{height}");
        let plain = Plain::new(width as i32, height as i32);
        assert_eq!(plain.wins(&mut HashMap::new()), first_wins);
    }
}

/// After any opening the second player takes the better side.
#[test]
fn the_swap_rule_gives_the_game_to_the_second_player() {
    for side in [2, 3] {
        let game = Hex::<u128>::new(side, side, true).unwrap();
        assert!(!wins(&game, &game.start(), &mut HashMap::new()));
    }
}

#[test]
fn openings_on_3x3_equal_those_of_the_plain_game() {
    let game = Hex::<u128>::new(3, 3, false).unwrap();
    let (mut known, mut plain_known) = (HashMap::new(), HashMap::new());
    for (cell, plain) in Plain::new(3, 3).children() {
        let mut state = game.start();
        game.play(&mut state, Move::Cell(cell as u16));
        let lost = wins(&game, &state, &mut known);
        assert_eq!(lost, plain.wins(&mut plain_known), "cell {cell}");
    }
}

#[test]
fn a_swapped_stone_is_mirrored() {
    let game = Hex::<u128>::new(3, 3, true).unwrap();
    let mut state = game.start();
    for text in ["c1", "swap"] {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    assert_eq!(game.position_text(&state), "3/3/o2 x");
    assert_eq!(game.turn(&state), Turn::Player(Player::FIRST));
    assert!(game.parse_move(&state, "swap").is_err());
}

#[test]
fn boards_that_are_refused() {
    for (width, height, swap) in [(0, 3, false), (20, 3, false), (3, 4, true), (12, 12, false)] {
        assert!(
            Hex::<u128>::new(width, height, swap).is_err(),
            "{width}x{height}"
        );
    }
    assert!(Hex::<Wide>::new(12, 12, false).is_ok());
}

/// Who owns each cell of 5x4.
fn owners(state: &State<u128>) -> [Option<usize>; 20] {
    std::array::from_fn(|cell| (0..2).find(|&player| state.stones[player].has(cell)))
}

/// How many stones connect a player's sides of 5x4, cell by cell; none if the opponent has cut all
/// ways.
fn plain_lacking(cells: &[Option<usize>; 20], player: usize) -> Option<u32> {
    let cost = |cell: usize| match cells[cell] {
        Some(owner) if owner == player => Some(0u32),
        Some(_) => None,
        None => Some(1),
    };
    // Bellman and Ford: as many rounds as there are cells.
    let mut best = [u32::MAX; 20];
    for round in 0..20 {
        for cell in 0..20usize {
            let (x, y) = ((cell % 5) as i32, (cell / 5) as i32);
            let at_start = if player == 0 { y == 0 } else { x == 0 };
            let mut from = if at_start && round == 0 { 0 } else { u32::MAX };
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                let (x, y) = (x + dx, y + dy);
                if (0..5).contains(&x) && (0..4).contains(&y) {
                    from = from.min(best[(y * 5 + x) as usize]);
                }
            }
            if let (Some(cost), true) = (cost(cell), from < u32::MAX) {
                best[cell] = best[cell].min(from + cost);
            }
        }
    }
    let ends = (0..20usize).filter(|cell| match player {
        0 => cell / 5 == 3,
        _ => cell % 5 == 4,
    });
    ends.map(|cell| best[cell])
        .min()
        .filter(|&stones| stones < u32::MAX)
}

/// Positions of 5x4 that are not over, after up to 13 moves by lot.
fn positions(game: &Hex<u128>) -> impl Iterator<Item = (u64, State<u128>)> {
    use tabia_game::{Outcome, zobrist};
    (0..500u64).filter_map(move |seed| {
        let mut state = game.start();
        let mut moves = Vec::new();
        for ply in 0..seed % 14 {
            moves.clear();
            game.moves(&state, &mut moves);
            let len = u64::try_from(moves.len()).ok().filter(|&n| n > 0)?;
            let mv = moves[(zobrist::number(seed, ply) % len) as usize];
            game.play(&mut state, mv);
        }
        (state.outcome == Outcome::Open).then_some((seed, state))
    })
}

/// The distance of the evaluation against a shortest path over single cells, on random positions.
#[test]
fn distances_equal_shortest_paths() {
    use tabia_game::Knowledge;
    let game = Hex::<u128>::new(5, 4, false).unwrap();
    for (seed, state) in positions(&game) {
        let cells = owners(&state);
        let [red, blue] = [0, 1].map(|player| plain_lacking(&cells, player).unwrap() as i32);
        let tempo = if state.mover == Player::FIRST { 1 } else { -1 };
        let expected = (2 * (blue - red) + tempo) * (super::evaluation::STONE) / 2;
        assert_eq!(
            Distances.evaluate(&game, &state, Player::FIRST),
            expected,
            "seed {seed}"
        );
    }
}

/// A cell is on a shortest way of a player if a stone there leaves one stone less to place. What
/// wins comes first, then what keeps the opponent from winning.
#[test]
fn priorities_follow_from_shortest_paths() {
    use tabia_game::{Knowledge, URGENT};
    let game = Hex::<u128>::new(5, 4, false).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (seed, state) in positions(&game) {
        let cells = owners(&state);
        let mover = state.mover.index();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        for mv in moves {
            let Move::Cell(cell) = mv else {
                panic!("nobody swaps");
            };
            let lacking = |player: usize| {
                let now = plain_lacking(&cells, player)?;
                let mut then = cells;
                then[usize::from(cell)] = Some(player);
                (plain_lacking(&then, player)? < now).then_some(now)
            };
            let expected = match (lacking(mover), lacking(1 - mover)) {
                (Some(1), _) => URGENT + 1,
                (_, Some(1)) => URGENT,
                (Some(_), Some(_)) => 3,
                (Some(_), None) => 2,
                (None, Some(_)) => 1,
                (None, None) => 0,
            };
            let priority = Distances.priority(&game, &state, mv);
            assert_eq!(priority, expected, "seed {seed}, cell {cell}");
            seen.insert(priority);
        }
    }
    assert!(
        seen.contains(&URGENT) && seen.contains(&(URGENT + 1)),
        "{seen:?}"
    );
}

/// Without a side to move Red moves, unless Red has more stones; only a single first stone can be
/// taken over.
#[test]
fn who_moves_and_who_may_swap_in_positions_that_are_set_up() {
    let game = Hex::<u128>::new(3, 3, true).unwrap();
    for (text, mover, swaps) in [
        ("3/3/3", Player::FIRST, false),
        ("x2/3/3", Player::SECOND, true),
        ("xo1/3/3", Player::FIRST, false),
        ("xx1/3/3", Player::SECOND, false),
        ("xx1/o2/3", Player::SECOND, false),
        ("x2/3/3 x", Player::FIRST, false),
        ("3/3/3 o", Player::SECOND, false),
    ] {
        let state = game.parse_position(text).unwrap();
        assert_eq!(game.turn(&state), Turn::Player(mover), "{text}");
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.contains(&Move::Swap), swaps, "{text}");
    }
}

/// The stone that was placed is marked, and after a swap the one that was taken over.
#[test]
fn the_last_stone_is_marked() {
    use tabia_game::Draw;
    let game = Hex::<u128>::new(3, 3, true).unwrap();
    let mut state = game.start();
    for (text, marked) in [("c1", (2.0, 0.0)), ("swap", (1.0, 2.0))] {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
        assert_eq!(game.picture(&state, Some(mv)).marks, [marked], "{text}");
    }
}
