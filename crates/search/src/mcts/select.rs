//! Which child a descent goes to.
//!
//! Upper confidence bounds in three forms, on values in which what was seen may be mixed with what
//! came later in playouts (RAVE, GRAVE), with static knowledge that wears off (progressive bias,
//! Chaslot et al. 2008) or with the minimax value of evaluations (implicit minimax, Lanctot et al.
//! 2014). Values lie between -1 and 1. Where nothing else is said, children that were never visited
//! come first, in the order of the moves.

use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

use tabia_game::{CERTAIN, Player};

use super::config::{Amaf, Config, Selection};
use super::entries::{Count, Crew};
use super::groups::{BoundLine, GROUP, Group};
use super::sums::{Later, View};
use super::tree::{Child, Children, Node};

/// The weight of moves that were played later in RAVE (Schadd 2011, equation 2.4).
pub fn rave_weight(visits: f64, equivalence: f64) -> f64 {
    (equivalence / (3.0 * visits + equivalence)).sqrt()
}

/// The weight of moves that were played later in GRAVE (Cazenave 2015).
pub fn grave_weight(visits: f64, later: f64, decay: f64) -> f64 {
    match later {
        0.0 => 0.0,
        _ => later / (later + visits + decay * later * visits),
    }
}

/// What static knowledge adds to the value of a move (Schadd 2011, equation 2.3).
pub fn progressive_bias(known: f64, visits: f64) -> f64 {
    known / (visits + 1.0)
}

/// The moves that progressive widening tries at a node with this many visits.
pub fn widened(first: u32, growth: f64, visits: u32) -> usize {
    let more = f64::from(visits.max(1)).ln() / growth.ln();
    first as usize + more as usize
}

/// The slot of a move in the table of a node for GRAVE. In games with many moves some share one.
pub(super) fn slot(move_index: usize, player: Player, slots: usize) -> usize {
    (2 * move_index + usize::from(player.0 & 1)) & (slots - 1)
}

/// The slots of such a table in a game with this many indices of moves.
pub(super) fn slots(move_indices: usize) -> usize {
    const MAX_SLOTS: usize = 1 << 12;
    (2 * move_indices).clamp(2, MAX_SLOTS).next_power_of_two()
}

/// What the bound of a child needs to know of its number of visits.
#[derive(Clone, Copy)]
struct Known {
    /// Its inverse.
    share: f64,
    /// The square root of that.
    root: f64,
}

impl Known {
    fn of(visits: usize) -> Known {
        let share = 1.0 / visits.max(1) as f64;
        Known {
            share,
            root: share.sqrt(),
        }
    }
}

/// The square root of the logarithm, by which the bounds of all children of a node are wide.
fn logarithm(visits: usize) -> f64 {
    (visits.max(1) as f64).ln().sqrt()
}

/// The same of small numbers: most nodes have few visits, and divisions and logarithms would take
/// most of the time. There is one logarithm for all children of a node, and the nodes that are
/// passed most often have the most visits.
pub(super) struct Small {
    known: Box<[Known]>,
    logarithms: Box<[f64]>,
}

static SMALL: LazyLock<Small> = LazyLock::new(|| Small {
    known: (0..1 << 11).map(Known::of).collect(),
    logarithms: (0..1 << 14).map(logarithm).collect(),
});

impl Small {
    pub fn numbers() -> &'static Small {
        &SMALL
    }

    #[inline]
    fn known(&self, visits: usize) -> Known {
        match self.known.get(visits) {
            Some(&known) => known,
            None => Known::of(visits),
        }
    }

    #[inline]
    fn logarithm(&self, visits: u32) -> f64 {
        match self.logarithms.get(visits as usize) {
            Some(&known) => known,
            None => logarithm(visits as usize),
        }
    }
}

/// One choice among the children of a node.
pub(super) struct Selector<'a, 't, const V: usize> {
    pub config: &'a Config,
    pub node: &'t Node<V>,
    pub children: &'t Children<V>,
    pub player: Player,
    pub view: View,
    /// The node whose table GRAVE reads.
    pub reference: Option<&'t [Later]>,
    pub small: &'static Small,
    /// The thread that chooses.
    pub crew: Crew,
    /// Whether the node is open to all threads.
    pub open: bool,
}

/// A child, and the group that is out of date when it has been visited.
pub(super) type Selected<'t, const V: usize> = (Child<'t, V>, Option<&'t Group>);

impl<'t, const V: usize> Selector<'_, 't, V> {
    /// The child to go to; nothing if all of them are proved to be no better than what is proved of
    /// the node.
    pub fn select(&self) -> Option<Selected<'t, V>> {
        let config = self.config;
        if config.selection == Selection::Uct && config.amaf == Amaf::Off && !config.knows() {
            return self.plain();
        }
        let entries = self.node.entries();
        let tried = match config.widening {
            0 => usize::MAX,
            first => widened(first, config.growth, entries),
        };
        let logarithm = f64::from(entries.max(1)).ln();
        let proved = match config.solver {
            true => self.node.bounds_for(self.view).0,
            false => i32::MIN,
        };
        let mut best: Option<(usize, f64)> = None;
        let mut allowed = 0;
        for (place, child) in self.children.all().enumerate() {
            if self.is_useless(child, proved) || (self.open && child.entries.now().is_taken()) {
                continue;
            }
            allowed += 1;
            let merit = self.merit(place, child, entries, logarithm);
            if best.is_none_or(|(_, most)| merit > most) {
                best = Some((place, merit));
            }
            if merit == f64::INFINITY || allowed >= tried {
                break;
            }
        }
        best.and_then(|(place, _)| Some((self.children.nth(place)?, None)))
    }

    /// UCT with every other switch off, which is what is run most.
    fn plain(&self) -> Option<Selected<'t, V>> {
        // Children are visited in order, so that those never visited are the last ones.
        let last = self.children.blocks().last().unwrap_or(self.children);
        if last.nodes.last().is_some_and(|child| child.entries() == 0) {
            let place = last.nodes.partition_point(|child| child.entries() > 0);
            last.nodes.get(place)?;
            return Some((last.child(place), last.groups(self.crew).get(place / GROUP)));
        }
        let width = self.config.exploration * self.small.logarithm(self.node.entries());
        let proved = match self.config.solver {
            true => self.node.bounds_for(self.view).0,
            false => i32::MIN,
        };
        let shared = self.crew.shares();
        let mut tries = if shared { 4 } else { 1 };
        loop {
            tries -= 1;
            let (best, merit) = self.highest_now(width, proved);
            debug_assert!(shared || merit == self.highest(width, proved));
            match best {
                // Others have been there since the group was compared.
                Some((child, Some(group)))
                    if tries > 0 && self.line(child.node(), proved).at(width) < merit =>
                {
                    group.forget();
                }
                _ => return best,
            }
        }
    }

    /// The child with the highest bound and what that is, as far as groups know.
    #[inline]
    fn highest_now(&self, width: f64, proved: i32) -> (Option<Selected<'t, V>>, f64) {
        let mut best = (None, f64::NEG_INFINITY);
        for block in self.children.blocks() {
            let groups = block.groups(self.crew);
            if groups.is_empty() {
                for (place, child) in block.nodes.iter().enumerate() {
                    let merit = self.line(child, proved).at(width);
                    if merit > best.1 {
                        best = (Some((block.child(place), None)), merit);
                    }
                }
            }
            let chunks = block.nodes.chunks(GROUP);
            for (number, (group, nodes)) in groups.iter().zip(chunks).enumerate() {
                let compare = || {
                    let lines = nodes.iter().map(|child| self.line(child, proved));
                    group.compare(width, lines)
                };
                let (mut place, mut merit) = group.highest(width).unwrap_or_else(compare);
                if merit <= best.1 {
                    continue;
                }
                if self.is_useless(&nodes[place], proved) {
                    (place, merit) = compare();
                }
                if merit > best.1 {
                    let child = block.child(GROUP * number + place);
                    best = (Some((child, Some(group))), merit);
                }
            }
        }
        best
    }

    /// The highest bound, by a look at all children.
    fn highest(&self, width: f64, proved: i32) -> f64 {
        let merits = self
            .children
            .all()
            .map(|child| self.line(child, proved).at(width));
        merits.fold(f64::NEG_INFINITY, f64::max)
    }

    /// What cannot be better than what is proved already is not looked at again.
    #[inline]
    fn is_useless(&self, child: &Node<V>, proved: i32) -> bool {
        self.config.solver && child.upper_for(self.view) <= proved
    }

    /// The upper confidence bound of a child with every switch off.
    #[inline]
    fn line(&self, child: &Node<V>, proved: i32) -> BoundLine {
        if self.is_useless(child, proved) {
            return BoundLine::NEVER;
        }
        let count = child.entries.now();
        let mut losses = count.losses();
        if self.open {
            if count.is_taken() {
                return BoundLine::NEVER;
            }
            losses += self.strangeness(count);
        }
        // Wide enough for any sum.
        let entries = count.visits() as usize + losses as usize;
        if entries == 0 {
            return BoundLine::AT_ONCE;
        }
        let Known { share, root } = self.small.known(entries);
        BoundLine {
            mean: (child.sum(self.view) - f64::from(losses)) * share,
            slope: root,
        }
    }

    /// Further virtual losses of a child where another thread was last: each keeps to the parts of
    /// the tree that its own memory has, as long as they are about as good.
    #[inline]
    fn strangeness(&self, count: Count) -> u32 {
        match count.last() {
            Some(last) if last != self.crew.number && !count.is_open() => 1 + count.visits() / 32,
            _ => 0,
        }
    }

    /// The value and the exploration bonus of a child, together with what is known of it.
    fn merit(&self, place: usize, child: &Node<V>, entries: u32, logarithm: f64) -> f64 {
        let config = self.config;
        let visits = f64::from(child.entries());
        let known = f64::from(child.known);
        let later = self.later(place, child).filter(|later| later.visits() > 0);
        if visits == 0.0 {
            return match (config.selection, config.amaf, later) {
                (Selection::Puct, _, _) => {
                    let urgency = self.node.mean(self.view);
                    urgency + config.exploration * known * f64::from(entries.max(1)).sqrt()
                }
                // Nothing is seen of the move itself yet.
                (_, Amaf::Grave, Some(later)) => later.mean() + self.bias(known, visits),
                _ => f64::INFINITY,
            };
        }
        let value = self.value(child);
        let bonus = match config.selection {
            Selection::Puct => known * f64::from(entries).sqrt() / (1.0 + visits),
            Selection::Uct => (logarithm / visits).sqrt(),
            Selection::Tuned => {
                // Auer et al. count values from 0 to 1; on our scale variances are four times as
                // large.
                let deviation = 4.0 * (2.0 * logarithm / visits).sqrt();
                (logarithm / visits * (child.variance(self.view) + deviation).min(1.0)).sqrt()
            }
        };
        let bound = value + config.exploration * bonus;
        let mixed = match later {
            None => bound,
            Some(later) => {
                let weight = match config.amaf {
                    Amaf::Rave => rave_weight(f64::from(entries), config.equivalence),
                    _ => grave_weight(visits, f64::from(later.visits()), config.decay),
                };
                (1.0 - weight) * bound + weight * later.mean()
            }
        };
        mixed + self.bias(known, visits)
    }

    fn bias(&self, known: f64, visits: f64) -> f64 {
        match self.config.selection {
            // What is known is a probability then, and has its part in the bonus.
            Selection::Puct => 0.0,
            _ => self.config.bias * progressive_bias(known, visits),
        }
    }

    /// The mean of a child that was visited, with virtual losses and implicit minimax.
    fn value(&self, child: &Node<V>) -> f64 {
        let losses = f64::from(child.losses());
        let mean = (child.sum(self.view) - losses) / f64::from(child.entries().max(1));
        match self.config.implicit {
            0.0 => mean,
            share => {
                let static_value = f64::from(child.implicit.load(Relaxed)) / f64::from(CERTAIN);
                let sign = if self.view.maximises() { 1.0 } else { -1.0 };
                (1.0 - share) * mean + share * sign * static_value
            }
        }
    }

    /// What is known of a move from playouts in which it came later.
    fn later(&self, place: usize, child: &Node<V>) -> Option<&'t Later> {
        match self.config.amaf {
            Amaf::Off => None,
            Amaf::Rave => self.children.later.get()?.get(place),
            Amaf::Grave => {
                let table = self.reference?;
                let slot = slot(child.index as usize, self.player, table.len());
                table.get(slot)
            }
        }
    }

    /// The upper confidence bound of a child, for the choice at the root; nothing for one never
    /// visited.
    pub fn bound(&self, place: usize, child: &Node<V>) -> f64 {
        let entries = self.node.entries();
        match child.visits() {
            0 => f64::NEG_INFINITY,
            _ => self.merit(place, child, entries, f64::from(entries.max(1)).ln()),
        }
    }
}
