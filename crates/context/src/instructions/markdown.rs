//! Where in a Markdown text there is code, and where a comment.

use std::ops::Range;

use memdir_memory::contained;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Stretches of a text, each list in order and without overlaps.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Regions {
    /// Code spans, fenced and indented blocks, with their fences.
    pub(super) code: Vec<Range<usize>>,
    /// `<!-- … -->`, closed and outside of code.
    pub(super) comments: Vec<Range<usize>>,
}

impl Regions {
    /// Finds them in the part of a text from `start` on.
    pub(super) fn of(text: &str, start: usize) -> Self {
        let body = text.get(start..).unwrap_or_default();
        // Most files have neither an include nor a comment, and need not be parsed.
        if !body.contains('@') && !body.contains("<!--") {
            return Self::default();
        }
        // A file that the parser trips over is shown as it is, and includes nothing.
        contained(|| Self::parsed(text, body, start)).unwrap_or_else(|_| Self {
            code: std::iter::once(start..text.len()).collect(),
            comments: Vec::new(),
        })
    }

    fn parsed(text: &str, body: &str, start: usize) -> Self {
        let mut regions = Self::default();
        for (event, range) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
            let range = start + range.start..start + range.end;
            match event {
                Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => regions.code.push(range),
                Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
                    comments(text, range, &mut regions.comments);
                }
                _ => {}
            }
        }
        regions
    }

    /// Code and comments together, in order.
    pub(super) fn aside(&self) -> Vec<Range<usize>> {
        let mut all: Vec<_> = self.code.iter().chain(&self.comments).cloned().collect();
        all.sort_by_key(|range| range.start);
        all
    }
}

/// The closed comments within a stretch of HTML. One that is not closed stays: everything after it would be gone
/// without a word.
fn comments(text: &str, html: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut from = html.start;
    while let Some(start) = find(text, from..html.end, "<!--") {
        // `<!-->` is a whole comment.
        let Some(close) = find(text, start + 2..html.end, "-->") else {
            return;
        };
        from = close + 3;
        found.push(start..from);
    }
}

fn find(text: &str, within: Range<usize>, what: &str) -> Option<usize> {
    let start = within.start;
    text.get(within)?.find(what).map(|at| start + at)
}

/// The text from `start` on without its comments; a line that had nothing else is gone as well.
pub(super) fn without_comments(text: &str, start: usize, regions: &Regions) -> String {
    let mut out = String::with_capacity(text.len().saturating_sub(start));
    let mut from = start;
    for comment in &regions.comments {
        out.push_str(text.get(from..comment.start).unwrap_or_default());
        from = comment.end;
        let after = text.get(from..).unwrap_or_default();
        let rest = after.split_inclusive('\n').next().unwrap_or_default();
        let kept = out.trim_end_matches([' ', '\t']).len();
        let begins_line = kept == 0 || out.as_bytes().get(kept - 1) == Some(&b'\n');
        if begins_line && rest.trim().is_empty() {
            out.truncate(kept);
            from += rest.len();
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}
