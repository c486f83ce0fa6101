//! How SameGame is played out: TabuRandom and TabuColorRandom (Schadd 2011, section 3.3.2), and what policies learn
//! of groups.
//!
//! A playout spares one colour, so that a large group of it can grow: a random one, or the most frequent one on the
//! board where the playout begins. Now and then any group is taken.

use rand::{Rng, RngExt};
use tabia_game::{CERTAIN, Knowledge, Lesson, OnePlayer, Player, Playouts};

use super::{Move, SameGame, State};

/// The colour that playouts spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spared {
    /// None: every group is as likely as any other.
    Nothing,
    /// A random one, drawn for each playout: TabuRandom.
    Random,
    /// The most frequent one where the playout begins: TabuColorRandom.
    MostFrequent,
}

/// Playouts of SameGame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tabu {
    /// The colour that is spared as long as there are groups of others.
    pub spared: Spared,
    /// The probability of any group instead.
    pub epsilon: f64,
}

/// The bias of a group that is worth most, or more: what grows further is learnt, not given.
const LARGE: f64 = 8.0;
/// The bias of the spared colour.
const SPARED: f64 = -8.0;

impl Tabu {
    /// How many moves are played by the rule before any group is taken.
    fn until_any<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        if self.epsilon <= 0.0 {
            return u32::MAX;
        }
        let drawn: f64 = 1.0 - rng.random::<f64>();
        // The geometric distribution, by inversion; the cast saturates.
        (drawn.ln() / (1.0 - self.epsilon.min(1.0)).ln()) as u32
    }
}

impl Playouts<SameGame> for Tabu {
    type Plan = Option<u8>;

    fn plan<R: Rng + ?Sized>(&self, game: &SameGame, state: &State, rng: &mut R) -> Option<u8> {
        match self.spared {
            Spared::Nothing => None,
            Spared::Random => Some(rng.random_range(0..game.colours() as u8)),
            Spared::MostFrequent => {
                let counts = state.counts();
                // Of several the first.
                let most = (0..counts.len()).rev().max_by_key(|&colour| counts[colour]);
                most.map(|colour| colour as u8)
            }
        }
    }

    fn draw<R: Rng + ?Sized>(
        &self,
        game: &SameGame,
        state: &State,
        moves: &[Move],
        tabu: &Option<u8>,
        rng: &mut R,
    ) -> usize {
        let any = self.epsilon > 0.0 && rng.random_bool(self.epsilon.min(1.0));
        let spared = |mv: &Move| tabu.is_some() && game.colour(state, *mv) == *tabu;
        let others = match any {
            true => 0,
            false => moves.iter().filter(|mv| !spared(mv)).count(),
        };
        if others == 0 || others == moves.len() {
            return rng.random_range(0..moves.len());
        }
        let drawn = rng.random_range(0..others);
        let mut left = (0..moves.len()).filter(|&place| !spared(&moves[place]));
        left.nth(drawn).unwrap_or(0)
    }

    fn play_out<R: Rng + ?Sized>(
        &self,
        game: &SameGame,
        state: &mut State,
        plies: usize,
        _: &mut Vec<Move>,
        line: &mut Vec<Move>,
        rng: &mut R,
    ) {
        let tabu = self.plan(game, state, rng);
        let end = line.len() + plies;
        while line.len() < end {
            let before = line.len();
            let ruled = self.until_any(rng).min((end - before) as u32);
            let played = game.play_out(state, ruled, tabu, rng, |mv| line.push(mv));
            let any = u32::from(line.len() < end);
            let more = game.play_out(state, any, None, rng, |mv| line.push(mv));
            if played < ruled || more < any {
                break;
            }
        }
    }

    fn lessons(
        &self,
        game: &SameGame,
        state: &State,
        tabu: &Option<u8>,
        moves: &mut Vec<Move>,
        out: &mut Vec<Lesson>,
    ) {
        game.each_group(state, |mv, colour, cells| {
            moves.push(mv);
            // The same blocks in the same place, whatever lies around them.
            let columns = cells.columns[cells.first..=cells.last].iter();
            let start = (cells.first as u64) << 8 | colour as u64;
            let code = columns.fold(start, |code, &cells| {
                (code ^ u64::from(cells)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (code >> 29)
            });
            let size = f64::from(cells.len());
            let bias = match *tabu == Some(colour as u8) {
                true => SPARED,
                false => (size - 2.0).min(LARGE) / 2.0,
            };
            out.push(Lesson { code, bias });
        });
    }
}

/// What a position promises a beam: the points so far, and some of those that its blocks may still bring.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promise;

impl Knowledge<SameGame> for Promise {
    fn evaluate(&self, game: &SameGame, state: &State, _: Player) -> i32 {
        let points = i64::from(game.earned(state));
        let largest = i64::from(tabia_game::Game::max_payoff(game).max(1));
        (points * i64::from(CERTAIN) / largest) as i32
    }
}
