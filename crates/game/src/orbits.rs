//! Numbers of classes of symmetric positions, where a position is two disjoint sets of points.
//!
//! The smaller set leads. A table says of each leading set to which class it belongs, and which
//! symmetry brings it to the representative of its class; the same symmetry is then applied to the
//! other set. If no symmetry but the identity maps the representative to itself, every set of the
//! points that are left makes a class of its own. Else only those do that are the least of their
//! images, and they are marked in a bitmap. So there are exactly as many numbers as there are
//! classes by the lemma of Cauchy, Frobenius and Burnside, and no table of all positions is needed.

use crate::Classes;
use crate::bits::Bits;
use crate::combinatorics::{Binomials, spread, squeeze};

/// A group of permutations of the points of a board, the identity first.
#[derive(Clone, Debug)]
pub struct Permutations {
    images: Vec<Vec<u16>>,
}

impl Permutations {
    /// This many permutations of this many points; `image` maps a point by the number of a
    /// permutation.
    pub fn new(
        points: usize,
        permutations: usize,
        image: impl Fn(usize, usize) -> usize,
    ) -> Permutations {
        let of = |number| (0..points).map(|p| image(p, number) as u16).collect();
        Permutations {
            images: (0..permutations).map(of).collect(),
        }
    }

    /// How many points the board has.
    pub fn points(&self) -> usize {
        self.images.first().map_or(0, Vec::len)
    }

    /// The image of a set.
    #[inline]
    pub fn map<B: Bits>(&self, set: B, number: usize) -> B {
        map(set, &self.images[number])
    }

    /// How many ways there are to choose two disjoint sets of these sizes that a permutation maps
    /// to themselves: each of its cycles goes to one of them or to neither.
    fn fixed(&self, number: usize, sizes: [usize; 2]) -> Option<u128> {
        let [first, second] = sizes;
        let mut ways = vec![vec![0u128; second + 1]; first + 1];
        ways[0][0] = 1;
        for length in cycles(&self.images[number]) {
            for a in (0..=first).rev() {
                for b in (0..=second).rev() {
                    let to_first = a.checked_sub(length).map_or(0, |a| ways[a][b]);
                    let to_second = b.checked_sub(length).map_or(0, |b| ways[a][b]);
                    let more = to_first.checked_add(to_second)?;
                    ways[a][b] = ways[a][b].checked_add(more)?;
                }
            }
        }
        Some(ways[first][second])
    }

    /// How many classes of pairs of disjoint sets of these sizes there are; `None` if they are more
    /// than a `u64` holds.
    ///
    /// ```
    /// use tabia_game::orbits::Permutations;
    ///
    /// // Two stones of different colours on three points in a row, which may be turned round.
    /// let image = |point, turned| if turned == 0 { point } else { 2 - point };
    /// let row = Permutations::new(3, 2, image);
    /// assert_eq!(row.classes([1, 1]), Some(3));
    /// ```
    pub fn classes(&self, sizes: [usize; 2]) -> Option<u64> {
        let all = 0..self.images.len();
        let fixed = all.map(|number| self.fixed(number, sizes));
        let sum = fixed
            .into_iter()
            .try_fold(0u128, |sum, n| sum.checked_add(n?))?;
        u64::try_from(sum / self.images.len().max(1) as u128).ok()
    }

    /// The bytes that the [`Orbits`] of sets of these sizes take at most; `None` if they cannot be
    /// counted.
    pub fn bytes<B: Bits>(&self, sizes: [usize; 2]) -> Option<u64> {
        let (lead, other) = (sizes[0].min(sizes[1]), sizes[0].max(sizes[1]));
        let leading = self.fixed(0, [lead, 0])?;
        let all = 1..self.images.len();
        let fixed = all.map(|number| self.fixed(number, [lead, 0]));
        let fixed = fixed
            .into_iter()
            .try_fold(0u128, |sum, n| sum.checked_add(n?))?;
        let others = self.fixed(0, [lead, other])?.checked_div(leading)?;
        // Each word of the bitmap has a count beside it.
        let bitmap = fixed.checked_mul(others)?.div_ceil(64).checked_mul(16)?;
        let table = leading.checked_mul((size_of::<u32>() + size_of::<B>()) as u128)?;
        u64::try_from(bitmap.checked_add(table)?).ok()
    }
}

#[inline]
fn map<B: Bits>(set: B, images: &[u16]) -> B {
    set.iter().fold(B::EMPTY, |image, point| {
        image | B::bit(usize::from(images[point]))
    })
}

/// The lengths of the cycles of a permutation.
fn cycles(images: &[u16]) -> Vec<usize> {
    let mut seen = vec![false; images.len()];
    let mut lengths = Vec::new();
    for start in 0..images.len() {
        let (mut at, mut length) = (start, 0);
        while !seen[at] {
            seen[at] = true;
            length += 1;
            at = usize::from(images[at]);
        }
        lengths.extend((length > 0).then_some(length));
    }
    lengths
}

/// A position that is nothing but two disjoint sets of points and the player to move.
pub trait Sides: Sized {
    /// A set of points.
    type Set: Bits;

    /// The points of the player to move, and those of the other.
    fn sides(&self) -> [Self::Set; 2];

    /// The position with these points, the first player to move.
    fn from_sides(sides: [Self::Set; 2]) -> Self;
}

/// Numbers for the classes of pairs of disjoint sets.
pub struct Orbits<B> {
    permutations: Permutations,
    binomials: Binomials,
    sizes: [usize; 2],
    /// Which of the two sets is the leading one.
    lead: usize,
    /// Of each leading set, by its number: that of its class times the number of permutations, plus
    /// that of the one that brings it to the representative.
    leading: Vec<u32>,
    /// By class. Those that are mapped to themselves by more than the identity come first.
    representatives: Vec<B>,
    /// The permutations that map the first representatives to themselves, as bits.
    stabilisers: Vec<u32>,
    /// How many other sets there are for a leading one.
    others: u64,
    /// The least of their images among the other sets of the first representatives.
    least: Ranked,
}

impl<B: Bits> Orbits<B> {
    /// Numbers the pairs of sets of these sizes; `None` if there are too many leading sets.
    pub fn new(permutations: &Permutations, sizes: [usize; 2]) -> Option<Orbits<B>> {
        let points = permutations.points();
        let lead = usize::from(sizes[1] < sizes[0]);
        let (size, other) = (sizes[lead], sizes[1 - lead]);
        let group = permutations.images.len();
        if size + other > points || group > u32::BITS as usize {
            return None;
        }
        let binomials = Binomials::new(points);
        let count = binomials.choose(points, size);
        u32::try_from(count.checked_mul(group as u64)?).ok()?;
        let mut orbits = Orbits {
            permutations: permutations.clone(),
            others: binomials.choose(points - size, other),
            binomials,
            sizes,
            lead,
            leading: Vec::with_capacity(count as usize),
            representatives: Vec::new(),
            stabilisers: Vec::new(),
            least: Ranked::default(),
        };
        orbits.classify(count, size);
        orbits.mark_least(other);
        Some(orbits)
    }

    /// Divides the leading sets into classes, each represented by the first of it.
    fn classify(&mut self, count: u64, size: usize) {
        let group = self.permutations.images.len();
        let points = self.permutations.points();
        let mut found: Vec<(B, u32)> = Vec::new();
        for number in 0..count {
            let set: B = self.binomials.unrank(number, points, size);
            let image = |by: usize| self.binomials.rank(self.permutations.map(set, by));
            let least = (0..group).map(|by| (image(by), by)).min();
            let (least, by) = least.unwrap_or((number, 0));
            let class = if least < number {
                self.leading[least as usize] as usize / group
            } else {
                let stabiliser = (0..group).filter(|&by| image(by) == number);
                found.push((set, stabiliser.fold(0, |bits, by| bits | 1 << by)));
                found.len() - 1
            };
            self.leading.push((class * group + by) as u32);
        }
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&class| found[class].1 == 1);
        let mut renamed = vec![0; found.len()];
        for (new, &old) in order.iter().enumerate() {
            renamed[old] = new;
            let (set, stabiliser) = found[old];
            self.representatives.push(set);
            self.stabilisers
                .extend((stabiliser != 1).then_some(stabiliser));
        }
        for entry in &mut self.leading {
            let (class, by) = (*entry as usize / group, *entry as usize % group);
            *entry = (renamed[class] * group + by) as u32;
        }
    }

    /// Marks the sets of points beside a representative that are the least of their images under
    /// the symmetries of the representative.
    fn mark_least(&mut self, size: usize) {
        let points = self.permutations.points();
        let mut least = Ranked::default();
        for (class, &stabiliser) in self.stabilisers.iter().enumerate() {
            let taken = self.representatives[class];
            let free: Vec<usize> = (0..points).filter(|&point| !taken.has(point)).collect();
            // The free points, numbered anew, are mapped among themselves.
            let among_free = |by: usize| -> Vec<u16> {
                let image = |&point: &usize| self.permutations.images[by][point];
                let place = |at: u16| free.partition_point(|&point| point < usize::from(at));
                free.iter().map(|p| place(image(p)) as u16).collect()
            };
            let maps: Vec<Vec<u16>> = members(stabiliser & !1).map(among_free).collect();
            let mut subset: Vec<usize> = (0..size).collect();
            let first = class as u64 * self.others;
            for number in 0..self.others {
                let set = subset.iter().fold(B::EMPTY, |set, &at| set | B::bit(at));
                let image = |images: &Vec<u16>| self.binomials.rank(map(set, images));
                let is_least = maps.iter().all(|images| image(images) >= number);
                least.push(first + number, is_least);
                advance(&mut subset);
            }
        }
        self.least = least;
    }

    /// The number of a set among those of the points that another one leaves free.
    #[inline]
    fn rank_beside(&self, set: B, taken: B) -> u64 {
        self.binomials.rank(squeeze(set, taken))
    }

    /// The number of the class of a pair.
    #[inline]
    pub fn number(&self, pair: [B; 2]) -> u64 {
        let group = self.permutations.images.len();
        let entry = self.leading[self.binomials.rank(pair[self.lead]) as usize] as usize;
        let (class, by) = (entry / group, entry % group);
        let lead = self.representatives[class];
        let other = self.permutations.map(pair[1 - self.lead], by);
        let number = self.rank_beside(other, lead);
        match self.stabilisers.get(class) {
            None => {
                let class = (class - self.stabilisers.len()) as u64;
                self.least.count + class * self.others + number
            }
            Some(&stabiliser) => {
                let images = members(stabiliser & !1);
                let least = images.fold(number, |least, by| {
                    least.min(self.rank_beside(self.permutations.map(other, by), lead))
                });
                self.least.before(class as u64 * self.others + least)
            }
        }
    }

    /// A pair of the class with this number.
    #[inline]
    pub fn member(&self, number: u64) -> [B; 2] {
        let place = match number.checked_sub(self.least.count) {
            None => self.least.place(number),
            Some(beyond) => self.stabilisers.len() as u64 * self.others + beyond,
        };
        let class = (place / self.others) as usize % self.representatives.len();
        let lead = self.representatives[class];
        let size = self.sizes[1 - self.lead];
        let left = self.permutations.points() - self.sizes[self.lead];
        let beside: B = self.binomials.unrank(place % self.others, left, size);
        let other = spread(beside, lead);
        match self.lead {
            0 => [lead, other],
            _ => [other, lead],
        }
    }
}

impl<S: Sides> Classes<S> for Orbits<S::Set> {
    #[inline]
    fn number(&self, state: &S) -> u64 {
        Orbits::number(self, state.sides())
    }

    #[inline]
    fn member(&self, number: u64) -> S {
        S::from_sides(Orbits::member(self, number))
    }
}

/// The numbers of the bits that are set.
fn members(bits: u32) -> impl Iterator<Item = usize> {
    u64::from(bits).iter()
}

/// The next subset in colexicographic order, as a list of its elements in ascending order.
fn advance(subset: &mut [usize]) {
    let gap =
        (0..subset.len()).find(|&i| subset.get(i + 1).is_none_or(|&next| subset[i] + 1 < next));
    if let Some(at) = gap {
        subset[at] += 1;
        subset[..at]
            .iter_mut()
            .enumerate()
            .for_each(|(i, element)| *element = i);
    }
}

/// Bits that can be counted from the beginning without looking at all of them.
#[derive(Default)]
struct Ranked {
    words: Vec<u64>,
    /// How many bits are set before each word.
    before: Vec<u64>,
    count: u64,
}

impl Ranked {
    fn push(&mut self, place: u64, bit: bool) {
        if place.is_multiple_of(64) {
            self.words.push(0);
            self.before.push(self.count);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= u64::from(bit) << (place % 64);
        }
        self.count += u64::from(bit);
    }

    /// How many bits are set before a place.
    #[inline]
    fn before(&self, place: u64) -> u64 {
        let (word, bit) = ((place / 64) as usize, place % 64);
        let below = self.words[word] & !(u64::MAX << bit);
        self.before[word] + u64::from(below.count_ones())
    }

    /// The place of the bit before which this many are set.
    #[inline]
    fn place(&self, count: u64) -> u64 {
        let word = self.before.partition_point(|&before| before <= count) - 1;
        let skipped = (count - self.before[word]) as usize;
        let bit = (0..skipped).fold(self.words[word], |bits, _| bits.without_first());
        64 * word as u64 + bit.first() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combinatorics::next_subset;
    use crate::grid::Grid;
    use std::collections::{BTreeMap, BTreeSet};

    fn board(width: usize, height: usize) -> Permutations {
        let grid = Grid { width, height };
        Permutations::new(width * height, grid.symmetries(), |point, symmetry| {
            let (file, rank) = grid.map(symmetry, point % width, point / width);
            rank * width + file
        })
    }

    fn subsets(points: usize, size: usize) -> Vec<u64> {
        let first = (1u64 << size) - 1;
        let all = std::iter::successors(Some(first), |&set| (set > 0).then(|| next_subset(set)));
        all.take_while(|&set| set >> points == 0).collect()
    }

    /// All pairs, with the least of all images of each.
    fn pairs(board: &Permutations, sizes: [usize; 2]) -> Vec<([u64; 2], [u64; 2])> {
        let mut pairs = Vec::new();
        for first in subsets(board.points(), sizes[0]) {
            for second in subsets(board.points(), sizes[1]) {
                if first & second == 0 {
                    let image = |by| [first, second].map(|set| board.map(set, by));
                    let least = (0..board.images.len()).map(image).min();
                    pairs.push(([first, second], least.unwrap()));
                }
            }
        }
        pairs
    }

    #[test]
    fn pairs_share_a_number_exactly_if_they_are_symmetric() {
        for (width, height, most) in [(1, 1, 1), (3, 3, 4), (5, 3, 3), (4, 4, 2), (2, 3, 3)] {
            let board = board(width, height);
            let points = width * height;
            let sizes = (0..=most).flat_map(|a| (0..=most).map(move |b| [a, b]));
            for sizes in sizes.filter(|sizes| sizes[0] + sizes[1] <= points) {
                let orbits = Orbits::<u64>::new(&board, sizes).unwrap();
                let mut classes = BTreeMap::new();
                for (pair, least) in pairs(&board, sizes) {
                    let number = orbits.number(pair);
                    assert_eq!(*classes.entry(least).or_insert(number), number, "{pair:?}");
                    let member = orbits.member(number);
                    let image = |by| member.map(|set| board.map(set, by));
                    assert!((0..board.images.len()).any(|by| image(by) == pair));
                }
                let numbers: BTreeSet<u64> = classes.values().copied().collect();
                let all: BTreeSet<u64> = (0..classes.len() as u64).collect();
                assert_eq!(numbers, all, "{sizes:?} on {width}x{height}");
                assert_eq!(board.classes(sizes), Some(classes.len() as u64));
            }
        }
    }

    /// Wider sets give the same numbers.
    #[test]
    fn the_width_of_sets_does_not_matter() {
        let board = board(5, 3);
        let narrow = Orbits::<u64>::new(&board, [2, 3]).unwrap();
        let wide = Orbits::<crate::bits::Wide>::new(&board, [2, 3]).unwrap();
        for number in 0..board.classes([2, 3]).unwrap() {
            let elements = wide
                .member(number)
                .map(|set| set.iter().collect::<Vec<_>>());
            let plain = narrow
                .member(number)
                .map(|set| set.iter().collect::<Vec<_>>());
            assert_eq!(elements, plain);
            assert_eq!(wide.number(wide.member(number)), number);
        }
    }

    #[test]
    fn memory_is_told_beforehand() {
        let board = board(9, 5);
        for sizes in [[1, 1], [1, 3], [3, 1], [2, 2], [3, 2]] {
            let orbits = Orbits::<u64>::new(&board, sizes).unwrap();
            let taken = 4 * orbits.leading.len()
                + 8 * orbits.representatives.len()
                + 16 * orbits.least.words.len();
            let told = board.bytes::<u64>(sizes).unwrap();
            assert!(taken as u64 <= told, "{sizes:?}: {taken} of {told}");
        }
        assert!(Orbits::<u64>::new(&board, [22, 22]).is_none());
        assert!(Orbits::<u64>::new(&board, [40, 6]).is_none());
    }
}
