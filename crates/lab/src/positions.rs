//! Sets of test positions, stored as a generator and a seed.
//!
//! The test sets of most papers are lost. Ours come from self-play: random openings, then a weak
//! engine that now and then plays at random, so that positions are varied and yet sensible. The
//! same seed gives the same set on every machine.

use rand::RngExt;
use tabia_game::{Limits, Seed};
use tabia_registry::{AnyGame, CatalogError};

/// How positions are made.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The engine that plays, limited by its own spec.
    pub engine: &'static str,
    /// Plies played at random first.
    pub random_plies: u32,
    /// Afterwards one move in this many is random.
    pub random_every: u32,
    /// A position is taken after at least this many plies.
    pub from: u32,
    /// And at most this many.
    pub to: u32,
}

/// Positions of unfinished games, all different.
pub fn self_play(
    game: &dyn AnyGame,
    how: SelfPlay,
    count: usize,
    seed: Seed,
) -> Result<Vec<String>, CatalogError> {
    let mut engine = game.engine(how.engine)?;
    let mut positions: Vec<String> = Vec::with_capacity(count);
    for number in 0..1000 * count as u64 {
        if positions.len() == count {
            break;
        }
        let mut rng = seed.number(number).rng();
        let mut session = game.session(None)?;
        engine.new_game(seed.number(number));
        let plies = rng.random_range(how.from..=how.to);
        for ply in 0..plies {
            if session.ending().is_some() {
                break;
            }
            let at_random = ply < how.random_plies || rng.random_range(0..how.random_every) == 0;
            let answer = match at_random {
                true => None,
                false => session.ask(&mut engine, &Limits::default())?.best,
            };
            let moves = session.moves();
            let chosen = answer.unwrap_or_else(|| moves[rng.random_range(0..moves.len())].clone());
            session.play(&chosen)?;
        }
        let position = session.position();
        if session.ending().is_none() && !positions.contains(&position) {
            positions.push(position);
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_reproducible_different_and_unfinished() {
        let game = tabia_registry::open("connect4").unwrap();
        let how = SelfPlay {
            engine: "pvs:depth=2,table=64K",
            random_plies: 3,
            random_every: 4,
            from: 6,
            to: 20,
        };
        let set = |seed| self_play(&*game, how, 15, Seed::new(seed)).unwrap();
        let positions = set(1);
        assert_eq!(positions, set(1));
        assert_ne!(positions, set(2));
        assert_eq!(positions.len(), 15);
        for position in &positions {
            assert!(game.session(Some(position)).unwrap().ending().is_none());
        }
    }
}
