//! Moves: chains of captures with the right to stop, and paika steps (Schadd 2011, section 4.2.2).

use tabia_game::bits::Bits;
use tabia_game::zobrist;

use super::{Fanorona, KEYS, MOVE_NUMBERS, State};

/// A step takes four bits: three for its direction and one for the kind of capture.
const STEP_BITS: usize = 4;

/// How a step captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    Approach,
    Withdrawal,
}

/// A move: a paika step, or a piece and its captures one after the other.
///
/// A side has fewer pieces than half the points, every step of a chain takes at least one, and `B`
/// has a bit for every point: so two of them hold any chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chain<B> {
    steps: [B; 2],
    from: u16,
    /// How many captures; none for a paika step, which then is the first of `steps`.
    captures: u16,
    /// A hash of the rest.
    number: u16,
}

impl<B: Bits> Chain<B> {
    const STEPS_IN_WORD: usize = B::WIDTH / STEP_BITS;

    fn start(from: usize) -> Chain<B> {
        Chain {
            steps: [B::EMPTY; 2],
            from: from as u16,
            captures: 0,
            number: from as u16,
        }
    }

    fn paika(from: usize, direction: usize) -> Chain<B> {
        let mut step = Chain::start(from);
        step.write(0, direction);
        step
    }

    /// The chain with one more capture.
    fn longer(mut self, direction: usize, capture: Capture) -> Chain<B> {
        self.write(self.length(), direction << 1 | capture as usize);
        self.captures += 1;
        self
    }

    fn write(&mut self, at: usize, step: usize) {
        let shift = at % Self::STEPS_IN_WORD * STEP_BITS;
        let word = &mut self.steps[at / Self::STEPS_IN_WORD];
        for bit in (0..STEP_BITS).filter(|bit| step >> bit & 1 != 0) {
            *word |= B::bit(shift + bit);
        }
        let hash = zobrist::mix(u64::from(self.number) << 16 | (step as u64 + 1));
        self.number = (hash % MOVE_NUMBERS as u64) as u16;
    }

    fn read(&self, at: usize) -> usize {
        let shift = at % Self::STEPS_IN_WORD * STEP_BITS;
        let word = self.steps[at / Self::STEPS_IN_WORD];
        (0..STEP_BITS).fold(0, |step, bit| {
            step | usize::from(word.has(shift + bit)) << bit
        })
    }

    /// How many captures; none for a paika step.
    #[inline]
    pub fn length(&self) -> usize {
        usize::from(self.captures)
    }

    /// The point where the piece stands.
    #[inline]
    pub(super) fn from(&self) -> usize {
        usize::from(self.from)
    }

    #[inline]
    pub(super) fn number(&self) -> usize {
        usize::from(self.number)
    }

    /// Direction and kind of each step; a paika step has no kind.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, Option<Capture>)> + use<B> {
        let chain = *self;
        let paika = (chain.captures == 0).then(|| (chain.read(0), None));
        let captures = (0..chain.length()).map(move |at| {
            let step = chain.read(at);
            let capture = if step & 1 == Capture::Approach as usize {
                Capture::Approach
            } else {
                Capture::Withdrawal
            };
            (step >> 1, Some(capture))
        });
        paika.into_iter().chain(captures)
    }

    /// The image under a symmetry.
    pub(super) fn mapped(&self, from: usize, direction: impl Fn(usize) -> usize) -> Chain<B> {
        let image = Chain::start(from);
        self.steps()
            .fold(image, |image, (way, capture)| match capture {
                Some(capture) => image.longer(direction(way), capture),
                None => Chain::paika(from, direction(way)),
            })
    }
}

/// A chain under construction.
struct Building<B> {
    chain: Chain<B>,
    /// Where the piece has come to.
    at: usize,
    /// Where the piece may not go: it was there before.
    visited: B,
    last: usize,
    enemy: B,
    empty: B,
}

impl<B: Bits> Fanorona<B> {
    /// The pieces that can capture by a step in this direction: by approach, and by withdrawal.
    #[inline]
    fn capturers(&self, direction: usize, own: B, enemy: B, empty: B) -> (B, B) {
        let (ahead, behind) = (&self.directions[direction], &self.directions[direction ^ 4]);
        let approach = own & ahead.back(empty & ahead.back(enemy));
        let withdrawal = own & ahead.back(empty) & behind.back(enemy);
        (approach, withdrawal)
    }

    /// Whether the side with these pieces has a capture.
    #[inline]
    pub(super) fn can_capture(&self, own: B, enemy: B, empty: B) -> bool {
        (0..8).any(|direction| {
            let (approach, withdrawal) = self.capturers(direction, own, enemy, empty);
            !(approach | withdrawal).is_empty()
        })
    }

    /// Appends all captures: by direction of the first step, then by piece; each chain before its
    /// continuations. Says whether there are any.
    pub(super) fn captures(&self, state: &State<B>, out: &mut Vec<Chain<B>>) -> bool {
        let (own, enemy, empty) = (state.own(), state.enemy(), self.empty(state));
        let before = out.len();
        for direction in 0..8 {
            let (approach, withdrawal) = self.capturers(direction, own, enemy, empty);
            for from in (approach | withdrawal).iter() {
                let building = Building {
                    chain: Chain::start(from),
                    at: from,
                    visited: B::bit(from),
                    last: usize::MAX,
                    enemy,
                    empty: empty | B::bit(from),
                };
                if approach.has(from) {
                    self.capture(&building, direction, Capture::Approach, out);
                }
                if withdrawal.has(from) {
                    self.capture(&building, direction, Capture::Withdrawal, out);
                }
            }
        }
        out.len() > before
    }

    /// Appends a capture that is known to be possible, and all its continuations.
    fn capture(
        &self,
        before: &Building<B>,
        direction: usize,
        capture: Capture,
        out: &mut Vec<Chain<B>>,
    ) {
        let to = self.directions[direction].step(before.at);
        let taken = self.taken(before.at, to, direction, capture, before.enemy);
        let after = Building {
            chain: before.chain.longer(direction, capture),
            at: to,
            visited: before.visited | B::bit(to),
            last: direction,
            enemy: before.enemy & !taken,
            empty: before.empty | taken,
        };
        out.push(after.chain);
        for direction in (0..8).filter(|&direction| direction != after.last) {
            let (ahead, behind) = (&self.directions[direction], &self.directions[direction ^ 4]);
            if !ahead.from.has(after.at) {
                continue;
            }
            let to = ahead.step(after.at);
            if after.visited.has(to) || !after.empty.has(to) {
                continue;
            }
            if ahead.from.has(to) && after.enemy.has(ahead.step(to)) {
                self.capture(&after, direction, Capture::Approach, out);
            }
            if behind.from.has(after.at) && after.enemy.has(behind.step(after.at)) {
                self.capture(&after, direction, Capture::Withdrawal, out);
            }
        }
    }

    /// The unbroken row of enemies that a step from one point to the next takes.
    #[inline]
    fn taken(&self, from: usize, to: usize, way: usize, capture: Capture, enemy: B) -> B {
        let (direction, mut point) = match capture {
            Capture::Approach => (&self.directions[way], to),
            Capture::Withdrawal => (&self.directions[way ^ 4], from),
        };
        let mut taken = B::EMPTY;
        while direction.from.has(point) {
            point = direction.step(point);
            if !enemy.has(point) {
                break;
            }
            taken |= B::bit(point);
        }
        taken
    }

    /// Appends all steps to empty points.
    pub(super) fn paika(&self, state: &State<B>, out: &mut Vec<Chain<B>>) {
        let (own, empty) = (state.own(), self.empty(state));
        for (direction, steps) in self.directions.iter().enumerate() {
            let can = own & steps.back(empty);
            out.extend(can.iter().map(|from| Chain::paika(from, direction)));
        }
    }

    /// Plays a move.
    #[inline]
    pub(super) fn carry_out(&self, state: &mut State<B>, mv: Chain<B>) {
        let (own, enemy) = (state.mover.index(), state.mover.other().index());
        let mut at = mv.from();
        for (way, capture) in mv.steps() {
            let to = self.directions[way].step(at);
            if let Some(capture) = capture {
                let taken = self.taken(at, to, way, capture, state.pieces[enemy]);
                state.pieces[enemy] &= !taken;
                taken
                    .iter()
                    .for_each(|point| state.key ^= KEYS[enemy][point]);
            }
            at = to;
        }
        state.pieces[own] ^= B::bit(mv.from()) | B::bit(at);
        state.key ^= KEYS[own][mv.from()] ^ KEYS[own][at] ^ zobrist::SECOND_TO_MOVE;
        state.mover = state.mover.other();
    }

    /// Appends the positions from which a paika step leads to this one. In each of them no capture
    /// was possible.
    pub(super) fn unpaika(&self, state: &State<B>, out: &mut Vec<State<B>>) {
        let (mover, other) = (state.mover.other(), state.mover);
        let empty = self.empty(state);
        let enemy = state.pieces[other.index()];
        for back in &self.directions {
            for to in (state.pieces[mover.index()] & back.back(empty)).iter() {
                let from = back.step(to);
                let change = B::bit(from) | B::bit(to);
                let own = state.pieces[mover.index()] ^ change;
                if self.can_capture(own, enemy, empty ^ change) {
                    continue;
                }
                let mut before = *state;
                before.pieces[mover.index()] = own;
                before.key ^=
                    KEYS[mover.index()][from] ^ KEYS[mover.index()][to] ^ zobrist::SECOND_TO_MOVE;
                before.mover = mover;
                out.push(before);
            }
        }
    }
}
