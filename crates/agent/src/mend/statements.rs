//! The statements of a memory: its description, and what its body says, sentence by sentence.
//!
//! A statement is a sentence, a list item's sentence, a heading, or what is never cut: a block of code, a line of a table or
//! of a quotation. Where it stands can be part of what it says: "port 8080" beneath one heading is not "port 8080" beneath
//! another, and "It is wiped nightly" speaks of what came before.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memdir_memory::words;

use super::blocks::{Kind, Raw, blocks, sentences};
use super::marks;
use super::vocabulary::{CONDITION_CHARACTERS, CONDITIONS, LEANING, LEANING_CHARACTERS};

/// What a statement is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Description,
    Heading,
    Sentence,
    /// Code, a line of a table or of a quotation: word for word or not at all.
    Verbatim,
}

/// One thing that a memory says.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// As it stands there, without the marker of a list.
    pub(super) text: String,
    pub(super) form: Form,
    /// The block of the body that it is in.
    pub(super) block: usize,
    /// Its words, so that typography and blanks do not count.
    pub(super) plain: String,
    /// The words of its parts, where commas cut it.
    pub(super) clauses: Vec<String>,
    /// What it stands beneath or leans on.
    pub(super) context: Option<String>,
    /// Whether it leans on the statement before it.
    pub(super) leans: bool,
    /// Its number among the statements of its memory.
    pub(super) number: usize,
}

impl Statement {
    /// What semicolons cut it into; a step of a list is one.
    pub(super) fn parts(&self) -> Vec<&str> {
        let is_step = self.plain.contains('\u{3}');
        if self.form != Form::Sentence || is_step || !self.text.contains([';', '；']) {
            return vec![&self.text];
        }
        let parts = self.text.split([';', '；']).map(str::trim);
        parts.filter(|part| !part.is_empty()).collect()
    }
}

/// A block of a body: a heading, a list item, a paragraph, a piece of code.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// As it stands there, with LF.
    pub(super) text: String,
    /// Indent and marker of a list item.
    pub(super) marker: String,
    /// The heading that it stands beneath.
    pub(super) heading: Option<String>,
}

/// A memory's statements and the blocks that they stand in.
#[derive(Debug, Clone, Default)]
pub(super) struct Statements {
    pub(super) all: Vec<Statement>,
    pub(super) blocks: Vec<Block>,
}

impl Statements {
    /// Reads a description and a body.
    pub(super) fn read(description: Option<&str>, body: &str) -> Self {
        let mut statements = Self::default();
        if let Some(text) = description {
            statements.all.push(Statement {
                plain: plain(text, ""),
                clauses: clauses(text),
                text: text.to_owned(),
                form: Form::Description,
                block: usize::MAX,
                context: None,
                leans: false,
                number: 0,
            });
        }
        let body = body.replace("\r\n", "\n");
        let raw = blocks(&body);
        // The only heading is a title: everything stands beneath it.
        let has_sections = raw
            .iter()
            .filter(|block| block.kind == Kind::Heading)
            .count()
            > 1;
        let mut place = Place::default();
        for block in raw {
            statements.push_block(&block, has_sections, &mut place);
        }
        statements
    }

    fn push_block(&mut self, raw: &Raw<'_>, has_sections: bool, place: &mut Place) {
        let number = self.blocks.len();
        let marker = raw.text.get(..raw.marker).unwrap_or_default();
        let context = match raw.kind {
            Kind::Heading => None,
            _ => place.context(raw),
        };
        let content = raw.text.get(raw.marker..).unwrap_or_default();
        let (form, pieces) = match raw.kind {
            Kind::Heading => (Form::Heading, vec![content.trim()]),
            Kind::Verbatim => (Form::Verbatim, vec![content.trim_end()]),
            Kind::Item | Kind::Prose => (Form::Sentence, sentences(content)),
        };
        self.blocks.push(Block {
            text: raw.text.trim_end().to_owned(),
            marker: marker.to_owned(),
            heading: place
                .heading_text
                .clone()
                .filter(|_| raw.kind != Kind::Heading),
        });
        // The number of a step is part of it.
        let step: String = marker.chars().filter(char::is_ascii_digit).collect();
        for (at, text) in pieces.into_iter().enumerate() {
            let own = match form {
                Form::Verbatim => verbatim_key(text),
                _ => plain(text, if at == 0 { &step } else { "" }),
            };
            let before = self
                .all
                .last()
                .filter(|before| matches!(before.form, Form::Sentence | Form::Verbatim));
            let leans = form == Form::Sentence && before.is_some() && leans(text);
            let context = match (leans, before) {
                (true, Some(before)) => Some(before.plain.clone()),
                _ => context.clone(),
            };
            self.all.push(Statement {
                text: text.to_owned(),
                form,
                block: number,
                plain: own,
                clauses: match form {
                    Form::Sentence => clauses(text),
                    _ => Vec::new(),
                },
                context,
                leans,
                number: self.all.len(),
            });
        }
        place.pass(
            raw,
            has_sections,
            self.all.last().map(|last| last.plain.as_str()),
        );
    }

    /// The statements as they are compared: cut at semicolons, where others would begin a new sentence, and with one form
    /// for "do not" and "don't".
    pub(super) fn cut(&self) -> Vec<Statement> {
        let mut all = Vec::with_capacity(self.all.len());
        for statement in &self.all {
            let parts = statement.parts();
            let is_whole = parts.len() == 1;
            for part in parts {
                let own = match is_whole {
                    true => statement.plain.clone(),
                    false => plain(part, ""),
                };
                all.push(Statement {
                    text: part.to_owned(),
                    plain: contracted(own),
                    clauses: match statement.form {
                        Form::Sentence => clauses(part),
                        _ => Vec::new(),
                    },
                    ..statement.clone()
                });
            }
        }
        all
    }

    /// What it says, to be asked many times.
    pub(super) fn said(&self) -> Said<'_> {
        let mut contexts: HashMap<&str, Vec<Option<&str>>> = HashMap::new();
        for statement in &self.all {
            let known = contexts.entry(&statement.plain).or_default();
            known.push(statement.context.as_deref());
        }
        Said(contexts)
    }
}

/// The words of statements, with where they stand.
pub(super) struct Said<'a>(HashMap<&'a str, Vec<Option<&'a str>>>);

impl Said<'_> {
    /// Whether this is said: the same words, in the same place where the place is part of it.
    pub(super) fn has(&self, wanted: &Statement) -> bool {
        let known = self.0.get(wanted.plain.as_str());
        known.is_some_and(|contexts| {
            wanted.context.is_none() || contexts.contains(&wanted.context.as_deref())
        })
    }
}

/// What is above the block that is looked at.
#[derive(Default)]
struct Place {
    heading: Option<String>,
    heading_text: Option<String>,
    /// A line that ends in a colon, for the list beneath it.
    lead: Option<String>,
    /// Items that a deeper one stands beneath, with their indents.
    parents: Vec<(usize, String)>,
}

impl Place {
    fn context(&mut self, raw: &Raw<'_>) -> Option<String> {
        let mut parts: Vec<&str> = self.heading.iter().map(String::as_str).collect();
        if raw.kind == Kind::Item {
            self.parents.retain(|(indent, _)| *indent < raw.indent);
            parts.extend(self.lead.as_deref());
            parts.extend(self.parents.last().map(|(_, text)| text.as_str()));
        }
        (!parts.is_empty()).then(|| parts.join("\u{2}"))
    }

    fn pass(&mut self, raw: &Raw<'_>, has_sections: bool, last: Option<&str>) {
        let text = last.unwrap_or_default().to_owned();
        match raw.kind {
            Kind::Heading => {
                *self = Self::default();
                if has_sections {
                    self.heading = Some(text);
                    self.heading_text = Some(raw.text.trim_end().to_owned());
                }
            }
            Kind::Item => self.parents.push((raw.indent, text)),
            Kind::Prose | Kind::Verbatim => {
                self.parents.clear();
                let leads = raw.text.trim_end().ends_with([':', '：']);
                self.lead = leads.then_some(text);
            }
        }
    }
}

/// The words of a statement, with what words leave out: flags, paths, signs.
fn plain(text: &str, step: &str) -> String {
    let mut plain = words::normalise(words::without_opening(text));
    for mark in marks::of(text) {
        plain.push('\u{1}');
        plain.push_str(&mark);
    }
    if !step.is_empty() {
        plain.push('\u{3}');
        plain.push_str(step);
    }
    if plain.is_empty() {
        // A rule, or a smiley: itself and nothing else.
        plain.push_str(text.trim());
    }
    plain
}

/// The words of each part of a statement that commas cut, as a list has them. Parts that hang on a condition say nothing
/// alone.
fn clauses(text: &str) -> Vec<String> {
    const CUTS: [char; 5] = [',', ';', '，', '；', '、'];
    if !text.contains(CUTS) {
        return Vec::new();
    }
    let is_word = |word: &str| {
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        CONDITIONS
            .split_whitespace()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    let hangs = text.split_whitespace().any(is_word)
        || CONDITION_CHARACTERS
            .split_whitespace()
            .any(|known| text.contains(known));
    if hangs {
        return Vec::new();
    }
    text.split(CUTS)
        .map(|part| {
            let part = part.trim();
            contracted(plain(part.strip_prefix("and ").unwrap_or(part), ""))
        })
        .filter(|part| !part.is_empty())
        .collect()
}

/// "do not" as "dont".
fn contracted(plain: String) -> String {
    let mut plain = plain;
    if !plain.contains("not ") {
        return plain;
    }
    for verb in [
        "do", "does", "did", "is", "are", "was", "were", "should", "must", "would", "could",
    ] {
        let long = format!("{verb} not ");
        if plain.contains(&long) {
            plain = plain.replace(&long, &format!("{verb}nt "));
        }
    }
    plain.replace("cannot ", "cant ")
}

fn verbatim_key(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn leans(text: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| LEANING.split_whitespace().collect());
    let first = words::tokens(text.get(..text.floor_char_boundary(40)).unwrap_or(text));
    let Some(first) = first.first() else {
        return false;
    };
    WORDS.contains(first.as_str()) || LEANING_CHARACTERS.contains(first.as_str())
}
