//! What settings and variables say about making room, as `context` takes it.

use memdir_context::{CompactionSwitches, Configured};

use crate::workplace::Workplace;

/// What settings and variables say about sizes.
pub(crate) fn configured(workplace: &Workplace) -> Configured {
    workplace.home().configured()
}

/// Which compactions are on.
pub(crate) fn switches(workplace: &Workplace) -> CompactionSwitches {
    workplace.home().compactions()
}
