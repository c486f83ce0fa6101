//! Lines of Action as one would write it down on a first day: an array of squares, lines counted
//! by walking along them, groups found by a stack. It shares nothing with the library and serves
//! as its reference and as the yardstick of its speed.

/// An empty square.
pub const EMPTY: u8 = b'.';
/// The colours in the order of moving.
pub const COLOURS: [u8; 2] = [b'b', b'w'];

const DIRECTIONS: [(i32, i32); 8] = [
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not over.
    Open,
    /// Won by Black (0) or White (1).
    Won(usize),
    /// Both sides are connected, and that is a draw.
    Drawn,
}

/// A move of a piece from one (file, rank) to another.
pub type Step = ((usize, usize), (usize, usize));

/// A position: `squares[rank][file]`, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// The board.
    pub squares: [[u8; 8]; 8],
    /// 0 for Black, 1 for White.
    pub mover: usize,
    /// Whether connecting both sides wins for the mover.
    pub both_wins: bool,
}

impl Plain {
    /// The start of a game.
    pub fn start(both_wins: bool) -> Plain {
        let rows = [
            b".bbbbbb.",
            b"w......w",
            b"w......w",
            b"w......w",
            b"w......w",
            b"w......w",
            b"w......w",
            b".bbbbbb.",
        ];
        let squares = rows.map(|row| *row);
        Plain {
            squares,
            mover: 0,
            both_wins,
        }
    }

    fn at(&self, file: i32, rank: i32) -> Option<u8> {
        ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| self.squares[rank as usize][file as usize])
    }

    fn pieces_on_line(&self, file: i32, rank: i32, (dx, dy): (i32, i32)) -> i32 {
        let mut count = 1;
        for sign in [1, -1] {
            let (mut x, mut y) = (file + sign * dx, rank + sign * dy);
            while let Some(square) = self.at(x, y) {
                count += i32::from(square != EMPTY);
                x += sign * dx;
                y += sign * dy;
            }
        }
        count
    }

    /// The moves of the pieces; empty when the player must pass. Whether the game is over is not
    /// looked at.
    pub fn steps(&self) -> Vec<Step> {
        let (own, enemy) = (COLOURS[self.mover], COLOURS[1 - self.mover]);
        let mut steps = Vec::new();
        for rank in 0..8 {
            for file in 0..8 {
                if self.squares[rank as usize][file as usize] != own {
                    continue;
                }
                for (dx, dy) in DIRECTIONS {
                    let distance = self.pieces_on_line(file, rank, (dx, dy));
                    let (x, y) = (file + distance * dx, rank + distance * dy);
                    let free = self.at(x, y).is_some_and(|target| target != own)
                        && (1..distance)
                            .all(|n| self.at(file + n * dx, rank + n * dy) != Some(enemy));
                    if free {
                        let from = (file as usize, rank as usize);
                        steps.push((from, (x as usize, y as usize)));
                    }
                }
            }
        }
        steps
    }

    /// Plays a move, or passes.
    pub fn play(&mut self, step: Option<Step>) {
        if let Some(((file, rank), (x, y))) = step {
            self.squares[y][x] = self.squares[rank][file];
            self.squares[rank][file] = EMPTY;
        }
        self.mover = 1 - self.mover;
    }

    /// Whether all pieces of a colour form one group.
    pub fn is_connected(&self, colour: u8) -> bool {
        let all: Vec<(i32, i32)> = (0..64)
            .map(|i| (i % 8, i / 8))
            .filter(|&(file, rank)| self.at(file, rank) == Some(colour))
            .collect();
        let mut seen = [[false; 8]; 8];
        let mut stack: Vec<(i32, i32)> = all.first().copied().into_iter().collect();
        let mut reached = 0;
        while let Some((file, rank)) = stack.pop() {
            if std::mem::replace(&mut seen[rank as usize][file as usize], true) {
                continue;
            }
            reached += 1;
            for (dx, dy) in DIRECTIONS {
                if self.at(file + dx, rank + dy) == Some(colour) {
                    stack.push((file + dx, rank + dy));
                }
            }
        }
        reached == all.len()
    }

    /// How the game stands when the player who is not to move has just moved.
    pub fn standing(&self) -> Standing {
        match COLOURS.map(|colour| self.is_connected(colour)) {
            [false, false] => Standing::Open,
            [true, false] => Standing::Won(0),
            [false, true] => Standing::Won(1),
            [true, true] if self.both_wins => Standing::Won(1 - self.mover),
            [true, true] => Standing::Drawn,
        }
    }

    /// The number of move sequences of exactly `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.standing() != Standing::Open {
            return 0;
        }
        let steps = self.steps();
        if steps.is_empty() {
            let mut child = self.clone();
            child.play(None);
            return child.perft(depth - 1);
        }
        if depth == 1 {
            return steps.len() as u64;
        }
        let mut leaves = 0;
        for step in steps {
            let mut child = self.clone();
            child.play(Some(step));
            leaves += child.perft(depth - 1);
        }
        leaves
    }

    /// The position in the library's notation.
    pub fn text(&self) -> String {
        let rows: Vec<&str> = self
            .squares
            .iter()
            .rev()
            .map(|row| std::str::from_utf8(row).expect("letters and dots"))
            .collect();
        format!("{} {}", rows.join("/"), char::from(COLOURS[self.mover]))
    }
}
