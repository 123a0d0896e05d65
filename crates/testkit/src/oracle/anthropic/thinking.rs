//! Whether thinking comes back as it was sent.

use std::collections::{HashMap, HashSet};

use blake3::Hash;
use serde_json::Value;

use super::super::render::{Piece, Section, blocks, pieces, rendered};
use super::super::report::{Report, Rule};
use super::super::{Traits, Violation};
use super::roles::is_thinking;
use super::{kind, messages, role, text, traits};

const MODIFIED: &str = "`thinking` or `redacted_thinking` blocks in the latest assistant message \
                        cannot be modified. These blocks must remain as they were in the original \
                        response.";
const BOUND: &str = "Invalid `signature` in `thinking` block. The block is bound to a different \
                     conversation.";
const CORRUPT: &str = "Invalid `signature` in `thinking` block";

/// Remembers what thinking a server has sent, and to which request.
///
/// ```
/// use memdir_testkit::oracle::{anthropic::Witness, Rule};
/// use serde_json::json;
///
/// let mut request = json!({
///     "model": "claude-opus-5-5",
///     "max_tokens": 1000,
///     "messages": [{"role": "user", "content": "hello"}]
/// });
/// let answer = json!([
///     {"type": "thinking", "thinking": "a greeting", "signature": "s1"},
///     {"type": "text", "text": "hi"}
/// ]);
/// let mut witness = Witness::default();
/// witness.sent(&request, &answer);
///
/// let messages = request["messages"].as_array_mut().unwrap();
/// messages.push(json!({"role": "assistant", "content": answer}));
/// messages.push(json!({"role": "user", "content": "go on"}));
/// assert_eq!(witness.check(&request), []);
///
/// request["messages"][0]["content"] = "good day".into();
/// assert_eq!(witness.check(&request)[0].rule, Rule::ThinkingBound);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Witness {
    responses: Vec<Response>,
    by_key: HashMap<String, Vec<(usize, usize)>>,
}

#[derive(Debug, Clone)]
struct Response {
    model: String,
    thinking: Vec<Sent>,
}

/// One block of thinking as it left the server.
#[derive(Debug, Clone)]
struct Sent {
    key: String,
    rendered: String,
    /// Of everything before the block.
    prefix: Hash,
    /// How many other blocks of its response stood before it.
    others_before: usize,
}

impl Witness {
    /// Remembers the content of an answer to this request.
    pub fn sent(&mut self, request: &Value, content: &Value) {
        let model = text(request, "model").unwrap_or_default().to_owned();
        let mut prefix = Prefix::default();
        let list: Vec<&Value> = blocks(Some(content)).collect();
        // Only thinking is bound to anything.
        if list.iter().any(|block| key(block).is_some()) {
            for piece in pieces(request) {
                if !self.is_foreign(&piece, &model) {
                    prefix.add(&piece);
                }
            }
        }
        self.response(model, &mut prefix, &list);
    }

    /// Takes every assistant message of a request for an answer to what stands before it.
    ///
    /// For conversations that were made up: their thinking then counts as sent by a server.
    pub fn conversation(&mut self, request: &Value) {
        let model = text(request, "model").unwrap_or_default().to_owned();
        let mut prefix = Prefix::default();
        for piece in pieces(request)
            .iter()
            .filter(|piece| piece.section != Section::Messages)
        {
            prefix.add(piece);
        }
        let thinks = |message: &Value| {
            role(message) == "assistant"
                && blocks(message.get("content")).any(|block| key(block).is_some())
        };
        // Nothing is bound to what stands behind the last thinking.
        let list = messages(request);
        let end = list.iter().rposition(thinks).map_or(0, |last| last + 1);
        for (index, message) in list.iter().take(end).enumerate() {
            let content: Vec<&Value> = blocks(message.get("content")).collect();
            if role(message) == "assistant" {
                self.response(model.clone(), &mut prefix, &content);
                continue;
            }
            for (block, value) in content.into_iter().enumerate() {
                prefix.add(&Piece {
                    section: Section::Messages,
                    message: index,
                    block,
                    role: role(message),
                    value,
                });
            }
        }
    }

    fn response(&mut self, model: String, prefix: &mut Prefix, content: &[&Value]) {
        let mut thinking = Vec::new();
        let mut others_before = 0;
        for (block, value) in content.iter().enumerate() {
            if let Some(key) = key(value) {
                let place = (self.responses.len(), thinking.len());
                self.by_key.entry(key.to_owned()).or_default().push(place);
                thinking.push(Sent {
                    key: key.to_owned(),
                    rendered: rendered(value),
                    prefix: prefix.hash(),
                    others_before,
                });
            } else if stays(value) {
                others_before += 1;
            }
            prefix.add(&Piece {
                section: Section::Messages,
                message: 0,
                block,
                role: "assistant",
                value,
            });
        }
        self.responses.push(Response { model, thinking });
    }

    /// All thinking of a request that is not as it was sent.
    pub fn check(&self, request: &Value) -> Vec<Violation> {
        self.check_as(request, &traits(request))
    }

    /// The same for a model with other traits than its name says.
    pub fn check_as(&self, request: &Value, traits: &Traits) -> Vec<Violation> {
        let mut report = Report::default();
        let latest = latest(messages(request));
        let model = text(request, "model").unwrap_or_default();
        let mut prefix = Prefix::default();
        let row = pieces(request);
        let thinking = row.iter().rposition(|piece| key(piece.value).is_some());
        for piece in row.iter().take(thinking.map_or(0, |last| last + 1)) {
            let is_latest = latest.as_ref().is_some_and(|latest| {
                piece.section == Section::Messages && latest.contains(&piece.message)
            });
            if self.is_foreign(piece, model) {
                continue;
            }
            if piece.role == "assistant"
                && let Some(key) = key(piece.value)
            {
                let bound = traits.binds_thinking.then(|| prefix.hash());
                self.block(piece, key, bound, is_latest, &mut report);
            }
            if traits.binds_thinking {
                prefix.add(piece);
            }
        }
        for index in latest.into_iter().flatten() {
            if let Some(message) = messages(request).get(index) {
                self.whole(message, index, model, &mut report);
            }
        }
        report.violations
    }

    /// Sent by another model: the API drops such a block without a word.
    fn is_foreign(&self, piece: &Piece<'_>, model: &str) -> bool {
        let mut senders = key(piece.value)
            .into_iter()
            .flat_map(|key| self.senders(key));
        senders
            .next()
            .is_some_and(|(response, _)| response.model != model)
    }

    fn senders(&self, key: &str) -> impl Iterator<Item = (&Response, &Sent)> {
        self.by_key
            .get(key)
            .into_iter()
            .flatten()
            .filter_map(|(response, ordinal)| {
                let response = self.responses.get(*response)?;
                Some((response, response.thinking.get(*ordinal)?))
            })
    }

    /// One block: a known signature, on the text it was given to, behind the same prefix.
    fn block(
        &self,
        piece: &Piece<'_>,
        key: &str,
        bound: Option<Hash>,
        is_latest: bool,
        report: &mut Report,
    ) {
        let text = rendered(piece.value);
        let known: Vec<&Sent> = self.senders(key).map(|(_, sent)| sent).collect();
        if known.is_empty() {
            report.add(Rule::ThinkingSignature, piece.path(), CORRUPT);
        } else if !known.iter().any(|sent| sent.rendered == text) {
            let (rule, message) = if is_latest {
                (Rule::ThinkingModified, MODIFIED)
            } else {
                (Rule::ThinkingSignature, CORRUPT)
            };
            report.add(rule, piece.path(), message);
        } else if let Some(prefix) = bound
            && !known.iter().any(|sent| sent.prefix == prefix)
        {
            report.add(Rule::ThinkingBound, piece.path(), BOUND);
        }
    }

    /// Of each response whose thinking stands in the latest message, all of it does, in place.
    fn whole(&self, message: &Value, index: usize, model: &str, report: &mut Report) {
        let content: Vec<&Value> = blocks(message.get("content")).collect();
        let mut responses: Vec<usize> = content
            .iter()
            .filter_map(|block| self.by_key.get(key(block)?)?.last())
            .map(|(response, _)| *response)
            .collect();
        responses.dedup();
        let mut seen = HashSet::new();
        for response in responses.iter().filter(|response| seen.insert(**response)) {
            let Some(sent) = self.responses.get(*response) else {
                continue;
            };
            if sent.model == model && !in_place(&content, &sent.thinking) {
                report.add(
                    Rule::ThinkingModified,
                    format!("messages.{index}.content"),
                    MODIFIED,
                );
            }
        }
    }
}

/// Whether the blocks stand in this order, with as many other blocks between them as when sent.
fn in_place(content: &[&Value], sent: &[Sent]) -> bool {
    let mut others = 0;
    let mut places = Vec::new();
    for block in content {
        match key(block) {
            Some(key) if sent.iter().any(|sent| sent.key == key) => places.push((key, others)),
            Some(_) => {}
            None if stays(block) => others += 1,
            None => {}
        }
    }
    // A message may hold several responses one after the other, so only distances count.
    let first = places.first().map_or(0, |(_, others)| *others);
    let first_sent = sent.first().map_or(0, |sent| sent.others_before);
    first >= first_sent
        && places.len() == sent.len()
        && places.iter().zip(sent).all(|((key, others), sent)| {
            *key == sent.key && others - first == sent.others_before - first_sent
        })
}

/// The indices of the latest assistant message and of its neighbours of the same role.
fn latest(list: &[Value]) -> Option<std::ops::Range<usize>> {
    let last = list
        .iter()
        .rposition(|message| role(message) == "assistant")?;
    let run = list
        .iter()
        .take(last + 1)
        .rev()
        .take_while(|message| role(message) == "assistant")
        .count();
    Some(last + 1 - run..last + 1)
}

/// What tells one block of thinking from all others.
fn key(block: &Value) -> Option<&str> {
    match kind(block) {
        "thinking" => text(block, "signature"),
        kind if is_thinking(kind) => text(block, "data"),
        _ => None,
    }
}

/// Whether a block is sent back: an empty text cannot be.
fn stays(block: &Value) -> bool {
    kind(block) != "text" || text(block, "text") != Some("")
}

/// The hash of the pieces so far.
#[derive(Debug, Clone, Default)]
struct Prefix(blake3::Hasher);

impl Prefix {
    fn add(&mut self, piece: &Piece<'_>) {
        if stays(piece.value) {
            self.0.update(piece.rendered().as_bytes());
        }
    }

    fn hash(&self) -> Hash {
        self.0.finalize()
    }
}
