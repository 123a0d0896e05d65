//! Somebody wants this process to end, politely.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memdir_model::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::failure::Failure;

/// How often it is looked whether somebody does.
const LOOK: Duration = Duration::from_millis(50);

/// From now on a polite signal does not end this process; it is noted. For work that takes no time and is to be ended
/// in order.
pub(crate) fn noted() -> Result<Arc<AtomicBool>, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("no signals: {error}"), "");
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&asked)).map_err(failed)?;
    }
    Ok(asked)
}

/// What ends when somebody ends this process politely, so that nothing it started outlives it.
pub(crate) fn until_a_signal() -> Result<Cancel, Failure> {
    let asked = noted()?;
    let cancel = Cancel::new();
    let ending = cancel.clone();
    std::thread::spawn(move || {
        while !asked.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        ending.cancel();
    });
    Ok(cancel)
}
