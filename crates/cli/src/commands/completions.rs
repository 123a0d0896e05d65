//! `memdir completions`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(crate) struct Completions {}

impl Completions {
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}
