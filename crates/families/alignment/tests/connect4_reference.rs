//! Connect Four against a plain second implementation on an array of squares, which looks for rows
//! by walking from the disc just dropped.

use std::collections::HashSet;

use rand::Rng;
use tabia_alignment::connect4::Connect4;
use tabia_game::bits::Bits;
use tabia_game::{Game, Key, Player, Seed, Text, Turn, perft};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    /// Each column from the bottom.
    columns: Vec<Vec<char>>,
    rows: usize,
    k: usize,
    mover: char,
    winner: Option<char>,
}

impl Board {
    fn new(columns: usize, rows: usize, k: usize) -> Board {
        Board {
            columns: vec![Vec::new(); columns],
            rows,
            k,
            mover: 'x',
            winner: None,
        }
    }

    fn at(&self, column: i32, rank: i32) -> Option<char> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(rank).ok()?).copied()
    }

    fn moves(&self) -> Vec<usize> {
        let open = |&column: &usize| self.columns[column].len() < self.rows;
        match self.winner {
            Some(_) => vec![],
            None => (0..self.columns.len()).filter(open).collect(),
        }
    }

    fn drop(&mut self, column: usize) {
        let disc = self.mover;
        self.columns[column].push(disc);
        let (f, r) = (column as i32, self.columns[column].len() as i32 - 1);
        for (df, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let walk = |sign: i32| {
                (1..)
                    .take_while(|i| self.at(f + sign * i * df, r + sign * i * dr) == Some(disc))
                    .count()
            };
            if 1 + walk(1) + walk(-1) >= self.k {
                self.winner = Some(disc);
            }
        }
        self.mover = if disc == 'x' { 'o' } else { 'x' };
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.rows).rev() {
            let mut row = String::new();
            let mut empty = 0;
            for column in &self.columns {
                match column.get(rank) {
                    Some(disc) => {
                        if empty > 0 {
                            row += &empty.to_string();
                        }
                        empty = 0;
                        row.push(*disc);
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        format!("{} {}", rows.join("/"), self.mover)
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        let below = moves.iter().map(|&column| {
            let mut child = self.clone();
            child.drop(column);
            child.perft(depth - 1)
        });
        below.sum()
    }
}

fn compare<B: Bits>(game: &Connect4<B>, state: &<Connect4<B> as Game>::State, board: &Board) {
    assert_eq!(game.position_text(state), board.text());
    let columns = board.moves();
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let names: Vec<String> = moves.iter().map(|&mv| game.move_text(state, mv)).collect();
    let expected: Vec<String> = columns.iter().map(|c| (c + 1).to_string()).collect();
    assert_eq!(names, expected, "{}", board.text());
    let player = Player(u8::from(board.mover == 'o'));
    if columns.is_empty() {
        assert_eq!(game.turn(state), Turn::Over);
        let payoff = match board.winner {
            Some('x') => 1,
            Some(_) => -1,
            None => 0,
        };
        assert_eq!(
            game.payoff(state, Player::FIRST),
            payoff,
            "{}",
            board.text()
        );
        assert_eq!(game.payoff(state, Player::SECOND), -payoff);
    } else {
        assert_eq!(game.turn(state), Turn::Player(player), "{}", board.text());
    }
}

fn random_games<B: Bits>(columns: usize, rows: usize, k: usize, games: u64) {
    let game = Connect4::<B>::new(columns, rows, k).expect("a possible size");
    for number in 0..games {
        let mut rng = Seed::new(number).rng();
        let (mut state, mut board) = (game.start(), Board::new(columns, rows, k));
        loop {
            compare(&game, &state, &board);
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let choice = rng.next_u32() as usize % moves.len();
            board.drop(board.moves()[choice]);
            game.play(&mut state, moves[choice]);
        }
    }
}

#[test]
fn random_games_agree() {
    random_games::<u64>(7, 6, 4, 300);
    random_games::<u64>(4, 4, 4, 300);
    random_games::<u64>(5, 4, 3, 200);
    random_games::<u64>(6, 7, 5, 200);
    random_games::<u64>(8, 7, 6, 100);
    random_games::<u64>(26, 1, 4, 100);
    random_games::<u64>(1, 9, 2, 10);
    random_games::<u64>(3, 3, 1, 10);
    random_games::<u128>(7, 6, 4, 100);
    random_games::<u128>(11, 10, 5, 100);
    random_games::<u128>(10, 11, 7, 50);
    random_games::<u128>(26, 3, 3, 50);
    random_games::<u128>(2, 63, 10, 20);
}

#[test]
fn perft_agrees() {
    for (columns, rows, k, depth) in [
        (7, 6, 4, 6),
        (4, 4, 3, 8),
        (3, 3, 2, 9),
        (2, 7, 3, 14),
        (4, 2, 2, 8),
        (5, 5, 4, 7),
    ] {
        let game = Connect4::<u64>::new(columns, rows, k).expect("a possible size");
        let board = Board::new(columns, rows, k);
        for depth in 1..=depth {
            let expected = board.perft(depth);
            assert_eq!(
                perft(&game, &game.start(), depth),
                expected,
                "{columns}x{rows},{k} at depth {depth}"
            );
        }
    }
}

/// The number of positions that can arise on a 4x4 board, as Tromp lists it, three times: by the
/// plain implementation, by states, and by keys.
#[test]
fn tromp_positions_on_4x4() {
    let mut boards = HashSet::from([Board::new(4, 4, 4)]);
    let mut open: Vec<Board> = boards.iter().cloned().collect();
    while let Some(board) = open.pop() {
        for column in board.moves() {
            let mut child = board.clone();
            child.drop(column);
            if boards.insert(child.clone()) {
                open.push(child);
            }
        }
    }
    assert_eq!(boards.len(), 161_029);

    let game = Connect4::<u64>::new(4, 4, 4).expect("a possible size");
    let mut states = HashSet::from([game.start()]);
    let mut open = vec![game.start()];
    let mut moves = Vec::new();
    while let Some(state) = open.pop() {
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut child = state;
            game.play(&mut child, mv);
            if states.insert(child) {
                open.push(child);
            }
        }
    }
    assert_eq!(states.len(), 161_029);
    let keys: HashSet<u64> = states.iter().map(|s| game.key(s)).collect();
    assert_eq!(keys.len(), 161_029);
}
