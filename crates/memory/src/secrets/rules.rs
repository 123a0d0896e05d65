//! The rules: what each secret is called and how it looks.
//!
//! Formats are facts published by their services; the expressions and texts are our own.

mod chat;
mod cloud;
mod forge;
mod generic;
mod infrastructure;
mod keys;
mod mail;
mod model;
mod payment;
mod registry;

use std::fmt;

/// How sure a rule is by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The token has a form of its own: a prefix, a length, an alphabet.
    Structural,
    /// A bare value beside the name of its service.
    Named,
    /// A random value given to a name such as `password`.
    Generic,
}

/// One kind of secret.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Short, stable name, as in `github-personal-token`.
    pub id: &'static str,
    /// What it is, for people.
    pub description: &'static str,
    /// How sure it is.
    pub class: Class,
    /// Text that must stand there, in any case, before anything else is looked at.
    pub(super) keywords: &'static [&'static str],
    pub(super) matcher: Matcher,
    /// Least number of bytes from the keyword on that could belong to a token: looked at before
    /// anything is compiled.
    pub(super) least: usize,
    /// A byte that must be among them.
    pub(super) needs: Option<u8>,
    /// Least entropy of the value, in tenths of a bit.
    pub(super) entropy: u32,
    /// Bytes behind the keyword that are looked at.
    pub(super) span: usize,
    /// Whether a default password beside a local address is let through.
    pub(super) weak_allowed: bool,
}

/// How a rule finds its value once the keyword is there. Group 1 of a pattern is the value.
#[derive(Clone, Copy)]
pub(super) enum Matcher {
    /// The match begins with the keyword, and no letter or digit stands before it.
    Token { pattern: &'static str },
    /// The match may begin so many bytes before the keyword.
    Around {
        pattern: &'static str,
        before: usize,
    },
    /// An armoured private key.
    PrivateKey,
    /// A name, an operator and a value that looks random.
    Assignment,
}

impl Rule {
    const fn new(
        id: &'static str,
        description: &'static str,
        class: Class,
        keywords: &'static [&'static str],
        matcher: Matcher,
    ) -> Self {
        Self {
            id,
            description,
            class,
            keywords,
            matcher,
            least: 0,
            needs: None,
            entropy: 28,
            span: 512,
            weak_allowed: false,
        }
    }

    /// A token that begins with its keyword.
    const fn token(
        id: &'static str,
        description: &'static str,
        keywords: &'static [&'static str],
        least: usize,
        pattern: &'static str,
    ) -> Self {
        Self::new(
            id,
            description,
            Class::Structural,
            keywords,
            Matcher::Token { pattern },
        )
        .least(least)
    }

    /// A token whose keyword stands inside it, up to so many bytes from its beginning.
    const fn around(
        id: &'static str,
        description: &'static str,
        keywords: &'static [&'static str],
        before: usize,
        pattern: &'static str,
    ) -> Self {
        Self::new(
            id,
            description,
            Class::Structural,
            keywords,
            Matcher::Around { pattern, before },
        )
    }

    /// A bare value behind the name of its service.
    const fn named(
        id: &'static str,
        description: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
    ) -> Self {
        Self::new(
            id,
            description,
            Class::Named,
            keywords,
            Matcher::Around { pattern, before: 0 },
        )
    }

    const fn least(mut self, bytes: usize) -> Self {
        self.least = bytes;
        self
    }

    const fn needs(mut self, byte: u8) -> Self {
        self.needs = Some(byte);
        self
    }

    const fn entropy(mut self, tenths: u32) -> Self {
        self.entropy = tenths;
        self
    }

    const fn span(mut self, bytes: usize) -> Self {
        self.span = bytes;
        self
    }

    const fn weak_allowed(mut self) -> Self {
        self.weak_allowed = true;
        self
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.description)
    }
}

/// The pattern of a bare value beside a service's name: the name, a word such as "key", an
/// operator, the value.
macro_rules! beside {
    ($name:literal, $value:literal) => {
        concat!(
            "(?i:",
            $name,
            r"[\w .\-]{0,24}?(?:key|token|secret|pat|password|auth|credential)s?[\w .\-]{0,12})",
            r"[\x22'`*\]]{0,3}\s{0,3}(?::=|=>|[=:|]|\bis\b)\s{0,3}[\x22'`*]{0,3}(",
            $value,
            ")"
        )
    };
}
use beside;

/// Every rule by family, more specific ones first.
pub(super) const FAMILIES: [&[Rule]; 10] = [
    keys::RULES,
    cloud::RULES,
    forge::RULES,
    model::RULES,
    chat::RULES,
    payment::RULES,
    registry::RULES,
    mail::RULES,
    infrastructure::RULES,
    generic::RULES,
];

/// How many rules there are.
pub(super) const COUNT: usize = count(false);

/// How many keywords they have together.
pub(super) const KEYWORDS: usize = count(true);

#[expect(
    clippy::indexing_slicing,
    reason = "run by the compiler: a wrong index does not compile"
)]
const fn count(keywords: bool) -> usize {
    let (mut family, mut total) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            total += if keywords {
                FAMILIES[family][member].keywords.len()
            } else {
                1
            };
            member += 1;
        }
        family += 1;
    }
    total
}

/// Every rule, more specific ones first.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.into_iter().flatten()
}
