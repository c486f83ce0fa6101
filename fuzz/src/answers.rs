//! Lines of a program that plays: each is a remark, a move, a greeting or a fault, and figures are
//! within their bounds.

use tabia_protocols::{Said, understand};

/// The target.
pub fn target(text: &str) {
    for line in text.lines() {
        match understand(line) {
            Ok(Said::Move(reply)) => {
                assert!(!reply.mv.is_empty() && !reply.mv.contains(char::is_whitespace));
                assert!(
                    reply
                        .value
                        .is_none_or(|value| (-1.0..=1.0).contains(&value))
                );
            }
            Ok(Said::Remark | Said::Ready(_)) => {}
            Err(fault) => {
                let told = fault.to_string();
                assert!(!told.trim().is_empty() && !told.contains(char::is_control));
            }
        }
    }
}
