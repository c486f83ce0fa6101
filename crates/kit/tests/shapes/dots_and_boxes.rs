//! Dots-and-boxes on two boxes side by side. Edges 0 to 6; edge 3 is shared. Completing a box
//! scores it and moves again.

use tabia_game::{Deterministic, Game, Payoff, Perfect, Player, Turn, TwoPlayer};

pub struct DotsAndBoxes;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    drawn: u8,
    boxes: [i32; 2],
    mover: Player,
}

const BOXES: [u8; 2] = [0b000_1111, 0b111_1000];

impl Game for DotsAndBoxes {
    type State = State;
    type Move = u8;
    type Undo = State;
    type Luck = Deterministic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            drawn: 0,
            boxes: [0; 2],
            mover: Player::FIRST,
        }
    }

    fn turn(&self, s: &State) -> Turn {
        if s.drawn == 0b111_1111 {
            Turn::Over
        } else {
            Turn::Player(s.mover)
        }
    }

    fn moves(&self, s: &State, out: &mut Vec<u8>) {
        out.extend((0..7).filter(|edge| s.drawn >> edge & 1 == 0));
    }

    fn play(&self, s: &mut State, edge: u8) -> State {
        let old = s.clone();
        s.drawn |= 1 << edge;
        let complete = |drawn: u8| BOXES.iter().filter(|&&b| drawn & b == b).count();
        let completed = complete(s.drawn) - complete(old.drawn);
        if completed > 0 {
            s.boxes[s.mover.index()] += completed as i32;
        } else {
            s.mover = s.mover.other();
        }
        old
    }

    fn undo(&self, s: &mut State, old: State) {
        *s = old;
    }

    fn payoff(&self, s: &State, player: Player) -> Payoff {
        s.boxes[player.index()] - s.boxes[player.other().index()]
    }

    fn max_payoff(&self) -> Payoff {
        2
    }
}

impl TwoPlayer for DotsAndBoxes {}
