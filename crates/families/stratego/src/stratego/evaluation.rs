//! The evaluation of Schadd (2011, section 5.5.4 and table 5.1): material, hidden information,
//! squares.
//!
//! A piece counts its value, and three tenths more while the opponent does not know its rank. A Spy
//! is worth little once the opposing Marshal has fallen. What a Miner is worth depends on the
//! Bombs; the thesis gives only the range, from 10 to 200, and the rule here is ours: 10 if no Bomb
//! is left to remove, 200 if Bombs are left but two Miners at most, otherwise 100. A square is
//! worth up to 50, the more the nearer it is to the opposing Flag; its measure is ours, too: where
//! the Flag is not known it is taken to be the nearest of the hindmost pieces that may be it. Every
//! two plies without an attack cost the viewer one point. Values are bounded to 1000, which is a
//! win.
//!
//! At a chance event the evaluation is the mean over its outcomes, since the thesis evaluates no
//! position with a battle under way. Its Evaluation-Based Quiescence Search (Schadd and Winands
//! 2009) is not described there and is left out, and so is the random factor.

use tabia_game::bits::Bits;
use tabia_game::{CERTAIN, Knowledge, Player, URGENT};

use super::belief::{Belief, Event, Pool, View};
use super::board::{Board, Step};
use super::pieces::{Battle, RANKS, Rank, Sight, battle};
use super::position::clash;
use tabia_game::Outcome;

/// A point in the units of an evaluation; a thousand are a win.
const POINT: i32 = CERTAIN / 1000;

/// The values of table 5.1, by rank.
const VALUES: [i32; RANKS] = [1000, 75, 100, 10, 100, 20, 50, 100, 140, 175, 300, 400];

const SPY_WITHOUT_MARSHAL: i32 = 10;
const MINER_WITHOUT_BOMBS: i32 = 10;
const SCARCE_MINER: i32 = 200;
const SCARCE: u8 = 2;

/// What the best square is worth.
const BEST_SQUARE: i32 = 50;

/// The longest way between two squares.
const FARTHEST: i32 = 18;

/// The evaluation of Schadd's Stratego engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Armies;

/// The pieces of both players by rank; unknown ones are in the pool and count for the opponent.
fn census(board: &Board, pool: &Pool, viewer: Player) -> [Pool; 2] {
    let mut counts = [Pool::default(); 2];
    counts[viewer.other().index() & 1] = *pool;
    for player in [Player::FIRST, Player::SECOND] {
        for rank in board.pieces(player).filter_map(|(_, piece)| piece.rank) {
            counts[player.index() & 1][rank.index()] += 1;
        }
    }
    counts
}

/// What pieces are worth to one side, in points.
fn values(own: &Pool, opposing: &Pool) -> [i32; RANKS] {
    let mut values = VALUES;
    if opposing[Rank::Marshal.index()] == 0 {
        values[Rank::Spy.index()] = SPY_WITHOUT_MARSHAL;
    }
    if opposing[Rank::Bomb.index()] == 0 {
        values[Rank::Miner.index()] = MINER_WITHOUT_BOMBS;
    } else if own[Rank::Miner.index()] <= SCARCE {
        values[Rank::Miner.index()] = SCARCE_MINER;
    }
    values
}

/// Where the Flag of a player may stand: among the hindmost pieces that may be it.
fn goals(board: &Board, player: Player) -> u128 {
    let mut all = 0u128;
    for (square, piece) in board.pieces(player) {
        match piece.rank {
            Some(Rank::Flag) => return u128::bit(usize::from(square)),
            None if piece.sight == Sight::Hidden => all |= u128::bit(usize::from(square)),
            _ => {}
        }
    }
    let last = match player {
        Player::FIRST => Some(all.first()),
        _ => all.iter().last(),
    };
    let Some(last) = last.filter(|_| !all.is_empty()) else {
        return 0;
    };
    all & (0x3ff << (last / 10 * 10))
}

/// What the squares are worth on which one side stands, in the units of an evaluation.
fn squares(board: &Board, player: Player) -> i32 {
    let goals = goals(board, player.other());
    if goals.is_empty() {
        return 0;
    }
    let rank = (goals.first() / 10) as i32;
    let mut nearest = [FARTHEST; 10];
    for goal in goals.iter() {
        for (file, distance) in nearest.iter_mut().enumerate() {
            *distance = (*distance).min((file as i32 - (goal % 10) as i32).abs());
        }
    }
    let worth = |square: usize| {
        let way = nearest[square % 10] + ((square / 10) as i32 - rank).abs();
        BEST_SQUARE * POINT * (FARTHEST - way) / FARTHEST
    };
    board.owned(player).iter().map(worth).sum()
}

/// What a board is worth to the viewer, in the units of an evaluation and without bounds.
fn material(board: &Board, pool: &Pool, viewer: Player) -> i32 {
    let counts = census(board, pool, viewer);
    let side = |player: Player| {
        let own = player.index() & 1;
        let values = values(&counts[own], &counts[own ^ 1]);
        let worth = |rank: Rank, hidden: bool| {
            let tenths = if hidden { 13 } else { 10 };
            values[rank.index()] * tenths * (POINT / 10)
        };
        let ranked = board
            .pieces(player)
            .filter_map(|(_, piece)| Some((piece.rank?, piece.sight)));
        let seen: i32 = ranked
            .map(|(rank, sight)| worth(rank, sight != Sight::Known))
            .sum();
        seen + squares(board, player)
    };
    let other = viewer.other();
    let values = values(&counts[other.index() & 1], &counts[viewer.index() & 1]);
    let pooled = pool
        .iter()
        .zip(values)
        .map(|(&n, value)| i32::from(n) * value * 13 * (POINT / 10));
    side(viewer) - side(other) - pooled.sum::<i32>()
}

/// What a position is worth to the viewer, in the units of an evaluation and without bounds.
pub(super) fn points(view: &View) -> i32 {
    let quiet = i32::try_from(view.position.quiet / 2).unwrap_or(i32::MAX);
    let worth = material(&view.position.board, &view.pool, view.viewer);
    worth.saturating_sub(quiet.saturating_mul(POINT))
}

fn bounded(points: i32, origin: i32) -> i32 {
    points
        .saturating_sub(origin)
        .clamp(1 - CERTAIN, CERTAIN - 1)
}

/// What the battle under way is worth to the viewer on average.
fn expected(view: &View, step: Step, origin: i32) -> i32 {
    let mover = view.position.mover;
    let (mut sum, mut weights) = (0i64, 0i64);
    view.each_rank(|rank, weight| {
        let (attacker, defender) = view.ranks(step, rank);
        let value = if defender == Rank::Flag {
            Outcome::Won(mover).payoff(view.viewer) * CERTAIN
        } else {
            let (mut board, mut pool) = (view.position.board, view.pool);
            clash(&mut board, mover, step, attacker, defender);
            pool[rank.index()] = pool[rank.index()].saturating_sub(1);
            bounded(material(&board, &pool, view.viewer), origin)
        };
        sum += i64::from(value) * weight as i64;
        weights += weight as i64;
    });
    let mean = sum / weights.max(1);
    (mean as i32).clamp(1 - CERTAIN, CERTAIN - 1)
}

impl Knowledge<Belief> for Armies {
    fn evaluate(&self, belief: &Belief, view: &View, player: Player) -> i32 {
        let value = match view.attack {
            Some(step) => expected(view, step, belief.origin),
            None => bounded(points(view), belief.origin),
        };
        if player == view.viewer { value } else { -value }
    }

    /// Battles that are won come first, then those of unknown outcome, then steps forward; battles
    /// that are lost come last.
    fn priority(&self, _: &Belief, view: &View, event: Event) -> i32 {
        let Event::Step(step) = event else { return 0 };
        let rank = |square| view.position.board.at(square).map(|piece| piece.rank);
        match (rank(step.from).flatten(), rank(step.to)) {
            (Some(attacker), Some(Some(defender))) => match battle(attacker, defender) {
                Battle::Won => URGENT,
                Battle::Both => 2,
                Battle::Lost => -1,
            },
            (_, Some(_)) => 10,
            _ => {
                let ahead = match view.position.mover {
                    Player::FIRST => step.to / 10 > step.from / 10,
                    _ => step.to / 10 < step.from / 10,
                };
                i32::from(ahead)
            }
        }
    }
}
