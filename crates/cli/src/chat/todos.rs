//! What is to be done, as it is shown, kept and taken up again.

use memdir_context::restore::Stage;
use memdir_conversation::{Conversation, Kind};
use memdir_tools::{Call, Progress, Todo};

use crate::output::{FAINT, STRONG};
use crate::table::one_line;

/// The list as the session keeps it, to be shown again after a compaction.
pub(crate) fn known(list: &[Todo]) -> Vec<(String, Stage)> {
    let stage = |progress| match progress {
        Progress::Pending => Stage::Pending,
        Progress::Doing => Stage::InProgress,
        Progress::Done => Stage::Done,
    };
    list.iter()
        .map(|todo| (todo.text.clone(), stage(todo.progress)))
        .collect()
}

/// The list on a terminal.
pub(crate) fn lines(list: &[Todo]) -> Vec<String> {
    list.iter()
        .map(|todo| {
            let text = one_line(&todo.text);
            match todo.progress {
                Progress::Pending => format!("  ☐ {text}"),
                Progress::Doing => format!("  {STRONG}▸ {text}{STRONG:#}"),
                Progress::Done => format!("  {FAINT}☑ {text}{FAINT:#}"),
            }
        })
        .collect()
}

/// The list that a conversation had when it was left.
pub(crate) fn left(conversation: &Conversation) -> Vec<Todo> {
    let blocks = conversation.messages().iter().rev();
    let mut lists = blocks
        .flat_map(|message| message.blocks.iter().rev())
        .filter_map(|block| match block.kind() {
            Kind::ToolCall { name, .. } if &**name == "TodoWrite" => {
                Todo::list(&Call::of(name, block)).ok()
            }
            _ => None,
        });
    lists.next().unwrap_or_default()
}

/// The list as a part of the block before the first message, where there is anything on it.
pub(crate) fn context(list: &[Todo]) -> Vec<(String, String)> {
    let lines = list.iter().map(|todo| {
        let mark = match todo.progress {
            Progress::Pending => ' ',
            Progress::Doing => '>',
            Progress::Done => 'x',
        };
        format!("- [{mark}] {}", one_line(&todo.text))
    });
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => Vec::new(),
        false => vec![("To-do list".to_owned(), lines.join("\n"))],
    }
}
