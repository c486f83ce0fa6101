//! Nimbers of octal games through the sparse space of rare values.
//!
//! In most octal games nearly all heaps have nimbers with an odd number of ones at certain binary
//! places, the common ones; sums of two rare or of two common nimbers are rare, sums of one of each
//! are common (Berlekamp, Conway and Guy 1982, chapter 4). So all common options of a heap come
//! from its splits with a rare part, which are few. The least common nimber that is missing is the
//! answer unless a smaller rare one is missing too, and the splits into common parts are looked
//! through only until all of these have been met. This is exact for any choice of places; the
//! choice with the fewest rare heaps is made anew whenever the sequence has doubled.

use tabia_game::{Meter, Stopped};

use super::{Mex, Octal};

/// The nimbers of an octal game, found one after the other.
#[derive(Clone, Debug)]
pub struct SparseSpace {
    code: Octal,
    nimbers: Vec<u32>,
    /// Nimbers with an even number of ones under this mask are rare: all of them as long as it is
    /// zero.
    mask: u32,
    rare_heaps: Vec<u32>,
    choose_at: usize,
    mex: Mex,
}

fn is_rare(nimber: u32, mask: u32) -> bool {
    (nimber & mask).count_ones().is_multiple_of(2)
}

impl SparseSpace {
    /// No heaps yet.
    pub fn new(code: Octal) -> SparseSpace {
        SparseSpace {
            code,
            nimbers: Vec::new(),
            mask: 0,
            rare_heaps: Vec::new(),
            choose_at: 64,
            mex: Mex::new(),
        }
    }

    /// The rules.
    pub fn code(&self) -> &Octal {
        &self.code
    }

    /// The nimbers found so far, by the size of the heap.
    pub fn nimbers(&self) -> &[u32] {
        &self.nimbers
    }

    /// The binary places that tell rare from common nimbers.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// The heaps that have rare nimbers.
    pub fn rare_heaps(&self) -> &[u32] {
        &self.rare_heaps
    }

    /// Finds the nimbers of all heaps below this size; each counts as a node.
    pub fn extend(&mut self, heaps: u32, meter: &mut Meter) -> Result<(), Stopped> {
        for heap in self.nimbers.len() as u32..heaps {
            meter.tick()?;
            if self.nimbers.len() >= self.choose_at {
                self.choose_mask();
                self.choose_at *= 2;
            }
            let nimber = self.nimber(heap);
            self.nimbers.push(nimber);
            if is_rare(nimber, self.mask) && heap > 0 {
                self.rare_heaps.push(heap);
            }
        }
        Ok(())
    }

    fn nimber(&mut self, heap: u32) -> u32 {
        self.mex.clear();
        for rest in self.code.plain_remains(heap) {
            self.mex.insert(self.nimbers[rest as usize]);
        }
        for taken in self.code.splits() {
            let rest = heap.saturating_sub(taken);
            for &rare in self.rare_heaps.iter().take_while(|&&rare| rare < rest) {
                let other = self.nimbers[(rest - rare) as usize];
                self.mex.insert(self.nimbers[rare as usize] ^ other);
            }
        }
        if self.mask == 0 {
            return self.mex.least();
        }
        let mut common = 0;
        let mut missing = 0;
        loop {
            match (self.mex.contains(common), is_rare(common, self.mask)) {
                (true, _) => {}
                (false, true) => missing += 1,
                (false, false) => break,
            }
            common += 1;
        }
        if missing > 0 && !self.all_met(heap, common, missing) {
            return self.mex.least();
        }
        common
    }

    /// Goes through the splits until this many more nimbers below this one have been met.
    fn all_met(&mut self, heap: u32, below: u32, mut missing: u32) -> bool {
        for taken in self.code.splits() {
            let rest = heap.saturating_sub(taken) as usize;
            if rest < 2 {
                continue;
            }
            let half = rest / 2;
            let smaller = self.nimbers[1..=half].iter();
            let larger = self.nimbers[rest - half..rest].iter().rev();
            for (a, b) in smaller.zip(larger) {
                let nimber = a ^ b;
                if nimber < below && !self.mex.contains(nimber) {
                    self.mex.insert(nimber);
                    missing -= 1;
                    if missing == 0 {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Takes the mask that makes the fewest heaps rare: a Walsh transform of how often each nimber
    /// has occurred gives for every mask how many more heaps are rare than common.
    fn choose_mask(&mut self) {
        let largest = self.nimbers.iter().copied().max().unwrap_or(0);
        let mut excess = vec![0i64; (largest as usize + 1).next_power_of_two().max(2)];
        for &nimber in &self.nimbers {
            excess[nimber as usize] += 1;
        }
        let mut stride = 1;
        while stride < excess.len() {
            for start in (0..excess.len()).step_by(2 * stride) {
                for i in start..start + stride {
                    let (a, b) = (excess[i], excess[i + stride]);
                    (excess[i], excess[i + stride]) = (a + b, a - b);
                }
            }
            stride *= 2;
        }
        let best = (1u32..).zip(&excess[1..]).min_by_key(|&(_, excess)| excess);
        self.mask = best.map_or(1, |(mask, _)| mask);
        let heaps = (1u32..).zip(self.nimbers.iter().skip(1));
        self.rare_heaps = heaps
            .filter(|&(_, &nimber)| is_rare(nimber, self.mask))
            .map(|(heap, _)| heap)
            .collect();
    }
}
