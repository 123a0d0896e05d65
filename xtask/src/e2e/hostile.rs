//! A repository that wants to be obeyed.

use anyhow::Result;

use super::promises::Promises;
use super::stage::Ground;

pub(super) fn run(_ground: &Ground, _promises: &mut Promises) -> Result<()> {
    Ok(())
}
