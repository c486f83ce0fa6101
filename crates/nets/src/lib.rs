//! Small feed-forward networks, evaluated by the million and trained by gradient descent.
//!
//! A [`Network`] has two hidden layers of rectified units and outputs between 0 and 1, which read
//! as probabilities. Inputs are mostly zero, and so are hidden units: layers skip what is zero, and
//! what is left are sums of rows, which compilers turn into vector instructions. That is why no
//! library of linear algebra is used: for vectors of this size its calls cost more than they save.
//!
//! [`Adam`] trains a network on pairs of inputs and wanted outputs. It runs on one thread, and sums
//! are made in the same order on every processor, so that a run is repeatable.

mod adam;
mod file;
mod kernels;
mod network;

pub use adam::{Adam, TrainingSample};
pub use file::WeightsError;
pub use network::{Batch, Network, NetworkShape, Scratch};
