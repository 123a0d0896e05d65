//! The user's own agent as a model.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Agent, Cancel, Catalogue, Command, Error, Format, Model, Request, Times};

use crate::scene::times;

struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        Self {
            folder: memdir_testkit::temporary_folder().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that is a shell script.
    fn program(&self, name: &str, script: &str) -> String {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        path.display().to_string()
    }
}

fn model(agent: Agent, times: Times) -> Command {
    let facts = Catalogue::built_in().facts("");
    let environment = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/nowhere"),
        ("MEMDIR_HOME", "/ours"),
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ];
    Command::new(agent, Some("small"), facts, times, environment)
}

fn asked(model: &Command, schema: bool) -> Result<String, Error> {
    let said = Message::user("1", "What is worth keeping?");
    let flat = flatten(&[&said], &Flattening::default());
    let system = [Block::text("Be brief.")];
    let request = Request {
        system: &system,
        format: schema.then_some(Format {
            name: "answer",
            schema: r#"{"type":"object"}"#,
        }),
        ..Request::new(&flat, 100)
    };
    let body = model.body(&request)?;
    let reply = model.send(&body, &Cancel::new())?.whole()?;
    Ok(format!("{} ({:?})", reply.words(), reply.billed.usage))
}

#[test]
fn claude_is_called_with_every_power_off() {
    let stage = Stage::new();
    // It tells how it was called, where, with what and what is there.
    let seen = stage.path("seen");
    let script = format!(
        r#"{{ for word in "$@"; do echo "[$word]"; done; env | sort | grep -v '^PWD=\|^_=\|^SHLVL=\|^OLDPWD='; ls -A | wc -l; cat; }} > {}
echo '{{"type":"result","is_error":false,"result":"Nothing.","usage":{{"input_tokens":7,"output_tokens":2}}}}'"#,
        seen.display()
    );
    let program = stage.program("claude", &script);
    let model = model(Agent::Claude { program }, times());
    insta::assert_snapshot!(asked(&model, true).unwrap(), @"Nothing. (Usage { input: 7, cache_read: 0, cache_write: 0, output: 2 })");
    insta::assert_snapshot!(fs::read_to_string(seen).unwrap(), @r#"
    [-p]
    [--safe-mode]
    [--tools]
    []
    [--strict-mcp-config]
    [--no-session-persistence]
    [--output-format]
    [json]
    [--model]
    [small]
    [--system-prompt]
    [Be brief.]
    [--json-schema]
    [{"type":"object"}]
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
    HOME=/nowhere
    PATH=/usr/bin:/bin
    0
    What is worth keeping?
    "#);
}

#[test]
fn codex_and_others_read_all_from_their_input() {
    let stage = Stage::new();
    let tell = r#"echo "$@"; cat"#;
    let codex = Agent::Codex {
        program: stage.program("codex", tell),
    };
    insta::assert_snapshot!(asked(&model(codex, times()), true).unwrap(), @r#"
    exec -s read-only --ephemeral --ignore-user-config --ignore-rules --skip-git-repo-check --model small -
    Be brief.

    What is worth keeping?

    Answer with JSON of this schema and nothing else:
    {"type":"object"} (Usage { input: 0, cache_read: 0, cache_write: 0, output: 0 })
    "#);
    let other = Agent::Other {
        program: stage.program("llm", tell),
        arguments: vec!["-m".into(), "tiny".into()],
    };
    insta::assert_snapshot!(asked(&model(other, times()), false).unwrap(), @"
    -m tiny
    Be brief.

    What is worth keeping? (Usage { input: 0, cache_read: 0, cache_write: 0, output: 0 })
    ");
}

#[test]
fn what_goes_wrong_with_a_program() {
    let stage = Stage::new();
    let failed = |name: &str, script: &str| {
        let program = stage.program(name, script);
        let agent = Agent::Claude { program };
        let error = asked(&model(agent, times()), false).unwrap_err();
        format!("{name}: {error}").replace(&*stage.folder.path().to_string_lossy(), "[folder]")
    };
    let mut shown = vec![
        failed("fails", "cat > /dev/null; exit 3"),
        failed("silent", "cat > /dev/null"),
        failed("not-json", "cat > /dev/null; echo hello"),
        failed(
            "reports",
            r#"echo '{"is_error":true,"result":"no credit"}'"#,
        ),
        failed("killed", "kill -9 $$"),
    ];
    let missing = Agent::Claude {
        program: "no-such-agent".into(),
    };
    shown.push(
        asked(&model(missing, times()), false)
            .unwrap_err()
            .to_string(),
    );
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "fails: `[folder]/fails` failed (exit status: 3)",
        "silent: the answer cannot be read: the agent printed no result",
        "not-json: the answer cannot be read: the agent printed no result",
        "reports: the answer cannot be read: the agent reports an error",
        "killed: `[folder]/killed` failed (signal: 9 (SIGKILL))",
        "`no-such-agent` is not installed, or not where the program is looked for",
    ]
    "#);
}

#[test]
fn it_takes_one_message_of_words() {
    let stage = Stage::new();
    let agent = Agent::Claude {
        program: stage.program("claude", "exit 1"),
    };
    let model = model(agent, times());
    let said = Message::user("1", "a");
    let answer = Message::assistant("2", vec![Block::text("b")]);
    let flat = flatten(&[&said, &answer], &Flattening::default());
    let refused = model.body(&Request::new(&flat, 10)).unwrap_err();
    assert!(matches!(refused, Error::Unable { .. }), "{refused}");
}

/// Whether a process is still there.
fn lives(pid: &str) -> bool {
    // A zombie has ended; whoever inherited it has not looked yet.
    let status = fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

#[test]
fn whoever_stops_ends_all_that_was_started() {
    let stage = Stage::new();
    let pids = stage.path("pids");
    let script = format!(
        "sleep 600 & echo $! > {0}.part; echo $$ >> {0}.part; mv {0}.part {0}; wait",
        pids.display()
    );
    let program = stage.program("claude", &script);
    let patient = model(
        Agent::Claude {
            program: program.clone(),
        },
        times(),
    );
    let said = Message::user("1", "a");
    let flat = flatten(&[&said], &Flattening::default());
    let body = patient.body(&Request::new(&flat, 10)).unwrap();
    let cancel = Cancel::new();
    let answer = patient.send(&body, &cancel).unwrap();
    while !pids.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    cancel.cancel();
    assert_eq!(answer.whole().unwrap_err(), Error::Cancelled);
    let gone = |pids: &Path| {
        let text = fs::read_to_string(pids).unwrap();
        while text.lines().any(lives) {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    gone(&pids);

    // And the same when its time is over.
    fs::remove_file(&pids).unwrap();
    let short = Times {
        whole: Duration::from_millis(500),
        ..times()
    };
    let hurried = model(Agent::Claude { program }, short);
    let error = asked(&hurried, false).unwrap_err();
    assert!(matches!(error, Error::TimedOut(_)), "{error}");
    if pids.exists() {
        gone(&pids);
    }
}
