//! The bytes of the next request.

use std::sync::Arc;

use memdir_conversation::tokens::{Estimate, Measuring};
use memdir_conversation::{Block, Edits, Flattening, flatten};
use memdir_model::{Model, Request};

use crate::host::tool_names;
use crate::{Error, Host, Prepared, Session};

/// What a request has outside of its messages, and what that was made of.
#[derive(Debug)]
pub(crate) struct Outside {
    prompt: String,
    host: Vec<Block>,
    tools: Vec<Arc<str>>,
    /// The host's part, then ours, with a mark for the cache at its end.
    blocks: Vec<Block>,
    /// The names of the tools.
    pub(crate) tool_names: Vec<String>,
    /// Estimated.
    system_tokens: u64,
    tools_tokens: u64,
}

impl Outside {
    fn new(prompt: &str, host: &[Block], tools: &[Arc<str>], estimate: &impl Estimate) -> Self {
        let mut blocks = host.to_vec();
        if !prompt.is_empty() {
            let json = serde_json::json!({
                "type": "text", "text": prompt, "cache_control": {"type": "ephemeral"},
            });
            blocks.extend(Block::from_json(&json.to_string()).ok());
        }
        let own = host.iter().filter_map(Block::words);
        let own: u64 = own.map(|text| estimate.text(&text)).sum();
        Self {
            prompt: prompt.to_owned(),
            host: host.to_vec(),
            tools: tools.to_vec(),
            blocks,
            tool_names: tool_names(tools),
            system_tokens: estimate.text(prompt) + own,
            tools_tokens: tools.iter().map(|tool| estimate.text(tool)).sum(),
        }
    }
}

impl Session {
    /// The next request, as things are.
    pub(crate) fn prepared(&mut self) -> Result<Prepared, Error> {
        self.save()?;
        let standing = self.standing();
        let visible = self.conversation.visible();
        let facts = self.model.facts();
        let how = Flattening {
            edits: Some(&self.edits),
            system_messages: facts.system_messages,
        };
        let flat = flatten(&visible, &how);
        let last = flat.messages.len().checked_sub(1).ok_or(Error::Nothing)?;
        // Where the request before ended, so that a long turn still finds it; and here.
        let marks: Vec<usize> = [last.checked_sub(2), Some(last)]
            .into_iter()
            .flatten()
            .collect();
        let system = self.outside.as_ref();
        let system = system.map(|outside| outside.blocks.as_slice());
        let editing = self.after.editing.as_ref();
        let betas: Vec<&str> = editing.iter().map(|editing| editing.beta).collect();
        let most_output = match self.host.most_output {
            0 => facts.output,
            most => most,
        };
        let request = Request {
            system: system.unwrap_or_default(),
            tools: &self.host.tools,
            marks: &marks,
            thinking: self.host.thinking,
            effort: self.host.effort,
            context_editing: editing.map(|editing| editing.json.as_str()),
            betas: &betas,
            ..Request::new(&flat, most_output)
        };
        let body = self.model.body(&request)?;
        self.sent = Some(body.clone());
        Ok(Prepared {
            body,
            standing,
            events: self.take_events(),
        })
    }

    /// What is outside of the messages. It is long and the same in nearly every request: it is made and counted when it
    /// changes.
    pub(crate) fn outside(&mut self) -> &Outside {
        let prompt = self.sections.prompt().unwrap_or_default();
        let Host { system, tools, .. } = &self.host;
        let known = self.outside.take();
        let same = known.filter(|known| {
            known.prompt == prompt && known.host == *system && known.tools == *tools
        });
        let estimate = self.tokens.estimate();
        self.outside
            .insert(same.unwrap_or_else(|| Outside::new(prompt, system, tools, estimate)))
    }

    /// Estimated tokens of the system prompt and of the tools.
    pub(crate) fn outside_tokens(&mut self) -> (u64, u64) {
        let outside = self.outside();
        (outside.system_tokens, outside.tools_tokens)
    }

    /// How many tokens the next request has.
    pub(crate) fn used(&mut self) -> u64 {
        let (system, tools) = self.outside_tokens();
        let how = measuring(&self.edits, &*self.model, system, tools);
        self.tokens.measure(&self.conversation, &how).tokens
    }
}

/// What is counted.
pub(crate) fn measuring<'a>(
    edits: &'a Edits,
    model: &'a dyn Model,
    system: u64,
    tools: u64,
) -> Measuring<'a> {
    Measuring {
        edits: Some(edits),
        model: Some(model.name()),
        system: Some(system),
        tools: Some(tools),
        folder: None,
    }
}
