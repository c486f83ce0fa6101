//! Pig: roll as often as you like; a one loses the turn's points, holding banks them.

use rand::{Rng, RngExt};
use tabia_game::{Chance, Game, Payoff, Perfect, Player, Stochastic, Turn, TwoPlayer};

pub struct Pig {
    pub goal: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub points: [u32; 2],
    pub turn_total: u32,
    pub mover: Player,
    pub rolling: bool,
    /// The game is drawn when it runs out, so that every game ends.
    pub turns_left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Roll,
    Hold,
    Die(u32),
}

impl Pig {
    fn winner(&self, s: &State) -> Option<Player> {
        [Player::FIRST, Player::SECOND]
            .into_iter()
            .find(|p| s.points[p.index()] >= self.goal)
    }
}

impl Game for Pig {
    type State = State;
    type Move = Move;
    type Undo = State;
    type Luck = Stochastic;
    type Information = Perfect;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State {
            points: [0, 0],
            turn_total: 0,
            mover: Player::FIRST,
            rolling: false,
            turns_left: 50,
        }
    }

    fn turn(&self, s: &State) -> Turn {
        if self.winner(s).is_some() || s.turns_left == 0 {
            Turn::Over
        } else if s.rolling {
            Turn::Chance
        } else {
            Turn::Player(s.mover)
        }
    }

    fn moves(&self, s: &State, out: &mut Vec<Move>) {
        match self.turn(s) {
            Turn::Player(_) => {
                if s.points[s.mover.index()] + s.turn_total < self.goal {
                    out.push(Move::Roll);
                }
                if s.turn_total > 0 {
                    out.push(Move::Hold);
                }
            }
            Turn::Chance => out.extend((1..=6).map(Move::Die)),
            Turn::Over => {}
        }
    }

    fn play(&self, s: &mut State, mv: Move) -> State {
        let old = s.clone();
        match mv {
            Move::Roll => s.rolling = true,
            Move::Die(n) if n > 1 => {
                s.rolling = false;
                s.turn_total += n;
            }
            Move::Die(_) | Move::Hold => {
                if mv == Move::Hold {
                    s.points[s.mover.index()] += s.turn_total;
                }
                s.rolling = false;
                s.turn_total = 0;
                s.mover = s.mover.other();
                s.turns_left -= 1;
            }
        }
        old
    }

    fn undo(&self, s: &mut State, old: State) {
        *s = old;
    }

    fn payoff(&self, s: &State, player: Player) -> Payoff {
        match self.winner(s) {
            Some(winner) if winner == player => 1,
            Some(_) => -1,
            None => 0,
        }
    }
}

impl TwoPlayer for Pig {}

impl Chance for Pig {
    fn outcomes(&self, _: &State, out: &mut Vec<(Move, u64)>) {
        out.extend((1..=6).map(|n| (Move::Die(n), 1)));
    }

    fn sample_outcome<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> Move {
        Move::Die(rng.random_range(1..=6))
    }
}
