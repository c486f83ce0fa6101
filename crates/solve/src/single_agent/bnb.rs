//! Depth-first branch and bound with a transposition table.
//!
//! The bound of a position is the lesser of [`OnePlayer::most`] and of what the table says. A
//! position whose bound is not above the best game found is left out. The table is asked by key,
//! that is, without what the way to a position has brought: it holds the most that can be had *from
//! there on*, and so serves every way to the position. It is exact where the best game has been
//! found below the position.
//!
//! Where a position recurs on its path without having brought more, going on is of no use. What is
//! then said of the positions between the two holds on this path only and is not entered into the
//! table.

use tabia_game::{Limits, MoveIndex, OnePlayer, Payoff, Player, Stopped, Turn};

use super::{Budget, Count, Found, with_large_stack};

/// Depth-first branch and bound. Exact where positions recur freely; under other rules it finds
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct BranchAndBound {
    table: usize,
}

/// Whoever wants to know of every better game that is found.
pub type OnFound<'a, M> = dyn FnMut(&Found<M>) + Send + 'a;

impl BranchAndBound {
    /// With a table of this many positions, rounded up to a power of two; none with zero.
    pub fn new(positions: usize) -> BranchAndBound {
        BranchAndBound { table: positions }
    }

    /// Looks for the best game, and tells every better one as it is found. It looks no deeper than
    /// [`Limits::depth`], if that is set, and then proves nothing unless all games are short
    /// enough.
    pub fn search<G: OnePlayer + MoveIndex>(
        &self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        report: &mut OnFound<'_, G::Move>,
    ) -> Found<G::Move> {
        self.improve(game, state, limits, Found::nothing(), report)
    }

    /// The same, given a game that only better ones are to be looked for. What it says must be
    /// true.
    pub fn improve<G: OnePlayer + MoveIndex>(
        &self,
        game: &G,
        state: &G::State,
        limits: &Limits,
        known: Found<G::Move>,
        report: &mut OnFound<'_, G::Move>,
    ) -> Found<G::Move> {
        if game.repetition().is_tracked() {
            return Found::nothing();
        }
        let budget = Budget::new(limits);
        with_large_stack(|| {
            let slots = match self.table {
                0 => 0,
                positions => positions.next_power_of_two(),
            };
            let mut search = Search {
                game,
                count: Count::new(&budget, limits),
                table: vec![Entry::NOTHING; slots],
                children: Vec::new(),
                moves: Vec::new(),
                line: Vec::new(),
                path: Vec::new(),
                best: known,
                report,
                cut: false,
            };
            let depth = limits.depth.unwrap_or(u32::MAX);
            let ended = search.visit(&mut state.clone(), depth);
            search.best.proved = ended.is_ok() && !search.cut;
            search.best.nodes = search.count.nodes();
            search.best
        })
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// No more than this can be had from there on.
    gain: Payoff,
    /// One more than the number of the move that promised most; zero for none.
    first: u32,
}

impl Entry {
    const NOTHING: Entry = Entry {
        key: 0,
        gain: Payoff::MAX,
        first: 0,
    };
}

/// A bound on the payoff of a position, and on what it relies.
#[derive(Clone, Copy)]
struct Bound {
    payoff: Payoff,
    /// The number of moves before the highest position on the path that it relies on.
    low: usize,
}

/// A bound that holds on every path.
const EVERYWHERE: usize = usize::MAX;

struct Search<'a, 'r, G: OnePlayer> {
    game: &'a G,
    count: Count<'a>,
    table: Vec<Entry>,
    /// Moves with the bounds of what they lead to, for every position of the path.
    children: Vec<(Payoff, G::Move)>,
    moves: Vec<G::Move>,
    line: Vec<G::Move>,
    /// Keys and what was earned.
    path: Vec<(u64, Payoff)>,
    best: Found<G::Move>,
    report: &'a mut OnFound<'r, G::Move>,
    cut: bool,
}

impl<G: OnePlayer + MoveIndex> Search<'_, '_, G> {
    fn is_better(&self, payoff: Payoff) -> bool {
        self.best.payoff.is_none_or(|best| payoff > best)
    }

    /// No game that goes on from here pays more than this, if it pays more than the best one found.
    fn visit(&mut self, state: &mut G::State, depth: u32) -> Result<Bound, Stopped> {
        self.count.tick()?;
        if self.game.turn(state) == Turn::Over {
            let payoff = self.game.payoff(state, Player::FIRST);
            if self.is_better(payoff) {
                self.best.payoff = Some(payoff);
                self.best.line.clone_from(&self.line);
                self.best.nodes = self.count.nodes();
                (self.report)(&self.best);
            }
            return Ok(Bound {
                payoff,
                low: EVERYWHERE,
            });
        }
        let (key, earned) = (self.game.key(state), self.game.earned(state));
        let slot = (key as usize) & self.table.len().wrapping_sub(1);
        let known = self.table.get(slot).filter(|entry| entry.key == key);
        let mut payoff = self.game.most(state);
        let mut first = 0;
        if let Some(entry) = known {
            payoff = payoff.min(earned.saturating_add(entry.gain));
            first = entry.first;
        }
        if !self.is_better(payoff) {
            return Ok(Bound {
                payoff,
                low: EVERYWHERE,
            });
        }
        if let Some(low) = self
            .path
            .iter()
            .position(|&before| before.0 == key && before.1 >= earned)
        {
            // Nothing is gained by having come back; what can be had is found from the first
            // occurrence on.
            return Ok(Bound {
                payoff: Payoff::MIN,
                low,
            });
        }
        if depth == 0 {
            self.cut = true;
            return Ok(Bound {
                payoff,
                low: EVERYWHERE,
            });
        }
        self.path.push((key, earned));
        let bound = self.expand(state, depth, payoff, first);
        self.path.pop();
        let (bound, first) = bound?;
        let own = self.path.len();
        if bound.low >= own {
            if let Some(entry) = self.table.get_mut(slot) {
                *entry = Entry {
                    key,
                    gain: bound.payoff.saturating_sub(earned),
                    first,
                };
            }
            return Ok(Bound {
                low: EVERYWHERE,
                ..bound
            });
        }
        Ok(bound)
    }

    /// The bound of a position by looking at its moves, and the move that promised most.
    fn expand(
        &mut self,
        state: &mut G::State,
        depth: u32,
        most: Payoff,
        first: u32,
    ) -> Result<(Bound, u32), Stopped> {
        let from = self.children.len();
        self.game
            .promises(state, &mut self.moves, &mut self.children);
        let (game, number) = (self.game, |game: &G, mv| game.move_index(mv) as u32 + 1);
        // What promises most comes first; what promised most the last time comes before everything.
        self.children[from..]
            .sort_by_key(|&(promise, mv)| (number(game, mv) != first, std::cmp::Reverse(promise)));
        let mut bound = Bound {
            payoff: Payoff::MIN,
            low: EVERYWHERE,
        };
        let mut best = 0;
        for at in from..self.children.len() {
            let (promise, mv) = self.children[at];
            let child = if self.is_better(promise) {
                let token = self.game.play(state, mv);
                self.line.push(mv);
                let child = self.visit(state, depth - 1);
                self.line.pop();
                self.game.undo(state, token);
                child?
            } else {
                Bound {
                    payoff: promise,
                    low: EVERYWHERE,
                }
            };
            if child.payoff > bound.payoff || best == 0 {
                bound.payoff = child.payoff;
                best = number(game, mv);
            }
            bound.low = bound.low.min(child.low);
        }
        self.children.truncate(from);
        bound.payoff = bound.payoff.min(most);
        Ok((bound, best))
    }
}
