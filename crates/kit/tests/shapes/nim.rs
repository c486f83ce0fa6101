//! Nim for three players on three heaps: whoever takes the last piece is paid by both others.

use tabia_game::{Deterministic, Game, Payoff, Perfect, Player, Turn};

pub struct ThreePlayerNim {
    pub heaps: [u8; 3],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    heaps: [u8; 3],
    mover: u8,
}

impl Game for ThreePlayerNim {
    type State = State;
    type Move = (usize, u8);
    type Undo = (usize, u8);
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> State {
        State {
            heaps: self.heaps,
            mover: 0,
        }
    }

    fn turn(&self, s: &State) -> Turn {
        if s.heaps == [0; 3] {
            Turn::Over
        } else {
            Turn::Player(Player(s.mover))
        }
    }

    fn moves(&self, s: &State, out: &mut Vec<(usize, u8)>) {
        for (heap, &size) in s.heaps.iter().enumerate() {
            out.extend((1..=size).map(|taken| (heap, taken)));
        }
    }

    fn play(&self, s: &mut State, (heap, taken): (usize, u8)) -> (usize, u8) {
        s.heaps[heap] -= taken;
        s.mover = (s.mover + 1) % 3;
        (heap, taken)
    }

    fn undo(&self, s: &mut State, (heap, taken): (usize, u8)) {
        s.heaps[heap] += taken;
        s.mover = (s.mover + 2) % 3;
    }

    fn payoff(&self, s: &State, player: Player) -> Payoff {
        if player.0 == (s.mover + 2) % 3 { 2 } else { -1 }
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}
