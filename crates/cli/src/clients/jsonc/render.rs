//! A value of ours as text, in the manner of the file that it goes into.

use serde_json::Value;

/// How a file is written.
pub(super) struct Style {
    /// How lines end.
    pub(super) end: &'static str,
    /// One level of indentation.
    pub(super) unit: String,
    /// Whether what is in an object stands on lines of its own.
    pub(super) is_open: bool,
}

impl Style {
    /// The text of a value whose first line is indented this far. So many levels of it are spread over lines; an entry
    /// itself is one line.
    pub(super) fn render(&self, value: &Value, indent: &str, levels: usize) -> String {
        let inner = format!("{indent}{}", self.unit);
        let below = levels.saturating_sub(1);
        let gap = if self.is_open { " " } else { "" };
        match value {
            Value::Object(members) if !members.is_empty() => {
                let members = members.iter().map(|(name, value)| {
                    let name = Value::String(name.clone());
                    format!("{name}:{gap}{}", self.render(value, &inner, below))
                });
                let members: Vec<String> = members.collect();
                match self.is_open && levels > 0 {
                    true => self.spread('{', &members, '}', indent),
                    false => format!("{{{gap}{}{gap}}}", members.join(&format!(",{gap}"))),
                }
            }
            Value::Array(values) if !values.is_empty() => {
                let values = values.iter().map(|value| self.render(value, &inner, below));
                let values: Vec<String> = values.collect();
                match self.is_open && levels > 0 {
                    true => self.spread('[', &values, ']', indent),
                    false => format!("[{}]", values.join(&format!(",{gap}"))),
                }
            }
            plain => plain.to_string(),
        }
    }

    fn spread(&self, open: char, parts: &[String], close: char, indent: &str) -> String {
        let end = self.end;
        let inner = format!("{end}{indent}{}", self.unit);
        let parts = parts.join(&format!(",{inner}"));
        format!("{open}{inner}{parts}{end}{indent}{close}")
    }
}
