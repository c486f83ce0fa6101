//! A deal solved without any search engine: values, best cards and the size of the tree for every
//! position that can arise with merged cards, by recursion over positions with the same tree.

use std::collections::HashMap;

use tabia_cards::tricks::{Merged, State, TrickRules};
use tabia_game::{Game, Turn};

/// What is known of a position.
#[derive(Clone, Copy)]
struct Known {
    /// What everybody gets beyond the least they can get.
    gains: [i32; 4],
    /// The place of the best card among those that can be played.
    best: Option<usize>,
    /// The number of positions in the tree below and of this one.
    nodes: u64,
}

/// A deal that is solved.
pub struct Solved {
    known: HashMap<u64, Known>,
    root: u64,
}

fn least<S: TrickRules>(game: &Merged<S>, state: &State) -> [i32; 4] {
    std::array::from_fn(|seat| match seat < game.players() {
        true => game.payoff_range(state, tabia_game::Player(seat as u8)).0,
        false => 0,
    })
}

impl Solved {
    /// Solves the deal of a game.
    pub fn new<S: TrickRules>(game: &Merged<S>) -> Solved {
        let start = game.start();
        let mut solved = Solved {
            known: HashMap::new(),
            root: game.0.tree_key(&start),
        };
        solved.visit(game, &start);
        solved
    }

    fn visit<S: TrickRules>(&mut self, game: &Merged<S>, state: &State) -> Known {
        let key = game.0.tree_key(state);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let floor = least(game, state);
        let mut known = Known {
            gains: [0; 4],
            best: None,
            nodes: 1,
        };
        if let Turn::Player(player) = game.turn(state) {
            let own = player.index();
            let mut cards = Vec::new();
            game.moves(state, &mut cards);
            for (place, card) in cards.into_iter().enumerate() {
                let mut next = *state;
                game.play(&mut next, card);
                let below = self.visit(game, &next);
                known.nodes += below.nodes;
                let higher = least(game, &next);
                let gains: [i32; 4] =
                    std::array::from_fn(|p| below.gains[p] + higher[p] - floor[p]);
                let better = (gains[own], gains) > (known.gains[own], known.gains);
                if known.best.is_none() || better {
                    (known.gains, known.best) = (gains, Some(place));
                }
            }
        }
        self.known.insert(key, known);
        known
    }

    /// What everybody gets.
    pub fn values<S: TrickRules>(&self, game: &Merged<S>) -> [i32; 4] {
        let floor = least(game, &game.start());
        let gains = self
            .known
            .get(&self.root)
            .map_or([0; 4], |known| known.gains);
        std::array::from_fn(|p| gains[p] + floor[p])
    }

    /// The place of the best card among those that can be played.
    pub fn best<S: TrickRules>(&self, game: &Merged<S>, state: &State) -> Option<usize> {
        self.known.get(&game.0.tree_key(state))?.best
    }

    /// The number of positions in the whole tree.
    pub fn nodes(&self) -> u64 {
        self.known.get(&self.root).map_or(0, |known| known.nodes)
    }
}
