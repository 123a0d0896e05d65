//! Messages for which nothing is looked up at all.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

/// How many bytes of memories one conversation is given.
pub const BUDGET_BYTES: u64 = 60_000;

/// Two words, or four characters of a script without spaces. Half a word each, so that mixed messages count fairly.
const ENOUGH_HALVES: usize = 4;

/// Why nothing was looked up for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Skip {
    /// Memory is off.
    MemoryOff,
    /// Recall is off.
    RecallOff,
    /// The message says too little to look for.
    TooShort,
    /// The conversation has been given all the memories that it may be given.
    BudgetSpent,
}

impl Skip {
    /// Whether a message is skipped, given how many bytes of memories the conversation holds already.
    ///
    /// ```
    /// use memdir_recall::Skip;
    ///
    /// assert_eq!(Skip::of("yes", 0), Some(Skip::TooShort));
    /// assert_eq!(Skip::of("why Friday", 0), None);
    /// assert_eq!(Skip::of("发布流程", 0), None);
    /// assert_eq!(Skip::of("why Friday", 60_000), Some(Skip::BudgetSpent));
    /// ```
    #[must_use]
    pub fn of(message: &str, given_bytes: u64) -> Option<Skip> {
        if given_bytes >= BUDGET_BYTES {
            Some(Skip::BudgetSpent)
        } else if says_enough(message) {
            None
        } else {
            Some(Skip::TooShort)
        }
    }

    /// What a person reads.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Skip::MemoryOff => "memory is off",
            Skip::RecallOff => "recall is off",
            Skip::TooShort => "the message has fewer than two words",
            Skip::BudgetSpent => "this conversation has been given 60,000 bytes of memories",
        }
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.words())
    }
}

fn says_enough(message: &str) -> bool {
    let mut halves = 0;
    for word in message.unicode_words() {
        let spaceless = word.chars().filter(|c| has_no_spaces(*c)).count();
        halves += if spaceless > 0 { spaceless } else { 2 };
        // A message may be a megabyte; its first words decide.
        if halves >= ENOUGH_HALVES {
            return true;
        }
    }
    false
}

/// Characters of scripts that put no spaces between words.
fn has_no_spaces(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0E00..=0x0EFF          // Thai, Lao
        | 0x0F00..=0x0FFF        // Tibetan
        | 0x1000..=0x109F        // Burmese
        | 0x1780..=0x17FF        // Khmer
        | 0x3005..=0x3007
        | 0x3040..=0x30FF        // Hiragana, Katakana
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF        // Han
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F        // half-width Katakana
        | 0x20000..=0x3FFFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_short_in_which_script() {
        let short = |message: &str| Skip::of(message, 0) == Some(Skip::TooShort);
        for message in [
            "",
            " ",
            "ok",
            "don't",
            "…!?",
            "👍",
            "部署",
            "発布中",
            "пока",
            "배포",
            "ok 发",
            "ที่",
        ] {
            assert!(short(message), "{message:?}");
        }
        for message in [
            "go on",
            "deploy_now please",
            "发布流程",
            "カタカナ",
            "배포 언제",
            "как дела",
            "Rust 部署",
            "ที่ไหน",
        ] {
            assert!(!short(message), "{message:?}");
        }
    }

    #[test]
    fn the_budget_is_looked_at_first() {
        assert_eq!(Skip::of("ok", BUDGET_BYTES), Some(Skip::BudgetSpent));
        assert_eq!(Skip::of("two words", BUDGET_BYTES - 1), None);
    }
}
