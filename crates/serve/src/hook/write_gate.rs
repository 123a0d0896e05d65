//! A tool is about to write a memory: secrets and invisible text are turned away before they touch the disk, whoever writes.

use std::path::PathBuf;

use memdir_memory::{MemoryPath, Source, Topic, secrets};
use memdir_store::{Objection, SecretPolicy, objections};
use memdir_tools::{Place, Rooms};
use serde_json::Value;

use super::answer::Reply;
use super::scene::Scene;
use super::{Client, command, tool_call};
use tool_call::{Call, Text};

/// Whose words a memory is, as a file says it: the user's, and what an agent may say of what it writes itself.
const CLAIM: &str = "source: user";
const OWN: &str = "source: agent";

/// So many files are looked at that a call may copy.
const MOST_SOURCES: usize = 16;
/// What the agent reads when it wants to save something in a pause.
const PAUSED: &str = "The user has paused memory for this conversation: nothing was written. Go on without; `memdir pause --resume` is theirs to type.";

/// A file that a call reads or writes, where it is one of memory's.
pub(super) struct Touch {
    /// The memory, where it is one of this project.
    pub(super) memory: Option<MemoryPath>,
    /// Whether it is written.
    pub(super) writes: bool,
    path: PathBuf,
    text: Option<Text>,
}

/// Answers the event: nothing, or why not.
pub(super) fn respond(scene: &Scene) -> Reply {
    let mut found = Vec::new();
    for touch in touched(scene) {
        found.extend(touch.objections());
    }
    let tool = scene.event.tool();
    let line = tool_call::command(tool, scene.event.input());
    let flow = line.and_then(|line| command::flow(scene, tool, &line));
    found.extend(flow.iter().flat_map(in_command));
    found.extend(in_sources(scene));
    let Some(first) = found.first() else {
        let writes = flow.is_some() || touched(scene).iter().any(|touch| touch.writes);
        if writes && scene.is_paused() {
            return Reply {
                denial: Some(PAUSED.to_owned()),
                ..Reply::default()
            };
        }
        return Reply {
            input: corrected(scene),
            ..Reply::default()
        };
    };
    if let Some(redacted) = redacted(scene, &found) {
        return Reply {
            input: Some(redacted),
            ..Reply::default()
        };
    }
    let what = match first {
        Objection::Secret { .. } => {
            "Say where the secret is kept instead of what it is, and write it again."
        }
        Objection::Private | Objection::Hidden { .. } => "Write it again without.",
    };
    Reply {
        denial: Some(format!(
            "memdir keeps this out of memory: {first}. Nothing was written. {what}"
        )),
        ..Reply::default()
    }
}

/// The files of memory that the call of this event is about.
pub(super) fn touched(scene: &Scene) -> Vec<Touch> {
    let places = &scene.home.places;
    let memory = &places.memory_dir.path;
    let folder = scene.event.folder.as_ref().unwrap_or(&places.start_folder);
    let calls = tool_call::read(scene.event.tool(), scene.event.input());
    if calls.is_empty() {
        return Vec::new();
    }
    let Some(rooms) = scene.attempt("memory directory", Rooms::new(folder, memory)) else {
        return Vec::new();
    };
    let touch = |call: Call| {
        let call = Call {
            path: from_home(scene, call.path),
            ..call
        };
        let (memory, path) = match rooms.place(&call.path) {
            Ok(Place::Memory(memory)) => {
                let path = rooms.memory().join(memory.as_str());
                (Some(memory), path)
            }
            Ok(place) => (None, place.path(&rooms)),
            // What cannot be a memory may still be written beneath the directory, by its client.
            Err(_) => (None, folder.join(&call.path)),
        };
        let ours = memory.is_some() || is_memory(scene, &rooms, &path);
        ours.then_some(Touch {
            memory,
            writes: call.text.is_some(),
            path,
            text: call.text,
        })
    };
    calls.into_iter().filter_map(touch).collect()
}

/// A path with what `~` stands for.
fn from_home(scene: &Scene, path: String) -> String {
    let home = scene.home.places.user_home.as_ref();
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => path,
    }
}

/// Whether a file is one of memory's: of this project, of another, of all projects, or of an agent.
fn is_memory(scene: &Scene, rooms: &Rooms, path: &std::path::Path) -> bool {
    let is_beneath = |root: &PathBuf| {
        let mut parts = path.components();
        let mut wanted = root.components();
        wanted.all(|wanted| {
            let part = parts.next();
            part.is_some_and(|part| part == wanted || wanted.as_os_str() == "*")
        })
    };
    command::roots(scene, rooms).iter().any(is_beneath)
}

impl Touch {
    fn objections(&self) -> Vec<Objection> {
        let Some(text) = &self.text else {
            return Vec::new();
        };
        let limit = memdir_store::limits::MAX_FILE_BYTES;
        let old = memdir_store::read_regular(&self.path, limit).ok().flatten();
        let after = text.applied(old.as_deref());
        let mut found = objections(old.as_deref(), &after);
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        if old.is_none()
            && let Some(finding) = secrets::scan(&name).first()
        {
            found.push(Objection::Secret {
                line: finding.line,
                rule: finding.rule.id,
                description: finding.rule.description,
            });
        }
        found
    }

    fn is_of_team(&self) -> bool {
        let memory = self.memory.as_ref();
        memory.is_none_or(|memory| memory.as_str().starts_with("team/"))
    }
}

/// No secret goes into memory by a command, nor by a file that it copies.
fn in_command(flow: &command::Flow) -> Vec<Objection> {
    let mut found = objections(None, &flow.text);
    // Whoever searches for the mark writes nothing that is private.
    found.retain(|one| *one != Objection::Private || flow.text.contains("</"));
    found.extend(flow.files.iter().flat_map(|file| in_file(file)));
    found
}

/// A tool of somebody else's that moves or copies a file into memory brings what stands in it.
fn in_sources(scene: &Scene) -> Vec<Objection> {
    let writes = |touch: &Touch| touch.writes && matches!(touch.text, Some(Text::Added(_)));
    let (Some(input), true) = (
        scene.event.input(),
        touched(scene).iter().any(writes) && scene.event.tool() != "NotebookEdit",
    ) else {
        return Vec::new();
    };
    let folder = &scene.home.places.start_folder;
    let folder = scene.event.folder.as_ref().unwrap_or(folder);
    let sources = tool_call::paths_of(input).into_iter();
    let sources = sources.chain(tool_call::moved_by(input));
    let sources = sources.map(|path| folder.join(from_home(scene, path)));
    let sources = sources.filter(|path| path.is_file()).take(MOST_SOURCES);
    sources.flat_map(|path| in_file(&path)).collect()
}

fn in_file(path: &std::path::Path) -> Vec<Objection> {
    let limit = memdir_store::limits::MAX_FILE_BYTES;
    let bytes = memdir_store::read_regular(path, limit).ok().flatten();
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.map(|text| objections(None, &text)).unwrap_or_default()
}

/// What the tool is called with instead where the agent gives out its own words as the user's: it may not vouch for itself.
fn corrected(scene: &Scene) -> Option<Value> {
    if scene.client != Client::ClaudeCode || scene.event.tool() != "Write" {
        return None;
    }
    let [touch] = touched(scene).try_into().ok()?;
    let claims = |bytes: &[u8]| Topic::parse(bytes).header().source == Some(Source::User);
    let limit = memdir_store::limits::MAX_FILE_BYTES;
    let old = memdir_store::read_regular(&touch.path, limit)
        .ok()
        .flatten();
    let mut input = scene.event.input()?.clone();
    let Some(Value::String(content)) = input.get_mut("content") else {
        return None;
    };
    if touch.memory.is_none() || old.is_some_and(|old| claims(&old)) || !claims(content.as_bytes())
    {
        return None;
    }
    let mut changed = false;
    let lines = content.split_inclusive('\n').map(|line| {
        let is_claim = !changed && line.trim() == CLAIM;
        changed |= is_claim;
        match is_claim {
            true => line.replace(CLAIM, OWN),
            false => line.to_owned(),
        }
    });
    *content = lines.collect();
    changed.then_some(Value::Object(input))
}

/// What the tool is called with instead, where the user wants secrets taken out and the client takes another input.
fn redacted(scene: &Scene, found: &[Objection]) -> Option<Value> {
    let only_secrets = found
        .iter()
        .all(|one| matches!(one, Objection::Secret { .. }));
    let wanted = scene.home.secrets() == SecretPolicy::Redact
        && scene.client == Client::ClaudeCode
        && only_secrets
        && touched(scene).iter().all(|touch| !touch.is_of_team());
    if !wanted {
        return None;
    }
    let mut input = scene.event.input()?.clone();
    let mut changed = false;
    for field in ["content", "new_string"] {
        if let Some(Value::String(text)) = input.get_mut(field) {
            let redacted = secrets::redact(text);
            changed |= !redacted.findings.is_empty();
            *text = redacted.text.into_owned();
        }
    }
    changed.then_some(Value::Object(input))
}
