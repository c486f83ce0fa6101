//! Sums of positions and values, and files of them: what is no sum is refused with a reason, and
//! whatever is one can be searched until a limit ends it.

use tabia_catalog::sums::{Config, SumSolver, Summands, file};
use tabia_game::{Limits, Player};

/// The target.
pub fn target(text: &str) {
    match Summands::read(text) {
        Ok(sum) => {
            let mut winner = SumSolver::new(Config {
                memory: 1 << 12,
                ..Config::default()
            });
            let _ = winner.wins(&sum, Player::FIRST, &Limits::nodes(50));
        }
        Err(error) => assert!(error.is_bad_request() && !error.to_string().is_empty()),
    }
    if let Err(error) = file::read(text) {
        assert!(!error.reason.is_empty());
    }
}
