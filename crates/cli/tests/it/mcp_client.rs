//! A client of `memdir mcp`: a real process, real pipes, and no wait without an end.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use memdir_testkit::{Filters, Program};
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// How long anything may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: PathBuf,
    /// Everything that came, for whoever wonders.
    seen: Vec<String>,
    next: u64,
}

impl Client {
    /// A server in the fixture's project, with which nothing has been spoken yet.
    pub(crate) fn start(fixture: &Fixture) -> Client {
        let program = fixture.program(&["mcp"]);
        Client::of(
            fixture,
            &program.env("CLAUDE_CODE_SESSION_ID", "conversation-1"),
        )
    }

    pub(crate) fn of(fixture: &Fixture, program: &Program) -> Client {
        let errors = fixture.sandbox.root().join("errors");
        let mut command = program.command();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            output,
            errors,
            seen: Vec::new(),
            next: 0,
        }
    }

    /// A server that has been greeted in the older way.
    pub(crate) fn greeted(fixture: &Fixture) -> Client {
        let mut client = Client::start(fixture);
        client.greet(json!({}));
        client
    }

    pub(crate) fn greet(&mut self, capabilities: Value) -> Value {
        let greeting = self.call(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        self.notify("notifications/initialized", json!({}));
        greeting
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request; its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The next message, whatever it is.
    pub(crate) fn receive(&mut self) -> Value {
        let deadline = Instant::now() + PATIENCE;
        match self.output.recv_timeout(deadline - Instant::now()) {
            Ok(line) => {
                self.seen.push(line.clone());
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
            }
            Err(error) => {
                let state = self.child.try_wait();
                let errors = std::fs::read_to_string(&self.errors);
                let seen = self.seen.join("\n");
                panic!(
                    "nothing came ({error}); process: {state:?}; errors: {errors:?}; seen:\n{seen}"
                );
            }
        }
    }

    /// The next message, if one comes in so much time.
    pub(crate) fn receive_within(&mut self, time: Duration) -> Option<Value> {
        let line = self.output.recv_timeout(time).ok()?;
        self.seen.push(line.clone());
        serde_json::from_str(&line).ok()
    }

    /// Whether something is so at last.
    pub(crate) fn until(&mut self, mut is_so: impl FnMut(&mut Client) -> bool) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if is_so(self) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }

    /// The first message that is wanted; those before it are passed over.
    pub(crate) fn receive_until(&mut self, mut is_wanted: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let message = self.receive();
            if is_wanted(&message) {
                return message;
            }
        }
    }

    pub(crate) fn answer_to(&mut self, id: u64) -> Value {
        self.receive_until(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer_to(id);
        answer
            .get("result")
            .or(answer.get("error"))
            .unwrap()
            .clone()
    }

    /// Calls a tool: its text, marked where it is an error.
    pub(crate) fn tool(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call("tools/call", json!({"name": name, "arguments": arguments}));
        told(&result)
    }

    /// Closes our end and waits for the server's.
    pub(crate) fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        wait(&mut self.child)
    }
}

/// Whoever fails leaves no server behind.
impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a tool said, the same on every day.
pub(crate) fn told(result: &Value) -> String {
    let text = result["content"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("no text: {result}"));
    let text = Filters::default().apply(text);
    match result["isError"] == true {
        true => format!("[error] {text}"),
        false => text,
    }
}

pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {} does not end", child.id());
}
