//! Small directories, whole, before and after.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::tz::TimeZone;
use memdir_agent::mend::{After, Before, mend};
use memdir_memory::MemoryPath;

use super::corpus::file;

/// Files as `== path day`, each followed by its text.
fn directory(text: &str) -> BTreeMap<MemoryPath, Before> {
    let mut files = BTreeMap::new();
    for piece in text.split("== ").skip(1) {
        let (head, text) = piece.split_once('\n').unwrap();
        let (path, day) = head.split_once(' ').unwrap();
        let path = MemoryPath::new(path).unwrap();
        files.insert(path, file(text, day.parse().unwrap()));
    }
    files
}

/// What changes, and what is told.
fn mended(text: &str) -> String {
    let mended = mend(&directory(text), &TimeZone::UTC);
    let mut out = String::new();
    for (path, after) in &mended.changes {
        match after {
            After::Written { text, keeps_time } => {
                let time = if *keeps_time { "" } else { " now" };
                writeln!(
                    out,
                    "== {path}{time}\n{}",
                    String::from_utf8_lossy(text).trim_end()
                )
                .unwrap();
            }
            After::Removed { into } => {
                let into = into.as_ref().map(MemoryPath::as_str);
                writeln!(out, "== {path} -> {}", into.unwrap_or("nothing")).unwrap();
            }
        }
    }
    for line in &mended.told {
        writeln!(out, "* {line}").unwrap();
    }
    out
}

#[test]
fn a_copy_goes_into_the_older_memory_and_links_follow() {
    insta::assert_snapshot!(mended("\
== MEMORY.md 0
- [Deploys](deploys.md) — when and by whom
- [Deploy days](deploy-days.md) — Thursdays, Ada
== deploys.md 1
---
name: deploys
description: Deploys leave on Thursdays
tags: mine # keep
metadata:
  type: project
  source: user
  evidence: we deploy on Thursdays
---

Deploys leave on Thursdays at 14:00. Ada presses the button.
== deploy-days.md 5
---
name: deploy-days
description: \"Deploy day: every Thursday\"
metadata:
  type: project
  source: rules
  evidence: Thursdays it is
  ticket: OPS-12
---

Ada presses the button. Deploys leave on Thursdays at 14:00. Ben is her stand-in.
== other.md 3
See [[deploy-days]] and [this](deploy-days.md), not `[[deploy-days]]`.
"), @"
    == MEMORY.md now
    - [Deploys](deploys.md) — when and by whom
    - [other](other.md)
    == deploy-days.md -> deploys.md
    == deploys.md
    ---
    name: deploys
    description: Deploys leave on Thursdays
    tags: mine # keep
    metadata:
      type: project
      source: rules
      evidence: we deploy on Thursdays
      evidence_2: Thursdays it is
      ticket: OPS-12
      merged: deploy-days.md
    ---

    Deploys leave on Thursdays at 14:00. Ada presses the button.

    Deploy day: every Thursday

    Ben is her stand-in.

    Thursdays, Ada
    == other.md
    See [[deploys]] and [this](deploys.md), not `[[deploy-days]]`.
    * deploy-days.md went into deploys.md, with 2 statements that only it had; it counts as from `rules` now
    * other.md: the link to “deploy-days” leads to “deploys” now
    * other.md: the link to “deploy-days.md” leads to “deploys.md” now
    * deploys.md: has what stood in the index alone: Thursdays, Ada
    * MEMORY.md: two lines for deploys.md became one
    * MEMORY.md: a line for other.md
    ");
}

#[test]
fn what_opposes_stays_and_is_told() {
    insta::assert_snapshot!(mended("\
== MEMORY.md 0
- [A](a.md)
- [B](b.md)
- [C](c.md)
== a.md 1
---
description: Indentation is by tabs
type: feedback
---
Indent Go files with tabs. The formatter does it.
== b.md 2
---
description: Indentation is not by tabs
type: feedback
---
Never indent Go files with tabs. The formatter does it.
== c.md 3
---
description: Indentation is by tabs
type: feedback
---
Indent Go files with 4 tabs at most. The formatter does it.
"), @"
    * a.md says “Indentation is by tabs”, b.md says “Indentation is not by tabs”: both stay, decide which holds
    * b.md says “Indentation is not by tabs”, c.md says “Indentation is by tabs”: both stay, decide which holds
    ");
}

#[test]
fn the_index_is_repaired_and_the_users_text_stays() {
    insta::assert_snapshot!(mended("\
== MEMORY.md 0
# Mine

Sorted by hand,  do not touch.
- [Gone](gone.md) — no longer here
* [Build](./build.md): how we build
- [Build, again](build.md) — nightly since spring
- [Page](https://example.com/x.md) — not a memory
- [Long](long.md) — one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one
== build.md 1
---
name: build
description: How we build
type: reference
---
How we build is in the wiki.
== long.md 1
---
name: long
description: Counting
type: user
---
The user counts.
== notes/new.md 1
---
name: new
description: Something new
type: user
---
The user likes new things.
== team/shared.md 1
---
name: shared
description: How we build
type: reference
---
How we build is in the wiki.
== logs/2026/01/2026-01-02.md 1
- 10:00 Deploy tomorrow
"), @"
    == MEMORY.md now
    # Mine

    Sorted by hand,  do not touch.
    * [Build](./build.md): how we build
    - [Page](https://example.com/x.md) — not a memory
    - [Long](long.md) — one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen…
    - [new](notes/new.md) — Something new
    == build.md
    ---
    name: build
    description: How we build
    type: reference
    ---
    How we build is in the wiki.

    nightly since spring
    == long.md
    ---
    name: long
    description: Counting
    type: user
    ---
    The user counts.

    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one
    == team/MEMORY.md now
    - [shared](shared.md) — How we build
    * MEMORY.md: took out a line that leads to no memory: [Gone](gone.md) no longer here
    * build.md: has what stood in the index alone: nightly since spring
    * MEMORY.md: two lines for build.md became one
    * long.md: has what stood in the index alone: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nine…
    * MEMORY.md: the line for long.md is shorter
    * MEMORY.md: a line for notes/new.md
    * team/MEMORY.md: a line for team/shared.md
    ");
}

#[test]
fn dates_are_counted_from_the_day_they_were_written() {
    insta::assert_snapshot!(mended("\
== MEMORY.md 0
- [Freeze](freeze.md) — the freeze begins tomorrow
- [Demo](demo.md)
- [Habit](habit.md)
== freeze.md 200
---
name: freeze
description: The freeze begins tomorrow
metadata:
  type: project
  modified: 2026-03-04T23:30:00Z
---
The freeze begins tomorrow, as Ada said: \"tomorrow, no later\". See `tomorrow.sh` and [[tomorrow]].
== demo.md 4
---
name: demo
description: Demo for the customer
type: project
---
Demo by Friday.
== habit.md 4
---
name: habit
description: Asks today what could wait
type: user
---
Tomorrow is always better for this user.
"), @r#"
    == MEMORY.md now
    - [Freeze](freeze.md) — the freeze begins 2026-03-05
    - [Demo](demo.md)
    - [Habit](habit.md)
    == demo.md
    ---
    name: demo
    description: Demo for the customer
    type: project
    ---
    Demo by 2026-01-09.
    == freeze.md
    ---
    name: freeze
    description: The freeze begins 2026-03-05
    metadata:
      type: project
      modified: 2026-03-04T23:30:00Z
    ---
    The freeze begins 2026-03-05, as Ada said: "tomorrow, no later". See `tomorrow.sh` and [[tomorrow]].
    * demo.md: “by Friday” is “by 2026-01-09” now
    * freeze.md: “tomorrow” is “2026-03-05” now
    * MEMORY.md: “the freeze begins tomorrow” is “the freeze begins 2026-03-05” now
    "#);
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    insta::assert_snapshot!(mended("\
== MEMORY.md 0
- [A](a.md)
- [B](b.md)
== a.md 1
---
name: a
description: Use tabs

Use tabs in Go files, always and everywhere.
== b.md 2
---
name: b
description: Use tabs
---

Use tabs in Go files, always and everywhere.
"), @"* a.md: left as it is: the header is not closed: put a line `---` after its last key");
}
