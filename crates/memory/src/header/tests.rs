//! The three readers held against each other.

use proptest::prelude::*;

use super::{Fields, Header, key_lines, line_reader, yaml};

/// Pieces of lines at which readers of headers have gone wrong.
fn value() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "",
        " ",
        " a",
        " a b ",
        "  two",
        " a: b",
        " a:b",
        " a:",
        " a #b",
        " a#b",
        " #c",
        "#d",
        " ~",
        " null",
        " NULL",
        " nUll",
        " true",
        " yes",
        " 12",
        " 0x1F",
        " 1e3",
        " 2026-03-30",
        " 2026-03-30T12:00:00.000Z",
        " .inf",
        " 'a'",
        " 'it''s'",
        " 'open",
        " 'a' #c",
        " 'a'#c",
        " 'a' b",
        " ''",
        " '''",
        " '\\n'",
        " \"a\"",
        " \"a\\\"b\"",
        " \"\\n\"",
        " \"\\u00e9\"",
        " \"\\ud800\"",
        " \"\\x41\"",
        " \"\\q\"",
        " \"a\\\\\"",
        " \"open",
        " \"a\" # c",
        " \"\"",
        " [a, b]",
        " [WIP] a",
        " {a: b}",
        " {",
        " - a",
        " -a",
        " --- a",
        " ? a",
        " ?a",
        " : a",
        " &a b",
        " *a",
        " !!str a",
        " !a b",
        " |",
        " >-",
        " % a",
        " @a",
        " `a`",
        " a\tb",
        "\ta",
        " a\t",
        " é",
        " 日本語: x",
        " 日本 #x",
        "\u{a0}a",
        " a\u{a0}",
        " a\u{2028}b",
        " a\u{85}b",
        " \u{feff}a",
        " \u{1f468}\u{200d}\u{1f469}",
        " a\u{0}b",
        " <<",
        " =",
        " user",
        " Feedback",
        " ...",
        " a\\",
        " \\",
        " a'b",
        " a\"b",
        " a, b",
        " a]",
        " a}",
        " a |",
        " a, [b",
        " a & b",
        " !",
        " a!b",
    ]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => "[ -~]{0,12}", 1 => " \\PC{0,8}"]
}

fn line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "name",
        "description",
        "type",
        "metadata",
        "metadata",
        "source",
        "modified",
        "expires",
        "originSessionId",
        "node_type",
        "x",
        "null",
        "true",
        "y",
        "a-b",
        "a_b",
        "_a",
        "1a",
        "~",
        "<<",
        "\"name\"",
        "a b",
        "é",
        "Name",
    ]);
    let indent = prop::sample::select(vec!["", "", "", "  ", "  ", "  ", " ", "    ", "\t"]);
    let entry =
        (indent, key, value()).prop_map(|(indent, key, value)| format!("{indent}{key}:{value}"));
    let other = prop::sample::select(vec![
        "",
        "  ",
        "# c",
        "  # c",
        "- a",
        "  - a",
        "  more",
        "more",
        "...",
        "--- a",
        "%YAML 1.2",
        "]",
        "}",
        "\"",
    ]);
    prop_oneof![5 => entry, 1 => other.prop_map(str::to_owned)]
}

fn region() -> impl Strategy<Value = String> {
    let line_end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    (prop::collection::vec(line(), 0..7), line_end)
        .prop_map(|(lines, line_end)| lines.iter().flat_map(|line| [line, line_end]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn where_the_line_reader_is_sure_yaml_says_the_same(region in region()) {
        if let Some(fields) = line_reader::read(&region) {
            let by_yaml = yaml::read(&region).map(|fields| Fields { are_plain: true, ..fields });
            prop_assert_eq!(Some(&fields), by_yaml.as_ref());
            let by_yaml = yaml::read(&region).map(Fields::into_header);
            prop_assert_eq!(Some(fields.into_header()), by_yaml);
        }
    }
}

proptest! {
    #[test]
    fn no_reader_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        line_reader::read(&text);
        yaml::read(&text);
        key_lines::read(&text);
        Header::read(&bytes);
        Header::read(&[b"---\n", bytes.as_slice(), b"\n---\n"].concat());
        Header::is_cut_off(&bytes);
    }

    #[test]
    fn no_reader_panics_on_what_is_nearly_a_header(region in region()) {
        yaml::read(&region);
        key_lines::read(&region);
        Header::read(format!("---\n{region}---\n").as_bytes());
        Header::read(format!("\u{feff}---\r{region}").as_bytes());
    }

    /// Read in two steps, a block and the rest, a header is what it is when read at once.
    #[test]
    fn a_block_that_is_not_cut_off_is_enough(region in region(), cut in 0_usize..200) {
        let file = format!("---\n{region}---\n\nBody.\n");
        let cut = cut.min(file.len());
        let block = &file.as_bytes()[..cut];
        if cut == file.len() || !Header::is_cut_off(block) {
            prop_assert_eq!(Header::read(block), Header::read(file.as_bytes()));
        }
    }
}

#[test]
fn the_line_reader_knows_the_forms_that_are_in_use() {
    let nested = "name: a\ndescription: \"b: c\" # d\nmetadata:\n  node_type: memory\n  type: user\n\
                  \x20 originSessionId: 0b2c\n  modified: 2026-03-30T12:00:00.000Z\n";
    let flat = "# mine\nname: 'it''s'\r\ndescription: Grüße, 日本 (a:b, c#d)\r\ntype: project\r\nx: 1\r\n\r\n";
    assert!(line_reader::read(nested).is_some());
    assert!(line_reader::read(flat).is_some());
}

#[test]
fn hostile_yaml_is_refused() {
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nname: *c\n";
    let anchors: String = (0..100_000)
        .map(|number| format!("a{number}: &a{number} x\n"))
        .collect();
    let depth = format!("name: {}", "[".repeat(10_000));
    let blocks: String = (0..3_000)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    let scalar = format!("name: \"{}\\n\"\n", "x".repeat(50_000_000));
    let cases = [
        ("aliases", bomb),
        ("one anchor", "name: &a x\n"),
        ("anchors", &anchors),
        ("depth", &depth),
        ("depth by indent", &blocks),
        ("a scalar of 50 MB", &scalar),
        ("a merge key", "<<: {name: x}\n"),
        ("a tag", "name: !!python/object:os.system x\n"),
        ("a core tag", "name: !!str x\n"),
        ("two documents", "name: x\n--- \nname: y\n"),
    ];
    for (what, region) in cases {
        assert_eq!(yaml::read(region), None, "{what}");
    }
}
