//! The better model, for those who want it: all-MiniLM-L6-v2 reads the question and the best candidates of the scorer, and
//! puts them into an order of its own and the scorer's.
//!
//! A vector for each word, not one for each text: every word of the question looks for its best match among the words of a
//! passage ([`order`]). The vectors of memories are made once and kept by content ([`vectors`]), so that a
//! question costs one pass of the model over the question.
//!
//! The model is six layers of BERT. `ndarray` multiplies; the rest is written here ([`bert`], [`pieces`], [`tensors`]), which
//! builds in seconds where a framework takes minutes.

mod bert;
mod encode;
mod install;
mod order;
mod passages;
mod pieces;
mod tensors;
#[cfg(test)]
pub(crate) mod tests;
mod vectors;

use std::path::{Path, PathBuf};

pub(crate) use encode::Reading;
pub use encode::{Encoded, Model};
pub use install::{Installed, install, installed};
pub(crate) use order::{CANDIDATES, Signals, fused, signals, weights};
pub(crate) use vectors::{Shelf, Vectors};

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read or written.
    #[error("could not {action} {}: {error}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file is there and is not what it should be.
    #[error("{} is no usable part of the model: {what}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// What was given to install from does not have a file of the model.
    #[error("{} has no {name}", path.display())]
    Missing {
        /// What was given.
        path: PathBuf,
        /// Which file is missing.
        name: &'static str,
    },
}

type Result<T, E = ModelError> = std::result::Result<T, E>;

impl ModelError {
    fn io(action: &'static str, path: &Path, error: std::io::Error) -> ModelError {
        let path = path.to_path_buf();
        ModelError::Io {
            action,
            path,
            error,
        }
    }

    fn damaged(path: &Path, what: &str) -> ModelError {
        ModelError::Damaged {
            path: path.to_path_buf(),
            what: what.to_owned(),
        }
    }
}
