//! The rules once more, slow and plain: men on an array, and the whole record of the game looked
//! through for every move.

use std::collections::HashSet;

type Place = (i32, i32);

/// What comes of an attack, by attacker and defender in the order of [`LETTERS`]: won, lost or both
/// gone.
pub(super) const BATTLES: [(char, &str); 10] = [
    ('S', "WL=LLLLLLLLW"),
    ('O', "WLW=LLLLLLLL"),
    ('N', "WWWW=LLLLLLL"),
    ('T', "WLWWW=LLLLLL"),
    ('L', "WLWWWW=LLLLL"),
    ('P', "WLWWWWW=LLLL"),
    ('J', "WLWWWWWW=LLL"),
    ('C', "WLWWWWWWW=LL"),
    ('G', "WLWWWWWWWW=L"),
    ('M', "WLWWWWWWWWW="),
];

pub(super) const LETTERS: &str = "FBSONTLPJCGM";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    id: usize,
    white: bool,
    pub letter: char,
}

type Field = [[Option<Man>; 10]; 10];

#[derive(Clone, Debug)]
struct Ply {
    man: Man,
    from: Place,
    to: Place,
    attack: bool,
    after: Field,
}

#[derive(Clone, Debug)]
pub(super) struct Plain {
    field: Field,
    white: bool,
    record: Vec<Ply>,
    quiet: u32,
    limit: u32,
    taken: Option<bool>,
}

fn is_lake((file, rank): Place) -> bool {
    matches!(rank, 4 | 5) && matches!(file, 2 | 3 | 6 | 7)
}

fn is_near(a: Place, b: Place) -> bool {
    (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1
}

/// The pairs of neighbouring squares between which a move passes.
fn borders(from: Place, to: Place) -> HashSet<(Place, Place)> {
    let way = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    let mut crossed = HashSet::new();
    let mut at = from;
    while at != to {
        let next = (at.0 + way.0, at.1 + way.1);
        crossed.insert((at.min(next), at.max(next)));
        at = next;
    }
    crossed
}

impl Plain {
    /// Reads the board and the side to move of a position.
    pub fn new(text: &str, limit: u32) -> Plain {
        let mut field = [[None; 10]; 10];
        let mut words = text.split(' ');
        let mut id = 0;
        for (i, row) in words.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            let row = row.replace("10", "9.");
            for c in row.chars().filter(|c| !"'!".contains(*c)) {
                if let Some(run) = c.to_digit(10) {
                    file += run as usize;
                    continue;
                }
                if c != '.' {
                    id += 1;
                    field[file][9 - i] = Some(Man {
                        id,
                        white: c.is_ascii_uppercase(),
                        letter: c.to_ascii_uppercase(),
                    });
                }
                file += 1;
            }
        }
        Plain {
            field,
            white: words.next() == Some("w"),
            record: Vec::new(),
            quiet: 0,
            limit,
            taken: None,
        }
    }

    pub fn at(&self, (file, rank): Place) -> Option<Man> {
        self.field[file as usize][rank as usize]
    }

    /// The moves by which a player may go on if it is their turn.
    fn steps(&self, white: bool) -> Vec<(Place, Place)> {
        let mut steps = Vec::new();
        for from in (0..100).map(|i| (i % 10, i / 10)) {
            let Some(man) = self.at(from).filter(|man| man.white == white) else {
                continue;
            };
            let reach = match man.letter {
                'F' | 'B' => 0,
                'O' => 9,
                _ => 1,
            };
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                for length in 1..=reach {
                    let to = (from.0 + dx * length, from.1 + dy * length);
                    let inside = (0..10).contains(&to.0) && (0..10).contains(&to.1);
                    if !inside || is_lake(to) {
                        break;
                    }
                    let there = self.at(to);
                    if there.is_some_and(|other| other.white == white) {
                        break;
                    }
                    if !self.is_shuttling(man, from, to) && !self.is_chasing(man, from, to) {
                        steps.push((from, to));
                    }
                    if there.is_some() {
                        break;
                    }
                }
            }
        }
        steps
    }

    fn is_shuttling(&self, man: Man, from: Place, to: Place) -> bool {
        let own = self
            .record
            .iter()
            .rev()
            .filter(|ply| ply.man.white == man.white);
        let last: Vec<&Ply> = own.take(3).collect();
        let common = last.iter().fold(borders(from, to), |common, ply| {
            common
                .intersection(&borders(ply.from, ply.to))
                .copied()
                .collect()
        });
        last.len() == 3 && last.iter().all(|ply| ply.man.id == man.id) && !common.is_empty()
    }

    /// Whether a move carries on a chase to a position that it has seen before.
    pub fn is_chasing(&self, man: Man, from: Place, to: Place) -> bool {
        if self.at(to).is_some() {
            return false;
        }
        // Back through pairs of a threat and an evasion.
        let (mut seen, mut evaders) = (Vec::new(), HashSet::new());
        let mut rest = self.record.as_slice();
        while let [before @ .., threat, answer] = rest {
            let beside = |at: Place| is_near(threat.to, at);
            let places = (0..100).map(|i| (i % 10, i / 10));
            let threatens = places.filter(|&at| beside(at)).any(|(x, y)| {
                threat.after[x as usize][y as usize].is_some_and(|other| other.white != man.white)
            });
            let chases = threat.man.white == man.white && !threat.attack && threatens;
            if !chases || answer.attack || !beside(answer.from) {
                break;
            }
            seen.push(threat.after);
            evaders.insert(answer.man.id);
            rest = before;
        }
        let Some(last) = self.record.iter().rev().nth(1) else {
            return false;
        };
        let back = last.man.id == man.id && (last.from, last.to) == (to, from);
        let places = (0..100).map(|i| (i % 10, i / 10));
        let threatens = places
            .filter(|&at| is_near(at, to))
            .filter_map(|at| self.at(at))
            .any(|other| evaders.contains(&other.id));
        let mut after = self.field;
        after[from.0 as usize][from.1 as usize] = None;
        after[to.0 as usize][to.1 as usize] = Some(man);
        threatens && !back && seen.contains(&after)
    }

    /// Whether the only thing against some move is a chase.
    pub fn forbids_a_chase(&self) -> bool {
        (0..100).map(|i| (i % 10, i / 10)).any(|from| {
            let Some(man) = self.at(from).filter(|man| man.white == self.white) else {
                return false;
            };
            let ways = [(-1, 0), (1, 0), (0, -1), (0, 1)];
            let mut near = ways.iter().map(|way| (from.0 + way.0, from.1 + way.1));
            near.any(|to| {
                let inside = (0..10).contains(&to.0) && (0..10).contains(&to.1);
                inside
                    && !is_lake(to)
                    && !"FB".contains(man.letter)
                    && self.is_chasing(man, from, to)
            })
        })
    }

    /// One for a game that White has won, minus one for Black, zero for a draw.
    pub fn result(&self) -> Option<i32> {
        if let Some(white) = self.taken {
            return Some(if white { 1 } else { -1 });
        }
        let [own, other] = [self.white, !self.white].map(|white| !self.steps(white).is_empty());
        match (own, other) {
            (false, false) => Some(0),
            (false, true) => Some(if self.white { -1 } else { 1 }),
            _ if self.limit > 0 && self.quiet >= self.limit => Some(0),
            _ => None,
        }
    }

    /// The legal moves as from and to, squares numbered from `a1`.
    pub fn moves(&self) -> Vec<(u8, u8)> {
        if self.result().is_some() {
            return Vec::new();
        }
        let number = |(file, rank): Place| (10 * rank + file) as u8;
        let steps = self.steps(self.white).into_iter();
        let mut moves: Vec<_> = steps.map(|(from, to)| (number(from), number(to))).collect();
        moves.sort_unstable();
        moves
    }

    pub fn play(&mut self, (from, to): (u8, u8)) {
        let [from, to] = [from, to].map(|square| (i32::from(square) % 10, i32::from(square) / 10));
        let man = self.at(from).unwrap();
        let enemy = self.at(to);
        self.field[from.0 as usize][from.1 as usize] = None;
        let stays = enemy.map_or('W', |enemy| {
            let (_, row) = BATTLES
                .iter()
                .find(|(letter, _)| *letter == man.letter)
                .unwrap();
            row.chars()
                .nth(LETTERS.find(enemy.letter).unwrap())
                .unwrap()
        });
        self.field[to.0 as usize][to.1 as usize] = match stays {
            'W' => Some(man),
            'L' => enemy,
            _ => None,
        };
        self.quiet = if enemy.is_some() { 0 } else { self.quiet + 1 };
        if enemy.is_some_and(|enemy| enemy.letter == 'F') {
            self.taken = Some(self.white);
        }
        self.record.push(Ply {
            man,
            from,
            to,
            attack: enemy.is_some(),
            after: self.field,
        });
        self.white = !self.white;
    }

    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth <= 1 {
            return moves.len() as u64;
        }
        let children = moves.into_iter().map(|mv| {
            let mut child = self.clone();
            child.play(mv);
            child.perft(depth - 1)
        });
        children.sum()
    }
}
