//! Rules that hold for certain files, shown once one of them is touched.

use std::path::PathBuf;

use memdir_context::compaction::touched_files;
use memdir_conversation::{Kind, Message, Reminded, Source};

use crate::files::origin;
use crate::instructions::discover;
use crate::{Error, Session};

impl Session {
    /// Shows the rules that hold for the files which the last reply touched, unless they stand in the conversation.
    pub(crate) fn show_rules(&mut self) -> Result<(), Error> {
        let touched = self.touched();
        if touched.is_empty() {
            return Ok(());
        }
        if self.instructions.is_none() {
            self.instructions = discover(&self.home, self.allowance());
        }
        let given = self.rules_given();
        let rules = self.instructions.as_ref();
        let Some((paths, reminder)) = rules.and_then(|found| found.rules_for(&touched, &given))
        else {
            return Ok(());
        };
        self.remind(Reminded::Rules(paths), &reminder.to_string())
    }

    /// The files that the last reply touched with its tools.
    fn touched(&self) -> Vec<PathBuf> {
        let messages = self.conversation.messages().iter().rev();
        let is_call = |message: &&Message| message.source == Source::Model;
        let Some(reply) = messages.take(2).find(is_call) else {
            return Vec::new();
        };
        let calls = reply.blocks.iter();
        let calls = calls.filter(|block| matches!(block.kind(), Kind::ToolCall { .. }));
        let origin = origin(&self.home.places);
        let mut files = Vec::new();
        for call in calls {
            let patched = touched_files(call).into_iter().map(|(path, _)| path);
            for path in call.file().into_iter().chain(patched) {
                let name = origin.name(&path);
                files.extend([name.path, name.real]);
            }
        }
        files.dedup();
        files
    }

    /// The rules that the model still sees.
    fn rules_given(&self) -> Vec<String> {
        let visible = self.conversation.visible().into_iter();
        let stands = |message: &&Message| self.edits.all_faded().all(|(id, _)| *id != message.id);
        let paths = visible
            .filter(stands)
            .filter_map(|message| match &message.source {
                Source::Reminder(Reminded::Rules(paths)) => Some(paths.clone()),
                _ => None,
            });
        paths.flatten().collect()
    }
}
