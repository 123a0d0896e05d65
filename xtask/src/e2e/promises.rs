//! What was promised, and whether it held.

use anyhow::{Result, bail};

/// The promises of all scenes, told as they are tried.
#[derive(Default)]
pub(super) struct Promises {
    held: usize,
    broken: Vec<String>,
    scene: &'static str,
}

impl Promises {
    pub(super) fn begin(&mut self, scene: &'static str) {
        self.scene = scene;
        println!("\n{scene}");
    }

    /// A promise, and why it is broken if it is.
    pub(super) fn hold(&mut self, what: &str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => {
                self.held += 1;
                println!("  held    {what}");
            }
            Err(why) => self.broken(what, &why),
        }
    }

    pub(super) fn broken(&mut self, what: &str, why: &str) {
        println!("  BROKEN  {what}");
        for line in why.lines() {
            println!("          | {line}");
        }
        self.broken.push(format!("{}: {what}", self.scene));
    }

    /// All of it in one line; an error when one is broken.
    pub(super) fn verdict(&self) -> Result<()> {
        println!(
            "\n{} promises held, {} broken",
            self.held,
            self.broken.len()
        );
        if self.broken.is_empty() {
            return Ok(());
        }
        bail!("broken: {}", self.broken.join("; "));
    }
}

/// A promise that is a plain yes or no.
pub(super) fn that(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(why()),
    }
}
