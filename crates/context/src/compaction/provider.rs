//! Clearing by the provider itself, which leaves what we send as it is.

use serde_json::json;

use super::tools::Tool;
use crate::limits::ClearedLimits;

/// What to ask a provider for that clears results by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEditing {
    /// The header value that the request needs.
    pub beta: &'static str,
    /// The JSON of `context_management`.
    pub json: String,
}

impl ProviderEditing {
    /// The same for every request of a conversation: the provider decides by its own count when it is time.
    ///
    /// ```
    /// use memdir_context::{Configured, Limits, compaction::ProviderEditing};
    ///
    /// let limits = Limits::new(200_000, 32_000, &Configured::default());
    /// let editing = ProviderEditing::new(limits.thresholds.warning, limits.cleared, &["Read", "Task"]);
    /// assert!(editing.json.contains(r#""exclude_tools":["Task"]"#));
    /// ```
    #[must_use]
    pub fn new(warning: u64, limits: ClearedLimits, tools: &[&str]) -> Self {
        let mut others: Vec<&str> = tools
            .iter()
            .copied()
            .filter(|name| Tool::named(name).is_none())
            .collect();
        others.sort_unstable();
        others.dedup();
        let json = json!({"edits": [{
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": warning},
            "keep": {"type": "tool_uses", "value": limits.results},
            "clear_at_least": {"type": "input_tokens", "value": limits.saving},
            "exclude_tools": others,
        }]});
        Self {
            beta: "context-management-2025-06-27",
            json: json.to_string(),
        }
    }
}
