//! The bytes of the next request.

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

    /// How many tokens the next request has.
    pub(crate) fn used(&mut self) -> u64 {
        let prompt = self.sections.prompt().unwrap_or_default();
        let own = self.host.system.iter().filter_map(Block::words);
        let estimate = self.tokens.estimate();
        let count = |text: &str| estimate.text(text);
        let system = count(prompt) + own.map(|text| count(&text)).sum::<u64>();
        let tools = self.host.tools.iter().map(|tool| count(tool)).sum();
        let how = Measuring {
            edits: Some(&self.edits),
            model: Some(self.model.name()),
            system: Some(system),
            tools: Some(tools),
        };
        self.tokens.measure(&self.conversation, &how).tokens
    }
}
