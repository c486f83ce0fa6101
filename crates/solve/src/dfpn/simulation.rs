//! Whether a disproof found on one path holds on another (Kishimoto and Müller 2004).

use super::keys::{ByKey, Keys};
use super::search::Worker;
use super::{Entry, Known, NOTHING};
use crate::Status;
use crate::best_first::Initial;
use tabia_game::Key;

/// A simulation of more positions than this is given up: searching again costs no more.
const MAX_SIMULATED: usize = 1 << 12;
/// What a position takes in the set of those met, which may have room for twice as many.
const SEEN: usize = 2 * (size_of::<(u64, Option<u16>)>() + 1);

impl<G, I, S> Worker<'_, G, I, S>
where
    G: Key,
    I: Initial<G>,
    S: Keys<G>,
{
    /// Whether the present position, whose disproof is doubtful, is disproved on the present path;
    /// if so, the depth of the highest position of the path that this relies on.
    pub fn simulate(&mut self) -> Option<u32> {
        let (low, seen) = self.close(true, MAX_SIMULATED)?;
        if low == NOTHING {
            self.settle(&seen);
        }
        Some(low)
    }

    /// The present position is disproved for good. So are all positions that the defender's
    /// strategy leads to, if the table still holds all of it.
    pub fn settle_below(&mut self) {
        let each = SEEN + 2 * size_of::<(G::State, Option<u16>)>();
        let most = usize::try_from(self.terms.room.settlement / each as u64).unwrap_or(usize::MAX);
        if let Some((_, seen)) = self.close(false, most) {
            self.settle(&seen);
        }
    }

    fn settle(&mut self, seen: &ByKey<Option<u16>>) {
        for (&key, &best) in seen {
            let work = self.table.get(key).map_or(1, |entry| entry.work);
            let entry = Entry {
                known: Known::Disproved,
                best,
                work,
            };
            self.table.put(key, entry);
        }
    }

    /// The positions that arise from the present one when the defender plays the remembered moves
    /// and the attacker anything; `None` if the attack may succeed in one of them, if there are too
    /// many, or if the time is up. Lines end where the attack has failed, where it is disproved for
    /// good, and, if wanted, where they meet the path, the highest depth of which is told.
    fn close(&mut self, path: bool, most: usize) -> Option<(u32, ByKey<Option<u16>>)> {
        let mut low = NOTHING;
        let mut seen = ByKey::default();
        let root = self.key();
        let best = self.table.get(root).and_then(|entry| entry.best);
        seen.insert(root, best);
        let mut open = vec![(self.state.clone(), best)];
        let mut moves = Vec::new();
        while let Some((state, best)) = open.pop() {
            if self.is_stopped() {
                return None;
            }
            moves.clear();
            self.game.moves(&state, &mut moves);
            let all = if self.attacking(&state) {
                &moves[..]
            } else {
                let best = usize::from(best?);
                moves.get(best..=best)?
            };
            if self.terms.busy.is_some() {
                // Doubtful disproofs of other threads rest on other paths, and it may take most of
                // the time to see that they do not hold here. That work must bring the next look at
                // everything as one graph nearer.
                self.effort.nodes += all.len() as u64;
            }
            for &mv in all {
                let mut next = state.clone();
                self.game.play(&mut next, mv);
                match self.attack.status(self.game, &next, self.settled) {
                    Status::Proved => return None,
                    Status::Disproved => continue,
                    Status::Unknown => {}
                }
                let key = self.key_of(&next);
                if seen.contains_key(&key) {
                    continue;
                }
                if path && let Some(&depth) = self.path.get(&key) {
                    low = low.min(depth);
                    continue;
                }
                let entry = self.table.get(key)?;
                match entry.known {
                    Known::Disproved => continue,
                    Known::Doubtful if seen.len() < most => {
                        seen.insert(key, entry.best);
                        open.push((next, entry.best));
                    }
                    _ => return None,
                }
            }
        }
        Some((low, seen))
    }
}
