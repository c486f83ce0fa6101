//! Backgammon learnt by self-play with temporal differences (Tesauro 1995).
//!
//! Training goes in generations. In each the networks as they stand play games against themselves;
//! every position before a roll becomes a sample, which should have been worth what was found one
//! ply later (or more, by the λ-return of Sutton 1988), and a step of gradient descent is made for
//! each batch of samples. Late generations take the luck of the dice out of the samples, as
//! rollouts with variance reduction do: they cost far more and vary far less.
//!
//! While the networks learn from one generation the next is played already, by the networks as they
//! were, so that no core is idle. A run is repeatable: it follows from its seed alone, whatever the
//! number of threads.

use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde_json::{Map, json};
use tabia_game::{Cancel, Seed};
use tabia_nets::{Adam, Network, TrainingSample, WeightsError};
use tabia_registry::training::{Generation, Learned, Training, TrainingPlan};

use super::{
    Board, Chances, EvaluationBuffers, INPUTS, Networks, PositionClass, Roll, SHAPE, inputs, known,
    place,
};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Games of a generation.
    pub games: usize,
    /// Generations.
    pub generations: usize,
    /// Samples of a step.
    pub batch: usize,
    /// How far steps go in the first generation and in the last; between them the rate falls by a
    /// constant factor.
    pub rate: [f32; 2],
    /// How much later values count, in the first generation and in the last.
    pub lambda: [f32; 2],
    /// The luck of the dice is taken out of the samples, for which all 21 rolls are looked at.
    pub luckless: bool,
    /// What is kept of the mean of the weights after each generation; the mean is what has been
    /// learnt. Zero if the weights of the last generation are.
    pub average: f32,
}

impl Schedule {
    fn progress(&self, generation: usize) -> f32 {
        generation as f32 / self.generations.saturating_sub(1).max(1) as f32
    }

    fn rate(&self, generation: usize) -> f32 {
        let [first, last] = self.rate;
        first * (last / first).powf(self.progress(generation))
    }

    fn lambda(&self, generation: usize) -> f32 {
        let [first, last] = self.lambda;
        first + (last - first) * self.progress(generation)
    }
}

/// A training in progress.
pub struct NetworkTraining {
    /// The networks as they stand.
    networks: Networks,
    /// The mean of those of the last generations: noise of single steps is not in it.
    mean: Networks,
    adams: [Adam; 3],
    seed: Seed,
    /// The samples of the generation with this number, if they are there already.
    ahead: Option<(usize, [Vec<TrainingSample>; 3])>,
}

/// A game is broken off after this many plies.
const MAX_PLIES: usize = 600;

/// A position of a game, before the roll.
struct Visited {
    board: Board,
    chances: Chances,
}

impl NetworkTraining {
    /// Begins with random networks.
    pub fn new(seed: Seed) -> NetworkTraining {
        let mut rng = seed.split("weights").rng();
        let networks = Networks::new(PositionClass::ALL.map(|_| Network::random(SHAPE, &mut rng)));
        NetworkTraining::of(networks, seed)
    }

    /// Goes on with these networks.
    pub fn of(networks: Networks, seed: Seed) -> NetworkTraining {
        let adams = networks.of_class().each_ref().map(Adam::new);
        NetworkTraining {
            mean: networks.clone(),
            networks,
            adams,
            seed,
            ahead: None,
        }
    }

    /// Goes on with the networks of a file, widened if they have fewer inputs or units.
    pub fn read(bytes: &[u8], seed: Seed) -> Result<NetworkTraining, WeightsError> {
        let mut rng = seed.split("weights").rng();
        Networks::widened(bytes, &mut rng).map(|networks| NetworkTraining::of(networks, seed))
    }

    /// What has been learnt so far.
    pub fn learnt(&self) -> &Networks {
        &self.mean
    }

    /// What the player on roll may expect at the start.
    pub fn at_the_start(&self) -> Chances {
        self.mean
            .chances(&Board::START, &mut EvaluationBuffers::default())
    }

    /// Learns from the games of one generation, while those of the next are played by the networks
    /// as they were before; returns how many samples there were of each class, and the mean squared
    /// errors. Nothing is learnt, and nothing returned, if it is cancelled.
    pub fn generation(
        &mut self,
        schedule: &Schedule,
        number: usize,
        cancel: &Cancel,
    ) -> Option<[(usize, f32); 3]> {
        let luck = |number: usize| self.seed.split("generation").number(number as u64);
        let before = self.networks.clone();
        let play = |number: usize| {
            (number < schedule.generations)
                .then(|| play(&before, schedule, number, luck(number), cancel))
        };
        let samples = match self.ahead.take() {
            Some((ahead, samples)) if ahead == number => samples,
            _ => play(number)??,
        };
        let (learnt, next) = (luck(number).split("order"), number + 1);
        let (networks, adams) = (&mut self.networks, &mut self.adams);
        let (told, ahead) = rayon::join(
            || learn(networks, adams, samples, schedule, number, learnt),
            || play(next),
        );
        self.mean.approach(&self.networks, 1.0 - schedule.average);
        self.ahead = match ahead {
            Some(samples) => Some((next, samples?)),
            None => None,
        };
        Some(told)
    }
}

/// The samples of the games of a generation by class; nothing if it is cancelled.
fn play(
    networks: &Networks,
    schedule: &Schedule,
    number: usize,
    luck: Seed,
    cancel: &Cancel,
) -> Option<[Vec<TrainingSample>; 3]> {
    let lambda = schedule.lambda(number);
    let games: Option<Vec<Vec<(PositionClass, TrainingSample)>>> = (0..schedule.games as u64)
        .into_par_iter()
        .map(|game| {
            let play = || samples(networks, luck.number(game), lambda, schedule.luckless);
            (!cancel.is_cancelled()).then(play)
        })
        .collect();
    let mut of_class: [Vec<TrainingSample>; 3] = Default::default();
    for (class, sample) in games?.into_iter().flatten() {
        of_class[place(class)].push(sample);
    }
    Some(of_class)
}

/// Steps downhill, batch by batch in an order by lot.
fn learn(
    networks: &mut Networks,
    adams: &mut [Adam; 3],
    mut of_class: [Vec<TrainingSample>; 3],
    schedule: &Schedule,
    number: usize,
    luck: Seed,
) -> [(usize, f32); 3] {
    let rate = schedule.rate(number);
    let mut rng = luck.rng();
    let mut told = [(0, 0.0); 3];
    let trained = networks.of_class_mut().iter_mut().zip(adams);
    for ((samples, (network, adam)), told) in of_class.iter_mut().zip(trained).zip(&mut told) {
        samples.shuffle(&mut rng);
        let mut error = 0.0;
        for batch in samples.chunks(schedule.batch) {
            error += adam.step(network, batch, rate) * batch.len() as f32;
        }
        *told = (samples.len(), error / samples.len().max(1) as f32);
    }
    told
}

/// What the player on roll may expect if both play on by these networks for one roll, all rolls
/// looked at.
pub fn one_ply(networks: &Networks, board: &Board, room: &mut EvaluationBuffers) -> Chances {
    let mut sum = [0.0; 5];
    for (roll, weight) in Roll::all() {
        let (_, chances) = networks.best_play(board, roll, room);
        let share = weight as f32 / 36.0;
        for (sum, part) in sum.iter_mut().zip(chances.to_array()) {
            *sum += share * part;
        }
    }
    Chances::from_array(sum)
}

/// Plays one game and makes samples of its positions.
fn samples(
    networks: &Networks,
    luck: Seed,
    lambda: f32,
    luckless: bool,
) -> Vec<(PositionClass, TrainingSample)> {
    let mut rng = luck.rng();
    let mut room = EvaluationBuffers::default();
    let mut plays = Vec::new();
    let mut board = Board::START;
    let mut visited: Vec<Visited> = Vec::new();
    // Some games begin with a few plays at random, so that odd positions are known, too.
    let odd = if rng.random_range(0..4) == 0 {
        rng.random_range(1..12)
    } else {
        0
    };
    let mut later: Option<Chances> = None;
    for ply in 0..MAX_PLIES {
        let dice = [rng.random_range(1..=6), rng.random_range(1..=6)];
        let Some(roll) = Roll::new(dice[0], dice[1]) else {
            break;
        };
        let next = if ply < odd {
            plays.clear();
            board.plays(roll, &mut plays);
            let play = plays[rng.random_range(0..plays.len())];
            visited.clear();
            board.after(play).swapped()
        } else {
            let (next, chances) = networks.best_play(&board, roll, &mut room);
            visited.push(Visited { board, chances });
            next
        };
        // Where tables know the rest there is nothing to be learnt.
        if let Some(known) = known(&next) {
            later = Some(known.flipped());
            break;
        }
        board = next;
    }
    // From the last position back: what is known of a position is what was found one ply on, and a
    // share of how much better or worse the game went than that. Without the luck of the dice this
    // is the mean over all rolls instead of what the actual roll gave, so that nothing but the
    // plays of the rest of the game is left of the noise.
    let mut made = Vec::with_capacity(visited.len());
    for Visited { board, chances } in visited.into_iter().rev() {
        let expected = match luckless {
            true => one_ply(networks, &board, &mut room),
            false => chances,
        };
        let target = match later {
            Some(later) => corrected(expected, later, chances, lambda),
            None => expected,
        };
        let mut numbers = [0.0; INPUTS];
        inputs(&board, &mut numbers);
        let sample = TrainingSample::new(&numbers, &target.to_array().map(|x| x.clamp(0.0, 1.0)));
        made.push((PositionClass::of(&board), sample));
        later = Some(target.flipped());
    }
    made
}

/// What was expected, and a share of how much better the game went than the play found.
fn corrected(expected: Chances, later: Chances, found: Chances, share: f32) -> Chances {
    let (expected, later, found) = (expected.to_array(), later.to_array(), found.to_array());
    let mut sum = expected;
    for (sum, (later, found)) in sum.iter_mut().zip(later.into_iter().zip(found)) {
        *sum += share * (later - found);
    }
    Chances::from_array(sum)
}

/// Games between two sets of networks with shared dice, each roll sequence played from both sides;
/// the mean gain of the first in stakes and its standard error.
pub fn compare(one: &Networks, other: &Networks, pairs: u64, luck: Seed) -> (f64, f64) {
    let gains: Vec<f64> = (0..pairs)
        .into_par_iter()
        .map(|pair| {
            let play = |sides: [&Networks; 2]| {
                let mut rng = luck.number(pair).rng();
                let mut room = EvaluationBuffers::default();
                let mut board = Board::START;
                for ply in 0..MAX_PLIES {
                    let dice = [rng.random_range(1..=6), rng.random_range(1..=6)];
                    let Some(roll) = Roll::new(dice[0], dice[1]) else {
                        break;
                    };
                    let (next, _) = sides[ply % 2].best_play(&board, roll, &mut room);
                    if next.left(1) == 0 {
                        let stakes = f64::from(next.stakes(1));
                        return if ply % 2 == 0 { stakes } else { -stakes };
                    }
                    board = next;
                }
                0.0
            };
            (play([one, other]) - play([other, one])) / 2.0
        })
        .collect();
    let n = gains.len().max(2) as f64;
    let mean = gains.iter().sum::<f64>() / n;
    let variance = gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Pairs of games in which new networks are compared with those of the beginning.
const PAIRS: u64 = 1000;
/// The learning rates of the first and of the last generation, if no others are asked for.
const RATES: [f32; 2] = [0.0015, 0.0003];

/// A training as front ends run it.
struct SelfPlay {
    training: NetworkTraining,
    before: Networks,
    schedule: Schedule,
    seed: Seed,
    /// Samples and mean squared errors of the last generation, by class.
    last: [(usize, f32); 3],
}

/// Begins a training; the networks of a file may have fewer inputs or units.
pub fn begin(
    plan: &TrainingPlan,
    from: Option<&[u8]>,
    seed: Seed,
) -> Result<Box<dyn Training>, String> {
    let training = match from {
        Some(bytes) => NetworkTraining::read(bytes, seed)
            .map_err(|error| format!("holds no networks of backgammon: {error}"))?,
        None => NetworkTraining::new(seed),
    };
    Ok(Box::new(SelfPlay {
        before: training.learnt().clone(),
        training,
        schedule: Schedule {
            games: plan.games,
            generations: plan.generations,
            batch: plan.batch,
            rate: plan.rate.unwrap_or(RATES),
            lambda: plan.lambda,
            luckless: plan.luckless,
            average: plan.average,
        },
        seed,
        last: Default::default(),
    }))
}

impl Training for SelfPlay {
    fn generation(&mut self, number: usize, cancel: &Cancel) -> Option<Generation> {
        self.last = self.training.generation(&self.schedule, number, cancel)?;
        Some(Generation {
            samples: self.last.iter().map(|(samples, _)| samples).sum(),
            error: self.last[0].1,
            decimals: 4,
        })
    }

    fn weights(&self) -> Vec<u8> {
        self.training.learnt().to_bytes()
    }

    fn conclude(&self) -> Learned {
        let luck = self.seed.split("comparison");
        let (gain, error) = compare(self.training.learnt(), &self.before, PAIRS, luck);
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = self.training.at_the_start().to_array();
        let classes = ["contact", "crashed", "race"].iter().zip(self.last);
        let classes = classes.map(|(class, (samples, error))| {
            json!({ "class": class, "samples": samples, "error": error })
        });
        let mut fields = Map::new();
        fields.insert("classes".to_string(), classes.collect());
        let start = json!({
            "win": win,
            "win_gammon": win_gammon,
            "win_backgammon": win_backgammon,
            "lose_gammon": lose_gammon,
            "lose_backgammon": lose_backgammon,
        });
        fields.insert("start".to_string(), start);
        let against = json!({ "points": gain, "standard_error": error });
        fields.insert("against_before".to_string(), against);
        Learned {
            fields,
            lines: vec![
                format!(
                    "at the start the player on roll wins {:.1} % ({:.1} % gammons)",
                    100.0 * win,
                    100.0 * win_gammon
                ),
                format!(
                    "against the networks it began with: {gain:+.3} ± {error:.3} points a game"
                ),
            ],
        }
    }
}
