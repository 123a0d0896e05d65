//! What the host knows of the work: to-dos, plan, skills, tasks.

use crate::cut::{Shown, cut};
use crate::fragment::{block, inline};
use crate::limits::RestoredLimits;
use crate::reminder::Reminder;

/// What the host hands in; nothing of it has to be there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Host<'a> {
    /// The to-do list.
    pub todos: &'a [Todo<'a>],
    /// The plan file.
    pub plan: Option<Plan<'a>>,
    /// The skills in use, in any order.
    pub skills: &'a [Skill<'a>],
    /// Tasks in the background.
    pub tasks: &'a [Task<'a>],
}

/// Something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Todo<'a> {
    /// What.
    pub text: &'a str,
    /// How far it is.
    pub stage: Stage,
}

/// How far something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Done,
}

impl Stage {
    /// In a word or two.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in progress",
            Self::Done => "done",
        }
    }
}

/// The plan that is being followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan<'a> {
    /// Its file.
    pub path: &'a str,
    /// What stands in it.
    pub text: &'a str,
}

/// A skill in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says; without it the skill is only named.
    pub text: &'a str,
    /// When it was last used: any number that grows.
    pub when: u64,
}

/// A task in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task<'a> {
    /// By which it is asked for.
    pub id: &'a str,
    /// What it does.
    pub what: &'a str,
    /// How it stands, in the host's words.
    pub state: &'a str,
}

/// The blocks of what the host knows.
#[derive(Debug, Default)]
pub(super) struct State {
    /// To-dos, plan, skills, tasks.
    pub(super) reminders: Vec<Reminder>,
    /// Skills that are only named.
    pub(super) skills_left_out: Vec<String>,
    /// The tokens of all of it.
    pub(super) tokens: u64,
}

impl State {
    pub(super) fn of(
        host: &Host<'_>,
        limits: RestoredLimits,
        room: u64,
        count: &dyn Fn(&str) -> u64,
    ) -> Self {
        let mut blocks = Blocks {
            limit: limits.file,
            room,
            count,
        };
        let todos = blocks.list(
            "The to-do list as it was when the conversation was compacted:",
            "Ask for the whole list where you need it.",
            host.todos
                .iter()
                .map(|todo| format!("- {}: {}", todo.stage.as_str(), inline(todo.text))),
        );
        let tasks = blocks.list(
            "Tasks that were begun in the background; wait for them rather than beginning them again:",
            "Ask for the whole list where you need it.",
            host.tasks.iter().map(|task| {
                let [id, what, state] = [task.id, task.what, task.state].map(inline);
                format!("- `{id}` ({state}): {what}")
            }),
        );
        let plan = host.plan.and_then(|plan| {
            let path = inline(plan.path);
            blocks.text(
                &format!("The plan that is being followed, from `{path}`:"),
                &format!("The rest is in `{path}`."),
                plan.text,
            )
        });
        let (skills, skills_left_out) = skills(host.skills, limits, &mut blocks);
        let reminders = todos.into_iter().chain(plan).chain(skills).chain(tasks);
        Self {
            reminders: reminders.map(Reminder::of).collect(),
            skills_left_out,
            tokens: room.saturating_sub(blocks.room),
        }
    }
}

/// The blocks of the skills, the one used last first, and the names of those of which nothing is shown.
fn skills(
    skills: &[Skill<'_>],
    limits: RestoredLimits,
    blocks: &mut Blocks<'_>,
) -> (Vec<String>, Vec<String>) {
    let mut newest: Vec<&Skill<'_>> = skills.iter().collect();
    newest.sort_by_key(|skill| std::cmp::Reverse(skill.when));
    let (mut shown, mut left_out) = (Vec::new(), Vec::new());
    let before = blocks.room;
    for skill in newest {
        let name = inline(skill.name);
        let used = before.saturating_sub(blocks.room);
        blocks.limit = limits.file.min(limits.skills.saturating_sub(used));
        let head = format!("The skill `{name}`, which is in use:");
        match blocks.text(&head, "Call it again to see the rest.", skill.text) {
            Some(body) => shown.push(body),
            None => left_out.push(name),
        }
    }
    blocks.limit = limits.file;
    if !left_out.is_empty() {
        let names = left_out.iter().map(|name| format!("- `{name}`"));
        shown.extend(blocks.list(
            "Skills that were in use and are not shown again; call them where you need them:",
            "There are more.",
            names,
        ));
    }
    (shown, left_out)
}

/// What blocks may take.
struct Blocks<'a> {
    /// One of them.
    limit: u64,
    /// All of them that are still to come.
    room: u64,
    count: &'a dyn Fn(&str) -> u64,
}

impl Blocks<'_> {
    fn list(
        &mut self,
        head: &str,
        rest: &str,
        lines: impl Iterator<Item = String>,
    ) -> Option<String> {
        let lines: Vec<String> = lines.collect();
        self.text(head, rest, &lines.join("\n"))
    }

    /// A text under its head, cut after a line with a note that says where the rest is. `None` for no text, or where nothing
    /// of it has room.
    fn text(&mut self, head: &str, rest: &str, text: &str) -> Option<String> {
        let text = block(text.trim_matches('\n'));
        let text = text.trim_end();
        if text.is_empty() {
            return None;
        }
        let whole = |text: &str| format!("{head}\n\n{text}");
        let note = |_: &str, shown: Shown| match shown {
            Shown::Lines { shown, of } => {
                format!("> Cut here: {shown} of {of} lines are shown. {rest}")
            }
            Shown::PartOfLine { .. } | Shown::Nothing => {
                format!("> Cut here: only the beginning of the first line is shown. {rest}")
            }
        };
        let counted = |text: &str| (self.count)(&whole(text));
        let body = match cut(text, self.limit.min(self.room), &counted, &note) {
            Some(cut) if cut.shown == Shown::Nothing => return None,
            Some(cut) => whole(&cut.text),
            None => whole(text),
        };
        self.room = self.room.saturating_sub((self.count)(&body));
        Some(body)
    }
}
