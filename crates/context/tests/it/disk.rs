//! A disk that is a table, and a search on it told as lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use memdir_context::instructions::{
    Answer, Applies, Asker, Discovery, Instructions, Opened, Owned, Request, Sources, Want,
};

/// The user of every scenario.
pub(crate) const USER: u32 = 1000;
/// Somebody else.
pub(crate) const STRANGER: u32 = 1001;

/// Files, links, things that cannot be opened, and whose they are.
#[derive(Default, Clone)]
pub(crate) struct Disk {
    files: BTreeMap<PathBuf, Vec<u8>>,
    links: BTreeMap<PathBuf, PathBuf>,
    odd: BTreeMap<PathBuf, String>,
    owners: BTreeMap<PathBuf, Owned>,
}

impl Disk {
    pub(crate) fn new() -> Disk {
        Disk::default()
    }

    pub(crate) fn file(mut self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Disk {
        self.files
            .insert(path.as_ref().into(), content.as_ref().to_vec());
        self
    }

    pub(crate) fn link(mut self, path: &str, target: &str) -> Disk {
        self.links.insert(path.into(), target.into());
        self
    }

    /// Something that a reader does not open.
    pub(crate) fn odd(mut self, path: &str, reason: &str) -> Disk {
        self.odd.insert(path.into(), reason.to_owned());
        self
    }

    /// Whose a file or folder is; without this it is the user's, and nobody else can write it.
    pub(crate) fn owned(mut self, path: &str, user: u32, mode: u32) -> Disk {
        self.owners.insert(path.into(), Owned { user, mode });
        self
    }

    fn real(&self, path: &Path) -> PathBuf {
        let mut path = path.to_path_buf();
        for _ in 0..40 {
            let link = path
                .ancestors()
                .filter_map(|part| Some((part, self.links.get(part)?)))
                .last();
            let Some((part, target)) = link else { break };
            path = match path.strip_prefix(part) {
                Ok(rest) if rest != Path::new("") => target.join(rest),
                _ => target.clone(),
            };
        }
        path
    }

    fn opened(&self, real: PathBuf, bytes: Vec<u8>) -> Opened {
        let mut parts: Vec<&Path> = real.ancestors().collect();
        parts.reverse();
        let default = Owned {
            user: USER,
            mode: 0o755,
        };
        let owners = parts
            .iter()
            .map(|part| self.owners.get(*part).copied().unwrap_or(default));
        Opened {
            bytes,
            owners: owners.collect(),
            real: real.clone(),
        }
    }

    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let real = self.real(&request.path);
        if let Some(reason) = self.odd.get(&real) {
            return Answer::Refused(reason.clone());
        }
        if request.want == Want::Folder {
            let within: Vec<PathBuf> = (self.files.keys().chain(self.links.keys()))
                .filter_map(|path| path.strip_prefix(&real).ok().map(Path::to_path_buf))
                .filter(|rest| rest != Path::new(""))
                .collect();
            if within.is_empty() {
                return Answer::Absent;
            }
            let name = |rest: &PathBuf| PathBuf::from(rest.iter().next().unwrap());
            let is_file = |name: &PathBuf| self.files.contains_key(&self.real(&real.join(name)));
            let names: BTreeSet<PathBuf> = within.iter().map(name).collect();
            let (files, folders) = names.into_iter().partition(is_file);
            return Answer::Folder {
                opened: self.opened(real, Vec::new()),
                files,
                folders,
            };
        }
        match self.files.get(&real) {
            Some(bytes) => Answer::File(self.opened(real, bytes.clone())),
            None => Answer::Absent,
        }
    }

    /// Searches, and notes everything that was asked for.
    pub(crate) fn search(&self, sources: Sources) -> (Instructions, Vec<PathBuf>) {
        let mut discovery = Discovery::new(sources);
        let mut asked = Vec::new();
        while let Some(request) = discovery.request() {
            asked.push(request.path.clone());
            let answer = self.answer(request);
            discovery.feed(answer);
        }
        (discovery.finish(), asked)
    }

    pub(crate) fn tell(&self, sources: Sources) -> String {
        told(&self.search(sources).0)
    }
}

/// The project `/p` of a user who has a home; the conversation began in it.
pub(crate) fn sources() -> Sources {
    let mut sources = Sources::new("/p", "/p", USER);
    sources.managed = Some("/etc/claude-code".into());
    sources.home = Some("/home/ada/.claude".into());
    sources.user_home = Some("/home/ada".into());
    sources.memory_index = Some("/home/ada/.claude/projects/-p/memory/MEMORY.md".into());
    sources
}

/// Files, refusals and warnings, a line each.
pub(crate) fn told(instructions: &Instructions) -> String {
    let mut out = String::new();
    let by = |asker: &Asker| match asker {
        Asker::Source => String::new(),
        Asker::Include { file, line } => format!(" < {}:{line}", file.display()),
    };
    for file in &instructions.files {
        let applies = match &file.applies {
            Applies::Always => String::new(),
            Applies::WhenTouched(patterns) => format!(" for {patterns:?}"),
            Applies::WithIncluder => " with its rule".to_owned(),
            Applies::LeftOut => " left out".to_owned(),
        };
        let path = file.path.display();
        writeln!(out, "{} {path}{}{applies}", file.kind, by(&file.asker)).unwrap();
    }
    for refusal in &instructions.refused {
        let path = refusal.path.display();
        let by = by(&refusal.asker);
        writeln!(out, "- {path}{by}: {}", refusal.reason).unwrap();
    }
    for warning in &instructions.warnings {
        writeln!(out, "! {warning}").unwrap();
    }
    out
}
