//! Every request that the model saw. What a request repeats of an earlier one, byte for byte, is named; the rest is shown,
//! long texts by their beginning.

use std::fmt::Write as _;

use memdir_testkit::server::Exchange;
use serde_json::Value;

/// So much of a text is shown.
const SHOWN: usize = 160;

/// One request, told apart from the others.
struct Sent {
    /// How it is asked: the longest answer, thinking, and where the cache is told to remember.
    how: String,
    system: Value,
    tools: Value,
    messages: Vec<Value>,
}

impl Sent {
    fn of(exchange: &Exchange) -> Self {
        let mut body = exchange.json();
        let how = how(&body);
        unmark(&mut body);
        Self {
            how,
            system: body["system"].clone(),
            tools: body["tools"].clone(),
            messages: body["messages"].as_array().cloned().unwrap_or_default(),
        }
    }

    /// How many messages are the same as those of another request.
    fn repeats(&self, other: &Self) -> usize {
        if (&self.system, &self.tools) != (&other.system, &other.tools) {
            return 0;
        }
        let pairs = self.messages.iter().zip(&other.messages);
        pairs.take_while(|(one, other)| one == other).count()
    }
}

fn how(body: &Value) -> String {
    let mut how = format!("at most {}", body["max_tokens"]);
    let told = ["thinking", "output_config", "context_management"];
    for name in told.into_iter().filter(|name| !body[name].is_null()) {
        write!(how, ", {name} {}", body[name]).unwrap();
    }
    let blocks = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut marked = Vec::new();
    for (name, parts) in [("system", &body["system"]), ("tools", &body["tools"])] {
        if blocks(parts)
            .iter()
            .any(|part| !part["cache_control"].is_null())
        {
            marked.push(name.to_owned());
        }
    }
    // From the end: there they stand, however long the conversation is.
    for (at, message) in blocks(&body["messages"]).iter().rev().enumerate() {
        let content = blocks(&message["content"]);
        let marks = content.iter().rev().enumerate();
        for (block, _) in marks.filter(|(_, block)| !block["cache_control"].is_null()) {
            marked.push(match (at, block) {
                (0, 0) => "the end".to_owned(),
                (at, 0) => format!("{at} before it"),
                (at, block) => format!("{at} before it, block {block} from its end"),
            });
        }
    }
    match marked.is_empty() {
        true => format!("{how}, no marks"),
        false => format!("{how}, marks: {}", marked.join(" + ")),
    }
}

/// Marks for the cache move from request to request and are no part of what is said.
fn unmark(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("cache_control");
            fields.values_mut().for_each(unmark);
        }
        Value::Array(items) => items.iter_mut().for_each(unmark),
        _ => {}
    }
}

/// All of them, each with its turn and the step that answered.
pub(super) fn shown(exchanges: &[(usize, Exchange)]) -> String {
    let mut text = String::new();
    let mut sent: Vec<Sent> = Vec::new();
    for (number, (turn, exchange)) in exchanges.iter().enumerate() {
        let now = Sent::of(exchange);
        // The latest of those that it repeats most of.
        let before = sent.iter().enumerate().rev();
        let parent = before
            .map(|(at, one)| (now.repeats(one), std::cmp::Reverse(sent.len() - at), at))
            .max();
        let step = exchange.step.as_deref().unwrap_or("-");
        write!(text, "#{number} turn {turn}, {step} ({}):", now.how).unwrap();
        let same = match parent {
            Some((same, _, at)) if same > 0 => {
                let whole = sent[at].messages.len();
                let of = if same == whole {
                    "all".to_owned()
                } else {
                    format!("the first {same}")
                };
                writeln!(text, " as #{at}, {of}, and").unwrap();
                same
            }
            _ => {
                writeln!(text, " new").unwrap();
                system(&mut text, &now);
                0
            }
        };
        for message in now.messages.iter().skip(same) {
            blocks(&mut text, message);
        }
        sent.push(now);
    }
    text
}

/// The headings of the system prompt, and the names of the tools.
fn system(text: &mut String, sent: &Sent) {
    for block in sent.system.as_array().into_iter().flatten() {
        let words = block["text"].as_str().unwrap_or_default();
        let headings: Vec<&str> = words
            .lines()
            .filter(|line| line.starts_with("# "))
            .collect();
        let shown = match headings.is_empty() {
            true => words.to_owned(),
            false => headings.join(", "),
        };
        writeln!(text, "  system: {}", short(&shown)).unwrap();
    }
    let tools = sent.tools.as_array().into_iter().flatten();
    let tools: Vec<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    writeln!(text, "  tools: {}", tools.join(", ")).unwrap();
}

fn blocks(text: &mut String, message: &Value) {
    let role = message["role"].as_str().unwrap_or_default();
    let one = [message["content"].clone()];
    let all = message["content"]
        .as_array()
        .map_or(one.as_slice(), Vec::as_slice);
    for block in all {
        let shown = match block["type"].as_str() {
            Some("text") => short(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") => short(&format!(
                "{} {}",
                block["name"].as_str().unwrap(),
                block["input"]
            )),
            Some("tool_result") => short(&format!("= {}", block["content"])),
            _ => short(&block.to_string()),
        };
        writeln!(text, "  {role}: {shown}").unwrap();
    }
}

/// One line; a word that nobody can guess is as good as another.
fn short(text: &str) -> String {
    let is_word = |word: &str| word.len() == 32 && word.chars().all(|c| c.is_ascii_hexdigit());
    let text = text.replace('\n', " ⏎ ");
    let words: Vec<&str> = text
        .split(' ')
        .map(|word| if is_word(word) { "WORD" } else { word })
        .collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
