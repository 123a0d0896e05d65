//! A model that selects: a manifest in, names out. Whatever becomes of it, a turn goes on.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use memdir_memory::scrub;

/// How many memories a turn is given at most.
pub const MAX_SELECTED: usize = 5;
/// How many memories, the newest, a manifest has.
pub const MANIFEST_LINES: usize = 200;
/// How long a selector may take.
pub const SELECTOR_DEADLINE: Duration = Duration::from_secs(5);

/// What a selector is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The latest text that the user wrote.
    pub query: String,
    /// The candidates: name and manifest line, newest first.
    pub manifest: Vec<(String, String)>,
    /// Tools called without error since the user's previous message. How to use them is noise; warnings and known
    /// problems about them are not.
    pub tools: Vec<String>,
}

/// Something that chooses memories by reading their manifest: a small model, mostly.
pub trait Selector: Send + Sync {
    /// Names from the manifest that will certainly help; none is an answer too. It should give up by itself after
    /// the deadline; if it does not, nobody waits for it.
    fn select(&self, request: &Request, deadline: Duration) -> Result<Vec<String>, SelectorError>;
}

/// Why a selector has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// It took too long.
    #[error("the selector did not answer in time")]
    Late,
    /// It failed, for this reason.
    #[error("the selector failed: {0}")]
    Failed(String),
}

/// Who chose, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// At most [`MAX_SELECTED`] names, best first.
    pub names: Vec<String>,
    /// What went wrong with the selector, where the embedded ranker had to stand in.
    pub fell_back: Option<SelectorError>,
}

/// Asks a selector and keeps of its answer what stands in the manifest. Where it fails, panics or is late, the embedded
/// ranker chooses.
///
/// ```
/// use memdir_recall::{Request, SELECTOR_DEADLINE, Selector, SelectorError, select};
/// use std::{sync::Arc, time::Duration};
///
/// struct Scripted;
/// impl Selector for Scripted {
///     fn select(&self, _: &Request, _: Duration) -> Result<Vec<String>, SelectorError> {
///         Ok(vec!["made_up.md".to_owned(), "a.md".to_owned()])
///     }
/// }
///
/// let request = Request {
///     query: "why Friday".to_owned(),
///     manifest: vec![("a.md".to_owned(), "- a.md (2026-03-30T12:00:00Z)".to_owned())],
///     tools: Vec::new(),
/// };
/// let selection = select(Arc::new(Scripted), request, SELECTOR_DEADLINE, Vec::new);
/// assert_eq!(selection.names, ["a.md"]);
/// ```
pub fn select(
    selector: Arc<dyn Selector>,
    mut request: Request,
    deadline: Duration,
    embedded: impl FnOnce() -> Vec<String>,
) -> Selection {
    let (sender, receiver) = mpsc::channel();
    // Here and nowhere else does a message go to a background model.
    request.query = scrub(&request.query).into_owned();
    let names: Vec<String> = request
        .manifest
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    // A thread of its own, because a selector that hangs must not hang the turn.
    let asked = thread::Builder::new().spawn(move || {
        // Nobody listens any more after the deadline.
        let _ = sender.send(selector.select(&request, deadline));
    });
    let answer = match asked {
        Ok(_) => match receiver.recv_timeout(deadline) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err(SelectorError::Late),
            Err(RecvTimeoutError::Disconnected) => {
                Err(SelectorError::Failed("it panicked".to_owned()))
            }
        },
        Err(error) => Err(SelectorError::Failed(error.to_string())),
    };
    match answer {
        Ok(chosen) => Selection {
            names: known(chosen, &names),
            fell_back: None,
        },
        Err(error) => Selection {
            names: known(embedded(), &names),
            fell_back: Some(error),
        },
    }
}

/// The first few of the chosen names that are in the manifest, each once.
fn known(chosen: Vec<String>, manifest: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in chosen {
        if kept.len() < MAX_SELECTED && manifest.contains(&name) && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::Receiver;

    type Script = Box<dyn Fn(&Request) -> Result<Vec<String>, SelectorError> + Send + Sync>;

    struct Scripted(Script);

    impl Selector for Scripted {
        fn select(&self, request: &Request, _: Duration) -> Result<Vec<String>, SelectorError> {
            (self.0)(request)
        }
    }

    fn request() -> Request {
        let names = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"];
        Request {
            query: "deploy on Friday".to_owned(),
            manifest: names
                .map(|name| (name.to_owned(), format!("- {name}")))
                .into(),
            tools: vec!["Bash".to_owned()],
        }
    }

    fn answered(
        script: impl Fn(&Request) -> Result<Vec<String>, SelectorError> + Send + Sync + 'static,
        deadline: Duration,
    ) -> Selection {
        let selector = Arc::new(Scripted(Box::new(script)));
        select(selector, request(), deadline, || vec!["f.md".to_owned()])
    }

    fn words(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn at_most_five_that_are_known_each_once() {
        let chosen = [
            "x.md", "b.md", "b.md", "a.md", "../c.md", "c.md", "d.md", "e.md", "f.md",
        ];
        let selection = answered(move |_| Ok(words(&chosen)), SELECTOR_DEADLINE);
        assert_eq!(selection.names, ["b.md", "a.md", "c.md", "d.md", "e.md"]);
        assert_eq!(selection.fell_back, None);
    }

    #[test]
    fn none_is_an_answer() {
        let selection = answered(|_| Ok(Vec::new()), SELECTOR_DEADLINE);
        assert_eq!((selection.names, selection.fell_back), (Vec::new(), None));
    }

    #[test]
    fn the_selector_is_told_query_and_tools() {
        let script = |request: &Request| match (request.query.as_str(), request.tools.as_slice()) {
            ("deploy on Friday", [tool]) if tool == "Bash" => Ok(words(&["a.md"])),
            _ => Ok(Vec::new()),
        };
        assert_eq!(answered(script, SELECTOR_DEADLINE).names, ["a.md"]);
    }

    #[test]
    fn who_fails_or_panics_is_stood_in_for() {
        let failing = |_: &Request| Err(SelectorError::Failed("no key".to_owned()));
        let selection = answered(failing, SELECTOR_DEADLINE);
        assert_eq!(selection.names, ["f.md"]);
        assert_eq!(
            selection.fell_back,
            Some(SelectorError::Failed("no key".to_owned()))
        );
        let selection = answered(|_| panic!("at once"), SELECTOR_DEADLINE);
        assert_eq!(
            selection.fell_back,
            Some(SelectorError::Failed("it panicked".to_owned()))
        );
    }

    #[test]
    fn no_model_reads_what_is_private() {
        let asked = Request {
            query: "my pin <private>1234</private>".to_owned(),
            ..request()
        };
        let script = |request: &Request| match request.query.as_str() {
            "my pin [private]" => Ok(words(&["a.md"])),
            _ => Ok(Vec::new()),
        };
        let selector = Arc::new(Scripted(Box::new(script)));
        let selection = select(selector, asked, SELECTOR_DEADLINE, Vec::new);
        assert_eq!(selection.names, ["a.md"]);
    }

    #[test]
    fn nobody_waits_for_who_is_late() {
        // It answers only once the selection is over: no clock decides this test.
        let (over, waits): (mpsc::Sender<()>, Receiver<()>) = mpsc::channel();
        let waits = Mutex::new(waits);
        let selection = answered(
            move |_| {
                let _ = waits.lock().unwrap().recv();
                Ok(words(&["a.md"]))
            },
            Duration::from_millis(1),
        );
        assert_eq!(selection.names, ["f.md"]);
        assert_eq!(selection.fell_back, Some(SelectorError::Late));
        drop(over);
    }
}
