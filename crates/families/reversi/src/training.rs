//! Othello and Rolit learnt by self-play: weights of patterns, by regression on how games ended.
//!
//! Training goes in generations. In each the weights as they stand play games against themselves:
//! some moves at random, then the move after which the mover stands best. Every position becomes a
//! sample for every player: the weights of its patterns should sum to how many pieces more than an
//! equal share that player ended with. Each sample is a step of gradient descent. Late generations
//! take smaller steps, and the mean of the weights over the last half of the generations is what is
//! learnt.
//!
//! A run is repeatable: it follows from its seed alone, whatever the number of threads.

use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde_json::{Map, json};
use tabia_game::{Cancel, Knowledge, Player, Seed, Turn};
use tabia_registry::training::{Generation, Learned, Training, TrainingPlan};

use crate::patterns::{INSTANCES, Sided, features};
use crate::{Corners, Othello, Patterns, Place, Rolit, Score};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Games of a generation.
    pub games: usize,
    /// Generations.
    pub generations: usize,
    /// How far a step goes to what it should, in the first generation and in the last; between them
    /// it falls by a constant factor.
    pub rate: [f32; 2],
}

impl Schedule {
    fn rate(&self, generation: usize) -> f32 {
        let [first, last] = self.rate;
        let done = generation as f32 / self.generations.saturating_sub(1).max(1) as f32;
        first * (last / first).powf(done)
    }
}

/// Games begin with at most this many random moves; later, one move in this many is random.
const ODD: usize = 12;
const ODD_LATER: u32 = 20;

/// The largest weight there is a number for, in pieces.
const MAX_WEIGHT: f32 = 7.9;

/// A position for one player: where the weights begin, the numbers of its patterns, what they
/// should sum to.
struct Sample {
    place: u32,
    features: [u32; INSTANCES],
    target: f32,
}

/// A game that is learnt, for each of its numbers of players.
enum Learner {
    Othello(Othello<u64>),
    Rolit(Vec<Rolit<u64>>),
}

/// A training in progress.
pub struct PatternTraining {
    learner: Learner,
    patterns: Patterns,
    weights: Vec<f32>,
    /// The sum of the weights of late generations, and of how many.
    sum: Vec<f32>,
    summed: usize,
    seed: Seed,
}

/// Stages of the game: as in Schadd (2011), and fewer where there are several numbers of players to
/// be learnt.
const STAGES: [(&str, usize); 2] = [("othello", 12), ("rolit", 4)];

impl PatternTraining {
    /// Begins to learn a game, `othello` or `rolit`, from nothing; `None` for any other.
    pub fn new(game: &str, seed: Seed) -> Option<PatternTraining> {
        let &(name, stages) = STAGES.iter().find(|(name, _)| *name == game)?;
        let sets = if name == "othello" { 1 } else { 3 };
        PatternTraining::of(Patterns::nothing(name, sets, stages), seed)
    }

    /// Goes on with these weights; `None` if they are of no game that is learnt.
    pub fn of(patterns: Patterns, seed: Seed) -> Option<PatternTraining> {
        let learner = match patterns.game() {
            "othello" => Learner::Othello(Othello::new(8, Score::Pieces).ok()?),
            "rolit" => {
                let games = (2..=4).map(|players| Rolit::new(players, 8, Score::Pieces).ok());
                Learner::Rolit(games.collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        };
        let weights = patterns.weights();
        Some(PatternTraining {
            learner,
            sum: vec![0.0; weights.len()],
            summed: 0,
            weights,
            patterns,
            seed,
        })
    }

    /// What has been learnt so far.
    pub fn learnt(&self) -> Patterns {
        let mean: Vec<f32> = match self.summed {
            0 => self.weights.clone(),
            n => self.sum.iter().map(|sum| sum / n as f32).collect(),
        };
        self.patterns
            .with(&mean)
            .unwrap_or_else(|| self.patterns.clone())
    }

    /// Learns from the games of one generation; how many samples there were, and their mean squared
    /// error. Nothing is learnt, and nothing returned, if it is cancelled.
    pub fn generation(
        &mut self,
        schedule: &Schedule,
        number: usize,
        cancel: &Cancel,
    ) -> Option<(usize, f32)> {
        let luck = self.seed.split("generation").number(number as u64);
        let playing = self.patterns.with(&self.weights)?;
        let mut samples: Vec<Sample> = (0..schedule.games as u64)
            .into_par_iter()
            .map(|game| {
                let luck = luck.number(game);
                (!cancel.is_cancelled()).then(|| match &self.learner {
                    Learner::Othello(othello) => played(othello, &playing, luck),
                    Learner::Rolit(games) => {
                        played(&games[game as usize % games.len()], &playing, luck)
                    }
                })
            })
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect();
        samples.shuffle(&mut luck.split("order").rng());
        let rate = schedule.rate(number) / INSTANCES as f32;
        let mut squares = 0.0f64;
        for Sample {
            place,
            features,
            target,
        } in &samples
        {
            let at = |number: u32| (place + number) as usize;
            let sum: f32 = features.iter().map(|&n| self.weights[at(n)]).sum();
            let error = target - sum;
            squares += f64::from(error * error);
            for &number in features {
                let weight = &mut self.weights[at(number)];
                *weight = (*weight + rate * error).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
        if 2 * number >= schedule.generations {
            self.summed += 1;
            for (sum, weight) in self.sum.iter_mut().zip(&self.weights) {
                *sum += weight;
            }
        }
        let error = squares / samples.len().max(1) as f64;
        Some((samples.len(), error as f32))
    }

    /// Games of the weights learnt against the hand-made evaluation, both looking one move ahead,
    /// from openings of some moves at random: the share of wins that the weights get less what
    /// would be fair, with its standard error. Every opening is played with the weights in each
    /// seat, alone against the others.
    pub fn against_corners(&self, openings: u64, luck: Seed) -> (f64, f64) {
        let learnt = self.learnt();
        match &self.learner {
            Learner::Othello(othello) => {
                compare(std::slice::from_ref(othello), &learnt, openings, luck)
            }
            Learner::Rolit(games) => compare(games, &learnt, openings, luck),
        }
    }
}

/// The move after which the mover stands best.
fn best<G: Sided>(
    game: &G,
    state: &G::State,
    moves: &[Place],
    mut value: impl FnMut(&G::State) -> f32,
) -> Place {
    let mut best = (f32::MIN, moves[0]);
    let mut after = state.clone();
    for &mv in moves {
        let token = game.play(&mut after, mv);
        let found = value(&after);
        game.undo(&mut after, token);
        if found > best.0 {
            best = (found, mv);
        }
    }
    best.1
}

/// Plays one game and makes samples of its positions.
fn played<G: Sided>(game: &G, patterns: &Patterns, luck: Seed) -> Vec<Sample> {
    let mut rng = luck.rng();
    let odd = rng.random_range(0..=ODD);
    let set = game.weight_set();
    let players: Vec<Player> = (0..game.players() as u8).map(Player).collect();
    let mut state = game.start();
    let mut moves = Vec::new();
    let mut visited = Vec::new();
    for ply in 0.. {
        let Turn::Player(mover) = game.turn(&state) else {
            break;
        };
        moves.clear();
        game.moves(&state, &mut moves);
        let mv = if ply < odd || rng.random_range(0..ODD_LATER) == 0 {
            moves[rng.random_range(0..moves.len())]
        } else {
            best(game, &state, &moves, |after| {
                let (own, others) = game.sides(after, mover);
                patterns.surplus(set, own, others)
            })
        };
        game.play(&mut state, mv);
        for &player in &players {
            visited.push((player, game.sides(&state, player)));
        }
    }
    let ends: Vec<f32> = players.iter().map(|&p| game.surplus(&state, p)).collect();
    let sample = |(player, (own, others)): (Player, (u64, u64))| Sample {
        place: patterns.place(set, (own | others).count_ones() as usize) as u32,
        features: features(own, others),
        target: ends[player.index()],
    };
    visited.into_iter().map(sample).collect()
}

fn compare<G>(games: &[G], patterns: &Patterns, openings: u64, luck: Seed) -> (f64, f64)
where
    G: Sided,
    Corners: Knowledge<G>,
{
    let gains: Vec<f64> = (0..openings)
        .into_par_iter()
        .flat_map_iter(|opening| {
            let game = &games[opening as usize % games.len()];
            let luck = luck.number(opening);
            let seats = 0..game.players() as u8;
            seats.map(move |seat| {
                let share = won(game, patterns, Player(seat), luck);
                share - 1.0 / game.players() as f64
            })
        })
        .collect();
    let n = gains.len().max(2) as f64;
    let mean = gains.iter().sum::<f64>() / n;
    let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The share of the win that the weights get in one seat.
fn won<G>(game: &G, patterns: &Patterns, seat: Player, luck: Seed) -> f64
where
    G: Sided,
    Corners: Knowledge<G>,
{
    let mut rng = luck.rng();
    let mut state = game.start();
    let mut moves = Vec::new();
    for ply in 0.. {
        let Turn::Player(mover) = game.turn(&state) else {
            break;
        };
        moves.clear();
        game.moves(&state, &mut moves);
        let mv = if ply < 8 {
            moves[rng.random_range(0..moves.len())]
        } else if mover == seat {
            best(game, &state, &moves, |after| {
                let (own, others) = game.sides(after, mover);
                patterns.surplus(game.weight_set(), own, others)
            })
        } else {
            best(game, &state, &moves, |after| {
                Corners.evaluate(game, after, mover) as f32
            })
        };
        game.play(&mut state, mv);
    }
    let ends: Vec<f32> = (0..game.players() as u8)
        .map(|player| game.surplus(&state, Player(player)))
        .collect();
    let most = ends.iter().copied().fold(f32::MIN, f32::max);
    let winners = ends.iter().filter(|&&end| end == most).count();
    match ends[seat.index()] == most {
        true => 1.0 / winners as f64,
        false => 0.0,
    }
}

/// Openings from which what was learnt plays against the hand-made evaluation.
const OPENINGS: u64 = 1000;
/// The learning rates of the first and of the last generation, if no others are asked for.
const RATES: [f32; 2] = [0.2, 0.01];

/// A training as front ends run it.
struct SelfPlay {
    training: PatternTraining,
    schedule: Schedule,
    seed: Seed,
    /// The mean squared error of the last generation, in pieces.
    error: f32,
}

/// Begins to learn Othello.
pub fn begin_othello(
    plan: &TrainingPlan,
    from: Option<&[u8]>,
    seed: Seed,
) -> Result<Box<dyn Training>, String> {
    begin("othello", plan, from, seed)
}

/// Begins to learn Rolit, for all numbers of players.
pub fn begin_rolit(
    plan: &TrainingPlan,
    from: Option<&[u8]>,
    seed: Seed,
) -> Result<Box<dyn Training>, String> {
    begin("rolit", plan, from, seed)
}

fn begin(
    game: &str,
    plan: &TrainingPlan,
    from: Option<&[u8]>,
    seed: Seed,
) -> Result<Box<dyn Training>, String> {
    let training = match from {
        Some(bytes) => {
            let patterns = Patterns::from_bytes(bytes)
                .map_err(|error| format!("holds no weights of patterns: {error}"))?;
            if patterns.game() != game {
                let other = patterns.game();
                return Err(format!("holds weights of {other}, not of {game}"));
            }
            PatternTraining::of(patterns, seed)
        }
        None => PatternTraining::new(game, seed),
    };
    Ok(Box::new(SelfPlay {
        training: training.ok_or_else(|| format!("holds no patterns of {game} to learn"))?,
        schedule: Schedule {
            games: plan.games,
            generations: plan.generations,
            rate: plan.rate.unwrap_or(RATES),
        },
        seed,
        error: 0.0,
    }))
}

impl Training for SelfPlay {
    fn generation(&mut self, number: usize, cancel: &Cancel) -> Option<Generation> {
        let learned = self.training.generation(&self.schedule, number, cancel);
        let (samples, error) = learned?;
        self.error = error;
        Some(Generation {
            samples,
            error,
            decimals: 2,
        })
    }

    fn weights(&self) -> Vec<u8> {
        self.training.learnt().to_bytes()
    }

    fn conclude(&self) -> Learned {
        let luck = self.seed.split("comparison");
        let (gain, deviation) = self.training.against_corners(OPENINGS, luck);
        let mut fields = Map::new();
        fields.insert("error".to_string(), json!(self.error));
        let against = json!({ "gain": gain, "standard_error": deviation });
        fields.insert("against_corners".to_string(), against);
        Learned {
            fields,
            lines: vec![
                format!("mean squared error {:.2} pieces", self.error),
                format!(
                    "against the hand-made evaluation: {:+.1} ± {:.1} % of wins beyond a fair \
                     share",
                    100.0 * gain,
                    100.0 * deviation
                ),
            ],
        }
    }
}
