//! Y against a plain second implementation, and against what is known of it.

use std::collections::HashMap;

use tabia_game::bits::{Bits, Wide};
use tabia_game::{Game, Key, Knowledge, Outcome, Player, Text, Turn, URGENT, perft, zobrist};
use tabia_kit::Kit;

use super::{Distances, Move, State, Y};

#[test]
fn conforms() {
    for side in [1, 2, 3, 5, 11] {
        let kit: Kit<Y<u128>> = Kit::new();
        let kit = kit.two_player().key().move_index().text().text_key();
        let games = if side < 6 { 20 } else { 3 };
        let game = Y::<u128>::new(side).unwrap();
        kit.symmetric()
            .draw()
            .effort(games, 200)
            .run(&game)
            .unwrap();
    }
    let wide = Y::<Wide>::new(19).unwrap();
    let kit = Kit::new().two_player().key().move_index().text();
    kit.effort(2, 400).run(&wide).unwrap();
}

#[test]
fn boards_that_are_refused() {
    assert!(Y::<u64>::new(0).is_err());
    assert!(Y::<u64>::new(9).is_err(), "81 bits");
    assert!(Y::<u128>::new(11).is_ok());
    assert!(Y::<Wide>::new(20).is_err());
}

/// Y written down as simply as possible: cells are their distances from the three sides, and a
/// chain is a depth-first search.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Plain {
    side: i32,
    /// Distances from the left, from the right and from the bottom, and the stone.
    cells: Vec<([i32; 3], Option<usize>)>,
    mover: usize,
}

impl Plain {
    fn new(side: i32) -> Plain {
        let mut cells = Vec::new();
        for row in 0..side {
            for place in 0..=row {
                cells.push(([place, row - place, side - 1 - row], None));
            }
        }
        Plain {
            side,
            cells,
            mover: 0,
        }
    }

    /// Neighbours are one nearer to one side and one farther from another.
    fn are_neighbours(one: [i32; 3], other: [i32; 3]) -> bool {
        let mut differences = [0, 1, 2].map(|at| one[at] - other[at]);
        differences.sort_unstable();
        differences == [-1, 0, 1]
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&player| {
            let mut seen = vec![false; self.cells.len()];
            (0..self.cells.len()).any(|begin| {
                let mut touched = [false; 3];
                let mut open = vec![begin];
                while let Some(at) = open.pop() {
                    let (place, owner) = self.cells[at];
                    if owner != Some(player) || std::mem::replace(&mut seen[at], true) {
                        continue;
                    }
                    for side in 0..3 {
                        touched[side] |= place[side] == 0;
                    }
                    let near = |&next: &usize| Plain::are_neighbours(place, self.cells[next].0);
                    open.extend((0..self.cells.len()).filter(near));
                }
                touched == [true; 3]
            })
        })
    }

    fn children(&self) -> Vec<(usize, Plain)> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let empty = (0..self.cells.len()).filter(|&cell| self.cells[cell].1.is_none());
        let child = |cell: usize| {
            let mut child = self.clone();
            child.cells[cell].1 = Some(self.mover);
            child.mover = 1 - self.mover;
            (cell, child)
        };
        empty.map(child).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        let children = || self.children().into_iter();
        match depth {
            0 => 1,
            _ => children().map(|(_, child)| child.perft(depth - 1)).sum(),
        }
    }

    /// Whether the player to move wins.
    fn wins(&self, known: &mut HashMap<Plain, bool>) -> bool {
        if let Some(winner) = self.winner() {
            return winner == self.mover;
        }
        if let Some(&wins) = known.get(self) {
            return wins;
        }
        let wins = self.children().iter().any(|(_, child)| !child.wins(known));
        known.insert(self.clone(), wins);
        wins
    }

    /// The number that the crate gives a cell.
    fn number(&self, cell: usize) -> u16 {
        let [left, right, _] = self.cells[cell].0;
        ((left + right) * self.side + left) as u16
    }
}

/// Whether the player to move wins, by the rules of the crate.
fn wins<B: Bits>(game: &Y<B>, state: &State<B>, known: &mut HashMap<u64, bool>) -> bool {
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
    for side in 1..=4u32 {
        let game = Y::<u64>::new(side as usize).unwrap();
        let plain = Plain::new(side as i32);
        for depth in 0..=(side * (side + 1) / 2).min(6) {
            let counted = perft(&game, &game.start(), depth);
            assert_eq!(counted, plain.perft(depth), "side {side}, depth {depth}");
        }
    }
}

/// Whoever begins wins on a board of any size, since a strategy of the second player could be
/// stolen; a side of 2 by any first stone, as two of three cells are always neighbours.
#[test]
fn whoever_begins_wins() {
    for side in 1..=4 {
        let game = Y::<u64>::new(side).unwrap();
        assert!(
            wins(&game, &game.start(), &mut HashMap::new()),
            "side {side}"
        );
        assert!(
            Plain::new(side as i32).wins(&mut HashMap::new()),
            "side {side}"
        );
    }
}

#[test]
fn openings_equal_those_of_the_plain_game() {
    let game = Y::<u64>::new(4).unwrap();
    let (mut known, mut plain_known) = (HashMap::new(), HashMap::new());
    let mut values = Vec::new();
    let start = Plain::new(4);
    for (cell, plain) in start.children() {
        let mut state = game.start();
        game.play(&mut state, Move(start.number(cell)));
        let lost = wins(&game, &state, &mut known);
        assert_eq!(lost, plain.wins(&mut plain_known), "cell {cell}");
        values.push(lost);
    }
    assert!(values.contains(&true) && values.contains(&false));
}

/// On a full board exactly one player has connected the sides.
#[test]
fn a_full_board_has_one_winner() {
    for seed in 0..300 {
        let mut plain = Plain::new(5);
        let stones = (0..plain.cells.len() as u64).map(|at| zobrist::number(seed, at) % 2);
        for (cell, stone) in stones.enumerate() {
            plain.cells[cell].1 = Some(stone as usize);
        }
        let game = Y::<u64>::new(5).unwrap();
        let mut owned = [0u64; 2];
        for (cell, (_, stone)) in plain.cells.iter().enumerate() {
            owned[stone.unwrap()] |= u64::bit(usize::from(plain.number(cell)));
        }
        let connected = owned.map(|own| game.has_connected(own));
        assert_eq!(
            connected.iter().filter(|&&has| has).count(),
            1,
            "seed {seed}"
        );
        let winner = connected.iter().position(|&has| has);
        assert_eq!(plain.winner(), winner, "seed {seed}");
    }
}

/// Positions of a board that are not over, after some moves by lot.
fn positions(game: &Y<u64>) -> impl Iterator<Item = (u64, State<u64>)> {
    (0..400u64).filter_map(move |seed| {
        let mut state = game.start();
        let mut moves = Vec::new();
        for ply in 0..seed % 12 {
            moves.clear();
            game.moves(&state, &mut moves);
            let number = u64::try_from(moves.len()).ok().filter(|&n| n > 0)?;
            let mv = moves[(zobrist::number(seed, ply) % number) as usize];
            game.play(&mut state, mv);
        }
        (state.outcome == Outcome::Open).then_some((seed, state))
    })
}

/// What is urgent is what wins at once, or what keeps the opponent from doing so.
#[test]
fn urgent_moves_win_or_prevent_a_loss() {
    let game = Y::<u64>::new(5).unwrap();
    let mut seen = [0; 3];
    for (seed, state) in positions(&game) {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let connects = |mv: Move, player: Player| {
            let stones = state.stones[player.index()] | u64::bit(usize::from(mv.0));
            game.has_connected(stones)
        };
        let mut priorities = Vec::new();
        Distances.priorities(&game, &state, &moves, &mut priorities);
        for (&mv, priority) in moves.iter().zip(priorities) {
            let expected = [state.mover, state.mover.other()].map(|player| connects(mv, player));
            let told = [priority == URGENT + 1, priority == URGENT];
            match expected {
                [true, _] => assert_eq!(told, [true, false], "seed {seed}"),
                [false, true] => assert_eq!(told, [false, true], "seed {seed}"),
                [false, false] => assert_eq!(told, [false, false], "seed {seed}"),
            }
            seen[usize::from(priority >= URGENT) + usize::from(priority > URGENT)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

/// Both sides lack the same single stone, b3: Black from a2 to the bottom, White between b2 and a3.
#[test]
fn evaluations_count_stones() {
    let game = Y::<u64>::new(3).unwrap();
    let state = game.parse_position("x/xo/o2 x").unwrap();
    let through = |player| game.through(&state, player).into_iter().flatten().min();
    assert_eq!(
        (through(Player::FIRST), through(Player::SECOND)),
        (Some(1), Some(1))
    );
    let values =
        [Player::FIRST, Player::SECOND].map(|player| Distances.evaluate(&game, &state, player));
    assert_eq!(values[0], -values[1]);
    assert_eq!(
        values[0],
        super::evaluation::STONE / 2,
        "only the move counts"
    );
}

#[test]
fn positions_that_are_none_are_refused() {
    let game = Y::<u64>::new(3).unwrap();
    let refused = |text: &str| game.parse_position(text).unwrap_err().to_string();
    assert!(refused("1/2").starts_with("the board has 2 row(s) where 3 belong"));
    assert!(refused("1/3/3 x").starts_with("row 2 ('3') has 3 cell(s) where 2 belong"));
    assert!(refused("1/y1/3").starts_with("'y' is no stone"));
    assert!(refused("1/2/3 z").contains("no side to move"));
    assert!(refused("1/2/99999999999999999999999 x").contains("row 3"));
    let state = game.parse_position("1/.x/3").unwrap();
    assert_eq!(game.position_text(&state), "1/1x/3 o");
}
