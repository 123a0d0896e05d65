//! `memdir man`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(crate) struct Man {}

impl Man {
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}
