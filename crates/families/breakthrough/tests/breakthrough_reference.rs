//! Breakthrough against a plain second implementation on an array of squares.

use std::collections::HashSet;

use rand::Rng;
use tabia_breakthrough::breakthrough::Breakthrough;
use tabia_game::bits::Bits;
use tabia_game::{Game, Key, Player, Seed, Text, Turn, perft};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    /// Rows from the bottom, `.` for an empty square.
    rows: Vec<Vec<char>>,
    mover: char,
}

type Square = (usize, usize);

impl Board {
    fn new(width: usize, height: usize) -> Board {
        let row = |rank: usize| match rank {
            0 | 1 => 'w',
            _ if rank + 2 >= height => 'b',
            _ => '.',
        };
        Board {
            rows: (0..height).map(|rank| vec![row(rank); width]).collect(),
            mover: 'w',
        }
    }

    fn other(&self) -> char {
        if self.mover == 'w' { 'b' } else { 'w' }
    }

    fn winner(&self) -> Option<char> {
        let gone = |piece| !self.rows.iter().flatten().any(|&c| c == piece);
        let top = self.rows.len() - 1;
        if self.rows[top].contains(&'w') || gone('b') {
            Some('w')
        } else if self.rows[0].contains(&'b') || gone('w') {
            Some('b')
        } else {
            None
        }
    }

    fn moves(&self) -> Vec<(Square, Square)> {
        let mut moves = Vec::new();
        if self.winner().is_some() {
            return moves;
        }
        for (rank, row) in self.rows.iter().enumerate() {
            for file in (0..row.len()).filter(|&file| row[file] == self.mover) {
                for sideways in [-1, 0, 1] {
                    let ahead = rank as i32 + if self.mover == 'w' { 1 } else { -1 };
                    let aside = file as i32 + sideways;
                    if aside < 0 || aside >= row.len() as i32 {
                        continue;
                    }
                    let to = (aside as usize, ahead as usize);
                    let target = self.rows[to.1][to.0];
                    if target == '.' || (target == self.other() && sideways != 0) {
                        moves.push(((file, rank), to));
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, (from, to): (Square, Square)) {
        self.rows[from.1][from.0] = '.';
        self.rows[to.1][to.0] = self.mover;
        self.mover = self.other();
    }

    fn move_text(&self, (from, to): (Square, Square)) -> String {
        let name = |(file, rank): Square| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        let mark = if self.rows[to.1][to.0] == '.' {
            "-"
        } else {
            "x"
        };
        name(from) + mark + &name(to)
    }

    fn text(&self) -> String {
        let row = |row: &Vec<char>| {
            let dotted: String = row.iter().collect();
            // Runs of empty squares become numbers, the longest first.
            (1..=row.len()).rev().fold(dotted, |text, run| {
                text.replace(&".".repeat(run), &run.to_string())
            })
        };
        let rows: Vec<String> = self.rows.iter().rev().map(row).collect();
        format!("{} {}", rows.join("/"), self.mover)
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        let below = moves.iter().map(|&mv| {
            let mut child = self.clone();
            child.play(mv);
            child.perft(depth - 1)
        });
        below.sum()
    }
}

fn compare<B: Bits>(
    game: &Breakthrough<B>,
    state: &<Breakthrough<B> as Game>::State,
    board: &Board,
) {
    assert_eq!(game.position_text(state), board.text());
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let names: Vec<String> = moves.iter().map(|&mv| game.move_text(state, mv)).collect();
    let plain = board.moves();
    let expected: Vec<String> = plain.iter().map(|&mv| board.move_text(mv)).collect();
    assert_eq!(names, expected, "{}", board.text());
    match board.winner() {
        Some(winner) => {
            assert_eq!(game.turn(state), Turn::Over, "{}", board.text());
            let payoff = if winner == 'w' { 1 } else { -1 };
            assert_eq!(game.payoff(state, Player::FIRST), payoff);
            assert_eq!(game.payoff(state, Player::SECOND), -payoff);
        }
        None => {
            let player = Player(u8::from(board.mover == 'b'));
            assert_eq!(game.turn(state), Turn::Player(player));
        }
    }
}

fn random_games<B: Bits>(width: usize, height: usize, games: u64) {
    let game = Breakthrough::<B>::new(width, height).expect("a possible size");
    for number in 0..games {
        let mut rng = Seed::new(number).rng();
        let (mut state, mut board) = (game.start(), Board::new(width, height));
        loop {
            compare(&game, &state, &board);
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let choice = rng.next_u32() as usize % moves.len();
            board.play(board.moves()[choice]);
            game.play(&mut state, moves[choice]);
        }
    }
}

#[test]
fn random_games_agree() {
    random_games::<u64>(8, 8, 200);
    random_games::<u64>(2, 4, 100);
    random_games::<u64>(2, 9, 200);
    random_games::<u64>(5, 5, 200);
    random_games::<u64>(16, 4, 50);
    random_games::<u64>(3, 21, 50);
    random_games::<u128>(8, 8, 50);
    random_games::<u128>(11, 11, 30);
    random_games::<u128>(26, 4, 30);
    random_games::<u128>(4, 26, 30);
}

#[test]
fn perft_agrees() {
    for (width, height, depth) in [
        (8, 8, 4),
        (2, 4, 10),
        (3, 4, 8),
        (2, 7, 10),
        (4, 5, 6),
        (6, 4, 5),
        (5, 10, 4),
    ] {
        let narrow = Breakthrough::<u64>::new(width, height).expect("a possible size");
        let wide = Breakthrough::<u128>::new(width, height).expect("a possible size");
        let board = Board::new(width, height);
        for depth in 1..=depth {
            let expected = board.perft(depth);
            let at = format!("{width}x{height} at depth {depth}");
            assert_eq!(perft(&narrow, &narrow.start(), depth), expected, "{at}");
            assert_eq!(perft(&wide, &wide.start(), depth), expected, "{at}");
        }
    }
}

/// Both implementations reach the same positions, and no two of them share a key.
#[test]
fn reachable_positions_agree() {
    for (width, height) in [(2, 4), (2, 6), (3, 4)] {
        compare_reachable(width, height);
    }
}

fn compare_reachable(width: usize, height: usize) {
    let start = Board::new(width, height);
    let mut boards = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(board) = open.pop() {
        for mv in board.moves() {
            let mut child = board.clone();
            child.play(mv);
            if boards.insert(child.clone()) {
                open.push(child);
            }
        }
    }

    let game = Breakthrough::<u64>::new(width, height).expect("a possible size");
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
    let plain: HashSet<String> = boards.iter().map(Board::text).collect();
    let texts: HashSet<String> = states.iter().map(|s| game.position_text(s)).collect();
    assert!(
        plain == texts,
        "{} and {} positions",
        plain.len(),
        texts.len()
    );
    let keys: HashSet<u64> = states.iter().map(|s| game.key(s)).collect();
    assert_eq!(keys.len(), boards.len());
}
