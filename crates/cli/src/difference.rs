//! What became of a file, line by line.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use memdir_memory::MemoryPath;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::output::{BAD, FAINT, GOOD, Output, STRONG};
use crate::visible::visible;

/// Past this a coarser difference is good enough; nobody reads it whole anyway.
const PATIENCE: Duration = Duration::from_secs(2);

/// What an operation did to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Added,
    Changed,
    Removed,
}

impl Kind {
    /// From whether there was a file, and whether there is one.
    pub(crate) fn of(before: bool, after: bool) -> Kind {
        match (before, after) {
            (false, _) => Kind::Added,
            (true, false) => Kind::Removed,
            (true, true) => Kind::Changed,
        }
    }

    /// One sign for it.
    pub(crate) fn sign(self) -> char {
        match self {
            Kind::Added => '+',
            Kind::Changed => '~',
            Kind::Removed => '-',
        }
    }
}

/// The difference between two versions of a file.
#[derive(Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) path: MemoryPath,
    pub(crate) change: Kind,
    /// Lines that were added.
    pub(crate) added: usize,
    /// Lines that were removed.
    pub(crate) removed: usize,
    /// As a unified diff; `None` where the content is no text.
    pub(crate) diff: Option<String>,
}

impl Difference {
    /// Compares two versions; `None` is no file.
    pub(crate) fn between(
        path: &MemoryPath,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Difference {
        let change = Kind::of(before.is_some(), after.is_some());
        let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
        if old.contains(&0) || new.contains(&0) {
            return Difference {
                path: path.clone(),
                change,
                added: 0,
                removed: 0,
                diff: None,
            };
        }
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
        let diff = TextDiff::configure()
            .timeout(PATIENCE)
            .diff_lines(old.as_ref(), new.as_ref());
        let count = |tag| {
            diff.iter_all_changes()
                .filter(|change| change.tag() == tag)
                .count()
        };
        let name = |side: &str, exists: bool| match exists {
            true => Cow::Owned(format!("{side}/{path}")),
            false => Cow::Borrowed("/dev/null"),
        };
        let text = diff
            .unified_diff()
            .header(&name("a", before.is_some()), &name("b", after.is_some()))
            .to_string();
        Difference {
            path: path.clone(),
            change,
            added: count(ChangeTag::Insert),
            removed: count(ChangeTag::Delete),
            diff: Some(text),
        }
    }

    /// The diff as text, coloured on a terminal.
    pub(crate) fn print(&self, output: &mut Output) -> io::Result<()> {
        let Some(diff) = &self.diff else {
            return output.line(format!(
                "{STRONG}{}{STRONG:#} is not text; its bytes differ",
                self.path
            ));
        };
        print_unified(diff, output)
    }

    /// One line: what became of the file and how many lines it cost.
    pub(crate) fn stat(&self) -> String {
        let sign = match self.change {
            Kind::Added => GOOD,
            Kind::Changed => anstyle::Style::new(),
            Kind::Removed => BAD,
        };
        let counts = match self.diff {
            Some(_) => format!("+{} -{}", self.added, self.removed),
            None => "not text".to_owned(),
        };
        format!(
            "  {sign}{} {}{sign:#}  {FAINT}{counts}{FAINT:#}",
            self.change.sign(),
            self.path
        )
    }
}

/// The difference between two texts of a file outside of the memories, as a unified diff.
pub(crate) fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let side = |text: Option<&str>| if text.is_some() { name } else { "/dev/null" };
    TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default())
        .unified_diff()
        .header(side(before), side(after))
        .to_string()
}

/// A unified diff as text, coloured on a terminal.
pub(crate) fn print_unified(diff: &str, output: &mut Output) -> io::Result<()> {
    for line in diff.lines() {
        let style = match line.chars().next() {
            _ if line.starts_with("--- ") || line.starts_with("+++ ") => STRONG,
            Some('+') => GOOD,
            Some('-') => BAD,
            Some('@' | '\\') => FAINT,
            _ => anstyle::Style::new(),
        };
        output.line(format!("{style}{}{style:#}", visible(line)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
        let path = MemoryPath::new("a.md").unwrap();
        let difference = Difference::between(&path, before, after);
        let counts = format!(
            "{:?} +{} -{}\n",
            difference.change, difference.added, difference.removed
        );
        counts + &difference.diff.unwrap_or("no text".to_owned())
    }

    #[test]
    fn a_difference_is_a_unified_diff() {
        insta::assert_snapshot!(between(Some(b"one\ntwo\nthree"), Some(b"one\n2\nthree\n")), @r#"
        Changed +2 -2
        --- a/a.md
        +++ b/a.md
        @@ -1,3 +1,3 @@
         one
        -two
        -three
        \ No newline at end of file
        +2
        +three
        "#);
        insta::assert_snapshot!(between(None, Some(b"new\n")), @"
        Added +1 -0
        --- /dev/null
        +++ b/a.md
        @@ -0,0 +1 @@
        +new
        ");
        insta::assert_snapshot!(between(Some(b"old\n"), None), @"
        Removed +0 -1
        --- a/a.md
        +++ /dev/null
        @@ -1 +0,0 @@
        -old
        ");
    }

    #[test]
    fn what_is_no_text_is_said_to_be_none() {
        insta::assert_snapshot!(between(Some(b"a\0b"), Some(b"c")), @"
        Changed +0 -0
        no text
        ");
        insta::assert_snapshot!(between(Some(b"caf\xe9\n"), Some(b"caf\xc3\xa9\n")), @"
        Changed +1 -1
        --- a/a.md
        +++ b/a.md
        @@ -1 +1 @@
        -caf�
        +café
        ");
    }
}
