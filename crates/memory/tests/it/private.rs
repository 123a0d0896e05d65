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
        // Nothing was opened.
        ("ß</private> b", "ß</private> b"),
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
        ("<private/> a < private>", "<private/> a < private>"),
        ("<pri<private>x</private>", "<pri[private]"),
        ("é<é<private>ß</private>é", "é<é[private]é"),
    ] {
        assert_eq!(without_private(message), expected, "{message}");
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
