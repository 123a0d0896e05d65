//! What several requests came to.

use memdir_conversation::Usage;

/// All that was counted.
pub(crate) fn total(usage: &[Usage]) -> Usage {
    let mut total = Usage::default();
    for usage in usage {
        total.input += usage.input;
        total.cache_read += usage.cache_read;
        total.cache_write += usage.cache_write;
        total.output += usage.output;
    }
    total
}

/// How much of the input was read from the provider's cache, in per cent to one decimal.
pub(crate) fn hit_percent(usage: &[Usage]) -> f64 {
    let total = total(usage);
    match total.prompt() {
        0 => 0.0,
        prompt => (total.cache_read as f64 * 1000.0 / prompt as f64).round() / 10.0,
    }
}
