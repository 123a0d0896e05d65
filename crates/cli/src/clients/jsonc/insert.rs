//! Putting a value into a text: at the end of what it belongs to, which is made where it is missing.

use jsonc_parser::cst::CstNode;
use serde_json::{Map, Value};

use super::render::Style;
use super::{Notes, Piece, Problem, Step, Tree, pieces, word};

/// A text with something new in it.
pub(in crate::clients) struct Inserted {
    pub(in crate::clients) text: String,
    /// What has to be known to take it out again.
    pub(in crate::clients) notes: Notes,
}

/// Where a value goes.
pub(in crate::clients) enum Slot<'p> {
    /// It becomes the member at the end of this way.
    Member(&'p [&'p str]),
    /// It goes to the end of the list at the end of this way.
    Element(&'p [&'p str]),
}

impl Inserted {
    /// Puts a value into a text in which it is not.
    pub(in crate::clients) fn into(
        text: &str,
        slot: &Slot<'_>,
        value: &Value,
    ) -> Result<Inserted, Problem> {
        let tree = Tree::parse(text)?;
        let path = match slot {
            Slot::Member(path) | Slot::Element(path) => Step::keys(path),
        };
        // The last one along the way that stands there is what it goes into.
        let standing = |depth: &usize| {
            path.get(..*depth)
                .is_some_and(|way| tree.find(way).is_some())
        };
        let depth = (0..=path.len()).rev().find(standing);
        let missing = path.get(depth.unwrap_or(0)..).unwrap_or_default();
        let innermost = match slot {
            Slot::Member(_) => value.clone(),
            Slot::Element(_) if missing.is_empty() => value.clone(),
            Slot::Element(_) => Value::Array(vec![value.clone()]),
        };
        // What is made around the value is spread over lines, the value itself is not.
        let around = match slot {
            Slot::Member(_) => missing.len().saturating_sub(1),
            Slot::Element(_) => missing.len(),
        };
        let mut notes = Notes::default();
        let Some(depth) = depth else {
            // Nothing at all stands in the text.
            let whole = wrapped(missing, innermost);
            notes.made.push(String::new());
            note_made(&path, 0, slot, &mut notes);
            return Ok(tree.with_root(&whole, around + 1, notes));
        };
        let (key, inner) = match missing.split_first() {
            Some((Step::Key(key), rest)) => (Some(key.as_str()), wrapped(rest, innermost)),
            _ => (None, innermost),
        };
        note_made(&path, depth, slot, &mut notes);
        let way = path.get(..depth).unwrap_or_default();
        tree.with_child(way, key, (&inner, around), notes)
    }
}

/// The value with an object around it for each key.
fn wrapped(keys: &[Step], value: Value) -> Value {
    keys.iter().rev().fold(value, |inner, key| {
        Value::Object(Map::from_iter([(key.to_string(), inner)]))
    })
}

/// Notes which objects and lists did not stand there.
fn note_made(path: &[Step], standing: usize, slot: &Slot<'_>, notes: &mut Notes) {
    let last = match slot {
        // The member itself is the value.
        Slot::Member(_) => path.len().saturating_sub(1),
        Slot::Element(_) => path.len(),
    };
    for depth in standing + 1..=last {
        notes.made.push(word(path.get(..depth).unwrap_or_default()));
    }
}

impl Tree<'_> {
    fn with_root(&self, value: &Value, levels: usize, mut notes: Notes) -> Inserted {
        let end = self.line_end();
        let style = Style {
            end,
            unit: "  ".to_owned(),
            is_open: true,
        };
        let before = match self.text.is_empty() || self.text.ends_with('\n') {
            true => "",
            false => end,
        };
        notes.before = before.to_owned();
        notes.gaps.insert(String::new(), end.to_owned());
        let new = format!("{before}{}{end}", style.render(value, "", levels));
        let at = self.text.len();
        Inserted {
            text: self.spliced(vec![(at, at, new)]),
            notes,
        }
    }

    fn with_child(
        &self,
        way: &[Step],
        key: Option<&str>,
        (value, levels): (&Value, usize),
        mut notes: Notes,
    ) -> Result<Inserted, Problem> {
        let shape = || Problem::Shape(word(way));
        let (container, start) = self.find(way).ok_or_else(shape)?;
        if !fits(&container, key) {
            return Err(shape());
        }
        let inside = pieces(&container, start);
        let close = inside.last().ok_or_else(shape)?;
        let last_child = inside.iter().rposition(Piece::is_child);
        let is_spread = self.has_line_end(&inside);
        let is_open = is_spread || last_child.is_none() && !self.is_closed();
        let style = Style {
            end: self.line_end(),
            unit: self.unit().to_owned(),
            is_open,
        };
        // What goes in stands behind the last thing that is no blank, a comment included.
        let behind = inside.iter().rev().skip(1).find(|piece| !piece.is_blank());
        let anchor = behind.map_or(start, |piece| piece.end);
        let outer = self.indent_at(start).to_owned();
        let indent = match last_child.and_then(|at| inside.get(at)) {
            Some(child) if self.begins_line(child.start) => self.indent_at(child.start).to_owned(),
            _ => format!("{outer}{}", style.unit),
        };
        let mut changes = Vec::new();
        let commas = inside.iter().skip(last_child.unwrap_or_default());
        let has_comma = last_child.is_some() && commas.clone().any(Piece::is_comma);
        if let Some(child) = last_child.and_then(|at| inside.get(at))
            && !has_comma
        {
            changes.push((child.end, child.end, ",".to_owned()));
        }
        let before = match (is_open, last_child) {
            (true, _) => format!("{}{indent}", style.end),
            (false, Some(_)) => self.separator(&inside).to_owned(),
            (false, None) => String::new(),
        };
        let gap = self.text.get(anchor..close.start).unwrap_or_default();
        let after = match is_open && last_child.is_none() && !gap.contains('\n') {
            true => format!("{}{outer}", style.end),
            false => String::new(),
        };
        if !after.is_empty() {
            notes.gaps.insert(word(way), after.clone());
        }
        let inner = style.render(value, &indent, levels);
        let body = match key {
            Some(key) => {
                let colon = self.colon(&inside, is_open);
                format!("{}{colon}{inner}", Value::String(key.to_owned()))
            }
            None => inner,
        };
        let comma = if has_comma { "," } else { "" };
        changes.push((anchor, anchor, format!("{before}{body}{comma}{after}")));
        Ok(Inserted {
            text: self.spliced(changes),
            notes,
        })
    }

    /// What stands between the members of an object that is on one line.
    fn separator(&self, inside: &[Piece]) -> &str {
        let blank = inside.get(1).filter(|piece| piece.is_blank());
        let blank = blank.and_then(|piece| self.text.get(piece.start..piece.end));
        blank.unwrap_or_default()
    }

    /// The colon as the members before it have it.
    fn colon(&self, inside: &[Piece], is_open: bool) -> &'static str {
        let tight = inside.iter().filter(|piece| piece.is_child()).any(|piece| {
            let text = self.text.get(piece.start..piece.end).unwrap_or_default();
            let quoted = text.find("\":").map(|at| at + 2);
            quoted.is_some_and(|at| text.get(at..).is_some_and(|rest| !rest.starts_with(' ')))
        });
        match (is_open, tight) {
            (true, _) | (false, false) => ": ",
            (false, true) => ":",
        }
    }
}

/// Whether a member goes into an object, and anything else into a list.
fn fits(container: &CstNode, key: Option<&str>) -> bool {
    match key {
        Some(_) => container.as_object().is_some(),
        None => container.as_array().is_some(),
    }
}
