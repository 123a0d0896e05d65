//! How much a fork reads from the provider's cache. `cargo xtask bench fork` runs it at full size.

use memdir_conversation::{Block, Message};
use memdir_testkit::server::tokens::of_text;
use serde_json::json;

use crate::scene::{Scene, topic};

/// How many conversations; a full run sets it.
const CONVERSATIONS: &str = "FORK_CONVERSATIONS";
const SHORTEST: f64 = 2_000.0;
const LONGEST: f64 = 150_000.0;
/// The most that a fork adds besides the manifest, in tokens.
const MOST_ADDED: u64 = 1_500;
const MODELS: [&str; 4] = [
    "claude-sonnet-5-5",
    "claude-opus-5-5",
    "claude-haiku-4-5",
    "claude-fable-5-2",
];
const WORDS: [&str; 16] = [
    "the parser",
    "a test",
    "fails",
    "because",
    "its cache",
    "holds",
    "old values",
    "after",
    "every",
    "request",
    "we",
    "changed",
    "src/lib.rs",
    "and",
    "then",
    "it works.",
];

/// Numbers that are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn words(&mut self, tokens: u64) -> String {
        let mut text = String::new();
        let mut count = 0;
        while count < tokens {
            let word = WORDS[self.roll(WORDS.len())];
            text.push_str(word);
            text.push(' ');
            count += of_text(word);
        }
        text
    }
}

/// A conversation of about so many tokens, with calls of tools and their results.
fn conversation(dice: &mut Dice, tokens: u64) -> Vec<Message> {
    let mut said = Vec::new();
    let (mut left, mut number) = (tokens, 0);
    while left > 0 || number == 0 {
        let id = |part: &str| format!("{part}{number}");
        let size = left.min(400 + dice.roll(2_400) as u64);
        left -= size;
        said.push(Message::user(&id("u"), &dice.words(size / 8 + 1)));
        let call = json!({"file_path": format!("src/file{number}.rs")}).to_string();
        let call = Block::tool_call(&id("call"), "Read", &call).unwrap();
        let before = Block::text(&dice.words(size / 8 + 1));
        said.push(Message::assistant(&id("a"), vec![before, call]));
        let result = dice.words(size * 5 / 8);
        said.push(Message::results(
            &id("r"),
            vec![Block::tool_result(&id("call"), &result, false)],
        ));
        said.push(Message::assistant(
            &id("b"),
            vec![Block::text(&dice.words(size / 8 + 1))],
        ));
        number += 1;
    }
    said.push(Message::user("last", "From now on use tabs in Makefiles."));
    said
}

struct Row {
    parent: u64,
    cached: u64,
    read: u64,
    share: f64,
    added: u64,
    requests: usize,
}

#[test]
fn everything_that_the_parent_had_cached_is_read() {
    let many: usize = std::env::var(CONVERSATIONS)
        .ok()
        .and_then(|many| many.parse().ok())
        .unwrap_or(12);
    let mut scene = Scene::new();
    let mut dice = Dice(7);
    scene.system = dice.words(600);
    for number in 0..20 {
        let description = format!("What was decided about part {number} of the importer");
        scene.memory(
            &format!("project_part_{number}.md"),
            &topic(
                &format!("part-{number}"),
                "project",
                &description,
                "",
                "It stays.",
            ),
        );
    }
    let mut rows: Vec<Row> = Vec::new();
    for number in 0..many {
        let step = number as f64 / (many - 1).max(1) as f64;
        let tokens = SHORTEST * (LONGEST / SHORTEST).powf(step);
        let before = scene.server.exchanges().len();
        let memory = format!("feedback_tabs_{number}.md");
        let content = topic(
            &format!("tabs-{number}"),
            "feedback",
            "Use tabs in Makefiles",
            "use tabs in Makefiles",
            "Use tabs in Makefiles.",
        );
        scene.script(json!([
            {"times": 1, "reply": [{"thinking": "A wish of the user."}, {"text": "From now on I will."}]},
            {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/project_part_3.md"}}]},
            {"reply": [{"tool": "Write", "input": {"file_path": format!("ROOT/memory/{memory}"), "content": content}}]},
        ]));
        let model = scene.model(MODELS[number % MODELS.len()]);
        let said = conversation(&mut dice, tokens as u64 - 1_200);
        let parent = scene.talk(&model, said);
        let report = scene
            .extract(&model, &parent.messages, Some(&parent.body))
            .unwrap();
        assert_eq!(report.saved().count(), 1);
        // The same list of memories for all of them.
        std::fs::remove_file(scene.root().join("memory").join(&memory)).unwrap();
        let exchanges = scene.exchanges().split_off(before);
        let usage: Vec<_> = exchanges
            .iter()
            .map(|exchange| exchange.usage.unwrap())
            .collect();
        let cached = usage[0].cache_read + usage[0].cache_write_5m;
        let asked = exchanges[1].json();
        let asked =
            asked["messages"].as_array().unwrap().last().unwrap()["content"][0]["text"].clone();
        let asked = asked.as_str().unwrap();
        let manifest: u64 = asked
            .lines()
            .filter(|line| line.starts_with("- ["))
            .map(|line| of_text(line) + 1)
            .sum();
        for fork in &usage[1..] {
            assert_eq!(
                fork.cache_read, cached,
                "conversation {number} is not read whole"
            );
        }
        rows.push(Row {
            parent: usage[0].whole_input(),
            cached,
            read: usage[1].cache_read,
            share: usage[1].read_share() * 100.0,
            added: of_text(asked) + 3 - manifest,
            requests: usage.len() - 1,
        });
    }
    println!(
        "\n| tokens of the conversation | forks | read of what was cached | read of the fork's input | added besides the manifest |"
    );
    println!("|---|---|---|---|---|");
    let bounds = [0, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000];
    for (from, to) in bounds.iter().zip(&bounds[1..]) {
        let some: Vec<&Row> = rows
            .iter()
            .filter(|row| (from..to).contains(&&row.parent))
            .collect();
        if some.is_empty() {
            continue;
        }
        let mean = some.iter().map(|row| row.share).sum::<f64>() / some.len() as f64;
        let cached: u64 = some.iter().map(|row| row.cached).sum();
        let read: u64 = some.iter().map(|row| row.read).sum();
        let added = some.iter().map(|row| row.added).max().unwrap();
        println!(
            "| {from} to {to} | {} | {:.1} % | {mean:.1} % | {added} |",
            some.len(),
            100.0 * read as f64 / cached.max(1) as f64,
        );
    }
    for row in &rows {
        assert!(row.added <= MOST_ADDED, "{} tokens added", row.added);
        assert!(row.requests <= 2, "{} requests", row.requests);
    }
    assert!(rows.iter().any(|row| row.cached > 0));
}
