//! The index: entries, edits and what is loaded of it.

use memdir_memory::{Index, MemoryPath, index};
use proptest::prelude::*;

const INDEX: &str = "# Memory\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n* [Role](./role.md): who\r\n  - [Old (x)](<old (1).md>)\r\n\
                     - [Web](https://example.org) — not a memory\r\nSome text.\r\n";

fn path(text: &str) -> MemoryPath {
    MemoryPath::new(text).unwrap()
}

fn text(index: &Index) -> String {
    String::from_utf8_lossy(index.bytes()).into_owned()
}

#[test]
fn entries_are_read_in_every_usual_form() {
    let lines = "- [A](a.md) — em\n- [B](b.md) – en\n- [C](c.md) - hyphen\n- [D](d.md): colon\n* [E](e.md)\n+ [F](sub/f.md) no mark\n\
                 - [G h] i](g.md) — x\n- [H](h (1).md) — paren\n- [I](<i j.md>) — angle\n-[J](j.md)\n[K](k.md)\n- [L](#l)\n- [M]()\n\
                 - [N](../n.md) — out\n- [O](o.md) -- two  ";
    let index = Index::parse(lines.as_bytes());
    let read: String = index
        .entries()
        .map(|entry| {
            format!(
                "{:2} {:?} {:?} {:?}\n",
                entry.line, entry.title, entry.target, entry.hook
            )
        })
        .collect();
    insta::assert_snapshot!(read, @r#"
     1 "A" "a.md" Some("em")
     2 "B" "b.md" Some("en")
     3 "C" "c.md" Some("hyphen")
     4 "D" "d.md" Some("colon")
     5 "E" "e.md" None
     6 "F" "sub/f.md" Some("no mark")
     7 "G h] i" "g.md" Some("x")
     8 "H" "h (1).md" Some("paren")
     9 "I" "i j.md" Some("angle")
    14 "N" "../n.md" Some("out")
    15 "O" "o.md" Some("two")
    "#);
    assert_eq!(text(&index), lines);
}

#[test]
fn edits_change_their_own_line() {
    let index = Index::parse(INDEX.as_bytes());
    insta::assert_snapshot!(format!("{:?}", text(&index.with_entry("Role", &path("role.md"), "who\nhe is"))), @r##""# Memory\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n* [Role](role.md) — who he is\r\n  - [Old (x)](<old (1).md>)\r\n- [Web](https://example.org) — not a memory\r\nSome text.\r\n""##);
    insta::assert_snapshot!(format!("{:?}", text(&index.with_entry("New [1]", &path("new (2).md"), ""))), @r##""# Memory\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n* [Role](./role.md): who\r\n  - [Old (x)](<old (1).md>)\r\n- [New (1)](<new (2).md>)\r\n- [Web](https://example.org) — not a memory\r\nSome text.\r\n""##);
    insta::assert_snapshot!(format!("{:?}", text(&index.without_target(&path("role.md")))), @r##""# Memory\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n  - [Old (x)](<old (1).md>)\r\n- [Web](https://example.org) — not a memory\r\nSome text.\r\n""##);
    insta::assert_snapshot!(format!("{:?}", text(&index.retarget(&path("old (1).md"), &path("team/old.md")))), @r##""# Memory\r\n\r\n- [Tabs](tabs.md) — use tabs\r\n* [Role](./role.md): who\r\n  - [Old (x)](team/old.md)\r\n- [Web](https://example.org) — not a memory\r\nSome text.\r\n""##);
}

#[test]
fn the_end_of_the_file_stays_as_it_is() {
    let with = |old: &str| text(&Index::parse(old.as_bytes()).with_entry("A", &path("a.md"), "h"));
    assert_eq!(with(""), "- [A](a.md) — h\n");
    assert_eq!(with("# Memory"), "# Memory\n- [A](a.md) — h");
    assert_eq!(with("- [B](b.md)"), "- [B](b.md)\n- [A](a.md) — h");
    assert_eq!(with("- [B](b.md)\r"), "- [B](b.md)\r- [A](a.md) — h\r");
    assert_eq!(with("- [A](a.md) - x"), "- [A](a.md) — h");
    // A CR before the LF of the next line would have made one line end of two.
    assert_eq!(
        with("x\r- [B](b.md)\n\ny\n"),
        "x\r- [B](b.md)\n- [A](a.md) — h\n\ny\n"
    );
    let without = |old: &str| text(&Index::parse(old.as_bytes()).without_target(&path("a.md")));
    assert_eq!(without("- [B](b.md)\r\n- [A](a.md)"), "- [B](b.md)");
    assert_eq!(
        without("- [A](a.md)\n- [B](b.md)\n- [A](./a.md)\n"),
        "- [B](b.md)\n"
    );
    assert_eq!(without("- [A](a.md)"), "");
}

#[test]
fn a_long_hook_is_cut_at_a_word() {
    let line = index::entry_line("Title", &path("user_a.md"), &"some words ".repeat(30));
    insta::assert_snapshot!(line, @"- [Title](user_a.md) — some words some words some words some words some words some words some words some words some words some words some words some…");
    assert!(line.chars().count() <= index::LINE_CHARACTERS);
    let line = index::entry_line("", &path("team/a-b.md"), &"界".repeat(300));
    assert_eq!(line.chars().count(), index::LINE_CHARACTERS);
}

#[test]
fn problems_are_named() {
    let lines = format!(
        "---\nname: x\n---\n- [A](a.md)\n- [B](../b.md)\n- [A](./a.md) — {}\n\u{1}\n",
        "x".repeat(200)
    );
    let index = Index::from_bytes([lines.as_bytes(), b"\xff\n", &b"x\n".repeat(200)].concat());
    let problems: String = index
        .problems()
        .iter()
        .map(|problem| format!("{problem}\n"))
        .collect();
    insta::assert_snapshot!(problems, @"
    the index has 208 lines; only the first 200 are ever loaded
    the index begins with a header (`---`), which is for topic files
    line 5 leads to `../b.md`: the path has `.` or `..` as a part: name the file directly
    line 6 leads to a.md, as line 4 does already
    line 6 has 216 characters; about 150 is enough for a hook
    line 8 is not UTF-8
    ");
}

#[test]
fn loading_warns_about_what_it_cut() {
    let line = "- [A](a.md) — hook\n";
    let warn = |text: String| index::load(text.as_bytes()).warning.unwrap_or_default();
    insta::assert_snapshot!(warn(line.repeat(240)), @"> Warning: MEMORY.md was cut: it has 240 lines, 40 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.");
    insta::assert_snapshot!(warn(format!("{}\n", "x".repeat(300)).repeat(100)), @"> Warning: MEMORY.md was cut: it has 5099 bytes more than the limit of 25000, and the lines past it are left out. Keep each line of the index short and move detail into topic files, so that all of it is loaded.");
    insta::assert_snapshot!(warn(format!("{}\n", "x".repeat(300)).repeat(240)), @"> Warning: MEMORY.md was cut: it has 240 lines, 40 more than the limit of 200, and only the first 200 count; these still have 35199 bytes more than the limit of 25000, and the lines past it are left out. Keep each line of the index short and move detail into topic files, so that all of it is loaded.");
    assert_eq!(warn(format!("\n \n{}\n\n\n", line.repeat(200))), "");
}

#[test]
fn the_limit_of_bytes_is_exact() {
    let exact = "x".repeat(index::MAX_BYTES);
    assert_eq!(index::load(exact.as_bytes()).text, exact);
    assert_eq!(index::load(format!("{exact}\n").as_bytes()).warning, None);
    let loaded = index::load(format!("{exact}\ny\n").as_bytes());
    assert_eq!(loaded.text, exact);
    assert!(loaded.warning.unwrap().contains(" 2 bytes more"));
    let one_over = index::load(format!("x{}", "é".repeat(index::MAX_BYTES / 2)).as_bytes());
    assert_eq!(
        (one_over.text.len(), one_over.bytes),
        (index::MAX_BYTES - 1, index::MAX_BYTES + 1)
    );
    assert_eq!(index::load(b"").to_string(), "");
}

fn index_bytes() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        0..7_u8,
        prop::sample::select(vec!["a", "b", "aa"]),
        0..300_usize,
    )
        .prop_map(|(kind, name, length)| match kind {
            0..=3 => format!("- [{name}]({name}.md) — {}", "x ".repeat(length / 2)),
            4 => format!("# {name}"),
            5 => "é界 ".repeat(length / 4),
            _ => String::new(),
        });
    let line_end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    let tail = prop::collection::vec(any::<u8>(), 0..6);
    (prop::collection::vec(line, 0..260), line_end, tail)
        .prop_map(|(lines, line_end, tail)| [lines.join(line_end).as_bytes(), &tail].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn loading_keeps_to_its_limits_and_never_cuts_in_silence(bytes in index_bytes()) {
        let all = String::from_utf8_lossy(&bytes).into_owned();
        let loaded = index::load(&bytes);
        prop_assert!(loaded.text.len() <= index::MAX_BYTES);
        let lines = loaded.text.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert!(lines.is_empty() || lines.split('\n').count() <= index::MAX_LINES);
        let at = all.find(&loaded.text).unwrap();
        let (before, after) = (&all[..at], &all[at + loaded.text.len()..]);
        let is_blank = |text: &str| text.trim_matches([' ', '\t', '\r', '\n', '\u{feff}']).is_empty();
        prop_assert!(is_blank(before));
        prop_assert_eq!(is_blank(after), loaded.warning.is_none());
        if let Some(warning) = loaded.warning {
            prop_assert_eq!(warning.contains("limit of 200"), loaded.lines > index::MAX_LINES);
            prop_assert!(after.starts_with(['\r', '\n']) || !loaded.text.contains('\n'));
        }
    }

    #[test]
    fn an_edit_keeps_every_other_line(bytes in index_bytes(), name in "[abc]{1,2}") {
        let target = path(&format!("{name}.md"));
        let index = Index::parse(&bytes);
        prop_assert_eq!(index.bytes(), &bytes);
        let with = index.with_entry("Title", &target, "a hook");
        let entry = with.entry(&target).unwrap();
        prop_assert_eq!((&*entry.title, entry.hook.as_deref()), ("Title", Some("a hook")));
        let others = |index: &Index| -> Vec<Vec<u8>> {
            let lines = index.bytes().split(|byte| matches!(byte, b'\n' | b'\r'));
            lines.filter(|line| !line.is_empty() && Index::parse(line).entry(&target).is_none()).map(<[u8]>::to_vec).collect()
        };
        prop_assert_eq!(others(&with), others(&index));
        let without = with.without_target(&target);
        prop_assert_eq!(without.entry(&target), None);
        prop_assert_eq!(others(&without), others(&index));
        if index.entry(&target).is_none() && !bytes.is_empty() {
            prop_assert_eq!(without.bytes(), &bytes);
        }
        let moved = with.retarget(&target, &path("moved.md"));
        prop_assert!(moved.entry(&target).is_none() && moved.entry(&path("moved.md")).is_some());
        prop_assert_eq!(with.with_entry("Title", &target, "a hook"), with);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let index = Index::parse(&bytes);
        index.problems();
        index::load(&bytes);
        prop_assert_eq!(index.bytes(), &bytes);
    }
}
