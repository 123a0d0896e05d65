//! A conversation that is written down, measured: what notes and compaction start from.

use std::path::{Path, PathBuf};

use memdir_agent::pauses::Withheld;
use memdir_context::Limits;
use memdir_conversation::tokens::{Estimate, Factors, Measure, Measuring, Meter, Pairs};
use memdir_conversation::transcript::{Reading, Report, conversation, format_of};
use memdir_conversation::{Conversation, Message};
use memdir_store::{PlainName, SessionNotes, open_transcript};

use crate::compaction::configured;
use crate::failure::Failure;
use crate::model::window;
use crate::workplace::Workplace;

/// A conversation that is written down.
pub(crate) struct WrittenTalk {
    /// Its name: that of its file, as clients do.
    pub(crate) name: String,
    pub(crate) conversation: Conversation,
    pub(crate) limits: Limits,
    /// How many tokens its next request has.
    pub(crate) tokens: u64,
    path: PathBuf,
    meter: Meter<Pairs>,
    withheld: Withheld,
}

impl WrittenTalk {
    /// Reads it whole.
    pub(crate) fn read(workplace: &Workplace, path: &Path) -> Result<Self, Failure> {
        let (conversation, report) = read(path)?;
        let mut meter = Meter::new(Pairs, Factors::default());
        let measure = measured(&mut meter, &conversation, &report);
        let model = conversation.model();
        let window = window(workplace, report.window, model, measure.tokens)?;
        let name = stem(path);
        let session = report.session.as_deref().unwrap_or_default();
        let forked_from: Vec<&str> = report.forked_from.iter().map(AsRef::as_ref).collect();
        let pauses = workplace.home().pauses();
        Ok(Self {
            withheld: pauses.of_copy(&[&name, session], &forked_from),
            name,
            limits: Limits::new(window, u64::MAX, &configured(workplace)),
            tokens: measure.tokens,
            conversation,
            path: path.to_owned(),
            meter,
        })
    }

    /// All that a model sees of it.
    pub(crate) fn visible(&self) -> Vec<&Message> {
        let visible = self.conversation.visible().into_iter();
        visible.filter(|message| message.is_sent()).collect()
    }

    /// The same for background work: without what was said in a pause.
    pub(crate) fn heard(&self) -> Vec<Message> {
        let mut heard: Vec<Message> = self.visible().into_iter().cloned().collect();
        self.withheld.withhold(&mut heard);
        heard
    }

    /// Whether the user has switched memory off for it.
    pub(crate) fn is_paused(&self) -> bool {
        self.withheld.is_open()
    }

    /// How many tokens a text has for its model.
    pub(crate) fn weigh(&self, text: &str) -> u64 {
        self.meter.weights(self.conversation.model()).text(text)
    }

    /// Its notes.
    pub(crate) fn notes(&self, workplace: &Workplace) -> Result<SessionNotes, Failure> {
        notes_of(workplace, &self.path)
    }
}

/// The conversation of a transcript, and what there is to say about reading it.
pub(crate) fn read(path: &Path) -> Result<(Conversation, Report), Failure> {
    let shown = path.display();
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{shown}: {error}"), "");
    let mut file = open_transcript(path)
        .map_err(|error| failed(&error))?
        .ok_or_else(|| failed(&"there is no such file"))?;
    let format = format_of(&mut file).map_err(|error| failed(&error))?;
    conversation(format, file, &Reading::whole()).map_err(|error| failed(&error))
}

/// What the next request of a conversation will be billed.
pub(crate) fn measured(
    meter: &mut Meter<Pairs>,
    conversation: &Conversation,
    report: &Report,
) -> Measure {
    let tokens = |json: &Option<_>| json.as_deref().map(|json: &str| Pairs.text(json));
    let how = Measuring {
        system: tokens(&report.system),
        tools: tokens(&report.tools),
        ..Measuring::default()
    };
    meter.measure(conversation, &how)
}

/// The notes of the conversation of a transcript: beside it where it is one of home, else where a session of the start
/// folder would have them.
pub(crate) fn notes_of(workplace: &Workplace, transcript: &Path) -> Result<SessionNotes, Failure> {
    let name = stem(transcript);
    let real = transcript.canonicalize();
    let projects = workplace.places.home.path.join("projects").canonicalize();
    if let (Ok(real), Ok(projects)) = (&real, &projects)
        && real.starts_with(projects)
    {
        return Ok(SessionNotes::new(real.with_file_name(&name)));
    }
    session_notes(workplace, &name)
}

/// The notes of a session of the start folder.
pub(crate) fn session_notes(workplace: &Workplace, name: &str) -> Result<SessionNotes, Failure> {
    let name = PlainName::new(name).map_err(|error| Failure::new(error.to_string(), ""))?;
    Ok(SessionNotes::new(workplace.places.session(&name).folder))
}

/// The name of a file without its end.
pub(crate) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
