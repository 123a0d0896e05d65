//! The state machine: what is looked for, in which order, and what of the answers is taken.

mod intake;
mod plan;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::ownership::{check_above, check_not_planted};
use super::path::{is_git_data, is_system, is_text_name};
use super::{
    Answer, Applies, Asker, Instructions, Kind, LARGE_FILE_CHARACTERS, LARGE_TOTAL_TOKENS,
    MAX_BYTES, MAX_FOLDER_DEPTH, MAX_INCLUDE_DEPTH, MAX_REQUESTS, Opened, Refusal, RefusalReason,
    Request, Role, Sources, Want, Warning,
};
use plan::{Place, Task};

/// Finds instruction files by asking for one path after another.
#[derive(Debug)]
pub struct Discovery {
    sources: Sources,
    /// What is still to be looked at, the next one last.
    waiting: Vec<Task>,
    /// What conditional rules include: looked at when all else is loaded, so that a file which holds always does.
    conditional: Vec<Task>,
    /// The memory index, after everything.
    index: Option<Task>,
    /// What is being asked for.
    asked: Option<(Task, Request)>,
    /// What is known of a path that was asked for, or that a file really is at: its place among the files, if it is
    /// loaded.
    known: HashMap<PathBuf, Option<usize>>,
    /// Folders of rules that were listed, by where they really are.
    listed: HashSet<PathBuf>,
    /// Folders that have a `CLAUDE.md`.
    with_main: HashSet<PathBuf>,
    /// By whom each file is included, if by any.
    parents: Vec<Option<usize>>,
    /// How many includes were asked for or refused, and how many rules.
    decided: [usize; 2],
    bytes: usize,
    found: Instructions,
}

impl Discovery {
    /// A search that has not begun.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        let mut waiting = plan::tasks(&sources);
        waiting.reverse();
        Self {
            index: plan::index(&sources),
            sources,
            waiting,
            conditional: Vec::new(),
            asked: None,
            known: HashMap::with_capacity(128),
            listed: HashSet::new(),
            with_main: HashSet::new(),
            parents: Vec::new(),
            decided: [0; 2],
            bytes: 0,
            found: Instructions::default(),
        }
    }

    /// What is needed next; the same until it is [fed](Self::feed), `None` when all is known.
    pub fn request(&mut self) -> Option<&Request> {
        while self.asked.is_none() {
            let task = self.next_task()?;
            match self.gate(&task) {
                Gate::Ask => {
                    let request = self.request_for(&task);
                    self.asked = Some((task, request));
                }
                Gate::Pass => {}
                Gate::Refuse(reason) => self.refuse(&task, reason),
            }
        }
        self.asked.as_ref().map(|(_, request)| request)
    }

    /// Takes the answer to the request that stands. Without one nothing happens.
    pub fn feed(&mut self, answer: Answer) {
        let Some((task, _)) = self.asked.take() else {
            return;
        };
        if task.role == Role::Main && answer != Answer::Absent {
            self.with_main.extend(task.folder.clone());
        }
        if task.want != Want::Folder {
            self.known.entry(task.path.clone()).or_insert(None);
        }
        match answer {
            Answer::Absent if task.role == Role::Include => {
                self.refuse(&task, RefusalReason::Absent);
            }
            Answer::Absent => {}
            Answer::Refused(reason) => self.refuse(&task, RefusalReason::Unopened(reason)),
            Answer::File(opened) if task.want != Want::Folder => self.take_file(task, &opened),
            Answer::Folder {
                opened,
                files,
                folders,
            } if task.want == Want::Folder => self.take_folder(&task, &opened, files, folders),
            Answer::File(_) | Answer::Folder { .. } => {
                self.refuse(
                    &task,
                    RefusalReason::Unopened("it is not what was asked for".to_owned()),
                );
            }
        }
    }

    /// What was found; what is still to be asked for is missing in it.
    #[must_use]
    pub fn finish(mut self) -> Instructions {
        let files = &mut self.found.files;
        for file in files.iter().filter(|file| file.role != Role::Index) {
            let characters = file.characters();
            if characters > LARGE_FILE_CHARACTERS {
                self.found.warnings.push(Warning::LargeFile {
                    path: file.path.clone(),
                    characters,
                });
            }
        }
        if let Some(limit) = self.sources.max_tokens {
            let mut shown: Vec<_> = files.iter_mut().filter(|file| file.is_shown()).collect();
            let mut tokens: usize = shown.iter().map(|file| file.tokens()).sum();
            for file in &mut shown {
                if tokens <= limit {
                    break;
                }
                tokens -= file.tokens();
                file.applies = Applies::LeftOut;
                self.found.warnings.push(Warning::LeftOut {
                    path: file.path.clone(),
                    tokens: file.tokens(),
                    limit,
                });
            }
        }
        let tokens = self.found.tokens();
        if tokens > LARGE_TOTAL_TOKENS {
            self.found.warnings.push(Warning::LargeTotal { tokens });
        }
        self.found
    }

    fn next_task(&mut self) -> Option<Task> {
        if self.waiting.is_empty() {
            self.conditional.reverse();
            self.waiting.append(&mut self.conditional);
        }
        self.waiting.pop().or_else(|| self.index.take())
    }

    /// What can be decided before anybody looks at the disk.
    fn gate(&mut self, task: &Task) -> Gate {
        if task.role == Role::Agents
            && task
                .folder
                .as_ref()
                .is_some_and(|folder| self.with_main.contains(folder))
        {
            return Gate::Pass;
        }
        if let Some(known) = self.known.get(&task.path).copied() {
            if task.role == Role::Main && known.is_some() {
                self.with_main.extend(task.folder.clone());
            }
            return match known.filter(|_| task.role == Role::Include) {
                Some(at) => self.again(task, at),
                None => Gate::Pass,
            };
        }
        if !self.is_within_budget(task) {
            return Gate::Refuse(RefusalReason::TooMany);
        }
        if task.depth > MAX_INCLUDE_DEPTH {
            return Gate::Refuse(RefusalReason::TooDeep);
        }
        if task.folder_depth > MAX_FOLDER_DEPTH {
            return Gate::Refuse(RefusalReason::Unopened("folders nest too deep".to_owned()));
        }
        if task.role == Role::Include
            && let Err(reason) = self.check_include(task)
        {
            return Gate::Refuse(reason);
        }
        Gate::Ask
    }

    /// Counts what a repository can have any number of. Past the limit the rest of it is dropped with one word; what
    /// is looked for by itself is not touched by that.
    fn is_within_budget(&mut self, task: &Task) -> bool {
        let Some(counted) = task.counted() else {
            return true;
        };
        let Some(decided) = self.decided.get_mut(counted) else {
            return true;
        };
        *decided += 1;
        if *decided <= MAX_REQUESTS {
            return true;
        }
        self.waiting.retain(|task| task.counted() != Some(counted));
        false
    }

    fn check_include(&self, task: &Task) -> Result<(), RefusalReason> {
        if self.is_of_the_system(&task.path) {
            Err(RefusalReason::System)
        } else if self.is_git_data(&task.path) {
            Err(RefusalReason::GitData)
        } else if !self.may_lead_to(task, &task.path) {
            Err(RefusalReason::Outside { real: None })
        } else if !is_text_name(&task.path) {
            Err(RefusalReason::NotText)
        } else {
            Ok(())
        }
    }

    /// A file that is loaded already is included: the two are bound, and that is all.
    fn again(&mut self, task: &Task, at: usize) -> Gate {
        self.bind(task.parent, at);
        let mut ancestor = task.parent;
        while let Some(file) = ancestor {
            if file == at {
                return Gate::Refuse(RefusalReason::Cycle);
            }
            ancestor = self.parents.get(file).copied().flatten();
        }
        Gate::Pass
    }

    fn bind(&mut self, parent: Option<usize>, at: usize) {
        if let Some(file) = parent.and_then(|parent| self.found.files.get_mut(parent)) {
            file.includes.push(at);
        }
    }

    /// Even where includes reach out, and unless the whole project is there, on a disk in memory.
    fn is_of_the_system(&self, path: &Path) -> bool {
        is_system(path) && !path.starts_with(&self.sources.project)
    }

    /// A project may itself be somewhere in git's folder, as some keep their worktrees.
    fn is_git_data(&self, path: &Path) -> bool {
        is_git_data(path.strip_prefix(&self.sources.project).unwrap_or(path))
    }

    fn may_lead_to(&self, task: &Task, path: &Path) -> bool {
        task.reaches_out
            || self.sources.allow_external_includes
            || path.starts_with(&self.sources.project)
    }

    /// Whether what was opened may be taken: where it really is, and whose it is.
    fn check_opened(&self, task: &Task, opened: &Opened) -> Result<(), RefusalReason> {
        let user = self.sources.user;
        let is_moved = opened.real != task.path;
        if self.is_of_the_system(&opened.real) {
            return Err(RefusalReason::System);
        }
        if task.place == Place::Above {
            if is_moved {
                return Err(RefusalReason::Link);
            }
            let folder = task.folder.as_deref().unwrap_or(Path::new("/"));
            return check_above(opened, folder, user);
        }
        if is_moved && self.is_git_data(&opened.real) {
            return Err(RefusalReason::GitData);
        }
        if !self.may_lead_to(task, &opened.real) {
            let real = is_moved.then(|| opened.real.clone());
            return Err(RefusalReason::Outside { real });
        }
        check_not_planted(opened, user)
    }

    fn take_folder(
        &mut self,
        task: &Task,
        opened: &Opened,
        mut files: Vec<PathBuf>,
        mut folders: Vec<PathBuf>,
    ) {
        // The user's own rules are met again above a project beneath the home directory.
        if self.listed.contains(&opened.real) {
            return;
        }
        if let Err(reason) = self.check_opened(task, opened) {
            return self.refuse(task, reason);
        }
        self.listed.insert(opened.real.clone());
        files.sort();
        folders.sort();
        let rules = files.iter().map(|name| task.within(name, Want::File));
        let deeper = folders
            .iter()
            .filter(|_| task.is_deep)
            .map(|name| task.within(name, Want::Folder));
        let tasks: Vec<Task> = rules.chain(deeper).collect();
        self.waiting.extend(tasks.into_iter().rev());
    }

    fn take_file(&mut self, task: Task, opened: &Opened) {
        if task.want == Want::Index {
            return self.take_index(&task, opened);
        }
        if let Err(reason) = self.check_opened(&task, opened) {
            return self.refuse(&task, reason);
        }
        if let Some(at) = self.known.get(&opened.real).copied().flatten() {
            self.known.insert(task.path.clone(), Some(at));
            if let Gate::Refuse(reason) = self.again(&task, at) {
                self.refuse(&task, reason);
            }
            return;
        }
        if opened.bytes.contains(&0) {
            return self.refuse(&task, RefusalReason::NotText);
        }
        if self.bytes + opened.bytes.len() > MAX_BYTES {
            return self.refuse(&task, RefusalReason::TooMuch);
        }
        self.bytes += opened.bytes.len();
        self.load(task, opened);
    }

    fn refuse(&mut self, task: &Task, reason: RefusalReason) {
        let refusal = Refusal {
            path: task.path.clone(),
            kind: task.kind,
            asker: self.asker(task),
            reason,
        };
        self.found.refused.push(refusal);
    }

    fn request_for(&self, task: &Task) -> Request {
        Request {
            want: task.want,
            path: task.path.clone(),
            kind: task.kind,
            asker: self.asker(task),
        }
    }

    fn asker(&self, task: &Task) -> Asker {
        match task.parent.and_then(|parent| self.found.files.get(parent)) {
            Some(file) => Asker::Include {
                file: file.path.clone(),
                line: task.line,
            },
            None => Asker::Source,
        }
    }
}

/// What becomes of a task before anybody looks at the disk.
enum Gate {
    /// It is asked for.
    Ask,
    /// Nothing is to be done.
    Pass,
    /// It is not asked for.
    Refuse(RefusalReason),
}

/// Whether files of a kind may include what is outside of the project.
fn reaches_out(kind: Kind) -> bool {
    matches!(kind, Kind::Managed | Kind::User)
}
