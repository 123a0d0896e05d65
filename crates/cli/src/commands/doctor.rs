//! `memdir doctor`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(crate) struct Doctor {}

impl Doctor {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}
