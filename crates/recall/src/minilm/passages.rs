//! Where a long memory is cut for the model.

/// A passage is closed before the line with which it would have more words.
const WORDS: usize = 60;
/// What comes after so many passages of one memory is left to the scorer.
const MOST: usize = 64;

/// The passages of a text: lines that stand together, or parts of a line that is too long.
pub(super) fn passages(text: &str) -> Vec<String> {
    let mut passages: Vec<String> = Vec::new();
    let mut words = WORDS;
    for line in text.lines() {
        let parts: Vec<&str> = line.split_whitespace().collect();
        for part in parts.chunks(WORDS) {
            if words + part.len() > WORDS {
                if passages.len() == MOST {
                    return passages;
                }
                passages.push(String::new());
                words = 0;
            }
            words += part.len();
            if let Some(last) = passages.last_mut() {
                if !last.is_empty() {
                    last.push('\n');
                }
                last.push_str(&part.join(" "));
            }
        }
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_together_until_there_are_enough() {
        let line = "five words in a line";
        let text = [line; 13].join("\n\n");
        let cut = passages(&text);
        assert_eq!(cut, [[line; 12].join("\n"), line.to_owned()]);
        assert!(passages(" \n\n").is_empty());
    }

    #[test]
    fn a_long_line_is_cut_and_a_book_is_not_read_to_its_end() {
        let sizes = |text: &str| -> Vec<usize> {
            let cut = passages(text).into_iter();
            cut.map(|one| one.split_whitespace().count()).collect()
        };
        assert_eq!(sizes(&"word ".repeat(150)), [60, 60, 30]);
        assert_eq!(sizes(&"word ".repeat(60 * 70)), [60; MOST]);
    }
}
