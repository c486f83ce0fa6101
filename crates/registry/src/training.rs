//! Evaluations learnt by self-play, whatever the game.
//!
//! What is learnt plays against itself, generation by generation. A game that can be learnt says
//! how in its [`GameEntry`](crate::GameEntry); a front end runs the generations, and keeps the
//! weights.

use serde_json::{Map, Value};
use tabia_game::{Cancel, Seed};

/// How to train. A method uses what it has a use for.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPlan {
    /// Games of a generation.
    pub games: usize,
    /// Generations.
    pub generations: usize,
    /// Samples of a step of gradient descent.
    pub batch: usize,
    /// The learning rate of the first and of the last generation, if it is not the method's own.
    pub rate: Option<[f32; 2]>,
    /// The lambda of temporal differences of the first and of the last generation.
    pub lambda: [f32; 2],
    /// Whether the luck of the dice is taken out of the samples.
    pub luckless: bool,
    /// What the mean of the weights keeps from one generation to the next.
    pub average: f32,
}

/// Begins a training: from nothing, or from the bytes of a file. An error completes a sentence that
/// begins with the name of the file.
pub type BeginTraining =
    fn(&TrainingPlan, Option<&[u8]>, Seed) -> Result<Box<dyn Training>, String>;

/// A training in progress.
pub trait Training: Send + Sync {
    /// Plays the games of a generation and learns from them. Returns nothing, and learns nothing,
    /// if it is cancelled.
    fn generation(&mut self, number: usize, cancel: &Cancel) -> Option<Generation>;

    /// What has been learnt so far, as a file.
    fn weights(&self) -> Vec<u8>;

    /// What is told of the training once it is over; may play some games for it.
    fn conclude(&self) -> Learned;
}

/// What is told of a generation.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// How many positions were learnt from.
    pub samples: usize,
    /// The mean squared error before that.
    pub error: f32,
    /// With how many decimals the error is shown.
    pub decimals: usize,
}

/// What is told of a training.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The fields of its JSON object that only this method has.
    pub fields: Map<String, Value>,
    /// Lines for a reader.
    pub lines: Vec<String>,
}
