//! What may be expected of a position: networks by class, tables where a race is nearly over, and
//! what follows from them.

use std::sync::LazyLock;

use rand::Rng;
use tabia_nets::{Batch, Network, NetworkShape, Scratch, WeightsError};

use super::bearoff::{Bearoff, OneSided};
use super::board::{Board, CHECKERS};
use super::features::{INPUTS, PositionClass, inputs};
use super::plays::Roll;

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
pub const SHAPE: NetworkShape = NetworkShape {
    inputs: INPUTS,
    hidden: [256, 32],
    outputs: 5,
};

/// A network for each class of positions.
#[derive(Clone, Debug)]
pub struct Networks {
    of_class: [Network; 3],
}

/// Room for what an evaluation needs.
pub struct EvaluationBuffers {
    inputs: [f32; INPUTS],
    scratch: Scratch,
    /// The boards of each class, and where they stand in the list.
    batches: [(Batch, Vec<usize>); 3],
    found: Vec<Chances>,
    /// Where the plays of a roll lead.
    boards: Vec<Board>,
}

impl Default for EvaluationBuffers {
    fn default() -> EvaluationBuffers {
        EvaluationBuffers {
            inputs: [0.0; INPUTS],
            scratch: Scratch::default(),
            batches: Default::default(),
            found: Vec::new(),
            boards: Vec::new(),
        }
    }
}

/// Exact chances at the very end of a race, where each side has six checkers at most.
pub(super) fn bearoff(board: &Board) -> Option<Chances> {
    // Computed when it is needed first, which takes a part of a second.
    static TABLE: LazyLock<Bearoff> = LazyLock::new(Bearoff::new);
    let few = |side| (1..=6).contains(&board.left(side));
    if few(0) && few(1) {
        TABLE.chances(board)
    } else {
        None
    }
}

/// What is known of a board without a network: the result of a finished game, the exact chances at
/// the end of a race, and where all checkers are at home the chance that the player on roll needs
/// fewer rolls. The latter is no more than close, since best play looks at the opponent, too.
/// Nothing is known where somebody may still lose a gammon.
pub fn known(board: &Board) -> Option<Chances> {
    match (board.left(0), board.left(1)) {
        (0, _) => return Some(Chances::won(board.stakes(0))),
        (_, 0) => return Some(Chances::won(board.stakes(1)).flipped()),
        (CHECKERS, _) | (_, CHECKERS) => return None,
        _ => {}
    }
    bearoff(board).or_else(|| {
        let win = race(board)?;
        Some(Chances {
            win,
            ..Chances::default()
        })
    })
}

/// The chance to need fewer rolls where all checkers are at home.
fn race(board: &Board) -> Option<f32> {
    static TABLE: LazyLock<OneSided> = LazyLock::new(OneSided::new);
    let at_home = |side: &super::board::Side| side[super::board::HOME..].iter().all(|&n| n == 0);
    let both = board.sides().iter().all(at_home);
    both.then(|| TABLE.race(board))
        .flatten()
        .map(|win| win as f32)
}

impl Networks {
    /// Networks in the order of [`PositionClass::ALL`].
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

    /// Reads networks that may have fewer features and fewer units, and widens them: they say the
    /// same, and have more room to learn.
    pub fn widened(bytes: &[u8], rng: &mut impl Rng) -> Result<Networks, WeightsError> {
        let mut rest = bytes;
        let mut read = || {
            let (network, more) = Network::of_any_shape(rest)?;
            rest = more;
            if network.shape() == SHAPE {
                return Ok(network);
            }
            // The features of each half have been added at its end.
            let (half, new) = (network.shape().inputs / 2, SHAPE.inputs / 2);
            let place = |i: usize| match i.checked_sub(half) {
                None => i,
                Some(i) => new + i,
            };
            let told = Network::from_bytes(SHAPE, bytes).err();
            let wide = match network.shape().inputs == 2 * half && half <= new {
                true => network.widened(SHAPE, place, rng),
                false => None,
            };
            wide.ok_or(told.unwrap_or(WeightsError::Header))
        };
        let networks = [read()?, read()?, read()?];
        match rest {
            [] => Ok(Networks::new(networks)),
            more => Err(WeightsError::Length {
                found: bytes.len(),
                wanted: bytes.len() - more.len(),
            }),
        }
    }

    /// Moves all weights towards those of others by this share of the way.
    pub fn approach(&mut self, others: &Networks, share: f32) {
        for (network, other) in self.of_class.iter_mut().zip(&others.of_class) {
            network.approach(other, share);
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

    /// The networks in the order of [`PositionClass::ALL`].
    pub fn of_class(&self) -> &[Network; 3] {
        &self.of_class
    }

    /// The networks, to train them.
    pub fn of_class_mut(&mut self) -> &mut [Network; 3] {
        &mut self.of_class
    }

    /// What the player on roll may expect before the dice are thrown.
    pub fn chances(&self, board: &Board, room: &mut EvaluationBuffers) -> Chances {
        if let Some(known) = known(board) {
            return known;
        }
        inputs(board, &mut room.inputs);
        let network = &self.of_class[place(PositionClass::of(board))];
        let outputs = network.evaluate(&room.inputs, &mut room.scratch);
        judged(board, outputs)
    }

    /// The same for a list of boards, such as all that a roll leads to: the networks then pass over
    /// their weights less often.
    pub fn all_chances<'r>(
        &self,
        boards: &[Board],
        room: &'r mut EvaluationBuffers,
    ) -> &'r [Chances] {
        let EvaluationBuffers {
            inputs: numbers,
            scratch,
            batches,
            found,
            ..
        } = room;
        for (batch, places) in batches.iter_mut() {
            batch.clear();
            places.clear();
        }
        found.clear();
        for (i, board) in boards.iter().enumerate() {
            let known = known(board);
            if known.is_none() {
                inputs(board, numbers);
                let (batch, places) = &mut batches[place(PositionClass::of(board))];
                batch.push(numbers);
                places.push(i);
            }
            found.push(known.unwrap_or_default());
        }
        for ((batch, places), network) in batches.iter().zip(&self.of_class) {
            if batch.is_empty() {
                continue;
            }
            let outputs = network.evaluate_all(batch, scratch);
            for (outputs, &i) in outputs.chunks_exact(SHAPE.outputs).zip(places) {
                found[i] = judged(&boards[i], outputs);
            }
        }
        found
    }

    /// The play that leaves the opponent least: the board after it with the opponent on roll, and
    /// what it leaves the player.
    pub fn best_play(
        &self,
        board: &Board,
        roll: Roll,
        room: &mut EvaluationBuffers,
    ) -> (Board, Chances) {
        let mut boards = std::mem::take(&mut room.boards);
        boards.clear();
        board.each_play(roll, |play| boards.push(board.after(play).swapped()));
        let chances = self.all_chances(&boards, room);
        let mut best: Option<(Board, Chances)> = None;
        for (&next, &chances) in boards.iter().zip(chances) {
            // What is least for the opponent is most for the player.
            if best.is_none_or(|(_, least)| chances.equity() < least.equity()) {
                best = Some((next, chances));
            }
        }
        room.boards = boards;
        let (next, chances) = best.unwrap_or((board.swapped(), Chances::default()));
        (next, chances.flipped())
    }
}

/// What a network says, with what is known besides.
fn judged(board: &Board, outputs: &[f32]) -> Chances {
    let mut found = [0.0; SHAPE.outputs];
    found.copy_from_slice(outputs);
    let mut chances = Chances::from_array(found);
    if let Some(win) = race(board) {
        chances.win = win;
    }
    chances.possible(board)
}

/// Where a class stands in [`PositionClass::ALL`].
pub fn place(class: PositionClass) -> usize {
    PositionClass::ALL
        .iter()
        .position(|&c| c == class)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Play;

    /// Openings on which everybody agrees (Hauk, Buro and Schaeffer 2004 play them by their
    /// networks, too).
    #[test]
    fn the_learnt_networks_make_points_in_the_opening() {
        let networks = Networks::learnt().unwrap();
        let mut room = EvaluationBuffers::default();
        for (dice, wanted) in [((3, 1), 4), ((4, 2), 3), ((6, 1), 6)] {
            let roll = Roll::new(dice.0, dice.1).unwrap();
            let mut plays: Vec<Play> = Vec::new();
            Board::START.plays(roll, &mut plays);
            let best = plays
                .into_iter()
                .map(|play| Board::START.after(play))
                .max_by(|a, b| {
                    let worth = |board: &Board, room: &mut EvaluationBuffers| {
                        -networks.chances(&board.swapped(), room).equity()
                    };
                    worth(a, &mut room).total_cmp(&worth(b, &mut room))
                })
                .unwrap();
            // 31 makes the five point, 42 the four point, 61 the bar point.
            assert!(best.sides()[0][wanted] >= 2, "{dice:?}: {best:?}");
        }
    }

    /// A list of boards of all classes and of none, and each by itself.
    #[test]
    fn boards_are_judged_alike_alone_and_together() {
        let networks = Networks::learnt().unwrap();
        let (mut alone, mut together) =
            (EvaluationBuffers::default(), EvaluationBuffers::default());
        let mut rng = tabia_game::Seed::new(8).rng();
        for _ in 0..20 {
            let mut board = Board::START;
            let mut boards = Vec::new();
            while board.left(0) > 0 && board.left(1) > 0 {
                let die = |rng: &mut tabia_game::GameRng| rand::RngExt::random_range(rng, 1..=6);
                let roll = Roll::new(die(&mut rng), die(&mut rng)).unwrap();
                let mut plays: Vec<Play> = Vec::new();
                board.plays(roll, &mut plays);
                let after = |play: &Play| board.after(*play).swapped();
                boards.extend(plays.iter().map(after));
                board = after(&plays[rand::RngExt::random_range(&mut rng, 0..plays.len())]);
            }
            let all = networks.all_chances(&boards, &mut together);
            assert_eq!(all.len(), boards.len());
            for (board, &found) in boards.iter().zip(all) {
                assert_eq!(networks.chances(board, &mut alone), found);
            }
        }
    }

    /// The chance to need fewer rolls is nearly that of best play, and gammons stay the network's
    /// business.
    #[test]
    fn races_at_home_are_known() {
        let side = |points: &[(usize, u8)]| {
            let mut side = [0; 25];
            points.iter().for_each(|&(point, n)| side[point - 1] = n);
            side
        };
        let few = Board::new([side(&[(6, 2), (3, 2)]), side(&[(5, 2), (2, 2)])]).unwrap();
        let (exact, close) = (bearoff(&few).unwrap().win, race(&few).unwrap());
        assert!((exact - close).abs() < 0.005, "{exact} {close}");
        let many = side(&[(6, 3), (5, 3), (4, 4)]);
        let board = Board::new([many, many]).unwrap();
        assert_eq!(known(&board).unwrap().win, race(&board).unwrap());
        let all = Board::new([side(&[(6, 15)]), side(&[(1, 1)])]).unwrap();
        assert_eq!(known(&all), None);
        let networks = Networks::learnt().unwrap();
        let chances = networks.chances(&all, &mut EvaluationBuffers::default());
        assert_eq!(chances.win, race(&all).unwrap());
        assert_eq!(chances.win_gammon, 0.0);
    }

    #[test]
    fn chances_flip() {
        let won = Chances::won(2);
        assert_eq!(won.equity(), 2.0);
        assert_eq!(won.flipped().equity(), -2.0);
        assert_eq!(won.flipped().flipped(), won);
        assert_eq!(Chances::from_array(won.to_array()), won);
    }

    /// The networks of the first stage have fewer features and units, and can go on learning.
    #[test]
    fn networks_of_the_first_stage_are_widened() {
        let first = include_bytes!("first.net");
        assert!(matches!(
            Networks::from_bytes(first),
            Err(WeightsError::Shape { .. })
        ));
        let mut rng = tabia_game::Seed::new(1).rng();
        let wide = Networks::widened(first, &mut rng).unwrap();
        assert!(Networks::from_bytes(&wide.to_bytes()).is_ok());
        let chances = wide.chances(&Board::START, &mut EvaluationBuffers::default());
        assert!((0.5..0.55).contains(&chances.win), "{chances:?}");
        assert!(Networks::widened(&first[..first.len() - 1], &mut rng).is_err());
        let other = NetworkShape {
            inputs: INPUTS + 2,
            ..SHAPE
        };
        let more = Network::random(other, &mut rng).to_bytes();
        assert!(Networks::widened(&more.repeat(3), &mut rng).is_err());
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
