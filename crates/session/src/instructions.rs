//! Instruction files from the disk: what `context` asks for is read by `store`, and neither knows the other.

use std::path::Path;

use memdir_context::instructions::{
    Answer, Discovery, Instructions, Opened, Owned, Request, Sources, Want,
};
use memdir_memory::{INDEX_NAME, MemoryPath};
use memdir_settings::{IndexPlace, truth, variables};
use memdir_store::{Error, InstructionReader, Met, Store, Whereabouts};

use crate::Home;

/// What the user's settings say about instruction files.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// Files of the project may include files outside of it.
    pub external_includes: bool,
    /// Over this many tokens whole files are left out.
    pub max_tokens: Option<usize>,
    /// The memory index comes with them.
    index: bool,
}

impl Allowance {
    /// As the settings have it.
    #[must_use]
    pub fn of(home: &Home) -> Self {
        let places = &home.places;
        let settings = home.settings();
        let memory = settings.memory;
        Self {
            external_includes: settings.instructions.external_includes,
            max_tokens: limit(settings.instructions.max_tokens),
            index: places.memory.enabled
                && !memory.skip_index
                && memory.index_place != IndexPlace::Prompt,
        }
    }

    /// The same without the memory index.
    #[must_use]
    pub fn without_index(self) -> Self {
        Self {
            index: false,
            ..self
        }
    }
}

/// A number of tokens as it is typed: 0 is no limit.
#[must_use]
pub fn limit(tokens: u64) -> Option<usize> {
    let tokens = usize::try_from(tokens).unwrap_or(usize::MAX);
    (tokens > 0).then_some(tokens)
}

/// Finds the instruction files of the project; `None` where they are switched off.
#[must_use]
pub fn discover(home: &Home, allowance: Allowance) -> Option<Instructions> {
    if are_off(home) {
        return None;
    }
    let places = &home.places;
    let mut sources = Sources::new(
        &places.project.checkout,
        &places.start_folder,
        InstructionReader::user(),
    );
    let managed = home.environment.managed_folder();
    sources.managed = managed.map(Path::to_path_buf);
    sources.home = Some(places.home.path.clone());
    sources.user_home = places.user_home.clone();
    sources.allow_external_includes = allowance.external_includes;
    sources.max_tokens = allowance.max_tokens;
    let memory = &places.memory_dir.path;
    if allowance.index {
        sources.memory_index = Some(memory.join(INDEX_NAME));
    }
    let store = Store::new(memory, &places.state_dir);

    let mut reader = InstructionReader::default();
    let mut discovery = Discovery::new(sources);
    while let Some(request) = discovery.request() {
        let answer = answer(request, &mut reader, &store);
        discovery.feed(answer);
    }
    Some(discovery.finish())
}

/// Whether the user has switched instruction files off. A repository cannot: they are not all its own.
fn are_off(home: &Home) -> bool {
    let value = home.variable(variables::DISABLE_CLAUDE_MDS);
    value.as_deref().and_then(truth).unwrap_or(false)
}

fn answer(request: &Request, reader: &mut InstructionReader, store: &Store) -> Answer {
    let met = match request.want {
        Want::File => reader.file(&request.path),
        Want::Folder => reader.folder(&request.path),
        Want::Index => return index(&request.path, store),
    };
    match met {
        Met::Nothing => Answer::Absent,
        Met::Refused(reason) => Answer::Refused(reason),
        Met::File { bytes, whereabouts } => Answer::File(opened(bytes, whereabouts)),
        Met::Folder {
            files,
            folders,
            whereabouts,
        } => Answer::Folder {
            opened: opened(Vec::new(), whereabouts),
            files,
            folders,
        },
    }
}

/// The index is a file of the memory directory, and read as all of them are.
fn index(path: &Path, store: &Store) -> Answer {
    let read = MemoryPath::new(INDEX_NAME)
        .map_err(Error::from)
        .and_then(|index| store.read(&index));
    match read {
        Ok(Some(found)) => Answer::File(Opened {
            bytes: found.bytes,
            real: path.to_path_buf(),
            owners: Vec::new(),
        }),
        Ok(None) => Answer::Absent,
        Err(error) => Answer::Refused(error.to_string()),
    }
}

fn opened(bytes: Vec<u8>, whereabouts: Whereabouts) -> Opened {
    let owners = whereabouts.owners.iter().map(|owner| Owned {
        user: owner.user,
        mode: owner.mode,
    });
    Opened {
        bytes,
        owners: owners.collect(),
        real: whereabouts.real,
    }
}
