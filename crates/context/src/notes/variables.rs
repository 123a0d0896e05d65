//! Variables in texts that a user may have written.

/// Replaces each `{{name}}` by its value, in one pass: what a value contains is not looked at again, no other sign means
/// anything, and a name that is not among the values stays as it is.
///
/// ```
/// use memdir_context::notes::fill;
///
/// let values = [("path", "$1 {{text}}"), ("text", "never")];
/// assert_eq!(fill("{{path}} {{other}} {{{text}}}", &values), "$1 {{text}} {{other}} {never}");
/// ```
#[must_use]
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let after = from.strip_prefix("{{")?.strip_prefix(name)?;
            Some((value, after.strip_prefix("}}")?))
        });
        match found {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                // One brace only: the next may be the first of two.
                out.push('{');
                rest = from.strip_prefix('{').unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}
