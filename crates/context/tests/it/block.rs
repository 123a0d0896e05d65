//! The leading reminder block, and the sizes of what is in it.

use insta::assert_snapshot;
use memdir_context::instructions::estimated_tokens;

use crate::disk::{Disk, sources, told};

#[test]
fn no_context_no_block() {
    for text in ["", " \n\n", "<!-- only a comment -->\n"] {
        let (found, _) = Disk::new().file("/p/CLAUDE.md", text).search(sources());
        assert_eq!(found.block(), None);
    }
}

#[test]
fn each_file_stands_under_its_title() {
    let disk = Disk::new()
        .file("/etc/claude-code/CLAUDE.md", "No secrets in logs.\n")
        .file("/p/CLAUDE.md", "\n\nUse tabs. See @docs/style.md.\n\n")
        .file("/p/docs/style.md", "Short lines.\r\n");
    assert_snapshot!(disk.search(sources()).0.block().unwrap(), @"
    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Instruction files

    Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, the later one counts.

    ## /etc/claude-code/CLAUDE.md (set by whoever administers this machine)

    No secrets in logs.

    ## /p/CLAUDE.md (kept with the project)

    Use tabs. See @docs/style.md.

    ## /p/docs/style.md (kept with the project)

    Short lines.
    </system-reminder>
    ");
}

#[test]
fn comments_are_not_shown_but_code_is() {
    let text = "\
<!-- a note
for people -->
a <!-- b --> c

  <!-- indented -->
d

```html
<!-- shown -->
```
`<!-- shown -->`

<div>
<!-- e -->
f <!--> g
</div>

    <!-- shown -->

<!-- never closed
h
";
    let (found, _) = Disk::new().file("/p/CLAUDE.md", text).search(sources());
    assert_snapshot!(found.files[0].text, @"
    a  c

    d

    ```html
    <!-- shown -->
    ```
    `<!-- shown -->`

    <div>
    f  g
    </div>

        <!-- shown -->

    <!-- never closed
    h
    ");
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_marks_at_the_start_are_not_shown() {
    let (found, _) = Disk::new()
        .file("/p/CLAUDE.md", b"\xef\xbb\xbfcaf\xe9".as_slice())
        .search(sources());
    assert_eq!(found.files[0].text, "caf\u{fffd}");
    assert_eq!(found.files[0].bytes, 7);
    assert!(found.warnings.is_empty());
}

#[test]
fn a_large_file_is_loaded_whole_with_a_warning() {
    let (found, _) = Disk::new()
        .file("/p/CLAUDE.md", "é".repeat(40_000))
        .file("/p/CLAUDE.local.md", "é".repeat(40_001))
        .search(sources());
    assert_eq!(found.files[1].characters(), 40_001);
    assert_snapshot!(told(&found), @"
    Project /p/CLAUDE.md
    Local /p/CLAUDE.local.md
    ! /p/CLAUDE.local.md has 40001 characters, more than 40000; it is loaded whole, in every conversation
    ! all instruction files have about 40001 tokens, more than 40000
    ");
}

#[test]
fn a_large_whole_is_a_second_warning() {
    let disk = (0..5).fold(Disk::new(), |disk, n| {
        disk.file(format!("/p/.claude/rules/{n}.md"), "x".repeat(33_000))
    });
    let (found, _) = disk.search(sources());
    assert_eq!(found.tokens(), 5 * estimated_tokens(&"x".repeat(33_000)));
    assert_snapshot!(found.warnings[0], @"all instruction files have about 41250 tokens, more than 40000");
}

#[test]
fn over_a_limit_whole_files_are_left_out_the_weakest_first_and_the_block_says_so() {
    let disk = Disk::new()
        .file("/home/ada/.claude/CLAUDE.md", "a".repeat(400))
        .file("/p/CLAUDE.md", "b".repeat(400))
        .file("/p/CLAUDE.local.md", "c".repeat(80));
    let mut limited = sources();
    limited.max_tokens = Some(120);
    let (found, _) = disk.search(limited.clone());
    assert_snapshot!(told(&found), @"
    User /home/ada/.claude/CLAUDE.md left out
    Project /p/CLAUDE.md
    Local /p/CLAUDE.local.md
    ! /home/ada/.claude/CLAUDE.md (about 100 tokens) is left out: instructions.max_tokens is 120
    ");
    limited.max_tokens = Some(119);
    assert_snapshot!(disk.search(limited.clone()).0.block().unwrap(), @"
    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Instruction files

    Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, the later one counts.

    ## /p/CLAUDE.local.md (the user's own, for this project alone)

    cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc

    Left out, because all instruction files together are over the limit that the user has set:
    - /home/ada/.claude/CLAUDE.md (about 100 tokens)
    - /p/CLAUDE.md (about 100 tokens)
    </system-reminder>
    ");
    limited.max_tokens = Some(220);
    assert_eq!(
        told(&disk.search(limited).0),
        disk.tell(sources()),
        "at the limit nothing is left out"
    );
}

#[test]
fn more_bytes_than_can_be_meant_are_left_alone() {
    let megabyte = "x".repeat(1024 * 1024);
    let disk = (10..30).fold(Disk::new(), |disk, n| {
        disk.file(format!("/p/.claude/rules/{n}.md"), &megabyte)
    });
    let (found, _) = disk.search(sources());
    assert_eq!((found.files.len(), found.refused.len()), (16, 4));
    assert_snapshot!(found.refused[0].reason, @"with it the files would have more than 16777216 bytes in all");
}
