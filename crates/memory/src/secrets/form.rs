//! Forms of tokens: text with places, such as `pat-{a22}` or `{x8}-{x4}`.
//!
//! A place is a class of characters and how many of them: `{a36}`, `{b80-90}`. Classes: `a` letters
//! and digits, `x` hexadecimal, `d` digits, `U` capitals and digits, `w` letters, digits, `_` and
//! `-`, `e` the same and `=`, `b` Base64 in either alphabet. `{g}` is a UUID.

/// Whether a value has a form, from its first character to its last.
pub(super) fn fits(form: &str, value: &str) -> bool {
    remainder(form, value.as_bytes()).is_some_and(<[u8]>::is_empty)
}

/// What is left of a value behind a form; none where it does not begin with it.
fn remainder<'a>(form: &str, value: &'a [u8]) -> Option<&'a [u8]> {
    let mut rest = value;
    let mut form = form;
    while let Some((literal, behind)) = form.split_once('{') {
        rest = rest.strip_prefix(literal.as_bytes())?;
        let (place, behind) = behind.split_once('}')?;
        form = behind;
        if place == "g" {
            rest = remainder("{x8}-{x4}-{x4}-{x4}-{x12}", rest)?;
            continue;
        }
        let (class, count) = place.split_at_checked(1)?;
        let (least, most) = match count.split_once('-') {
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
            None => {
                let exact: usize = count.parse().ok()?;
                (exact, exact)
            }
        };
        let length = rest
            .iter()
            .take(most)
            .take_while(|byte| belongs(class, **byte))
            .count();
        if length < least {
            return None;
        }
        rest = rest.get(length..)?;
    }
    rest.strip_prefix(form.as_bytes())
}

fn belongs(class: &str, byte: u8) -> bool {
    let plain = byte.is_ascii_alphanumeric();
    match class {
        "a" => plain,
        "x" => byte.is_ascii_hexdigit(),
        "d" => byte.is_ascii_digit(),
        "U" => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        "w" => plain || matches!(byte, b'_' | b'-'),
        "e" => plain || matches!(byte, b'_' | b'-' | b'='),
        "b" => plain || matches!(byte, b'+' | b'/' | b'_' | b'-' | b'='),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::fits;
    use crate::secrets::rules::{self, Matcher};

    #[test]
    fn a_form_is_the_whole_value() {
        for (form, value, fit) in [
            ("{x4}", "0aF9", true),
            ("{x4}", "0aF9a", false),
            ("{x4}", "0aG9", false),
            ("k-{a2-4}", "k-abc", true),
            ("k-{a2-4}", "k-a", false),
            ("k-{a2-4}", "k-abcde", false),
            ("{d2}:{w3}.z", "12:a_-.z", true),
            ("{g}", "0af90af9-0af9-0af9-0af9-0af90af90af9", true),
            ("{g}", "0af90af9-0af9-0af9-0af9-0af90af90af", false),
        ] {
            assert_eq!(fits(form, value), fit, "{form} {value}");
        }
    }

    #[test]
    fn every_form_of_a_rule_can_be_read() {
        for rule in rules::all() {
            let Matcher::Beside { forms } = rule.matcher else {
                continue;
            };
            for form in forms {
                let mut rest = *form;
                while let Some((_, behind)) = rest.split_once('{') {
                    let (place, behind) = behind.split_once('}').expect("a closed place");
                    let count = place.get(1..).expect("a class");
                    let readable =
                        place == "g" || count.split('-').all(|part| part.parse::<usize>().is_ok());
                    assert!(
                        readable && place.starts_with(|class| "axdUwebg".contains(class)),
                        "{}: {form}",
                        rule.id
                    );
                    rest = behind;
                }
            }
        }
    }
}
