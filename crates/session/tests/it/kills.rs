//! A conversation whose process is killed again and again, and goes on each time.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use memdir_conversation::transcript::{Format, Reading, conversation};
use memdir_conversation::{Reminded, Source};
use serde_json::json;

use crate::scene::{NAME, Scene};

/// The example agent, which is built beside the tests.
fn agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().unwrap().parent().unwrap();
    let agent = profile.join("examples/agent");
    assert!(
        agent.exists(),
        "`cargo build --examples` in the same profile first"
    );
    agent
}

/// So often it is killed; `KILLS=200` for more.
fn kills() -> u64 {
    let told = std::env::var("KILLS").ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(12)
}

/// One process in so many is not killed.
const SPARED: u64 = 8;

fn start(scene: &Scene) -> Child {
    let home = scene.root().join("home");
    Command::new(agent())
        .current_dir(scene.root().join("work"))
        .env_clear()
        .env("HOME", &home)
        .env("MEMDIR_HOME", &home)
        .env("ANTHROPIC_API_KEY", "sk-test")
        .env("ADDRESS", scene.server.url())
        // Room is made after a few turns: what is killed may be in the middle of that.
        .env("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "5")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// What a process says, line by line, without waiting for its end.
fn listen(child: &mut Child) -> mpsc::Receiver<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    heard
}

#[test]
fn what_was_acknowledged_survives_every_kill() {
    let scene = Scene::new();
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.memory("feedback_rivers.md", "---\nname: rivers\ndescription: Why servers are named after rivers\nmetadata:\n  type: feedback\n---\n\nServers are named after rivers: nobody forgets those.\n");
    scene.script(json!([
        {"when": {"last_user": "Stop here and write a summary"}, "reply": [{"text": "<summary>Servers have names.</summary>"}]},
        {"reply": [{"text": "I will."}]},
    ]));
    let (mut answered, mut saved) = (Vec::new(), BTreeSet::new());
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    // How long a process takes that nobody kills.
    let mut whole = Duration::ZERO;
    let mut killed = 0;
    // The last one comes to its end, and some before it, so that what takes longer than a turn is done now and then.
    let last = kills() * SPARED / (SPARED - 1) + 1;
    for round in 0..=last {
        let mut child = start(&scene);
        let heard = listen(&mut child);
        let mut input = child.stdin.take().unwrap();
        // A pipe that nobody reads any more is no news here.
        let said = format!("Always name server number {round} after the river r{round}x.");
        let log = "worker idle, queue empty, nothing to do. ".repeat(600);
        let _ = writeln!(input, "{said} {log}");
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let begin = Instant::now();
        if round % SPARED == 0 || round == last {
            drop(input);
            child.wait().unwrap();
            whole = whole.max(begin.elapsed());
        } else {
            let most = u64::try_from(whole.as_micros()).unwrap() * 5 / 4;
            std::thread::sleep(Duration::from_micros((random >> 24) % most));
            child.kill().unwrap();
            killed += 1;
            child.wait().unwrap();
        }
        for line in heard {
            match line.strip_prefix("· Saved ") {
                Some(names) => saved.extend(names.split(": ").nth(1).map(str::to_owned)),
                None if line == "I will." => answered.push(said.clone()),
                None => {}
            }
        }
    }
    let name = memdir_store::PlainName::new(NAME).unwrap();
    let transcript = scene.home().places.session(&name).transcript;
    let file = std::fs::File::open(&transcript).unwrap();
    let (told, report) = conversation(Format::ClaudeCode, file, &Reading::whole()).unwrap();
    assert!(!report.loses(), "{:?}", report.problems);
    let words: Vec<String> = told.messages().iter().map(|one| one.words()).collect();
    for said in &answered {
        let at = words.iter().position(|word| word.starts_with(said));
        assert!(at.is_some(), "{said} was answered and is gone");
    }
    let store = scene.home().store;
    let memories = store.scan().unwrap().memories;
    for names in &saved {
        for name in names.split(", ") {
            let is_there = memories.iter().any(|memory| memory.path.as_str() == name);
            assert!(is_there, "{name} was saved and is gone");
        }
    }
    // Nothing is saved twice, however often it was looked at.
    let mut rivers = BTreeSet::new();
    for memory in &memories {
        let text = store.read(&memory.path).unwrap().unwrap().bytes;
        let text = String::from_utf8(text).unwrap();
        let body = text.rsplit("---").next().unwrap().to_owned();
        assert!(rivers.insert(body), "twice: {text}");
    }
    scene.exchanges();
    let count = |is: &dyn Fn(&Source) -> bool| {
        let messages = told.messages().iter();
        messages.filter(|message| is(&message.source)).count()
    };
    let compactions = count(&|source| matches!(source, Source::Boundary(_)));
    let recalled = count(&|source| matches!(source, Source::Reminder(Reminded::Memories(_))));
    println!(
        "{killed} kills: {} turns answered, {} memories, {compactions} compactions, {recalled} times memories recalled",
        answered.len(),
        memories.len()
    );
    assert!(killed >= kills());
    assert!(compactions > 0 && recalled > 0);
    assert!(!answered.is_empty() && !saved.is_empty());
    // The last process came to its end: what it and all before it were told is kept.
    assert!(
        memories.len() >= answered.len(),
        "{} of {}",
        memories.len(),
        answered.len()
    );
}
