//! Changing a JSON or JSONC text at one place, and no other byte.
//!
//! The syntax tree says where things stand; a change is then a stretch of text that goes in or comes out. What goes in is never
//! mixed with what stands there, so that taking it out again gives the bytes from before.

mod insert;
mod remove;
mod render;

use std::fmt;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};
use serde_json::Value;

pub(super) use insert::{Inserted, Slot};
pub(super) use remove::without;

use super::notes::Notes;

/// The way to a value: keys of objects, numbers in arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl Step {
    pub(super) fn keys(names: &[&str]) -> Vec<Step> {
        let keys = names.iter().map(|name| Step::Key((*name).to_owned()));
        keys.collect()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(name) => formatter.write_str(name),
            Step::Index(number) => write!(formatter, "{number}"),
        }
    }
}

/// A way in one word, as the notes have it.
pub(super) fn word(path: &[Step]) -> String {
    let steps: Vec<String> = path.iter().map(ToString::to_string).collect();
    steps.join("/")
}

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// It is not JSON, not even with comments.
    Syntax(String),
    /// Something else than an object or a list stands where one belongs.
    Shape(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Syntax(message) => write!(formatter, "not JSON ({message})"),
            Problem::Shape(place) => write!(formatter, "`{place}` is not what it should be"),
        }
    }
}

/// A text and what stands where in it.
pub(super) struct Tree<'a> {
    /// The text without the mark at its beginning.
    text: &'a str,
    /// The mark that some editors put there.
    mark: &'a str,
    root: CstRootNode,
}

/// One thing inside of an object or a list, with its place in the text.
struct Piece {
    start: usize,
    end: usize,
    kind: Kind,
}

enum Kind {
    Bracket,
    Comma,
    Blank,
    Comment,
    Child(CstNode),
}

impl Piece {
    fn is_child(&self) -> bool {
        matches!(self.kind, Kind::Child(_))
    }

    fn is_comma(&self) -> bool {
        matches!(self.kind, Kind::Comma)
    }

    fn is_blank(&self) -> bool {
        matches!(self.kind, Kind::Blank)
    }
}

impl<'a> Tree<'a> {
    /// Reads a text. Comments and commas at the end are taken, whoever else takes them or not.
    pub(super) fn parse(whole: &'a str) -> Result<Tree<'a>, Problem> {
        let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let mark = whole.strip_suffix(text).unwrap_or_default();
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let root = CstRootNode::parse(text, &options)
            .map_err(|error| Problem::Syntax(error.to_string()))?;
        // Places are counted in it: what it does not keep byte for byte it cannot say.
        match root.to_string() == text {
            true => Ok(Tree { text, mark, root }),
            false => Err(Problem::Syntax(
                "it cannot be read byte for byte".to_owned(),
            )),
        }
    }

    /// The whole as a value; `None` where nothing stands in it.
    pub(super) fn value(&self) -> Option<Value> {
        self.root.to_serde_value()
    }

    /// The value at the end of a way, with the byte at which it begins.
    fn find(&self, path: &[Step]) -> Option<(CstNode, usize)> {
        let mut node = self.root.value()?;
        let before = self.root.children();
        let mut start = length(before.iter().take_while(|child| !is_value(child)));
        for step in path {
            let pieces = pieces(&node, start);
            let mut children = pieces.into_iter().filter(Piece::is_child);
            let piece = match step {
                Step::Index(number) => children.nth(*number)?,
                // The last of several is the one that counts.
                Step::Key(name) => children.rfind(|piece| name_of(piece).as_ref() == Some(name))?,
            };
            let Kind::Child(child) = piece.kind else {
                return None;
            };
            (node, start) = match child.as_object_prop() {
                None => (child, piece.start),
                Some(member) => {
                    let value = member.value()?;
                    let inside = child.children();
                    let behind = inside.iter().position(|part| part.is_token())?;
                    let key = length(inside.iter().take(behind + 1));
                    let gap = inside.iter().skip(behind + 1);
                    let gap = length(gap.take_while(|part| part.is_trivia()));
                    (value, piece.start + key + gap)
                }
            };
        }
        Some((node, start))
    }

    /// How lines end in it.
    fn line_end(&self) -> &'static str {
        let first = self.text.split_inclusive('\n').next();
        match first.is_some_and(|line| line.ends_with("\r\n")) {
            true => "\r\n",
            false => "\n",
        }
    }

    /// What stands before the first other character of the line that this byte is in.
    fn indent_at(&self, at: usize) -> &'a str {
        let before = self.text.get(..at).unwrap_or_default();
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text.get(begin..).unwrap_or_default();
        let end = line
            .find(|c: char| c != ' ' && c != '\t')
            .unwrap_or(line.len());
        line.get(..end.min(at - begin)).unwrap_or_default()
    }

    /// How far one level is indented.
    fn unit(&self) -> &'a str {
        let Some((root, start)) = self.find(&[]) else {
            return "  ";
        };
        let inside = pieces(&root, start);
        let begins = |piece: &&Piece| piece.is_child() && self.begins_line(piece.start);
        match inside.iter().find(begins) {
            Some(first) => self.indent_at(first.start),
            None => "  ",
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        before.contains('\n') && line.trim_matches([' ', '\t']).is_empty()
    }

    /// The text with one stretch replaced by another.
    fn spliced(&self, mut changes: Vec<(usize, usize, String)>) -> String {
        changes.sort_by_key(|(start, end, _)| (*start, *end));
        let mut text = self.mark.to_owned();
        let mut at = 0;
        for (start, end, new) in changes {
            text.push_str(self.text.get(at..start).unwrap_or_default());
            text.push_str(&new);
            at = end;
        }
        text.push_str(self.text.get(at..).unwrap_or_default());
        text
    }
}

/// The text with another value where one stands.
pub(super) fn replaced(text: &str, path: &[Step], value: &Value) -> Result<String, Problem> {
    let tree = Tree::parse(text)?;
    let (node, start) = tree.find(path).ok_or_else(|| Problem::Shape(word(path)))?;
    let old = node.to_string();
    let style = render::Style {
        end: tree.line_end(),
        unit: tree.unit().to_owned(),
        is_open: old.contains('\n') || !tree.is_closed(),
    };
    let new = style.render(value, tree.indent_at(start), 0);
    Ok(tree.spliced(vec![(start, start + old.len(), new)]))
}

impl Tree<'_> {
    /// Whether the whole stands on one line, with something in it.
    fn is_closed(&self) -> bool {
        let Some((root, start)) = self.find(&[]) else {
            return false;
        };
        let inside = pieces(&root, start);
        inside.iter().any(Piece::is_child) && !self.has_line_end(&inside)
    }

    fn has_line_end(&self, pieces: &[Piece]) -> bool {
        let mut blanks = pieces.iter().filter(|piece| !piece.is_child());
        blanks.any(|blank| {
            let text = self.text.get(blank.start..blank.end);
            text.unwrap_or_default().contains('\n')
        })
    }
}

/// What stands inside of an object or a list that begins at this byte.
fn pieces(container: &CstNode, mut at: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for child in container.children() {
        let start = at;
        at += child.to_string().len();
        let kind = match &child {
            child if child.is_comma() => Kind::Comma,
            child if child.is_comment() => Kind::Comment,
            child if child.is_token() => Kind::Bracket,
            child if child.is_trivia() => Kind::Blank,
            _ => Kind::Child(child),
        };
        pieces.push(Piece {
            start,
            end: at,
            kind,
        });
    }
    pieces
}

fn name_of(piece: &Piece) -> Option<String> {
    match &piece.kind {
        Kind::Child(child) => child.as_object_prop()?.decoded_name(),
        _ => None,
    }
}

fn is_value(node: &CstNode) -> bool {
    !node.is_trivia() && !node.is_token()
}

fn length<'n>(nodes: impl Iterator<Item = &'n CstNode>) -> usize {
    nodes.map(|node| node.to_string().len()).sum()
}
