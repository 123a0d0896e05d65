//! One table: every path by which a conversation is looked at, and every reason not to look at all of it. Each reason has one
//! outcome, whatever the path; where a path cannot meet a reason, the table says why.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, message, processes};
use crate::jobs::{standing, wait_for};
use crate::mcp_client::Client;

/// Said openly, and worth keeping.
const OPEN: &str = "From now on, use okapi in YAML.";
/// Said where nobody is to hear it.
const HIDDEN: &str = "From now on, use quagga in Makefiles.";
/// Nobody answers there.
const NOWHERE: &str = "http://127.0.0.1:1";

/// By what a conversation is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The end of a turn in Claude Code.
    Hook,
    /// `memdir chat`, which does what is due in its project.
    Chat,
    /// `memdir extract`, typed by somebody.
    Extract,
    /// `memdir jobs run`.
    Jobs,
    /// The module in the client, which asks the client's own model.
    Fork,
    /// The tools that the agent itself calls.
    Mcp,
}

const WAYS: [Way; 6] = [
    Way::Hook,
    Way::Chat,
    Way::Extract,
    Way::Jobs,
    Way::Fork,
    Way::Mcp,
];

/// A home with a model that answers from a script, and one conversation of Claude Code.
struct World {
    fixture: Fixture,
    server: Server,
    way: Way,
    /// No two events are the same.
    events: std::cell::Cell<usize>,
}

impl World {
    fn new(way: Way, settings: &str) -> World {
        let operations = json!({"operations": [{
            "action": "create", "type": "feedback", "name": "okapi-in-yaml", "description": "Use okapi in YAML",
            "body": "Use okapi in YAML.", "evidence": "use okapi in YAML",
        }]});
        let script = json!({"step": [
            {"when": {"system": "operations"}, "reply": [{"text": operations.to_string()}]},
            {"reply": [{"text": "Hello."}]},
        ]});
        let server = Server::start(Script::from_value(script).unwrap()).unwrap();
        let fixture = Fixture::new();
        let model = |name: &str, address: &str| {
            format!(
                "[models.{name}]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{address}\"\nkey_file = \"~/key\"\n\n"
            )
        };
        let extraction = match settings.contains("unreachable") {
            true => "far",
            false => "near",
        };
        let settings = settings.replace("unreachable", "");
        let fork = match way {
            // A turn is left to the module, so that it is due and nobody is at it.
            Way::Chat | Way::Fork => "[extraction]\nfork = true\n",
            _ => "[extraction]\n",
        };
        let own = format!(
            "{}{}[model_for]\nchat = \"near\"\nextraction = \"{extraction}\"\n\n{fork}{settings}",
            model("near", &server.url()),
            model("far", NOWHERE),
        );
        fixture
            .sandbox
            .write("home/.claude/memdir.toml", &own)
            .unwrap();
        let key = fixture.sandbox.home().join("key");
        fs::write(&key, "sk-test\n").unwrap();
        fs::set_permissions(key, fs::Permissions::from_mode(0o600)).unwrap();
        let world = World {
            fixture,
            server,
            way,
            events: std::cell::Cell::new(0),
        };
        world.talk().start();
        world
    }

    fn talk(&self) -> Talk<'_> {
        Talk::new(&self.fixture, "talk")
    }

    fn run(&self, words: &[&str]) -> String {
        self.fixture.run(words).to_string()
    }

    fn pause(&self, more: &[&str]) {
        let words = [&["pause", "--conversation", "talk"][..], more].concat();
        let outcome = self.fixture.run(&words);
        assert_eq!(outcome.code(), Some(0), "{outcome}");
    }

    fn stop(&self) {
        self.events.set(self.events.get() + 1);
        let last = format!("Done {}.", self.events.get());
        let fields = json!({"stop_hook_active": false, "last_assistant_message": last});
        self.talk().fire("Stop", fields);
    }

    fn step(&self, step: &str, said: Value) -> Value {
        let project = self.fixture.sandbox.project().display().to_string();
        let program = self.fixture.program(&["fork", step, "--project", &project]);
        let outcome = program.stdin(said.to_string()).run().unwrap();
        assert_eq!(outcome.code(), Some(0), "{outcome}");
        serde_json::from_str(&outcome.stdout()).unwrap_or_default()
    }

    /// Waits until nobody works; what was put off stays due.
    fn idle(&self) {
        wait_for(|| {
            processes(&self.fixture).is_empty() && standing(&self.fixture)["running"].is_null()
        });
    }

    /// Lets the conversation be looked at in this way; what was printed.
    fn look(&self) -> String {
        let transcript = self.talk().transcript().display().to_string();
        let folder = self
            .talk()
            .transcript()
            .parent()
            .unwrap()
            .display()
            .to_string();
        let told = match self.way {
            Way::Hook => {
                self.stop();
                String::new()
            }
            Way::Jobs => self.run(&["jobs", "run", &transcript]),
            Way::Extract if self.is_asked() => self.run(&["extract", &folder, "--model"]),
            Way::Extract => self.run(&["extract", &folder]),
            Way::Chat => {
                self.step("begin", json!({"session": "talk"}));
                self.stop();
                assert_eq!(processes(&self.fixture), Vec::<String>::new());
                self.run(&["chat", "-p", "Hello?", "--output-format", "json"])
            }
            Way::Fork => {
                self.step("begin", json!({"session": "talk"}));
                self.stop();
                let question = self.step("ask", json!({"session": "talk"}));
                let asked = question.to_string();
                // The client's own model answers unless none can be asked.
                let answer = (!self.is_asked()).then(|| {
                    json!({"operations": [{"action": "create", "type": "feedback", "name": "okapi-in-yaml",
                        "description": "Use okapi in YAML", "body": "Use okapi in YAML.", "evidence": "use okapi in YAML"}]})
                    .to_string()
                });
                if let Some(until) = question["until"].as_str() {
                    self.step(
                        "keep",
                        json!({"session": "talk", "until": until, "text": answer, "usage": null}),
                    );
                }
                asked
            }
            Way::Mcp => {
                let program = self
                    .fixture
                    .program(&["mcp"])
                    .env("CLAUDE_CODE_SESSION_ID", "talk");
                let mut client = Client::of(&self.fixture, &program);
                client.greet(json!({}));
                let text = match fs::read_to_string(self.talk().transcript()) {
                    Ok(said) if said.contains("<private>") => {
                        "<private>quagga</private> Use okapi in YAML."
                    }
                    _ => "Use okapi in YAML.",
                };
                let saved = client.tool("remember", json!({"text": text, "type": "feedback"}));
                let found = client.tool("recall", json!({"query": "okapi in YAML"}));
                client.end();
                format!("{saved}\n{found}")
            }
        };
        self.idle();
        told
    }

    /// Whether models are beyond reach or budget in this world.
    fn is_asked(&self) -> bool {
        let own = self.fixture.sandbox.home().join(".claude/memdir.toml");
        let own = fs::read_to_string(own).unwrap();
        own.contains("daily_usd") || own.contains("extraction = \"far\"")
    }

    fn listed(&self) -> String {
        let listed = self.fixture.run(&["list"]).stdout();
        match listed.starts_with("No memories here yet") {
            true => String::new(),
            false => listed,
        }
    }

    fn inbox(&self) -> String {
        self.fixture.run(&["inbox"]).stdout()
    }

    /// The files under home that hold a word, transcripts of the client apart, and what was sent with it.
    fn traces(&self, word: &str) -> Vec<String> {
        let mut found = Vec::new();
        let transcript = self.talk().transcript();
        holding(&self.fixture.sandbox.home(), word, &mut found);
        found.retain(|path| Path::new(path) != transcript);
        for exchange in self.server.settled() {
            if String::from_utf8_lossy(&exchange.body).contains(word) {
                found.push("a request".to_owned());
            }
        }
        found
    }

    /// Requests about what is worth keeping.
    fn requests(&self) -> usize {
        let exchanges = self.server.settled();
        let about = |body: &[u8]| String::from_utf8_lossy(body).contains("operations");
        exchanges.iter().filter(|one| about(&one.body)).count()
    }

    fn about(&self) -> String {
        let past = standing(&self.fixture)["past"].to_string();
        let due = standing(&self.fixture)["due"].to_string();
        format!(
            "{:?}\npast: {past}\ndue: {due}\nlist: {}",
            self.way,
            self.listed()
        )
    }
}

fn holding(folder: &Path, word: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            holding(&path, word, found);
        } else if fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(word))
        {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn while_it_is_paused_nothing_is_read_saved_or_sent() {
    for way in WAYS {
        let world = World::new(way, "");
        world.pause(&[]);
        world.talk().said(HIDDEN, "I will use quagga.");
        world.talk().prompt(HIDDEN);
        let told = world.look();
        assert_eq!(
            world.traces("quagga"),
            Vec::<String>::new(),
            "{}",
            world.about()
        );
        assert_eq!(
            (world.listed().as_str(), world.requests()),
            ("", 0),
            "{}",
            world.about()
        );
        assert!(!told.contains("quagga"), "{told}");
        if way == Way::Mcp {
            assert!(
                told.starts_with("[error] The user has paused memory"),
                "{told}"
            );
        }
    }
}

#[test]
fn what_was_said_in_a_pause_is_not_learnt_later() {
    for way in WAYS {
        let world = World::new(way, "");
        world.pause(&[]);
        world.talk().said(HIDDEN, "I will use quagga.");
        world.stop();
        world.idle();
        world.pause(&["--resume"]);
        world.talk().said(OPEN, "I will.");
        let told = world.look();
        assert!(
            world.listed().contains("okapi"),
            "{told}\n{}",
            world.about()
        );
        assert_eq!(
            world.traces("quagga"),
            Vec::<String>::new(),
            "{}",
            world.about()
        );
        assert!(!told.contains("quagga"), "{told}");
        // By whatever other way, also from a copy of the transcript.
        let copy = fs::read_to_string(world.talk().transcript()).unwrap();
        let copy = copy.replace("\"sessionId\":\"talk\"", "\"sessionId\":\"copy\"");
        let folder = world.talk().transcript().parent().unwrap().to_path_buf();
        let path = folder.join("copy.jsonl");
        fs::write(&path, copy).unwrap();
        let folder = folder.display().to_string();
        let known_by_name = way != Way::Mcp;
        world.run(&["extract", &folder, "--again"]);
        world.run(&["jobs", "run", &path.display().to_string()]);
        fs::remove_file(&path).unwrap();
        if known_by_name {
            assert!(!world.listed().contains("quagga"), "{}", world.about());
        }
    }
}

#[test]
fn what_is_private_is_nowhere() {
    for way in WAYS {
        let world = World::new(way, "");
        let said = format!("<private>{HIDDEN}</private>\n{OPEN}");
        world.talk().said(&said, "I will.");
        let told = world.look();
        assert!(
            world.listed().contains("okapi"),
            "{told}\n{}",
            world.about()
        );
        assert_eq!(
            world.traces("quagga"),
            Vec::<String>::new(),
            "{}",
            world.about()
        );
        assert!(!told.contains("quagga"), "{told}");
    }
}

#[test]
fn where_memory_is_off_nothing_happens_but_what_a_person_types() {
    for way in WAYS {
        let world = World::new(way, "[memory]\nenabled = false\n");
        world.talk().said(OPEN, "I will.");
        let told = world.look();
        match way {
            // Commands that a person types still work.
            Way::Extract => assert!(world.listed().contains("okapi"), "{told}"),
            _ => {
                assert_eq!(world.listed(), "", "{told}\n{}", world.about());
                assert_eq!(world.requests(), 0);
            }
        }
    }
}

#[test]
fn who_wants_to_be_asked_finds_it_in_the_inbox() {
    for way in WAYS {
        let world = World::new(way, "mode = \"ask\"\n");
        world.talk().said(OPEN, "I will.");
        let told = world.look();
        assert_eq!(world.listed(), "", "{told}\n{}", world.about());
        assert!(world.inbox().contains("okapi"), "{told}\n{}", world.inbox());
    }
}

/// A model that cannot be asked: the work is put off with the cursor where it was; at the third attempt the rules do it, and
/// the user is told.
fn put_off_then_by_the_rules(settings: &str) {
    for way in WAYS {
        let world = World::new(way, settings);
        world.talk().said(OPEN, "I will.");
        let told = world.look();
        match way {
            // The tools of the server ask no model: what an agent saves is saved.
            Way::Mcp => {
                assert!(world.listed().contains("okapi"), "{told}");
                continue;
            }
            // Somebody has typed that a model is to look, and is told that it could not: the rules are theirs to choose. The
            // cursor is where it was.
            Way::Extract => {
                assert!(told.starts_with("exit 1"), "{told}");
                assert_eq!(world.listed(), "", "{told}");
                let folder = world
                    .talk()
                    .transcript()
                    .parent()
                    .unwrap()
                    .display()
                    .to_string();
                world.run(&["extract", &folder]);
                assert!(world.listed().contains("okapi"));
                continue;
            }
            _ => {}
        }
        assert_eq!(world.listed(), "", "{told}\n{}", world.about());
        assert!(
            standing(&world.fixture)["due"].to_string().contains("talk"),
            "{}",
            world.about()
        );
        world.look();
        assert_eq!(world.listed(), "", "{}", world.about());
        let told = world.look();
        assert!(
            world.listed().contains("okapi"),
            "{told}\n{}",
            world.about()
        );
        assert_eq!(world.requests(), 0);
        let notice = match way {
            Way::Chat => told,
            _ => message(&Talk::new(&world.fixture, "next").start()),
        };
        let says = notice.contains("cannot ask the model") || notice.contains("could not be asked");
        assert!(says, "{way:?}: {notice}");
    }
}

#[test]
fn over_budget_it_is_put_off_and_at_the_third_attempt_the_rules_do_it() {
    put_off_then_by_the_rules("[budget]\ndaily_usd = 0\n");
}

#[test]
fn out_of_reach_it_is_put_off_and_at_the_third_attempt_the_rules_do_it() {
    put_off_then_by_the_rules("unreachable");
}
