//! From the bytes of a file to what the model sees of it, and to what it includes.

use std::borrow::Cow;
use std::collections::HashSet;

use memdir_memory::{as_text, hidden, index};

use super::Discovery;
use super::plan::{Place, Task};
use crate::instructions::include::mentions;
use crate::instructions::markdown::{Regions, without_comments};
use crate::instructions::path::meant;
use crate::instructions::rule::{Condition, RuleHeader};
use crate::instructions::{
    Applies, LoadedFile, MAX_REQUESTS, Opened, RefusalReason, Role, Want, Warning,
};

impl Discovery {
    /// Takes a file in, and puts what it includes next.
    pub(super) fn load(&mut self, task: Task, opened: &Opened) {
        let text = as_text(&opened.bytes);
        let text = self.cleaned(&task, text.strip_prefix('\u{feff}').unwrap_or(&text));
        let header = match task.role {
            Role::Rule => RuleHeader::read(&text),
            _ => RuleHeader::default(),
        };
        let regions = Regions::of(&text, header.body);
        let condition = self.condition(&task, &header);
        let applies = match &condition {
            Some(_) => Applies::WhenTouched(header.patterns),
            None if task.is_conditional => Applies::WithIncluder,
            None => Applies::Always,
        };
        let is_conditional = !matches!(applies, Applies::Always);
        let at = self.found.files.len();
        self.found.files.push(LoadedFile {
            path: task.path.clone(),
            kind: task.kind,
            role: task.role,
            asker: self.asker(&task),
            bytes: opened.bytes.len(),
            text: without_comments(&text, header.body, &regions),
            applies,
            condition: task.folder.clone().zip(condition),
            includes: Vec::new(),
        });
        self.parents.push(task.parent);
        self.bind(task.parent, at);
        self.known.insert(task.path.clone(), Some(at));
        self.known.insert(opened.real.clone(), Some(at));

        // A file of the project does not come to reach out because a file of the user includes it.
        let is_own = task.depth == 0 && opened.real == task.path;
        let reaches_out =
            task.reaches_out && (is_own || !opened.real.starts_with(&self.sources.project));
        let mut included = Vec::new();
        let mut mentioned = HashSet::new();
        for mention in mentions(&text, header.body, &regions) {
            let user_home = self.sources.user_home.as_deref();
            let path = meant(&mention.path, &task.path, user_home);
            if !mentioned.insert(mention.path.clone()) {
                continue;
            }
            let is_homeless = path.is_none();
            let include = Task {
                path: path.unwrap_or_else(|| mention.path.clone().into()),
                want: Want::File,
                role: Role::Include,
                place: Place::Ordinary,
                folder: None,
                reaches_out,
                depth: task.depth + 1,
                parent: Some(at),
                line: mention.line,
                is_conditional,
                ..task.clone()
            };
            match is_homeless {
                true => self.refuse(&include, RefusalReason::NoHome),
                false => included.push(include),
            }
        }
        if is_conditional && !task.is_conditional {
            // Each may bring as many as it likes; nobody means more than will be looked at.
            included.truncate((MAX_REQUESTS + 1).saturating_sub(self.conditional.len()));
            self.conditional.append(&mut included);
        } else {
            self.waiting.extend(included.into_iter().rev());
        }
    }

    /// Takes the memory index in, cut to its limits. It includes nothing.
    pub(super) fn take_index(&mut self, task: &Task, opened: &Opened) {
        let loaded = index::load(&opened.bytes);
        if let Some(notice) = &loaded.warning {
            self.found.warnings.push(Warning::Index {
                notice: notice.clone(),
            });
        }
        let text = loaded.to_string();
        let text = self.cleaned(task, &text);
        let regions = Regions::of(&text, 0);
        self.found.files.push(LoadedFile {
            path: task.path.clone(),
            kind: task.kind,
            role: task.role,
            asker: self.asker(task),
            bytes: opened.bytes.len(),
            text: without_comments(&text, 0, &regions),
            applies: Applies::Always,
            condition: None,
            includes: Vec::new(),
        });
        self.parents.push(None);
    }

    /// The text without what nobody can see.
    fn cleaned<'a>(&mut self, task: &Task, text: &'a str) -> Cow<'a, str> {
        let cleaned = hidden::clean(text);
        if let Some(notice) = cleaned.notice() {
            self.found.warnings.push(Warning::Hidden {
                path: task.path.clone(),
                notice,
            });
        }
        cleaned.text
    }

    /// For which files a rule holds; a rule whose condition cannot be made out holds always.
    fn condition(&mut self, task: &Task, header: &RuleHeader) -> Option<Condition> {
        let mut wrong = Vec::new();
        let condition = Condition::new(&header.patterns, &mut wrong);
        let path = || task.path.clone();
        let patterns = wrong.into_iter().map(|pattern| Warning::Pattern {
            path: path(),
            pattern,
        });
        self.found.warnings.extend(patterns);
        if condition.is_none() && !header.patterns.is_empty() {
            self.found
                .warnings
                .push(Warning::Unconditional { path: path() });
        }
        condition
    }
}
