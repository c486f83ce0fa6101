//! What Othello and Rolit share: a square board of even side, and lines of others' pieces between
//! two of one's own.

use tabia_game::bits::Bits;
use tabia_game::grid::Grid;
use tabia_game::{Player, TextError};

use tabia_game::SizeError;

/// Squares of the largest board there is: 18x18, since every square is a bit and 384 of them are at
/// hand.
pub(super) const MAX_SQUARES: usize = 324;

/// A board of `side` x `side` squares, numbered rank by rank from a1.
#[derive(Clone, Debug)]
pub struct Field<B> {
    side: usize,
    full: B,
    /// All squares but those of the first and the last file: what lies in the middle of a line that
    /// is not upright.
    inner: B,
    first_file: B,
    last_file: B,
}

impl<B: Bits> Field<B> {
    /// A board; its side is even, from 4 on, and its squares fit into the bits.
    pub(super) fn new(side: usize) -> Result<Field<B>, SizeError> {
        let squares = side.saturating_mul(side);
        if side < 4 || !side.is_multiple_of(2) {
            return Err(SizeError(format!(
                "a side of {side} squares is not possible: the side is even and at least 4"
            )));
        }
        if squares > B::WIDTH.min(MAX_SQUARES) {
            return Err(SizeError(format!(
                "a side of {side} squares is too large: at most {} squares fit",
                B::WIDTH.min(MAX_SQUARES)
            )));
        }
        let set = |belongs: &dyn Fn(usize) -> bool| {
            let squares = (0..squares).filter(|&square| belongs(square % side));
            squares.fold(B::EMPTY, |set, square| set | B::bit(square))
        };
        Ok(Field {
            side,
            full: set(&|_| true),
            inner: set(&|file| 0 < file && file + 1 < side),
            first_file: set(&|file| file == 0),
            last_file: set(&|file| file + 1 == side),
        })
    }

    #[inline]
    pub(super) fn side(&self) -> usize {
        self.side
    }

    #[inline]
    pub(super) fn squares(&self) -> usize {
        self.side * self.side
    }

    #[inline]
    pub(super) fn full(&self) -> B {
        self.full
    }

    pub(super) fn grid(&self) -> Grid {
        Grid {
            width: self.side,
            height: self.side,
        }
    }

    pub(super) fn square(&self, file: usize, rank: usize) -> usize {
        rank * self.side + file
    }

    /// The four kinds of lines: how far apart neighbours are, and what can lie between the ends.
    #[inline]
    fn lines(&self, others: B) -> [(usize, B); 4] {
        let inner = others & self.inner;
        let side = self.side;
        [
            (1, inner),
            (side, others),
            (side - 1, inner),
            (side + 1, inner),
        ]
    }

    /// The empty squares from which a line of `others` leads to one of `own`.
    #[inline]
    pub(super) fn flipping(&self, own: B, others: B) -> B {
        let empty = self.full & !own & !others;
        let mut found = B::EMPTY;
        for (step, between) in self.lines(others) {
            let (mut up, mut down) = ((own << step) & between, (own >> step) & between);
            for _ in 3..self.side {
                up |= (up << step) & between;
                down |= (down >> step) & between;
            }
            found |= (up << step) | (down >> step);
        }
        found & empty
    }

    /// All of `others` that a piece of `own` on this square flips.
    #[inline]
    pub(super) fn flipped(&self, own: B, others: B, square: usize) -> B {
        let placed = B::bit(square);
        let mut flipped = B::EMPTY;
        for (step, between) in self.lines(others) {
            let (mut run, mut next) = (B::EMPTY, placed << step);
            while !(next & between).is_empty() {
                run |= next;
                next = next << step;
            }
            if !(next & own).is_empty() {
                flipped |= run;
            }
            (run, next) = (B::EMPTY, placed >> step);
            while !(next & between).is_empty() {
                run |= next;
                next = next >> step;
            }
            if !(next & own).is_empty() {
                flipped |= run;
            }
        }
        flipped
    }

    /// The squares beside a set in any of eight directions, without the set.
    #[inline]
    pub(super) fn beside(&self, set: B) -> B {
        let side = self.side;
        let wide = set | ((set & !self.last_file) << 1) | ((set & !self.first_file) >> 1);
        (wide | (wide << side) | (wide >> side)) & self.full & !set
    }

    /// The four corners.
    pub(super) fn corners(&self) -> B {
        let last = self.side - 1;
        let corners = [(0, 0), (last, 0), (0, last), (last, last)];
        corners.iter().fold(B::EMPTY, |set, &(file, rank)| {
            set | B::bit(self.square(file, rank))
        })
    }

    /// The image of a square under a symmetry of the board.
    pub(super) fn map(&self, square: usize, symmetry: usize) -> usize {
        let (file, rank) = self
            .grid()
            .map(symmetry, square % self.side, square / self.side);
        self.square(file, rank)
    }

    /// The image of a set.
    pub(super) fn map_set(&self, set: B, symmetry: usize) -> B {
        set.iter().fold(B::EMPTY, |image, square| {
            image | B::bit(self.map(square, symmetry))
        })
    }

    /// The name of a square.
    pub(super) fn name(&self, square: usize) -> String {
        self.grid().name(square % self.side, square / self.side)
    }

    /// The rows of a board with these sets of pieces.
    pub(super) fn write(&self, sets: &[B], letters: &[char]) -> String {
        self.grid().write(|file, rank| {
            let square = self.square(file, rank);
            let owner = sets.iter().position(|set| set.has(square))?;
            letters.get(owner).copied()
        })
    }

    /// Reads the rows of a board; what follows them is left to the caller.
    pub(super) fn read<'t, const N: usize>(
        &self,
        text: &'t str,
        read: impl Fn(char) -> Option<Option<Player>>,
        letters: &str,
    ) -> Result<([B; N], Vec<&'t str>), TextError> {
        let rows = self.grid().parse_with(text, read, letters)?;
        let mut sets = [B::EMPTY; N];
        for square in 0..self.squares() {
            if let Some(owner) = rows.at(square % self.side, square / self.side)
                && let Some(set) = sets.get_mut(owner.index())
            {
                *set |= B::bit(square);
            }
        }
        Ok((sets, rows.rest))
    }
}
