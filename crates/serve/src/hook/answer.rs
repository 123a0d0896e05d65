//! What is answered, and how each client wants to read it.

use serde_json::{Map, Value, json};

use super::Client;
use super::fragment::within;

/// The most characters of context that a client takes, as it counts them: with more it shows a stub instead.
pub(super) const CONTEXT_CHARACTERS: usize = 9_990;

/// What an event is answered with.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// What the model reads.
    pub(super) context: String,
    /// What the user is told, and the model never.
    pub(super) message: String,
    /// Why a tool is not to be called.
    pub(super) denial: Option<String>,
    /// What a tool is called with instead.
    pub(super) input: Option<Value>,
    /// What the model sees instead of what a tool gave.
    pub(super) output: Option<Value>,
    /// Bare words, where a client takes no form.
    pub(super) words: String,
}

impl Reply {
    /// The answer in the client's form; nothing where there is nothing to say.
    pub(super) fn render(&self, client: Client, event: &str) -> String {
        if !self.words.is_empty() {
            return within(&self.words, CONTEXT_CHARACTERS);
        }
        let mut answer = Map::new();
        let mut specific = Map::new();
        if !self.context.is_empty() {
            let context = within(&self.context, CONTEXT_CHARACTERS);
            specific.insert("additionalContext".to_owned(), context.into());
        }
        match &self.denial {
            Some(reason) if client.denies_by_decision() => {
                answer.insert("decision".to_owned(), "deny".into());
                answer.insert("reason".to_owned(), reason.as_str().into());
            }
            Some(reason) => {
                specific.insert("permissionDecision".to_owned(), "deny".into());
                specific.insert(
                    "permissionDecisionReason".to_owned(),
                    reason.as_str().into(),
                );
            }
            None => {}
        }
        if let Some(input) = &self.input {
            // Another input counts only with a decision. Into memory the agent may write in any case.
            specific.insert("permissionDecision".to_owned(), "allow".into());
            specific.insert("updatedInput".to_owned(), input.clone());
        }
        if let Some(output) = &self.output {
            specific.insert("updatedToolOutput".to_owned(), output.clone());
        }
        if !specific.is_empty() {
            let mut named = Map::new();
            named.insert("hookEventName".to_owned(), event.into());
            named.extend(specific);
            answer.insert("hookSpecificOutput".to_owned(), named.into());
        }
        if !self.message.is_empty() {
            answer.insert("systemMessage".to_owned(), self.message.as_str().into());
        }
        match answer.is_empty() {
            true => String::new(),
            false => format!("{}\n", json!(answer)),
        }
    }
}
