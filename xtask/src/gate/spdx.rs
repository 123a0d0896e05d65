//! Licence expressions such as `MIT OR (Apache-2.0 WITH LLVM-exception AND BSD-3-Clause)`.

/// Whether the expression can be met with licences that `allowed` accepts.
///
/// `OR` needs one side, `AND` both and binds tighter; a `WITH` exception is part of its licence's
/// name; the old `MIT/Apache-2.0` means `OR`. `None` when it is not an expression at all.
pub(super) fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader {
        words: words.iter().copied().peekable(),
        allowed,
    };
    let verdict = reader.any()?;
    reader.words.next().is_none().then_some(verdict)
}

struct Reader<'a> {
    words: std::iter::Peekable<std::iter::Copied<std::slice::Iter<'a, &'a str>>>,
    allowed: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn any(&mut self) -> Option<bool> {
        let mut verdict = self.all()?;
        while self.words.next_if_eq(&"OR").is_some() {
            verdict |= self.all()?;
        }
        Some(verdict)
    }

    fn all(&mut self) -> Option<bool> {
        let mut verdict = self.one()?;
        while self.words.next_if_eq(&"AND").is_some() {
            verdict &= self.one()?;
        }
        Some(verdict)
    }

    fn one(&mut self) -> Option<bool> {
        match self.words.next()? {
            "(" => {
                let verdict = self.any()?;
                self.words.next_if_eq(&")")?;
                Some(verdict)
            }
            ")" | "OR" | "AND" | "WITH" => None,
            licence => match self.words.next_if_eq(&"WITH") {
                Some(_) => {
                    let exception = self.words.next()?;
                    Some((self.allowed)(&format!("{licence} WITH {exception}")))
                }
                None => Some((self.allowed)(licence)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_weighed_as_spdx_says() {
        let allowed = |licence: &str| {
            [
                "MIT",
                "Apache-2.0",
                "Apache-2.0 WITH LLVM-exception",
                "Zlib",
            ]
            .contains(&licence)
        };
        let cases = [
            ("MIT", Some(true)),
            ("GPL-3.0-only", Some(false)),
            ("GPL-3.0-only OR MIT", Some(true)),
            ("GPL-3.0-only AND MIT", Some(false)),
            ("MIT/Apache-2.0", Some(true)),
            ("Apache-2.0 WITH LLVM-exception", Some(true)),
            ("MIT WITH LLVM-exception", Some(false)),
            // AND binds tighter than OR.
            ("MIT OR GPL-3.0-only AND GPL-2.0-only", Some(true)),
            ("(MIT OR GPL-3.0-only) AND GPL-2.0-only", Some(false)),
            ("(MIT OR GPL-3.0-only) AND (Zlib)", Some(true)),
            ("", None),
            ("MIT OR", None),
            ("MIT Zlib", None),
            ("(MIT", None),
            ("WITH MIT", None),
        ];
        for (expression, expected) in cases {
            assert_eq!(satisfied(expression, &allowed), expected, "{expression}");
        }
    }
}
