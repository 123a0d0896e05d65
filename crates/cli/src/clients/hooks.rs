//! Hooks in a JSON file: which events, and the entry of each.

use serde_json::{Map, Value, json};

use super::jsonc::{Inserted, Problem, Slot, Step, Tree, replaced, without};
use super::notes::Notes;
use super::{Client, Ours};

/// An event that a client tells us of.
pub(crate) struct Event {
    pub(crate) name: &'static str,
    /// Which tools it is told about; all where nothing is said.
    matcher: Option<&'static str>,
    /// How long the client waits, in its own unit.
    timeout: u32,
}

const fn event(name: &'static str, matcher: Option<&'static str>, timeout: u32) -> Event {
    Event {
        name,
        matcher,
        timeout,
    }
}

/// A hook takes milliseconds; these are for a machine that is busy. In seconds.
const CLAUDE_CODE: [Event; 7] = [
    event("SessionStart", None, 10),
    event("UserPromptSubmit", None, 10),
    event(
        "PreToolUse",
        Some("Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*"),
        10,
    ),
    event("PostToolUse", None, 10),
    event("PreCompact", None, 10),
    event("Stop", None, 10),
    // Without a number of its own it is cancelled after one and a half.
    event("SessionEnd", None, 5),
];
/// In seconds. At the end of a session Codex waits for three at most.
const CODEX: [Event; 7] = [
    event("SessionStart", None, 10),
    event("UserPromptSubmit", None, 10),
    // Patches come through the shell as well.
    event("PreToolUse", None, 10),
    event("PostToolUse", None, 10),
    event("PreCompact", None, 10),
    event("Stop", None, 10),
    event("SessionEnd", None, 3),
];
/// In milliseconds. PreCompress comes before every request and says nothing of a compaction.
const GEMINI: [Event; 6] = [
    event("SessionStart", None, 10_000),
    event("BeforeAgent", None, 10_000),
    // Shells and tools of other servers write as well.
    event("BeforeTool", None, 10_000),
    event("AfterTool", None, 10_000),
    event("AfterAgent", None, 10_000),
    event("SessionEnd", None, 5_000),
];

/// The key of all hooks.
const HOOKS: &str = "hooks";

/// The events of a client that takes hooks in a JSON file.
pub(crate) fn events(client: Client) -> &'static [Event] {
    match client {
        Client::ClaudeCode => &CLAUDE_CODE,
        Client::Codex => &CODEX,
        Client::Gemini => &GEMINI,
        Client::OpenCode => &[],
    }
}

/// One hook of ours, where it was found.
struct Found {
    event: String,
    group: usize,
    handler: usize,
    /// Whether the group holds no other.
    is_alone: bool,
    /// Whether there is no other group.
    is_only: bool,
}

impl Found {
    fn group_path(&self) -> Vec<Step> {
        let mut path = Step::keys(&[HOOKS, &self.event]);
        path.push(Step::Index(self.group));
        path
    }

    fn handler_path(&self) -> Vec<Step> {
        let mut path = self.group_path();
        path.extend([Step::Key(HOOKS.to_owned()), Step::Index(self.handler)]);
        path
    }
}

/// All of ours, in the order of the file.
fn found(text: &str, ours: &Ours) -> Result<Vec<Found>, Problem> {
    let value = Tree::parse(text)?.value().unwrap_or_default();
    let mut found = Vec::new();
    let events = value
        .get(HOOKS)
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    for (event, groups) in events {
        let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
        for (number, group) in groups.iter().enumerate() {
            let handlers = group.get(HOOKS).and_then(Value::as_array);
            let handlers = handlers.map(Vec::as_slice).unwrap_or_default();
            for (place, handler) in handlers.iter().enumerate() {
                if ours.owns_hook(handler) {
                    found.push(Found {
                        event: event.clone(),
                        group: number,
                        handler: place,
                        is_alone: handlers.len() == 1,
                        is_only: groups.len() == 1,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// The entry of an event.
fn handler(event: &Event, ours: &Ours) -> Value {
    match ours.client {
        // Without a shell in between, where the client can.
        Client::ClaudeCode => json!({
            "type": "command",
            "command": ours.program,
            "args": ["hook", ours.client.word()],
            "timeout": event.timeout,
        }),
        Client::Gemini => json!({
            "name": "memdir",
            "type": "command",
            "command": ours.shell_line(),
            "timeout": event.timeout,
        }),
        Client::Codex | Client::OpenCode => json!({
            "type": "command",
            "command": ours.shell_line(),
            "timeout": event.timeout,
        }),
    }
}

fn group(event: &Event, ours: &Ours) -> Value {
    let mut group = Map::new();
    if let Some(matcher) = event.matcher {
        group.insert("matcher".to_owned(), json!(matcher));
    }
    group.insert(HOOKS.to_owned(), json!([handler(event, ours)]));
    Value::Object(group)
}

/// Notes lists that somebody made for us by hand: they hold nothing else.
pub(super) fn adopt(text: &str, ours: &Ours, notes: &mut Notes) -> Result<(), Problem> {
    let found = found(text, ours)?;
    let lists = found.iter().filter(|one| one.is_alone && one.is_only);
    let lists = lists.map(|one| format!("{HOOKS}/{}", one.event));
    notes.add(Notes {
        made: lists.collect(),
        ..Notes::default()
    });
    Ok(())
}

/// The text with a hook of ours on every event; what stands there already is brought up to date.
pub(super) fn installed(text: &str, ours: &Ours, notes: &mut Notes) -> Result<String, Problem> {
    let mut text = text.to_owned();
    for event in events(ours.client) {
        let first = found(&text, ours)?
            .into_iter()
            .find(|one| one.event == event.name);
        let wanted = group(event, ours);
        let Some(first) = first else {
            let slot = Slot::Element(&[HOOKS, event.name]);
            let inserted = Inserted::into(&text, &slot, &wanted)?;
            notes.add(inserted.notes);
            text = inserted.text;
            continue;
        };
        let (path, wanted) = match first.is_alone {
            true => (first.group_path(), wanted),
            // Somebody put theirs beside it: the rest of the group is theirs.
            false => (first.handler_path(), handler(event, ours)),
        };
        if at(&text, &path)? != Some(wanted.clone()) {
            text = replaced(&text, &path, &wanted)?;
        }
    }
    // Those of events that an earlier version wanted, and second ones.
    while let Some(path) = surplus(&text, ours)? {
        match without(&text, &path, notes)? {
            Some(less) => text = less,
            None => break,
        }
    }
    Ok(text)
}

fn surplus(text: &str, ours: &Ours) -> Result<Option<Vec<Step>>, Problem> {
    let all = found(text, ours)?;
    let wanted = events(ours.client);
    let is_surplus = |(number, one): &(usize, &Found)| {
        let earlier = all.iter().take(*number);
        let is_second = earlier.filter(|other| other.event == one.event).count() > 0;
        is_second || !wanted.iter().any(|event| event.name == one.event)
    };
    let last = all.iter().enumerate().rfind(is_surplus);
    Ok(last.map(|(_, one)| own_path(one)))
}

/// What is taken out: the whole group, where nobody else is in it.
fn own_path(one: &Found) -> Vec<Step> {
    match one.is_alone {
        true => one.group_path(),
        false => one.handler_path(),
    }
}

/// The text without our hooks; `None` when nothing is left of it.
pub(super) fn removed(text: &str, ours: &Ours, notes: &Notes) -> Result<Option<String>, Problem> {
    let mut text = text.to_owned();
    while let Some(last) = found(&text, ours)?.last() {
        match without(&text, &own_path(last), notes)? {
            Some(less) => text = less,
            None => return Ok(None),
        }
    }
    Ok(Some(text))
}

/// Events on which there is no hook of ours.
pub(super) fn missing(text: &str, ours: &Ours) -> Result<Vec<&'static str>, Problem> {
    let found = found(text, ours)?;
    let names = events(ours.client).iter().map(|event| event.name);
    Ok(names
        .filter(|name| !found.iter().any(|one| one.event == *name))
        .collect())
}

/// The ways to what we make where nobody has said who made it.
pub(super) fn containers(client: Client) -> Vec<String> {
    let lists = events(client)
        .iter()
        .map(|event| format!("{HOOKS}/{}", event.name));
    std::iter::once(HOOKS.to_owned()).chain(lists).collect()
}

fn at(text: &str, path: &[Step]) -> Result<Option<Value>, Problem> {
    let mut value = Tree::parse(text)?.value();
    for step in path {
        value = value.and_then(|value| match step {
            Step::Key(name) => value.get(name).cloned(),
            Step::Index(number) => value.get(*number).cloned(),
        });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugin_has_the_hooks_that_set_up_writes() {
        let plugin = include_str!("../../../../plugins/claude-code/hooks/hooks.json");
        let plugin: Value = serde_json::from_str(plugin).unwrap();
        let ours = Ours {
            client: Client::ClaudeCode,
            program: "memdir".to_owned(),
            written: Vec::new(),
        };
        let mut wanted = Map::new();
        for event in events(Client::ClaudeCode) {
            wanted.insert(event.name.to_owned(), json!([group(event, &ours)]));
        }
        assert_eq!(plugin.get(HOOKS), Some(&Value::Object(wanted)));
    }
}
