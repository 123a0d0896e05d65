//! The test server and the judge of requests as a program, for a person with any client.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use memdir_testkit::oracle;
use memdir_testkit::server::{Script, Server};

const HELP: &str = "\
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
";

/// Wrong arguments, as in the main program.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if words.iter().any(|word| matches!(*word, "-h" | "--help")) {
        return say(HELP);
    }
    match words.as_slice() {
        ["serve", script] => serve(script, 0),
        ["serve", script, "--port", port] | ["serve", "--port", port, script] => {
            match port.parse() {
                Ok(port) => serve(script, port),
                Err(_) => complain(USAGE, &format!("{port:?} is not a port")),
            }
        }
        ["check", request] => check(request, false),
        ["check", request, "--openai"] | ["check", "--openai", request] => check(request, true),
        _ => complain(USAGE, &format!("wrong arguments\n\n{HELP}")),
    }
}

fn serve(script: &str, port: u16) -> ExitCode {
    let script = match Script::load(Path::new(script)) {
        Ok(script) => script,
        Err(error) => return complain(1, &error.to_string()),
    };
    let server = match Server::observed(port, script, |exchange| {
        say(&format!("{}\n", exchange.line()));
    }) {
        Ok(server) => server,
        Err(error) => return complain(1, &format!("cannot listen on port {port}: {error}")),
    };
    say(&format!("listening on {}\n", server.url()));
    loop {
        thread::park();
    }
}

fn check(request: &str, is_openai: bool) -> ExitCode {
    let text = match request {
        "-" => io::read_to_string(io::stdin()),
        path => std::fs::read_to_string(path),
    };
    let value = match text {
        Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let value = match value {
        Ok(value) => value,
        Err(error) => return complain(1, &format!("{request} cannot be read: {error}")),
    };
    let violations = if is_openai {
        oracle::openai::check(&value)
    } else {
        oracle::anthropic::check(&value)
    };
    let mut out = String::new();
    for violation in &violations {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{:?}: {violation}", violation.rule);
    }
    say(&out);
    ExitCode::from(u8::from(!violations.is_empty()))
}

/// Prints, and takes a reader that has left for what it is: no error.
fn say(text: &str) -> ExitCode {
    let mut out = io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::SUCCESS
}

fn complain(code: u8, what: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {}", what.trim_end());
    ExitCode::from(code)
}
