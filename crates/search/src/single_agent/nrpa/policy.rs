//! The weights of a policy: those that differ from zero, by the code of a move.
//!
//! Only moves that were legal on a best line ever get a weight, so the table stays small enough for
//! the caches of a processor while playouts come across codes by the million. Searches of all
//! levels share one table: a search logs what it changes and gives it back as it has found it, so
//! that levels need no copies. What was entered last is taken out first; therefore linear probing
//! needs no tombstones.

/// Weights are kept between these: their products with favours and their sums stay finite.
const STRONGEST: f64 = 1e130;
/// A change of a weight by less is no change.
const NEGLIGIBLE: f64 = 1e-4;

/// A code with a weight. Codes of empty places are not looked at.
#[derive(Clone, Copy)]
struct Place {
    code: u64,
    /// The exponential of the weight; zero for an empty place.
    strength: f64,
}

const EMPTY: Place = Place {
    code: 0,
    strength: 0.0,
};

/// What has to be done to take a change back.
#[derive(Clone, Copy)]
struct Change {
    place: u32,
    /// The search that had changed the weight before.
    search: u32,
    /// Zero if there was no weight.
    strength: f64,
}

pub(super) struct Policy {
    places: Vec<Place>,
    /// For each place the search that has changed its weight last, and what is to be added to it.
    changed: Vec<u32>,
    pending: Vec<f64>,
    /// Codes that have a weight.
    len: usize,
    /// Places with something pending.
    touched: Vec<u32>,
    log: Vec<Change>,
    /// The number of the innermost search under way.
    search: u32,
    searches: u32,
    /// How often codes have moved to other places.
    moved: u32,
}

/// A legal move on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub code: u64,
    pub favour: f64,
}

/// Where the candidates of a line have their weights.
#[derive(Default)]
pub(super) struct Places {
    places: Vec<u32>,
    moved: u32,
}

impl Places {
    /// To be called when the line has become another one.
    pub fn forget(&mut self) {
        self.places.clear();
    }
}

/// A search under way: what it changes is taken back at its end.
pub(super) struct Mark {
    log: usize,
    outer: u32,
}

impl Policy {
    pub fn new() -> Policy {
        let mut policy = Policy {
            places: Vec::new(),
            changed: Vec::new(),
            pending: Vec::new(),
            len: 0,
            touched: Vec::new(),
            log: Vec::new(),
            search: 0,
            searches: 0,
            moved: 0,
        };
        policy.resize(1 << 12);
        policy
    }

    fn resize(&mut self, size: usize) {
        self.places = vec![EMPTY; size];
        self.changed = vec![0; size];
        self.pending = vec![0.0; size];
    }

    /// The place of a code, or the empty one where it would go.
    #[inline]
    fn find(&self, code: u64) -> usize {
        let mask = self.places.len() - 1;
        // Codes need not be scrambled.
        let mut at = (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.places[at].strength != 0.0 && self.places[at].code != code {
            at = (at + 1) & mask;
        }
        at
    }

    /// The exponential of the weight of a code.
    #[inline]
    pub fn strength(&self, code: u64) -> f64 {
        match self.places[self.find(code)].strength {
            0.0 => 1.0,
            strength => strength,
        }
    }

    /// A search begins.
    pub fn begin(&mut self) -> Mark {
        self.searches += 1;
        let outer = std::mem::replace(&mut self.search, self.searches);
        Mark {
            log: self.log.len(),
            outer,
        }
    }

    /// A search ends, and takes its changes back.
    pub fn end(&mut self, mark: Mark) {
        for change in self.log.drain(mark.log..).rev() {
            let place = change.place as usize;
            self.places[place].strength = change.strength;
            self.changed[place] = change.search;
            self.len -= usize::from(change.strength == 0.0);
        }
        self.search = mark.outer;
    }

    /// Sees to it that this many more codes can be entered without moving any.
    fn reserve(&mut self, more: usize) {
        let mut size = self.places.len();
        while 2 * (self.len + more) > size {
            size *= 2;
        }
        if size == self.places.len() {
            return;
        }
        let places = std::mem::take(&mut self.places);
        let changed = std::mem::take(&mut self.changed);
        self.resize(size);
        // In the order in which they were entered, so that they can be taken out in the opposite
        // one.
        let mut log = std::mem::take(&mut self.log);
        for change in &mut log {
            let old = change.place as usize;
            let place = self.find(places[old].code);
            if change.strength == 0.0 {
                self.places[place] = places[old];
                self.changed[place] = changed[old];
            }
            change.place = place as u32;
        }
        self.log = log;
        self.moved += 1;
    }

    fn enter(&mut self, code: u64) -> u32 {
        let place = self.find(code);
        if self.places[place].strength == 0.0 {
            self.log.push(Change {
                place: place as u32,
                search: 0,
                strength: 0.0,
            });
            self.places[place] = Place {
                code,
                strength: 1.0,
            };
            self.changed[place] = self.search;
            self.len += 1;
        }
        place as u32
    }

    fn add(&mut self, place: u32, amount: f64) {
        if amount.abs() < NEGLIGIBLE {
            return;
        }
        let pending = &mut self.pending[place as usize];
        if *pending == 0.0 {
            self.touched.push(place);
        }
        *pending += amount;
    }

    /// Draws the policy towards a line: for each move the end of its candidates and which one was
    /// played. Probabilities are those of the policy as it was.
    pub fn adapt(
        &mut self,
        candidates: &[Candidate],
        steps: &[(u32, u32)],
        places: &mut Places,
        step: f64,
    ) {
        self.reserve(candidates.len());
        if places.moved != self.moved || places.places.len() != candidates.len() {
            places.places.clear();
            for candidate in candidates {
                places.places.push(self.enter(candidate.code));
            }
            places.moved = self.moved;
        }
        let mut start = 0;
        for &(end, chosen) in steps {
            let range = start..end as usize;
            let here = || {
                places.places[range.clone()]
                    .iter()
                    .zip(&candidates[range.clone()])
            };
            let strength = |policy: &Policy, (&place, candidate): (&u32, &Candidate)| {
                policy.places[place as usize].strength * candidate.favour
            };
            let sum: f64 = here().map(|candidate| strength(self, candidate)).sum();
            let share = -step / sum;
            for candidate in here() {
                self.add(*candidate.0, share * strength(self, candidate));
            }
            self.add(places.places[chosen as usize], step);
            start = end as usize;
        }
        self.settle();
    }

    /// Adds what is pending.
    fn settle(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        for place in touched.drain(..) {
            let at = place as usize;
            let amount = std::mem::take(&mut self.pending[at]);
            let strength = self.places[at].strength;
            if self.changed[at] != self.search {
                self.log.push(Change {
                    place,
                    search: self.changed[at],
                    strength,
                });
                self.changed[at] = self.search;
            }
            let raised = strength * exponential(amount);
            self.places[at].strength = raised.clamp(1.0 / STRONGEST, STRONGEST);
        }
        self.touched = touched;
    }
}

/// The exponential; for small arguments by as much of its series as makes a difference.
#[inline]
fn exponential(x: f64) -> f64 {
    if x.abs() > 0.01 {
        return x.exp();
    }
    1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::RngExt;
    use tabia_game::Seed;

    use super::*;

    /// A line of steps with a few candidates each, of which any may come again.
    fn line(rng: &mut impl rand::Rng, codes: u64) -> (Vec<Candidate>, Vec<(u32, u32)>) {
        let (mut candidates, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..rng.random_range(1..30) {
            let start = candidates.len();
            for _ in 0..rng.random_range(1..20) {
                candidates.push(Candidate {
                    code: rng.random_range(0..codes),
                    favour: rng.random_range(0.1..3.0),
                });
            }
            let chosen = rng.random_range(start..candidates.len());
            steps.push((candidates.len() as u32, chosen as u32));
        }
        (candidates, steps)
    }

    /// The adaptation as it is printed (Rosin 2011; Cazenave 2020), on logarithms in a map.
    fn plain(
        weights: &mut HashMap<u64, f64>,
        candidates: &[Candidate],
        steps: &[(u32, u32)],
        step: f64,
    ) {
        let before = weights.clone();
        let share = |c: &Candidate| before.get(&c.code).unwrap_or(&0.0).exp() * c.favour;
        let mut start = 0;
        for &(end, chosen) in steps {
            let here = &candidates[start..end as usize];
            let sum: f64 = here.iter().map(share).sum();
            *weights.entry(candidates[chosen as usize].code).or_default() += step;
            for c in here {
                *weights.entry(c.code).or_default() -= step * share(c) / sum;
            }
            start = end as usize;
        }
    }

    /// Searches within searches, with tables that grow on the way: all weights are those of maps
    /// that are copied.
    #[test]
    fn nested_searches_change_and_restore_weights_like_copies_of_a_map() {
        fn nested(
            policy: &mut Policy,
            map: &HashMap<u64, f64>,
            level: u32,
            rng: &mut tabia_game::GameRng,
        ) {
            const CODES: u64 = 20_000;
            let mut own = map.clone();
            let mark = policy.begin();
            let mut places = Places::default();
            let mut lesson = line(rng, CODES);
            for _ in 0..if level == 0 { 4 } else { 12 } {
                if level > 0 {
                    nested(policy, &own, level - 1, rng);
                }
                if rng.random_bool(0.5) {
                    lesson = line(rng, CODES);
                    places.forget();
                }
                policy.adapt(&lesson.0, &lesson.1, &mut places, 0.7);
                plain(&mut own, &lesson.0, &lesson.1, 0.7);
            }
            for (&code, &weight) in &own {
                let strength = policy.strength(code);
                let near = (strength.ln() - weight).abs() < 0.01;
                assert!(near, "code {code}: {} instead of {weight}", strength.ln());
            }
            policy.end(mark);
            for code in own.keys() {
                let weight = map.get(code).unwrap_or(&0.0);
                assert!(
                    (policy.strength(*code).ln() - weight).abs() < 0.01,
                    "code {code}"
                );
            }
        }
        let mut policy = Policy::new();
        nested(&mut policy, &HashMap::new(), 2, &mut Seed::new(5).rng());
        assert_eq!(policy.len, 0);
        assert!(policy.moved > 0);
        assert!(policy.places.iter().all(|place| place.strength == 0.0));
    }
}
