//! `memdir audit`.

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(crate) struct Audit {}

impl Audit {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}
