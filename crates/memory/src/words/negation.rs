//! Which words of a statement are affirmed and which are denied.
//!
//! A marker denies what follows it in its clause ("never use tabs"), or what came before it when
//! nothing follows ("Tabs? Never."). Two statements differ in negation when a word that both use is
//! only affirmed in one and only denied in the other.

use std::collections::HashSet;

use super::{is_function_word, is_unspaced, raw_words, word_terms};

/// Words that deny what follows. Normalised: without apostrophes.
const BEFORE: &[&str] = &[
    "against",
    "aint",
    "aldrig",
    "arent",
    "asla",
    "aucun",
    "aucune",
    "avoid",
    "avoiding",
    "avoids",
    "bez",
    "bukan",
    "cannot",
    "cant",
    "couldnt",
    "didnt",
    "disable",
    "dislike",
    "dislikes",
    "doesnt",
    "dont",
    "evita",
    "evitar",
    "evite",
    "exclude",
    "forbid",
    "forbids",
    "geen",
    "hardly",
    "hasnt",
    "hate",
    "hates",
    "havent",
    "ikke",
    "ingen",
    "inte",
    "isnt",
    "jamais",
    "jamás",
    "jangan",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keines",
    "không",
    "mai",
    "mustnt",
    "ne",
    "neither",
    "nessun",
    "nessuna",
    "never",
    "nicht",
    "nichts",
    "nie",
    "niemals",
    "niet",
    "nigdy",
    "nikdy",
    "ninguna",
    "ningún",
    "no",
    "nobody",
    "non",
    "none",
    "nooit",
    "nor",
    "not",
    "nothing",
    "nunca",
    "não",
    "ohne",
    "omit",
    "pas",
    "prohibit",
    "quit",
    "rarely",
    "refrain",
    "refuse",
    "reject",
    "rien",
    "sans",
    "seldom",
    "sem",
    "senza",
    "shouldnt",
    "sin",
    "skip",
    "stop",
    "stopped",
    "tampoco",
    "tanpa",
    "tidak",
    "uden",
    "utan",
    "uten",
    "wasnt",
    "werent",
    "without",
    "wont",
    "wouldnt",
    "zonder",
    "đừng",
    "δεν",
    "μη",
    "μην",
    "ποτέ",
    "χωρίς",
    "без",
    "не",
    "нет",
    "никогда",
    "ні",
    "ніколи",
    "אל",
    "בלי",
    "לא",
    "بدون",
    "لا",
    "لم",
    "لن",
    "ليس",
    "नहीं",
    "मत",
    "못",
    "안",
];

/// Words that deny what stands before them in the clause.
const AFTER: &[&str] = &[
    "banned",
    "deprecated",
    "disallowed",
    "discouraged",
    "forbidden",
    "prohibited",
    "unwanted",
    "마",
    "마라",
    "마세요",
    "말고",
    "말아",
    "않고",
    "않기",
    "없이",
    "금지",
    "değil",
];

/// Marks of Chinese and Japanese that deny what follows, longest first.
const UNSPACED: &[&str] = &[
    "不应该",
    "不允许",
    "不需要",
    "不可以",
    "不要",
    "不能",
    "不准",
    "不用",
    "不许",
    "不得",
    "不会",
    "不再",
    "不是",
    "禁止",
    "避免",
    "停止",
    "切勿",
    "请勿",
    "没有",
    "从不",
    "绝不",
    "千万别",
    "勿",
    "别",
    "没",
    "无",
    "莫",
    "不",
];

/// Words that contain such a mark and deny nothing.
const UNSPACED_INNOCENT: &[&str] = &[
    "不同",
    "不过",
    "不仅",
    "不但",
    "不管",
    "不断",
    "不错",
    "不久",
    "特别",
    "级别",
    "类别",
    "识别",
    "区别",
    "别的",
    "别人",
    "别名",
    "分别",
    "性别",
    "个别",
    "无论",
    "无线",
    "没关系",
];

/// Japanese endings that deny what stands before them.
const UNSPACED_AFTER: &[&str] = &["ないで", "しない", "ません", "禁止", "ない"];

/// Whether one statement denies what the other affirms.
///
/// ```
/// use memdir_memory::words::negation_differs;
///
/// assert!(negation_differs("use tabs", "never use tabs"));
/// assert!(negation_differs("use tabs, not spaces", "use spaces, not tabs"));
/// assert!(!negation_differs("use tabs", "use tabs, not spaces"));
/// assert!(negation_differs("使用制表符", "不要使用制表符"));
/// ```
#[must_use]
pub fn negation_differs(a: &str, b: &str) -> bool {
    let (left, right) = flips(a, b);
    left || right
}

/// Whether `b` denies what `a` affirms, and whether `a` denies what `b` affirms.
///
/// ```
/// use memdir_memory::words::flips;
///
/// assert_eq!(flips("use tabs, not spaces", "use spaces, not tabs"), (true, true));
/// assert_eq!(flips("use tabs", "never use tabs"), (true, false));
/// ```
#[must_use]
pub fn flips(a: &str, b: &str) -> (bool, bool) {
    let (left, right) = (Polarity::of(a), Polarity::of(b));
    (
        left.only_affirmed().any(|word| right.only_denies(word)),
        right.only_affirmed().any(|word| left.only_denies(word)),
    )
}

/// Whether any of these tokens could turn a statement beside it into its opposite.
pub(super) fn has_marker(tokens: &[&str]) -> bool {
    let joined: String = tokens.concat();
    tokens
        .iter()
        .any(|token| BEFORE.contains(token) || AFTER.contains(token))
        || tokens
            .windows(2)
            .any(|pair| matches!(pair, ["instead", "of"] | ["rather", "than"]))
        || unspaced_marker_at_any(&joined)
}

fn unspaced_marker_at_any(text: &str) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(innocent) = UNSPACED_INNOCENT
            .iter()
            .find(|word| rest.starts_with(**word))
        {
            rest = rest.get(innocent.len()..).unwrap_or_default();
            continue;
        }
        if UNSPACED
            .iter()
            .chain(UNSPACED_AFTER)
            .any(|marker| rest.starts_with(marker))
        {
            return true;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    false
}

/// The content of a statement, parted into affirmed and denied.
#[derive(Default)]
struct Polarity {
    affirmed: HashSet<String>,
    denied: HashSet<String>,
}

impl Polarity {
    fn of(text: &str) -> Self {
        let mut polarity = Self::default();
        let mut previous: Vec<String> = Vec::new();
        for clause in clauses(text) {
            let (affirmed, denied, dangling) = read_clause(&clause);
            if dangling && affirmed.is_empty() && denied.is_empty() {
                // "Tabs? Never." – the answer denies the question.
                for word in previous.drain(..) {
                    polarity.affirmed.remove(&word);
                    polarity.denied.insert(word);
                }
                continue;
            }
            previous.clone_from(&affirmed);
            polarity.affirmed.extend(affirmed);
            polarity.denied.extend(denied);
        }
        polarity
    }

    fn only_affirmed(&self) -> impl Iterator<Item = &String> {
        self.affirmed.difference(&self.denied)
    }

    fn only_denies(&self, word: &str) -> bool {
        self.denied.contains(word) && !self.affirmed.contains(word)
    }
}

/// The clauses of a text: cut at punctuation and at words that turn the sense.
fn clauses(text: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    let characters: Vec<char> = text.chars().collect();
    for (at, character) in characters.iter().copied().enumerate() {
        let next_is_space = characters
            .get(at + 1)
            .is_none_or(|next| next.is_whitespace());
        let ends = match character {
            '.' | ',' | ':' | '!' | '?' | ';' => next_is_space,
            '\n' | '(' | ')' | '—' | '–' | '。' | '，' | '、' | '！' | '？' | '；' | '：' => {
                true
            }
            _ => false,
        };
        if ends {
            clauses.push(String::new());
        } else if let Some(clause) = clauses.last_mut() {
            clause.push(character);
        }
    }
    clauses
}

/// Terms affirmed, terms denied, and whether a marker stood there with nothing to deny.
fn read_clause(clause: &str) -> (Vec<String>, Vec<String>, bool) {
    let (mut affirmed, mut denied) = (Vec::new(), Vec::new());
    let (mut denying, mut marked) = (false, false);
    let words: Vec<String> = raw_words(clause).collect();
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let two_word_marker = matches!(
            (word, words.peek()),
            ("instead", Some(&"of")) | ("rather", Some(&"than"))
        );
        if two_word_marker {
            words.next();
            (denying, marked) = (true, true);
        } else if BEFORE.contains(&word) {
            // Two denials affirm: "never not".
            denying = !denying;
            marked = true;
        } else if AFTER.contains(&word) {
            std::mem::swap(&mut affirmed, &mut denied);
            marked = true;
        } else if matches!(word, "unless" | "except" | "excepting" | "außer" | "кроме") {
            // What is excepted is the opposite of the rest: "tabs, except in YAML", "never, except in tests".
            (denying, marked) = (!denying, true);
        } else if matches!(word, "but" | "instead" | "sondern" | "а" | "но") {
            denying = false;
        } else if word.chars().any(is_unspaced) {
            marked |= read_unspaced(word, &mut denying, &mut affirmed, &mut denied);
        } else if !is_function_word(word) {
            if denying { &mut denied } else { &mut affirmed }.extend(word_terms(word));
        }
    }
    (affirmed, denied, marked)
}

/// Reads a run of an unspaced script; true when a marker was in it.
fn read_unspaced(
    word: &str,
    denying: &mut bool,
    affirmed: &mut Vec<String>,
    denied: &mut Vec<String>,
) -> bool {
    let mut marked = false;
    let mut piece = String::new();
    let mut rest = word;
    let take = |piece: &mut String,
                denying: bool,
                affirmed: &mut Vec<String>,
                denied: &mut Vec<String>| {
        if !piece.is_empty() {
            if denying { denied } else { affirmed }.extend(word_terms(piece));
            piece.clear();
        }
    };
    while let Some(first) = rest.chars().next() {
        let length = if let Some(innocent) = UNSPACED_INNOCENT
            .iter()
            .find(|known| rest.starts_with(**known))
        {
            piece.push_str(innocent);
            innocent.len()
        } else if let Some(ending) = UNSPACED_AFTER
            .iter()
            .find(|ending| rest == **ending && (!piece.is_empty() || !affirmed.is_empty()))
        {
            take(&mut piece, *denying, affirmed, denied);
            std::mem::swap(affirmed, denied);
            marked = true;
            ending.len()
        } else if let Some(marker) = UNSPACED.iter().find(|marker| rest.starts_with(**marker)) {
            take(&mut piece, *denying, affirmed, denied);
            (*denying, marked) = (true, true);
            marker.len()
        } else {
            piece.push(first);
            first.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    take(&mut piece, *denying, affirmed, denied);
    marked
}
