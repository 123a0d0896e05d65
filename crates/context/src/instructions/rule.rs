//! Rules: their header, and for which files they hold.

use std::path::Path;

use globset::{Glob, GlobBuilder};
use memdir_memory::contained;
use serde::Deserialize;

/// Far more than a header needs.
const MAX_HEADER: usize = 64 * 1024;

/// What stands before a rule's text.
#[derive(Debug, Default)]
pub(super) struct RuleHeader {
    /// Where the text begins.
    pub(super) body: usize,
    /// The patterns of `paths`, as they were written; none when the rule holds always.
    pub(super) patterns: Vec<String>,
}

impl RuleHeader {
    /// Reads the header of a rule; a text without one is all body.
    pub(super) fn read(text: &str) -> Self {
        let Some((header, body)) = split(text) else {
            return Self::default();
        };
        let patterns = by_yaml(header).unwrap_or_else(|| by_lines(header));
        Self {
            body,
            // A pattern that every file matches is no condition.
            patterns: patterns
                .filter(|patterns| !patterns.iter().any(|pattern| is_everything(pattern)))
                .unwrap_or_default(),
        }
    }
}

/// The lines between two `---`, and where the text after them begins.
fn split(text: &str) -> Option<(&str, usize)> {
    let is_fence = |line: &str| {
        line.strip_prefix("---")
            .is_some_and(|rest| rest.trim().is_empty())
    };
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        match start {
            None if is_fence(line) => start = Some(next),
            None => return None,
            Some(start) if is_fence(line) => return Some((text.get(start..at)?, next)),
            Some(_) if next > MAX_HEADER => return None,
            Some(_) => {}
        }
        at = next;
    }
    None
}

#[derive(Deserialize)]
struct Fields {
    paths: Option<Paths>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Paths {
    One(String),
    Many(Vec<String>),
}

/// The patterns as YAML has them; the outer `None` where it is no YAML, the inner where there are none.
fn by_yaml(header: &str) -> Option<Option<Vec<String>>> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_depth: 8,
            flow_nesting_limit: 8,
            max_documents: 1,
            max_events: 4_000,
            max_nodes: 2_000,
            max_total_scalar_bytes: MAX_HEADER,
        },
        with_snippet: false,
    };
    let parsed = contained(|| serde_saphyr::from_str_with_options(header, options));
    let fields: Option<Fields> = parsed.ok()?.ok()?;
    let patterns = match fields.and_then(|fields| fields.paths) {
        None => return Some(None),
        Some(Paths::One(text)) => separate(&text),
        Some(Paths::Many(texts)) => texts.iter().flat_map(|text| separate(text)).collect(),
    };
    Some(Some(patterns).filter(|patterns: &Vec<String>| !patterns.is_empty()))
}

/// The patterns as people write them: `paths: **/*.ts` is an alias to YAML.
fn by_lines(header: &str) -> Option<Vec<String>> {
    let mut lines = header.lines();
    let value = lines.find_map(|line| line.strip_prefix("paths:"))?.trim();
    let inline = value.trim_start_matches('[').trim_end_matches(']');
    let mut patterns = separate(inline);
    if patterns.is_empty() {
        let items = lines.map_while(|line| line.trim().strip_prefix('-'));
        patterns = items.flat_map(separate).collect();
    }
    Some(patterns).filter(|patterns| !patterns.is_empty())
}

/// Splits at commas that are not within braces, and takes quotes off.
fn separate(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    let bare = parts.map(|part| part.trim().trim_matches(['"', '\'']).trim());
    bare.filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_everything(pattern: &str) -> bool {
    matches!(pattern, "**" | "**/*" | "*" | "/**")
}

/// One pattern. It is compiled when a file is touched, which costs more than all the rest of a search, and most
/// searches are not about one.
#[derive(Debug, Clone)]
struct Pattern {
    is_taken_back: bool,
    itself: Glob,
    beneath: Glob,
}

impl Pattern {
    fn read(text: &str) -> Option<Self> {
        let (is_taken_back, bare) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let anchored = anchored(bare);
        Some(Self {
            is_taken_back,
            itself: glob(&anchored)?,
            beneath: glob(&format!("{anchored}/**"))?,
        })
    }

    fn matches(&self, relative: &Path) -> bool {
        [&self.itself, &self.beneath]
            .iter()
            .any(|glob| glob.compile_matcher().is_match(relative))
    }
}

/// For which files a rule holds. The last pattern that matches decides, and one with `!` takes back.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    patterns: Vec<Pattern>,
}

impl Condition {
    /// Reads patterns; what is none goes to `wrong`. `None` when no pattern is left.
    pub(super) fn new(patterns: &[String], wrong: &mut Vec<String>) -> Option<Self> {
        let mut read = Vec::new();
        for text in patterns {
            match Pattern::read(text) {
                Some(pattern) => read.push(pattern),
                None => wrong.push(text.clone()),
            }
        }
        let adds = read.iter().any(|pattern| !pattern.is_taken_back);
        adds.then_some(Self { patterns: read })
    }

    /// Whether the rule holds for a file, given relative to the folder that the rule is about.
    pub(super) fn holds_for(&self, relative: &Path) -> bool {
        let mut from_last = self.patterns.iter().rev();
        from_last
            .find(|pattern| pattern.matches(relative))
            .is_some_and(|pattern| !pattern.is_taken_back)
    }
}

/// As in ignore files: a pattern without a separator holds at any depth, one with a separator from the top.
fn anchored(pattern: &str) -> String {
    let bare = pattern
        .strip_prefix("./")
        .unwrap_or(pattern)
        .trim_end_matches('/');
    match bare.strip_prefix('/') {
        Some(from_top) => from_top.to_owned(),
        None if bare.contains('/') => bare.to_owned(),
        None => format!("**/{bare}"),
    }
}

fn glob(pattern: &str) -> Option<Glob> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.ok()
}
