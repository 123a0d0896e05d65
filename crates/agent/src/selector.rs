//! A model that selects what to recall: a manifest in, a few names out.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use memdir_context::selector_prompt;
use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_memory::scrub_to;
use memdir_model::{Body, Cancel, Effort, Error, Format, Model, Request, Thinks};
use memdir_recall::{MAX_SELECTED, Request as Question, Selector, SelectorError};
use serde_json::{Value, json};

use crate::Meter;

/// What it is called in the ledger.
const PURPOSE: &str = "recall";
/// The longest answer.
const ANSWER_TOKENS: u64 = 256;
/// What is added for models that think first, whether they are asked to or not.
const THINKING_TOKENS: u64 = 2_048;
/// So much of what the user said is sent.
const QUERY_CHARACTERS: usize = 8_000;
/// The form of the answer.
const SCHEMA: &str = r#"{"type":"object","properties":{"selected_memories":{"type":"array","items":{"type":"string"}}},"required":["selected_memories"],"additionalProperties":false}"#;

/// Asks a small model which memories help.
#[derive(Debug, Clone)]
pub struct ModelSelector {
    /// Who is asked.
    pub model: Arc<dyn Model>,
    /// What it may cost, and where that is written down.
    pub meter: Meter,
    /// Stops it from anywhere, and from its deadline on for good: each question has a selector of its own.
    pub cancel: Cancel,
}

impl ModelSelector {
    fn body(&self, question: &Question) -> Result<Body, String> {
        let prompt = selector_prompt(MAX_SELECTED).map_err(|error| error.to_string())?;
        let system = [Block::text(&prompt)];
        let query = scrub_to(&question.query, QUERY_CHARACTERS);
        let memories: Vec<&str> = question
            .manifest
            .iter()
            .map(|(_, line)| line.as_str())
            .collect();
        let asked = json!({
            "query": query,
            "memories": memories,
            "tools": question.tools,
        });
        let asked = Message::user("selector", &asked.to_string());
        let flat = flatten(&[&asked], &Flattening::default());
        let thinks = self.model.facts().thinking == Thinks::Always;
        let request = Request {
            system: &system,
            effort: thinks.then_some(Effort::Low),
            format: Some(Format {
                name: "selection",
                schema: SCHEMA,
            }),
            ..Request::new(
                &flat,
                ANSWER_TOKENS + if thinks { THINKING_TOKENS } else { 0 },
            )
        };
        self.model.body(&request).map_err(|error| error.to_string())
    }

    fn ask(&self, body: &Body, cancel: &Cancel) -> Result<Vec<String>, SelectorError> {
        let sent = self.meter.send(&*self.model, PURPOSE, body, cancel);
        let reply = sent
            .and_then(|answer| answer.whole())
            .map_err(|error| match error {
                crate::MeterError::Model(Error::Cancelled) => SelectorError::Late,
                error => SelectorError::Failed(error.to_string()),
            })?;
        names(&reply.words())
            .ok_or_else(|| SelectorError::Failed("the answer is not what was asked for".to_owned()))
    }
}

impl Selector for ModelSelector {
    fn select(
        &self,
        question: &Question,
        deadline: Duration,
    ) -> Result<Vec<String>, SelectorError> {
        let body = self.body(question).map_err(SelectorError::Failed)?;
        let (over, ended) = mpsc::channel::<()>();
        let late = self.cancel.clone();
        // Whoever looks at the clock; it ends with the answer.
        let clock = std::thread::Builder::new().spawn(move || {
            if ended.recv_timeout(deadline) == Err(RecvTimeoutError::Timeout) {
                late.cancel();
            }
        });
        let answer = self.ask(&body, &self.cancel);
        drop(over);
        if let Ok(clock) = clock {
            let _ = clock.join();
        }
        answer
    }
}

/// The names of an answer, which small models put into a fence or some words.
fn names(answer: &str) -> Option<Vec<String>> {
    let start = answer.find(['{', '['])?;
    let rest = answer.get(start..)?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let list = match values.next()?.ok()? {
        Value::Object(mut object) => object.remove("selected_memories")?,
        list => list,
    };
    let names = list.as_array()?.iter().filter_map(Value::as_str);
    Some(names.map(str::to_owned).collect())
}
