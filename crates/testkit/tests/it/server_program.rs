//! The program that a person starts.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use memdir_testkit::Sandbox;
use memdir_testkit::server::Script;
use serde_json::json;

use crate::client::{HEADERS, finish, open};

const PROGRAM: &str = env!("CARGO_BIN_EXE_memdir-testkit");

fn sample() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("scripts/sample.toml")
        .to_string_lossy()
        .into_owned()
}

/// Ends the program with the test, whichever way that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_sample_script_is_served() {
    let child = Command::new(PROGRAM)
        .args(["serve", &sample(), "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut running = Running(child);
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines();
    let listening = lines.next().unwrap().unwrap();
    let address = listening
        .strip_prefix("listening on http://")
        .unwrap()
        .parse()
        .unwrap();
    let ask = |text: &str| {
        let request = json!({
            "model": "small", "max_tokens": 1000, "messages": [{"role": "user", "content": text}]
        });
        finish(open(address, "/v1/messages", HEADERS, &request.to_string())).status
    };
    assert_eq!(
        [ask("please fail"), ask("please fail"), ask("read it")],
        [529, 200, 200]
    );
    let told: Vec<String> = lines.take(3).map(Result::unwrap).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    POST /v1/messages 529 step overloaded once
    POST /v1/messages 200 step otherwise in 6 read 0 written 0 out 21
    POST /v1/messages 200 step call in 5 read 0 written 0 out 10
    ");
}

#[test]
fn the_sample_script_is_valid_and_every_step_has_a_name() {
    let script = Script::load(Path::new(&sample())).unwrap();
    assert!(script.steps.iter().all(|step| !step.name.is_empty()));
}

#[test]
fn a_request_can_be_judged_from_the_command_line() {
    let sandbox = Sandbox::new().unwrap();
    let request =
        r#"{"model": "claude-opus-4-8", "messages": [{"role": "assistant", "content": "hi"}]}"#;
    let outcome = sandbox
        .program(PROGRAM)
        .args(["check", "-"])
        .stdin(request)
        .run()
        .unwrap();
    insta::assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    Missing: max_tokens: Field required
    FirstRole: messages: first message must use the "user" role
    Prefill: This model does not support assistant message prefill. The conversation must end with a user message.
    -- stderr
    "#);
    let outcome = sandbox
        .program(PROGRAM)
        .args(["check", "--openai", "-"])
        .stdin(request)
        .run()
        .unwrap();
    insta::assert_snapshot!(outcome, @"
    exit 0
    -- stdout
    -- stderr
    ");
}

#[test]
fn what_is_wrong_with_the_arguments_is_said() {
    let sandbox = Sandbox::new().unwrap();
    let run = |arguments: &[&str]| sandbox.program(PROGRAM).args(arguments).run().unwrap();
    insta::assert_snapshot!(run(&["--help"]), @"
    exit 0
    -- stdout
    A model server for tests: it answers from a script, refuses what the APIs refuse,
    keeps a prompt cache and the bill, and fails on demand.

    Usage: memdir-testkit serve SCRIPT [--port N]
           memdir-testkit check REQUEST [--openai]

    Commands:
      serve   Serve the script (TOML or JSON) on 127.0.0.1 until interrupted; one line an exchange
      check   Say what the API would refuse in a request (a JSON file, or - for standard input)

    Options:
      --port N   The port to listen on [default: a free one]
      --openai   The request is one of Chat Completions, not of the Messages API
      -h, --help Print this

    Examples:
      memdir-testkit serve crates/testkit/scripts/sample.toml --port 8080
      ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_API_KEY=any your-client
      curl http://127.0.0.1:8080/_test/totals
      memdir-testkit check request.json

    The script's form is described in docs/test-server.md.
    -- stderr
    ");
    assert_eq!(run(&[]).code(), Some(2));
    insta::assert_snapshot!(run(&["serve", "script.toml", "--port", "many"]), @r#"
    exit 2
    -- stdout
    -- stderr
    error: "many" is not a port
    "#);
    insta::assert_snapshot!(run(&["serve", "missing.toml"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the script missing.toml is not valid: No such file or directory (os error 2)
    ");
}
