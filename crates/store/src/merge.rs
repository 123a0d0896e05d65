//! Three-way merging of lines.

use similar::TextMerge;

/// What two authors made of one text.
#[derive(Debug, PartialEq)]
pub(crate) enum Merged {
    /// Both changes fit together.
    Clean(Vec<u8>),
    /// They touch the same lines; the text shows both.
    Conflict(String),
}

/// Puts the changes from `base` to `ours` and from `base` to `theirs` together.
pub(crate) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    merge_named(base, (ours, "this change"), (theirs, "the other change"))
}

/// As [`merge`], with names for the two sides of a conflict.
pub(crate) fn merge_named(
    base: &[u8],
    (ours, our_name): (&[u8], &str),
    (theirs, their_name): (&[u8], &str),
) -> Merged {
    if ours == theirs || base == theirs {
        return Merged::Clean(ours.to_vec());
    }
    if base == ours {
        return Merged::Clean(theirs.to_vec());
    }
    let mut merge = TextMerge::from_lines(base, ours, theirs);
    merge.labels("before", our_name, their_name);
    let mut bytes = Vec::new();
    // Writing to memory cannot fail; if it ever did, a conflict loses nothing.
    let written = merge.to_writer(&mut bytes).is_ok();
    if written && !merge.is_conflicted() {
        Merged::Clean(bytes)
    } else {
        Merged::Conflict(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
        merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes())
    }

    #[test]
    fn changes_in_different_lines_fit_together() {
        assert_eq!(
            merged("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n"),
            Merged::Clean(b"A\nb\nc\nD\n".to_vec())
        );
    }

    #[test]
    fn changes_in_the_same_line_are_shown_side_by_side() {
        let Merged::Conflict(text) = merged("a\n", "ours\n", "theirs\n") else {
            panic!("no conflict")
        };
        insta::assert_snapshot!(text, @r"
        <<<<<<< this change
        ours
        =======
        theirs
        >>>>>>> the other change
        ");
    }

    proptest! {
        #[test]
        fn one_sided_changes_win(base: Vec<u8>, change: Vec<u8>) {
            prop_assert_eq!(merge(&base, &change, &base), Merged::Clean(change.clone()));
            prop_assert_eq!(merge(&base, &base, &change), Merged::Clean(change.clone()));
            prop_assert_eq!(merge(&base, &change, &change), Merged::Clean(change));
        }

        #[test]
        fn a_clean_merge_does_not_depend_on_who_is_first(
            base in "([abc]\n){0,8}", ours in "([abcx]\n){0,8}", theirs in "([abcy]\n){0,8}",
        ) {
            let (one, other) = (merged(&base, &ours, &theirs), merged(&base, &theirs, &ours));
            match (one, other) {
                (Merged::Clean(one), Merged::Clean(other)) => prop_assert_eq!(one, other),
                (Merged::Conflict(_), Merged::Conflict(_)) => {}
                (one, other) => prop_assert!(false, "{:?} but {:?}", one, other),
            }
        }
    }
}
