//! The notes of a conversation, brought up to date beside it.

use memdir_agent::jobs::{Job, Told, Worked};
use memdir_agent::notes::{NoteTaker, NotesError, Outcome, Talk, state};
use memdir_agent::pauses::PAUSED;
use memdir_context::notes::{Due, Notes, Summary, Template};
use memdir_context::{NotesLimits, Switch};
use memdir_conversation::tokens::{Estimate, Pairs};
use memdir_conversation::{Message, MessageId};
use memdir_model::Cancel;
use memdir_store::places::SessionPlaces;
use memdir_store::{PlainName, SessionNotes, read_regular};

use super::{Background, Snapshot};
use crate::writing::records;
use crate::{Event, Home, Session};

/// The user's own files for notes, and how large one may be.
const TEMPLATE_NAME: &str = "template.md";
const PROMPT_NAME: &str = "prompt.md";
const MAX_BYTES: u64 = 256 * 1024;

/// The sections of notes, and what whoever writes them is told, where the user has their own.
pub(crate) struct Forms {
    pub(crate) template: Template,
    pub(crate) prompt: Option<String>,
    /// What is wrong with the user's own.
    pub(crate) warning: Option<String>,
}

impl Forms {
    pub(crate) fn of(home: &Home) -> Self {
        let folder = home.places.notes_config_dir();
        let own = |name: &str| {
            let bytes = read_regular(&folder.join(name), MAX_BYTES).ok().flatten()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let mut forms = Self {
            template: Template::built_in().clone(),
            prompt: own(PROMPT_NAME),
            warning: None,
        };
        if let Some(text) = own(TEMPLATE_NAME) {
            match Template::parse(&text) {
                Ok(template) => forms.template = template,
                Err(problem) => {
                    let path = folder.join(TEMPLATE_NAME);
                    let warning = format!("{} is not used: {problem}", path.display());
                    forms.warning = Some(warning);
                }
            }
        }
        forms
    }
}

/// Brings the notes of a conversation up to date.
pub(super) fn notes(
    home: &Home,
    background: &Background,
    job: &Job,
    snapshot: &Snapshot,
    limits: NotesLimits,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let Some((model, meter)) = background.notes.as_ref().zip(background.meter.as_ref()) else {
        return Ok(Worked::Skipped("no model is named for notes".to_owned()));
    };
    let Some(snapshot) = snapshot.heard(home, &job.conversation) else {
        return Ok(Worked::Skipped(PAUSED.to_owned()));
    };
    let name = PlainName::new(&job.conversation).map_err(|problem| problem.to_string())?;
    let file = SessionNotes::new(home.places.session(&name).folder);
    let forms = Forms::of(home);
    let visible: Vec<&Message> = snapshot.visible.iter().collect();
    let count = |text: &str| Pairs.text(text);
    let taker = NoteTaker {
        file: &file,
        records: &records(home),
        conversation: &job.conversation,
        model: &**model,
        meter,
        folder: &home.places.project.checkout,
        memory: home.store.memory_directory(),
        template: &forms.template,
        prompt: forms.prompt.as_deref(),
        limits,
        count: &count,
        secrets: home.secrets(),
        dry_run: false,
    };
    let talk = Talk {
        visible: &visible,
        tokens: snapshot.tokens,
        parent: snapshot.parent.as_ref(),
    };
    let report = match taker.update(&talk, &super::word(), cancel) {
        Err(NotesError::Meter(error)) if error.may_be_tried_later() => {
            return Ok(Worked::NotNow(error.to_string()));
        }
        report => report.map_err(|error| error.to_string())?,
    };
    let said = match &report.outcome {
        Outcome::Written { .. } => "notes are up to date".to_owned(),
        Outcome::Unchanged => "nothing to add".to_owned(),
        Outcome::Refused(refusal) => format!("what came was not taken: {refusal}"),
    };
    Ok(Worked::Done(Told {
        said,
        denied: report.denied.iter().map(ToString::to_string).collect(),
        operation: None,
    }))
}

/// Notes that can stand in for a conversation.
pub(crate) struct Standing {
    pub(crate) summary: Summary,
    pub(crate) bare: bool,
    pub(crate) covered: Option<MessageId>,
}

impl Session {
    /// Whether notes are due after a reply.
    pub(crate) fn notes_due(&mut self) -> bool {
        let own = match self.home.settings().notes.enabled {
            true => Switch::On,
            false => Switch::Off {
                by: "notes.enabled".to_owned(),
            },
        };
        let switches = self.home.compactions();
        if self.paused
            || self.after.background.notes.is_none()
            || *switches.keeping_notes(&own) != Switch::On
        {
            return false;
        }
        let tokens = self.used();
        let state = state::get(&records(&self.home), self.name.as_str());
        let state = state.ok().flatten();
        let due = state::due(
            state.as_ref(),
            &self.conversation,
            tokens,
            &self.limits.notes,
        );
        matches!(due, Due::First | Due::Again)
    }

    /// The notes as they are, after those that are being written have had their time.
    pub(crate) fn notes_standing(&mut self) -> Option<Standing> {
        let state = state::waited_for(&records(&self.home), self.name.as_str(), (self.now)());
        let state = match state {
            Ok(state) => state?,
            Err(error) => {
                self.events.push(Event::Warning(error.to_string()));
                return None;
            }
        };
        // What was said in a pause is not in the notes: they cannot stand in for it.
        let withheld = self.home.pauses().of(&[self.name.as_str()]);
        let mut turns = withheld.listen();
        let mut seen = self.conversation.visible().into_iter();
        if !withheld.is_empty() && seen.any(|message| turns.withholds(message)) {
            return None;
        }
        let SessionPlaces { folder, .. } = &self.places;
        let file = SessionNotes::new(folder);
        let found = file.read().ok().flatten()?;
        let forms = Forms::of(&self.home);
        let text = String::from_utf8_lossy(&found.bytes);
        let notes = Notes::read(&forms.template, &text)?;
        let weights = self.tokens.weights(Some(self.model.name()));
        let count = |text: &str| weights.text(text);
        let path = file.path();
        let summary = notes.summary(
            &forms.template,
            &self.limits.notes,
            &count,
            &path.to_string_lossy(),
        );
        Some(Standing {
            summary,
            bare: notes.is_bare(&forms.template),
            covered: state.covered.as_deref().map(MessageId::new),
        })
    }
}
