//! A prover that lays out all positions and finds the attractor by sweeping over them.

use std::collections::HashMap;

use tabia_game::zobrist::mix;
use tabia_game::{Limits, Player, Turn, Wdl};
use tabia_solve::certificate::Certifiable;
use tabia_solve::{Attack, Proof, Prover, Settled, Status};

/// All positions reachable from one, and in which of them the attack succeeds.
struct Layout<G: Certifiable> {
    attack: Attack,
    states: Vec<G::State>,
    by_key: HashMap<u64, Vec<usize>>,
    proved: Vec<bool>,
}

/// Knows everything, though it needs more effort for some positions than for others.
pub struct Oracle<G: Certifiable> {
    hints: u64,
    lies: u64,
    layouts: Vec<Layout<G>>,
}

impl<G: Certifiable> Oracle<G> {
    /// Hints, which are good and bad, and errors follow from numbers; zero for no errors.
    pub fn new(hints: u64, lies: u64) -> Oracle<G> {
        Oracle {
            hints,
            lies,
            layouts: Vec::new(),
        }
    }
}

impl<G: Certifiable> Layout<G> {
    fn find(&self, game: &G, state: &G::State) -> Option<usize> {
        let same = self.by_key.get(&game.key(state))?.iter().copied();
        same.into_iter().find(|&at| self.states[at] == *state)
    }

    fn number(&mut self, game: &G, state: G::State) -> usize {
        self.find(game, &state).unwrap_or_else(|| {
            let number = self.states.len();
            self.by_key
                .entry(game.key(&state))
                .or_default()
                .push(number);
            self.states.push(state);
            number
        })
    }

    fn new(game: &G, root: &G::State, attack: Attack, settled: &dyn Settled<G>) -> Layout<G> {
        let mut layout = Layout {
            attack,
            states: Vec::new(),
            by_key: HashMap::new(),
            proved: Vec::new(),
        };
        layout.number(game, root.clone());
        let mut next: Vec<Vec<usize>> = Vec::new();
        while let Some(state) = layout.states.get(next.len()).cloned() {
            let status = attack.status(game, &state, settled);
            layout.proved.push(status == Status::Proved);
            let mut moves = Vec::new();
            if status == Status::Unknown {
                game.moves(&state, &mut moves);
            }
            let children = moves.into_iter().map(|mv| {
                let mut child = state.clone();
                game.play(&mut child, mv);
                layout.number(game, child)
            });
            next.push(children.collect());
        }
        loop {
            let mut changed = false;
            // Backwards, since most positions were found before those they lead to.
            for at in (0..next.len()).rev().filter(|&at| !next[at].is_empty()) {
                let turn = game.turn(&layout.states[at]);
                let mut children = next[at].iter().map(|&to| layout.proved[to]);
                let proved = match turn == Turn::Player(attack.attacker) {
                    true => children.any(|proved| proved),
                    false => children.all(|proved| proved),
                };
                changed |= proved && !layout.proved[at];
                layout.proved[at] |= proved;
            }
            if !changed {
                return layout;
            }
        }
    }
}

impl<G: Certifiable> Prover<G> for Oracle<G> {
    fn prove(
        &mut self,
        game: &G,
        state: &G::State,
        attack: Attack,
        settled: &dyn Settled<G>,
        limits: &Limits,
    ) -> Proof {
        let known = self.layouts.iter().find_map(|layout| {
            let at = layout
                .find(game, state)
                .filter(|_| layout.attack == attack)?;
            Some(layout.proved[at])
        });
        let proved = known.unwrap_or_else(|| {
            let layout = Layout::new(game, state, attack, settled);
            let proved = layout.proved[0];
            self.layouts.push(layout);
            proved
        });
        let luck = mix(game.key(state) ^ mix(self.lies));
        let lie = self.lies != 0 && luck.is_multiple_of(4);
        // Some positions take more than the first effort.
        let hard = luck >> 32 & 1 == 1 && limits.nodes.is_some_and(|nodes| nodes < 10_000);
        let status = match hard || limits.cancel.is_cancelled() {
            true => Status::Unknown,
            false => Status::of(proved != lie),
        };
        Proof::of(status, 0, 0)
    }

    fn hint(&self, game: &G, state: &G::State, _: Attack) -> Option<G::Move> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let luck = mix(game.key(state) ^ self.hints) as usize;
        // Every third position has none.
        moves
            .get(luck % (moves.len() + moves.len() / 2 + 1))
            .copied()
    }
}

/// The value for the player to move.
pub fn value<G: Certifiable>(game: &G, state: &G::State, settled: &dyn Settled<G>) -> Wdl {
    let Turn::Player(mover) = game.turn(state) else {
        panic!("the game is over");
    };
    let wins = |attacker: Player| {
        let attack = Attack {
            attacker,
            at_least: 1,
        };
        Layout::new(game, state, attack, settled).proved[0]
    };
    match (wins(mover), wins(mover.other())) {
        (true, _) => Wdl::Win,
        (_, true) => Wdl::Loss,
        _ => Wdl::Draw,
    }
}
