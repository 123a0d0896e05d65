//! Spans in which a date word is not the writer's own: code, quotations, links.

use std::ops::Range;

/// The spans that no replacement may touch.
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let trimmed = line.trim_start();
        let mark = fence_of(trimmed);
        match (fence, mark) {
            (Some((open, length)), Some((close, count))) if open == close && count >= length => {
                fence = None;
                spans.push(range);
            }
            (Some(_), _) => spans.push(range),
            (None, Some(opened)) => {
                fence = Some(opened);
                spans.push(range);
            }
            (None, None) if trimmed.starts_with('>') => spans.push(range),
            (None, None) => in_line(line, range.start, &mut spans),
        }
    }
    spans
}

/// The character and length of a code fence at the start of a line.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let count = line
        .chars()
        .take_while(|character| *character == mark)
        .count();
    // A line such as ```` ```x``` ```` is a code span, not a fence.
    let rest = line.get(count..).unwrap_or_default();
    (count >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, count))
}

/// Code spans, quotations and link targets of one line.
fn in_line(line: &str, offset: usize, spans: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(rest) = line.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        let rest = near(rest);
        let length = match first {
            '`' => code_span(rest),
            '"' => enclosed(rest, '"', '"'),
            '“' => enclosed(rest, '“', '”'),
            '„' => enclosed(rest, '„', '“'),
            '«' => enclosed(rest, '«', '»'),
            '「' => enclosed(rest, '「', '」'),
            '『' => enclosed(rest, '『', '』'),
            '[' if rest.starts_with("[[") => rest.find("]]").map(|end| end + 2),
            ']' if rest.starts_with("](") => rest.find(')').map(|end| end + 1),
            '<' => enclosed(rest, '<', '>'),
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                Some(rest.find([' ', '\t', '\n', ')']).unwrap_or(rest.len()))
            }
            _ => None,
        };
        match length {
            Some(length) if length > 0 => {
                spans.push(offset + at..offset + at + length);
                at += length;
            }
            _ => at += first.len_utf8(),
        }
    }
}

/// The part of a line in which a span must close: without a limit, a line of nothing but opening
/// marks would be searched to its end for each of them.
fn near(rest: &str) -> &str {
    const REACH: usize = 2_000;
    let mut end = rest.len().min(REACH);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    rest.get(..end).unwrap_or(rest)
}

/// Length of a code span: as many backticks close as opened it.
fn code_span(rest: &str) -> Option<usize> {
    let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = ticks;
    loop {
        let found = at + rest.get(at..)?.find('`')?;
        let run = rest
            .get(found..)?
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        at = found + run;
        if run == ticks {
            return Some(at);
        }
    }
}

/// Length of a quotation that opens at the start of `rest` and closes on the same line.
fn enclosed(rest: &str, open: char, close: char) -> Option<usize> {
    let inner = rest.get(open.len_utf8()..)?;
    Some(open.len_utf8() + inner.find(close)? + close.len_utf8())
}
