//! Conversations of this folder that can be gone on with.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memdir_conversation::Source;
use memdir_conversation::transcript::{Format, Reading, read};
use memdir_session::{Agent, Home, can_resume};
use memdir_store::open_transcript;

use super::agent::agent_of;
use crate::table::{cut, one_line};

/// So many are offered.
const OFFERED: usize = 10;
/// So much of what was said first is shown.
const COLUMNS: usize = 60;

/// A conversation that can be gone on with.
#[derive(Debug)]
pub(crate) struct Past {
    /// Its name.
    pub(crate) name: String,
    /// When something was last said in it.
    pub(crate) when: SystemTime,
    /// Whose it is.
    pub(crate) agent: Option<Agent>,
    path: PathBuf,
}

/// Whose conversations are meant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose<'a> {
    /// Those of all agents, and those without one.
    Anybody,
    /// Those of this agent, or those without one.
    Of(Option<&'a Agent>),
}

impl Whose<'_> {
    fn has(self, agent: Option<&Agent>) -> bool {
        match self {
            Self::Anybody => true,
            Self::Of(whose) => whose == agent,
        }
    }
}

impl Past {
    /// What the user said first.
    pub(crate) fn title(&self) -> String {
        let said = first_words(&self.path).unwrap_or_default();
        cut(&one_line(&said), COLUMNS).into_owned()
    }
}

/// The last conversations that this program has had in this folder, the newest first.
pub(crate) fn past(home: &Home, whose: Whose<'_>) -> Vec<Past> {
    let folder = home.places.sessions_dir();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut found: Vec<Past> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let when = entry.metadata().ok()?.modified().ok()?;
            let is_transcript = path.extension().is_some_and(|end| end == "jsonl");
            let name = path.file_stem()?.to_str()?.to_owned();
            is_transcript.then_some(Past {
                name,
                when,
                agent: None,
                path,
            })
        })
        .collect();
    found.sort_by_key(|one| std::cmp::Reverse(one.when));
    // Those of other agents may be open in them, and they take no lock of ours.
    let own = found
        .into_iter()
        .filter(|past| can_resume(home, &past.name))
        .map(|past| Past {
            agent: agent_of(home, &past.name),
            ..past
        });
    own.filter(|past| whose.has(past.agent.as_ref()))
        .take(OFFERED)
        .collect()
}

/// The conversation that is meant by a number of the list, a name, or the beginning of one.
pub(crate) fn meant(home: &Home, whose: Whose<'_>, word: &str) -> Option<String> {
    let past = past(home, whose);
    if let Some(one) = word
        .parse::<usize>()
        .ok()
        .and_then(|number| past.get(number.checked_sub(1)?))
    {
        return Some(one.name.clone());
    }
    let mut named = past.iter().filter(|one| one.name.starts_with(word));
    match (named.next(), named.next()) {
        (Some(one), None) => Some(one.name.clone()),
        _ => {
            let path = home.places.sessions_dir().join(format!("{word}.jsonl"));
            let is_plain = !word.contains(['/', '\0']);
            let is_theirs = is_plain && whose.has(agent_of(home, word).as_ref());
            (is_theirs && path.is_file()).then(|| word.to_owned())
        }
    }
}

fn first_words(path: &Path) -> Option<String> {
    let file = open_transcript(path).ok().flatten()?;
    let mut words = None;
    let _ = read(
        Format::ClaudeCode,
        &file,
        &Reading::whole(),
        &mut |message| {
            if message.source != Source::User {
                return ControlFlow::Continue(());
            }
            words = Some(message.words());
            ControlFlow::Break(())
        },
    );
    words
}
