//! The vectors of a memory: small enough to keep for every one, and kept by content.
//!
//! A number is kept in a byte, a row in its own scale: the cosine of a row with what it was is above 0.999. A file of the
//! shelf is named by the fingerprint of what it was made of, so that it can never be out of date, only unused.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use memdir_store::{Digest, Directory};
use ndarray::{Array1, Array2, ArrayView2};

use super::{Encoded, Model, Reading, Result, passages::passages};

/// Changes with everything that changes vectors: the model, passages, words that are left out, this format.
const MARK: &[u8; 8] = b"MDVECS01";
/// What the vectors of one memory directory may take on disk.
const MOST_BYTES: u64 = 512 << 20;
/// A fingerprint as text.
const DIGEST: usize = 32;

/// The vectors of one memory. The first sheet is its header; what that says, it says of every passage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vectors {
    width: usize,
    pub(super) sheets: Vec<Sheet>,
}

/// The vectors of one passage: a row for each word, and last the row of the whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    scales: Vec<f32>,
    numbers: Vec<i8>,
}

impl Vectors {
    /// Reads a memory.
    pub(crate) fn make(
        model: &Model,
        header: &str,
        body: &str,
        reading: &mut Reading,
    ) -> Result<Vectors> {
        let mut sheets = vec![Sheet::new(&model.encode_counted(header, reading)?)];
        for passage in passages(body) {
            sheets.push(Sheet::new(&model.encode_counted(&passage, reading)?));
        }
        Ok(Vectors {
            width: model.width(),
            sheets,
        })
    }

    /// Width and number of sheets, the rows of each, the rows, and the fingerprint of all of it.
    fn to_bytes(&self) -> Vec<u8> {
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let mut bytes = MARK.to_vec();
        bytes.extend(small(self.width));
        bytes.extend(small(self.sheets.len()));
        for sheet in &self.sheets {
            bytes.extend(small(sheet.scales.len()));
        }
        for sheet in &self.sheets {
            bytes.extend(sheet.scales.iter().flat_map(|scale| scale.to_le_bytes()));
            bytes.extend(sheet.numbers.iter().map(|number| number.cast_unsigned()));
        }
        bytes.extend(Digest::of(&bytes).to_string().into_bytes());
        bytes
    }

    /// `None` for anything that was not written like this.
    fn from_bytes(bytes: &[u8], width: usize) -> Option<Vectors> {
        let (bytes, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
        if Digest::of(bytes).to_string().as_bytes() != digest {
            return None;
        }
        let mut rest = bytes.strip_prefix(MARK)?;
        let mut small = || {
            let (number, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            usize::try_from(u32::from_le_bytes(*number)).ok()
        };
        if small()? != width {
            return None;
        }
        let rows: Vec<usize> = (0..small()?).map(|_| small()).collect::<Option<_>>()?;
        let mut sheets = Vec::new();
        for rows in rows {
            let (scales, after) = rest.split_at_checked(rows.checked_mul(4)?)?;
            let (numbers, after) = after.split_at_checked(rows.checked_mul(width)?)?;
            rest = after;
            let (scales, _) = scales.as_chunks::<4>();
            sheets.push(Sheet {
                scales: scales.iter().map(|one| f32::from_le_bytes(*one)).collect(),
                numbers: numbers.iter().map(|number| number.cast_signed()).collect(),
            });
        }
        Some(Vectors { width, sheets })
    }
}

impl Sheet {
    fn new(text: &Encoded) -> Sheet {
        let mut sheet = Sheet::default();
        let whole = text.whole.view();
        for row in text.vectors.rows().into_iter().chain([whole]) {
            let most = row.fold(f32::MIN_POSITIVE, |most, one| most.max(one.abs()));
            let scale = most / f32::from(i8::MAX);
            sheet.scales.push(scale);
            // Within the range by the choice of the scale.
            let numbers = row.iter().map(|one| (one / scale).round() as i8);
            sheet.numbers.extend(numbers);
        }
        sheet
    }

    /// For each word of a question the cosine with its best match here, and that of the wholes.
    pub(super) fn matches(&self, asked: &Encoded) -> (Vec<f32>, f32) {
        let numbers: Vec<f32> = self.numbers.iter().map(|one| f32::from(*one)).collect();
        let shape = (self.scales.len(), asked.whole.len());
        let Ok(rows) = ArrayView2::from_shape(shape, &numbers) else {
            return (vec![0.0; asked.words.len()], 0.0);
        };
        let scales = Array1::from_vec(self.scales.clone());
        let cosines: Array2<f32> = asked.vectors.dot(&rows.t()) * &scales;
        let words = cosines.rows().into_iter().map(|row| {
            let words = row.len().saturating_sub(1);
            row.iter()
                .take(words)
                .fold(0.0, |best: f32, one| best.max(*one))
        });
        let whole = rows.rows().into_iter().next_back();
        let whole = whole.map_or(0.0, |row| row.dot(&asked.whole));
        (
            words.collect(),
            whole * self.scales.last().copied().unwrap_or_default(),
        )
    }
}

/// Where vectors are kept. It can be deleted at any time.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf) -> Shelf {
        Shelf { folder }
    }

    /// The name under which the vectors of a memory are kept.
    pub(crate) fn key(text: &str) -> String {
        Digest::of(text.as_bytes()).to_string()
    }

    /// The vectors of this name, if there are any and they are whole.
    pub(crate) fn get(&self, key: &str, model: &Model) -> Option<Vectors> {
        let bytes = fs::read(self.folder.join(key)).ok()?;
        Vectors::from_bytes(&bytes, model.width())
    }

    /// Keeps vectors. No sync: what a power cut takes is not whole, and made anew.
    pub(crate) fn put(&self, key: &str, vectors: &Vectors) -> io::Result<()> {
        // Made by the store, so that it is nobody else's to read.
        Directory::create(&self.folder).map_err(io::Error::other)?;
        let temporary = self.folder.join(format!("{key}.{}", std::process::id()));
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&temporary)?;
        file.write_all(&vectors.to_bytes())?;
        fs::rename(&temporary, self.folder.join(key))
    }

    /// Removes what is not among these, and what others have left half done.
    pub(crate) fn keep(&self, keys: &HashSet<String>) -> io::Result<()> {
        for entry in self.entries()? {
            let name = entry.file_name();
            if !name.to_str().is_some_and(|name| keys.contains(name)) {
                remove(&entry)?;
            }
        }
        Ok(())
    }

    /// Whether there is no room for more.
    pub(crate) fn is_full(&self) -> io::Result<bool> {
        let sizes = self.entries()?.into_iter().filter_map(|entry| {
            // Others remove as well.
            entry.metadata().ok().map(|metadata| metadata.len())
        });
        Ok(sizes.sum::<u64>() >= MOST_BYTES)
    }

    /// Removes the oldest until the rest fits. Says what the rest takes.
    pub(crate) fn prune(&self) -> io::Result<u64> {
        self.prune_to(MOST_BYTES)
    }

    fn prune_to(&self, most: u64) -> io::Result<u64> {
        let mut files = Vec::new();
        for entry in self.entries()? {
            // Others remove as well.
            if let Ok(metadata) = entry.metadata() {
                files.push((metadata.modified()?, metadata.len(), entry));
            }
        }
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        files.sort_by_key(|(modified, ..)| *modified);
        for (_, bytes, entry) in &files {
            if total <= most {
                break;
            }
            remove(entry)?;
            total -= bytes;
        }
        Ok(total)
    }

    fn entries(&self) -> io::Result<Vec<fs::DirEntry>> {
        match fs::read_dir(&self.folder) {
            Ok(entries) => entries.collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}

fn remove(entry: &fs::DirEntry) -> io::Result<()> {
    match fs::remove_file(entry.path()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::minilm::tests::plant;

    fn model(folder: &tempfile::TempDir) -> Model {
        plant(folder.path());
        Model::load(folder.path()).unwrap()
    }

    fn read(model: &Model, body: &str) -> Vectors {
        let mut reading = Reading { left: 1_000 };
        Vectors::make(model, "the bees", body, &mut reading).unwrap()
    }

    #[test]
    fn what_is_kept_is_what_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let model = model(&folder);
        let shelf = Shelf::new(folder.path().join("vectors"));
        let vectors = read(&model, "harbour bees\nsleep");
        let key = Shelf::key("harbour bees");
        assert!(shelf.get(&key, &model).is_none());
        shelf.put(&key, &vectors).unwrap();
        assert_eq!(shelf.get(&key, &model), Some(vectors));
        assert!(shelf.get(&Shelf::key("harbour"), &model).is_none());
    }

    #[test]
    fn what_is_torn_changed_or_of_another_model_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let vectors = read(&model(&folder), "harbour bees");
        let bytes = vectors.to_bytes();
        assert_eq!(Vectors::from_bytes(&bytes, 64), Some(vectors));
        assert_eq!(Vectors::from_bytes(&bytes, 32), None);
        for at in 0..bytes.len() {
            assert_eq!(Vectors::from_bytes(&bytes[..at], 64), None, "cut at {at}");
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert_eq!(Vectors::from_bytes(&changed, 64), None, "changed at {at}");
        }
    }

    #[test]
    fn a_question_matches_its_own_words() {
        let folder = tempfile::tempdir().unwrap();
        let model = model(&folder);
        let asked = model.encode("harbour bees").unwrap();
        let (words, whole) = Sheet::new(&asked).matches(&asked);
        for cosine in [words[0], words[1], whole] {
            assert!((cosine - 1.0).abs() < 0.01, "{cosine}");
        }
    }

    #[test]
    fn a_sheet_without_words_matches_nothing() {
        let empty = Encoded {
            words: Vec::new(),
            vectors: Array2::zeros((0, 2)),
            whole: array![0.6, 0.8],
        };
        let asked = Encoded {
            words: vec!["bees".to_owned()],
            vectors: array![[1.0, 0.0]],
            whole: array![1.0, 0.0],
        };
        let (words, whole) = Sheet::new(&empty).matches(&asked);
        assert_eq!(words, [0.0]);
        assert!((whole - 0.6).abs() < 0.01);
    }

    #[test]
    fn the_oldest_go_when_there_is_no_room_and_the_unused_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let model = model(&folder);
        let shelf = Shelf::new(folder.path().join("vectors"));
        assert_eq!(shelf.prune_to(0).unwrap(), 0);
        let vectors = read(&model, "harbour");
        for (key, second) in [("new", 3), ("old", 1), ("middle", 2)] {
            shelf.put(key, &vectors).unwrap();
            let file = fs::File::open(shelf.folder.join(key)).unwrap();
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(second);
            file.set_modified(time).unwrap();
        }
        let one = u64::try_from(vectors.to_bytes().len()).unwrap();
        assert_eq!(shelf.prune_to(3 * one).unwrap(), 3 * one);
        assert_eq!(shelf.prune_to(3 * one - 1).unwrap(), 2 * one);
        assert!(shelf.get("old", &model).is_none());
        fs::write(shelf.folder.join("new.4711"), "left half done").unwrap();
        shelf.keep(&HashSet::from(["new".to_owned()])).unwrap();
        let names = shelf
            .entries()
            .unwrap()
            .into_iter()
            .map(|entry| entry.file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["new"]);
    }
}
