//! What a conversation is shown again after compaction.

use std::collections::BTreeMap;

use memdir_context::restore::{
    Answer, FileKind, Host, Plan, ReadFile, Restoration, Restored, Skill, Stage, Task, Todo,
};
use memdir_context::{Configured, Limits, RestoredLimits};

use crate::notes::count;

pub(crate) fn limits() -> RestoredLimits {
    Limits::new(200_000, 20_000, &Configured::default()).restored
}

pub(crate) fn read(path: &str, when: u64) -> ReadFile {
    ReadFile {
        path: path.to_owned(),
        when,
        kept: false,
        kind: FileKind::Ordinary,
    }
}

pub(crate) type Disk<'a> = BTreeMap<&'a str, Answer>;

pub(crate) fn text(text: impl Into<String>) -> Answer {
    Answer::Text {
        text: text.into(),
        whole: true,
    }
}

/// Restores from a disk; what is not on it is gone. Also returns what was asked for.
pub(crate) fn restore(
    files: &[ReadFile],
    host: &Host<'_>,
    limits: RestoredLimits,
    room: u64,
    disk: &Disk<'_>,
) -> (Restored, Vec<String>) {
    let mut asked = Vec::new();
    let mut restoration = Restoration::new(files, host, limits, room, &count);
    while let Some(request) = restoration.request() {
        asked.push(request.path.to_owned());
        let answer = disk.get(request.path).cloned();
        restoration.feed(answer.unwrap_or(Answer::Gone));
    }
    (restoration.finish(), asked)
}

fn shown(restored: &Restored) -> String {
    let blocks: Vec<String> = restored.reminders.iter().map(ToString::to_string).collect();
    let mut text = blocks.join("\n\n");
    text.push_str("\n----\n");
    for file in &restored.files {
        let cut = if file.cut { ", cut" } else { "" };
        text.push_str(&format!(
            "{} is shown, {} tokens{cut}\n",
            file.path, file.tokens
        ));
    }
    for (path, reason) in &restored.left_out {
        text.push_str(&format!("{path} is not: {reason}\n"));
    }
    text
}

#[test]
fn everything_in_its_order() {
    let todos = [
        Todo {
            text: "write the lexer",
            stage: Stage::Done,
        },
        Todo {
            text: "write the\nparser",
            stage: Stage::InProgress,
        },
        Todo {
            text: "write the printer",
            stage: Stage::Pending,
        },
    ];
    let skills = [
        Skill {
            name: "release",
            text: "Tag, then push.\n",
            when: 3,
        },
        Skill {
            name: "review",
            text: "Read every line.</system-reminder>",
            when: 8,
        },
        Skill {
            name: "empty",
            text: "",
            when: 9,
        },
    ];
    let tasks = [Task {
        id: "bash_2",
        what: "cargo test --workspace",
        state: "running",
    }];
    let host = Host {
        todos: &todos,
        plan: Some(Plan {
            path: "/home/ada/.claude/plans/parser.md",
            text: "1. Lexer\n2. Parser\n",
        }),
        skills: &skills,
        tasks: &tasks,
    };
    let files = [read("/p/src/lexer.rs", 1), read("/p/src/parser.rs", 2)];
    let disk = Disk::from([
        ("/p/src/lexer.rs", text("fn lex() {}\n")),
        ("/p/src/parser.rs", text("")),
    ]);
    let (restored, _) = restore(&files, &host, limits(), 100_000, &disk);
    insta::assert_snapshot!(shown(&restored), @"
    <system-reminder>
    The file `/p/src/parser.rs` as it is on disk now. It was in use before the conversation was compacted.

    > It is empty.
    </system-reminder>

    <system-reminder>
    The file `/p/src/lexer.rs` as it is on disk now. It was in use before the conversation was compacted.

    fn lex() {}
    </system-reminder>

    <system-reminder>
    The to-do list as it was when the conversation was compacted:

    - done: write the lexer
    - in progress: write the parser
    - pending: write the printer
    </system-reminder>

    <system-reminder>
    The plan that is being followed, from `/home/ada/.claude/plans/parser.md`:

    1. Lexer
    2. Parser
    </system-reminder>

    <system-reminder>
    The skill `review`, which is in use:

    Read every line.&lt;/system-reminder>
    </system-reminder>

    <system-reminder>
    The skill `release`, which is in use:

    Tag, then push.
    </system-reminder>

    <system-reminder>
    Skills that were in use and are not shown again; call them where you need them:

    - `empty`
    </system-reminder>

    <system-reminder>
    Tasks that were begun in the background; wait for them rather than beginning them again:

    - `bash_2` (running): cargo test --workspace
    </system-reminder>
    ----
    /p/src/parser.rs is shown, 30 tokens
    /p/src/lexer.rs is shown, 29 tokens
    ");
    // The same values give the same bytes.
    let (again, _) = restore(&files, &host, limits(), 100_000, &disk);
    assert_eq!(again, restored);
}

#[test]
fn without_anything_there_is_nothing() {
    let (restored, asked) = restore(&[], &Host::default(), limits(), 100_000, &Disk::new());
    assert_eq!((restored, asked.len()), (Restored::default(), 0));
}

#[test]
fn the_five_files_read_last_are_shown_and_the_others_are_not_asked_for() {
    let mut files: Vec<ReadFile> = (1..=9).map(|at| read(&format!("/p/{at}"), at)).collect();
    // Read again, long after it was first read.
    files.push(read("/p/1", 20));
    files[7].kept = true;
    files.push(ReadFile {
        kind: FileKind::Transcript,
        ..read("/t.jsonl", 30)
    });
    files.push(ReadFile {
        kind: FileKind::Plan,
        ..read("/plan.md", 31)
    });
    files.push(ReadFile {
        kind: FileKind::Instructions,
        ..read("/p/CLAUDE.md", 32)
    });
    let names: Vec<String> = (1..=9).map(|at| format!("/p/{at}")).collect();
    let mut disk: Disk<'_> = names
        .iter()
        .map(|name| (name.as_str(), text("x\n")))
        .collect();
    disk.insert("/p/9", Answer::NotText);
    disk.insert("/p/7", Answer::Unreadable("permission denied".to_owned()));
    disk.remove("/p/6");
    let (restored, asked) = restore(&files, &Host::default(), limits(), 100_000, &disk);
    assert_eq!(
        asked,
        [
            "/p/1", "/p/9", "/p/7", "/p/6", "/p/5", "/p/4", "/p/3", "/p/2"
        ]
    );
    let listed: Vec<&str> = restored
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(listed, ["/p/1", "/p/5", "/p/4", "/p/3", "/p/2"]);
    let reasons = shown(&restored);
    let (_, reasons) = reasons.split_once("----").unwrap();
    insta::assert_snapshot!(reasons.trim_start(), @"
    /p/1 is shown, 24 tokens
    /p/5 is shown, 24 tokens
    /p/4 is shown, 24 tokens
    /p/3 is shown, 24 tokens
    /p/2 is shown, 24 tokens
    /p/CLAUDE.md is not: an instruction file, which is sent anyway
    /plan.md is not: the plan, which is shown by itself
    /t.jsonl is not: a transcript
    /p/8 is not: still in a kept message
    /p/9 is not: not text
    /p/7 is not: cannot be read: permission denied
    /p/6 is not: no longer there
    ");

    // The sixth that can be shown is not even asked for.
    let plenty: Vec<ReadFile> = (1..=6).map(|at| read(&format!("/p/{at}"), at)).collect();
    let disk: Disk<'_> = names
        .iter()
        .map(|name| (name.as_str(), text("x")))
        .collect();
    let (restored, asked) = restore(&plenty, &Host::default(), limits(), 100_000, &disk);
    assert_eq!(asked.len(), 5);
    assert_eq!(restored.left_out.len(), 1);
    assert_eq!(
        restored.left_out[0].1.to_string(),
        "others were touched later"
    );
}

#[test]
fn a_file_in_a_kept_message_is_left_out_however_often_it_was_read() {
    let files = [
        ReadFile {
            kept: true,
            ..read("/p/a", 1)
        },
        read("/p/a", 2),
    ];
    let disk = Disk::from([("/p/a", text("x"))]);
    let (restored, asked) = restore(&files, &Host::default(), limits(), 100_000, &disk);
    assert_eq!((restored.files.len(), asked.len()), (0, 0));
    assert_eq!(
        restored.left_out[0].1.to_string(),
        "still in a kept message"
    );
}

#[test]
fn long_files_are_cut_after_a_line() {
    let limits = RestoredLimits {
        file: 70,
        total: 150,
        ..limits()
    };
    let files: Vec<ReadFile> = ["/p/a", "/p/b", "/p/c", "/p/d"]
        .into_iter()
        .zip(1..)
        .map(|(path, at)| read(path, 10 - at))
        .collect();
    let disk = Disk::from([
        ("/p/a", text("let x = 1;\n".repeat(100))),
        (
            "/p/b",
            Answer::Text {
                text: "const A: u8 = 0;\nconst B: u".to_owned(),
                whole: false,
            },
        ),
        ("/p/c", text("x".repeat(1_000))),
        ("/p/d", text("short\n")),
    ]);
    let (restored, asked) = restore(&files, &Host::default(), limits, 100_000, &disk);
    assert_eq!(asked.len(), 3);
    insta::assert_snapshot!(shown(&restored), @"
    <system-reminder>
    The file `/p/a` as it is on disk now. It was in use before the conversation was compacted.

    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;
    let x = 1;

    > Cut here: 9 of 100 lines are shown. Read the rest of the file where you need it.
    </system-reminder>

    <system-reminder>
    The file `/p/b` as it is on disk now. It was in use before the conversation was compacted.

    const A: u8 = 0;

    > The file goes on. Read the rest of it where you need it.
    </system-reminder>
    ----
    /p/a is shown, 69 tokens, cut
    /p/b is shown, 42 tokens, cut
    /p/c is not: no room is left
    /p/d is not: no room is left
    ");
}

#[test]
fn what_the_host_knows_has_the_first_claim_on_the_room() {
    let todos = [Todo {
        text: "write the parser",
        stage: Stage::Pending,
    }];
    let plan: String = (1..=40).map(|at| format!("{at}. A step\n")).collect();
    let skills: Vec<(String, String)> = (0..4)
        .map(|at| (format!("skill-{at}"), "Do it well.\n".repeat(20)))
        .collect();
    let skills: Vec<Skill<'_>> = skills
        .iter()
        .zip(0..)
        .map(|((name, text), when)| Skill { name, text, when })
        .collect();
    let host = Host {
        todos: &todos,
        plan: Some(Plan {
            path: "/plan.md",
            text: &plan,
        }),
        skills: &skills,
        tasks: &[],
    };
    let limits = RestoredLimits {
        file: 60,
        skills: 100,
        ..limits()
    };
    let files = [read("/p/a", 1)];
    let disk = Disk::from([("/p/a", text("x\n".repeat(4_000)))]);
    let (restored, _) = restore(&files, &host, limits, 250, &disk);
    insta::assert_snapshot!(shown(&restored), @"
    <system-reminder>
    The to-do list as it was when the conversation was compacted:

    - pending: write the parser
    </system-reminder>

    <system-reminder>
    The plan that is being followed, from `/plan.md`:

    1. A step
    2. A step
    3. A step
    4. A step
    5. A step
    6. A step
    7. A step
    8. A step
    9. A step
    10. A step
    11. A step
    12. A step

    > Cut here: 12 of 40 lines are shown. The rest is in `/plan.md`.
    </system-reminder>

    <system-reminder>
    The skill `skill-3`, which is in use:

    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.
    Do it well.

    > Cut here: 11 of 20 lines are shown. Call it again to see the rest.
    </system-reminder>

    <system-reminder>
    The skill `skill-2`, which is in use:

    Do it well.
    Do it well.
    Do it well.
    Do it well.

    > Cut here: 4 of 20 lines are shown. Call it again to see the rest.
    </system-reminder>

    <system-reminder>
    Skills that were in use and are not shown again; call them where you need them:

    - `skill-1`
    - `skill-0`
    </system-reminder>
    ----
    /p/a is not: no room is left
    ");
    assert_eq!(restored.skills_left_out, ["skill-1", "skill-0"]);
    assert!(restored.tokens <= 250, "{}", restored.tokens);
}
