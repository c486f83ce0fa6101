//! What may be expected of a position: networks by class, and what follows from them.

use tabia_nets::{Network, Scratch, Shape, WeightsError};

use super::board::Board;
use super::features::{Class, INPUTS, inputs};

/// What may happen to the player on roll, as probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Chances {
    /// Wins, whatever the stakes.
    pub win: f32,
    /// Wins a gammon or a backgammon.
    pub win_gammon: f32,
    /// Wins a backgammon.
    pub win_backgammon: f32,
    /// Loses a gammon or a backgammon.
    pub lose_gammon: f32,
    /// Loses a backgammon.
    pub lose_backgammon: f32,
}

impl Chances {
    /// The player has won these stakes.
    pub fn won(stakes: u8) -> Chances {
        let at_least = |n: u8| if stakes >= n { 1.0 } else { 0.0 };
        Chances {
            win: 1.0,
            win_gammon: at_least(2),
            win_backgammon: at_least(3),
            ..Chances::default()
        }
    }

    /// The same for the opponent.
    #[must_use]
    pub fn flipped(self) -> Chances {
        Chances {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// What a game for money is worth without the cube, in stakes.
    pub fn equity(self) -> f32 {
        2.0 * self.win - 1.0 + self.win_gammon - self.lose_gammon + self.win_backgammon
            - self.lose_backgammon
    }

    /// In the order of the networks' outputs.
    pub fn to_array(self) -> [f32; 5] {
        [
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose_gammon,
            self.lose_backgammon,
        ]
    }

    /// The inverse of [`Chances::to_array`].
    pub fn from_array(
        [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ]: [f32; 5],
    ) -> Chances {
        Chances {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        }
    }

    /// Without what cannot happen on this board.
    pub(super) fn possible(mut self, board: &Board) -> Chances {
        if board.off(1) > 0 {
            (self.win_gammon, self.win_backgammon) = (0.0, 0.0);
        }
        if board.off(0) > 0 {
            (self.lose_gammon, self.lose_backgammon) = (0.0, 0.0);
        }
        self.win_gammon = self.win_gammon.min(self.win);
        self.win_backgammon = self.win_backgammon.min(self.win_gammon);
        self.lose_gammon = self.lose_gammon.min(1.0 - self.win);
        self.lose_backgammon = self.lose_backgammon.min(self.lose_gammon);
        self
    }
}

/// The sizes of the networks.
pub const SHAPE: Shape = Shape {
    inputs: INPUTS,
    hidden: [160, 32],
    outputs: 5,
};

/// A network for each class of positions.
#[derive(Clone, Debug)]
pub struct Networks {
    of_class: [Network; 3],
}

/// Room for what an evaluation needs.
pub struct Room {
    inputs: [f32; INPUTS],
    scratch: Scratch,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            inputs: [0.0; INPUTS],
            scratch: Scratch::default(),
        }
    }
}

impl Networks {
    /// Networks in the order of [`Class::ALL`].
    pub fn new(of_class: [Network; 3]) -> Networks {
        Networks { of_class }
    }

    /// Reads the networks of all classes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Networks, WeightsError> {
        let (contact, rest) = Network::from_bytes(SHAPE, bytes)?;
        let (crashed, rest) = Network::from_bytes(SHAPE, rest)?;
        let (race, rest) = Network::from_bytes(SHAPE, rest)?;
        match rest {
            [] => Ok(Networks::new([contact, crashed, race])),
            more => Err(WeightsError::Length {
                found: bytes.len(),
                wanted: bytes.len() - more.len(),
            }),
        }
    }

    /// The networks that come with the game, learnt by self-play.
    pub fn learnt() -> Result<Networks, WeightsError> {
        Networks::from_bytes(include_bytes!("learnt.net"))
    }

    /// The networks of all classes as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.of_class.iter().flat_map(Network::to_bytes).collect()
    }

    /// The networks in the order of [`Class::ALL`].
    pub fn of_class(&self) -> &[Network; 3] {
        &self.of_class
    }

    /// The networks, to train them.
    pub fn of_class_mut(&mut self) -> &mut [Network; 3] {
        &mut self.of_class
    }

    /// What the player on roll may expect before the dice are thrown.
    pub fn chances(&self, board: &Board, room: &mut Room) -> Chances {
        if board.left(0) == 0 {
            return Chances::won(board.stakes(0));
        }
        if board.left(1) == 0 {
            return Chances::won(board.stakes(1)).flipped();
        }
        inputs(board, &mut room.inputs);
        let class = Class::of(board);
        let network = &self.of_class[place(class)];
        let outputs = network.evaluate(&room.inputs, &mut room.scratch);
        let mut found = [0.0; 5];
        found.copy_from_slice(outputs);
        Chances::from_array(found).possible(board)
    }
}

/// Where a class stands in [`Class::ALL`].
pub fn place(class: Class) -> usize {
    Class::ALL.iter().position(|&c| c == class).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Play, Roll};

    /// Openings on which everybody agrees (Hauk, Buro and Schaeffer 2004 play them by their networks, too).
    #[test]
    fn the_learnt_networks_make_points_in_the_opening() {
        let networks = Networks::learnt().unwrap();
        let mut room = Room::default();
        for (dice, wanted) in [((3, 1), 4), ((4, 2), 3), ((6, 1), 6)] {
            let roll = Roll::new(dice.0, dice.1).unwrap();
            let mut plays: Vec<Play> = Vec::new();
            Board::START.plays(roll, &mut plays);
            let best = plays
                .into_iter()
                .map(|play| Board::START.after(play))
                .max_by(|a, b| {
                    let worth = |board: &Board, room: &mut Room| {
                        -networks.chances(&board.swapped(), room).equity()
                    };
                    worth(a, &mut room).total_cmp(&worth(b, &mut room))
                })
                .unwrap();
            // 31 makes the five point, 42 the four point, 61 the bar point.
            assert!(best.sides()[0][wanted] >= 2, "{dice:?}: {best:?}");
        }
    }

    #[test]
    fn chances_flip() {
        let won = Chances::won(2);
        assert_eq!(won.equity(), 2.0);
        assert_eq!(won.flipped().equity(), -2.0);
        assert_eq!(won.flipped().flipped(), won);
        assert_eq!(Chances::from_array(won.to_array()), won);
    }

    #[test]
    fn damaged_networks_are_refused() {
        let bytes = Networks::learnt().unwrap().to_bytes();
        assert!(Networks::from_bytes(&bytes).is_ok());
        assert!(Networks::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(Networks::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        assert!(Networks::from_bytes(b"").is_err());
    }
}
