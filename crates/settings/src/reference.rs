//! The documentation of every setting, from the table.

use std::fmt::Write;

use crate::tree::{Committed, KEYS, SECTIONS};

/// All settings as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::new();
    for (section, about) in SECTIONS {
        let _ = write!(page, "\n## {section}\n\n{}\n", about.trim());
        let own = KEYS.iter().filter(|key| key.parts().0 == *section);
        for key in own {
            let project = match key.committed {
                Committed::Any => "any value",
                Committed::Lower => "only less than you have",
                Committed::Higher => "only more than you have",
                Committed::Never => "not at all",
            };
            let _ = write!(
                page,
                "\n### `{}`\n\n{}\n\n- Value: {}\n- Built-in: `{}`\n- Variable: `{}`\n- A file that comes with the \
                 project may set it to: {project}\n",
                key.name,
                key.about.trim(),
                key.kind,
                key.default,
                key.variable,
            );
        }
    }
    page
}
