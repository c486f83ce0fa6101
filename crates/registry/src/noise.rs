//! Options for noise on evaluations, which keeps games from being repeated.

use tabia_game::Noisy;
use tabia_game::options::{OptionValues, Parameter, ParameterKind};

/// The options of engines whose evaluation may be noisy.
pub const NOISY: &[Parameter] = &[NOISE, NOISE_SEED];

/// Noise of evaluations, which keeps games from being repeated.
pub const NOISE: Parameter = Parameter {
    key: "noise",
    kind: ParameterKind::Integer(0, 1_000),
    default: "0",
    help: "maximum random noise on evaluations, in millionths; the thesis: 5",
};

/// The random seed of the noise.
pub const NOISE_SEED: Parameter = Parameter {
    key: "noise_seed",
    kind: ParameterKind::Integer(0, i64::MAX),
    default: "0",
    help: "random seed of the noise",
};

/// An evaluation with the noise that was asked for.
pub fn noisy<K>(knowledge: K, values: &OptionValues) -> Noisy<K> {
    let most = i32::try_from(values.integer(NOISE.key)).unwrap_or_default();
    Noisy::new(
        knowledge,
        most,
        values.integer(NOISE_SEED.key).unsigned_abs(),
    )
}
