//! What a user reads when something fails: what happened, to which file, what to do next.

use std::io::{self, Write};
use std::process::ExitCode;

use memdir_store::Error;
use memdir_store::places::PlacesError;

use crate::quoting::quoted;
use crate::table::one_line;

/// Exit code for "it failed".
const FAILED: u8 = 1;
/// Exit code for "that is not how to call it".
const USAGE: u8 = 2;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not be done.
    Failed {
        /// What happened, to which file.
        message: String,
        /// What to do next; empty when there is nothing to say.
        hint: String,
    },
    /// It was called in a way that makes no sense.
    Usage(String),
    /// A word was typed that is none of those which there are.
    Unknown {
        /// Which, and what it was meant to be.
        message: String,
        /// What may have been meant.
        hint: String,
    },
    /// The answer is that something is wrong, and it says so itself.
    Found,
    /// Nobody reads the output any more, which is no failure.
    BrokenPipe,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Failed {
            message: message.into(),
            hint: hint.into(),
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into())
    }

    /// A word that is none of those which there are.
    pub(crate) fn unknown(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Unknown {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// What happened, without what to do about it.
    pub(crate) fn message(self) -> String {
        match self {
            Failure::Failed { message, .. }
            | Failure::Usage(message)
            | Failure::Unknown { message, .. } => message,
            Failure::Found | Failure::BrokenPipe => String::new(),
        }
    }

    /// What happened, and what to do about it.
    pub(crate) fn whole(self) -> String {
        match self {
            Failure::Failed { message, hint } if !hint.is_empty() => {
                format!("{message}. {}", hint.replace('\n', " "))
            }
            other => other.message(),
        }
    }

    /// Says it on standard error.
    pub(crate) fn report(self) -> ExitCode {
        let (code, message, hint) = match self {
            Failure::Failed { message, hint } => (FAILED, message, hint),
            Failure::Unknown { message, hint } => (USAGE, message, hint),
            Failure::Usage(message) => (
                USAGE,
                message,
                "`memdir help` lists what can be typed".to_owned(),
            ),
            Failure::Found => return ExitCode::from(FAILED),
            Failure::BrokenPipe => return ExitCode::SUCCESS,
        };
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let mut text = format!("{red}error{red:#}: {message}\n");
        for line in hint.lines() {
            text.push_str(&format!("  {line}\n"));
        }
        // If standard error is gone as well, there is nobody left to tell.
        let _ = anstream::stderr().write_all(text.as_bytes());
        ExitCode::from(code)
    }
}

/// Says how it is called: help to standard output, mistakes to standard error.
pub(crate) fn explain_usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        Err(broken) if broken.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        _ if error.use_stderr() => ExitCode::from(USAGE),
        _ => ExitCode::SUCCESS,
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::new(format!("could not write the answer: {error}"), ""),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::from(io::Error::from(error))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let hint = hint(&error);
        Failure::new(error.to_string(), hint)
    }
}

impl From<PlacesError> for Failure {
    fn from(error: PlacesError) -> Failure {
        let hint = match &error {
            PlacesError::Moved(files) => {
                let lines = files.iter().map(|file| {
                    let (path, names) = (quoted(&file.path), file.names.join(" and "));
                    let line = format!(
                        "`memdir trust {path}` shows what it sets and lets it count; or take {names} out of it"
                    );
                    one_line(&line).into_owned()
                });
                lines.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        };
        Failure::new(one_line(&error.to_string()), hint)
    }
}

fn hint(error: &Error) -> String {
    match error {
        Error::NotFound(_) => "`memdir list` shows what there is".to_owned(),
        Error::Unread { .. } => "see who may read it, or move it away, and try again".to_owned(),
        Error::Exists(_) => "choose another name".to_owned(),
        Error::Conflict { merged, .. } => {
            format!("both versions:\n{merged}\nlook at the file and try again")
        }
        Error::ChangedSince { path } => format!(
            "`memdir forget {}` removes it as it is now, `memdir reject` lets the suggestion go",
            path.stem()
        ),
        Error::DamagedSuggestion { .. } => {
            "`memdir reject` with its number lets it go; nobody but memdir changes what waits"
                .to_owned()
        }
        Error::Accepted { operation, .. } => {
            format!("after `memdir undo {operation}` it can be accepted anew")
        }
        Error::UndoConflict { later, merged, .. } => {
            let later: Vec<String> = later.iter().map(|id| format!("#{id}")).collect();
            format!(
                "undo {} first, or change the file by hand; both versions:\n{merged}",
                later.join(" and ")
            )
        }
        Error::NoOperation(_) | Error::PurgedOperation(_) => {
            "`memdir history` lists the operations".to_owned()
        }
        Error::Secret { .. } | Error::SecretName { .. } => {
            "say where the secret is kept instead of what it is; nothing was written".to_owned()
        }
        Error::Busy { .. } => {
            "try again in a moment; `memdir doctor` shows who holds the lock".to_owned()
        }
        Error::Unknown { .. } => {
            "`memdir doctor` says how much of the history is damaged".to_owned()
        }
        Error::Io { source, .. } => match source.kind() {
            io::ErrorKind::PermissionDenied => "check who owns the file and its folder".to_owned(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space and try again; nothing was lost".to_owned()
            }
            io::ErrorKind::ReadOnlyFilesystem => "the file system is mounted read-only".to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
