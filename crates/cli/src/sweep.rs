//! Noticing what others did to the files, before the history is looked at.

use memdir_serve::hook::outside;
use memdir_store::Store;

use crate::warning::Warnings;

/// Records changes made behind our back. A disk that cannot be written keeps nobody from looking.
pub(crate) fn sweep(store: &Store, warnings: &mut Warnings) {
    match store.sweep() {
        Ok(sweep) => {
            // Whoever looks at the history sees it; what is wrong with it is told at the next event.
            let _ = outside::note(store, &sweep);
            if sweep.damaged > 0 {
                warnings.add(damaged(sweep.damaged));
            }
        }
        Err(error) => warnings.add(format!(
            "what others changed meanwhile could not be put into the history: {error}"
        )),
    }
}

fn damaged(lines: usize) -> String {
    let lines = crate::table::count(lines, "line", "lines");
    format!("{lines} of the history cannot be read; `memdir doctor` says more")
}
