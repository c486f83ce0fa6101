//! Explicit graphs as games: with cycles, with turns that do not alternate, and with keys that
//! collide.

use proptest::prelude::*;
use tabia_game::{
    Deterministic, Game, Key, Payoff, Perfect, Player, Text, TextError, Turn, TwoPlayer,
};

#[derive(Clone, Debug)]
pub enum Vertex {
    /// Whose turn it is, and where the moves lead.
    Of(u8, Vec<usize>),
    /// The payoff of the first player.
    End(Payoff),
}

#[derive(Clone, Debug)]
pub struct Graph(Vec<Vertex>);

impl Graph {
    pub fn new(vertices: Vec<Vertex>) -> Graph {
        Graph(vertices)
    }

    /// This many vertices in a line, at whose end the first player wins.
    pub fn line(length: usize) -> Graph {
        let inner = (0..length).map(|at| Vertex::Of((at % 2) as u8, vec![at + 1]));
        Graph(inner.chain([Vertex::End(1)]).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn owner(&self, at: usize) -> Option<Player> {
        match self.0[at] {
            Vertex::Of(seat, _) => Some(Player(seat)),
            Vertex::End(_) => None,
        }
    }

    pub fn successors(&self, at: usize) -> &[usize] {
        match &self.0[at] {
            Vertex::Of(_, next) => next,
            Vertex::End(_) => &[],
        }
    }
}

/// Graphs of at most this many vertices, the first of which is not an end.
pub fn graphs(most: usize) -> impl Strategy<Value = Graph> {
    (2..=most).prop_flat_map(|size| {
        let inner = || {
            let next = prop::collection::vec(0..size, 1..4);
            (0u8..2, next).prop_map(|(seat, next)| Vertex::Of(seat, next))
        };
        let end = (-1..=1).prop_map(Vertex::End);
        let any = prop_oneof![3 => inner(), 1 => end];
        (inner(), prop::collection::vec(any, size - 1))
            .prop_map(|(first, others)| Graph([vec![first], others].concat()))
    })
}

impl Game for Graph {
    type State = usize;
    type Move = u8;
    type Undo = usize;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, &at: &usize) -> Turn {
        self.owner(at).map_or(Turn::Over, Turn::Player)
    }
    fn moves(&self, &at: &usize, out: &mut Vec<u8>) {
        out.extend((0..self.successors(at).len()).map(|mv| mv as u8));
    }
    fn play(&self, at: &mut usize, mv: u8) -> usize {
        let to = self.successors(*at)[usize::from(mv)];
        std::mem::replace(at, to)
    }
    fn undo(&self, at: &mut usize, from: usize) {
        *at = from;
    }
    fn payoff(&self, &at: &usize, player: Player) -> Payoff {
        match self.0[at] {
            Vertex::End(payoff) if player == Player::FIRST => payoff,
            Vertex::End(payoff) => -payoff,
            Vertex::Of(..) => panic!("the game is not over"),
        }
    }
}

impl TwoPlayer for Graph {}

impl Key for Graph {
    fn key(&self, &at: &usize) -> u64 {
        (at / 3) as u64
    }
}

impl Text for Graph {
    fn position_text(&self, at: &usize) -> String {
        format!("v{at}")
    }
    fn parse_position(&self, text: &str) -> Result<usize, TextError> {
        text.strip_prefix('v')
            .and_then(|number| number.parse().ok())
            .filter(|&at| at < self.len())
            .ok_or_else(|| TextError::new("no vertex"))
    }
    fn move_text(&self, _: &usize, mv: u8) -> String {
        format!("m{mv}")
    }
    fn position_help(&self) -> &'static str {
        "a vertex such as v1"
    }
}
