//! The cells below a title, in a table of Markdown or in comma-separated values.

use std::ops::Range;

use super::syntax::on_boundary;

/// So many bytes of a table are looked at, and so long may a title be.
const REACH: usize = 16 * 1_024;
const LONGEST_TITLE: usize = 40;
const LONGEST_ROW: usize = 1_000;

/// Where the cells of the column stand whose title holds a name. Only the first row of a table has titles.
pub(super) fn cells(text: &str, name: &Range<usize>) -> Vec<Range<usize>> {
    let from = on_boundary(text, name.start.saturating_sub(LONGEST_ROW));
    let above = text.get(from..name.start).unwrap_or_default();
    let start = above.rfind('\n').map_or(from, |place| from + place + 1);
    let table = text
        .get(start..on_boundary(text, start + REACH))
        .unwrap_or_default();
    let mut rows = table.split_inclusive('\n');
    let title = rows.next().unwrap_or_default();
    let Some(separator) = ['|', '\t', ',']
        .into_iter()
        .find(|sign| title.contains(*sign))
    else {
        return Vec::new();
    };
    let before = text
        .get(from..start)
        .unwrap_or_default()
        .trim_end_matches('\n');
    let previous = before.rsplit('\n').next().unwrap_or_default();
    let place = name.start - start;
    let column = title
        .get(..place)
        .unwrap_or_default()
        .matches(separator)
        .count();
    let titles: Vec<&str> = title.split(separator).collect();
    if previous.contains(separator)
        || title.len() > LONGEST_ROW
        || titles.iter().any(|title| title.len() > LONGEST_TITLE)
    {
        return Vec::new();
    }
    let mut at = start + title.len();
    let mut found = Vec::new();
    for row in rows {
        if row.split(separator).count() != titles.len() {
            break;
        }
        let mut cell_at = at;
        for (number, cell) in row.split(separator).enumerate() {
            if number == column {
                let signs = ['`', '"', '\'', '*', ' ', '\t', '\r', '\n'];
                let head = cell.trim_start_matches(signs);
                let body = head.trim_end_matches(['`', '"', '\'', ' ', '\t', '\r', '\n']);
                let first = cell_at + cell.len() - head.len();
                if !body.is_empty() {
                    found.push(first..first + body.len());
                }
            }
            cell_at += cell.len() + separator.len_utf8();
        }
        at += row.len();
    }
    found
}
