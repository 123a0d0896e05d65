//! Changing a TOML text at one place, and no other byte: the section of a server.

use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Table, Value};

use super::jsonc::Problem;
use super::notes::Notes;

/// The server that is ours, in a section of servers.
pub(super) struct Server<'s> {
    pub(super) section: &'s str,
    pub(super) name: &'s str,
}

/// How a server is started, as it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
}

impl Start {
    fn fields(&self) -> [(&'static str, Value); 2] {
        let arguments: toml_edit::Array = self.arguments.iter().collect();
        [
            ("command", Value::from(self.command.as_str())),
            ("args", Value::from(arguments)),
        ]
    }
}

type Parsed<'t> = Document<&'t str>;

fn parse(text: &str) -> Result<(&str, Parsed<'_>), Problem> {
    let own = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = Document::parse(own).map_err(|error| {
        Problem::Syntax(format!(
            "TOML: {}",
            error.to_string().trim_end().replace('\n', " ")
        ))
    })?;
    Ok((own, document))
}

fn mark<'t>(text: &'t str, own: &str) -> &'t str {
    text.strip_suffix(own).unwrap_or_default()
}

fn line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next();
    match first.is_some_and(|line| line.ends_with("\r\n")) {
        true => "\r\n",
        false => "\n",
    }
}

impl Server<'_> {
    fn item<'d>(&self, document: &'d Parsed<'_>) -> Option<&'d Item> {
        document.get(self.section)?.as_table_like()?.get(self.name)
    }

    /// How the server is started; `None` where there is none of this name.
    pub(super) fn start(&self, text: &str) -> Result<Option<Start>, Problem> {
        let (_, document) = parse(text)?;
        let Some(item) = self.item(&document) else {
            return Ok(None);
        };
        let table = item.as_table_like();
        let field = |name| table.and_then(|table| table.get(name));
        let command = field("command").and_then(Item::as_str).unwrap_or_default();
        let arguments = field("args").and_then(Item::as_array);
        let arguments = arguments.into_iter().flatten();
        Ok(Some(Start {
            command: command.to_owned(),
            arguments: arguments
                .map(|word| word.as_str().unwrap_or_default().to_owned())
                .collect(),
        }))
    }

    /// The text with the server in it, which it is not yet.
    pub(super) fn inserted(&self, text: &str, start: &Start) -> Result<(String, Notes), Problem> {
        let (own, document) = parse(text)?;
        let servers = document.get(self.section);
        if let Some(inline) = servers.and_then(Item::as_inline_table) {
            return self.inserted_inline(text, own, inline, start);
        }
        if servers.is_some_and(|servers| !servers.is_table()) {
            return Err(Problem::Shape(self.section.to_owned()));
        }
        let end = line_end(own);
        let before = match own {
            "" => String::new(),
            own if own.ends_with(&end.repeat(2)) => String::new(),
            own if own.ends_with('\n') => end.to_owned(),
            _ => end.repeat(2),
        };
        let mut block = format!("[{}.{}]{end}", self.section, self.name);
        for (name, value) in start.fields() {
            block.push_str(&format!("{name} = {value}{end}"));
        }
        let changed = format!("{text}{before}{block}");
        let notes = Notes {
            before,
            ..Notes::default()
        };
        // Whoever wrote the section in another form may not have left room for this one.
        match self.start(&changed) {
            Ok(Some(found)) if found == *start => Ok((changed, notes)),
            _ => Err(Problem::Shape(self.section.to_owned())),
        }
    }

    fn inserted_inline(
        &self,
        text: &str,
        own: &str,
        inline: &InlineTable,
        start: &Start,
    ) -> Result<(String, Notes), Problem> {
        let shape = || Problem::Shape(self.section.to_owned());
        let fields = start
            .fields()
            .map(|(name, value)| format!("{name} = {value}"));
        let entry = format!("{} = {{ {} }}", self.name, fields.join(", "));
        let whole = inline.span().ok_or_else(shape)?;
        let last = inline
            .iter()
            .filter_map(|(_, value)| value.span())
            .max_by_key(|span| span.end);
        let mut notes = Notes::default();
        let (at, new) = match last {
            Some(last) => (last.end, format!(", {entry}")),
            None => {
                let inside = own.get(whole.start + 1..whole.end - 1).unwrap_or_default();
                let gap = if inside.is_empty() { " " } else { "" };
                notes.gaps.insert(self.section.to_owned(), gap.to_owned());
                (whole.start + 1, format!(" {entry}{gap}"))
            }
        };
        Ok((spliced(text, own, vec![(at..at, new)]), notes))
    }

    /// The text with the server started in another way; what else stands about it stays.
    pub(super) fn replaced(&self, text: &str, start: &Start) -> Result<Option<String>, Problem> {
        let (own, document) = parse(text)?;
        let table = self.item(&document).and_then(Item::as_table_like);
        let mut changes = Vec::new();
        for (name, value) in start.fields() {
            let span = table.and_then(|table| table.get(name)).and_then(Item::span);
            let Some(span) = span else { return Ok(None) };
            changes.push((span, value.to_string()));
        }
        Ok(Some(spliced(text, own, changes)))
    }

    /// The text without the server; `None` when nothing is left of it and there was no file.
    pub(super) fn without(&self, text: &str, notes: &Notes) -> Result<Option<String>, Problem> {
        let (own, document) = parse(text)?;
        let shape = || Problem::Shape(format!("{}.{}", self.section, self.name));
        let servers = document.get(self.section).ok_or_else(shape)?;
        let ranges = match servers.as_inline_table() {
            Some(inline) => vec![self.stretch_inline(inline, notes).ok_or_else(shape)?],
            None => {
                let table = servers.as_table().ok_or_else(shape)?;
                let mut ranges = Vec::new();
                stretches(own, table, self.name, &mut ranges);
                if let Some(first) = ranges.first_mut() {
                    first.start = before(own, first, notes);
                }
                ranges
            }
        };
        let changes = ranges.into_iter().map(|range| (range, String::new()));
        let left = spliced(text, own, changes.collect());
        if self.start(&left)?.is_some() {
            return Err(shape());
        }
        Ok(Some(left).filter(|left| notes.existed || !left.is_empty()))
    }

    fn stretch_inline(&self, inline: &InlineTable, notes: &Notes) -> Option<Range<usize>> {
        let whole = inline.span()?;
        let own = inline.get(self.name)?.span()?;
        let others = inline.iter().filter(|(name, _)| *name != self.name);
        let spans: Vec<Range<usize>> = others.filter_map(|(_, value)| value.span()).collect();
        let earlier = spans
            .iter()
            .filter(|span| span.end <= own.start)
            .max_by_key(|span| span.end);
        if let Some(earlier) = earlier {
            return Some(earlier.end..own.end);
        }
        let (key, _) = inline.get_key_value(self.name)?;
        let later = inline.iter().filter(|(name, _)| *name != self.name);
        let later = later.filter_map(|(name, _)| inline.get_key_value(name)?.0.span());
        match later.map(|span| span.start).min() {
            Some(next) => Some(key.span()?.start..next),
            None => {
                let gap = notes.gaps.get(self.section).map_or(0, String::len);
                Some(whole.start + 1..own.end + gap)
            }
        }
    }
}

/// Where the lines of an entry stand: its sections, or its keys in a section of others.
fn stretches(text: &str, table: &Table, name: &str, ranges: &mut Vec<Range<usize>>) {
    let Some((key, item)) = table.get_key_value(name) else {
        return;
    };
    match item {
        Item::Table(inner) if !inner.is_dotted() => section(text, inner, ranges),
        Item::Table(inner) => {
            for (field, _) in inner {
                stretches(text, inner, field, ranges);
            }
        }
        Item::ArrayOfTables(list) => list.iter().for_each(|inner| section(text, inner, ranges)),
        Item::Value(value) => {
            let begin = key.span().map_or(0, |span| span.start);
            let begin = text.get(..begin).and_then(|before| before.rfind('\n'));
            let begin = begin.map_or(0, |at| at + 1);
            let end = value.span().map_or(begin, |span| span.end);
            ranges.push(begin..line_after(text, end));
        }
        Item::None => {}
    }
}

/// The lines of one section, and those of the sections beneath it.
fn section(text: &str, table: &Table, ranges: &mut Vec<Range<usize>>) {
    let head = table.span().unwrap_or_default();
    if !table.is_implicit() {
        let last = last_value(table).unwrap_or_default().max(head.end);
        ranges.push(head.start..line_after(text, last));
    }
    for (_, item) in table {
        match item {
            Item::Table(inner) if !inner.is_dotted() => section(text, inner, ranges),
            Item::ArrayOfTables(list) => list.iter().for_each(|inner| section(text, inner, ranges)),
            _ => {}
        }
    }
}

/// Where the last value ends that stands in this very section.
fn last_value(table: &Table) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, item)| match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(inner) if inner.is_dotted() => last_value(inner),
        _ => None,
    });
    ends.max()
}

/// The end of the line that this byte is in, with a comment that stands there.
fn line_after(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Where the blank lines begin that were put before a section.
fn before(text: &str, range: &Range<usize>, notes: &Notes) -> usize {
    let earlier = text.get(..range.start).unwrap_or_default();
    let Some(kept) = earlier.strip_suffix(notes.before.as_str()) else {
        return range.start;
    };
    let is_end = range.end >= text.len();
    match is_end || kept.is_empty() || kept.ends_with('\n') {
        true => kept.len(),
        // Somebody wrote behind it: their line has to begin on a line of its own.
        false => kept.len() + line_end(text).len(),
    }
}

fn spliced(text: &str, own: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(range, _)| range.start);
    let mut whole = mark(text, own).to_owned();
    let mut at = 0;
    for (range, new) in changes {
        whole.push_str(own.get(at..range.start).unwrap_or_default());
        whole.push_str(&new);
        at = range.end.max(at);
    }
    whole.push_str(own.get(at..).unwrap_or_default());
    whole
}
