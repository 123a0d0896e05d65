//! The other half of a move: memories that came from another project, or went to one. Taken back in one place alone they would
//! be in neither.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_store::{History, PastOperation, Restoration};
use serde::Serialize;

use super::differences;
use crate::commands::r#move::other_half;
use crate::difference::Difference;
use crate::elsewhere::Elsewhere;
use crate::failure::Failure;
use crate::workplace::Workplace;

/// What is to be taken back in another project.
pub(super) struct Half {
    place: Elsewhere,
    /// None once it is done.
    plan: Option<Restoration>,
    files: Vec<Difference>,
    operation: Option<u64>,
}

/// The same, for people and programs.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) directory: PathBuf,
    pub(super) operation: Option<u64>,
    pub(super) files: Vec<Difference>,
}

impl Half {
    /// Whether it brings files back there.
    pub(super) fn gives(&self) -> bool {
        let plan = self.plan.as_ref();
        plan.is_some_and(|plan| plan.files.iter().any(|file| file.content.is_some()))
    }

    /// Whether it changed anything there.
    pub(super) fn is_done(&self) -> bool {
        self.operation.is_some()
    }

    pub(super) fn answer(self) -> Answer {
        Answer {
            directory: self.place.directory().to_path_buf(),
            operation: self.operation,
            files: self.files,
        }
    }
}

/// What belongs to the operation that is taken back, or to all since a time.
pub(super) fn find(
    workplace: &Workplace,
    history: &History,
    undoes: Option<u64>,
    to: Option<Timestamp>,
) -> Result<Vec<Half>, Failure> {
    let undone = history.undone();
    let taken_back = history.operations.iter().filter(|operation| match to {
        None => undoes == Some(operation.id),
        Some(time) => {
            operation.at > time
                && operation.undoes.is_none()
                && !operation.failed
                && !undone.contains(&operation.id)
        }
    });
    let root = &workplace.places.project.root;
    let mut halves = Vec::new();
    for operation in taken_back {
        halves.extend(half_of(workplace, history, operation, root)?);
    }
    Ok(halves)
}

/// Does those that are meant and not done yet.
pub(super) fn restore(
    halves: &mut [Half],
    is_meant: impl Fn(&Half) -> bool,
) -> Result<(), Failure> {
    for half in halves.iter_mut().filter(|half| is_meant(half)) {
        if let Some(plan) = half.plan.take() {
            half.operation = half.place.restore(plan)?.operation;
        }
    }
    Ok(())
}

fn half_of(
    workplace: &Workplace,
    history: &History,
    operation: &PastOperation,
    root: &Path,
) -> Result<Option<Half>, Failure> {
    let (first, depth) = origin(history, operation);
    let Some((folder, what)) = other_half(&first.reason.what, root) else {
        return Ok(None);
    };
    // Another project may be there by now, or the folder a part of one.
    for place in [
        Elsewhere::find(workplace, &folder)?,
        Elsewhere::by_path(workplace, folder),
    ] {
        if let Some(half) = counterpart(place, &what, first, depth)? {
            return Ok(Some(half));
        }
    }
    Ok(None)
}

/// What is to be taken back in another project, where an operation of this name belongs to ours.
fn counterpart(
    place: Elsewhere,
    what: &str,
    first: &PastOperation,
    depth: usize,
) -> Result<Option<Half>, Failure> {
    let other = place.store.history()?;
    let apart = |one: &PastOperation| one.at.duration_since(first.at).abs();
    let moves = other.operations.iter();
    let moves = moves.filter(|one| !one.failed && one.reason.what == what);
    // The two are made within one command.
    let Some(theirs) = moves.min_by_key(|one| apart(one)) else {
        return Ok(None);
    };
    let undone = other.undone();
    let standing = other.operations.iter().rev().find(|one| {
        let (begun, undos) = origin(&other, one);
        begun.id == theirs.id && undos % 2 == depth % 2 && !one.failed && !undone.contains(&one.id)
    });
    let Some(standing) = standing else {
        return Ok(None);
    };
    let plan = place.store.plan_undo(&other, standing.id)?;
    let files = differences(&plan);
    Ok((!files.is_empty()).then_some(Half {
        place,
        plan: Some(plan),
        files,
        operation: None,
    }))
}

/// The operation that a row of undos began with, and how many there were.
fn origin<'a>(history: &'a History, operation: &'a PastOperation) -> (&'a PastOperation, usize) {
    let mut first = operation;
    let mut depth = 0;
    while let Some(before) = first.undoes.and_then(|id| history.get(id).ok()) {
        // Numbers only fall on the way back; anything else is no row of undos.
        if before.id >= first.id {
            break;
        }
        first = before;
        depth += 1;
    }
    (first, depth)
}
