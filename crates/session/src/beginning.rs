//! What a conversation is told that nobody said: how it begins, what is other than it was.

use memdir_context::Reminder;
use memdir_conversation::Reminded;

use crate::instructions::{Allowance, discover};
use crate::opening::{Occasion, Opening};
use crate::{Error, Event, Session};

impl Session {
    /// Reads what a conversation begins with, and shows it.
    pub(crate) fn open(&mut self) -> Result<(), Error> {
        let now = (self.now)().to_zoned(self.zone.clone()).date();
        let first = self.conversation.messages().first();
        let began = first.and_then(|first| first.at);
        let began = began.map_or(now, |began| began.to_zoned(self.zone.clone()).date());
        let Opening {
            sections,
            block,
            shown,
            found,
            warnings,
        } = self.occasion(began).opening()?;
        self.instructions = found;
        self.opening = sections;
        self.state.shown = shown
            .into_iter()
            .map(|shown| (shown.path, shown.text))
            .collect();
        self.state.told.get_or_insert(now);
        let warnings = warnings.into_iter().map(Event::Warning);
        self.events.extend(warnings);
        if let Some(block) = block {
            self.remind(Reminded::Context, &block)?;
        }
        let last = self.conversation.messages().last();
        self.state.opened = last.map(|last| last.id.to_string());
        Ok(())
    }

    fn occasion(&self, began: jiff::civil::Date) -> Occasion<'_> {
        Occasion {
            home: &self.home,
            host: &self.host,
            places: &self.places,
            limits: &self.limits,
            model: self.model.name(),
            began,
        }
    }

    /// Which instruction files this conversation may be shown.
    pub(crate) fn allowance(&self) -> Allowance {
        self.occasion(jiff::civil::Date::default()).allowance()
    }

    /// Brings the system prompt up to date: what a section says differently goes to the end of the conversation.
    pub(crate) fn renew_sections(&mut self) -> Result<(), Error> {
        let has_prompt = self.sections.prompt().is_some();
        if !has_prompt && self.opening.is_empty() {
            self.open()?;
        }
        if has_prompt && self.settings.memory.refresh == memdir_settings::Refresh::Turn {
            let began = self.state.told.unwrap_or_default();
            self.opening = self.occasion(began).opening()?.sections;
        }
        let (opening, host) = (&self.opening, &self.host.sections);
        let turn = self
            .sections
            .turn(|name| opening.get(&name).or_else(|| host.get(&name)).cloned());
        let reminder = turn.reminder.map(ToString::to_string);
        match reminder {
            Some(reminder) => self.remind(Reminded::Context, &reminder),
            None => Ok(()),
        }
    }

    pub(crate) fn tell_date(&mut self) -> Result<(), Error> {
        let today = (self.now)().to_zoned(self.zone.clone()).date();
        let Some(told) = self.state.told else {
            self.state.told = Some(today);
            return Ok(());
        };
        let memory = self.home.store.memory_directory().to_string_lossy();
        let log = self.settings.daily_log.enabled.then_some(&*memory);
        let Some(reminder) = Reminder::date_changed(told, today, log) else {
            return Ok(());
        };
        self.state.told = Some(today);
        self.remind(Reminded::Context, &reminder.to_string())
    }

    /// A conversation that goes on is told which of its instruction files are others now.
    pub(crate) fn tell_changed_files(&mut self) -> Result<(), Error> {
        let Some(found) = discover(&self.home, self.allowance()) else {
            return Ok(());
        };
        let Some(reminder) = found.changed_since(&self.state.files_shown()) else {
            return Ok(());
        };
        let shown = found.shown().into_iter();
        self.state.shown = shown.map(|shown| (shown.path, shown.text)).collect();
        self.instructions = Some(found);
        self.remind(Reminded::Context, &reminder.to_string())
    }
}
