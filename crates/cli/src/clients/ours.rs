//! Telling our entries from others'.

use std::path::Path;

use serde_json::Value;

use super::Client;

/// What an entry has to be to count as ours: the right arguments, and a program that is memdir or that we wrote there.
#[derive(Debug, Clone)]
pub(crate) struct Ours {
    pub(crate) client: Client,
    /// The program that is to stand in new entries.
    pub(crate) program: String,
    /// Programs that we have written before, whatever they are called.
    pub(crate) written: Vec<String>,
}

/// The name of our server, in every client.
pub(super) const SERVER: &str = "memdir";

impl Ours {
    /// Whether this is memdir.
    fn is_program(&self, program: &str) -> bool {
        let name = Path::new(program).file_name();
        program == self.program
            || self.written.iter().any(|written| written == program)
            || name.is_some_and(|name| name == "memdir" || name == "memdir.exe")
    }

    /// Whether a hook is ours.
    pub(super) fn owns_hook(&self, handler: &Value) -> bool {
        let words = words_of(handler);
        let (program, arguments) = match words.split_first() {
            Some((program, arguments)) => (program, arguments),
            None => return false,
        };
        let is_hook = arguments
            .iter()
            .map(String::as_str)
            .eq(["hook", self.client.word()]);
        is_hook && self.is_program(program)
    }

    /// Whether a server is ours.
    pub(super) fn owns_server(&self, server: &Value) -> bool {
        self.owns_start(&words_of(server))
    }

    /// Whether this starts our server.
    pub(super) fn owns_start(&self, words: &[String]) -> bool {
        match words {
            [program, first, ..] => first == "mcp" && self.is_program(program),
            _ => false,
        }
    }

    /// The command of a hook as one line for a shell.
    pub(super) fn shell_line(&self) -> String {
        format!("{} hook {}", quoted(&self.program), self.client.word())
    }
}

/// The program of an entry and its arguments, in whichever form it names them.
fn words_of(entry: &Value) -> Vec<String> {
    let list = |value: &Value| -> Vec<String> {
        let words = value.as_array().into_iter().flatten();
        words
            .map(|word| word.as_str().unwrap_or_default().to_owned())
            .collect()
    };
    match (entry.get("command"), entry.get("args")) {
        (Some(Value::String(program)), Some(arguments)) => {
            let program = std::iter::once(program.clone());
            program.chain(list(arguments)).collect()
        }
        (Some(Value::String(line)), None) => shell_words(line),
        (Some(words @ Value::Array(_)), _) => list(words),
        _ => Vec::new(),
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The words of a plain command; one that is more than that is not ours.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(mark), c) if c == mark => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours(program: &str) -> Ours {
        Ours {
            client: Client::ClaudeCode,
            program: program.to_owned(),
            written: vec!["/opt/renamed".to_owned()],
        }
    }

    #[test]
    fn an_entry_is_ours_by_its_arguments_and_its_program() {
        let ours = ours("/home/ada/it's mine/recollect");
        let hooks = [
            (
                json!({"command": "/usr/bin/memdir", "args": ["hook", "claude-code"]}),
                true,
            ),
            (json!({"command": "memdir hook claude-code"}), true),
            (
                json!({"command": "'/my dir/memdir'  hook  claude-code"}),
                true,
            ),
            (json!({"command": ours.shell_line()}), true),
            (
                json!({"command": "/opt/renamed", "args": ["hook", "claude-code"]}),
                true,
            ),
            // Another client's, another program's, and more than the bare command.
            (json!({"command": "memdir hook codex"}), false),
            (
                json!({"command": "/usr/bin/other", "args": ["hook", "claude-code"]}),
                false,
            ),
            (json!({"command": "memdir hook claude-code; rm x"}), false),
            (
                json!({"command": "memdir", "args": ["hook", "claude-code", "--more"]}),
                false,
            ),
            (
                json!({"type": "http", "url": "memdir hook claude-code"}),
                false,
            ),
            (json!("memdir hook claude-code"), false),
        ];
        for (handler, expected) in hooks {
            assert_eq!(ours.owns_hook(&handler), expected, "{handler}");
        }
        let servers = [
            (json!({"command": "/usr/bin/memdir", "args": ["mcp"]}), true),
            (
                json!({"type": "local", "command": ["/opt/renamed", "mcp"]}),
                true,
            ),
            (json!({"command": "npx", "args": ["memdir", "mcp"]}), false),
            (json!({"url": "http://127.0.0.1"}), false),
        ];
        for (server, expected) in servers {
            assert_eq!(ours.owns_server(&server), expected, "{server}");
        }
    }
}
