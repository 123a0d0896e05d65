//! `memdir log`: lines for the day.

use insta::assert_snapshot;

use crate::fixture::Fixture;

const TIME: (&str, &str) = (r"\d{4}-\d{2}-\d{2}|\d{4}/\d{2}|\d{2}:\d{2}", "[TIME]");

#[test]
fn a_line_is_appended_and_read() {
    let fixture = Fixture::new();
    let run = |words: &[&str]| fixture.program(words).filter(TIME.0, TIME.1).run().unwrap();
    assert_snapshot!(run(&["log"]), @"
    exit 0
    -- stdout
    Nothing was written down on [TIME]. `memdir log TEXT` writes a line
    -- stderr
    ");
    assert_snapshot!(run(&["log", "asked", "Ada", "--dry-run"]), @"
    exit 0
    -- stdout
    Would write into logs/[TIME]/[TIME].md:
    - [TIME] asked Ada
    -- stderr
    ");
    assert_snapshot!(run(&["log", "asked Ada\nabout  the invoice"]), @"
    exit 0
    -- stdout
    Wrote into logs/[TIME]/[TIME].md:
    - [TIME] asked Ada about the invoice
    -- stderr
    ");
    assert_snapshot!(run(&["log", "she paid", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "path": "logs/[TIME]/[TIME].md",
      "file": "[HOME]/.claude/projects/[-PROJECT]/memory/logs/[TIME]/[TIME].md",
      "date": "[TIME]",
      "line": "- [TIME] she paid",
      "text": null,
      "operation": 2,
      "dry_run": false,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(run(&["log"]), @"
    exit 0
    -- stdout
    - [TIME] asked Ada about the invoice
    - [TIME] she paid
    -- stderr
    ");
    assert_snapshot!(run(&["log", "--date", "2020-01-01"]), @"
    exit 0
    -- stdout
    Nothing was written down on [TIME]. `memdir log TEXT` writes a line
    -- stderr
    ");
    assert_snapshot!(run(&["log", "the key is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the line was not saved: line 1 looks like a secret (rule github-personal-token: GitHub personal access token)
      say where the secret is kept instead of what it is; nothing was written
    ");
    assert_snapshot!(run(&["list"]), @r#"
    exit 0
    -- stdout
    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
}
