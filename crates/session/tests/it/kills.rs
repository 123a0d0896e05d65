//! A conversation whose process is killed again and again, and goes on each time.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use memdir_conversation::transcript::{Format, Reading, conversation};
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

fn start(scene: &Scene) -> Child {
    let home = scene.root().join("home");
    Command::new(agent())
        .current_dir(scene.root().join("work"))
        .env_clear()
        .env("HOME", &home)
        .env("MEMDIR_HOME", &home)
        .env("ANTHROPIC_API_KEY", "sk-test")
        .env("ADDRESS", scene.server.url())
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
    scene.script(json!([{"reply": [{"text": "I will."}]}]));
    let (mut answered, mut saved) = (Vec::new(), BTreeSet::new());
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    // How long a process takes that nobody kills.
    let mut whole = Duration::ZERO;
    for round in 0..=kills() {
        let mut child = start(&scene);
        let heard = listen(&mut child);
        let mut input = child.stdin.take().unwrap();
        // A pipe that nobody reads any more is no news here.
        let said = format!("Always name server number {round} after the river r{round}x.");
        let _ = writeln!(input, "{said}");
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let begin = Instant::now();
        if round == 0 || round == kills() {
            drop(input);
            child.wait().unwrap();
            whole = begin.elapsed();
        } else {
            let most = u64::try_from(whole.as_micros()).unwrap() * 5 / 4;
            std::thread::sleep(Duration::from_micros((random >> 24) % most));
            child.kill().unwrap();
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
        let at = words.iter().position(|word| word == said);
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
    println!(
        "{} kills: {} turns answered, {} memories",
        kills(),
        answered.len(),
        memories.len()
    );
    assert!(!answered.is_empty() && !saved.is_empty());
    // The last process came to its end: what it and all before it were told is kept.
    assert!(
        memories.len() >= answered.len(),
        "{} of {}",
        memories.len(),
        answered.len()
    );
}
