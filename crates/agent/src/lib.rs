//! Background work: what is done without the user having asked for it.
//!
//! Every request that it makes goes through the [`Meter`]: reserved in the ledger before it is sent, settled with what the
//! provider counted, and left at its worst case where nobody knows.

mod meter;

pub use meter::{Meter, MeterError, Metered};
