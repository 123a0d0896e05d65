//! Imports that run at once, again, or over what is no memory.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::{Fixture, set_age};

fn import(fixture: &Fixture, format: &str, path: &Path) -> Outcome {
    fixture.run(&["import", format, path.to_str().unwrap()])
}

fn waiting(fixture: &Fixture) -> usize {
    let told = fixture.run(&["inbox", "--json"]).stdout().to_owned();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    told["suggestions"].as_array().unwrap().len()
}

#[test]
fn no_link_beneath_the_named_folder_is_followed() {
    let fixture = Fixture::new();
    let root = fixture.sandbox.root().to_owned();
    fs::write(root.join("diary"), "## Monday\n\nDear diary\n").unwrap();
    for (format, folder, name) in [
        ("codex", "codex/memories", "MEMORY.md"),
        ("gemini", "gemini", "GEMINI.md"),
        ("gemini", "project/memory", "MEMORY.md"),
    ] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        symlink(root.join("diary"), folder.join(name)).unwrap();
        let named = match folder.ends_with("gemini") {
            true => folder.clone(),
            false => folder.parent().unwrap().to_owned(),
        };
        let told = import(&fixture, format, &named);
        assert!(told.stderr().contains("a symbolic link"), "{told}");
        assert_eq!(waiting(&fixture), 0, "{told}");
    }
    // Nor one that stands in for the folder itself.
    fs::create_dir(root.join("linked")).unwrap();
    symlink(root.join("codex/memories"), root.join("linked/memories")).unwrap();
    assert_snapshot!(import(&fixture, "codex", &root.join("linked")), @"
    exit 1
    -- stdout
    Brought in 0 memories from codex
    -- stderr
    warning: [ROOT]/linked/memories was refused: [ROOT]/linked/memories is not a folder; memdir follows no link there
    ");
}

#[test]
fn imports_at_the_same_time_bring_nothing_in_twice() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.root().join("notes");
    fs::create_dir(&folder).unwrap();
    for number in 0..40 {
        let text = format!("Fact number {number}\n");
        fs::write(folder.join(format!("fact_{number}.md")), text).unwrap();
    }
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let told = import(&fixture, "markdown", &folder);
                assert!(told.success(), "{told}");
            });
        }
    });
    assert_eq!(waiting(&fixture), 40);
}

#[test]
fn a_file_that_only_just_fits_is_refused_alone() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.root().join("notes");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("small.md"), "Small\n").unwrap();
    let line = "sixteen letters\n";
    fs::write(folder.join("large.md"), line.repeat(4 * 1024 * 1024 / 16)).unwrap();
    assert_snapshot!(import(&fixture, "markdown", &folder), @"
    exit 1
    -- stdout
    Brought in 1 memory from markdown
    they wait for your word: `memdir inbox` shows them, `memdir accept --all` takes them all in
    -- stderr
    warning: [ROOT]/notes/large.md was refused: with where it comes from it is too large for the inbox
    ");
}

#[test]
fn a_part_is_known_by_what_it_says_whatever_its_place_and_its_day() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.root().join("codex/memories");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("MEMORY.md");
    let parts = [
        "## Deploys\n\nThe release goes out tomorrow\n",
        "## Deploys\n\nThursdays only\n",
        "## Deploys\n\nNever from a laptop\n",
    ];
    fs::write(&file, parts.concat()).unwrap();
    set_age(&file, 9);
    assert!(import(&fixture, "codex", &folder).success());
    assert_eq!(waiting(&fixture), 3);
    // Codex writes the file anew, in another order.
    fs::write(&file, [parts[2], parts[0], parts[1]].concat()).unwrap();
    set_age(&file, 3);
    assert_snapshot!(import(&fixture, "codex", &folder), @"
    exit 0
    -- stdout
    Brought in 0 memories from codex
    3 are here already or waiting
    -- stderr
    ");
    assert!(fixture.run(&["accept", "1"]).success());
    assert!(fixture.run(&["reject", "2"]).success());
    set_age(&file, 1);
    assert_snapshot!(import(&fixture, "codex", &folder), @"
    exit 0
    -- stdout
    Brought in 0 memories from codex
    2 are here already or waiting
    1 was decided about before
    -- stderr
    ");
}

#[test]
fn of_a_gemini_folder_only_its_memories_are_read() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.root().join("gemini");
    fs::create_dir_all(folder.join("extensions/x")).unwrap();
    fs::write(folder.join("extensions/x/README.md"), "An extension\n").unwrap();
    fs::write(folder.join("command.md"), "A command\n").unwrap();
    let text = "# House rules\n\n- not this\n\n## Gemini Added Memories\n\n- I keep bees\n* I work at night\n";
    fs::write(folder.join("GEMINI.md"), text).unwrap();
    assert!(import(&fixture, "gemini", &folder).success());
    let shown = fixture.run(&["inbox"]).stdout().to_owned();
    assert_eq!(waiting(&fixture), 2, "{shown}");
    assert!(shown.contains("bees") && shown.contains("night"), "{shown}");
}

#[test]
fn lines_before_the_first_one_are_no_way_around_it() {
    let fixture = Fixture::new();
    let file = fixture.sandbox.root().join("out.jsonl");
    let line = r#"{"scope":"project","path":"x.md","modified":1,"source":null,"content":"x"}"#;
    for heading in ["\n{\"memdir_export\":99}\n", "\n\n"] {
        fs::write(&file, format!("{heading}{line}\n")).unwrap();
        let told = import(&fixture, "jsonl", &file);
        assert!(!told.success(), "{told}");
    }
    fs::write(&file, format!("\n{{\"memdir_export\":1}}\n{line}\n")).unwrap();
    assert!(import(&fixture, "jsonl", &file).success());
    assert_eq!(waiting(&fixture), 1);
}
