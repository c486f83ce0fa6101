//! Positions and moves as numbers.

use tabia_game::{Key, MoveIndex, zobrist};

use super::board::POINTS;
use super::{Backgammon, Move, Phase, State};

impl Key for Backgammon {
    /// A hash of the whole position: words of eight bytes, each scrambled with a number of its own.
    fn key(&self, state: &State) -> u64 {
        const WORDS: usize = 8;
        const SALTS: [u64; WORDS] = zobrist::table(0xb6_01);
        let mut bytes = [0; 8 * WORDS];
        let (board, rest) = bytes.split_at_mut(2 * (POINTS + 1));
        board.copy_from_slice(state.board.sides().as_flattened());
        let (phase, dice) = match state.phase {
            Phase::Opening => (0, [0; 2]),
            Phase::Cube => (1, [0; 2]),
            Phase::Roll => (2, [0; 2]),
            Phase::Doubled => (3, [0; 2]),
            Phase::Over => (4, [0; 2]),
            Phase::Play(roll) => (5, roll.dice()),
        };
        let owner = state.owner.map_or(2, |owner| owner.0);
        let [white, black] = state.score;
        let crawford = u8::from(state.crawford);
        let about = [
            state.mover.0,
            phase,
            dice[0],
            dice[1],
            state.doubles,
            owner,
            white,
            black,
            crawford,
        ];
        rest[..about.len()].copy_from_slice(&about);
        let mut key = 0;
        for (word, salt) in bytes.chunks_exact(8).zip(SALTS) {
            let number = word
                .iter()
                .fold(0, |number, &byte| number << 8 | u64::from(byte));
            key ^= zobrist::mix(number ^ salt);
        }
        key
    }
}

const DECISIONS: usize = 4;
const ROLLS: usize = 36;
const PLAYS: usize = 1 << 16;

impl MoveIndex for Backgammon {
    fn move_indices(&self) -> usize {
        DECISIONS + ROLLS + PLAYS
    }

    /// Plays are too many to be numbered: theirs is a hash.
    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Decline => 0,
            Move::Double => 1,
            Move::Take => 2,
            Move::Drop => 3,
            Move::Roll(roll) => {
                let [first, second] = roll.dice().map(usize::from);
                DECISIONS + 6 * first + second - 7
            }
            Move::Play(play) => DECISIONS + ROLLS + (zobrist::mix(play.bits()) >> 48) as usize,
        }
    }
}
