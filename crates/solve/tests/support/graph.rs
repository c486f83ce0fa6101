//! Games that are spelled out: any directed graph, cycles included, and their values by plain
//! iteration.

use proptest::prelude::*;
use tabia_game::{
    Deterministic, Game, Key, Knowledge, MoveIndex, Payoff, Perfect, Player, Turn, TwoPlayer, Wdl,
    zobrist,
};
use tabia_solve::{Attack, Settled};

/// A place of the graph.
#[derive(Clone, Debug)]
pub enum Vertex {
    /// The game is over, and this is what the first player gets.
    Over(Payoff),
    /// A player goes on to one of these vertices, all different, and at least one.
    Turn(Player, Vec<u8>),
}

/// The game begins at the first vertex.
#[derive(Clone, Debug)]
pub struct Graph(pub Vec<Vertex>);

impl Graph {
    fn vertex(&self, state: u8) -> &Vertex {
        &self.0[usize::from(state)]
    }

    /// From which vertices the attack succeeds: the least set that holds the ends where it has,
    /// the attacker's vertices with one successor in it, and the defender's with all.
    pub fn won(&self, attack: Attack) -> Vec<bool> {
        let mut won = vec![false; self.0.len()];
        loop {
            let more: Vec<bool> = (0..self.0.len() as u8)
                .map(|state| match self.vertex(state) {
                    Vertex::Over(_) => self.payoff(&state, attack.attacker) >= attack.at_least,
                    Vertex::Turn(player, next) => {
                        let mut next = next.iter().map(|&n| won[usize::from(n)]);
                        if *player == attack.attacker {
                            next.any(|won| won)
                        } else {
                            next.all(|won| won)
                        }
                    }
                })
                .collect();
            if more == won {
                return won;
            }
            won = more;
        }
    }

    /// The graph beside its mirror image: the image of vertex v is v plus the number of vertices, and
    /// a bit for every edge says whether it crosses over.
    pub fn mirrored(&self, crossing: u64) -> Graph {
        let size = self.0.len() as u8;
        let mut edges = 0;
        let mut crosses = || {
            edges += 1;
            crossing >> (edges % 64) & 1 == 1
        };
        let own = self.0.iter().map(|vertex| match vertex {
            Vertex::Over(payoff) => Vertex::Over(*payoff),
            Vertex::Turn(player, next) => {
                let cross = |&to: &u8| if crosses() { to + size } else { to };
                Vertex::Turn(*player, next.iter().map(cross).collect())
            }
        });
        let own: Vec<Vertex> = own.collect();
        let image = |vertex: &Vertex| match vertex {
            Vertex::Over(payoff) => Vertex::Over(*payoff),
            Vertex::Turn(player, next) => {
                // Another order of moves, so that their numbers do not agree.
                let next = next.iter().rev().map(|&to| (to + size) % (2 * size));
                Vertex::Turn(*player, next.collect())
            }
        };
        let images: Vec<Vertex> = own.iter().map(image).collect();
        Graph([own, images].concat())
    }

    /// What every vertex is worth to the first player, play without end nothing.
    pub fn values(&self) -> Vec<Payoff> {
        let forced = |attacker, state: usize| {
            let at_least = (1..=self.max_payoff()).rev();
            at_least
                .map(|at_least| Attack { attacker, at_least })
                .find(|&attack| self.won(attack)[state])
                .map_or(0, |attack| attack.at_least)
        };
        (0..self.0.len())
            .map(|state| forced(Player::FIRST, state) - forced(Player::SECOND, state))
            .collect()
    }
}

impl Game for Graph {
    type State = u8;
    type Move = u8;
    type Undo = u8;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, state: &u8) -> Turn {
        match self.vertex(*state) {
            Vertex::Over(_) => Turn::Over,
            Vertex::Turn(player, _) => Turn::Player(*player),
        }
    }

    fn moves(&self, state: &u8, out: &mut Vec<u8>) {
        if let Vertex::Turn(_, next) = self.vertex(*state) {
            out.extend(next);
        }
    }

    fn play(&self, state: &mut u8, mv: u8) -> u8 {
        std::mem::replace(state, mv)
    }

    fn undo(&self, state: &mut u8, token: u8) {
        *state = token;
    }

    fn payoff(&self, state: &u8, player: Player) -> Payoff {
        match self.vertex(*state) {
            Vertex::Over(payoff) if player == Player::FIRST => *payoff,
            Vertex::Over(payoff) => -payoff,
            Vertex::Turn(..) => 0,
        }
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}

impl TwoPlayer for Graph {}

impl Key for Graph {
    fn key(&self, state: &u8) -> u64 {
        zobrist::mix(u64::from(*state) + 1)
    }
}

impl MoveIndex for Graph {
    fn move_indices(&self) -> usize {
        self.0.len()
    }

    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Graphs with up to this many vertices, up to three successors, and payoffs up to `most`.
pub fn graphs(vertices: usize, most: Payoff) -> impl Strategy<Value = Graph> {
    (1..=vertices)
        .prop_flat_map(move |vertices| {
            let all: Vec<u8> = (0..vertices as u8).collect();
            let next = prop::sample::subsequence(all, 1..=vertices.min(3)).prop_shuffle();
            let player = prop::sample::select(vec![Player::FIRST, Player::SECOND]);
            let vertex = prop_oneof![
                1 => (-most..=most).prop_map(Vertex::Over),
                3 => (player, next).prop_map(|(player, next)| Vertex::Turn(player, next)),
            ];
            prop::collection::vec(vertex, vertices)
        })
        .prop_map(Graph)
}

/// Attacks of either player for up to this payoff.
pub fn attacks(most: Payoff) -> impl Strategy<Value = Attack> {
    let player = prop::sample::select(vec![Player::FIRST, Player::SECOND]);
    (player, 1..=most).prop_map(|(attacker, at_least)| Attack { attacker, at_least })
}

/// Opinions without any reason.
pub struct Whim;

impl Knowledge<Graph> for Whim {
    fn evaluate(&self, _: &Graph, state: &u8, player: Player) -> i32 {
        let whim = (zobrist::number(7, u64::from(*state)) % 1_000_001) as i32 - 500_000;
        if player == Player::FIRST { whim } else { -whim }
    }
}

/// Some vertices are known by their values for the first player.
pub struct Known(pub Vec<Option<Payoff>>);

impl Known {
    /// Those vertices whose bit is set.
    pub fn some(graph: &Graph, bits: u64) -> Known {
        let values = graph.values().into_iter().enumerate();
        let chosen = values.map(|(at, value)| (bits >> (at % 64) & 1 == 1).then_some(value));
        Known(chosen.collect())
    }
}

impl Settled<Graph> for Known {
    fn value(&self, graph: &Graph, &state: &u8) -> Option<Wdl> {
        let value = Wdl::of_payoff(self.0[usize::from(state)]?);
        match graph.turn(&state) {
            Turn::Player(Player::FIRST) => Some(value),
            _ => Some(value.flipped()),
        }
    }
}
