//! `create`, `str_replace`, `insert`, `delete` and `rename`: changes to files, as the agent's word.

use memdir_agent::keep::{Suggestion, Wanted};
use memdir_memory::{MemoryPath, NewTopic, Source, Topic, naming};
use memdir_store::{Error, RENAME, name_of};

use super::super::remember::{admitted, change, noticed, open_words};
use super::FOLDER;
use crate::mcp::refusal::Refusal;
use crate::mcp::room::{Room, is_teams, waits};

pub(super) fn create(room: &Room, path: &MemoryPath, text: &str) -> Result<String, Refusal> {
    let mut notes = Vec::new();
    let text = admitted("text", text, &mut notes)?;
    let given = Topic::parse(text.as_bytes());
    let topic = match given.has_header() {
        true => given,
        // Without a description it would never be found.
        false => {
            let guess = naming::guess(&text);
            let composed = Topic::compose(&NewTopic {
                name: &path.stem().replace('_', "-"),
                description: &guess.description,
                memory_type: guess.memory_type,
                source: Source::Agent,
                expires: None,
                metadata: &[],
                body: &text,
            });
            notes.push(
                "A header with name, description and type was put in front of it.".to_owned(),
            );
            Topic::from_bytes(composed.into_bytes())
        }
    };
    if room.store().read(path)?.is_some() {
        return Err(Refusal::new(
            format!("{FOLDER}/{path} exists already"),
            "View it and change it with str_replace or insert, or choose another name",
        ));
    }
    let kept = room.keep(
        "create",
        Suggestion::of(Wanted::Written {
            path: path.clone(),
            seen: None,
            topic: Box::new(topic),
        }),
    )?;
    notes.extend(noticed(&kept));
    let created = || format!("Created {FOLDER}/{path}.");
    notes.insert(0, waits(&kept).unwrap_or_else(created));
    Ok(notes.join("\n"))
}

pub(super) fn replace(
    room: &Room,
    path: &MemoryPath,
    old: &str,
    new: &str,
) -> Result<String, Refusal> {
    let mut notes = Vec::new();
    let new = &open_words("new_str", new, &mut notes)?;
    edit(room, "str_replace", path, new, notes, |text| {
        let places: Vec<usize> = match old.is_empty() {
            true => Vec::new(),
            false => text.match_indices(old).map(|(at, _)| at).collect(),
        };
        // A description is often the first sentence: what stands once beneath the header is meant, and the header follows.
        let body = text.len() - Topic::parse(text.as_bytes()).body().len();
        let (above, beneath) = text.split_at_checked(body).unwrap_or(("", text));
        if places.len() > 1 && beneath.matches(old).count() == 1 {
            let text = format!("{}{}", above.replace(old, new), beneath.replace(old, new));
            return Ok((text, None));
        }
        match places.as_slice() {
            [_] => Ok((text.replacen(old, new, 1), None)),
            [] => Err(Refusal::new(
                format!("{FOLDER}/{path} does not have that text"),
                "View the file and copy old_str from it exactly",
            )),
            several => {
                let lines = several.iter().map(|at| {
                    let before = text.get(..*at).unwrap_or_default();
                    (before.matches('\n').count() + 1).to_string()
                });
                let mut lines: Vec<String> = lines.collect();
                lines.dedup();
                let lines = lines.join(", ");
                Err(Refusal::new(
                    format!("That text stands in {FOLDER}/{path} more than once, in lines {lines}"),
                    "Give more of what is around the one that is meant",
                ))
            }
        }
    })
}

pub(super) fn insert(
    room: &Room,
    path: &MemoryPath,
    line: usize,
    inserted: &str,
) -> Result<String, Refusal> {
    let mut notes = Vec::new();
    let inserted = &open_words("insert_text", inserted, &mut notes)?;
    edit(room, "insert", path, inserted, notes, |text| {
        let all = text.lines().count();
        if line > all {
            return Err(Refusal::new(
                format!(
                    "{FOLDER}/{path} has {all} lines, so that nothing can stand behind line {line}"
                ),
                "Give a line from 0 to that",
            ));
        }
        let wanted: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        // A line in front of a header, or within it, would be the end of the header.
        let body = text.len() - Topic::parse(text.as_bytes()).body().len();
        let end = wanted.max(body);
        let note = (end > wanted).then_some(
            "That line belongs to the header: it stands at the beginning of the text beneath it instead.",
        );
        let (before, after) = text.split_at_checked(end).unwrap_or((text, ""));
        let gap = if before.is_empty() || before.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let inserted = inserted.trim_end_matches('\n');
        Ok((format!("{before}{gap}{inserted}\n{after}"), note))
    })
}

/// Makes of a file's text another, with what is to be said about it.
fn edit(
    room: &Room,
    what: &str,
    path: &MemoryPath,
    new: &str,
    mut notes: Vec<String>,
    edited: impl FnOnce(&str) -> Result<(String, Option<&'static str>), Refusal>,
) -> Result<String, Refusal> {
    let mut said = None;
    let kept = change(room, what, path, |topic| {
        let text = std::str::from_utf8(topic.bytes()).map_err(|_| {
            Refusal::new(
                format!("{FOLDER}/{path} is not all UTF-8 text"),
                "Tell the user, who can mend it with `memdir edit`",
            )
        })?;
        let (text, note) = edited(text)?;
        said = note;
        Ok(Topic::from_bytes(text.into_bytes()))
    })?;
    if let Some(waits) = waits(&kept) {
        return Ok(waits);
    }
    let after = kept.saved.first().and_then(|saved| saved.after.as_deref());
    let Some(after) = after else {
        notes.insert(
            0,
            format!(
                "Nothing changed in {FOLDER}/{path}: it says that already, or it is a mark in its header, which is kept for you."
            ),
        );
        return Ok(notes.join("\n"));
    };
    notes.extend(noticed(&kept));
    notes.extend(said.map(str::to_owned));
    notes.insert(0, format!("Changed {FOLDER}/{path}."));
    if !String::from_utf8_lossy(after).contains(new.trim()) {
        notes.push(
            "Not all of it stands there as given: of a header only name, description and type can be changed."
                .to_owned(),
        );
    }
    Ok(notes.join("\n"))
}

pub(super) fn delete(room: &Room, path: &MemoryPath) -> Result<String, Refusal> {
    let kept = room.keep("delete", Suggestion::of(Wanted::Removed(path.clone())))?;
    if let Some(waits) = waits(&kept) {
        return Ok(waits);
    }
    Ok(match kept.operation {
        Some(operation) => format!(
            "Deleted {FOLDER}/{path}. The user can bring it back with `memdir undo {operation}`."
        ),
        None => format!("{FOLDER}/{path} was gone already."),
    })
}

pub(super) fn rename(room: &Room, old: &MemoryPath, new: &MemoryPath) -> Result<String, Refusal> {
    // What others can change would become the agent's own word, and the other way round.
    if is_teams(old) != is_teams(new) {
        return Err(Refusal::new(
            "A memory does not move into or out of the team's folder",
            "Save what is worth it anew, with `remember`",
        ));
    }
    let scan = room.store().scan()?;
    let memory = scan.memories.iter().find(|memory| memory.path == *old);
    let memory = memory.ok_or_else(|| Error::NotFound(old.clone()))?;
    let twin = scan
        .memories
        .iter()
        .find(|memory| memory.path != *old && memory.path.folded() == new.folded());
    if let Some(twin) = twin.filter(|_| old != new) {
        return Err(Refusal::from(Error::Exists(twin.path.clone())));
    }
    if old == new {
        return Ok(format!("{FOLDER}/{old} is its name already."));
    }
    let name = name_of(new, &memory.header);
    let mut renaming = room.store().plan_rename(&scan, memory, new, &name)?;
    // The team's own files are the team's to change.
    let linking = &mut renaming.linking;
    linking.retain(|other| is_teams(&other.path) == is_teams(new));
    let mut operation = renaming.operation(room.store(), room.reason(RENAME))?;
    operation.secrets(room.home.secrets());
    operation.commit()?;
    room.record_root();
    let mut told = format!("Renamed {FOLDER}/{old} to {FOLDER}/{new}.");
    if !renaming.linking.is_empty() {
        let paths = renaming.linking.iter().map(|other| other.path.as_str());
        let paths = paths.collect::<Vec<_>>().join(", ");
        told.push_str(&format!(" Links to it follow in {paths}."));
    }
    Ok(told)
}
