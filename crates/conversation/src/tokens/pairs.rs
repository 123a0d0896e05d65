//! The count of a byte-pair tokeniser.

use tiktoken_rs::CoreBPE;

use super::Estimate;
use super::allowance::allowance;

/// Counts with o200k, the newest public dictionary. No provider but OpenAI bills by it, but what others bill is nearly in
/// proportion, whatever the text; the [`Meter`](super::Meter) learns the proportion.
///
/// The dictionary is loaded at the first count of a process, which takes a quarter of a second: not for hooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pairs;

/// The tokeniser looks ahead without end in a run of spaces, and gives up on a very long one by panicking. Pieces keep it
/// in bounds; where one is cut the count may be off by a token.
const PIECE: usize = 64 * 1024;

impl Pairs {
    /// Loads the dictionary, for who knows that it will be needed soon.
    pub fn load() {
        let _ = tokeniser();
    }
}

impl Estimate for Pairs {
    fn text(&self, text: &str) -> u64 {
        let count = |piece: &str| tokeniser().count_ordinary(piece) as u64;
        pieces(text).map(count).sum()
    }

    fn allowance(&self, text: &str) -> u64 {
        allowance(text)
    }

    fn name(&self) -> &'static str {
        "pairs"
    }
}

fn tokeniser() -> &'static CoreBPE {
    tiktoken_rs::o200k_base_singleton()
}

/// Cut behind a line where there is one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (most, _) = rest.split_at_checked(rest.floor_char_boundary(PIECE))?;
        let end = match most.rfind('\n') {
            Some(line) if most.len() < rest.len() => line + 1,
            _ => most.len(),
        };
        let (piece, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        let lines = "a line of text\n".repeat(10_000);
        let wide = "中".repeat(PIECE);
        for text in ["", "short", &lines, &wide] {
            assert_eq!(pieces(text).collect::<String>(), text);
            assert!(pieces(text).all(|piece| piece.len() <= PIECE && !piece.is_empty()));
        }
        assert!(pieces(&lines).all(|piece| piece.ends_with('\n')));
    }

    #[test]
    fn runs_without_end_are_counted() {
        for run in ["a", " ", "\n", "-", "中", "1", "xY", "\u{301}"] {
            let tokens = Pairs.text(&run.repeat(200_000));
            assert!(tokens > 1_000, "{run:?}: {tokens}");
        }
    }
}
