//! One conversation, looked through by a model.

use std::ops::ControlFlow;

use jiff::tz::TimeZone;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::Cursor;
use memdir_agent::extract::ExtractError;
use memdir_agent::extract::turn::{Eligible, Turn};
use memdir_conversation::Message;
use memdir_model::Cancel;
use memdir_store::Author;
use memdir_tools::Rooms;

use super::projects::Project;
use crate::asking::{Asking, Question};

/// Why a conversation was not looked through, and whether the others are.
pub(super) struct Stop {
    pub(super) why: String,
    pub(super) flow: ControlFlow<()>,
}

/// Asks about what was said since the cursor, and counts what became of it. Says how many messages, the last ones, there
/// was no room for.
pub(super) fn ask(
    asking: &Asking,
    project: &mut Project,
    (conversation, messages): (&str, &[Message]),
    since: Option<&Cursor>,
    zone: &TimeZone,
    dry_run: bool,
) -> Result<usize, Stop> {
    let visible: Vec<&Message> = messages.iter().collect();
    let memory = project.store.memory_directory().to_path_buf();
    let folder = project.root.clone().unwrap_or_else(|| memory.clone());
    let turn = Turn {
        visible: &visible,
        cursor: since.map(|since| since.message.as_str()),
        sub_agent: false,
        remote: false,
        interactive: true,
        non_interactive: false,
        over: true,
    };
    let rooms = Rooms::new(&folder, &memory).map_err(|error| Stop {
        why: error.to_string(),
        flow: ControlFlow::Continue(()),
    })?;
    let new = match turn.eligible(&rooms) {
        Eligible::Look(new) => new,
        // The rules know what the agent has saved itself.
        Eligible::Pass(_) => {
            let mut listener = Listener::in_zone(zone.clone());
            messages.iter().for_each(|message| listener.hear(message));
            let mut heard = listener.finish(&memory, since);
            heard.settle(&project.store).map_err(|error| Stop {
                why: error.to_string(),
                flow: ControlFlow::Continue(()),
            })?;
            project.take(conversation, heard);
            return Ok(0);
        }
        Eligible::Skip(_) => {
            project.conversations += 1;
            return Ok(0);
        }
    };
    project.conversations += 1;
    let question = Question {
        keeper: project.keeper(Author::Extraction, Some(conversation.to_owned())),
        folder: &folder,
        trust: project.trust,
        visible: &visible,
        new,
        dry_run,
    };
    let asked = asking.ask(question, &Cancel::new());
    let report = asked.map_err(|error| Stop {
        flow: match &error {
            // Without money, a key or a connection it is the same for all of them.
            ExtractError::Meter(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        },
        why: error.to_string(),
    })?;
    project.add(report.kept);
    Ok(report.unseen)
}
