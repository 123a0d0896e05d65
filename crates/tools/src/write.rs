//! `Write`: a file, whole.

use memdir_memory::as_text;
use memdir_store::{Error, Notice};

use crate::{Answer, Bench, Call, Place, Tool, file};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Write",
    description: "Writes a file whole. A file that exists must have been read first.",
    schema: r#"{"type":"object","properties":{"file_path":{"type":"string","description":"Absolute path"},"content":{"type":"string"}},"required":["file_path","content"]}"#,
};

pub(crate) fn run(bench: &mut Bench<'_>, call: &Call, place: &Place) -> Answer {
    let content = match call.text("content") {
        Ok(content) => content,
        Err(answer) => return answer,
    };
    match place {
        Place::Memory(_) => memory(bench, call, place, content),
        Place::Scratchpad(path)
        | Place::Open(path)
        | Place::Obeyed(path)
        | Place::Elsewhere(path) => file::write(bench, path, content),
        Place::MemoryFolder(_) | Place::Notes(_) | Place::Record(_) => {
            Answer::error("this cannot be written whole")
        }
    }
}

/// Writes a memory that the run has read, or that is new.
pub(crate) fn memory(bench: &mut Bench<'_>, call: &Call, place: &Place, content: &str) -> Answer {
    let Place::Memory(path) = place else {
        return Answer::error("only memories can be written here");
    };
    let seen = match bench.seen.get(path) {
        Some(seen) => seen.clone(),
        None => match bench.shelf.read(path) {
            Ok(None) => None,
            Ok(Some(_)) => {
                return Answer::error(format!(
                    "{} exists and was not read in this run: Read it first, then update it",
                    path.as_str()
                ));
            }
            Err(error) => return Answer::error(error.to_string()),
        },
    };
    let new = seen.is_none();
    match bench.shelf.write(path, seen, content) {
        Ok(outcome) => {
            // What stands there now is what the next edit of this run is based on.
            match bench.shelf.read(path) {
                Ok(found) => bench.seen.insert(path.clone(), found),
                Err(_) => bench.seen.remove(path),
            };
            let mut text = format!(
                "{} {}",
                if new { "Created" } else { "Updated" },
                path.as_str()
            );
            for notice in &outcome.notices {
                text.push_str(match notice {
                    Notice::HiddenRemoved { .. } => "\nInvisible characters were removed from it.",
                    Notice::SetAside { .. } => {
                        "\nThe index was too large; only its beginning stayed."
                    }
                    Notice::Redacted { .. } => {
                        "\nA secret in it was replaced: secrets are never kept."
                    }
                });
            }
            Answer::ok(text)
        }
        Err(error) => {
            let target = match &error {
                Error::SecretName { .. } => "",
                _ => path.as_str(),
            };
            bench.log(call, target, &error.to_string());
            Answer::error(error.to_string())
        }
    }
}

/// The text that the run last saw of a file.
pub(crate) fn last_seen(bench: &Bench<'_>, place: &Place) -> Option<String> {
    let Place::Memory(path) = place else {
        return bench.read.get(&place.path(&bench.rooms)).cloned();
    };
    let found = bench.seen.get(path)?.as_ref()?;
    Some(as_text(&found.bytes).into_owned())
}
