//! Changing a memory directory: one operation with all its files, made whole or not at all.
//!
//! New contents are written and synced before the lock is taken. Under it, each file is read again and compared with
//! what the author saw, the operation goes to the log, and the files into place; the log and the folders are synced after
//! it is released, so that many writers share the disk's barriers.

use memdir_memory::MemoryPath;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::gate::{Gate, Notice, SecretPolicy};
use crate::history::journal::Journal;
use crate::history::record::{Reason, Record};
use crate::intent::Intent;
use crate::leftovers;
use crate::oversized;
use crate::purge::RENAME;
use crate::step::{Context, Step};
use crate::store::Store;

/// An operation that is being put together. Nothing is written before [`Operation::commit`].
#[must_use = "nothing is written before `commit`"]
pub struct Operation<'a> {
    store: &'a Store,
    reason: Reason,
    undoes: Option<u64>,
    secrets: SecretPolicy,
    /// What was admitted once is not held up again when it is restored or moved.
    restores: bool,
    /// A file that is not what its author saw is a conflict, whichever lines changed.
    strict: bool,
    intents: Vec<(MemoryPath, Intent<'a>)>,
}

/// What a committed operation did.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Its number in the history; `None` when nothing had to change.
    pub operation: Option<u64>,
    /// The files that it changed.
    pub changed: Vec<MemoryPath>,
    /// What was altered on the way to the disk.
    pub notices: Vec<Notice>,
}

impl Store {
    /// Begins an operation.
    ///
    /// ```
    /// use memdir_memory::MemoryPath;
    /// use memdir_store::{Author, Reason, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    /// let path = MemoryPath::new("user_role.md")?;
    ///
    /// let mut operation = store.operation(Reason::new(Author::User, "remember"));
    /// operation.write(&path, None, b"The user keeps bees.\n".to_vec());
    /// let outcome = operation.commit()?;
    ///
    /// assert_eq!(outcome.operation, Some(1));
    /// assert_eq!(store.read(&path)?.unwrap().bytes, b"The user keeps bees.\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operation(&self, reason: Reason) -> Operation<'_> {
        Operation {
            store: self,
            reason,
            undoes: None,
            secrets: SecretPolicy::Refuse,
            restores: false,
            strict: false,
            intents: Vec::new(),
        }
    }
}

impl<'a> Operation<'a> {
    /// Writes a file whole. `seen` is what its author saw there; if that has changed, lines are merged or the
    /// operation fails with a conflict.
    pub fn write(&mut self, path: &MemoryPath, seen: Option<Found>, content: Vec<u8>) -> &mut Self {
        self.push(
            path,
            Intent::Set {
                seen,
                content: Some(content),
                mtime: None,
            },
        )
    }

    /// As [`Operation::write`], with the modification time that the file shall have.
    pub fn write_dated(
        &mut self,
        path: &MemoryPath,
        seen: Option<Found>,
        content: Vec<u8>,
        mtime: i64,
    ) -> &mut Self {
        self.push(
            path,
            Intent::Set {
                seen,
                content: Some(content),
                mtime: Some(mtime),
            },
        )
    }

    /// Removes a file, if it still is what its author saw.
    pub fn remove(&mut self, path: &MemoryPath, seen: Found) -> &mut Self {
        self.push(
            path,
            Intent::Set {
                seen: Some(seen),
                content: None,
                mtime: None,
            },
        )
    }

    /// Computes a file's content from the one it has when the change is made: for lines of the index, which many
    /// processes add at once. `None` in is no file, `None` out removes it.
    pub fn update(
        &mut self,
        path: &MemoryPath,
        edit: impl FnMut(Option<&[u8]>) -> Option<Vec<u8>> + 'a,
    ) -> &mut Self {
        self.push(path, Intent::Update(Box::new(edit)))
    }

    /// What to do about secrets in new lines; refusing is the default.
    pub fn secrets(&mut self, policy: SecretPolicy) -> &mut Self {
        self.secrets = policy;
        self
    }

    /// Nothing is merged: one file that is not what its author saw, and nothing at all is done. For changes that make
    /// sense only together.
    pub fn strictly(&mut self) -> &mut Self {
        self.strict = true;
        self
    }

    /// Every byte is kept: for files of the user's own that only change their place. What the gate is for was decided when
    /// they were written.
    pub fn as_they_are(&mut self) -> &mut Self {
        self.restores = true;
        self
    }

    pub(crate) fn undoing(&mut self, operation: Option<u64>) -> &mut Self {
        self.undoes = operation;
        self.restores = true;
        self
    }

    fn push(&mut self, path: &MemoryPath, intent: Intent<'a>) -> &mut Self {
        self.intents.push((path.clone(), intent));
        self
    }

    /// Makes the change. When this returns, it is on the disk, or nothing has changed.
    pub fn commit(self) -> Result<Outcome> {
        let Operation {
            store,
            reason,
            undoes,
            secrets,
            restores,
            strict,
            intents,
        } = self;
        let memory = Directory::create(store.memory_directory())?;
        let gate = Gate {
            secrets,
            open: restores,
        };
        let mut context = Context {
            gate,
            strict,
            reason: &reason,
            notices: Vec::new(),
        };
        let mut steps = Steps(Vec::new());
        for (path, intent) in intents {
            steps
                .0
                .push(Step::prepare(&memory, path, intent, &mut context)?);
        }
        Step::sync_all(&steps.0)?;
        let mut journal = Journal::open(store, &reason.what)?;
        for folder in folders(&steps.0) {
            folder.remove_orphans(&journal.looked.beside);
        }
        leftovers::clear(&journal);
        let records = resolve(&mut journal, &mut steps.0, &mut context, undoes)?;
        let Some(begun) = records.last().map(|record| record.op) else {
            drop(journal.close());
            return Ok(Outcome {
                operation: None,
                changed: Vec::new(),
                notices: context.notices,
            });
        };
        journal.append(&records)?;
        for step in steps.0.iter_mut().filter(|step| step.changes) {
            if let Err(error) = step.apply(&mut journal, &mut context) {
                return Err(roll_back(journal, &steps.0, &reason, begun, error));
            }
        }
        let new_name = (reason.what == RENAME)
            .then(|| steps.0.iter().find_map(|step| step.new_name().cloned()))
            .flatten();
        for step in &mut steps.0 {
            step.retire(&journal, new_name.as_ref());
        }
        let logged = journal.close().sync();
        let confirmed = logged.and_then(|()| sync_folders(&steps.0));
        // What was replaced may be known from this very record alone: it goes once that is safe.
        for step in &steps.0 {
            step.discard();
        }
        confirmed.map_err(|source| Error::Unconfirmed {
            source: Box::new(source),
        })?;
        let applied = steps.0.iter().filter(|step| step.applied.is_some());
        let changed = applied.map(|step| step.path.clone()).collect();
        Ok(Outcome {
            operation: Some(begun),
            changed,
            notices: context.notices,
        })
    }
}

/// The files of an operation. However it ends, no temporary stays.
struct Steps<'a>(Vec<Step<'a>>);

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        for step in self.0.iter().filter(|step| step.applied.is_none()) {
            step.discard();
        }
    }
}

/// Decides what each file is to become and writes that down: what others did behind our back first, then ours.
fn resolve(
    journal: &mut Journal<'_>,
    steps: &mut [Step<'_>],
    context: &mut Context<'_>,
    undoes: Option<u64>,
) -> Result<Vec<Record>> {
    for step in &*steps {
        let Some(folder) = &step.folder else { continue };
        if let Some(aside) = oversized::set_aside(journal, folder, &step.path)? {
            context.notices.push(Notice::SetAside {
                path: step.path.clone(),
                bytes: aside.bytes,
                kept: aside.kept,
            });
        }
    }
    let mut outside = journal.record(Reason::outside());
    for step in &mut *steps {
        let current = step.look()?;
        outside
            .files
            .extend(journal.outside(&step.path, current.as_ref()));
        step.aim(current, context)?;
    }
    if steps.iter().all(|step| !step.changes) {
        return Ok(Vec::new());
    }
    let mut ours = journal.record(context.reason.clone());
    ours.undoes = undoes;
    let changing = steps.iter().filter(|step| step.changes);
    ours.files = changing.map(|step| journal.file(step.entry())).collect();
    if outside.files.is_empty() {
        return Ok(vec![ours]);
    }
    ours.op = outside.op + 1;
    Ok(vec![outside, ours])
}

/// Takes back what was done of an operation that failed midway, and says so in the log.
fn roll_back(
    mut journal: Journal<'_>,
    steps: &[Step<'_>],
    reason: &Reason,
    operation: u64,
    error: Error,
) -> Error {
    let mut record = journal.record(Reason {
        what: format!("{} failed", reason.what),
        ..reason.clone()
    });
    record.aborts = Some(operation);
    let mut undone = Ok(());
    if steps.iter().any(|step| step.stuck) {
        return Error::Interrupted {
            operation,
            source: Box::new(error),
        };
    }
    for step in steps.iter().filter(|step| step.changes) {
        // Whatever stands there then, by us or by somebody else, is what the log ends with.
        match step.revert().and_then(|()| step.look()) {
            Ok(now) => record
                .files
                .extend(journal.outside(&step.path, now.as_ref())),
            // Somebody put there what is no memory; it never was out of its place.
            Err(Error::NotPlain { .. } | Error::TooLarge { .. }) if step.applied.is_none() => {}
            Err(error) => undone = undone.and(Err(error)),
        }
    }
    match undone
        .and_then(|()| journal.append(&[record]))
        .and_then(|()| sync_folders(steps))
    {
        Ok(()) => {
            drop(journal.close());
            error
        }
        Err(_) => Error::Interrupted {
            operation,
            source: Box::new(error),
        },
    }
}

/// The folders of some steps, each once.
fn folders<'s>(steps: &'s [Step<'_>]) -> Vec<&'s Directory> {
    let mut folders: Vec<&Directory> = Vec::new();
    for folder in steps.iter().filter_map(|step| step.folder.as_ref()) {
        if !folders.iter().any(|known| known.path() == folder.path()) {
            folders.push(folder);
        }
    }
    folders
}

fn sync_folders(steps: &[Step<'_>]) -> Result<()> {
    let mut synced: Vec<&std::path::Path> = Vec::new();
    for folder in steps
        .iter()
        .filter(|step| step.changes)
        .filter_map(|step| step.folder.as_ref())
    {
        if !synced.contains(&folder.path()) {
            folder.sync()?;
            synced.push(folder.path());
        }
    }
    Ok(())
}
