//! Line segment graphs: when two rooms are alike although neither is an image of the other.
//!
//! All that matters of a room are its lines, the longest runs of squares in one of four directions,
//! each with the order of its squares but for reversal (Tegos 2002, section 5.2). Two rooms are
//! alike if squares can be matched so that lines become lines. Tegos gives a graph with a vertex
//! for every line to a program for graphs; here lines are used as they are. A canonical labelling
//! is found as in McKay (1981): squares are told apart by the colours that they see along their
//! lines until nothing changes; then one square of the first class of several is singled out, every
//! one in turn, and the least list of lines of all labellings is the canonical one.

use crate::amazons::rooms::room::{Room, Square};

/// The lines of a room, whose squares are numbered in rows from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSegments {
    points: usize,
    /// Runs of two squares at least.
    lines: Vec<Vec<u8>>,
    /// For each point the lines through it and its place in them.
    through: Vec<Vec<(u8, u8)>>,
}

/// What two rooms have in common if and only if they are alike.
///
/// The colours of the points in the order of their labels, then every line with its length and the
/// labels of its points, read from the end that comes first; lines in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineForm(Box<[u8]>);

/// A canonical form with the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The form.
    pub form: LineForm,
    /// The label of each point.
    pub labels: Vec<u8>,
}

const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl LineSegments {
    /// The lines of a room.
    pub fn new(room: &Room) -> LineSegments {
        let squares: Vec<Square> = room.squares().collect();
        let number = |(x, y): (i8, i8)| {
            squares
                .iter()
                .position(|&(a, b)| (a as i8, b as i8) == (x, y))
        };
        let mut lines = Vec::new();
        for (dx, dy) in DIRECTIONS {
            for &(x, y) in &squares {
                let (mut x, mut y) = (x as i8, y as i8);
                if room.has((x - dx, y - dy)) {
                    continue;
                }
                let mut line = Vec::new();
                while let Some(point) = room.has((x, y)).then(|| number((x, y))).flatten() {
                    line.push(point as u8);
                    (x, y) = (x + dx, y + dy);
                }
                if line.len() > 1 {
                    lines.push(line);
                }
            }
        }
        LineSegments::of(squares.len(), lines)
    }

    fn of(points: usize, lines: Vec<Vec<u8>>) -> LineSegments {
        let mut through = vec![Vec::new(); points];
        for (number, line) in lines.iter().enumerate() {
            for (place, &point) in line.iter().enumerate() {
                through[usize::from(point)].push((number as u8, place as u8));
            }
        }
        LineSegments {
            points,
            lines,
            through,
        }
    }

    /// The canonical form of the lines with colours on their points, such as queens.
    pub fn label(&self, colours: &[u8]) -> Labelled {
        debug_assert_eq!(colours.len(), self.points);
        let mut best = None;
        self.search(colours.to_vec(), colours, &mut best);
        best.expect("a search ends with a labelling")
    }

    /// The canonical form without colours.
    pub fn form(&self) -> Labelled {
        self.label(&vec![0; self.points])
    }

    fn search(&self, mut classes: Vec<u8>, colours: &[u8], best: &mut Option<Labelled>) {
        let several = self.refine(&mut classes);
        let Some(class) = several else {
            let leaf = self.leaf(classes, colours);
            if best.as_ref().is_none_or(|best| leaf.form < best.form) {
                *best = Some(leaf);
            }
            return;
        };
        for point in (0..self.points).filter(|&point| classes[point] == class) {
            // Classes are numbered by their first label, so that the others of this class move up
            // by one.
            let mut split = classes.clone();
            for (other, number) in split.iter_mut().enumerate() {
                *number += u8::from(*number == class && other != point);
            }
            self.search(split, colours, best);
        }
    }

    /// Splits classes by what their points see, until nothing changes. The number of a class is how
    /// many points are in classes before it. Returns the first class of several points.
    fn refine(&self, classes: &mut [u8]) -> Option<u8> {
        let mut count = 0;
        loop {
            let mut seen: Vec<(u8, Vec<Vec<u8>>, u8)> = (0..self.points)
                .map(|point| (classes[point], self.view(point, classes), point as u8))
                .collect();
            seen.sort_unstable();
            let mut number = 0;
            let mut distinct = 0;
            for i in 0..seen.len() {
                let same = i > 0 && (seen[i].0, &seen[i].1) == (seen[i - 1].0, &seen[i - 1].1);
                if !same {
                    number = i as u8;
                    distinct += 1;
                }
                classes[usize::from(seen[i].2)] = number;
            }
            if distinct == count || distinct == self.points {
                let numbers = seen
                    .iter()
                    .map(|&(_, _, point)| classes[usize::from(point)]);
                let numbers: Vec<u8> = numbers.collect();
                return numbers
                    .windows(2)
                    .find(|pair| pair[0] == pair[1])
                    .map(|pair| pair[0]);
            }
            count = distinct;
        }
    }

    /// What a point sees: of every line the classes to either side, the lesser side first.
    fn view(&self, point: usize, classes: &[u8]) -> Vec<Vec<u8>> {
        let mut view: Vec<Vec<u8>> = Vec::with_capacity(4);
        for &(line, place) in &self.through[point] {
            let line = &self.lines[usize::from(line)];
            let class = |&point: &u8| classes[usize::from(point)] + 1;
            let before = line[..usize::from(place)].iter().rev().map(class);
            let after = line[usize::from(place) + 1..].iter().map(class);
            // Zero stands between the sides, below all classes.
            view.push(match before.clone().le(after.clone()) {
                true => before.chain([0]).chain(after).collect(),
                false => after.chain([0]).chain(before).collect(),
            });
        }
        view.sort_unstable();
        view
    }

    fn leaf(&self, labels: Vec<u8>, colours: &[u8]) -> Labelled {
        let relabelled = |line: &Vec<u8>| {
            let mut line: Vec<u8> = line
                .iter()
                .map(|&point| labels[usize::from(point)])
                .collect();
            if line.last() < line.first() {
                line.reverse();
            }
            line
        };
        let mut lines: Vec<Vec<u8>> = self.lines.iter().map(relabelled).collect();
        lines.sort_unstable();
        let mut form = vec![0; self.points];
        for (point, &label) in labels.iter().enumerate() {
            form[usize::from(label)] = colours[point];
        }
        for line in lines {
            form.push(line.len() as u8);
            form.extend(line);
        }
        Labelled {
            form: LineForm(form.into_boxed_slice()),
            labels,
        }
    }
}
