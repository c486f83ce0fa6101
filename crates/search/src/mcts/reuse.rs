//! What is left of a tree when the next move is asked for.
//!
//! The tree is searched for the position that is asked for, a few plies below its root: the moves
//! that were really played lead there, whoever made them. What lies beside the way is dropped.
//! Proofs stay valid, as the game so far that they know is the game that was played.

use tabia_game::{Game, Key, Made, Path};

use super::tree::Node;
use crate::Situation;

/// Plies between two questions at most: several moves of an opponent and what chance did in
/// between.
const FARTHEST: usize = 6;
/// Nodes that are looked at to find a position again.
const MOST: usize = 200_000;

/// A tree and the position at its root.
pub(super) struct Kept<G: Game, const V: usize> {
    root: Node<G::Move, V>,
    state: G::State,
    plies: usize,
    /// The path to the root, where it matters to what was found.
    path: Option<Path>,
}

impl<G: Key, const V: usize> Kept<G, V> {
    pub fn new(game: &G, root: Node<G::Move, V>, state: &G::State, path: &Path) -> Kept<G, V> {
        let exact = game.repetition().has_exact_keys();
        Kept {
            path: exact.then(|| path.clone()),
            root,
            state: state.clone(),
            plies: path.len(),
        }
    }

    /// What is left of the tree at this position; nothing if it is not there.
    pub fn advance(self, situation: &Situation<'_, G>) -> Option<Node<G::Move, V>> {
        let &Situation { game, state, path } = situation;
        let plies = path.len().checked_sub(self.plies)?;
        if plies == 0 || plies > FARTHEST {
            return None;
        }
        let mut places = Vec::new();
        let mut looked = 0;
        let mut here = self.state.clone();
        let found = find(
            game,
            &self.root,
            &mut here,
            state,
            plies,
            &mut places,
            &mut looked,
        );
        if !found || !self.is_same_path(game, path, &places) {
            return None;
        }
        let mut node = self.root.take(&places)?;
        node.mv = None;
        Some(node)
    }
}

impl<G: Key, const V: usize> Kept<G, V> {
    /// Whether the path of the game is the one that leads to the node at these places.
    fn is_same_path(&self, game: &G, played: &Path, places: &[usize]) -> bool {
        let Some(path) = &self.path else {
            return true;
        };
        let rule = game.repetition();
        let (mut path, mut state) = (path.clone(), self.state.clone());
        let mut node = &self.root;
        for &place in places {
            let children = node.children.get();
            let Some(child) = children.and_then(|children| children.all().nth(place)) else {
                return false;
            };
            let Some(mv) = child.mv else { return false };
            let made = Made::of(game, rule, &state, mv);
            game.play(&mut state, mv);
            path.enter(game, rule, &state, made);
            node = child;
        }
        played.len() == path.len() && played.continues(&path)
    }
}

/// Finds a position so many plies below a node; the places of the moves that lead there are left in
/// `places`.
fn find<G: Key, const V: usize>(
    game: &G,
    node: &Node<G::Move, V>,
    here: &mut G::State,
    wanted: &G::State,
    plies: usize,
    places: &mut Vec<usize>,
    looked: &mut usize,
) -> bool {
    *looked += 1;
    if plies == 0 {
        return here == wanted;
    }
    let Some(children) = node.children.get().filter(|_| *looked < MOST) else {
        return false;
    };
    for (place, child) in children.all().enumerate() {
        let Some(mv) = child.mv.filter(|_| child.visits() > 0) else {
            continue;
        };
        let token = game.play(here, mv);
        places.push(place);
        let found = find(game, child, here, wanted, plies - 1, places, looked);
        game.undo(here, token);
        if found {
            return true;
        }
        places.pop();
    }
    false
}
