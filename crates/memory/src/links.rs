//! `[[name]]` links between memories.

use std::ops::Range;

/// One `[[name]]` in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// What is linked to, without the blanks around it. Nothing of that name need exist.
    pub name: &'a str,
    /// Where `name` stands in the body.
    pub range: Range<usize>,
    /// The line it is on, counted from 1.
    pub line: usize,
}

/// The links of a body in their order. Code is skipped, because `[[ -f x ]]` is how a shell asks.
///
/// ```
/// let names: Vec<_> =
///     memdir_memory::links("See [[build-times]] and `[[ -f x ]]`.").iter().map(|l| l.name).collect();
/// assert_eq!(names, ["build-times"]);
/// ```
pub fn links(body: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut offset = 0;
    for (number, line) in body.split_inclusive('\n').enumerate() {
        match (&fence, Fence::of(line)) {
            (None, Some(opening)) => fence = Some(opening),
            (Some(opening), Some(closing)) if closing.closes(opening, line) => fence = None,
            (Some(_), _) => {}
            (None, None) => links_of_line(line, offset, number + 1, &mut found),
        }
        offset += line.len();
    }
    found
}

/// A run of three or more backquotes or tildes that opens or closes a code block.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let mark = text
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let length = text.chars().take_while(|&c| c == mark).count();
        (length >= 3).then_some(Self { mark, length })
    }

    fn closes(&self, opening: &Self, line: &str) -> bool {
        self.mark == opening.mark
            && self.length >= opening.length
            && line.trim().chars().all(|c| c == self.mark)
    }
}

fn links_of_line<'a>(line: &'a str, offset: usize, number: usize, found: &mut Vec<Link<'a>>) {
    let mut at = 0;
    while let Some(rest) = line.get(at..) {
        let Some(next) = rest.find(['`', '[']) else {
            return;
        };
        at += next;
        let Some(rest) = line.get(at..) else { return };
        if rest.starts_with('`') {
            let ticks = rest.chars().take_while(|&c| c == '`').count();
            at += ticks + after_code_span(line.get(at + ticks..).unwrap_or_default(), ticks);
        } else if let Some(inner) = rest.strip_prefix("[[") {
            match inner.find(['[', ']']) {
                Some(length)
                    if inner
                        .get(length..)
                        .is_some_and(|tail| tail.starts_with("]]")) =>
                {
                    let text = inner.get(..length).unwrap_or_default();
                    let name = text.trim();
                    if !name.is_empty() {
                        let lead = text.len() - text.trim_start().len();
                        let start = offset + at + 2 + lead;
                        let range = start..start + name.len();
                        found.push(Link {
                            name,
                            range,
                            line: number,
                        });
                    }
                    at += 2 + length + 2;
                }
                _ => at += 1,
            }
        } else {
            at += 1;
        }
    }
}

/// How far to go past a code span that was opened by `ticks` backquotes: to its end, or nowhere
/// when nothing on the line closes it.
fn after_code_span(rest: &str, ticks: usize) -> usize {
    let mut at = 0;
    while let Some(next) = rest.get(at..).and_then(|tail| tail.find('`')) {
        at += next;
        let run = rest
            .get(at..)
            .unwrap_or_default()
            .chars()
            .take_while(|&c| c == '`')
            .count();
        at += run;
        if run == ticks {
            return at;
        }
    }
    0
}
