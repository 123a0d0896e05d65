//! What requests cost, in tokens.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde_json::{Value, json};

/// The tokens of one request or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Neither read from the cache nor written to it.
    pub input: u64,
    /// Written to the cache for five minutes.
    pub cache_write_5m: u64,
    /// Written to the cache for an hour.
    pub cache_write_1h: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// What the model said.
    pub output: u64,
}

impl Usage {
    /// All that was sent, cached or not.
    pub fn whole_input(&self) -> u64 {
        self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read
    }

    /// The share of the input that came from the cache, from 0 to 1.
    pub fn read_share(&self) -> f64 {
        let whole = self.whole_input();
        if whole == 0 {
            return 0.0;
        }
        self.cache_read as f64 / whole as f64
    }

    /// As the Messages API reports it.
    pub(super) fn anthropic(&self) -> Value {
        json!({
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write_5m + self.cache_write_1h,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_write_5m,
                "ephemeral_1h_input_tokens": self.cache_write_1h
            },
            "output_tokens": self.output,
            "service_tier": "standard"
        })
    }

    /// As Chat Completions report it.
    pub(super) fn openai(&self) -> Value {
        json!({
            "prompt_tokens": self.whole_input(),
            "completion_tokens": self.output,
            "total_tokens": self.whole_input() + self.output,
            "prompt_tokens_details": {"cached_tokens": self.cache_read, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0}
        })
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "input": self.input,
            "cache_write_5m": self.cache_write_5m,
            "cache_write_1h": self.cache_write_1h,
            "cache_read": self.cache_read,
            "output": self.output
        })
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cache_write_5m += other.cache_write_5m;
        self.cache_write_1h += other.cache_write_1h;
        self.cache_read += other.cache_read;
        self.output += other.output;
    }
}

/// What all requests so far came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests to a model that were answered, at least in part.
    pub answered: u64,
    /// Requests that got an error instead.
    pub refused: u64,
    /// The tokens of all.
    pub usage: Usage,
    /// The tokens by model.
    pub by_model: BTreeMap<String, Usage>,
}

impl Totals {
    pub(super) fn json(&self) -> Value {
        let models: serde_json::Map<String, Value> = self
            .by_model
            .iter()
            .map(|(model, usage)| (model.clone(), usage.json()))
            .collect();
        json!({
            "answered": self.answered,
            "refused": self.refused,
            "usage": self.usage.json(),
            "by_model": models
        })
    }
}
