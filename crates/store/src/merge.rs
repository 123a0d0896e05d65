//! Three-way merging of lines.

use similar::{MergeResolution, TextMerge};

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
    let names = ["this change", "the other change"];
    if let Some(merged) = one_sided(base, ours, theirs) {
        return Merged::Clean(merged);
    }
    finish(&of_lines(base, ours, theirs, names))
}

/// As [`merge`], for taking a change back: lines that were put in or taken out right beside it are not the same lines.
/// In a list two lines at the same spot fit as well.
pub(crate) fn merge_beside(
    base: &[u8],
    (ours, our_name): (&[u8], &str),
    (theirs, their_name): (&[u8], &str),
    is_list: bool,
) -> Merged {
    if let Some(merged) = one_sided(base, ours, theirs) {
        return Merged::Clean(merged);
    }
    let merge = of_lines(base, ours, theirs, [our_name, their_name]);
    beside(&merge, is_list).map_or_else(|| finish(&merge), Merged::Clean)
}

type Lines<'a> = TextMerge<'a, 'a, 'a, [u8]>;

fn one_sided(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if ours == theirs || base == theirs {
        Some(ours.to_vec())
    } else {
        (base == ours).then(|| theirs.to_vec())
    }
}

fn of_lines<'a>(base: &'a [u8], ours: &'a [u8], theirs: &'a [u8], names: [&str; 2]) -> Lines<'a> {
    let [our_name, their_name] = names;
    let mut merge = TextMerge::from_lines(base, ours, theirs);
    merge.labels("before", our_name, their_name);
    merge
}

fn finish(merge: &Lines<'_>) -> Merged {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail; if it ever did, a conflict loses nothing.
    let written = merge.to_writer(&mut bytes).is_ok();
    if written && !merge.is_conflicted() {
        Merged::Clean(bytes)
    } else {
        Merged::Conflict(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn beside(merge: &Lines<'_>, is_list: bool) -> Option<Vec<u8>> {
    let mut merged = Vec::new();
    for region in merge.regions() {
        let base: Vec<&[u8]> = (region.base_range())
            .filter_map(|line| merge.base_line(line))
            .collect();
        let ours: Vec<&[u8]> = (region.ours_range())
            .filter_map(|line| merge.ours_line(line))
            .collect();
        let theirs: Vec<&[u8]> = (region.theirs_range())
            .filter_map(|line| merge.theirs_line(line))
            .collect();
        let lines = match region.resolution() {
            MergeResolution::Unchanged | MergeResolution::Ours | MergeResolution::Both => ours,
            MergeResolution::Theirs => theirs,
            _ if is_list && base.is_empty() => [ours, theirs].concat(),
            _ => around(&theirs, &base)
                .map(|[above, below]| [above, &ours, below].concat())
                .or_else(|| {
                    around(&ours, &base).map(|[above, below]| [above, &theirs, below].concat())
                })?,
        };
        merged.extend_from_slice(&lines.concat());
    }
    Some(merged)
}

/// What stands above and below some lines, if they stand there once.
fn around<'a, 'b>(lines: &'b [&'a [u8]], inner: &[&[u8]]) -> Option<[&'b [&'a [u8]]; 2]> {
    let mut places = (lines.windows(inner.len().max(1)).enumerate())
        .filter(|(_, window)| *window == inner)
        .map(|(place, _)| place);
    let (Some(place), None) = (places.next(), places.next()) else {
        return None;
    };
    let (above, rest) = lines.split_at_checked(place)?;
    let (_, below) = rest.split_at_checked(inner.len())?;
    Some([above, below])
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

    #[test]
    fn what_is_taken_back_fits_with_what_stands_beside_it() {
        for (after, before, now, expected) in [
            ("a b", "a", "a b c", Some("a c")),
            ("a b", "a", "a x b", Some("a x")),
            ("a c", "a b c", "a", Some("a b")),
            ("a", "a b", "a c", None),
            ("a b", "a", "a B", None),
            ("b", "", "b x b", None),
        ] {
            let [after, before, now] = [after, before, now].map(lines);
            let sides = ((before.as_bytes(), "before"), (now.as_bytes(), "now"));
            let merged = match merge_beside(after.as_bytes(), sides.0, sides.1, false) {
                Merged::Clean(bytes) => Some(String::from_utf8(bytes).unwrap()),
                Merged::Conflict(_) => None,
            };
            assert_eq!(merged, expected.map(lines), "{after:?} {before:?} {now:?}");
        }
    }

    fn lines(words: &str) -> String {
        words
            .split_whitespace()
            .map(|word| format!("{word}\n"))
            .collect()
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
