//! The loop between a model and its tools, against a server that enforces the rules of the real ones.

use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{Anthropic, Body, Cancel, Catalogue, Error, Key, Model, OpenAi, Request, Times};
use memdir_store::{Author, Reason, Store};
use memdir_testkit::server::{Script, Server};
use memdir_tools::{Bench, End, Powers, Ran, Rooms, Run, StoreShelf, TOOLS};
use serde_json::{Value, json};

struct Scene {
    folder: tempfile::TempDir,
    server: Server,
}

impl Scene {
    fn new(script: Value) -> Self {
        let folder = memdir_testkit::temporary_folder().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work", "memory"] {
            std::fs::create_dir(root.join(name)).unwrap();
        }
        std::fs::write(root.join("memory/a.md"), "tabs\n").unwrap();
        let script = script.to_string().replace("ROOT", root.to_str().unwrap());
        let script = Script::from_value(serde_json::from_str(&script).unwrap()).unwrap();
        let server = Server::start(script).unwrap();
        Self { folder, server }
    }

    fn anthropic(&self) -> Anthropic {
        let name = "claude-sonnet-5-5";
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
        let facts = Catalogue::built_in().facts(name);
        Anthropic::new(
            name,
            &self.server.url(),
            Some(&key),
            facts,
            Times::default(),
        )
        .unwrap()
    }

    fn run(&self, model: &dyn Model, cancel: &Cancel) -> (Ran<Error>, Vec<String>) {
        self.run_with(model, cancel, |body, cancel| {
            model.send(body, cancel)?.whole()
        })
    }

    fn run_with(
        &self,
        model: &dyn Model,
        cancel: &Cancel,
        send: impl FnMut(&Body, &Cancel) -> Result<memdir_model::Reply, Error>,
    ) -> (Ran<Error>, Vec<String>) {
        let root = self.folder.path().canonicalize().unwrap();
        let store = Store::new(root.join("memory"), root.join("state"));
        let mut shelf = StoreShelf::new(&store, Reason::new(Author::Extraction, "extract"));
        let rooms = Rooms::new(&root.join("work"), &root.join("memory")).unwrap();
        let mut bench = Bench::new(rooms, &mut shelf, Powers::Memory);
        let said = Message::user("1", "What is worth keeping?");
        let flat = flatten(&[&said], &Flattening::default());
        let tools: Vec<_> = TOOLS
            .iter()
            .map(|tool| {
                let schema: Value = serde_json::from_str(tool.schema).unwrap();
                json!({"name": tool.name, "description": tool.description, "input_schema": schema})
                    .to_string()
                    .into()
            })
            .collect();
        let request = Request {
            tools: &tools,
            ..Request::new(&flat, 1_000)
        };
        let run = Run {
            api: model.api().unwrap(),
            most_turns: 5,
            ends_with_writes: true,
            cancel: cancel.clone(),
        };
        let ran = run.run(&mut bench, model.body(&request).unwrap(), send);
        let denied = bench
            .denied()
            .iter()
            .map(|denied| format!("{} {}", denied.tool, denied.target))
            .map(|line| line.replace(root.to_str().unwrap(), "ROOT"))
            .collect();
        (ran, denied)
    }

    /// What the server saw of the run: how many requests, and what the last one ends with.
    fn told(&self) -> String {
        let exchanges = self.server.settled();
        let last = exchanges.last().unwrap().json();
        let messages = last["messages"].as_array().unwrap();
        let shown: Vec<String> = messages.iter().map(Value::to_string).collect();
        for exchange in &exchanges {
            assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
        }
        let root = self.folder.path().canonicalize().unwrap();
        format!("{} requests\n{}", exchanges.len(), shown.join("\n"))
            .replace(root.to_str().unwrap(), "ROOT")
    }
}

#[test]
fn results_come_first_and_denials_are_results() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [
            {"text": "Let me see."},
            {"tool": "Read", "id": "t1", "input": {"file_path": "ROOT/memory/a.md"}},
            {"tool": "Bash", "id": "t2", "input": {"command": "rm -rf ROOT"}},
            {"tool": "WebFetch", "id": "t3", "input": {"url": "http://example.com"}},
            {"tool": "Write", "id": "t4", "input": {"file_path": "ROOT/work/x.md", "content": "x"}},
            {"tool": "Write", "id": "t5", "input": {"file_path": "ROOT/memory/../y.md", "content": "x"}},
            {"tool": "Write", "id": "t6", "input": {"file_path": "ROOT/memory/.x.md", "content": "x"}},
            {"tool": "Edit", "id": "t7", "input": {}},
        ]},
        {"reply": [{"text": "Nothing to do."}]},
    ]}));
    let (ran, denied) = scene.run(&scene.anthropic(), &Cancel::new());
    assert!(matches!(ran.end, End::Done), "{:?}", ran.end);
    assert_eq!(ran.usage.len(), 2);
    insta::assert_snapshot!(scene.told(), @r#"
    2 requests
    {"role":"user","content":[{"type":"text","text":"What is worth keeping?"}]}
    {"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"ROOT/memory/a.md"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"rm -rf ROOT"}},{"type":"tool_use","id":"t3","name":"WebFetch","input":{"url":"http://example.com"}},{"type":"tool_use","id":"t4","name":"Write","input":{"file_path":"ROOT/work/x.md","content":"x"}},{"type":"tool_use","id":"t5","name":"Write","input":{"file_path":"ROOT/memory/../y.md","content":"x"}},{"type":"tool_use","id":"t6","name":"Write","input":{"file_path":"ROOT/memory/.x.md","content":"x"}},{"type":"tool_use","id":"t7","name":"Edit","input":{}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"     1\ttabs\n"},{"type":"tool_result","tool_use_id":"t2","content":"this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: `rm` is none of them","is_error":true},{"type":"tool_result","tool_use_id":"t3","content":"WebFetch is not allowed in this run: use Read, Grep and Glob, and Write or Edit for memories","is_error":true},{"type":"tool_result","tool_use_id":"t4","content":"this run may write only memories: name a .md file beneath the memory directory","is_error":true},{"type":"tool_result","tool_use_id":"t5","content":"this run may write only memories: name a .md file beneath the memory directory","is_error":true},{"type":"tool_result","tool_use_id":"t6","content":"ROOT/memory/.x.md: this cannot be a memory: a part of the path begins with a dot: hidden files are not memories","is_error":true},{"type":"tool_result","tool_use_id":"t7","content":"Edit needs `file_path`, a string","is_error":true}]}
    "#);
    insta::assert_debug_snapshot!(denied, @r#"
    [
        "Bash rm",
        "WebFetch ",
        "Write ROOT/work/x.md",
        "Write ROOT/y.md",
        "Write ROOT/memory/.x.md",
    ]
    "#);
}

#[test]
fn nothing_but_writes_that_succeed_is_the_end() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/a.md"}}]},
        {"reply": [
            {"text": "Saving both."},
            {"tool": "Edit", "input": {"file_path": "ROOT/memory/a.md", "old_string": "tabs", "new_string": "spaces"}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/b.md", "content": "new\n"}},
        ]},
    ]}));
    let (ran, _) = scene.run(&scene.anthropic(), &Cancel::new());
    assert!(matches!(ran.end, End::Written), "{:?}", ran.end);
    assert_eq!(scene.server.settled().len(), 2);
    let memory = scene.folder.path().join("memory");
    assert_eq!(
        std::fs::read_to_string(memory.join("a.md")).unwrap(),
        "spaces\n"
    );
    assert_eq!(
        std::fs::read_to_string(memory.join("b.md")).unwrap(),
        "new\n"
    );
}

#[test]
fn a_write_that_fails_goes_back_to_the_model() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/b.md", "content": "new\n"}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/a.md", "content": "not read\n"}},
        ]},
        {"reply": [{"text": "Fine."}]},
    ]}));
    let (ran, _) = scene.run(&scene.anthropic(), &Cancel::new());
    assert!(matches!(ran.end, End::Done), "{:?}", ran.end);
    assert_eq!(scene.server.settled().len(), 2);
}

#[test]
fn who_never_ends_is_ended() {
    let scene = Scene::new(json!({"step": [
        {"reply": [{"thinking": "Once more."}, {"tool": "Glob", "input": {"pattern": "*.md"}}]},
    ]}));
    let (ran, _) = scene.run(&scene.anthropic(), &Cancel::new());
    assert!(matches!(ran.end, End::OutOfTurns), "{:?}", ran.end);
    scene.told();
    assert_eq!(scene.server.settled().len(), 5);
}

#[test]
fn the_other_api_gets_its_own_form() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [
            {"tool": "Read", "id": "call_1", "input": {"file_path": "ROOT/memory/a.md"}},
            {"tool": "Read", "id": "call_2", "input": {"file_path": "ROOT/memory/none.md"}},
        ]},
        {"reply": [{"text": "Nothing to do."}]},
    ]}));
    let key = Key::from_variable("OPENAI_API_KEY", "sk-test").unwrap();
    let facts = Catalogue::built_in().facts("gpt-5-mini");
    let address = format!("{}/v1", scene.server.url());
    let model = OpenAi::new("gpt-5-mini", &address, Some(&key), facts, Times::default()).unwrap();
    let (ran, _) = scene.run(&model, &Cancel::new());
    assert!(matches!(ran.end, End::Done), "{:?}", ran.end);
    insta::assert_snapshot!(scene.told(), @r#"
    2 requests
    {"role":"user","content":"What is worth keeping?"}
    {"role":"assistant","content":"","refusal":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"Read","arguments":"{\"file_path\":\"ROOT/memory/a.md\"}"}},{"id":"call_2","type":"function","function":{"name":"Read","arguments":"{\"file_path\":\"ROOT/memory/none.md\"}"}}]}
    {"role":"tool","tool_call_id":"call_1","content":"     1\ttabs\n"}
    {"role":"tool","tool_call_id":"call_2","content":"there is no memory none.md"}
    "#);
}

#[test]
fn stopped_before_a_call_nothing_more_is_done() {
    let scene = Scene::new(json!({"step": [{"reply": [
        {"tool": "Write", "input": {"file_path": "ROOT/memory/b.md", "content": "new\n"}},
    ]}]}));
    let cancel = Cancel::new();
    let model = scene.anthropic();
    let (ran, _) = scene.run_with(&model, &cancel, |body, stop| {
        let reply = model.send(body, stop)?.whole();
        cancel.cancel();
        reply
    });
    assert!(matches!(ran.end, End::Cancelled), "{:?}", ran.end);
    assert!(!scene.folder.path().join("memory/b.md").exists());
}

#[test]
fn a_failing_request_ends_the_run_with_what_was_counted() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [{"tool": "Glob", "input": {"pattern": "*.md"}}]},
        {"fault": {"status": 401}},
    ]}));
    let (ran, _) = scene.run(&scene.anthropic(), &Cancel::new());
    assert!(matches!(ran.end, End::Failed(Error::Key)), "{:?}", ran.end);
    assert_eq!(ran.usage.len(), 1);
}
