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
mod service;

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
    /// Least entropy of the value, in tenths of a bit.
    pub(super) entropy: u32,
    /// Bytes behind the keyword that are looked at.
    pub(super) span: usize,
    /// Whether a default password beside a local address is let through.
    pub(super) weak_allowed: bool,
}

/// How a rule finds its value once the keyword is there. The first group of a pattern that
/// takes part is the value.
#[derive(Clone, Copy)]
pub(super) enum Matcher {
    /// The match begins with the keyword, and no letter or digit stands before it.
    Token { pattern: &'static str },
    /// The match may begin so many bytes before the keyword.
    Around {
        pattern: &'static str,
        before: usize,
    },
    /// A name around the keyword is given a value of one of these forms.
    Beside { forms: &'static [&'static str] },
    /// An armoured private key.
    PrivateKey,
    /// The password in an address: of a database, or any other.
    Address { database: bool },
    /// The password before the `@` that begins the keyword, without a scheme.
    BareAddress,
    /// The password among the fields of a connection.
    Connection,
    /// The data of a Kubernetes Secret.
    Kubernetes,
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

    /// A bare value of a known form beside the name of its service.
    const fn beside(
        id: &'static str,
        description: &'static str,
        keywords: &'static [&'static str],
        forms: &'static [&'static str],
    ) -> Self {
        Self::new(
            id,
            description,
            Class::Named,
            keywords,
            Matcher::Beside { forms },
        )
        .entropy(18)
    }

    const fn least(mut self, bytes: usize) -> Self {
        self.least = bytes;
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

/// Every rule by family, more specific ones first.
pub(super) const FAMILIES: [&[Rule]; 11] = [
    keys::RULES,
    cloud::RULES,
    forge::RULES,
    model::RULES,
    chat::RULES,
    payment::RULES,
    registry::RULES,
    mail::RULES,
    infrastructure::RULES,
    service::RULES,
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
