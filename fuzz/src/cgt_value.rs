//! Values of combinatorial games: what is written is read as the same value.

use tabia_cgt::{Tree, Values};

/// The target.
pub fn target(text: &str) {
    let _ = Tree::read(text);
    let mut values = Values::with_limit(1 << 12);
    match values.read(text) {
        Ok(value) => {
            // A value may be too large to be written.
            if let Ok(written) = values.write(value) {
                assert_eq!(values.read(&written), Ok(value), "{written}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
