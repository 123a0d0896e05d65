//! Making room before a request, and showing again what the work needs.

use std::io::Read;
use std::path::Path;

use memdir_agent::notes::state;
use memdir_agent::summary::{Progress, Summariser};
use memdir_context::compaction::{
    CachePrices, Compacted, Event as Step, Fixed, Instructions, Means, Room, SavedResult,
    Situation, Summarise, Thinking, WrittenNotes, files_touched, make_room,
};
use memdir_context::restore::{Answer, Request, Restoration};
use memdir_context::{Renewal, hook_to_keep};
use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Reminded, Trigger};
use memdir_memory::scrub;
use memdir_store::{Directory, open_regular};

use crate::after::notes::Standing;
use crate::after::word;
use crate::files::Files;
use crate::writing::records;
use crate::{Error, Event, Session};

/// What an ordinary provider asks for its cache.
const USUAL_PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};

/// So many memories are named to whoever sums up.
const NAMED: usize = 20;

impl Session {
    /// Makes room where it is needed. What was cleared is on disk before it is no longer sent.
    pub(crate) fn make_room(
        &mut self,
        trigger: Trigger,
        instructions: &[String],
    ) -> Result<(), Error> {
        let used = self.used();
        let notes = match used >= self.limits.thresholds.compaction || trigger != Trigger::Auto {
            true => self.notes_standing(),
            false => None,
        };
        let mut room = self.room(trigger, instructions, used, notes.as_ref());
        if let Some(cleared) = &room.cleared {
            self.save_results(&cleared.saved)?;
            self.edits = cleared.edits.clone();
            if cleared.faded > 0 {
                self.forget_recalled();
            }
            let records = records(&self.home);
            if let Err(error) = state::cleared(&records, self.name.as_str(), cleared.tokens_after) {
                self.events.push(Event::Warning(error.to_string()));
            }
        }
        if let Some(editing) = &room.provider {
            // It is asked in every request; that it is, is news once.
            if self.after.editing.as_ref() == Some(editing) {
                room.events.retain(|event| *event != Step::AskedProvider);
            }
            self.after.editing = Some(editing.clone());
        }
        let before = self.events.len();
        let events = std::mem::take(&mut room.events).into_iter();
        self.events
            .extend(events.map(|event| Event::Room(Box::new(event))));
        let Some(compacted) = room.compacted else {
            return Ok(());
        };
        self.compacted(&compacted)?;
        self.count_again(before);
        Ok(())
    }

    /// Lets what is told of a compaction have the tokens of the request that really follows, with all that was shown again.
    fn count_again(&mut self, from: usize) {
        let (measure, _) = self.measured();
        for event in self.events.iter_mut().skip(from) {
            if let Event::Room(step) = event
                && let Step::Compacted {
                    tokens_after,
                    kinds,
                    ..
                } = &mut **step
            {
                *tokens_after = measure.tokens;
                kinds.1 = measure.kinds;
            }
        }
    }

    fn room(
        &mut self,
        trigger: Trigger,
        instructions: &[String],
        used: u64,
        notes: Option<&Standing>,
    ) -> Room {
        let weights = self.tokens.weights(Some(self.model.name()));
        let facts = self.model.facts();
        let outside = self.outside.as_ref();
        let tools = outside.map(|outside| outside.tool_names.as_slice());
        let tools: Vec<&str> = tools
            .unwrap_or_default()
            .iter()
            .map(String::as_str)
            .collect();
        let transcript = self.places.transcript.to_string_lossy();
        let folder = self.places.tool_results();
        let folder = folder.to_string_lossy();
        let switches = self.home.compactions();
        let hooks = self.hook_words();
        // Where there is room nobody asks what it is made of.
        let thresholds = &self.limits.thresholds;
        let near = thresholds.warning.min(thresholds.compaction);
        let is_near = trigger != Trigger::Auto || used >= near;
        let prompt = self.sections.prompt().filter(|_| is_near);
        let tools_json = self.host.tools.iter().filter(|_| is_near);
        let situation = Situation {
            conversation: &self.conversation,
            edits: &self.edits,
            weights: &weights,
            limits: &self.limits,
            used,
            fixed: Fixed {
                system: weights.text(prompt.unwrap_or_default()),
                tools: tools_json.map(|tool| weights.text(tool)).sum(),
                instructions: 0,
            },
            thinking: match (facts.bound_thinking, self.model.edits_context()) {
                (true, true) => Thinking::BoundWithEditing,
                (true, false) => Thinking::Bound,
                (false, _) => Thinking::Free,
            },
            transcript: Some(&transcript),
            trigger,
        };
        let means = Means {
            switches: &switches,
            folder: &folder,
            prices: facts.price.map_or(USUAL_PRICES, |price| {
                let (write, read) = price.cached();
                CachePrices { write, read }
            }),
            tools: &tools,
            notes: notes.map(|notes| WrittenNotes {
                text: &notes.summary.text,
                cut: &notes.summary.cut,
                bare: notes.bare,
                covered: notes.covered.as_ref(),
            }),
            instructions: Instructions {
                user: instructions,
                hooks: &hooks,
            },
        };
        let visible = self.conversation.visible();
        let word = word();
        let cancel = self.cancel.clone();
        let folder = &self.home.places.project.checkout;
        let meter = self.after.background.meter.as_ref();
        let mut progress = |_: Progress<'_>| {};
        let mut summariser = meter.map(|meter| Summariser {
            model: &*self.model,
            meter,
            own: true,
            visible: &visible,
            parent: self.sent.as_ref(),
            folder,
            word: &word,
            cancel: &cancel,
            progress: &mut progress,
        });
        let summarise = summariser.as_mut().map(|one| one as &mut dyn Summarise);
        make_room(&situation, &means, &mut self.progress, summarise)
    }

    /// What hooks add to the prompt for a summary: what the host has of them, and what our own tells other clients.
    fn hook_words(&self) -> Vec<String> {
        let mut hooks = self.host.compaction_instructions.clone();
        // What only waits for the user's word is no memory.
        let used = self.recalled.known();
        let used = used.filter(|path| self.memory_at(path).is_some());
        let used: Vec<String> = used.take(NAMED).map(str::to_owned).collect();
        if !used.is_empty() {
            hooks.extend(hook_to_keep(&used).ok());
        }
        hooks
    }

    /// Writes cleared results to their files, without secrets: they outlive the conversation.
    fn save_results(&self, saved: &[SavedResult]) -> Result<(), Error> {
        if saved.is_empty() {
            return Ok(());
        }
        let folder = Directory::create(&self.places.tool_results())?;
        for result in saved {
            folder.replace_file(&result.file, scrub(&result.content()).as_bytes())?;
        }
        Ok(())
    }

    /// Makes a summary part of the conversation, and shows again what the work needs.
    fn compacted(&mut self, compacted: &Compacted) -> Result<(), Error> {
        // Whoever is killed in the middle must not be left with a boundary and nothing behind it.
        self.together(|session| {
            let before = session.conversation.messages().len();
            let mut ids = session.free_ids();
            let (boundary, summary) = (ids.next(), ids.next());
            drop(ids);
            let mut next = session.conversation.clone();
            let (boundary, summary) = (boundary.unwrap_or_default(), summary.unwrap_or_default());
            compacted.append_to(&mut next, &boundary, &summary)?;
            let new = next.messages().get(before..).unwrap_or_default().to_vec();
            for message in new {
                session.append(message)?;
            }
            session.edits = compacted.edits.clone();
            session.sections.renew(Renewal::Compaction);
            session.forget_recalled();
            session.open()?;
            session.renew_sections()?;
            session.restore(compacted)
        })?;
        self.save()
    }

    fn restore(&mut self, compacted: &Compacted) -> Result<(), Error> {
        let plan = self.host.work.plan.as_ref().map(|(path, _)| path.as_str());
        let folder = &self.home.places.start_folder;
        let files = Files::new(&self.home, folder, self.instructions.as_ref(), plan);
        let read = files_touched(
            &self.conversation,
            &compacted.kept,
            &compacted.edits,
            &|path| files.named(path),
        );
        let restored = {
            let weights = self.tokens.weights(Some(self.model.name()));
            let count = |text: &str| weights.text(text);
            let folder = &self.home.places.start_folder;
            self.host.work.with(|known| {
                let limits = self.limits.restored;
                let room = compacted.room_to_restore;
                let mut restoration = Restoration::new(&read, known, limits, room, &count);
                while let Some(request) = restoration.request() {
                    let answer = answer(folder, &request);
                    restoration.feed(answer);
                }
                restoration.finish()
            })
        };
        let shown = restored.reminders.iter().zip(&restored.files);
        // The one that was read last comes last: that is how the next compaction knows.
        for (reminder, file) in shown.rev() {
            let about = Reminded::Restored(file.path.clone());
            self.remind(about, &reminder.to_string())?;
        }
        for reminder in restored.reminders.iter().skip(restored.files.len()) {
            self.remind(Reminded::Context, &reminder.to_string())?;
        }
        let files = restored.files.iter();
        let left_out = restored.left_out.iter();
        self.events.push(Event::Restored {
            files: files.map(|file| (file.path.clone(), file.tokens)).collect(),
            left_out: left_out
                .map(|(path, why)| (path.clone(), why.to_string()))
                .collect(),
        });
        Ok(())
    }
}

/// What is on disk of a file, from its beginning.
fn answer(folder: &Path, request: &Request<'_>) -> Answer {
    let file = match open_regular(&folder.join(request.path)) {
        Ok(Some(file)) => file,
        Ok(None) => return Answer::Gone,
        Err(error) => return Answer::Unreadable(error.to_string()),
    };
    let mut bytes = Vec::new();
    let read = file.take(request.most_bytes + 1).read_to_end(&mut bytes);
    if let Err(error) = read {
        return Answer::Unreadable(error.to_string());
    }
    let whole = bytes.len() as u64 <= request.most_bytes;
    if bytes.contains(&0) {
        return Answer::NotText;
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        // Cut in the middle of a character.
        Err(error) if error.valid_up_to() + 4 > bytes.len() => {
            String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default())
                .into_owned()
        }
        Err(_) => return Answer::NotText,
    };
    Answer::Text { text, whole }
}
