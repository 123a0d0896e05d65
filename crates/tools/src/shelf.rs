//! Where memories are read from and written to.

use memdir_memory::MemoryPath;
use memdir_store::{Error, Found, Outcome, Reason, Store};

/// The memories that a run works on.
pub trait Shelf {
    /// A memory as it is now.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn read(&self, path: &MemoryPath) -> Result<Option<Found>, Error>;

    /// Writes a memory whose author saw `seen`.
    ///
    /// # Errors
    ///
    /// When it changed meanwhile, holds a secret, or cannot be written.
    fn write(
        &mut self,
        path: &MemoryPath,
        seen: Option<Found>,
        content: &str,
    ) -> Result<Outcome, Error>;

    /// All files, where this is a copy of the directory: whoever searches or lists it looks at these instead.
    fn copied(&self) -> Option<Vec<(MemoryPath, Found)>> {
        None
    }
}

/// The memory directory itself: each write is an operation of its own.
#[derive(Debug)]
pub struct StoreShelf<'a> {
    store: &'a Store,
    reason: Reason,
}

impl<'a> StoreShelf<'a> {
    /// Writes for this reason.
    #[must_use]
    pub fn new(store: &'a Store, reason: Reason) -> Self {
        Self { store, reason }
    }
}

impl Shelf for StoreShelf<'_> {
    fn read(&self, path: &MemoryPath) -> Result<Option<Found>, Error> {
        self.store.read(path)
    }

    fn write(
        &mut self,
        path: &MemoryPath,
        seen: Option<Found>,
        content: &str,
    ) -> Result<Outcome, Error> {
        let mut operation = self.store.operation(self.reason.clone());
        operation.write(path, seen, content.as_bytes().to_vec());
        operation.commit()
    }
}
