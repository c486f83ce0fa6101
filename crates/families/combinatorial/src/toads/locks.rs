//! What the programs of the tournament of 2013 know of Toads-and-Frogs (Wieczorek et al. 2013,
//! section 3).
//!
//! [`Locks`] is the evaluation of section 3.1. TTFF, a hard lock, cuts the strip into blocks that
//! do not touch each other; TT and FF, soft locks, cut a block into smaller ones. A block is worth
//! E_F - E_T + (G_F - G_T) / 2 to the frogs, where E is the number of steps that a side could make
//! if the other were not there, and G the number of its slides. The strip is worth the sum over
//! blocks between hard locks of the block itself, of its parts between FF and of its parts between
//! TT; a block without soft locks counts three times. The printed sum of E runs over p_1 to p_m
//! although positions are called p_0 to p_(m-1); all of them are meant. The cells of a lock belong
//! to no block, which the paper leaves open.
//!
//! Moves are numbered by the stones that make them, from the left: stones of one side never pass
//! each other.

use tabia_game::bits::Bits;
use tabia_game::combinatorial::LastMoverState;
use tabia_game::{CERTAIN, Combinatorial, Game, Knowledge, LastMover, Player, Turn};
use tabia_search::array::Numbering;
use tabia_search::learned_rules::Squares;

use super::super::cells::{Set, below};
use super::{Gait, Hop, Strip, Toads};

/// The evaluation by locks, and the numbers of the stones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Locks;

/// Twice the evaluation of the longest strip stays below this many units.
const UNIT: i32 = 20;

/// The steps of one side if the other were not there, and its slides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom {
    /// E
    pub steps: i32,
    /// G
    pub slides: i32,
}

impl Freedom {
    /// Of both sides, toads first, in the cells from `start` up to `end`.
    pub fn of(strip: &Strip, start: usize, end: usize) -> [Freedom; 2] {
        let within = below(end) & !below(start);
        let empty = strip.cells.empty() & within;
        [Player::FIRST, Player::SECOND].map(|player| {
            let stones = strip.cells.stones(player) & within;
            let count = stones.count() as i32;
            let distance = |cell: usize| match player {
                Player::FIRST => end - 1 - cell,
                _ => cell - start,
            };
            let far: usize = stones.iter().map(distance).sum();
            Freedom {
                steps: far as i32 - count * (count - 1) / 2,
                slides: (stones & super::behind(player, empty, 1)).count() as i32,
            }
        })
    }
}

/// Twice what a block is worth to the frogs.
fn block(strip: &Strip, start: usize, end: usize) -> i32 {
    let [toads, frogs] = Freedom::of(strip, start, end);
    2 * (frogs.steps - toads.steps) + frogs.slides - toads.slides
}

/// Hands out the blocks between locks of this many cells, which begin at the cells of `locks`.
fn between(
    mut locks: Set,
    cells: usize,
    start: usize,
    end: usize,
    each: &mut dyn FnMut(usize, usize),
) {
    let mut from = start;
    locks &= below(end) & !below(start);
    while !locks.is_empty() {
        let lock = locks.first();
        each(from, lock);
        from = lock + cells;
        // Of three in a row the first two are a lock.
        locks &= !below(from);
    }
    each(from, end);
}

/// Twice the evaluation of Procedure Eval, for the frogs.
fn twice(strip: &Strip) -> i32 {
    let length = strip.cells.shape().len();
    let [toads, frogs] = [Player::FIRST, Player::SECOND].map(|player| strip.cells.stones(player));
    let [toad_locks, frog_locks] = [toads, frogs].map(|stones| stones & (stones >> 1));
    let hard_locks = toad_locks & (frog_locks >> 2);
    let mut sum = 0;
    between(hard_locks, 4, 0, length, &mut |start, end| {
        sum += block(strip, start, end);
        for locks in [frog_locks, toad_locks] {
            // A pair counts if both lie in the block.
            let locks = locks & below(end.saturating_sub(1));
            between(locks, 2, start, end, &mut |start, end| {
                sum += block(strip, start, end);
            });
        }
    });
    sum
}

impl Locks {
    /// What a strip is worth to the frogs.
    pub fn worth(strip: &Strip) -> f64 {
        f64::from(twice(strip)) / 2.0
    }
}

impl Knowledge<LastMover<Toads>> for Locks {
    fn evaluate(&self, _: &LastMover<Toads>, state: &LastMoverState<Strip>, player: Player) -> i32 {
        let worth = (twice(state.position()) * UNIT).clamp(1 - CERTAIN, CERTAIN - 1);
        match player {
            Player::FIRST => -worth,
            _ => worth,
        }
    }
}

impl Numbering<LastMover<Toads>> for Locks {
    fn numbers(&self, _: &LastMover<Toads>, state: &LastMoverState<Strip>) -> usize {
        let count = |player| state.position().cells.stones(player).count();
        count(Player::FIRST).max(count(Player::SECOND))
    }

    /// The shortest slide of a stone, where its gait lets it choose.
    fn numbered(
        &self,
        game: &LastMover<Toads>,
        state: &LastMoverState<Strip>,
        number: usize,
    ) -> Option<Hop> {
        let Turn::Player(player) = game.turn(state) else {
            return None;
        };
        let strip = state.position();
        let mut stones = strip.cells.stones(player);
        for _ in 0..number {
            stones = stones.without_first();
        }
        let stone = (!stones.is_empty()).then(|| stones.first())?;
        if strip.gait == Gait::PLAIN {
            return strip.plain_hop(player, stone);
        }
        let mut moves = Vec::new();
        game.rules().moves(strip, player, &mut moves);
        moves
            .into_iter()
            .find(|&Hop(from, _)| usize::from(from) == stone)
    }

    fn mobility(&self, game: &LastMover<Toads>, state: &LastMoverState<Strip>) -> usize {
        let mut moves = Vec::new();
        for player in [Player::FIRST, Player::SECOND] {
            game.rules().moves(state.position(), player, &mut moves);
        }
        moves.len()
    }
}

impl Squares<LastMover<Toads>> for Locks {
    fn squares(&self, _: &LastMover<Toads>, state: &LastMoverState<Strip>, out: &mut Vec<u8>) {
        let cells = &state.position().cells;
        let [toads, frogs] = [Player::FIRST, Player::SECOND].map(|player| cells.stones(player));
        out.extend(
            (0..cells.shape().len())
                .map(|cell| u8::from(toads.has(cell)) + 2 * u8::from(frogs.has(cell))),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{Brute, random_boards};
    use super::*;
    use tabia_game::Text;

    const START: &str = "T.F.T.F.T.F.T......F.T.F.T.F.T.F";

    fn game(text: &str) -> LastMover<Toads> {
        LastMover::new(Toads, Toads.parse_position(text).unwrap())
    }

    /// Seven slides and no jump for each side; E and G of the whole strip, and an evaluation of
    /// zero.
    #[test]
    fn wieczorek_evaluation_of_the_start() {
        let strip = Toads.parse_position(START).unwrap();
        let free = Freedom {
            steps: 97,
            slides: 7,
        };
        assert_eq!(Freedom::of(&strip, 0, 32), [free, free]);
        assert_eq!(Locks::worth(&strip), 0.0);
        let game = game(START);
        assert_eq!(Locks.mobility(&game, &game.start()), 14);
        assert_eq!(Locks.numbers(&game, &game.start()), 7);
    }

    /// Procedure Eval on letters, word by word.
    fn told(text: &str) -> f64 {
        fn freedom(block: &str) -> f64 {
            let cells: Vec<char> = block.chars().collect();
            let (mut value, mut toads, mut frogs) = (0.0, 0.0, 0.0);
            for (place, &cell) in cells.iter().enumerate() {
                match cell {
                    'F' => {
                        value += place as f64 - frogs;
                        frogs += 1.0;
                        value += if place > 0 && cells[place - 1] == '.' {
                            0.5
                        } else {
                            0.0
                        };
                    }
                    'T' => {
                        value -= (cells.len() - 1 - place) as f64 - toads;
                        toads += 1.0;
                        value -= if cells.get(place + 1) == Some(&'.') {
                            0.5
                        } else {
                            0.0
                        };
                    }
                    _ => {}
                }
            }
            value
        }
        text.split("TTFF")
            .map(|block| {
                let parts = |lock: &str| block.split(lock).map(freedom).sum::<f64>();
                freedom(block) + parts("FF") + parts("TT")
            })
            .sum()
    }

    #[test]
    fn wieczorek_procedure_eval() {
        for (text, worth) in [
            // One block three times: E_F = 3, E_T = 3, one slide each.
            ("T..F", 0.0),
            // E_F = 1 + 2 - 1 = 2, E_T = 0 and no slides, twice; FF leaves one cell and nothing.
            (".FF", 5.0),
            // Both blocks beside the lock are empty.
            ("TTFF", 0.0),
            // The frog behind the lock has two steps and one slide, three times.
            ("TTFF..F", 7.5),
        ] {
            let strip = Toads.parse_position(text).unwrap();
            assert_eq!((Locks::worth(&strip), told(text)), (worth, worth), "{text}");
        }
        let boards = [3, 8, 17, 32, 128].map(|length| random_boards(length, 1, "TF.", 200));
        for text in boards.iter().flatten() {
            let strip = Toads.parse_position(text).unwrap();
            assert_eq!(Locks::worth(&strip), told(text), "{text}");
            // Which two of three in a row are the lock depends on the end that they are read from.
            if !text.contains("TTT") && !text.contains("FFF") {
                let turned = Toads.negative(&strip);
                assert_eq!(Locks::worth(&turned), -Locks::worth(&strip), "{text}");
            }
        }
    }

    /// Numbers give each move once, whoever is to move and however stones go.
    #[test]
    fn stones_are_numbered_from_the_left() {
        let brute = Brute::new(Toads);
        for gait in ["", "1,2,1,0:", "1,1,2,1:"] {
            for text in random_boards(20, 1, "TF.", 200) {
                for side in ["x", "o"] {
                    let game = game("T");
                    let state = game
                        .parse_position(&format!("{gait}{text} {side}"))
                        .unwrap();
                    let numbers = 0..Locks.numbers(&game, &state);
                    let found: Vec<Hop> = numbers
                        .filter_map(|number| Locks.numbered(&game, &state, number))
                        .collect();
                    let mut moves = brute.moves(state.position(), state.mover());
                    moves.dedup_by_key(|Hop(from, _)| *from);
                    assert_eq!(found, moves, "{gait}{text} {side}");
                }
            }
        }
    }
}
