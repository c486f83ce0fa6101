//! What is left of a tree when the next move is asked for.
//!
//! The tree is searched for the position that is asked for, a few plies below its root: the moves
//! that were really played lead there, whoever made them. What lies beside the way is dropped.
//! Proofs stay valid, as the game so far that they know is the game that was played.

use tabia_game::threads::drop_aside;
use tabia_game::{Game, Key, Made, Path};

use super::moves::Move;
use super::tree::Node;
use crate::Situation;

/// Plies between two questions at most: several moves of an opponent and what chance did in
/// between.
const MAX_PLIES: usize = 6;
/// Nodes that are looked at to find a position again.
const MAX_LOOKED_AT: usize = 200_000;

/// The position at the root of a tree that was grown before.
pub(super) struct Kept<G: Game> {
    state: G::State,
    plies: usize,
    /// The path to the root, where it matters to what was found.
    path: Option<Path>,
    /// The bytes of the tree.
    bytes: u64,
}

impl<G: Key> Kept<G> {
    pub fn new(game: &G, state: &G::State, path: &Path, bytes: u64) -> Kept<G> {
        let exact = game.repetition().has_exact_keys();
        Kept {
            path: exact.then(|| path.clone()),
            state: state.clone(),
            plies: path.len(),
            bytes,
        }
    }

    /// What is left of the tree at this position; nothing if it is not there.
    pub fn advance<const V: usize>(
        &self,
        root: Node<V>,
        situation: &Situation<'_, G>,
    ) -> Option<Node<V>> {
        let mut beside = Vec::new();
        let kept = match self.way(&root, situation) {
            Some(places) => root.take(&places, &mut beside),
            None => {
                drop_aside(root, self.bytes);
                None
            }
        };
        drop_aside(beside, self.bytes);
        kept
    }

    /// The places of the moves that lead to this position; nothing if it is not there.
    fn way<const V: usize>(
        &self,
        root: &Node<V>,
        situation: &Situation<'_, G>,
    ) -> Option<Vec<usize>> {
        let &Situation { game, state, path } = situation;
        let plies = path.len().checked_sub(self.plies)?;
        if plies == 0 || plies > MAX_PLIES {
            return None;
        }
        let mut trail = Trail {
            game,
            wanted: state,
            here: self.state.clone(),
            tokens: Vec::new(),
            moves: Vec::new(),
        };
        let mut places = Vec::new();
        let found = find(root, &mut trail, plies, &mut places, &mut 0);
        (found && self.is_same_path(game, path, &trail.moves)).then_some(places)
    }

    /// Whether the path of the game is the one that these moves lead along.
    fn is_same_path(&self, game: &G, played: &Path, moves: &[G::Move]) -> bool {
        let Some(path) = &self.path else {
            return true;
        };
        let rule = game.repetition();
        let (mut path, mut state) = (path.clone(), self.state.clone());
        for &mv in moves {
            let made = Made::of(game, rule, &state, mv);
            game.play(&mut state, mv);
            path.enter(game, rule, &state, made);
        }
        played.len() == path.len() && played.continues(&path)
    }
}

/// A way down a tree, in search of a position.
trait Seek {
    fn is_found(&self) -> bool;
    /// Plays a move of the tree; whether it is one of the game.
    fn play(&mut self, mv: Move<'_>) -> bool;
    fn undo(&mut self);
}

struct Trail<'a, G: Game> {
    game: &'a G,
    wanted: &'a G::State,
    here: G::State,
    tokens: Vec<G::Undo>,
    moves: Vec<G::Move>,
}

impl<G: Key> Seek for Trail<'_, G> {
    fn is_found(&self) -> bool {
        self.here == *self.wanted
    }

    fn play(&mut self, mv: Move<'_>) -> bool {
        let Some(mv) = mv.get() else {
            return false;
        };
        self.tokens.push(self.game.play(&mut self.here, mv));
        self.moves.push(mv);
        true
    }

    fn undo(&mut self) {
        if let Some(token) = self.tokens.pop() {
            self.game.undo(&mut self.here, token);
            self.moves.pop();
        }
    }
}

/// Finds a position this many plies below a node; the places of the moves that lead there are left
/// in `places`, and the moves are left played.
fn find<const V: usize>(
    node: &Node<V>,
    trail: &mut dyn Seek,
    plies: usize,
    places: &mut Vec<usize>,
    looked: &mut usize,
) -> bool {
    *looked += 1;
    if plies == 0 {
        return trail.is_found();
    }
    let Some(children) = node.children.get().filter(|_| *looked < MAX_LOOKED_AT) else {
        return false;
    };
    for (number, child) in children.each().enumerate() {
        if child.node().visits() == 0 || !trail.play(child.mv()) {
            continue;
        }
        places.push(number);
        if find(child.node(), trail, plies - 1, places, looked) {
            return true;
        }
        trail.undo();
        places.pop();
    }
    false
}
