//! `memdir inbox`, `accept` and `reject`: what waits for the user's word.

use insta::assert_snapshot;

use crate::extract::session;
use crate::fixture::Fixture;
use crate::remember::memories;

/// Three suggestions: a new memory, a change of one, a removal.
fn waiting() -> Fixture {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Always run the linter before commits."]);
    fixture.run(&["remember", "I use vim for everything."]);
    let cwd = fixture.sandbox.project().display().to_string();
    let said = [
        "Never push to main on a Friday.",
        "Always run the linter and the tests before commits.",
    ];
    session(&fixture, "talk", &cwd, &said);
    fixture.run(&["extract", "../home/talks", "--set", "extraction.mode=ask"]);
    fixture
}

#[test]
fn what_waits_is_listed_shown_and_accepted() {
    let fixture = waiting();
    assert_snapshot!(fixture.run(&["inbox"]), @r#"
    exit 0
    -- stdout
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    #2  ~ feedback_always_run_linter_before_commits.md (feedback): "Always run the linter and the tests before commits."
    2 suggestions; `memdir inbox 1` shows it whole, `memdir accept 1` saves it, `memdir reject 1` lets it go
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["inbox", "2"]), @r#"
    exit 0
    -- stdout
    #2  ~ feedback_always_run_linter_before_commits.md (feedback): "Always run the linter and the tests before commits."
        from what you said, found by the rules, in the conversation talk
        you said: "Always run the linter and the tests before commits."
    --- a/feedback_always_run_linter_before_commits.md
    +++ b/feedback_always_run_linter_before_commits.md
    @@ -1,9 +1,12 @@
     ---
    -name: always-run-linter-before-commits
    -description: Always run the linter before commits.
    +name: always-run-linter-tests-before
    +description: Always run the linter and the tests before commits.
     metadata:
       type: feedback
    -  source: user
    +  source: rules
    +  originSessionId: talk
    +  message: u1
    +  evidence: Always run the linter and the tests before commits.
     ---
     
    -Always run the linter before commits.
    +Always run the linter and the tests before commits.
    1 suggestion; `memdir accept 2` saves it, `memdir reject 2` lets it go
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["inbox", "1", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "folder": "[HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/inbox",
      "suggestions": [
        {
          "number": 1,
          "file": "[HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/inbox/1-feedback_never_push_main_friday.md",
          "path": "feedback_never_push_main_friday.md",
          "change": "added",
          "type": "feedback",
          "name": "never-push-main-friday",
          "description": "Never push to main on a Friday.",
          "source": "rules",
          "evidence": "Never push to main on a Friday.",
          "conversation": "talk",
          "message": "u0",
          "diff": "--- /dev/null\n+++ b/feedback_never_push_main_friday.md\n@@ -0,0 +1,12 @@\n+---\n+name: never-push-main-friday\n+description: Never push to main on a Friday.\n+metadata:\n+  type: feedback\n+  source: rules\n+  originSessionId: talk\n+  message: u0\n+  evidence: Never push to main on a Friday.\n+---\n+\n+Never push to main on a Friday.\n",
          "problem": null
        }
      ]
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["accept", "1", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would accept:
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
        from what you said, found by the rules, in the conversation talk
        you said: "Never push to main on a Friday."
    --- /dev/null
    +++ b/feedback_never_push_main_friday.md
    @@ -0,0 +1,12 @@
    +---
    +name: never-push-main-friday
    +description: Never push to main on a Friday.
    +metadata:
    +  type: feedback
    +  source: rules
    +  originSessionId: talk
    +  message: u0
    +  evidence: Never push to main on a Friday.
    +---
    +
    +Never push to main on a Friday.
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["accept", "--all"]), @r#"
    exit 0
    -- stdout
    Accepted:
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    #2  ~ feedback_always_run_linter_before_commits.md (feedback): "Always run the linter and the tests before commits."
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [always-run-linter-tests-before](feedback_always_run_linter_before_commits.md) — Always run the linter and the tests before commits.
      | - [use-vim-everything](user_use_vim_everything.md) — I use vim for everything.
      | - [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday.
    feedback_always_run_linter_before_commits.md
      | ---
      | name: always-run-linter-tests-before
      | description: Always run the linter and the tests before commits.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: u1
      |   evidence: Always run the linter and the tests before commits.
      | ---
      |
      | Always run the linter and the tests before commits.
    feedback_never_push_main_friday.md
      | ---
      | name: never-push-main-friday
      | description: Never push to main on a Friday.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: u0
      |   evidence: Never push to main on a Friday.
      | ---
      |
      | Never push to main on a Friday.
    user_use_vim_everything.md
      | ---
      | name: use-vim-everything
      | description: I use vim for everything.
      | metadata:
      |   type: user
      |   source: user
      | ---
      |
      | I use vim for everything.
    ");
    assert_snapshot!(fixture.run(&["history", "--limit", "1"]), @"
    exit 0
    -- stdout
    #3  [TIME]  user  accept 1 2  + feedback_never_push_main_friday.md, ~ feedback_always_run_linter_before_commits.md, ~ MEMORY.md
    2 older; `--limit 0` shows all
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #3 (accept 1 2):
      - feedback_never_push_main_friday.md  +0 -12
      ~ feedback_always_run_linter_before_commits.md  +4 -7
      ~ MEMORY.md  +1 -2
    `memdir undo 4` takes that back, `memdir diff 4` shows it
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["inbox"]), @"
    exit 0
    -- stdout
    Nothing waits for your word.
    -- stderr
    ");
}

#[test]
fn what_is_rejected_can_still_be_accepted() {
    let fixture = waiting();
    assert_snapshot!(fixture.run(&["reject", "feedback_never_push_main_friday", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would reject:
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["reject", "feedback_never_push_main_friday"]), @r#"
    exit 0
    -- stdout
    Rejected:
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    `memdir accept 1` takes it after all
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["inbox"]), @r#"
    exit 0
    -- stdout
    #2  ~ feedback_always_run_linter_before_commits.md (feedback): "Always run the linter and the tests before commits."
    1 suggestion; `memdir inbox 2` shows it whole, `memdir accept 2` saves it, `memdir reject 2` lets it go
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["accept", "#1"]), @r#"
    exit 0
    -- stdout
    Accepted:
    #1  + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["reject", "1"]), @"
    exit 1
    -- stdout
    -- stderr
    error: nothing in the inbox is called `1`
      `memdir inbox` shows what waits
    ");
    assert_snapshot!(fixture.run(&["accept"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <NAME>...

    Usage: memdir accept <NAME>...

    For more information, try '--help'.
    ");
}

#[test]
fn recall_finds_what_waits_and_says_that_it_does() {
    let fixture = waiting();
    assert_snapshot!(fixture.run(&["recall", "may I push to main today"]), @"
    exit 0
    -- stdout
    0.76  1-feedback_never_push_main_friday.md (inbox)            feedback  today  Never push to main on a Friday.
    0.09  feedback_always_run_linter_before_commits.md            feedback  today  Always run the linter before commits.
    0.08  2-feedback_always_run_linter_before_commits.md (inbox)  feedback  today  Always run the linter and the tests before commits.
    -- stderr
    ");
}

#[test]
fn a_change_of_the_same_lines_is_not_overwritten() {
    let fixture = waiting();
    let path = fixture
        .memory_dir()
        .join("feedback_always_run_linter_before_commits.md");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("linter", "formatter")).unwrap();
    assert_snapshot!(fixture.run(&["inbox", "2"]), @r#"
    exit 0
    -- stdout
    #2  ~ feedback_always_run_linter_before_commits.md (feedback): "Always run the linter and the tests before commits."
        from what you said, found by the rules, in the conversation talk
        you said: "Always run the linter and the tests before commits."
        cannot be accepted as it is: feedback_always_run_linter_before_commits.md was changed by somebody else meanwhile, in the same lines; nothing was overwritten
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["accept", "2"]), @"
    exit 1
    -- stdout
    -- stderr
    error: feedback_always_run_linter_before_commits.md was changed by somebody else meanwhile, in the same lines; nothing was overwritten
      both versions:
      ---
      <<<<<<< this change
      name: always-run-linter-tests-before
      description: Always run the linter and the tests before commits.
      =======
      name: always-run-formatter-before-commits
      description: Always run the formatter before commits.
      >>>>>>> the other change
      metadata:
        type: feedback
        source: rules
        originSessionId: talk
        message: u1
        evidence: Always run the linter and the tests before commits.
      ---
      
      <<<<<<< this change
      Always run the linter and the tests before commits.
      =======
      Always run the formatter before commits.
      >>>>>>> the other change
      
      look at the file and try again
    ");
}

/// The files of the memory directory that speak of Fridays.
fn about_fridays(fixture: &Fixture) -> usize {
    let files = std::fs::read_dir(fixture.memory_dir()).unwrap().flatten();
    files
        .filter(|file| file.file_name().to_string_lossy().contains("friday"))
        .count()
}

#[test]
fn what_is_accepted_twice_is_one_memory() {
    let fixture = waiting();
    let state = fixture
        .run(&["paths", "state"])
        .stdout()
        .trim_end()
        .to_owned();
    let file = format!("{state}/inbox/1-feedback_never_push_main_friday.md");
    let suggestion = std::fs::read(&file).unwrap();
    fixture.run(&["accept", "1"]);
    let again = fixture.run(&["accept", "1"]);
    assert_snapshot!(again, @"
    exit 1
    -- stdout
    -- stderr
    error: suggestion 1 was accepted already, by operation 3; nothing was changed
      after `memdir undo 3` it can be accepted anew
    ");
    // As it is when whoever accepted it was killed before it went.
    std::fs::write(&file, suggestion).unwrap();
    assert_eq!(fixture.run(&["accept", "1"]).code(), Some(0));
    assert!(!std::path::Path::new(&file).exists());
    assert_eq!(fixture.run(&["accept", "1"]).code(), Some(1));
    assert_eq!(about_fridays(&fixture), 1);
    let index = std::fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
    assert_eq!(index.matches("friday.md").count(), 1, "{index}");

    fixture.run(&["undo", "3"]);
    assert_eq!(about_fridays(&fixture), 0);
    assert_eq!(fixture.run(&["accept", "1"]).code(), Some(0));
    assert_eq!(about_fridays(&fixture), 1);
}

/// What is not what was put into the inbox does not become a memory, and keeps nothing else from it.
#[test]
fn a_corrupted_inbox_file_passed_accept_all() {
    type Damage = fn(&std::path::Path);
    fn put(file: &std::path::Path, bytes: impl AsRef<[u8]>) {
        std::fs::write(file, bytes).unwrap();
    }
    let damages: [(&str, Damage); 11] = [
        ("truncated", |file| {
            let bytes = std::fs::read(file).unwrap();
            put(file, &bytes[..bytes.len() / 2]);
        }),
        ("empty", |file| put(file, "")),
        ("header", |file| {
            put(file, "---\nname: [x\n: :\n---\n\nNever on a friday.\n")
        }),
        ("changed", |file| {
            let text = std::fs::read_to_string(file).unwrap();
            put(file, text.replace("Never push", "Always push"));
        }),
        ("invisible", |file| {
            let text = std::fs::read_to_string(file).unwrap();
            put(file, text + "\u{E0041}\u{E0042}\u{202E}more\n");
        }),
        ("secret", |file| {
            let text = std::fs::read_to_string(file).unwrap();
            put(
                file,
                format!("{text}ghp_{}\n", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
            );
        }),
        ("path", |file| {
            let text = std::fs::read_to_string(file).unwrap();
            put(
                file,
                text.replace("target: feedback", "target: ../../feedback"),
            );
        }),
        ("twice", |file| {
            let text = std::fs::read_to_string(file).unwrap();
            put(
                file,
                text.replace("metadata:\n", "metadata:\n  type: user\nmetadata:\n"),
            );
        }),
        ("binary", |file| {
            put(file, [0_u8, 159, 146, 150, 255, 254, 0, 7])
        }),
        ("huge", |file| {
            let file = std::fs::File::options().write(true).open(file).unwrap();
            file.set_len(1 << 32).unwrap();
        }),
        ("link", |file| {
            let aside = file.with_extension("aside");
            std::fs::rename(file, &aside).unwrap();
            std::os::unix::fs::symlink(&aside, file).unwrap();
        }),
    ];
    for (name, damage) in damages {
        let fixture = waiting();
        let state = fixture.run(&["paths", "state"]).stdout();
        let inbox = std::path::Path::new(state.trim_end()).join("inbox");
        let file = inbox.join("1-feedback_never_push_main_friday.md");
        damage(&file);
        let outcome = fixture.run(&["accept", "--all"]);
        assert_eq!(outcome.code(), Some(1), "{name}: {outcome}");
        assert!(
            outcome
                .stderr()
                .contains("1-feedback_never_push_main_friday.md"),
            "{name}: {outcome}"
        );
        assert!(std::fs::symlink_metadata(&file).is_ok(), "{name}");
        assert_eq!(about_fridays(&fixture), 0, "{name}");
        let memories = fixture
            .run(&["show", "feedback_always_run_linter_before_commits"])
            .stdout();
        assert!(
            memories.contains("linter and the tests"),
            "{name}: {memories}"
        );
        let alone = fixture.run(&["accept", "1"]);
        assert_eq!(alone.code(), Some(1), "{name}: {alone}");
        assert_eq!(about_fridays(&fixture), 0, "{name}");
    }
    // A file that nobody queued.
    let fixture = waiting();
    let state = fixture.run(&["paths", "state"]).stdout();
    let inbox = std::path::Path::new(state.trim_end()).join("inbox");
    put(
        &inbox.join("7-feedback_friday.md"),
        "---\nname: x\ndescription: y\n---\n\nPush on Fridays.\n",
    );
    let outcome = fixture.run(&["accept", "--all"]);
    assert_eq!(outcome.code(), Some(1), "{outcome}");
    assert_eq!(about_fridays(&fixture), 1);
    assert_eq!(fixture.run(&["reject", "7"]).code(), Some(0));
    assert_eq!(fixture.run(&["accept", "--all"]).code(), Some(0));
}
