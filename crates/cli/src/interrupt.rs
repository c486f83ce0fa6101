//! Ctrl-C: the first asks running work to stop, the second leaves at once.

use tabia_game::Cancel;

/// A flag that Ctrl-C sets.
pub fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    // Without a handler Ctrl-C ends the process at once, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if flag.is_cancelled() {
            std::process::exit(130);
        }
        flag.cancel();
    });
    cancel
}
