//! `Edit`: one string of a file replaced by another.

use memdir_memory::secrets;

use crate::{Answer, Bench, Call, Place, Tool, file, write};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Edit",
    description: "Replaces a string of a file that was read before. old_string must occur exactly once, unless replace_all is set.",
    schema: r#"{"type":"object","properties":{"file_path":{"type":"string","description":"Absolute path"},"old_string":{"type":"string"},"new_string":{"type":"string"},"replace_all":{"type":"boolean"}},"required":["file_path","old_string","new_string"]}"#,
};

/// Notes of more bytes fit no prompt, however they came about.
const MOST_NOTES: usize = 1_000_000;

pub(crate) fn run(bench: &mut Bench<'_>, call: &Call, place: &Place) -> Answer {
    let (old, new) = match (call.text("old_string"), call.text("new_string")) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(answer), _) | (_, Err(answer)) => return answer,
    };
    if let (Place::Notes(path), Some(text)) = (place, bench.notes.clone()) {
        let target = path.display().to_string();
        return notes(bench, call, &target, &text, (old, new));
    }
    match foreseen(bench, call, place) {
        Ok((_, changed)) => match place {
            Place::Memory(_) => write::memory(bench, call, place, &changed),
            _ => file::write(bench, &place.path(&bench.rooms), &changed),
        },
        Err(answer) => answer,
    }
}

/// What a file holds by what the run has seen, and what it would hold after a call; or why it would fail.
pub(crate) fn foreseen(
    bench: &Bench<'_>,
    call: &Call,
    place: &Place,
) -> Result<(String, String), Answer> {
    let before = write::last_seen(bench, place);
    if call.tool == "Write" {
        let after = call.text("content")?.to_owned();
        return Ok((before.unwrap_or_default(), after));
    }
    let unread = || Answer::error("this file was not read in this run: Read it first");
    let before = before.ok_or_else(unread)?;
    let (old, new) = (call.text("old_string")?, call.text("new_string")?);
    let after = replaced(&before, old, new, call.flag("replace_all")).map_err(Answer::error)?;
    Ok((before, after))
}

/// Edits the notes of the conversation.
fn notes(
    bench: &mut Bench<'_>,
    call: &Call,
    target: &str,
    text: &str,
    (old, new): (&str, &str),
) -> Answer {
    let all = call.flag("replace_all");
    let many = if all { text.matches(old).count() } else { 1 };
    let bytes = text.len().saturating_add(new.len().saturating_mul(many));
    let changed = match secrets::scan(new).first() {
        Some(found) => Err(format!(
            "line {} of new_string looks like a secret (rule {}): secrets are never kept",
            found.line, found.rule.id
        )),
        None if bytes > MOST_NOTES => Err("the notes would become far too long".to_owned()),
        None => replaced(text, old, new, all),
    };
    match changed {
        Ok(changed) => {
            bench.notes = Some(changed);
            Answer::ok("Updated the notes")
        }
        Err(reason) => {
            bench.log(call, target, &reason);
            Answer::error(reason)
        }
    }
}

/// The text with a string replaced, or why it cannot be.
pub(crate) fn replaced(text: &str, old: &str, new: &str, all: bool) -> Result<String, String> {
    if old.is_empty() {
        return Err("old_string is empty: use Write for a new file".to_owned());
    }
    if old == new {
        return Err("old_string and new_string are the same".to_owned());
    }
    match text.matches(old).count() {
        0 => Err(
            "old_string does not occur in the file: Read it again and copy the text exactly"
                .to_owned(),
        ),
        1 => Ok(text.replacen(old, new, 1)),
        _ if all => Ok(text.replace(old, new)),
        count => Err(format!(
            "old_string occurs {count} times: make it longer until it occurs once, or set replace_all"
        )),
    }
}
