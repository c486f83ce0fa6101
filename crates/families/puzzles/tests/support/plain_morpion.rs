//! Morpion Solitaire on a plain grid, written from the rules: every line of the grid is looked at
//! for every move, and every line drawn for every line that might be. Slow, and short enough to be
//! checked by reading.

use std::collections::{BTreeSet, HashSet};

/// A line: its first dot, and its direction as a number of [`STEPS`]. x grows to the right, y
/// downwards.
pub type Line = (i32, i32, usize);

/// From dot to dot: to the right, down, down and up to the right.
pub const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Dots of a side of the grid.
const SIDE: i32 = 64;
/// The inner corner of the cross at the top left.
const CORNER: (i32, i32) = (28, 28);

/// The cross of the games with lines of five dots.
const FIVE: [&str; 10] = [
    "   ####   ",
    "   #  #   ",
    "   #  #   ",
    "####  ####",
    "#        #",
    "#        #",
    "####  ####",
    "   #  #   ",
    "   #  #   ",
    "   ####   ",
];

/// The cross of the games with lines of four dots.
const FOUR: [&str; 7] = [
    "  ###  ", //
    "  # #  ", "### ###", "#     #", "### ###", "  # #  ", "  ###  ",
];

/// A position.
#[derive(Clone, Debug)]
pub struct PlainMorpion {
    length: i32,
    touching: bool,
    dots: HashSet<(i32, i32)>,
    lines: Vec<Line>,
}

impl PlainMorpion {
    /// The start of the game with lines of this many dots, four or five. Lines of a direction may
    /// share an end if they may touch.
    pub fn new(length: i32, touching: bool) -> PlainMorpion {
        let rows = if length == 5 { &FIVE[..] } else { &FOUR[..] };
        let (left, top) = (CORNER.0 - length + 2, CORNER.1 - length + 2);
        let row = |(y, row): (i32, &str)| -> Vec<(i32, i32)> {
            let marks = (left..).zip(row.chars()).filter(|(_, mark)| *mark == '#');
            marks.map(|(x, _)| (x, y)).collect()
        };
        PlainMorpion {
            length,
            touching,
            dots: (top..).zip(rows.iter().copied()).flat_map(row).collect(),
            lines: Vec::new(),
        }
    }

    /// The dots of a line.
    pub fn points(&self, (x, y, direction): Line) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (right, down) = STEPS[direction];
        (0..self.length).map(move |i| (x + i * right, y + i * down))
    }

    /// Draws a line and the dot that it lacks.
    pub fn play(&mut self, line: Line) {
        self.dots.extend(self.points(line));
        self.lines.push(line);
    }

    /// New dots and lines of all moves.
    pub fn moves(&self) -> BTreeSet<((i32, i32), Line)> {
        let xs = self.dots.iter().map(|dot| dot.0);
        let ys = self.dots.iter().map(|dot| dot.1);
        let around = |low: Option<i32>, high: Option<i32>| {
            let (low, high) = (low.unwrap_or(0), high.unwrap_or(SIDE));
            (low - self.length).max(0)..(high + self.length).min(SIDE)
        };
        let columns = around(xs.clone().min(), xs.max());
        let rows = around(ys.clone().min(), ys.max());
        let mut found = BTreeSet::new();
        for (x, y) in columns.flat_map(|x| rows.clone().map(move |y| (x, y))) {
            for direction in 0..STEPS.len() {
                let line = (x, y, direction);
                let mut lacking = self.points(line).filter(|dot| !self.dots.contains(dot));
                if let (Some(dot), None) = (lacking.next(), lacking.next())
                    && self.may_draw(line)
                {
                    found.insert((dot, line));
                }
            }
        }
        found
    }

    /// Whether a line keeps clear of all lines of its direction.
    fn may_draw(&self, line: Line) -> bool {
        let allowed = usize::from(self.touching);
        let same_way = self.lines.iter().filter(|other| other.2 == line.2);
        same_way.copied().all(|other| {
            let shared = |dot: &(i32, i32)| self.points(other).any(|point| point == *dot);
            self.points(line).filter(shared).count() <= allowed
        })
    }

    /// How many positions there are after 0, 1, 2 and so on further moves, up to a depth. Positions
    /// with the same lines are the same.
    pub fn positions(&self, depth: usize) -> Vec<usize> {
        let mut level = vec![self.clone()];
        let mut counts = vec![1];
        for _ in 0..depth {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for position in &level {
                for (_, line) in position.moves() {
                    let mut lines = position.lines[self.lines.len()..].to_vec();
                    lines.push(line);
                    lines.sort_unstable();
                    if seen.insert(lines) {
                        let mut after = position.clone();
                        after.play(line);
                        next.push(after);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            counts.push(next.len());
            level = next;
        }
        counts
    }
}

/// Reads the lines of a Pentasol record of a game with lines of five dots: the corner of the cross,
/// then a line for each move, with the new dot, the direction, and where the middle of the line
/// lies from the dot.
pub fn read_pentasol(text: &str) -> Vec<Line> {
    let numbers = |text: &str| -> (i32, i32) {
        let inner = text.trim_start_matches('(').trim_end_matches(')');
        let (x, y) = inner.split_once(',').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    };
    let mut rows = text.lines().filter(|row| !row.trim().is_empty());
    let corner = numbers(rows.next().expect("a corner").trim());
    rows.map(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        let (x, y) = numbers(words[0]);
        let direction = ["-", "|", "\\", "/"].iter().position(|d| *d == words[1]);
        let direction = direction.expect("a direction");
        let offset: i32 = words[2].trim_start_matches('+').parse().expect("an offset");
        let (right, down) = STEPS[direction];
        let first = offset - 2;
        let (x, y) = (x - corner.0 + CORNER.0, y - corner.1 + CORNER.1);
        (x + first * right, y + first * down, direction)
    })
    .collect()
}
