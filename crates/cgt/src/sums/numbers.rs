//! Proof and disproof numbers of sums, as the table keeps them.

use super::table::{KNOWN_BITS, TranspositionTable};

/// Bits of a proof or disproof number.
const BITS: u32 = KNOWN_BITS / 2;

/// No proof at all: the number of a claim that is refuted.
pub const INFINITE: u32 = (1 << BITS) - 1;

/// How far a sum is from being won and from being lost by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofPair {
    /// About how many sums must be decided for a proof that the player to move wins; zero if that
    /// is proved.
    pub proof: u32,
    /// The same for a proof that the player to move loses.
    pub disproof: u32,
}

impl ProofPair {
    /// The numbers of a sum that is decided.
    #[inline]
    pub fn of(wins: bool) -> ProofPair {
        let (proof, disproof) = if wins { (0, INFINITE) } else { (INFINITE, 0) };
        ProofPair { proof, disproof }
    }

    /// Whether the player to move wins, if that is decided.
    #[inline]
    pub fn decided(self) -> Option<bool> {
        match self {
            ProofPair { proof: 0, .. } => Some(true),
            ProofPair { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    fn unpack(known: u64) -> ProofPair {
        let number = |bits: u64| bits as u32 & INFINITE;
        ProofPair {
            proof: number(known >> BITS),
            disproof: number(known),
        }
    }

    /// What the table knows of a sum.
    #[inline]
    pub fn get(table: &TranspositionTable, key: u128) -> Option<ProofPair> {
        table.get(key).map(ProofPair::unpack)
    }

    /// Remembers the numbers of a sum that cost so much work. What another thread has decided
    /// meanwhile stays decided.
    #[inline]
    pub fn put(self, table: &TranspositionTable, key: u128, work: u64) {
        let known = u64::from(self.proof) << BITS | u64::from(self.disproof);
        table.put(key, known, work, |old| {
            self.decided().is_none() && ProofPair::unpack(old).decided().is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let table = TranspositionTable::new(1 << 12).unwrap();
        let all = [
            ProofPair::of(true),
            ProofPair::of(false),
            ProofPair {
                proof: 3,
                disproof: INFINITE - 4,
            },
        ];
        for (key, numbers) in (1..).zip(all) {
            numbers.put(&table, key, 1);
            assert_eq!(ProofPair::get(&table, key), Some(numbers));
        }
    }

    #[test]
    fn what_is_decided_stays_decided() {
        let table = TranspositionTable::new(1 << 10).unwrap();
        let open = ProofPair {
            proof: 3,
            disproof: 4,
        };
        open.put(&table, 5, 1);
        assert_eq!(ProofPair::get(&table, 5), Some(open));
        ProofPair::of(true).put(&table, 5, 1);
        open.put(&table, 5, 1 << 20);
        assert_eq!(ProofPair::get(&table, 5), Some(ProofPair::of(true)));
    }
}
