//! `memdir import` of many memories, killed at random moments and repeated.

use std::process::Stdio;
use std::time::Duration;

use crate::fixture::Fixture;

const MEMORIES: usize = 5_000;

#[test]
fn an_import_of_5000_that_is_killed_and_repeated_brings_in_each_once() {
    let fixture = Fixture::new();
    let from = fixture.sandbox.root().join("from");
    std::fs::create_dir(&from).unwrap();
    for number in 0..MEMORIES {
        let text = format!(
            "---\nname: memory-{number}\ndescription: The host number {number}\n---\n\nHost h{number} stands in room {number}.\n"
        );
        std::fs::write(from.join(format!("project_host_{number:04}.md")), text).unwrap();
    }
    let from = from.display().to_string();
    let program = fixture.program(&["import", "markdown", &from]);
    let inbox = || {
        let names = std::fs::read_dir(fixture.state_file("inbox"));
        let names = names
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name());
        names
            .filter(|name| name.to_string_lossy().ends_with(".md"))
            .count()
    };
    // Killed as soon as so many are there: at the beginning, in the middle, near the end.
    let mut killed = 0;
    for wanted in [1, 700, 1_601, 2_900, 4_900] {
        let mut child = program
            .command()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if inbox() >= wanted {
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        child.kill().unwrap();
        child.wait().unwrap();
        killed += usize::from(ended.is_none());
    }
    assert!(killed >= 4, "killed {killed} times");
    let done = program.run().unwrap();
    assert!(done.success() && done.stderr().is_empty(), "{done}");
    assert_eq!(inbox(), MEMORIES);
    // Each of them once, and whole.
    let told = fixture.run(&["import", "markdown", &from, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told.stdout()).unwrap();
    assert_eq!(
        (&told["known"], &told["suggested"]),
        (&MEMORIES.into(), &0.into()),
        "{told}"
    );
    let mut targets = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(fixture.state_file("inbox")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let number = text
            .split("Host h")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_owned();
        assert!(
            text.ends_with(&format!("stands in room {number}.\n")),
            "{text}"
        );
        assert!(targets.insert(number), "twice: {text}");
    }
    assert_eq!(targets.len(), MEMORIES);
    assert!(fixture.run(&["doctor"]).success());
}
