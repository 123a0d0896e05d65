//! What is marked as private and what is not.

use memdir_memory::{PrivateSpans, private_spans, without_private};
use proptest::prelude::*;

#[test]
fn what_is_cut() {
    for (message, expected) in [
        ("nothing private", "nothing private"),
        (
            "my pin <private>1234</private> works",
            "my pin [private] works",
        ),
        (
            "<private>a</private><private>b</private>",
            "[private][private]",
        ),
        // In any case, with blanks and attributes.
        ("a <PRIVATE>b</Private>c", "a [private]c"),
        (
            "a <private reason=\"pin\">b</private >c <private\n>d</private>",
            "a [private]c [private]",
        ),
        // One within another belongs to it; so does what follows where they are not closed alike.
        ("a<private>b<private>c</private>d</private>e", "a[private]e"),
        ("a<private>b<private>c</private>d", "a[private]"),
        // Never closed.
        ("a <private>b\n\nc", "a [private]"),
        ("a<private>", "a[private]"),
        // Its opening was forgotten.
        ("ß</private> b", "[private] b"),
        // Code is no shelter.
        (
            "```toml\nkey = \"<private>x</private>\"\n```",
            "```toml\nkey = \"[private]\"\n```",
        ),
        ("`<private>x</private>`", "`[private]`"),
        // Other names and half a mark.
        (
            "<privateKey>a</privateKey> x<private y <private",
            "<privateKey>a</privateKey> x<private y <private",
        ),
        (
            "<private/> a <private-ish> b",
            "<private/> a <private-ish> b",
        ),
        ("<pri<private>x</private>", "<pri[private]"),
        ("é<é<private>ß</private>é", "é<é[private]é"),
    ] {
        assert_eq!(without_private(message), expected, "{message}");
    }
}

/// Whoever marks something as private means it, however the mark is spelt.
#[test]
fn private_in_other_spellings_was_kept() {
    for (open, close) in [
        ("<private>", "</private>"),
        ("<PrIvAtE>", "</PRIVATE>"),
        ("< private >", "< / private >"),
        ("<\tprivate\n>", "</ private>"),
        ("<p r i v a t e>", "</p r i v a t e>"),
        ("＜private＞", "＜/private＞"),
        ("＜ｐｒｉｖａｔｅ＞", "＜／ｐｒｉｖａｔｅ＞"),
        ("<𝐩𝐫𝐢𝐯𝐚𝐭𝐞>", "</𝓅𝓇𝒾𝓋𝒶𝓉ℯ>"),
        ("‹private›", "‹/private›"),
        ("〈private〉", "〈/private〉"),
        ("⟨private⟩", "⟨/private⟩"),
        ("<рrivаtе>", "</рrivаtе>"),
        ("&lt;private&gt;", "&lt;/private&gt;"),
        ("&LT;private&GT;", "&lt;&sol;private&gt;"),
        ("&amp;lt;private&amp;gt;", "&amp;amp;lt;/private&amp;gt;"),
        ("&#60;private&#62;", "&#60;&#47;private&#62;"),
        ("&#x3C;private&#x3e;", "&#x003c;/private&#X3E;"),
        ("&#60private&#62", "&lt/private&gt"),
        ("<&#112;rivate>", "</&#x70;rivate>"),
        ("\\u003cprivate\\u003e", "\\u003c/private\\u003e"),
        ("\\<private\\>", "\\</private\\>"),
        ("<private>", "<\\/private>"),
        ("%3Cprivate%3E", "%3C%2Fprivate%3E"),
        ("<pri\u{200B}vate>", "</\u{2060}private\u{FEFF}>"),
        ("<\u{E0041}private\u{E0042}>", "<\u{202E}/private>"),
        ("<p\u{0332}r\u{0332}ivate>", "</private>"),
        ("<private reason=\"pin\">", "</private>"),
        ("[private]", "[/private]"),
        ("［private］", "［／private］"),
        // Its bracket was forgotten, and it was closed all the same.
        ("<private ", "</private>"),
        ("<private\n", "</private>"),
    ] {
        let message = format!("my pin {open}hunter2 ist 1234{close} works");
        assert_eq!(
            without_private(&message),
            "my pin [private] works",
            "{message}"
        );
        if open.trim_end() == "<private" {
            continue;
        }
        let nested = format!("a {open}b {open}c{close} hunter2{close} d");
        assert_eq!(without_private(&nested), "a [private] d", "{nested}");
        if !open.starts_with(['[', '［']) {
            let unclosed = format!("my pin {open}hunter2\n\nis 1234");
            assert_eq!(without_private(&unclosed), "my pin [private]", "{unclosed}");
        }
    }
}

/// What only looks like a mark is not one.
#[test]
fn honest_text_stays() {
    for text in [
        "Use <PrivateRoute path=\"/\"> and <privateKey>k</privateKey>",
        "the private part, [private](https://example.org/private) and [private] keys",
        "if a < private and b > c { }",
        "x < privateer > y",
        "`Box<private>` is a type, and the deploy is on Friday",
        "```cpp\nstd::vector<private> keys;\n```\nWe deploy on Friday.",
        "100%3 <p>rivate</p> &lt;p&gt; &private; &#112; \\u003c",
        "<private-note>a</private-note> <private:x> <private_x> <privat>e</privat>",
        "日本語＜プライベート＞ и ещё",
        "class A { private: int x; }; a[private] = 1",
        "<p>",
        "&",
        "<private",
        "&#xFFFFFFFFFF;private&#99999999999;",
    ] {
        assert_eq!(without_private(text), text, "{text}");
    }
}

/// A mark in code that is closed was meant, whatever it follows.
#[test]
fn closed_marks_in_code_count() {
    assert_eq!(
        without_private("`key<private>x</private>`"),
        "`key[private]`"
    );
    assert_eq!(without_private("key<private>x"), "key[private]");
    assert_eq!(
        without_private("<private>x</private> a [/private] b"),
        "[private] a [private] b"
    );
}

/// A type with a parameter is how code says private, outside of backticks too.
#[test]
fn a_generic_argument_swallowed_the_rest_of_the_message() {
    for text in [
        "The enum is Visibility<Private> in the sealed crate, and every impl must call seal()",
        "Generics such as Vec<Private> and Box<private> confuse the macro",
        "class List<private> extends Base; we deploy on Friday",
        "std::vector<private> keys; we deploy on Friday",
        "The type is Box<Private>",
    ] {
        assert_eq!(without_private(text), text, "{text}");
    }
    for (text, expected) in [
        ("Name<private>Ada</private> ok", "Name[private] ok"),
        ("Box<Private> a</private> ok", "Box[private] ok"),
        ("Name <private>Ada", "Name [private]"),
        ("Name:<private>Ada", "Name:[private]"),
    ] {
        assert_eq!(without_private(text), expected, "{text}");
    }
}

/// What is closed was meant, though it was opened by a slip or not at all.
#[test]
fn a_span_whose_opening_was_mistyped_was_kept() {
    for (text, expected) in [
        ("it is <private/>Ada</private> ok", "it is [private] ok"),
        ("it is <private />Ada</private> ok", "it is [private] ok"),
        ("it is Ada</private> ok", "[private] ok"),
        ("<private>a</private> b</private> c", "[private] c"),
        (
            "close it by `</private>`, ok?",
            "close it by `</private>`, ok?",
        ),
        ("a <private/> b", "a <private/> b"),
    ] {
        assert_eq!(without_private(text), expected, "{text}");
    }
}

#[test]
fn spans_hold_their_marks() {
    let message = "my <private>a</private> and <Private>b";
    let found: Vec<&str> = private_spans(message)
        .into_iter()
        .map(|span| &message[span])
        .collect();
    assert_eq!(found, ["<private>a</private>", "<Private>b"]);
}

fn pieces() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        Just("<private>".to_owned()),
        Just("<PRIVATE >".to_owned()),
        Just("</private>".to_owned()),
        Just("<private".to_owned()),
        Just("[private]".to_owned()),
        Just("[/private]".to_owned()),
        Just("&lt;private&gt;".to_owned()),
        Just("＜/ｐrivate＞".to_owned()),
        Just("\u{200B}".to_owned()),
        Just("`".to_owned()),
        Just(">".to_owned()),
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..12)
}

proptest! {
    /// A text and its halves are cut alike, wherever it is taken apart between marks.
    #[test]
    fn texts_of_one_message_are_read_on(before in "[a-z]{0,8}", secret in "[A-Z]{1,8}", gap in 0..8_usize, after in "[a-z]{0,8}") {
        let (one, two) = secret.split_at(gap.min(secret.len()));
        let mut spans = PrivateSpans::default();
        let first = spans.cut(&format!("{before}<private>{one}")).into_owned();
        let second = spans.cut(&format!("{two}</private>{after}")).into_owned();
        prop_assert_eq!(first, format!("{before}[private]"));
        prop_assert_eq!(second, format!("[private]{after}"));
        prop_assert!(!spans.open());
    }

    /// What is cut stays cut, whatever was typed around it; and what is left has nothing more to cut.
    #[test]
    fn cut_once_is_cut_for_good(pieces in pieces()) {
        let message = pieces.concat();
        let once = without_private(&message).into_owned();
        prop_assert_eq!(without_private(&once), once.as_str());
        let mut end = 0;
        for span in private_spans(&message) {
            prop_assert!(end <= span.start && span.end <= message.len());
            end = span.end;
        }
    }
}
