//! Fanorona on rows of letters, written from the rules: every capture of every chain is a move,
//! whoever can capture must, and a step without one is a move otherwise.

/// A point: its rank from below, and its file.
type Point = (i32, i32);

/// A position: ranks from below with the letters `w`, `b` and `.`, and who moves.
#[derive(Clone)]
pub struct PlainFanorona {
    ranks: Vec<Vec<char>>,
    mover: char,
    /// Whether strong and weak points have changed places.
    exchanged: bool,
}

impl PlainFanorona {
    /// Reads ranks from above, with numbers for empty points, and the letter of who moves.
    pub fn read(text: &str) -> PlainFanorona {
        let mut words = text.split_whitespace();
        let rank = |text: &str| -> Vec<char> {
            let mut points = Vec::new();
            for c in text.chars() {
                match c.to_digit(10) {
                    Some(empty) => points.extend((0..empty).map(|_| '.')),
                    None => points.push(c),
                }
            }
            points
        };
        let rows = words.next().unwrap_or_default().split('/');
        PlainFanorona {
            ranks: rows.rev().map(rank).collect(),
            mover: words
                .next()
                .and_then(|word| word.chars().next())
                .unwrap_or('w'),
            exchanged: false,
        }
    }

    /// The same position on a board whose strong and weak points have changed places.
    #[allow(dead_code)]
    pub fn exchanged(self) -> PlainFanorona {
        PlainFanorona {
            exchanged: true,
            ..self
        }
    }

    /// The ranks from above, point by point, as whoever moves sees the colours: own pieces are `w`.
    pub fn as_mover(&self) -> String {
        let seen = |&point: &char| match (point, self.mover) {
            ('.', _) => '.',
            (letter, mover) if letter == mover => 'w',
            _ => 'b',
        };
        let ranks = self.ranks.iter().rev();
        let ranks: Vec<String> = ranks.map(|rank| rank.iter().map(seen).collect()).collect();
        ranks.join("/")
    }

    fn at(&self, (rank, file): Point) -> Option<char> {
        let rank = self.ranks.get(usize::try_from(rank).ok()?)?;
        rank.get(usize::try_from(file).ok()?).copied()
    }

    fn put(&mut self, (rank, file): Point, letter: char) {
        self.ranks[rank as usize][file as usize] = letter;
    }

    /// Diagonals meet at the corner a1 and at every second point from there, or at the others.
    fn directions(&self, (rank, file): Point) -> impl Iterator<Item = Point> + use<> {
        let strong = ((rank + file) % 2 == 0) != self.exchanged;
        let all = (-1..=1).flat_map(|up| (-1..=1).map(move |across| (up, across)));
        all.filter(move |&(up, across)| match (up, across) {
            (0, 0) => false,
            _ => strong || up == 0 || across == 0,
        })
    }

    fn own(&self) -> Vec<Point> {
        let files = self.ranks[0].len() as i32;
        let points = (0..self.ranks.len() as i32).flat_map(|r| (0..files).map(move |f| (r, f)));
        points.filter(|&p| self.at(p) == Some(self.mover)).collect()
    }

    /// The position after a step that takes all enemies in an unbroken row from a point on; nothing
    /// if there are none.
    fn taking(&self, from: Point, to: Point, first: Point, way: Point) -> Option<PlainFanorona> {
        let enemy = if self.mover == 'w' { 'b' } else { 'w' };
        let mut next = self.clone();
        next.put(from, '.');
        next.put(to, self.mover);
        let mut point = first;
        while next.at(point) == Some(enemy) {
            next.put(point, '.');
            point = (point.0 + way.0, point.1 + way.1);
        }
        (point != first).then_some(next)
    }

    /// All captures of a piece, and what they go on to.
    fn chains(
        &self,
        from: Point,
        last: Option<Point>,
        visited: &[Point],
        out: &mut Vec<PlainFanorona>,
    ) {
        for way in self.directions(from).filter(|&way| Some(way) != last) {
            let to = (from.0 + way.0, from.1 + way.1);
            if self.at(to) != Some('.') || visited.contains(&to) {
                continue;
            }
            let ahead = (to.0 + way.0, to.1 + way.1);
            let back = (-way.0, -way.1);
            let behind = (from.0 + back.0, from.1 + back.1);
            let both = [(ahead, way), (behind, back)];
            for next in both
                .iter()
                .filter_map(|&(first, way)| self.taking(from, to, first, way))
            {
                let visited = [visited, &[to]].concat();
                next.chains(to, Some(way), &visited, out);
                out.push(next);
            }
        }
    }

    /// The positions after all moves, with the turn handed over.
    pub fn after(&self) -> Vec<PlainFanorona> {
        let mut out = Vec::new();
        for from in self.own() {
            self.chains(from, None, &[from], &mut out);
        }
        if out.is_empty() {
            for from in self.own() {
                for (up, across) in self.directions(from) {
                    let to = (from.0 + up, from.1 + across);
                    if self.at(to) == Some('.') {
                        let mut next = self.clone();
                        next.put(from, '.');
                        next.put(to, self.mover);
                        out.push(next);
                    }
                }
            }
        }
        for next in &mut out {
            next.mover = if self.mover == 'w' { 'b' } else { 'w' };
        }
        out
    }

    /// Sequences of this many moves.
    pub fn sequences(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self
                .after()
                .iter()
                .map(|next| next.sequences(depth - 1))
                .sum(),
        }
    }
}
