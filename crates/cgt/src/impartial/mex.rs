//! The least nimber that is not an option.

/// A set of nimbers that is emptied at no cost: a mark counts if it bears the stamp of the present
/// round.
#[derive(Clone, Debug)]
pub struct Mex {
    marks: Vec<u32>,
    stamp: u32,
}

impl Default for Mex {
    fn default() -> Mex {
        Mex::new()
    }
}

impl Mex {
    /// An empty set.
    pub fn new() -> Mex {
        Mex {
            marks: Vec::new(),
            stamp: 1,
        }
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.marks.fill(0);
                1
            }
        };
    }

    /// Puts a nimber in.
    #[inline]
    pub fn insert(&mut self, nimber: u32) {
        let place = nimber as usize;
        if place >= self.marks.len() {
            self.marks.resize(place + 1, 0);
        }
        self.marks[place] = self.stamp;
    }

    /// Whether a nimber is in.
    #[inline]
    pub fn contains(&self, nimber: u32) -> bool {
        self.marks.get(nimber as usize) == Some(&self.stamp)
    }

    /// The least nimber that is not in.
    pub fn least(&self) -> u32 {
        let marked = self.marks.iter().take_while(|&&mark| mark == self.stamp);
        marked.count() as u32
    }
}
