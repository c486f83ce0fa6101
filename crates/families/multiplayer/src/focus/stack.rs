//! A stack of up to five men in two bytes.

/// Men of the tallest stack.
pub(super) const TALLEST: usize = 5;

/// Men on top of each other: how many in the low three bits, then two bits for each man from the
/// lowest one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stack(u16);

const HEIGHT: u32 = 3;

impl Stack {
    /// No men.
    pub const EMPTY: Stack = Stack(0);

    /// One man.
    pub fn of(owner: u8) -> Stack {
        Stack::new(1, u32::from(owner & 3))
    }

    #[inline]
    fn new(height: usize, men: u32) -> Stack {
        Stack((men << HEIGHT) as u16 | height as u16)
    }

    #[inline]
    fn bits(self) -> u32 {
        u32::from(self.0) >> HEIGHT
    }

    /// How many men it has.
    #[inline]
    pub fn height(self) -> usize {
        usize::from(self.0 & 7)
    }

    /// Whether it has none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The owner of the highest man.
    #[inline]
    pub fn top(self) -> Option<u8> {
        let below = self.height().checked_sub(1)?;
        Some((self.bits() >> (2 * below)) as u8 & 3)
    }

    /// The owners of the men, from the lowest to the highest.
    #[inline]
    pub fn men(self) -> impl Iterator<Item = u8> {
        let bits = self.bits();
        (0..self.height()).map(move |i| (bits >> (2 * i)) as u8 & 3)
    }

    /// A number that no other stack has.
    #[inline]
    pub(super) fn code(self) -> u16 {
        self.0
    }

    /// One more man on top; `None` if it is as tall as it may be.
    pub(super) fn with(self, owner: u8) -> Option<Stack> {
        let height = self.height();
        let bits = self.bits() | u32::from(owner & 3) << (2 * height);
        (height < TALLEST).then(|| Stack::new(height + 1, bits))
    }

    /// What is left when this many men are taken from the top, and these.
    #[inline]
    pub(super) fn split(self, men: usize) -> (Stack, Stack) {
        let left = self.height() - men;
        let bits = self.bits();
        let rest = bits & ((1 << (2 * left)) - 1);
        (Stack::new(left, rest), Stack::new(men, bits >> (2 * left)))
    }

    /// What becomes of this stack with others put on top, and the lowest men, which are too many.
    #[inline]
    pub(super) fn under(self, others: Stack) -> (Stack, Stack) {
        let height = self.height() + others.height();
        let bits = self.bits() | others.bits() << (2 * self.height());
        let lost = height.saturating_sub(TALLEST);
        let removed = bits & ((1 << (2 * lost)) - 1);
        let stack = Stack::new(height - lost, bits >> (2 * lost));
        (stack, Stack::new(lost, removed))
    }
}
