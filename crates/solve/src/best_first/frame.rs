//! The frame of best-first search (Saffidine 2013, as reviewed by Hartmann 2013).
//!
//! Every node of a tree carries an information. Again and again the frame goes from the root down
//! to a leaf by preference, expands it, and brings the informations of its ancestors up to date
//! until one does not change. What an information is, and everything that follows from it, is a
//! [`Measure`]. One state goes up and down with the search; a node stores only its move.
//!
//! After an update that stopped at a node, everything above is as it was, and the next way down
//! leads to that node again: the search goes on from there.

use tabia_game::{
    Deterministic, Game, Key, Limits, Meter, Path, Payoff, Perfect, Player, Turn, TwoPlayer,
};

use super::arena::{Arena, Full, ROOT};
use super::{ProofPair, Trace};
use crate::goal::payoffs;
use crate::{Attack, Lack, Proof, Prover, Settled};

/// What a game needs to be solved.
pub trait Solvable: TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Key {}

impl<G: TwoPlayer + Game<Luck = Deterministic, Information = Perfect> + Key> Solvable for G {}

/// What a search keeps of its nodes, and how that is found and used. Payoffs are the attacker's.
pub trait Measure<G: Solvable> {
    /// What is kept of a node.
    type Information: Copy + PartialEq;
    /// What a descent is after.
    type Focus: Copy;

    /// Whose payoffs are spoken of.
    fn attacker(&self) -> Player;

    /// Of a position whose value is known.
    fn known(&self, payoff: Payoff) -> Self::Information;

    /// Of a position that occurs again on the path.
    fn recurring(&self) -> Self::Information;

    /// Of any other position; `moves` is left as it was.
    fn estimate(
        &self,
        game: &G,
        state: &G::State,
        attacking: bool,
        moves: &mut Vec<G::Move>,
    ) -> Self::Information;

    /// Of a node with these children, at which the attacker is to move or the defender.
    fn combine(&self, attacking: bool, children: &[Self::Information]) -> Self::Information;

    /// What to go after, given the root; `None` if the root is decided.
    fn focus(&self, root: Self::Information) -> Option<Self::Focus>;

    /// Which of the children to descend to, of a node that the focus leads to.
    fn prefer(&self, focus: Self::Focus, attacking: bool, children: &[Self::Information]) -> usize;

    /// Develops a leaf at which the cursor is, and returns the leaf's new information.
    #[inline]
    fn expand(
        &self,
        cursor: &mut Cursor<'_, G>,
        arena: &mut Arena<Self::Information, G::Move>,
        leaf: u32,
    ) -> Result<Self::Information, Halt>
    where
        Self: Sized,
    {
        expand(cursor, self, arena, leaf)
    }
}

/// Why a search ended before the root was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit on nodes or time, or it was cancelled.
    Limit,
    /// There was no memory for another node.
    Memory,
}

/// Where the search is, and what it has spent.
pub struct Cursor<'a, G: Game> {
    game: &'a G,
    settled: &'a dyn Settled<G>,
    attacker: Player,
    state: G::State,
    /// The positions from the root to the present one.
    path: Path,
    moves: Vec<G::Move>,
    meter: Meter,
}

/// A step of the way down: the node it was made from, and how to take it back.
struct Step<U> {
    node: u32,
    attacking: bool,
    token: U,
}

impl<'a, G: Solvable> Cursor<'a, G> {
    fn new(
        game: &'a G,
        state: &G::State,
        attacker: Player,
        settled: &'a dyn Settled<G>,
        limits: &Limits,
    ) -> Self {
        Cursor {
            game,
            settled,
            attacker,
            state: state.clone(),
            path: Path::new(),
            moves: Vec::new(),
            meter: limits.meter(),
        }
    }

    #[inline]
    fn is_attacking(&self) -> bool {
        self.game.turn(&self.state) == Turn::Player(self.attacker)
    }

    #[inline]
    fn enter(&mut self, mv: G::Move) -> G::Undo {
        let token = self.game.play(&mut self.state, mv);
        self.path.push(self.game.key(&self.state));
        token
    }

    #[inline]
    fn leave(&mut self, token: G::Undo) {
        self.path.pop();
        self.game.undo(&mut self.state, token);
    }

    /// The information of the present position as a leaf that is not on the path yet.
    #[inline]
    fn appraise<M: Measure<G>>(&mut self, measure: &M) -> M::Information {
        let mover = match self.game.turn(&self.state) {
            Turn::Over => return measure.known(self.game.payoff(&self.state, self.attacker)),
            Turn::Player(mover) => Some(mover),
            Turn::Chance => None,
        };
        let attacking = mover == Some(self.attacker);
        if self.path.occurrences(self.game.key(&self.state)) > 0 {
            return measure.recurring();
        }
        if let Some(value) = self.settled.value(self.game, &self.state) {
            let value = if attacking { value } else { value.flipped() };
            // A win may be one of several payoffs; the value counts if all of them come to the
            // same.
            let most = self.game.max_payoff();
            let [low, high] = payoffs(value, most).map(|payoff| measure.known(payoff));
            if low == high {
                return low;
            }
        }
        measure.estimate(self.game, &self.state, attacking, &mut self.moves)
    }
}

/// Creates the children of a leaf at which the cursor is, and returns the leaf's new information.
/// Either all of them come into being or none.
pub(super) fn expand<G: Solvable, M: Measure<G>>(
    cursor: &mut Cursor<'_, G>,
    measure: &M,
    arena: &mut Arena<M::Information, G::Move>,
    leaf: u32,
) -> Result<M::Information, Halt> {
    let first = arena.len();
    cursor.moves.clear();
    cursor.game.moves(&cursor.state, &mut cursor.moves);
    for i in 0..cursor.moves.len() {
        let mv = cursor.moves[i];
        let created = cursor.meter.tick().map_err(|_| Halt::Limit).and_then(|()| {
            let token = cursor.game.play(&mut cursor.state, mv);
            let information = cursor.appraise(measure);
            cursor.game.undo(&mut cursor.state, token);
            arena.push(information, mv).map_err(|Full| Halt::Memory)
        });
        if let Err(halt) = created {
            arena.truncate(first);
            return Err(halt);
        }
    }
    arena.adopt(leaf, first);
    Ok(measure.combine(cursor.is_attacking(), arena.child_informations(leaf)))
}

/// Develops the tree below a node at which the cursor is, until the node is decided or `goes_on`,
/// which sees every state of the tree between two expansions, says no.
///
/// `expand` is given the cursor and a leaf, and returns the leaf's new information. However the
/// work ends, all informations are up to date and the cursor is where it was.
pub(super) fn develop<G: Solvable, M: Measure<G>>(
    cursor: &mut Cursor<'_, G>,
    measure: &M,
    arena: &mut Arena<M::Information, G::Move>,
    top: u32,
    mut goes_on: impl FnMut(&Arena<M::Information, G::Move>, &Meter) -> bool,
    mut expand: impl FnMut(
        &mut Cursor<'_, G>,
        &mut Arena<M::Information, G::Move>,
        u32,
    ) -> Result<M::Information, Halt>,
) -> Result<(), Halt> {
    let mut steps: Vec<Step<G::Undo>> = Vec::new();
    let mut node = top;
    let ended = loop {
        let Some(focus) = measure.focus(arena.information(top)) else {
            break Ok(());
        };
        if !goes_on(arena, &cursor.meter) {
            break Ok(());
        }
        while !arena.is_leaf(node) {
            let attacking = cursor.is_attacking();
            let chosen = measure.prefer(focus, attacking, arena.child_informations(node));
            let child = arena.first_child(node) + chosen as u32;
            let token = cursor.enter(arena.last_move(child));
            steps.push(Step {
                node,
                attacking,
                token,
            });
            node = child;
        }
        let mut before = arena.information(node);
        let mut after = match expand(cursor, arena, node) {
            Ok(information) => information,
            Err(halt) => break Err(halt),
        };
        loop {
            arena.set_information(node, after);
            if after == before {
                break;
            }
            let Some(step) = steps.pop() else {
                break;
            };
            cursor.leave(step.token);
            node = step.node;
            before = arena.information(node);
            after = measure.combine(step.attacking, arena.child_informations(node));
        }
    };
    while let Some(step) = steps.pop() {
        cursor.leave(step.token);
    }
    ended
}

/// What a best-first search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestFirstResult<I> {
    /// What is known of the root.
    pub root: I,
    /// Nodes created, the root included.
    pub nodes: u64,
    /// Leaves expanded; in a two-level search those of the first level.
    pub expansions: u64,
    /// The most nodes held in memory at once.
    pub held: u64,
    /// What the search lacked, if that and no limit ended it.
    pub lack: Option<Lack>,
}

/// A search whose tree is bounded in memory. It says nothing of games, so that no game of another
/// crate can make a best-first search of another prover.
pub trait BestFirst {
    /// How many bytes the tree may take.
    fn bytes(&self) -> u64;
}

/// A best-first search, by what it can be asked: about an attack, or about several payoffs.
pub trait BestFirstSearch<G: Solvable, Q>: BestFirst {
    /// What it keeps of a node.
    type Information: Copy + PartialEq;
    /// How that is found and used.
    type Measure<'a>: Measure<G, Information = Self::Information>
    where
        Self: 'a;

    /// The measure that answers a question.
    fn measure(&self, question: Q) -> Self::Measure<'_>;

    /// Searches as far as the limits on nodes and time and the memory allow.
    fn search(
        &self,
        game: &G,
        state: &G::State,
        question: Q,
        settled: &dyn Settled<G>,
        limits: &Limits,
        trace: Option<Trace<'_, Self::Information>>,
    ) -> BestFirstResult<Self::Information> {
        let measure = self.measure(question);
        let mut cursor = Cursor::new(game, state, measure.attacker(), settled, limits);
        let mut arena = Arena::new(cursor.appraise(&measure), self.bytes());
        cursor.path.push(game.key(state));
        let mut trace = trace;
        let mut expansions = 0u64;
        let exact = game.repetition().is_endless_draw();
        let mut lack = (!exact).then_some(Lack::Rule);
        if exact && cursor.meter.tick().is_ok() {
            let goes_on = |arena: &Arena<Self::Information, G::Move>, meter: &Meter| {
                if let Some(trace) = &mut trace
                    && expansions.is_multiple_of(trace.every.max(1))
                {
                    (trace.call)(meter.nodes(), arena.information(ROOT));
                }
                expansions += 1;
                true
            };
            let expand = |cursor: &mut Cursor<'_, G>, arena: &mut _, leaf| {
                measure.expand(cursor, arena, leaf)
            };
            if let Err(halt) = develop(&mut cursor, &measure, &mut arena, ROOT, goes_on, expand) {
                // The expansion that was halted came to nothing.
                expansions -= 1;
                lack = (halt == Halt::Memory).then_some(Lack::Memory);
            }
        }
        if let Some(trace) = trace {
            (trace.call)(cursor.meter.nodes(), arena.information(ROOT));
        }
        BestFirstResult {
            root: arena.information(ROOT),
            nodes: cursor.meter.nodes(),
            expansions,
            held: arena.held() as u64,
            lack,
        }
    }
}

/// Best-first searches prove attacks, if what they keep of the root tells whether they have.
impl<G, B> Prover<G> for B
where
    G: Solvable,
    B: BestFirst + BestFirstSearch<G, Attack>,
    B::Information: Into<ProofPair>,
{
    fn prove(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &dyn Settled<G>,
        limits: &Limits,
    ) -> Proof {
        let outcome = self.search(game, state, attack, settled, limits, None);
        outcome.proof(outcome.root.into())
    }
}

impl<I> BestFirstResult<I> {
    /// The proof that follows from these numbers of the root.
    pub fn proof(&self, root: ProofPair) -> Proof {
        Proof {
            status: root.status(),
            pn: root.pn,
            dn: root.dn,
            nodes: self.nodes,
            held: self.held,
            lack: self.lack,
        }
    }
}
