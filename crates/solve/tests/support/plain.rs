//! Proof-number search as it is described, without anything that makes it fast: states in the
//! nodes, all numbers computed anew and every descent from the root.

use tabia_game::{Game, Turn};
use tabia_solve::{Attack, Status};

const INFINITE: u64 = u64::MAX;

pub struct Tree<G: Game> {
    state: G::State,
    pub numbers: (u64, u64),
    children: Vec<Tree<G>>,
}

/// Nodes created and the numbers of the root, after every expansion.
pub type Steps = Vec<(u64, u64, u64)>;

impl<G: Game> Tree<G> {
    fn leaf(game: &G, state: G::State, attack: Attack, path: &[G::State]) -> Tree<G> {
        let numbers = match attack.status(game, &state, &()) {
            Status::Proved => (0, INFINITE),
            Status::Disproved => (INFINITE, 0),
            Status::Unknown if path.contains(&state) => (INFINITE, 0),
            Status::Unknown => (1, 1),
        };
        Tree {
            state,
            numbers,
            children: vec![],
        }
    }

    fn size(&self) -> usize {
        1 + self.children.iter().map(Tree::size).sum::<usize>()
    }

    fn is_decided(&self) -> bool {
        self.numbers.0 == 0 || self.numbers.1 == 0
    }

    fn update(&mut self, game: &G, attack: Attack) {
        if self.children.is_empty() {
            return;
        }
        self.children
            .iter_mut()
            .for_each(|c| c.update(game, attack));
        let least = |numbers: fn(&Tree<G>) -> u64| {
            self.children.iter().map(numbers).min().expect("a child")
        };
        let sum = |numbers: fn(&Tree<G>) -> u64| {
            let each = self.children.iter().map(numbers);
            each.fold(0, |a: u64, b| a.saturating_add(b))
        };
        self.numbers = if game.turn(&self.state) == Turn::Player(attack.attacker) {
            (least(|c| c.numbers.0), sum(|c| c.numbers.1))
        } else {
            (sum(|c| c.numbers.0), least(|c| c.numbers.1))
        };
    }

    /// The most-proving leaf; its state and all before it are put on the path.
    fn most_proving<'t>(
        &'t mut self,
        game: &G,
        attack: Attack,
        path: &mut Vec<G::State>,
    ) -> &'t mut Tree<G> {
        path.push(self.state.clone());
        if self.children.is_empty() {
            return self;
        }
        let attacking = game.turn(&self.state) == Turn::Player(attack.attacker);
        let by = |c: &&mut Tree<G>| if attacking { c.numbers.0 } else { c.numbers.1 };
        let chosen = self.children.iter_mut().min_by_key(by).expect("a child");
        chosen.most_proving(game, attack, path)
    }

    /// Searches until the root is decided or the tree has more than this many nodes.
    fn search(
        &mut self,
        game: &G,
        attack: Attack,
        path: &[G::State],
        bound: usize,
        steps: &mut Steps,
    ) -> u64 {
        let mut created = 0;
        while !self.is_decided() && self.size() <= bound {
            let mut path = path.to_vec();
            let leaf = self.most_proving(game, attack, &mut path);
            let mut moves = vec![];
            game.moves(&leaf.state, &mut moves);
            for mv in moves {
                let mut state = leaf.state.clone();
                game.play(&mut state, mv);
                leaf.children.push(Tree::leaf(game, state, attack, &path));
                created += 1;
            }
            self.update(game, attack);
            steps.push((1 + created, self.numbers.0, self.numbers.1));
        }
        created
    }
}

/// Proof-number search.
pub fn pn<G: Game>(game: &G, state: &G::State, attack: Attack) -> Steps {
    let mut root = Tree::leaf(game, state.clone(), attack, &[]);
    let mut steps = vec![(1, root.numbers.0, root.numbers.1)];
    root.search(game, attack, &[], usize::MAX, &mut steps);
    steps
}

/// PN2 whose second level is bounded by the size of the first; the steps are those of the first.
pub fn pn2<G: Game>(game: &G, state: &G::State, attack: Attack) -> Steps {
    let mut root = Tree::leaf(game, state.clone(), attack, &[]);
    let mut steps = vec![(1, root.numbers.0, root.numbers.1)];
    let mut created = 1;
    while !root.is_decided() {
        let bound = root.size();
        let mut path = vec![];
        let leaf = root.most_proving(game, attack, &mut path);
        path.pop();
        created += leaf.search(game, attack, &path, bound, &mut vec![]);
        leaf.children.iter_mut().for_each(|c| c.children.clear());
        if leaf.is_decided() {
            leaf.children.clear();
        }
        root.update(game, attack);
        steps.push((created, root.numbers.0, root.numbers.1));
    }
    steps
}
