//! What a command would do to the files of a client, worked out before anything is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memdir_store::{Error, RecordError, read_user_text, remove_empty_folder, replace_user_file};

use super::jsonc::Problem;
use super::notes::Notes;
use super::{Client, Connection, Ours, Part, Target};

/// What becomes of one file; `None` is no file.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

impl Change {
    pub(crate) fn is_any(&self) -> bool {
        self.before != self.after
    }
}

/// Everything that a command would do.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) changes: Vec<Change>,
    /// What is known once it is done.
    pub(crate) connection: Connection,
    /// What the user should know about a file.
    pub(crate) remarks: Vec<(PathBuf, String)>,
}

/// Why nothing can be planned.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A file cannot be read.
    Store(Error),
    /// A file is not what it should be.
    File { file: PathBuf, problem: String },
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Store(error)
    }
}

impl Trouble {
    fn file(file: &Path) -> impl Fn(Problem) -> Trouble + use<'_> {
        move |problem| Trouble::File {
            file: file.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}

impl Plan {
    /// Connects a client: everything of ours is where it belongs, once. Without `server` no MCP server is added, and one of
    /// ours is taken out.
    pub(crate) fn connect(
        ours: &Ours,
        targets: &[Target],
        mut connection: Connection,
        server: bool,
    ) -> Result<Plan, Trouble> {
        let mut changes = Vec::new();
        let mut remarks = Vec::new();
        for (file, parts) in by_file(targets) {
            let before = read_user_text(&file)?;
            let fresh = Notes {
                existed: before.is_some(),
                ..Notes::default()
            };
            let known = connection.files.get(&file).cloned();
            let mut notes = known.clone().unwrap_or(fresh);
            let mut text = before.clone().unwrap_or_default();
            for part in &parts {
                let failed = Trouble::file(&file);
                if known.is_none() {
                    part.adopt(&text, ours, &mut notes).map_err(&failed)?;
                }
                if *part == Part::Server && !server {
                    let guessed = guessed(&notes, known.is_some(), *part, ours.client);
                    text = part
                        .removed(&text, ours, &guessed)
                        .map_err(failed)?
                        .unwrap_or_default();
                    continue;
                }
                match part.installed(&text, ours, &mut notes).map_err(failed)? {
                    Some(new) => text = new,
                    None => {
                        let theirs = "it is somebody else's, and is left alone";
                        remarks.push((file.clone(), theirs.to_owned()));
                    }
                }
                if *part == Part::Server
                    && let Ok(Some(lack)) = part.lack(&text, ours)
                {
                    remarks.push((file.clone(), format!("{lack}, and is left alone")));
                }
            }
            if is_strict(ours.client, &file) && has_comments(&text) {
                remarks.push((file.clone(), ignored(ours.client)));
            }
            let after = Some(text).filter(|text| before.is_some() || !text.is_empty());
            if known.is_none() {
                prove(&file, &before, after.as_deref(), ours, &parts, &notes)?;
            }
            if parts.contains(&Part::Instructions) && !connection.instructions.contains(&file) {
                connection.instructions.push(file.clone());
            }
            if known.is_some() || before != after {
                connection.files.insert(file.clone(), notes);
            }
            changes.push(Change {
                file,
                before,
                after,
            });
        }
        connection.program.clone_from(&ours.program);
        connection.server = server;
        if !connection.written.contains(&ours.program) {
            connection.written.push(ours.program.clone());
        }
        Ok(Plan {
            changes,
            connection,
            remarks,
        })
    }

    /// Takes everything of ours out of the files of a client.
    pub(crate) fn part(
        ours: &Ours,
        targets: &[Target],
        connection: Connection,
    ) -> Result<Plan, Trouble> {
        let mut changes = Vec::new();
        for (file, parts) in by_file(targets) {
            let Some(before) = read_user_text(&file)? else {
                continue;
            };
            let notes = connection.files.get(&file);
            let after = taken_out(&file, &before, ours, &parts, notes)?;
            changes.push(Change {
                file,
                before: Some(before),
                after,
            });
        }
        Ok(Plan {
            changes,
            connection,
            remarks: Vec::new(),
        })
    }

    /// Whether anything would change.
    pub(crate) fn is_any(&self) -> bool {
        self.changes.iter().any(Change::is_any)
    }
}

/// Whether a client takes its file for nothing when there is a comment in it, or a comma too many.
pub(super) fn is_strict(client: Client, file: &Path) -> bool {
    let is_json = file
        .extension()
        .is_some_and(|extension| extension == "json");
    is_json && matches!(client, Client::ClaudeCode | Client::Codex)
}

/// Whether a text is JSON only for those who take comments and commas at the end.
pub(super) fn has_comments(text: &str) -> bool {
    let own = text.strip_prefix('\u{feff}').unwrap_or(text);
    !own.trim().is_empty() && serde_json::from_str::<serde_json::Value>(own).is_err()
}

/// What a client makes of such a file.
pub(super) fn ignored(client: Client) -> String {
    format!(
        "{} takes no comments and no commas at the end: it ignores the whole file, without a word",
        client.title()
    )
}

/// The parts of each file, in the order in which they are written.
fn by_file(targets: &[Target]) -> Vec<(PathBuf, Vec<Part>)> {
    let mut files: Vec<(PathBuf, Vec<Part>)> = Vec::new();
    for target in targets {
        match files.iter_mut().find(|(file, _)| *file == target.file) {
            Some((_, parts)) => parts.push(target.part),
            None => files.push((target.file.clone(), vec![target.part])),
        }
    }
    files
}

fn guessed(notes: &Notes, is_known: bool, part: Part, client: Client) -> Notes {
    match is_known {
        true => notes.clone(),
        false => Notes::guessed(part.containers(client)),
    }
}

/// A text without our parts, the last that was written first.
fn taken_out(
    file: &Path,
    text: &str,
    ours: &Ours,
    parts: &[Part],
    notes: Option<&Notes>,
) -> Result<Option<String>, Trouble> {
    let mut text = text.to_owned();
    for part in parts.iter().rev() {
        let guessed = match notes {
            Some(notes) => notes.clone(),
            None => Notes::guessed(part.containers(ours.client)),
        };
        match part
            .removed(&text, ours, &guessed)
            .map_err(Trouble::file(file))?
        {
            Some(less) => text = less,
            None => return Ok(None),
        }
    }
    // opencode writes its schema into a file that it finds without one.
    let is_bare = notes.is_some_and(|notes| !notes.existed) && is_schema_alone(&text);
    Ok(Some(text).filter(|_| !is_bare))
}

fn is_schema_alone(text: &str) -> bool {
    let value: Option<BTreeMap<String, String>> = serde_json::from_str(text).ok();
    value.is_some_and(|members| members.keys().eq(["$schema"]))
}

/// Nothing is written that could not be taken out again byte for byte. What stood there of ours before is not put back.
fn prove(
    file: &Path,
    before: &Option<String>,
    after: Option<&str>,
    ours: &Ours,
    parts: &[Part],
    notes: &Notes,
) -> Result<(), Trouble> {
    let earlier = match before {
        Some(before) => taken_out(file, before, ours, parts, None)?,
        None => None,
    };
    if earlier != *before {
        return Ok(());
    }
    let back = match after {
        Some(after) => taken_out(file, after, ours, parts, Some(notes))?,
        None => None,
    };
    match back == *before {
        true => Ok(()),
        false => Err(Trouble::File {
            file: file.to_path_buf(),
            problem: "it is written in a way that memdir could not restore byte for byte"
                .to_owned(),
        }),
    }
}

/// Writes what was planned; what is known of it goes first, so that nothing that was written is ever unknown.
pub(crate) fn apply(
    own: &Path,
    client: Client,
    plan: Plan,
    parting: bool,
) -> Result<(), RecordError> {
    let mut connection = plan.connection;
    if !parting {
        for change in plan.changes.iter().filter(|change| change.before.is_none()) {
            let missing = change
                .file
                .ancestors()
                .skip(1)
                .take_while(|folder| !folder.exists());
            let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
            connection.folders.extend(missing.into_iter().rev());
        }
        connection.keep(own, client)?;
    }
    for change in plan.changes.iter().filter(|change| change.is_any()) {
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        // What the user keeps elsewhere, with a link here, stays a file.
        let is_link = change
            .file
            .symlink_metadata()
            .is_ok_and(|about| about.is_symlink());
        let after = after.or(is_link.then_some(""));
        let bytes = str::as_bytes;
        replace_user_file(own, &change.file, before.map(bytes), after.map(bytes), None)?;
    }
    if parting {
        for folder in connection.folders.iter().rev() {
            remove_empty_folder(folder)?;
        }
        Connection::forget(own, client)?;
    }
    Ok(())
}
