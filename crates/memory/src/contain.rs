//! One place where a panic ends: a document or a question that trips a mistake costs itself and nothing else.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static CONTAINING: Cell<u32> = const { Cell::new(0) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic that was contained. It says where, never about what: that may hold somebody's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("memdir made a mistake over it (panicked at {place}); please report this")]
pub struct Panicked {
    /// File, line and column in our sources or a library's.
    pub place: String,
}

/// Runs `work` over one document or one question. A panic in it is an error of that one and prints nothing.
///
/// What `work` was changing may be half changed after an error: drop it.
///
/// # Errors
///
/// When `work` panicked.
///
/// ```
/// use memdir_memory::contained;
///
/// assert_eq!(contained(|| "four".len()), Ok(4));
/// let text = String::from("ά");
/// let cut = contained(|| text[..1].len());
/// assert!(cut.unwrap_err().to_string().contains("panicked at"));
/// ```
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    keep_quiet();
    CONTAINING.set(CONTAINING.get() + 1);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CONTAINING.set(CONTAINING.get().saturating_sub(1));
    done.map_err(|_| Panicked {
        place: PLACE.with_borrow_mut(std::mem::take),
    })
}

/// The usual message of a panic quotes what it was about. One that is contained is noted instead; any other is told as before.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    // The hook cannot be changed by a thread that is panicking already.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CONTAINING.try_with(Cell::get).unwrap_or(0) == 0 {
                return others(info);
            }
            let place = info.location().map(shown).unwrap_or_default();
            let _ = PLACE.try_with(|known| known.replace(place));
        }));
    });
}

/// A place in the sources, without the folder in which somebody built them.
fn shown(place: &panic::Location<'_>) -> String {
    let file = place.file();
    let parts: Vec<&str> = file.split(['/', '\\']).collect();
    let last = parts.len().saturating_sub(4);
    let file = parts.get(last..).unwrap_or_default().join("/");
    format!("{file}:{}:{}", place.line(), place.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_inside_another_ends_at_the_inner_one() {
        let words: Vec<&str> = "one two".split(' ').collect();
        let outer = contained(|| {
            let inner = contained(|| words[7].len());
            (inner.is_err(), words.len())
        });
        assert_eq!(outer, Ok((true, 2)));
        let place = contained(|| words[9]).unwrap_err().place;
        assert!(place.starts_with("memory/src/contain.rs:") || place.contains("/contain.rs:"));
        assert!(!place.starts_with('/'));
    }

    #[test]
    fn every_thread_has_its_own() {
        let text: Vec<char> = "x".chars().collect();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        assert!(contained(|| text[5]).is_err());
                        assert_eq!(contained(|| text.len()), Ok(1));
                    }
                });
            }
        });
    }
}
