//! What clients place inside the user's message: files, selections, diagnostics, the words of hooks. A file can hold
//! anything, also the mark that ends it, so what was placed ends where it ends at the latest.

/// Names of tags around what was placed.
const TAGS: [&str; 5] = [
    "ide_selection",
    "ide_opened_file",
    "new-diagnostics",
    "user-prompt-submit-hook",
    "channel",
];

/// From here to the end of a message stand the files that the user named in it.
const FILES: &str = "--- Content from referenced files ---";

/// A message that begins so ends with what the user asked, under the heading.
const EDITOR: &str = "# Context from my IDE setup:";
const REQUEST: &str = "## My request";

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece<'a> {
    /// Nobody else placed it there.
    Own(&'a str),
    /// A client placed it there.
    Placed(&'a str),
}

/// A text in the user's name, cut where a client placed something. Nothing is lost but blank pieces.
pub(super) fn cut(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    if rest.trim_start().starts_with(EDITOR) {
        let (placed, own) = rest.split_at_checked(request(rest)).unwrap_or((rest, ""));
        pieces.push(Piece::Placed(placed));
        rest = own;
    }
    let (mut rest, files) = rest
        .find(FILES)
        .and_then(|at| rest.split_at_checked(at))
        .unwrap_or((rest, ""));
    while let Some((at, end)) = tagged(rest) {
        pieces.push(Piece::Own(rest.get(..at).unwrap_or_default()));
        pieces.push(Piece::Placed(rest.get(at..end).unwrap_or_default()));
        rest = rest.get(end..).unwrap_or_default();
    }
    pieces.push(Piece::Own(rest));
    pieces.push(Piece::Placed(files));
    pieces.retain(|(Piece::Own(text) | Piece::Placed(text))| !text.trim().is_empty());
    pieces
}

/// Whether files stand behind this text to the end of its message.
pub(super) fn brings_files(text: &str) -> bool {
    text.contains(FILES)
}

/// Where the request begins, behind the last heading that announces one; the end where none does.
fn request(text: &str) -> usize {
    let mut start = 0;
    let mut found = text.len();
    for line in text.split_inclusive('\n') {
        start += line.len();
        if line.starts_with(REQUEST) {
            found = start;
        }
    }
    found
}

/// The first thing that stands in a tag of a client, to the last place where that tag is closed, or to the end.
fn tagged(text: &str) -> Option<(usize, usize)> {
    let (at, name) = TAGS
        .iter()
        .filter_map(|name| Some((opened(text, name)?, name)))
        .min()?;
    let close = format!("</{name}>");
    let end = text
        .rfind(&close)
        .filter(|end| *end > at)
        .map_or(text.len(), |end| end + close.len());
    Some((at, end))
}

fn opened(text: &str, name: &str) -> Option<usize> {
    let open = format!("<{name}");
    text.match_indices(&open).find_map(|(at, _)| {
        let rest = text.get(at + open.len()..)?;
        rest.starts_with(|next: char| next == '>' || next.is_whitespace())
            .then_some(at)
    })
}
