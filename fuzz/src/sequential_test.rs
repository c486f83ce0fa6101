//! Sequential tests as text: what is read is written and read again without loss, and has a finite
//! likelihood ratio for any counts.

use tabia_lab::statistics::{Counts, Sprt};

/// The target.
pub fn target(text: &str) {
    let test: Sprt = match text.parse() {
        Ok(test) => test,
        Err(error) => {
            assert!(!error.to_string().trim().is_empty(), "{error:?} is silent");
            return;
        }
    };
    assert_eq!(test.to_string().parse(), Ok(test));
    for counts in [
        Counts::games(),
        Counts::Games([0, 0, 1]),
        Counts::Pairs([1, 20, 300, 40, 5]),
        Counts::Pairs([0, 0, 1 << 50, 0, 0]),
    ] {
        assert!(test.state(&counts).log_likelihood_ratio.is_finite());
    }
}
