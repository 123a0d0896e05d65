//! The name that a path has as a folder: the same as Claude Code's, so that one memory serves both.

use std::path::Path;

/// Longer slugs are cut here and told apart by a hash.
const MAX_LENGTH: usize = 200;

/// Makes one folder name of an absolute path: every UTF-16 code unit that is not an ASCII letter or
/// digit becomes a hyphen.
///
/// It is lossy: `/a/b-c` and `/a/b/c` have the same slug. In a path that is not UTF-8 each invalid
/// sequence counts as one replacement character, that is, one hyphen.
///
/// ```
/// use std::path::Path;
/// use memdir_store::slug;
///
/// let path = Path::new("/Users/Michael.A/task-analysis");
/// assert_eq!(slug(path), "-Users-Michael-A-task-analysis");
/// ```
#[must_use]
pub fn slug(path: &Path) -> String {
    let text = path.to_string_lossy();
    let mut slug = String::with_capacity(text.len());
    let mut hash: i32 = 0;
    for unit in text.encode_utf16() {
        hash = hash.wrapping_mul(31).wrapping_add(i32::from(unit));
        let character = char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric);
        slug.push(character.unwrap_or('-'));
    }
    if slug.len() > MAX_LENGTH {
        slug.truncate(MAX_LENGTH);
        slug.push('-');
        slug.push_str(&base36(hash.unsigned_abs()));
    }
    slug
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_of_claude_code() {
        let long = format!("/tmp/{}", ["d".repeat(60).as_str(); 5].join("/"));
        let cut: String = long.replace('/', "-").chars().take(200).collect();
        let expected = format!("{cut}-wqr9t3");
        for (path, expected) in [
            (
                "/Users/Michael.A/task-analysis",
                "-Users-Michael-A-task-analysis",
            ),
            ("/a/b-c", "-a-b-c"),
            ("/a/b/c", "-a-b-c"),
            ("/a/_x y", "-a--x-y"),
            ("/caf\u{e9}", "-caf-"),
            ("/\u{1f980}", "---"),
            ("/", "-"),
            (long.as_str(), expected.as_str()),
        ] {
            assert_eq!(slug(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn exactly_two_hundred_characters_stay_whole() {
        let path = format!("/{}", "x".repeat(199));
        assert_eq!(slug(Path::new(&path)).len(), 200);
        let longer = format!("{path}x");
        assert!(slug(Path::new(&longer)).len() > 201);
    }

    proptest::proptest! {
        #[test]
        fn a_slug_is_one_plain_name(path in "(/\\PC{0,80}){1,8}") {
            let slug = slug(Path::new(&path));
            let units = path.encode_utf16().count();
            proptest::prop_assert!(slug.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
            proptest::prop_assert!(slug.starts_with('-'));
            if units <= MAX_LENGTH {
                proptest::prop_assert_eq!(slug.len(), units);
            } else {
                proptest::prop_assert!((202..=208).contains(&slug.len()), "{}", slug);
            }
        }
    }

    #[test]
    fn a_path_that_is_not_utf8_has_a_slug() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"/a\xff\xfe/b"));
        assert_eq!(slug(path), "-a---b");
    }
}
