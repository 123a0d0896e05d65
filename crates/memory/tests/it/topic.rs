//! Topic files and their edits.

use memdir_memory::{EditError, MemoryType, NewTopic, Source, Topic};
use proptest::prelude::*;

const NESTED: &str = "---\n# mine\nname: tabs\ndescription: 'old'   # why\nextra: {a: 1}\nmetadata:\n    node_type: memory\n    \
                      type: user\n    modified: 2026-03-30T12:00:00.000Z\n---\n\nBody --- with\n---\nrules.";
const FLAT: &str = "---\r\nname: tabs\r\ntype: project\r\n---\r\nBody.\r\n";

/// What an edit does to a file, as a diff of lines with their ends.
fn edit(file: &str, change: impl Fn(&Topic) -> Result<Topic, EditError>) -> String {
    match change(&Topic::parse(file.as_bytes())) {
        Ok(topic) => diff(file, &String::from_utf8_lossy(topic.bytes())),
        Err(error) => error.to_string(),
    }
}

/// The lines that differ, marked as taken out or put in.
fn diff(old: &str, new: &str) -> String {
    let lines = |text: &str| -> Vec<String> {
        text.split_inclusive('\n')
            .map(|line| format!("{line:?}"))
            .collect()
    };
    let (old, new) = (lines(old), lines(new));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let out = old[start..old.len() - end]
        .iter()
        .map(|line| format!("-{line}\n"));
    let put_in = new[start..new.len() - end]
        .iter()
        .map(|line| format!("+{line}\n"));
    out.chain(put_in).collect()
}

#[test]
fn an_edit_changes_its_own_bytes_only() {
    insta::assert_snapshot!(edit(NESTED, |topic| topic.with_name("blanks")), @r#"
    -"name: tabs\n"
    +"name: blanks\n"
    "#);
    insta::assert_snapshot!(edit(NESTED, |topic| topic.with_description("new: text")), @r#"
    -"description: 'old'   # why\n"
    +"description: \"new: text\"   # why\n"
    "#);
    insta::assert_snapshot!(edit(NESTED, |topic| topic.with_metadata("source", "user")), @r#"+"    source: user\n""#);
    insta::assert_snapshot!(edit(NESTED, |topic| topic.without_metadata("modified")), @r#"-"    modified: 2026-03-30T12:00:00.000Z\n""#);
    insta::assert_snapshot!(edit(FLAT, |topic| topic.with_description("a\nb #3")), @r#"+"description: \"a b #3\"\r\n""#);
}

#[test]
fn a_type_keeps_the_form_it_has() {
    let feedback = |topic: &Topic| topic.with_type(MemoryType::Feedback);
    insta::assert_snapshot!(edit(NESTED, feedback), @r#"
    -"    type: user\n"
    +"    type: feedback\n"
    "#);
    insta::assert_snapshot!(edit(FLAT, feedback), @r#"
    -"type: project\r\n"
    +"type: feedback\r\n"
    "#);
    insta::assert_snapshot!(edit("---\nname: x\n---\n", feedback), @r#"
    +"metadata:\n"
    +"  type: feedback\n"
    "#);
    insta::assert_snapshot!(edit("---\nmetadata:\n\n  # c\n  a: b\n---\n", feedback), @r#"+"  type: feedback\n""#);
    insta::assert_snapshot!(edit("---\ntype: user\nmetadata:\n  type: user\n---\n", feedback), @r#"
    -"type: user\n"
    -"metadata:\n"
    -"  type: user\n"
    +"type: feedback\n"
    +"metadata:\n"
    +"  type: feedback\n"
    "#);
}

#[test]
fn values_over_several_lines_are_replaced_whole() {
    let describe = |topic: &Topic| topic.with_description("new");
    insta::assert_snapshot!(edit("---\ndescription: >\n  one\n\n  # two\nname: x\n---\n", describe), @r#"
    -"description: >\n"
    -"  one\n"
    -"\n"
    -"  # two\n"
    +"description: new\n"
    "#);
    insta::assert_snapshot!(edit("---\ndescription: one\n  two\n  # kept\nname: x\n---\n", describe), @r#"
    -"description: one\n"
    -"  two\n"
    +"description: new\n"
    "#);
    insta::assert_snapshot!(edit("---\ndescription:\nname: x\n---\n", describe), @r#"
    -"description:\n"
    +"description: new\n"
    "#);
    insta::assert_snapshot!(edit("---\ndescription: # todo\nname: x\n---\n", describe), @r#"
    -"description: # todo\n"
    +"description: \"new\" # todo\n"
    "#);
    insta::assert_snapshot!(edit("---\ndescription: a: b # c\nname: x\n---\n", describe), @r#"
    -"description: a: b # c\n"
    +"description: new\n"
    "#);
}

#[test]
fn a_file_without_header_gets_one() {
    let name = |topic: &Topic| topic.with_name("x");
    insta::assert_snapshot!(edit("Body\r\nmore", name), @r#"
    +"---\r\n"
    +"name: x\r\n"
    +"---\r\n"
    +"\r\n"
    "#);
    insta::assert_snapshot!(edit("", name), @r#"
    +"---\n"
    +"name: x\n"
    +"---\n"
    "#);
    insta::assert_snapshot!(edit("\u{feff}\nBody\n", |topic| topic.with_type(MemoryType::User)), @r#"
    -"\u{feff}\n"
    +"\u{feff}---\n"
    +"metadata:\n"
    +"  type: user\n"
    +"---\n"
    +"\n"
    "#);
    insta::assert_snapshot!(edit("---\nname: y\ntype: user", |topic| topic.with_metadata("a", "b")), @r#"
    -"type: user"
    +"type: user\n"
    +"metadata:\n"
    +"  a: b"
    "#);
}

#[test]
fn forms_that_cannot_be_edited_are_refused() {
    insta::assert_snapshot!(edit("---\n{name: x, type: user}\n---\n", |topic| topic.with_type(MemoryType::User)), @"the header is written in a form in which `type` cannot be set: write it as `key: value`, one a line");
    insta::assert_snapshot!(edit("---\nmetadata: {type: user}\n---\n", |topic| topic.with_metadata("a", "b")), @"the header is written in a form in which `a` cannot be set: write it as `key: value`, one a line");
    insta::assert_snapshot!(edit("---\nmetadata: {}\n---\n", |topic| topic.with_metadata("a", "b")), @r#"
    -"metadata: {}\n"
    +"metadata:\n"
    +"  a: b\n"
    "#);
    insta::assert_snapshot!(edit(NESTED, |topic| topic.with_metadata("a b", "c")), @"`a b` cannot be a key of a header: letters, digits, `-` and `_` only");
}

#[test]
fn bodies() {
    let topic = Topic::parse(NESTED.as_bytes());
    assert_eq!(topic.body(), b"Body --- with\n---\nrules.");
    insta::assert_snapshot!(diff(NESTED, &String::from_utf8_lossy(topic.with_body(b"New.\n").bytes())), @r#"
    -"Body --- with\n"
    -"---\n"
    -"rules."
    +"New.\n"
    "#);
    assert_eq!(
        Topic::parse(b"---\nname: x\n---")
            .with_body(b"New.")
            .bytes(),
        b"---\nname: x\n---\nNew."
    );
    let rule = b"---\nname: no header\n---\n";
    assert!(!Topic::parse(b"old").with_body(rule).has_header());
}

#[test]
fn problems_are_named() {
    let problems = |file: &[u8]| -> String {
        Topic::parse(file)
            .problems()
            .iter()
            .map(|problem| format!("{problem}\n"))
            .collect()
    };
    insta::assert_snapshot!(problems(b"text\n"), @"the file has no header: nothing describes it, so that it is hard to find again");
    insta::assert_snapshot!(problems(b"---\nname: x\ndescription: a: b\ntype: opinion\n---\nx\n\xff\0\n"), @"
    the header is not YAML: put values that hold `: ` or ` #` in quotes
    the header's type is none of user, feedback, project and reference
    the file is not all UTF-8: line 7 is the first that is not
    the file has a NUL byte: line 7 is the first with one
    ");
    insta::assert_snapshot!(problems(b"---\ndescription: x\n\nBody\n"), @"
    the header is not closed: put a line `---` after its last key
    the header has no name
    the header has no type (user, feedback, project or reference)
    ");
    assert_eq!(problems(NESTED.as_bytes()), "");
}

#[test]
fn a_new_file_is_in_todays_form() {
    let text = Topic::compose(&NewTopic {
        name: "node-22",
        description: "Build: needs Node 22 # always",
        memory_type: MemoryType::Project,
        source: Source::Agent,
        expires: Some(jiff::civil::date(2026, 12, 1)),
        metadata: &[
            ("originSessionId", "0b2c-1-x"),
            ("evidence", "\"use 22\",\nI said"),
            ("a b", "yes"),
        ],
        body: "\nUse Node 22.\n\n**Why:** the lockfile.\n\n",
    });
    insta::assert_snapshot!(text, @r#"
    ---
    name: node-22
    description: "Build: needs Node 22 # always"
    metadata:
      type: project
      source: agent
      expires: 2026-12-01
      originSessionId: 0b2c-1-x
      evidence: "\"use 22\", I said"
      a_b: "yes"
    ---

    Use Node 22.

    **Why:** the lockfile.
    "#);
    let topic = Topic::parse(text.as_bytes());
    assert_eq!(topic.problems(), []);
    assert_eq!(
        topic.metadata("evidence").as_deref(),
        Some("\"use 22\", I said")
    );
}

/// Files around the forms in use, with what an edit must leave alone.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let pieces = vec![
        "name: x",
        "description: \"a\" # c",
        "description: a: b",
        "description: |\n  text\n  # in it",
        "type: user",
        "metadata:",
        "  type: project",
        "  source: user # s",
        "  node_type: memory",
        "# c",
        "",
        "tags: [a, b]",
        "tags:\n- a",
        "x: 'y'",
        "  stray",
        "metadata: {}",
        "other:\n  type: no",
        "metadata: {a: b}",
        "name: # none",
    ];
    let line_end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let body = prop::collection::vec(any::<u8>(), 0..30);
    let frame = prop::sample::select(vec![
        ("---\n", "---\n"),
        ("\u{feff}---\n", "---\n\n"),
        ("---\n", ""),
        ("", ""),
        ("---\n", "---"),
    ]);
    (
        prop::collection::vec(prop::sample::select(pieces), 0..7),
        line_end,
        frame,
        body,
    )
        .prop_map(|(lines, line_end, (open, close), body)| {
            let lines: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            let head = format!("{open}{lines}{close}").replace('\n', line_end);
            [head.as_bytes(), &body].concat()
        })
}

/// Text of any language without line ends.
fn one_line(length: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let any_character = any::<char>().prop_filter("on one line", |c| {
        !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')
    });
    let character = prop_oneof![1 => any_character, 3 => prop::char::range(' ', '~')];
    prop::collection::vec(character, length).prop_map(String::from_iter)
}

/// How many bytes at the start and at the end two files share, not counted twice.
fn shared(old: &[u8], new: &[u8]) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - start;
    (
        start,
        old.iter()
            .rev()
            .zip(new.iter().rev())
            .take(room)
            .take_while(|(a, b)| a == b)
            .count(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_file_is_its_bytes(bytes in file()) {
        prop_assert_eq!(Topic::parse(&bytes).into_bytes(), bytes);
    }

    #[test]
    fn what_is_set_is_read_back(bytes in file(), value in one_line(1..21)) {
        let topic = Topic::parse(&bytes);
        let value = value.trim();
        let expected = Some(value).filter(|value| !value.is_empty());
        if let Ok(edited) = topic.with_name(value) {
            prop_assert_eq!(edited.header().name.as_deref(), expected);
            prop_assert!(edited.bytes().ends_with(topic.body()));
        }
        if let Ok(edited) = topic.with_metadata("evidence", value) {
            let read = edited.metadata("evidence");
            prop_assert_eq!(read.as_deref(), expected);
            prop_assert!(edited.bytes().ends_with(topic.body()));
        }
        if let Ok(edited) = topic.with_type(MemoryType::Reference) {
            prop_assert_eq!(edited.header().memory_type, Some(MemoryType::Reference));
        }
    }

    /// In an ordinary file nothing is ever refused, and other fields read as before.
    #[test]
    fn ordinary_files_can_always_be_edited(value in one_line(1..31)) {
        let expected = Some(value.trim()).filter(|value| !value.is_empty());
        for file in [NESTED, FLAT, "Just text.\n"] {
            let topic = Topic::parse(file.as_bytes());
            let edited = topic.with_description(&value).unwrap();
            prop_assert_eq!(edited.header().description.as_deref(), expected);
            prop_assert_eq!(&edited.header().name, &topic.header().name);
            prop_assert_eq!(edited.header().memory_type, topic.header().memory_type);
            prop_assert_eq!(edited.body(), topic.body());
            // What differs is one stretch of bytes within the lines of the field.
            let (start, end) = shared(topic.bytes(), edited.bytes());
            let gone = &topic.bytes()[start..topic.bytes().len() - end];
            prop_assert!(gone.iter().all(|byte| *byte != b'\n'), "{:?}", String::from_utf8_lossy(gone));
        }
    }

    /// Every YAML parser must get the same text: the strictest one here is asked.
    #[test]
    fn what_is_written_is_yaml(name in one_line(0..31), evidence in any::<String>()) {
        let text = Topic::compose(&NewTopic {
            name: &name,
            description: &evidence,
            memory_type: MemoryType::User,
            source: Source::User,
            expires: None,
            metadata: &[("evidence", &evidence)],
            body: "",
        });
        let topic = Topic::parse(text.as_bytes());
        prop_assert!(!topic.problems().contains(&memdir_memory::TopicProblem::NotYaml));
        prop_assert_eq!(topic.header().name.as_deref().unwrap_or_default(), name.trim());
        let yaml = text.strip_prefix("---\n").unwrap().split("\n---\n").next().unwrap();
        let parsed: serde_json::Value = serde_saphyr::from_str(yaml).unwrap();
        prop_assert_eq!(parsed["name"].as_str(), Some(name.trim()), "{}", yaml);
        prop_assert_eq!(parsed["description"].as_str(), topic.header().description.as_deref().or(Some("")));
    }

    #[test]
    fn a_key_put_in_and_taken_out_leaves_no_trace(bytes in file()) {
        let topic = Topic::parse(&bytes);
        // An empty `metadata:` goes with its last key, and a header that was made stays.
        let is_apt = topic.has_header() && !String::from_utf8_lossy(&bytes).contains("metadata:");
        if is_apt && let Ok(edited) = topic.with_metadata("evidence", "x") {
            let back = edited.without_metadata("evidence").unwrap();
            prop_assert_eq!(back.bytes(), bytes);
        }
    }

    #[test]
    fn a_body_is_replaced_and_nothing_else(bytes in file(), body in "[a-z]{1,10}\n?") {
        let topic = Topic::parse(&bytes);
        let edited = topic.with_body(body.as_bytes());
        prop_assert_eq!(edited.body(), body.as_bytes());
        prop_assert_eq!(edited.header(), topic.header());
    }
}
