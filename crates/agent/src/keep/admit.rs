//! What may be kept of a text: nothing private, nothing hidden, no secret; and the marks that tell where it came from.

use std::borrow::Cow;

use memdir_memory::draft::Draft;
use memdir_memory::{Source, Topic, hidden, naming, secrets, strip_private};
use memdir_store::SecretPolicy;

use super::{Keeper, Suggestion, Why};

/// The longest stretch of the user's words that is cited, in characters.
const EVIDENCE: usize = 300;

/// Where a memory came from, as its header says it.
pub(super) struct Marks(Vec<(&'static str, String)>);

impl Keeper<'_> {
    /// A draft, with the words it stands on, as they may be kept.
    pub(super) fn admitted(
        &self,
        draft: &Draft,
        evidence: Option<&str>,
        team: bool,
    ) -> Result<(Draft, Option<String>), Why> {
        let typed = draft.typed.as_str();
        let mut draft = draft.clone();
        for text in [
            &mut draft.name,
            &mut draft.description,
            &mut draft.body,
            &mut draft.typed,
        ] {
            *text = self.admit(text, team)?;
        }
        if draft.body.trim().is_empty() {
            return Err(Why::Empty);
        }
        if draft.typed != typed {
            // What was guessed was guessed from words that are gone.
            let guess = naming::guess(&draft.body);
            for what in draft.guessed.clone() {
                match what {
                    "name" => draft.name.clone_from(&guess.name),
                    "description" => draft.description.clone_from(&guess.description),
                    _ => {}
                }
            }
        }
        let evidence = evidence.map(|evidence| self.admit(evidence, team));
        Ok((draft, evidence.transpose()?))
    }

    /// A whole file as it may be kept.
    pub(super) fn admitted_topic(&self, topic: &Topic, team: bool) -> Result<Topic, Why> {
        let Ok(text) = std::str::from_utf8(topic.bytes()) else {
            return Err(Why::Empty);
        };
        let admitted = Topic::parse(self.admit(text, team)?.as_bytes());
        match admitted.body_text().trim().is_empty() {
            true => Err(Why::Empty),
            false => Ok(admitted),
        }
    }

    pub(super) fn admit(&self, text: &str, team: bool) -> Result<String, Why> {
        let seen = hidden::clean(text).text;
        let shown = match strip_private(&seen) {
            // Of the spaces around a span one stays.
            Cow::Owned(cut) => cut.replace("  ", " ").into(),
            whole @ Cow::Borrowed(_) => whole,
        };
        let redacted = secrets::redact(&shown);
        match redacted.findings.first() {
            None => Ok(shown.into_owned()),
            Some(finding) if team || self.secrets == SecretPolicy::Refuse => Err(Why::Secret {
                rule: finding.rule.id,
            }),
            Some(_) => Ok(redacted.text.into_owned()),
        }
    }

    /// The marks for a suggestion.
    pub(super) fn marks(&self, suggestion: &Suggestion, evidence: Option<&str>) -> Marks {
        let conversation = suggestion
            .conversation
            .as_ref()
            .or(self.reason.conversation.as_ref());
        let marks = [
            ("originSessionId", conversation.cloned()),
            ("message", suggestion.message.clone()),
            ("evidence", evidence.map(cut)),
        ];
        let given = marks
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        Marks(given.collect())
    }
}

impl Marks {
    /// As keys and values of a new header.
    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        self.0
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect()
    }

    /// On a file that there is. A header in a form that cannot be edited keeps what it says.
    pub(super) fn on(&self, topic: Topic, source: Source) -> Topic {
        let source = [("source", source.as_str())];
        let marks = source.into_iter().chain(self.pairs());
        marks.fold(topic, |topic, (key, value)| {
            topic.with_metadata(key, value).unwrap_or(topic)
        })
    }
}

/// The words on one line, not too many of them.
fn cut(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EVIDENCE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}
