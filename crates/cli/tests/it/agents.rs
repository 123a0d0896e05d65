//! `memdir agents`.

use insta::assert_snapshot;

use crate::fixture::Fixture;

fn with_agents() -> Fixture {
    let fixture = Fixture::new();
    let write = |path: &str, text: &str| fixture.sandbox.write(path, text).unwrap();
    write(
        "home/.claude/agent-memory/planner/MEMORY.md",
        "- [A](a.md)\n",
    );
    write("home/.claude/agent-memory/planner/a.md", "");
    write(
        "project/.claude/agent-memory/review-security/memory.md",
        "- [B](b.md)\n",
    );
    write("project/.claude/agent-memory/review-security/b.md", "");
    write("project/.claude/agent-memory/review-security/c.md", "");
    write("project/.claude/agent-memory-local/notes/d.md", "");
    fixture
}

#[test]
fn agents_with_their_memories_in_each_scope() {
    let fixture = with_agents();
    assert_snapshot!(fixture.run(&["agents"]), @"
    exit 0
    -- stdout
    planner          user     1 memory    ~/.claude/agent-memory/planner
    review-security  project  2 memories  [PROJECT]/.claude/agent-memory/review-security (memory.md is not loaded by every client; --migrate renames it)
    notes            local    1 memory    [PROJECT]/.claude/agent-memory-local/notes (no MEMORY.md)
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["agents", "--json"]), @r#"
    exit 0
    -- stdout
    [
      {
        "agent": "planner",
        "scope": "user",
        "memories": 1,
        "index": "there",
        "path": "[HOME]/.claude/agent-memory/planner"
      },
      {
        "agent": "review-security",
        "scope": "project",
        "memories": 2,
        "index": "old_name",
        "path": "[PROJECT]/.claude/agent-memory/review-security"
      },
      {
        "agent": "notes",
        "scope": "local",
        "memories": 1,
        "index": "missing",
        "path": "[PROJECT]/.claude/agent-memory-local/notes"
      }
    ]
    -- stderr
    "#);
}

#[test]
fn no_agent_has_a_memory() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["agents"]), @"
    exit 0
    -- stdout
    No agent has a memory here yet. One that says `memory: user`, `project` or `local` in its definition gets a folder:
      ~/.claude/agent-memory
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["agents", "--json"]), @"
    exit 0
    -- stdout
    []
    -- stderr
    ");
}

#[test]
fn the_old_name_of_the_index_is_renamed_when_asked() {
    let fixture = with_agents();
    let listed = fixture.run(&["agents"]).stdout();
    assert_eq!(
        fixture.run(&["agents", "--migrate", "--dry-run"]).stdout(),
        listed
    );
    assert_eq!(fixture.run(&["agents"]).stdout(), listed);
    assert_snapshot!(fixture.run(&["agents", "--migrate"]), @"
    exit 0
    -- stdout
    planner          user     1 memory    ~/.claude/agent-memory/planner
    review-security  project  2 memories  [PROJECT]/.claude/agent-memory/review-security (renamed to MEMORY.md)
    notes            local    1 memory    [PROJECT]/.claude/agent-memory-local/notes (no MEMORY.md)
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["agents", "--migrate"]), @"
    exit 0
    -- stdout
    planner          user     1 memory    ~/.claude/agent-memory/planner
    review-security  project  2 memories  [PROJECT]/.claude/agent-memory/review-security
    notes            local    1 memory    [PROJECT]/.claude/agent-memory-local/notes (no MEMORY.md)
    -- stderr
    ");
}

#[test]
fn a_folder_that_is_a_link_is_passed_over_with_a_reason() {
    let fixture = with_agents();
    let link = fixture.sandbox.project().join(".claude/agent-memory/thief");
    std::os::unix::fs::symlink(fixture.sandbox.outside(), link).unwrap();
    assert_snapshot!(fixture.run(&["agents"]), @"
    exit 0
    -- stdout
    planner          user     1 memory    ~/.claude/agent-memory/planner
    review-security  project  2 memories  [PROJECT]/.claude/agent-memory/review-security (memory.md is not loaded by every client; --migrate renames it)
    notes            local    1 memory    [PROJECT]/.claude/agent-memory-local/notes (no MEMORY.md)
    -- stderr
    warning: [PROJECT]/.claude/agent-memory/thief was passed over: [PROJECT]/.claude/agent-memory/thief is not a folder; memdir follows no link there
    ");
}
