//! A request as Chat Completions take it.

use std::sync::Arc;

use memdir_conversation::wire::openai::messages;

use crate::facts::{Facts, Thinks};
use crate::json::Fields;
use crate::request::{Body, Request, Writing, array};

/// The bytes of a request. The provider caches by itself: marks are not sent.
pub(super) fn write(model: &str, limit: &str, facts: &Facts, request: &Request<'_>) -> Body {
    let messages = messages(request.messages);
    let mut json = Writing::new(messages.len() + 4096);
    json.text("model", model);
    json.field(limit, &request.most_output.to_string());
    json.field("stream", "true");
    json.field("stream_options", r#"{"include_usage":true}"#);
    let tools: Vec<String> = request
        .tools
        .iter()
        .filter_map(|tool| function(tool))
        .collect();
    if !tools.is_empty() {
        json.field("tools", &array(tools.iter().map(String::as_str)));
    }
    if let Some(effort) = request.effort.filter(|_| facts.thinking != Thinks::None) {
        json.text("reasoning_effort", effort.as_str());
    }
    if let Some(format) = &request.format {
        let mut schema = Writing::new(256);
        schema.text("name", format.name);
        schema.field("schema", format.schema);
        let mut form = Writing::new(256);
        form.text("type", "json_schema");
        form.field("json_schema", &schema.end());
        json.field("response_format", &form.end());
    }
    json.field("messages", &with_system(request, &messages));
    for (name, value) in request.more {
        json.field(name, value);
    }
    Body::raw(Arc::from(json.end()), Vec::new(), request.most_output)
}

/// The messages behind what the model is told first.
fn with_system(request: &Request<'_>, messages: &str) -> String {
    let words: Vec<_> = request
        .system
        .iter()
        .filter_map(|block| block.words())
        .collect();
    if words.is_empty() {
        return messages.to_owned();
    }
    let mut system = Writing::new(256);
    system.text("role", "system");
    system.text("content", &words.join("\n\n"));
    let system = system.end();
    match messages.strip_prefix('[') {
        Some("]") => format!("[{system}]"),
        Some(rest) => format!("[{system},{rest}"),
        None => messages.to_owned(),
    }
}

/// A tool in this API's form; its schema stays as it is. One that only the other provider has is left out.
fn function(tool: &str) -> Option<String> {
    let fields = Fields::of(tool)?;
    let mut function = Writing::new(tool.len());
    function.field("name", fields.get("name")?);
    if let Some(description) = fields.get("description") {
        function.field("description", description);
    }
    function.field("parameters", fields.get("input_schema")?);
    let mut tool = Writing::new(tool.len() + 40);
    tool.text("type", "function");
    tool.field("function", &function.end());
    Some(tool.end())
}
