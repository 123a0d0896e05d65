//! Whether what was written for a client still stands where it belongs.

use std::path::{Path, PathBuf};

use memdir_store::read_user_text;

use super::plan::{has_comments, ignored, is_strict};
use super::{Client, Connection, Ours, Part, Target};

/// Something that keeps a client from calling us.
pub(crate) struct Fault {
    pub(crate) file: PathBuf,
    pub(crate) what: String,
    /// Whether setting it up once more mends it.
    pub(crate) by_setup: bool,
}

/// What is wrong with the entries of a client that was set up.
pub(crate) fn faults(client: Client, connection: &Connection, targets: &[Target]) -> Vec<Fault> {
    let ours = Ours {
        client,
        program: connection.program.clone(),
        written: connection.written.clone(),
    };
    let mut faults = Vec::new();
    let program = Path::new(&connection.program);
    if !program.is_file() {
        faults.push(Fault {
            file: program.to_path_buf(),
            what: "the program that its entries start is not there".to_owned(),
            by_setup: true,
        });
    }
    for target in targets {
        if target.part == Part::Server && !connection.server {
            continue;
        }
        let mut fault = |what: String, by_setup| {
            faults.push(Fault {
                file: target.file.clone(),
                what,
                by_setup,
            });
        };
        let text = match read_user_text(&target.file) {
            Ok(text) => text.unwrap_or_default(),
            Err(error) => {
                fault(error.to_string(), false);
                continue;
            }
        };
        if is_strict(client, &target.file) && has_comments(&text) {
            fault(ignored(client), false);
            continue;
        }
        match target.part.lack(&text, &ours) {
            Ok(None) => {}
            Ok(Some(lack)) => fault(lack, true),
            Err(problem) => fault(problem.to_string(), false),
        }
    }
    faults
}
