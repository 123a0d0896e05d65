//! A body cut into blocks of Markdown, and a block into sentences. Every byte that is not blank is in one of them.

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Heading,
    Item,
    Prose,
    /// Code, a line of a table, of a quotation or of HTML.
    Verbatim,
}

/// A block as it stands in a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// How many bytes indent and marker of an item are.
    pub(super) marker: usize,
    pub(super) indent: usize,
}

/// Where a block that is still growing lies.
struct Growing {
    kind: Kind,
    start: usize,
    end: usize,
    marker: usize,
    indent: usize,
}

/// Cuts a body, whose lines end in LF, into blocks.
pub(super) fn blocks(body: &str) -> Vec<Raw<'_>> {
    let mut found: Vec<Growing> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut open = false;
    let mut next = 0;
    for line in body.split_inclusive('\n') {
        let (start, end) = (next, next + line.len());
        next = end;
        let opened = fence_of(line);
        match (fence, opened) {
            (Some((mark, length)), _) => {
                grow(&mut found, end);
                let closes = opened.is_some_and(|(other, count)| other == mark && count >= length);
                if closes && line.trim().chars().all(|character| character == mark) {
                    fence = None;
                    open = false;
                }
                continue;
            }
            (None, Some(mark)) => {
                fence = Some(mark);
                found.push(block(Kind::Verbatim, start, end));
                continue;
            }
            (None, None) => {}
        }
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let (kind, marker) = kind_of(line, indent);
        let continues = open && kind == Kind::Prose;
        // Code by indent, but not the second line of an item.
        let is_indented = indent >= 4 && !open && kind == Kind::Prose;
        if continues {
            grow(&mut found, end);
        } else {
            let kind = if is_indented { Kind::Verbatim } else { kind };
            open = matches!(kind, Kind::Prose | Kind::Item);
            found.push(Growing {
                marker,
                indent,
                ..block(kind, start, end)
            });
        }
    }
    found
        .into_iter()
        .map(|block| Raw {
            kind: block.kind,
            text: body.get(block.start..block.end).unwrap_or_default(),
            marker: block.marker,
            indent: block.indent,
        })
        .collect()
}

fn block(kind: Kind, start: usize, end: usize) -> Growing {
    Growing {
        kind,
        start,
        end,
        marker: 0,
        indent: 0,
    }
}

fn grow(found: &mut [Growing], end: usize) {
    if let Some(last) = found.last_mut() {
        last.end = end;
    }
}

/// What a line begins, and how long the marker of an item is with its indent.
fn kind_of(line: &str, indent: usize) -> (Kind, usize) {
    let text = line.get(indent..).unwrap_or_default();
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    let after = text.get(hashes..).unwrap_or_default();
    if (1..=6).contains(&hashes) && after.starts_with([' ', '\t', '\n']) {
        return (Kind::Heading, 0);
    }
    if text.starts_with(['|', '>', '<']) {
        return (Kind::Verbatim, 0);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = match digits {
        0 => text.starts_with(['-', '*', '+']),
        1..=9 => text
            .get(digits..)
            .unwrap_or_default()
            .starts_with(['.', ')']),
        _ => false,
    };
    let rest = text.get(digits + 1..).unwrap_or_default();
    if sign && rest.starts_with([' ', '\t']) && !rest.trim().is_empty() {
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        return (Kind::Item, indent + digits + 1 + blanks);
    }
    (Kind::Prose, 0)
}

/// The mark and length of a code fence that a line begins with.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let text = line.trim_start();
    let mark = text
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let count = text
        .chars()
        .take_while(|character| *character == mark)
        .count();
    let rest = text.get(count..).unwrap_or_default();
    (count >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, count))
}

/// The sentences of a block, each with the mark that ends it.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '`' {
            in_code = !in_code;
        }
        let ends = match character {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let after = text.get(at + 1..).unwrap_or_default();
                // Emphasis and quotation marks close after the mark that ends a sentence.
                let after = after.trim_start_matches(['*', '_', '"', '”', '’', ')', '\'']);
                let ends = after.is_empty() || after.starts_with(char::is_whitespace);
                ends && !is_abbreviation(text.get(start..at).unwrap_or_default(), character)
            }
            _ => false,
        };
        if !ends || in_code && has_closing_tick(text.get(at..).unwrap_or_default()) {
            continue;
        }
        let mut end = at + character.len_utf8();
        while let Some((_, closing)) = characters.next_if(|(_, next)| {
            matches!(next, '*' | '_' | '"' | '”' | '’' | ')' | '\'' | '」' | '）')
        }) {
            end += closing.len_utf8();
        }
        push(&mut found, text, start, end);
        (start, in_code) = (end, false);
    }
    push(&mut found, text, start, text.len());
    found
}

fn push<'a>(found: &mut Vec<&'a str>, text: &'a str, start: usize, end: usize) {
    let sentence = text.get(start..end).unwrap_or_default().trim();
    if !sentence.is_empty() {
        found.push(sentence);
    }
}

fn has_closing_tick(rest: &str) -> bool {
    rest.lines().next().unwrap_or_default().contains('`')
}

/// Whether a dot ends a short form and not a sentence: "e.g.", "vs.", an initial.
fn is_abbreviation(before: &str, mark: char) -> bool {
    if mark != '.' {
        return false;
    }
    let word = before
        .rsplit(|character: char| character.is_whitespace() || character == '(')
        .next()
        .unwrap_or_default();
    matches!(
        word.to_ascii_lowercase().as_str(),
        "e.g" | "i.e" | "vs" | "cf" | "approx" | "dr" | "mr" | "mrs" | "ms"
    ) || word.chars().count() == 1 && word.chars().all(char::is_alphabetic)
}
