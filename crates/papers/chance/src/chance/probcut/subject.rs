//! What is searched with and without ChanceProbCut: games, what is known of them, and seeded
//! positions.

use std::sync::Arc;

use rand::RngExt;
use tabia_alignment::dice::{Dice, FullLine, PairCount};
use tabia_breakthrough::chance_breakthrough::{ChanceBreakthrough, PiecesAndRank};
use tabia_game::Turn;
use tabia_game::{
    CERTAIN, Cancel, Chance, Game, Hidden, Knowledge, Limits, Made, Path, Player, Seed,
};
use tabia_search::Believed;
use tabia_search::chance::{ChanceGame, Config, Regression, Searched, StarMinimax, preset};
use tabia_search::{Engine, OnBelief, Situation};
use tabia_stratego::stratego::{Armies, Belief, Setup, Stratego};

use crate::chance::failure;
use tabia_lab::LabError;

/// A position and the game that it is searched in: a belief is a game of its own at every position.
pub struct Position<G: Game> {
    pub game: Arc<G>,
    pub state: G::State,
}

/// A game with what is known of it, how it is searched, and positions of it.
pub struct Subject<G: Game, K> {
    pub kind: &'static GameProfile,
    pub knowledge: K,
    pub positions: Vec<Position<G>>,
}

/// How a game is searched.
pub struct GameProfile {
    pub name: &'static str,
    /// Whether chance events count as plies.
    pub count_chance: bool,
    /// The lines that come with Tabia: one for a depth.
    pub lines: &'static [Regression],
    /// What a win is worth on the scale of the thesis.
    pub scale: f64,
}

pub const DICE: GameProfile = GameProfile {
    name: "Dice 5x5, four in a row",
    count_chance: true,
    lines: tabia_alignment::dice::entry::REGRESSIONS,
    scale: 10.0,
};

pub const CHANCE_BREAKTHROUGH: GameProfile = GameProfile {
    name: "ChanceBreakthrough",
    count_chance: false,
    lines: tabia_breakthrough::chance_breakthrough::entry::REGRESSIONS,
    scale: 1500.0,
};

pub const STRATEGO: GameProfile = GameProfile {
    name: "Stratego",
    count_chance: false,
    lines: tabia_stratego::stratego::entry::REGRESSIONS,
    scale: 1000.0,
};

/// Positions with five to twelve stones, as in the thesis: a throw and a stone each.
pub fn dice(count: usize, seed: Seed) -> Result<Subject<Dice<u64>, PairCount>, LabError> {
    let game = Dice::new(5, 4, FullLine::Pass).map_err(failure)?;
    Ok(Subject {
        kind: &DICE,
        knowledge: PairCount,
        positions: wander(Arc::new(game), [11, 25], count, seed),
    })
}

/// Positions after a number of random plies within `plies`.
pub fn chance_breakthrough(
    [width, height, filled]: [usize; 3],
    plies: [usize; 2],
    count: usize,
    seed: Seed,
) -> Result<Subject<ChanceBreakthrough<u64>, PiecesAndRank>, LabError> {
    let game = ChanceBreakthrough::new(width, height, filled).map_err(failure)?;
    Ok(Subject {
        kind: &CHANCE_BREAKTHROUGH,
        knowledge: PiecesAndRank,
        positions: wander(Arc::new(game), plies, count, seed),
    })
}

/// Positions of random play in which a player has two moves or more.
fn wander<G: Chance>(
    game: Arc<G>,
    plies: [usize; 2],
    count: usize,
    seed: Seed,
) -> Vec<Position<G>> {
    let mut found = Vec::with_capacity(count);
    let mut moves = Vec::new();
    for number in 0.. {
        if found.len() >= count {
            break;
        }
        let mut rng = seed.number(number).rng();
        let mut state = game.start();
        let wanted = rng.random_range(plies[0]..=plies[1]);
        for ply in 0.. {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = game.sample_outcome(&state, &mut rng);
                    game.play(&mut state, outcome);
                }
                Turn::Player(_) => {
                    moves.clear();
                    game.moves(&state, &mut moves);
                    if ply >= wanted && moves.len() > 1 {
                        found.push(Position {
                            game: Arc::clone(&game),
                            state: state.clone(),
                        });
                        break;
                    }
                    let mv = moves[rng.random_range(0..moves.len())];
                    game.play(&mut state, mv);
                }
            }
        }
    }
    found
}

/// After this many plies positions are taken: two in five each of the beginning and the middle, one
/// of the end, as in the thesis.
const STAGES: [usize; 5] = [50, 150, 50, 150, 300];

/// Two in this many moves of Stratego are made by lot, the others by static evaluation: random
/// armies hardly ever meet.
const LOT: u32 = 16;

/// What the player to move sees at stages of games between random set-ups.
pub fn stratego(count: usize, seed: Seed) -> Subject<Belief, Armies> {
    let mut positions = Vec::with_capacity(count);
    for number in 0.. {
        if positions.len() >= count {
            break;
        }
        let stage = STAGES[positions.len() % STAGES.len()];
        if let Some((game, state)) = believed(stage, seed.number(number)) {
            positions.push(Position {
                game: Arc::new(game),
                state,
            });
        }
    }
    Subject {
        kind: &STRATEGO,
        knowledge: Armies,
        positions,
    }
}

/// What the player to move sees after this many plies of a game, if it lasts that long.
fn believed(plies: usize, seed: Seed) -> Option<(Belief, <Belief as Game>::State)> {
    let mut rng = seed.rng();
    let game = Stratego::new(Setup::Random(rng.random()), 1000);
    let mut engine = OnBelief(StarMinimax::<_, f64>::new(Config::default(), Armies));
    let mut state = game.start();
    let mut path = Path::from_start(&game, &state);
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        path.legal_moves(&game, &state, &mut moves);
        let lot = *moves.get(rng.random_range(0..moves.len().max(1)))?;
        let best = match rng.random_range(0..LOT) {
            0 | 1 => None,
            _ => {
                let situation = Situation {
                    game: &game,
                    state: &state,
                    path: &path,
                };
                engine.choose(situation, &Limits::depth(1)).best
            }
        };
        let mv = best.unwrap_or(lot);
        let made = Made::of(&game, game.repetition(), &state, mv);
        game.play(&mut state, mv);
        path.enter(&game, game.repetition(), &state, made);
    }
    match game.turn(&state) {
        Turn::Player(player) => Some(game.belief(&game.observe(&state, &[], player))),
        _ => None,
    }
}

impl<G, K> Subject<G, K>
where
    G: ChanceGame,
    K: Knowledge<G> + Clone,
{
    /// A search of a position to a depth, with estimates of a width by these lines or without.
    pub fn search(
        &self,
        position: &Position<G>,
        depth: u32,
        estimates: Option<(f64, &'static [Regression])>,
        cancel: &Cancel,
    ) -> Result<Searched<G::Move, f64>, LabError> {
        let preset = preset("star2").ok_or_else(|| failure("there is no engine 'star2'"))?;
        let config = Config {
            count_chance: self.kind.count_chance,
            probcut: estimates.map(|(width, _)| width),
            ..preset
                .configure("table=16M,deepening=off")
                .map_err(failure)?
        };
        let lines = estimates.map_or(&[][..], |(_, lines)| lines);
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        StarMinimax::<K, f64>::new(config, self.knowledge.clone())
            .with_regressions(lines)
            .search(&position.game, &position.state, depth, &limits)
            .ok_or(LabError::Stopped)
    }

    /// The value of a full search for the first player, a win being 1.
    pub fn value(
        &self,
        position: &Position<G>,
        depth: i32,
        cancel: &Cancel,
    ) -> Result<f64, LabError> {
        let Position { game, state } = position;
        if game.turn(state) == Turn::Over {
            let payoff = f64::from(game.payoff(state, Player::FIRST));
            return Ok(payoff / f64::from(game.max_payoff()));
        }
        let found = self.search(position, depth.max(0) as u32, None, cancel)?;
        Ok(found.value / f64::from(CERTAIN))
    }
}
