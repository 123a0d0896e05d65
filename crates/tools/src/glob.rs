//! `Glob`: files by their names.

use std::path::Path;
use std::time::{Instant, SystemTime};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};

use crate::looked::looked;
use crate::place::is_of_kernel;
use crate::program::TIME;
use crate::{Answer, Bench, Call, Place, Tool};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Glob",
    description: "Lists files whose path matches a pattern such as **/*.md, the newest first.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string","description":"Folder to look in"}},"required":["pattern"]}"#,
};

const MOST: usize = 200;

pub(crate) fn run(bench: &Bench<'_>, call: &Call, place: &Place) -> Answer {
    let pattern = match call.text("pattern") {
        Ok(pattern) => pattern,
        Err(answer) => return answer,
    };
    let matcher = match matcher(pattern) {
        Ok(matcher) => matcher,
        Err(error) => return Answer::error(format!("the pattern is not understood: {error}")),
    };
    let folder = place.path(&bench.rooms);
    let mut found: Vec<(SystemTime, String)> = Vec::new();
    for file in looked(bench, place) {
        let beneath = file.path().strip_prefix(&folder).unwrap_or(file.path());
        if matcher.is_match(beneath) {
            found.push((file.modified(), file.path().display().to_string()));
        }
    }
    if found.is_empty() {
        return Answer::ok("[no file matches]");
    }
    found.sort_by(|a, b| b.cmp(a));
    let more = found.len().saturating_sub(MOST);
    let mut text: Vec<String> = found.into_iter().take(MOST).map(|(_, path)| path).collect();
    if more > 0 {
        text.push(format!("[and {more} more]"));
    }
    Answer::ok(text.join("\n"))
}

pub(crate) fn matcher(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    Ok(GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()?
        .compile_matcher())
}

/// Files that git does not ignore, links not followed, for as long as a search may take.
pub(crate) fn walk(folder: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    let until = Instant::now() + TIME;
    let walk = WalkBuilder::new(folder)
        // Those of the folders above are read too.
        .standard_filters(folder.ancestors().skip(1).all(is_readable))
        .hidden(false)
        .filter_entry(|entry| {
            let path = entry.path();
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let open = !is_folder || (is_readable(path) && !is_of_kernel(path));
            entry.file_name() != ".git" && open
        })
        .follow_links(false)
        .build();
    // Already its first step opens what the folder ignores.
    let walk = is_readable(folder).then_some(walk);
    let entries = walk.into_iter().flatten().flatten();
    entries.take_while(move |_| Instant::now() < until)
}

/// Whether what says which files of a folder are ignored can be read without waiting for ever: who walks through the folder
/// opens it.
fn is_readable(folder: &Path) -> bool {
    let names = [
        ".gitignore",
        ".ignore",
        ".git",
        ".git/commondir",
        ".git/info/exclude",
    ];
    names.iter().all(|name| {
        let found = std::fs::metadata(folder.join(name));
        found.map_or(true, |found| found.is_file() || found.is_dir())
    })
}
