//! From keyword to finding.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::placeholder::{is_default_password, is_placeholder};
use super::randomness::{entropy_tenths, is_wordlike};
use super::rules::{self, Class, Matcher, Rule};
use super::{
    Finding, SecretValue, address, assignment, beside, connection, disguise, kubernetes, prefilter,
    private_key,
};

/// One place for each rule's expression, filled when it is first needed.
static EXPRESSIONS: [OnceLock<Option<Regex>>; rules::COUNT] =
    [const { OnceLock::new() }; rules::COUNT];

/// A match before overlaps are settled.
#[derive(Clone)]
struct Candidate {
    rule: &'static Rule,
    order: usize,
    range: Range<usize>,
}

/// Scans a text and its disguised forms.
pub(super) fn scan(text: &str) -> Vec<Finding> {
    let mut candidates = Vec::new();
    search(text, |_| true, &mut candidates);

    let mut found = Vec::new();
    for view in [disguise::joined(text), disguise::narrowed(text)]
        .into_iter()
        .flatten()
    {
        search(&view.text, |_| true, &mut found);
        candidates.extend(found.drain(..).map(|candidate| Candidate {
            range: view.original(&candidate.range),
            ..candidate
        }));
    }
    if let Some(view) = disguise::percent_decoded(text) {
        search(&view.text, has_format, &mut found);
        candidates.extend(found.drain(..).map(|candidate| Candidate {
            range: view.original(&candidate.range),
            ..candidate
        }));
    }
    for (range, decoded) in disguise::base64_decoded(text) {
        search(&decoded, has_format, &mut found);
        candidates.extend(found.drain(..).map(|candidate| Candidate {
            range: range.clone(),
            ..candidate
        }));
    }
    settle(text, candidates)
}

/// Only rules whose tokens have a form of their own see through encodings: a generic rule would
/// find something in every blob.
fn has_format(rule: &Rule) -> bool {
    rule.class == Class::Structural
}

/// Collects what the chosen rules find in one text.
fn search(text: &str, chosen: impl Fn(&Rule) -> bool, found: &mut Vec<Candidate>) {
    // Where each rule's last match ended: a token may hold its own keyword again.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    prefilter::each(text, |keyword, place| {
        let (rule, order) = (keyword.rule, keyword.order);
        if !chosen(rule)
            || ends
                .iter()
                .any(|(owner, end)| *owner == order && place.start < *end)
        {
            return;
        }
        if matches!(rule.matcher, Matcher::Assignment) {
            let cells = assignment::find_column(text, place.clone());
            found.extend(
                cells
                    .into_iter()
                    .map(|range| Candidate { rule, order, range }),
            );
        }
        if let Some(range) = try_rule(rule, order, text, place) {
            ends.retain(|(owner, _)| *owner != order);
            ends.push((order, range.end));
            found.push(Candidate { rule, order, range });
        }
    });
}

fn try_rule(
    rule: &'static Rule,
    order: usize,
    text: &str,
    keyword: Range<usize>,
) -> Option<Range<usize>> {
    match rule.matcher {
        Matcher::PrivateKey => private_key::find(text, keyword.start),
        Matcher::Assignment => assignment::find(text, keyword),
        Matcher::Kubernetes => kubernetes::find(text, keyword.start),
        Matcher::Beside { forms } => convinced(rule, text, beside::find(text, &keyword, forms)?),
        Matcher::Address { database } => {
            convinced(rule, text, address::find(text, &keyword, database)?)
        }
        Matcher::BareAddress => convinced(rule, text, address::find_bare(text, &keyword)?),
        Matcher::Connection => convinced(rule, text, connection::find(text, &keyword)?),
        Matcher::Token { .. } if !opens(text, keyword.start) => None,
        Matcher::Token { .. } | Matcher::Around { .. } => {
            let token = token_at(text, keyword.start);
            (token.len() >= rule.least).then(|| expression(rule, order, text, keyword))?
        }
    }
}

/// The range, if what stands there is random enough for its rule and no placeholder.
fn convinced(rule: &Rule, text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let value = SecretValue::new(text.get(range.clone())?);
    is_convincing(rule, value, text.get(range.end..)?).then_some(range)
}

/// Runs the rule's expression on the window around its keyword and judges the value.
fn expression(
    rule: &'static Rule,
    order: usize,
    text: &str,
    keyword: Range<usize>,
) -> Option<Range<usize>> {
    let (pattern, before) = match rule.matcher {
        Matcher::Token { pattern } => (pattern, 0),
        Matcher::Around { pattern, before } => (pattern, before),
        _ => return None,
    };
    let regex = EXPRESSIONS
        .get(order)?
        .get_or_init(|| compile(pattern, before == 0))
        .as_ref()?;
    let start = keyword.start.saturating_sub(before);
    let end = text.len().min(keyword.end + rule.span);
    let window = text.as_bytes().get(start..end)?;
    regex.captures_iter(window).find_map(|captures| {
        let whole = captures.get(0)?;
        let value = captures.iter().skip(1).flatten().next().unwrap_or(whole);
        let free = opens(text, start + whole.start()) && closes(text, start + value.end());
        if start + whole.end() < keyword.start || !free {
            return None;
        }
        let range = on_boundaries(text, start + value.start()..start + value.end());
        convinced(rule, text, range)
    })
}

fn compile(pattern: &str, anchored: bool) -> Option<Regex> {
    let anchor = if anchored { r"\A" } else { "" };
    RegexBuilder::new(&format!("{anchor}(?:{pattern})"))
        .unicode(false)
        .build()
        .ok()
}

/// Whether a matched value is random enough and not a placeholder.
fn is_convincing(rule: &Rule, value: SecretValue<'_>, after: &str) -> bool {
    if entropy_tenths(value) < rule.entropy || is_placeholder(value) {
        return false;
    }
    // A bare value has no form to vouch for it: "basic understanding" is not a credential.
    let bare = rule.class == Class::Named && !matches!(rule.matcher, Matcher::Beside { .. });
    if bare && !rule.weak_allowed && is_wordlike(value) {
        return false;
    }
    // A tutorial's password, or a local database's, is no secret.
    !(rule.weak_allowed && (is_default_password(value) && is_local(after) || is_stand_in(value)))
}

/// Whether the address behind a password is this machine or a made-up one.
fn is_local(after: &str) -> bool {
    let host = after.trim_start_matches('@');
    [
        "localhost",
        "127.",
        "0.0.0.0",
        "[::1]",
        "db",
        "database",
        "postgres",
        "mysql",
        "mongo",
        "redis",
        "rabbitmq",
        "host",
        "example",
    ]
    .iter()
    .any(|local| host.starts_with(local))
}

/// Words written where the password belongs.
fn is_stand_in(value: SecretValue<'_>) -> bool {
    matches!(
        value
            .expose()
            .trim_matches(['<', '>', '[', ']', '{', '}', '.', ',', ';'])
            .to_ascii_lowercase()
            .as_str(),
        "password"
            | "pass"
            | "passwd"
            | "pwd"
            | "pw"
            | "secret"
            | "token"
            | "key"
            | "p"
            | "pw123"
            | "apikey"
            | "api_key"
            | "api-key"
            | "x-oauth-basic"
    )
}

/// Whether a token may begin here: no letter or digit before it, but for an escape such as `\n`.
fn opens(text: &str, start: usize) -> bool {
    let Some([head @ .., last]) = text.as_bytes().get(..start) else {
        return true;
    };
    !last.is_ascii_alphanumeric()
        || (head.last() == Some(&b'\\') && matches!(last, b'n' | b'r' | b't'))
}

/// Whether a token may end here.
fn closes(text: &str, end: usize) -> bool {
    !text
        .as_bytes()
        .get(end)
        .is_some_and(u8::is_ascii_alphanumeric)
}

/// The bytes from `start` on that could belong to a token.
fn token_at(text: &str, start: usize) -> &[u8] {
    const LONGEST: usize = 512;
    let bytes = text.as_bytes().get(start..).unwrap_or_default();
    let length = bytes
        .iter()
        .take(LONGEST)
        .take_while(|byte| {
            byte.is_ascii_graphic()
                && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b',')
        })
        .count();
    bytes.get(..length).unwrap_or_default()
}

/// Expressions work on bytes: widen a range that cuts a character.
fn on_boundaries(text: &str, range: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end.min(text.len()));
    while start > 0 && !text.is_char_boundary(start) {
        start -= 1;
    }
    while end < text.len() && !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// One finding for each place: overlapping candidates become one, named by the most specific rule.
fn settle(text: &str, mut candidates: Vec<Candidate>) -> Vec<Finding> {
    candidates.sort_by_key(|candidate| (candidate.range.start, candidate.range.end));
    let mut clusters: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        match clusters.last_mut() {
            Some(cluster) if candidate.range.start < cluster.range.end => {
                let range = cluster.range.start..cluster.range.end.max(candidate.range.end);
                if specificity(&candidate) < specificity(cluster) {
                    *cluster = candidate;
                }
                cluster.range = range;
            }
            _ => clusters.push(candidate),
        }
    }
    let (mut line, mut counted) = (1, 0);
    clusters
        .into_iter()
        .map(|cluster| {
            let between = text
                .as_bytes()
                .get(counted..cluster.range.start)
                .unwrap_or_default();
            line += between.iter().filter(|byte| **byte == b'\n').count();
            counted = cluster.range.start;
            Finding {
                rule: cluster.rule,
                range: cluster.range,
                line,
            }
        })
        .collect()
}

/// Smaller is more specific: a format of its own, then a named service, then the order of the table.
fn specificity(candidate: &Candidate) -> (Class, usize) {
    (candidate.rule.class, candidate.order)
}
