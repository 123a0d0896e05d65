//! The line beneath the prompt: how much of the context is left.

use std::sync::mpsc::{Receiver, TryRecvError};

use memdir_context::{Standing, State};
use memdir_session::Session;

use super::notice::notice;
use super::prompt::Beside;
use super::screen::Screen;
use crate::output::{BAD, FAINT, WARN};
use crate::table::{cut, one_line, wrapped};

/// What is shown beside the line in which the user types.
pub(crate) struct Status<'a> {
    pub(crate) session: Option<&'a mut Session>,
    pub(crate) screen: &'a Screen,
    /// The model's name, and what else is worth a word.
    pub(crate) about: String,
    /// How full the window is, since something was last said.
    standing: Option<Standing>,
    /// What is told once it is known.
    told: &'a mut Option<Receiver<String>>,
}

impl<'a> Status<'a> {
    pub(crate) fn new(
        mut session: Option<&'a mut Session>,
        screen: &'a Screen,
        about: String,
        told: &'a mut Option<Receiver<String>>,
    ) -> Self {
        let standing = session.as_mut().map(|session| session.standing());
        Self {
            session,
            screen,
            about,
            standing,
            told,
        }
    }
}

impl Beside for Status<'_> {
    fn status(&mut self, columns: usize) -> String {
        let (style, text) = match &self.standing {
            None => (FAINT, format!("  {} · /help", self.about)),
            Some(standing) => {
                let style = match standing.state {
                    State::Normal => FAINT,
                    State::Warning => WARN,
                    State::Error | State::Compaction | State::Blocked => BAD,
                };
                let left = standing.percent_left;
                let text = format!("  {left} % of the context left · {}", self.about);
                (style, text)
            }
        };
        let text = cut(&text, columns).into_owned();
        self.screen.styled(&format!("{style}{text}{style:#}"))
    }

    fn news(&mut self) -> Vec<String> {
        let events = match &mut self.session {
            Some(session) => session.events(),
            None => Vec::new(),
        };
        let late = match self.told.as_ref().map(Receiver::try_recv) {
            None | Some(Err(TryRecvError::Empty)) => None,
            Some(told) => {
                *self.told = None;
                told.ok()
            }
        };
        let (columns, _) = super::terminal::size();
        let told = late.into_iter().chain(events.iter().filter_map(notice));
        told.map(|told| {
            let told = wrapped(&one_line(&told), 2, Some(columns)).replace('\n', "\r\n");
            self.screen.styled(&format!("{FAINT}· {told}{FAINT:#}"))
        })
        .collect()
    }
}
