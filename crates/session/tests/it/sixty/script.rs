//! Who says what in sixty turns: the user, the model, and its forks.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::scene::{NAME, Scene};

/// The description of a section of the notes, behind which the fork writes.
const STATE: &str =
    "_What is being worked on at this moment, what is still pending, and the very next step_";

/// How the message begins that a fork is told which looks for what is worth keeping.
const FORK: &str = "This message does not come from the user";
const DREAM: &str = "tidy up the memories of this project";
const SUMMARY: &str = "Stop here and write a summary";

/// What three questions are about, each with five long memories.
const SUBJECTS: [&str; 3] = ["harbour crane", "wooden beehive", "paper printer"];

/// The turns in which files are read, and those in which the user pastes a log.
pub(super) const READING: std::ops::RangeInclusive<usize> = 19..=35;
pub(super) const PASTING: std::ops::RangeInclusive<usize> = 37..=44;
/// And those in which no notes are taken of what is pasted, so that a model has to sum up when room is made.
const MEASURED: [usize; 5] = [52, 53, 55, 56, 58];

/// What the user says in a turn.
pub(super) fn said(turn: usize) -> String {
    match turn {
        1 => "May I push to main this Friday?".to_owned(),
        2 => "yes".to_owned(),
        3 => "And may I push to main on Friday evening?".to_owned(),
        4 => "Please grep the program for its parts.".to_owned(),
        5 => "Which arguments and options does Grep take?".to_owned(),
        6 => "Please read your memory of my role.".to_owned(),
        7 => "What is my role in the shipyard team?".to_owned(),
        8..=10 => format!("What do we know about the {}?", SUBJECTS[turn - 8]),
        11 => "And what else do we know about the harbour crane?".to_owned(),
        12 => "From now on, write commit messages in English.".to_owned(),
        13 => "The build takes four minutes now.".to_owned(),
        14 => "The tests take nine minutes.".to_owned(),
        15 => "The linter takes one minute.".to_owned(),
        16 => "The network is slow this morning.".to_owned(),
        17 => "Now it is fast again.".to_owned(),
        18 => "Never deploy before nine. Please save that yourself.".to_owned(),
        36 => "Which language do commit messages have to be in?".to_owned(),
        45 => "May I push to main this Friday?".to_owned(),
        48 => "Please go on where we were.".to_owned(),
        60 => "Always name servers after rivers.".to_owned(),
        turn if READING.contains(&turn) || turn > 50 && turn % 3 == 0 => {
            format!("Please read part number {turn} of the program now.")
        }
        turn if PASTING.contains(&turn) => format!("This is log {turn}:\n{}", log(turn, 500)),
        turn if MEASURED.contains(&turn) => {
            format!("These are measurements {turn}:\n{}", log(turn, 800))
        }
        _ => format!("This was step number {turn}, thank you."),
    }
}

/// A piece of a program, of some four thousand tokens.
pub(super) fn part(number: usize) -> String {
    let line = |at: usize| format!("{at}: fn part_{number}_{at}() -> u32 {{ {at} }}\n");
    (0..235).map(line).collect()
}

/// A log, of some sixteen tokens a line.
fn log(number: usize, lines: usize) -> String {
    let line = |at: usize| format!("{number}:{at:03} worker idle, queue empty, nothing to do\n");
    (0..lines).map(line).collect()
}

/// A memory as a model writes it, citing what the user typed.
fn memory(name: &str, said: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {said}\nmetadata:\n  type: feedback\n  evidence: {said}\n---\n\n{said}.\n"
    )
}

fn plain(name: &str, kind: &str, about: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {about}\nmetadata:\n  type: {kind}\n---\n\n{body}\n")
}

/// What is known before the conversation begins.
pub(super) fn plant(scene: &Scene) {
    let friday = "Never push to main on a Friday";
    let body = "Nobody is there to mend it.";
    scene.memory(
        "feedback_friday.md",
        &plain("friday", "feedback", friday, body),
    );
    let usage = "How to use Grep: its arguments and options";
    let body = "The pattern comes first, the path is optional.";
    scene.memory(
        "reference_grep.md",
        &plain("grep-usage", "reference", usage, body),
    );
    let role = "The user leads the shipyard team";
    scene.memory(
        "user_role.md",
        &plain("role", "user", role, "Ten years of Rust."),
    );
    for (number, subject) in SUBJECTS.iter().enumerate() {
        for case in 0..5 {
            let mut body = String::new();
            for line in 0..90 {
                writeln!(
                    body,
                    "{line}: the {subject} of case {case} was inspected and found sound"
                )
                .unwrap();
            }
            let about = format!("What is known about the {subject}, case {case}");
            let name = format!("project_{number}_{case}");
            scene.memory(
                &format!("{name}.md"),
                &plain(&name, "project", &about, &body),
            );
        }
    }
    // As old as it says, whenever this runs: before the clock of the scene.
    let folder = scene.home().store.memory_directory().to_path_buf();
    let old = "2026-11-11T08:00:00Z".parse::<jiff::Timestamp>().unwrap();
    let file = std::fs::File::options()
        .write(true)
        .open(folder.join("feedback_friday.md"));
    file.unwrap().set_modified(old.into()).unwrap();
    for number in READING.chain(51..=60) {
        std::fs::write(
            scene.root().join(format!("work/part_{number}.rs")),
            part(number),
        )
        .unwrap();
    }
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
}

/// What the model answers, whoever asks. The names of the steps tell who that was.
pub(super) fn steps(scene: &Scene) -> Value {
    let folder = scene.home().store.memory_directory().display().to_string();
    let in_memory = |name: &str| format!("{folder}/{name}");
    let name = memdir_store::PlainName::new(NAME).unwrap();
    let notes = scene.home().places.session(&name).notes();
    let commit = "write commit messages in English";
    let rivers = "Always name servers after rivers";
    let mut steps = vec![
        json!({"name": "summary too long", "when": {"last_user": SUMMARY}, "times": 1, "fault": {"too_long": 20_000}}),
        json!({"name": "summary empty", "when": {"last_user": SUMMARY}, "times": 1}),
        json!({"name": "summary", "when": {"last_user": SUMMARY}, "reply": [
            {"text": "<analysis>What matters?</analysis><summary>The user reads a program part by part and looks at logs.</summary>"},
        ]}),
        // Right after the user's own compaction: until the next time there are no notes that could stand in.
        json!({"name": "notes fail", "when": {"last_user": "Session Title", "body": said(47)}, "times": 2, "fault": {"status": 400, "message": "no"}}),
        json!({"name": "notes fail", "when": {"last_user": "Session Title", "body": "measurements 52"}, "fault": {"status": 400, "message": "no"}}),
        json!({"name": "notes", "when": {"last_user": "Session Title"}, "reply": [{"tool": "Edit", "input": {
            "file_path": notes.display().to_string(),
            "old_string": STATE, "new_string": format!("{STATE}\n\nReading part after part."),
        }}]}),
        json!({"name": "dream looks", "when": {"last_user": DREAM}, "times": 1, "reply": [
            {"tool": "Read", "input": {"file_path": in_memory("project_0_0.md")}},
            {"tool": "Read", "input": {"file_path": in_memory("project_0_1.md")}},
        ]}),
        json!({"name": "dream writes", "when": {"last_user": DREAM}, "times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": in_memory("project_0_1.md"), "content": "merged_into: project_0_0.md\n"}},
        ]}),
        json!({"name": "dream ends", "when": {"last_user": DREAM}, "reply": [{"text": "Tidied up."}]}),
        json!({"name": "extraction saves", "when": {"last_user": FORK, "body": said(12)}, "times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": in_memory("feedback_commits.md"), "content": memory("commits", commit)}},
            {"tool": "Write", "input": {"file_path": "/etc/motd", "content": "hello"}},
        ]}),
        json!({"name": "extraction fails", "when": {"last_user": FORK, "body": said(16)}, "times": 1, "fault": {"status": 400, "message": "no"}}),
        // A compaction comes before it is asked again.
        json!({"name": "extraction fails", "when": {"last_user": FORK, "body": "This is log 43:"}, "times": 2, "fault": {"status": 400, "message": "no"}}),
        json!({"name": "extraction drains", "when": {"last_user": FORK, "body": said(60)}, "times": 1, "delay_ms": 300, "reply": [
            {"tool": "Write", "input": {"file_path": in_memory("feedback_rivers.md"), "content": memory("rivers", rivers)}},
        ]}),
        json!({"name": "extraction", "when": {"last_user": FORK}, "reply": [{"text": "Nothing more."}]}),
        json!({"name": "main too long", "when": {"last_user": said(48)}, "times": 1, "fault": {"too_long": 10_000}}),
        json!({"name": "main writes", "when": {"last_user": "Please save that yourself"}, "times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": in_memory("feedback_nine.md"), "content": memory("nine", "Never deploy before nine")}},
        ]}),
        json!({"name": "main greps", "when": {"last_user": said(4)}, "times": 1, "reply": [
            {"tool": "Grep", "input": {"pattern": "fn part"}},
        ]}),
        json!({"name": "main reads a memory", "when": {"last_user": said(6)}, "times": 1, "reply": [
            {"tool": "Read", "input": {"file_path": in_memory("user_role.md")}},
        ]}),
    ];
    for turn in (1..=60).filter(|turn| said(*turn).starts_with("Please read part")) {
        steps.push(
            json!({"name": "main reads", "when": {"last_user": said(turn)}, "times": 1, "reply": [
                {"tool": "Read", "input": {"file_path": format!("part_{turn}.rs")}},
            ]}),
        );
    }
    steps.push(json!({"name": "main", "reply": [{"text": "I see."}]}));
    Value::Array(steps)
}
