//! `memdir show`.

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn a_memory_with_its_links() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "feedback_no_push_on_friday.md"]), @"
    exit 0
    -- stdout
    feedback_no_push_on_friday.md
    feedback, yesterday, from user
    Never push to main on a Friday

    Never push to main on a Friday.

    **Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].

    [[user-role]] is user_role.md
    [[on-call]] leads to nothing yet
    -- stderr
    ");
}

#[test]
fn an_old_one_comes_with_a_caveat() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "user_role"]), @"
    exit 0
    -- stdout
    user_role.md
    user, 3 days ago
    Writes Rust, reads Go
    Written 3 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.

    Ten years of Rust, new to Go.
    -- stderr
    ");
}

#[test]
fn json() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "feedback", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "path": "feedback_no_push_on_friday.md",
      "name": "feedback-no-push-on-friday",
      "description": "Never push to main on a Friday",
      "type": "feedback",
      "source": "user",
      "modified": "[TIME]",
      "age_days": 1,
      "caveat": null,
      "bytes": 234,
      "expires": null,
      "expired": false,
      "hidden": 0,
      "links": [
        {
          "name": "user-role",
          "path": "user_role.md"
        },
        {
          "name": "on-call",
          "path": null
        }
      ],
      "body": "Never push to main on a Friday.\n\n**Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].\n"
    }
    -- stderr
    "#);
}

#[test]
fn the_index_is_shown_as_an_agent_sees_it() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "MEMORY.md"]), @"
    exit 0
    -- stdout
    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["show", "memory.md", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "path": "MEMORY.md",
      "lines": 3,
      "bytes": 167,
      "max_lines": 200,
      "max_bytes": 25000,
      "warning": null,
      "text": "- [Role](user_role.md) — writes Rust\n- [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix\n- [Release](project_release.md) — the day of 2.0"
    }
    -- stderr
    "#);

    let long: String = (0..230)
        .map(|n| format!("- [N{n}](n{n}.md) — number\n"))
        .collect();
    fixture.file("MEMORY.md", 0, long);
    let shown = fixture.run(&["show", "MEMORY.md"]).stdout();
    let tail: Vec<&str> = shown.lines().skip(198).collect();
    assert_snapshot!(tail.join("\n"), @"
    - [N198](n198.md) — number
    - [N199](n199.md) — number

    > Warning: MEMORY.md was cut: it has 230 lines, 30 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.
    ");
}

#[test]
fn hidden_text_is_made_visible() {
    let fixture = Fixture::new();
    let sly = "---\nname: sly\ndescription: har\u{202E}mless\ntype: user\n---\n\n\
               Line one\rLine 1 \u{1B}[2J\u{E0041}\u{E0042}, and \u{1F468}\u{200D}\u{1F469} stays.\r\n";
    fixture.file("sly.md", 0, sly);
    assert_snapshot!(fixture.run(&["show", "sly"]), @"
    exit 0
    -- stdout
    sly.md
    user, today
    har<U+202E>mless

    Line one<U+000D>Line 1 <U+001B>[2J<U+E0041><U+E0042>, and 👨‍👩 stays.
    -- stderr
    warning: sly.md has hidden text: 2 tag characters, 1 direction control, 1 control character
    ");
    assert_eq!(fixture.run(&["show", "sly", "--raw"]).stdout(), sly);
}

#[test]
fn expiry_and_origin_are_told() {
    let fixture = Fixture::new();
    let metadata = ["source: tool", "expires: 2020-02-29"];
    fixture.topic_with("freeze.md", 0, "project", "Frozen", &metadata, "Frozen.");
    assert_snapshot!(fixture.run(&["show", "freeze"]), @"
    exit 0
    -- stdout
    freeze.md
    project, today, from tool, expired 2020-02-29
    Frozen

    Frozen.
    -- stderr
    ");
}

#[test]
fn what_is_not_there_is_told_kindly() {
    let fixture = Fixture::with_some();
    fixture.topic("user_rooms.md", 0, "user", "Rooms", "Rooms.");
    assert_snapshot!(fixture.run(&["show", "user_rolle"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `user_rolle`
      did you mean `user_role`?
    ");
    assert_snapshot!(fixture.run(&["show", "user_ro"]), @"
    exit 1
    -- stdout
    -- stderr
    error: `user_ro` could be any of 2 memories
      write more of the name: user_rooms.md, user_role.md
    ");
    assert_snapshot!(fixture.run(&["show", "../../etc/passwd"]), @"
    exit 1
    -- stdout
    -- stderr
    error: `../../etc/passwd` cannot be a memory: the path has `.` or `..` as a part: name the file directly
      `memdir list` shows what there is
    ");
    assert_snapshot!(fixture.run(&["show", "team/MEMORY.md"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no team/MEMORY.md yet
      the first `memdir remember` writes it; `memdir index --rebuild` makes it from the files
    ");
    assert_snapshot!(fixture.run(&["show"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <NAME>

    Usage: memdir show <NAME>

    For more information, try '--help'.
    ");
}
