//! Where a conversation began. Events name the folder in which the agent is now, and agents change theirs; the memory of a
//! conversation stays that of the folder in which it began.

use std::path::{Path, PathBuf};

use memdir_store::places::Beginning;
use memdir_store::slug;

use super::Client;
use super::event::Event;

/// The folder in which the conversation of an event began, as far as the event tells.
pub(super) fn of(client: Client, event: &Event) -> Option<PathBuf> {
    let now = event.folder.clone();
    let Some(transcript) = &event.transcript else {
        return now;
    };
    if client == Client::ClaudeCode {
        // Its transcripts lie in a folder that is named after it.
        let named = transcript.parent().and_then(Path::file_name);
        let is_it = |folder: &&Path| named.is_some_and(|name| *name == *slug(folder));
        let above = now.iter().flat_map(|now| now.ancestors());
        if let Some(folder) = above.into_iter().find(is_it) {
            return Some(folder.to_path_buf());
        }
        let began = began_in(transcript).filter(|folder| is_it(&folder.as_path()));
        return began.or(now);
    }
    began_in(transcript).or(now)
}

fn began_in(transcript: &Path) -> Option<PathBuf> {
    let folder = PathBuf::from(Beginning::of_until(transcript, "cwd")?.text("cwd")?);
    // It may be gone since; then the folder of now is all there is.
    (folder.is_absolute() && folder.is_dir()).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_transcript_says_where_it_began_and_not_the_folder_of_now() {
        let root = tempfile::tempdir().unwrap();
        let (start, elsewhere) = (root.path().join("start"), root.path().join("elsewhere"));
        for folder in [&start.join("deep"), &elsewhere] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let projects = root.path().join("projects");
        let transcripts = projects.join(slug(&start));
        std::fs::create_dir_all(&transcripts).unwrap();
        let transcript = transcripts.join("c1.jsonl");
        let line =
            json!({"type": "user", "cwd": start, "message": {"content": "\"cwd\":\"/etc\""}});
        std::fs::write(&transcript, format!("{line}\n")).unwrap();
        // Headless, what was asked stands before anything else, whole.
        let asked = json!({"type": "queue-operation", "content": "x".repeat(200_000)});
        let long = transcripts.join("c0.jsonl");
        std::fs::write(&long, format!("{asked}\n{line}\n")).unwrap();
        let hostile = projects.join(slug(&elsewhere)).join("c2.jsonl");
        std::fs::create_dir_all(hostile.parent().unwrap()).unwrap();
        std::fs::write(&hostile, format!("{}\n", json!({"cwd": start}))).unwrap();
        let event = |folder: &Path, transcript: &Path| {
            let input =
                json!({"hook_event_name": "Stop", "cwd": folder, "transcript_path": transcript});
            Event::read(Client::ClaudeCode, input.to_string().as_bytes()).unwrap()
        };
        let of = |client, folder: &Path, transcript: &Path| of(client, &event(folder, transcript));
        let claude = Client::ClaudeCode;
        assert_eq!(
            of(claude, &start.join("deep"), &transcript),
            Some(start.clone())
        );
        assert_eq!(of(claude, &elsewhere, &transcript), Some(start.clone()));
        assert_eq!(of(claude, &elsewhere, &long), Some(start.clone()));
        // A transcript in the folder of another project does not lead to it.
        assert_eq!(of(claude, &elsewhere, &hostile), Some(elsewhere.clone()));
        assert_eq!(of(Client::Codex, &elsewhere, &transcript), Some(start));
        let missing = transcripts.join("none.jsonl");
        assert_eq!(of(Client::Codex, &elsewhere, &missing), Some(elsewhere));
    }
}
