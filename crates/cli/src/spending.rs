//! What a command may spend that may ask a model.

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::Meter;

use crate::workplace::Workplace;

/// For every command that may ask a model something that costs.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Spending {
    /// Ask no model anything that may cost something
    #[arg(long)]
    no_spend: bool,
}

impl Spending {
    /// Whether nothing may be asked that costs.
    pub(crate) fn is_off(self) -> bool {
        self.no_spend
    }

    /// The meter that every request has to pass: the user's budget, this project, their day.
    pub(crate) fn meter(self, workplace: &Workplace) -> Meter {
        let mut meter = workplace.home().meter(Timestamp::now, &TimeZone::system());
        meter.budget.no_spend = self.no_spend;
        meter
    }
}
