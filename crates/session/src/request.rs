//! The bytes of the next request.

use std::hash::{DefaultHasher, Hash, Hasher};

use memdir_conversation::tokens::{Estimate, Measuring};
use memdir_conversation::{Block, Flattening, flatten};
use memdir_model::Request;

use crate::{Error, Prepared, Session};

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
        let system = self.system();
        let editing = self.after.editing.as_ref();
        let betas: Vec<&str> = editing.iter().map(|editing| editing.beta).collect();
        let most_output = match self.host.most_output {
            0 => facts.output,
            most => most,
        };
        let request = Request {
            system: &system,
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

    /// What is told before everything: the host's part, then ours, with a mark for the cache at its end.
    fn system(&self) -> Vec<Block> {
        let mut system = self.host.system.clone();
        let prompt = self.sections.prompt().unwrap_or_default();
        if !prompt.is_empty() {
            let json = serde_json::json!({
                "type": "text", "text": prompt, "cache_control": {"type": "ephemeral"},
            });
            system.extend(Block::from_json(&json.to_string()).ok());
        }
        system
    }

    /// Estimated tokens of the system prompt and of the tools. Both are long and the same in nearly every request: they are
    /// counted when they change.
    fn outside(&mut self) -> (u64, u64) {
        let prompt = self.sections.prompt().unwrap_or_default();
        let own = self.host.system.iter().map(Block::json);
        let mut hasher = DefaultHasher::new();
        prompt.hash(&mut hasher);
        own.for_each(|json| json.hash(&mut hasher));
        self.host.tools.hash(&mut hasher);
        let now = hasher.finish();
        if let Some((counted, system, tools)) = self.outside
            && counted == now
        {
            return (system, tools);
        }
        let estimate = self.tokens.estimate();
        let own = self.host.system.iter().filter_map(Block::words);
        let own: u64 = own.map(|text| estimate.text(&text)).sum();
        let system = estimate.text(prompt) + own;
        let tools = self.host.tools.iter().map(|tool| estimate.text(tool)).sum();
        self.outside = Some((now, system, tools));
        (system, tools)
    }

    /// How many tokens the next request has.
    pub(crate) fn used(&mut self) -> u64 {
        let (system, tools) = self.outside();
        let how = Measuring {
            edits: Some(&self.edits),
            model: Some(self.model.name()),
            system: Some(system),
            tools: Some(tools),
        };
        self.tokens.measure(&self.conversation, &how).tokens
    }
}
