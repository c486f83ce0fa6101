//! SameGame: random games on random boards of 15x15 cells and five colours, with columns packed
//! into words and on a plain array of cells; and listing the moves of a position with their sizes.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use tabia_game::{Game, GameRng, Player, Seed, Text};
use tabia_puzzles::samegame::{SameGame, State};

#[path = "../tests/support/plain_samegame.rs"]
mod plain;

use plain::Plain;

const BOARDS: usize = 100;

fn plainly(game: &SameGame, state: &State) -> Plain {
    let text = game.position_text(state);
    let digits = |row: &str| {
        row.chars()
            .map(|c| c.to_digit(10).map(|d| d as u8))
            .collect()
    };
    Plain {
        cells: text.split('/').map(digits).collect(),
        score: 0,
    }
}

fn plain_playout(mut board: Plain, rng: &mut GameRng) -> i32 {
    loop {
        let groups = board.groups();
        if groups.is_empty() {
            return board.payoff();
        }
        board.take(&groups[rng.random_range(0..groups.len())]);
    }
}

/// The same without a list of lists: the cells of all groups one after the other.
fn plain_playout_lean(board: &Plain, rng: &mut GameRng, room: &mut PlainBuffers) -> i32 {
    let (rows, columns) = (board.cells.len(), board.cells[0].len());
    room.cells.clear();
    room.cells
        .extend(board.cells.iter().flatten().map(|c| c.map_or(0, |c| c + 1)));
    let mut score = 0;
    loop {
        room.list(rows, columns);
        if room.groups.is_empty() {
            let mut left = [0i32; 8];
            room.cells.iter().for_each(|&c| left[usize::from(c)] += 1);
            let cost: i32 = left[1..]
                .iter()
                .filter(|&&n| n > 0)
                .map(|n| (n - 2) * (n - 2))
                .sum();
            return if cost == 0 && left[1..] == [0; 7] {
                score + 1000
            } else {
                score - cost
            };
        }
        let (from, to) = room.groups[rng.random_range(0..room.groups.len())];
        let n = (to - from) as i32;
        score += (n - 2) * (n - 2);
        room.take(from, to, rows, columns);
    }
}

/// Buffers of the plain implementation without allocation.
#[derive(Default)]
struct PlainBuffers {
    cells: Vec<u8>,
    seen: Vec<bool>,
    members: Vec<usize>,
    groups: Vec<(usize, usize)>,
}

impl PlainBuffers {
    fn list(&mut self, rows: usize, columns: usize) {
        self.seen.clear();
        self.seen.resize(rows * columns, false);
        self.members.clear();
        self.groups.clear();
        for cell in 0..rows * columns {
            if self.cells[cell] == 0 || self.seen[cell] {
                continue;
            }
            let from = self.members.len();
            self.seen[cell] = true;
            self.members.push(cell);
            let mut next = from;
            while next < self.members.len() {
                let at = self.members[next];
                next += 1;
                let (row, column) = (at / columns, at % columns);
                let near = [
                    (row > 0).then(|| at - columns),
                    (row + 1 < rows).then(|| at + columns),
                    (column > 0).then(|| at - 1),
                    (column + 1 < columns).then(|| at + 1),
                ];
                for to in near.into_iter().flatten() {
                    if !self.seen[to] && self.cells[to] == self.cells[cell] {
                        self.seen[to] = true;
                        self.members.push(to);
                    }
                }
            }
            if self.members.len() - from > 1 {
                self.groups.push((from, self.members.len()));
            } else {
                self.members.truncate(from);
            }
        }
    }

    fn take(&mut self, from: usize, to: usize, rows: usize, columns: usize) {
        for &cell in &self.members[from..to] {
            self.cells[cell] = 0;
        }
        let mut free = 0;
        for column in 0..columns {
            let mut below = rows;
            for row in (0..rows).rev() {
                let block = std::mem::take(&mut self.cells[row * columns + column]);
                if block != 0 {
                    below -= 1;
                    self.cells[below * columns + free] = block;
                }
            }
            free += usize::from(below < rows);
        }
    }
}

fn playouts(c: &mut Criterion) {
    let game = SameGame::new(15, 15, 5).expect("a size");
    let mut rng = Seed::new(1).rng();
    let boards: Vec<State> = (0..BOARDS).map(|_| game.random_board(&mut rng)).collect();
    let plain: Vec<Plain> = boards.iter().map(|board| plainly(&game, board)).collect();
    let mut group = c.benchmark_group("samegame playouts");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(BOARDS as u64));
    group.bench_function("packed columns", |b| {
        let (mut rng, mut moves) = (Seed::new(2).rng(), Vec::new());
        b.iter(|| {
            let play = |board: &State| {
                let mut state = *board;
                game.play_at_random(&mut state, u32::MAX, &mut moves, &mut rng);
                game.payoff(&state, Player::FIRST)
            };
            boards.iter().map(play).sum::<i32>()
        });
    });
    group.bench_function("packed columns, tabu colour", |b| {
        let mut rng = Seed::new(2).rng();
        b.iter(|| {
            let play = |board: &State| {
                let mut state = *board;
                game.play_out(&mut state, u32::MAX, Some(0), &mut rng, |_| ());
                game.payoff(&state, Player::FIRST)
            };
            boards.iter().map(play).sum::<i32>()
        });
    });
    group.bench_function("packed columns, moves listed", |b| {
        let (mut rng, mut groups) = (Seed::new(2).rng(), Vec::new());
        b.iter(|| {
            let mut play = |board: &State| {
                let mut state = *board;
                loop {
                    groups.clear();
                    game.groups(&state, &mut groups);
                    if groups.is_empty() {
                        return game.payoff(&state, Player::FIRST);
                    }
                    game.play(&mut state, groups[rng.random_range(0..groups.len())].mv);
                }
            };
            boards.iter().map(&mut play).sum::<i32>()
        });
    });
    group.bench_function("plain array", |b| {
        let (mut rng, mut room) = (Seed::new(2).rng(), PlainBuffers::default());
        b.iter(|| {
            plain
                .iter()
                .map(|board| plain_playout_lean(board, &mut rng, &mut room))
                .sum::<i32>()
        });
    });
    group.bench_function("plain lists", |b| {
        let mut rng = Seed::new(2).rng();
        b.iter(|| {
            plain
                .iter()
                .map(|board| plain_playout(board.clone(), &mut rng))
                .sum::<i32>()
        });
    });
    group.finish();
    c.bench_function("samegame moves with sizes", |b| {
        let mut groups = Vec::new();
        b.iter(|| {
            groups.clear();
            game.groups(black_box(&boards[0]), &mut groups);
            groups.len()
        });
    });
}

criterion_group!(benches, playouts);
criterion_main!(benches);
