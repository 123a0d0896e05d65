//! Generated tables inside hand-written pages.
//!
//! A page keeps its words; what stands between two marks, `<!-- begin NAME -->` and
//! `<!-- end NAME -->`, is replaced.

use std::path::Path;

use anyhow::{Context as _, Result};

/// Replaces one generated block of a page; a page without it gets it at its end.
pub(crate) fn write_block(page: &Path, name: &str, block: &str) -> Result<()> {
    let shown = page.display();
    let text = match std::fs::read_to_string(page) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("reading {shown}"))?,
    };
    if let Some(folder) = page.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    std::fs::write(page, with_block(&text, name, block))
        .with_context(|| format!("writing {shown}"))?;
    println!("wrote the block `{name}` of {shown}");
    Ok(())
}

fn with_block(text: &str, name: &str, block: &str) -> String {
    let (begin, end) = (
        format!("<!-- begin {name} -->"),
        format!("<!-- end {name} -->"),
    );
    let new = format!("{begin}\n\n{}\n\n{end}", block.trim());
    let parts = text
        .split_once(&begin)
        .and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    match parts {
        Some((before, after)) => format!("{before}{new}{after}"),
        None if text.is_empty() => format!("{new}\n"),
        None => format!("{}\n\n{new}\n", text.trim_end()),
    }
}

/// Rows as a Markdown table, columns padded so that it reads well as plain text too.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |index: usize| {
        let named = header
            .iter()
            .skip(index)
            .take(1)
            .map(|cell| cell.chars().count());
        named.chain(
            rows.iter()
                .filter_map(move |row| row.get(index))
                .map(|cell| cell.chars().count()),
        )
    };
    let widths: Vec<usize> = (0..header.len())
        .map(|index| cells(index).max().unwrap_or(0))
        .collect();
    let line = |row: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = widths
            .iter()
            .zip(row)
            .map(|(width, cell)| format!("{cell:<width$}"))
            .collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut text = line(&mut header.iter().copied());
    text.push_str(&line(&mut rule.iter().map(String::as_str)));
    for row in rows {
        text.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_block_changes() {
        let page = "# Title\n\n<!-- begin a -->\nold\n<!-- end a -->\n\nlast words\n";
        insta::assert_snapshot!(with_block(page, "a", "new\n"), @"
        # Title

        <!-- begin a -->

        new

        <!-- end a -->

        last words
        ");
        insta::assert_snapshot!(with_block(page, "b", "second"), @"
        # Title

        <!-- begin a -->
        old
        <!-- end a -->

        last words

        <!-- begin b -->

        second

        <!-- end b -->
        ");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            vec!["remember".to_owned(), "1".to_owned()],
            vec!["é".to_owned(), "100".to_owned()],
        ];
        insta::assert_snapshot!(table(&["verb", "n"], &rows), @"
        | verb     | n   |
        | -------- | --- |
        | remember | 1   |
        | é        | 100 |
        ");
    }
}
