//! Headers as people and models write them.

use memdir_memory::{HEADER_BYTES, Header};

/// One line about what was read; fields that are none are left out.
fn read(file: &[u8]) -> String {
    let header = Header::read(file);
    let mut fields = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            fields.push(format!("{name}={value:?}"));
        }
    };
    add("name", header.name);
    add("description", header.description);
    add("type", header.memory_type.map(|word| word.to_string()));
    add("source", header.source.map(|word| word.to_string()));
    add("modified", header.modified);
    add("expires", header.expires.map(|day| day.to_string()));
    add("session", header.origin_session);
    if fields.is_empty() {
        "nothing".to_owned()
    } else {
        fields.join(" ")
    }
}

fn read_all(files: &[&str]) -> String {
    files
        .iter()
        .map(|file| format!("{file:?}\n  {}\n", read(file.as_bytes())))
        .collect()
}

#[test]
fn both_forms_are_read() {
    let nested = "---\nname: tabs\ndescription: \"Indent: tabs\"\nmetadata:\n  node_type: memory\n  type: feedback\n  \
                  source: user\n  originSessionId: 0b2c\n  modified: 2026-03-30T12:00:00.000Z\n  expires: 2026-12-01\n---\n";
    insta::assert_snapshot!(read(nested.as_bytes()), @r#"name="tabs" description="Indent: tabs" type="feedback" source="user" modified="2026-03-30T12:00:00.000Z" expires="2026-12-01" session="0b2c""#);
    let flat = "---\nname: tabs\ndescription: Indent\ntype: User\n---\n";
    insta::assert_snapshot!(read(flat.as_bytes()), @r#"name="tabs" description="Indent" type="user""#);
}

#[test]
fn what_yaml_alone_understands_is_read_by_it() {
    insta::assert_snapshot!(read_all(&[
        "---\nname: x\ndescription: >\n  one\n  two\nmetadata: {type: user}\n---\n",
        "---\n{name: x, type: project}\n---\n",
        "---\nname: x\ntags:\n- a\n- b\ntype: user\n---\n",
        "---\n\"name\": \"\\x41\\x42\"\n---\n",
        "---\nname:\n  on the next line\n---\n",
    ]), @r#"
    "---\nname: x\ndescription: >\n  one\n  two\nmetadata: {type: user}\n---\n"
      name="x" description="one two" type="user"
    "---\n{name: x, type: project}\n---\n"
      name="x" type="project"
    "---\nname: x\ntags:\n- a\n- b\ntype: user\n---\n"
      name="x" type="user"
    "---\n\"name\": \"\\x41\\x42\"\n---\n"
      name="AB"
    "---\nname:\n  on the next line\n---\n"
      name="on the next line"
    "#);
}

#[test]
fn what_is_not_quite_yaml_is_read_by_its_lines() {
    insta::assert_snapshot!(read_all(&[
        "---\nname: x\ndescription: note: a colon #3 and [more\ntype: user # sure\n---\n",
        "---\nname: x\ndescription: [WIP] half done\nmetadata:\n  type: project\n---\n",
        "---\nname:x\ndescription: a: b\n  goes on\ntype: \"user\"\n---\n",
        "---\nname: x\n\ttype: user\ndescription: @home\n---\n",
        "---\nname: *alias\ndescription: &anchor text\ntype: !!str user\n---\n",
        "---\nname: \"open\ndescription: 'it''s' # c\n---\n",
    ]), @r#"
    "---\nname: x\ndescription: note: a colon #3 and [more\ntype: user # sure\n---\n"
      name="x" description="note: a colon #3 and [more" type="user"
    "---\nname: x\ndescription: [WIP] half done\nmetadata:\n  type: project\n---\n"
      name="x" description="[WIP] half done" type="project"
    "---\nname:x\ndescription: a: b\n  goes on\ntype: \"user\"\n---\n"
      name="x" description="a: b goes on" type="user"
    "---\nname: x\n\ttype: user\ndescription: @home\n---\n"
      name="x" description="@home" type="user"
    "---\nname: *alias\ndescription: &anchor text\ntype: !!str user\n---\n"
      name="*alias" description="&anchor text"
    "---\nname: \"open\ndescription: 'it''s' # c\n---\n"
      name="\"open" description="it's"
    "#);
}

#[test]
fn of_a_key_that_stands_twice_the_first_counts() {
    insta::assert_snapshot!(read_all(&[
        "---\nname: a\nname: b\n---\n",
        "---\nname: a\nname: b\ntags: [x]\n---\n",
        "---\nname: a\nname: b\ndescription: c: d\n---\n",
        "---\ntype: user\nmetadata:\n  type: project\n---\n",
        "---\ntype: user\nmetadata:\n  type: unheard-of\n---\n",
    ]), @r#"
    "---\nname: a\nname: b\n---\n"
      name="a"
    "---\nname: a\nname: b\ntags: [x]\n---\n"
      name="a"
    "---\nname: a\nname: b\ndescription: c: d\n---\n"
      name="a" description="c: d"
    "---\ntype: user\nmetadata:\n  type: project\n---\n"
      type="project"
    "---\ntype: user\nmetadata:\n  type: unheard-of\n---\n"
      type="user"
    "#);
}

#[test]
fn edges_of_the_frame() {
    let too_long = format!("---\nname: x\n{}description: y\n---\n", "k: v\n".repeat(40));
    insta::assert_snapshot!(read_all(&[
        "",
        "---",
        "---\n---\nname: body\n",
        "\u{feff}---\r\nname: crlf\r\n---\r\n",
        "---\rname: cr\r---\r",
        "--- \t\nname: blanks\n---  \nx",
        "\n---\nname: not first\n---\n",
        "----\nname: four\n----\n",
        "---\nname: never closed\ntype: user\n\nname: body\n",
        "---\nA rule, not a header.\nname: x\n",
        "---\nname: x\n---\nbody\n---\ntype: user\n---\n",
    ]), @r#"
    ""
      nothing
    "---"
      nothing
    "---\n---\nname: body\n"
      nothing
    "\u{feff}---\r\nname: crlf\r\n---\r\n"
      name="crlf"
    "---\rname: cr\r---\r"
      name="cr"
    "--- \t\nname: blanks\n---  \nx"
      name="blanks"
    "\n---\nname: not first\n---\n"
      nothing
    "----\nname: four\n----\n"
      nothing
    "---\nname: never closed\ntype: user\n\nname: body\n"
      name="never closed" type="user"
    "---\nA rule, not a header.\nname: x\n"
      nothing
    "---\nname: x\n---\nbody\n---\ntype: user\n---\n"
      name="x"
    "#);
    assert_eq!(read(too_long.as_bytes()), "name=\"x\"");
}

#[test]
fn invalid_text_is_read_as_far_as_it_goes() {
    insta::assert_snapshot!(read(b"---\nname: a\xffb\ndescription: \x00nul\ntype: user\n---\n"), @r#"name="a�b" description="nul" type="user""#);
    insta::assert_snapshot!(read(b"---\nname: \xed\xa0\x80\ntype: user\n---\n"), @r#"name="���" type="user""#);
}

#[test]
fn what_is_too_large_is_left_out() {
    let scalar = format!("---\ntype: user\nname: {}\n---\n", "x".repeat(50_000_000));
    assert_eq!(read(scalar.as_bytes()), "type=\"user\"");
    let bomb: String = (1..12)
        .map(|n| format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1))
        .collect();
    assert_eq!(
        read(format!("---\n{bomb}name: x\n---\n").as_bytes()),
        "name=\"x\""
    );
    let deep = format!("---\ntype: user\nx: {}\n---\n", "[".repeat(10_000));
    assert_eq!(read(deep.as_bytes()), "type=\"user\"");
    let edge = format!(
        "---\nname: x\ndescription: {}\n---\n",
        "y".repeat(HEADER_BYTES)
    );
    assert_eq!(read(edge.as_bytes()), "name=\"x\"");
}
