//! The better model's word on the order of what the scorer found.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread;

use memdir_memory::{Topic, hidden};

use super::{Answering, Finder, Found, OpenFinder, Question, query};
use crate::index::Lists;
use crate::minilm::{CANDIDATES, Model, Reading, Shelf, Signals, Vectors, fused, signals, weights};
use crate::{Error, Hit, Ranked};

/// The folder of the vectors beneath that of the index.
const VECTORS: &str = "vectors";
/// For one question so many pieces of new memories are read, at some thousand a second. The rest waits for the next, or for
/// `prepare`.
const MOST_PIECES: usize = 1_024;
/// A piece has about so many bytes of text.
const PIECE_BYTES: usize = 4;
/// So many memories are read from disk before the model reads them.
const BATCH: usize = 64;
/// One in so many questions that make vectors looks after the room that all of them take.
const PRUNE: u8 = 16;

/// The model, loaded when it is first needed, and the vectors that it made.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    folder: PathBuf,
    loaded: Arc<OnceLock<Option<Model>>>,
    shelf: Shelf,
}

/// What making the vectors of all memories did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// How many memories there are, the same text counted once.
    pub memories: usize,
    /// Of how many of them vectors were made.
    pub made: usize,
    /// What all vectors take on disk.
    pub bytes: u64,
}

impl Reader {
    fn model(&self) -> Option<&Model> {
        // Why it cannot be loaded is told by `model status`; a question is answered without it.
        let loaded = self.loaded.get_or_init(|| Model::load(&self.folder).ok());
        loaded.as_ref()
    }
}

impl Finder {
    /// The model in this folder has a say in the order. Where it cannot be loaded, the scorer is alone.
    #[must_use]
    pub fn with_model(mut self, folder: impl Into<PathBuf>) -> Finder {
        self.reader = Some(Reader {
            folder: folder.into(),
            loaded: Arc::default(),
            shelf: Shelf::new(self.folder().join(VECTORS)),
        });
        self
    }

    /// Makes the vectors of every memory that has none, so that a question finds them made; removes those of memories that
    /// are gone. `None` without a model.
    pub fn prepare(&self) -> Result<Option<Prepared>, Error> {
        self.open().prepare()
    }
}

impl OpenFinder {
    /// Puts what the scorer found into the order of both. Silence and how many are shown remain the scorer's to decide.
    pub(super) fn reordered(
        &mut self,
        question: &Question<'_>,
        ranked: Ranked,
    ) -> Result<Ranked, Error> {
        let Some(reader) = self.finder.reader.clone() else {
            return Ok(ranked);
        };
        if ranked.hits.is_empty() {
            return Ok(ranked);
        }
        let shown = match question.silence {
            true => ranked.hits.len(),
            false => question.limit,
        };
        let wide = self.rank(&Question {
            limit: question.limit.max(CANDIDATES),
            silence: false,
            ..*question
        })?;
        let Some(model) = reader.model().filter(|_| wide.hits.len() > 1) else {
            return Ok(ranked);
        };
        let Ok(asked) = model.encode(&query::capped(question.query)) else {
            return Ok(ranked);
        };
        let weights = weights(&asked.words, &mut Lists::new(&self.index))?;
        let mut making = Making::new(&reader, model);
        let mut candidates: Vec<(f32, Option<Signals>)> = Vec::new();
        let mut answering = Answering::default();
        for hit in &wide.hits {
            // A file that is not what the index says is met again, and read anew, if it is to be shown.
            let vectors = self.read(hit, question, &mut answering)?.ok();
            let vectors = vectors.and_then(|found| making.vectors(&found));
            let signals = vectors.map(|vectors| signals(&asked, &weights, &vectors));
            candidates.push((hit.score, signals));
        }
        let mut hits = wide.hits;
        for (hit, score) in hits.iter_mut().zip(fused(&candidates)) {
            hit.score = score;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(shown);
        Ok(Ranked {
            hits,
            silence: None,
        })
    }

    fn prepare(&mut self) -> Result<Option<Prepared>, Error> {
        let Some(reader) = self.finder.reader.clone() else {
            return Ok(None);
        };
        let Some(model) = reader.model() else {
            return Ok(None);
        };
        let in_base = self
            .index
            .base
            .as_ref()
            .map_or(0, |base| base.totals().files);
        let in_delta = self
            .index
            .delta
            .as_ref()
            .map_or(0, |delta| delta.totals().files);
        let files = (0..in_base + in_delta).filter(|file| !self.index.removed.contains(*file));
        let files: Vec<u32> = files.collect();
        let io = |error| {
            memdir_store::Error::io("look after the vectors in", self.finder.folder(), error)
        };
        let mut done = Prepared::default();
        let mut keys = HashSet::new();
        let mut answering = Answering::default();
        for batch in files.chunks(BATCH) {
            let mut missing = Vec::new();
            for file in batch {
                let asked = Question::new("");
                let Ok(found) = self.read(&Hit::bare(*file), &asked, &mut answering)? else {
                    continue;
                };
                let key = Shelf::key(&found.text);
                if keys.insert(key.clone()) && reader.shelf.get(&key, model).is_none() {
                    missing.push((key, found));
                }
            }
            // More than fits would push out what was made before: those memories are left to the scorer.
            if !missing.is_empty() && !reader.shelf.is_full().map_err(io)? {
                done.made += make_all(&reader, model, &missing);
            }
        }
        reader.shelf.keep(&keys).map_err(io)?;
        done.memories = keys.len();
        done.bytes = reader.shelf.prune().map_err(io)?;
        Ok(Some(done))
    }
}

/// Makes vectors on all cores. Says how many were made.
fn make_all(reader: &Reader, model: &Model, missing: &[(String, Found)]) -> usize {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = missing.len().div_ceil(threads).max(1);
    let make = |part: &[(String, Found)]| {
        let mut reading = Reading { left: usize::MAX };
        let made = part.iter().filter(|(key, found)| {
            let vectors = make(model, found, &mut reading);
            vectors.is_some_and(|vectors| reader.shelf.put(key, &vectors).is_ok())
        });
        made.count()
    };
    thread::scope(|scope| {
        let parts = missing
            .chunks(share)
            .map(|part| scope.spawn(move || make(part)));
        let parts: Vec<_> = parts.collect();
        parts
            .into_iter()
            .map(|part| part.join().unwrap_or_default())
            .sum()
    })
}

fn make(model: &Model, found: &Found, reading: &mut Reading) -> Option<Vectors> {
    let header = [&found.header.name, &found.header.description];
    let header: Vec<&str> = header.into_iter().flatten().map(String::as_str).collect();
    let topic = Topic::parse(found.text.as_bytes());
    // What hides from the reader must not be what a memory is found by.
    let body = topic.body_text();
    let body = hidden::clean(&body).text;
    Vectors::make(model, &header.join(". "), &body, reading).ok()
}

/// Vectors for the candidates of one question.
struct Making<'a> {
    reader: &'a Reader,
    model: &'a Model,
    reading: Reading,
}

impl<'a> Making<'a> {
    fn new(reader: &'a Reader, model: &'a Model) -> Self {
        Self {
            reader,
            model,
            reading: Reading { left: MOST_PIECES },
        }
    }

    /// Those that are kept, or new ones while there is time.
    fn vectors(&mut self, found: &Found) -> Option<Vectors> {
        let shelf = &self.reader.shelf;
        let key = Shelf::key(&found.text);
        if let Some(kept) = shelf.get(&key, self.model) {
            return Some(kept);
        }
        if found.text.len() / PIECE_BYTES > self.reading.left {
            return None;
        }
        let vectors = make(self.model, found, &mut self.reading)?;
        // Where they cannot be kept, they are made again next time. Which of them looks after the room is left to chance.
        if shelf.put(&key, &vectors).is_ok()
            && key.bytes().map(u64::from).sum::<u64>() % u64::from(PRUNE) == 0
        {
            let _ = shelf.prune();
        }
        Some(vectors)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use memdir_store::Store;

    use super::*;
    use crate::minilm::tests::plant;

    struct Scene {
        folder: tempfile::TempDir,
        finder: Finder,
    }

    fn scene() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let memory = folder.path().join("memory");
        fs::create_dir(&memory).unwrap();
        for (name, text) in [
            ("hives.md", "The bees sleep in wooden hives.\n"),
            (
                "harbour.md",
                "---\ndescription: Where the harbour bees are\n---\n",
            ),
            ("tabs.md", "Indent with tabs, never with spaces.\n"),
        ] {
            fs::write(memory.join(name), text).unwrap();
        }
        let store = Store::new(memory, folder.path().join("state"));
        plant(&folder.path().join("model"));
        let finder = Finder::new(&store).with_model(folder.path().join("model"));
        Scene { folder, finder }
    }

    impl Scene {
        fn found(&self, query: &str, silence: bool) -> Vec<String> {
            let question = Question {
                silence,
                ..Question::new(query)
            };
            let answer = self.finder.find(&question).unwrap();
            let mut last = 1.0;
            for found in &answer.found {
                assert!((0.0..=last).contains(&found.score), "{}", found.score);
                last = found.score;
            }
            let mut paths: Vec<String> = answer
                .found
                .iter()
                .map(|found| found.path.to_string())
                .collect();
            paths.sort();
            paths
        }

        fn kept(&self) -> usize {
            let folder = self.folder.path().join("state/recall/vectors");
            fs::read_dir(folder).map_or(0, Iterator::count)
        }
    }

    #[test]
    fn a_question_makes_the_vectors_that_it_needs_and_keeps_them() {
        let scene = scene();
        assert_eq!(scene.found("bees", false), ["harbour.md", "hives.md"]);
        assert_eq!(scene.kept(), 2);
        assert_eq!(scene.found("bees", false), ["harbour.md", "hives.md"]);
        assert_eq!(scene.kept(), 2);
    }

    #[test]
    fn silence_stays_the_scorers_to_decide() {
        let scene = scene();
        assert!(
            scene
                .found("who won the cup final in Lisbon?", true)
                .is_empty()
        );
        assert_eq!(scene.kept(), 0);
    }

    #[test]
    fn everything_is_prepared_once_and_what_is_gone_is_removed() {
        let scene = scene();
        scene.finder.reindex().unwrap();
        let first = scene.finder.prepare().unwrap().unwrap();
        assert_eq!((first.memories, first.made, scene.kept()), (3, 3, 3));
        assert!(first.bytes > 0);
        let second = scene.finder.prepare().unwrap().unwrap();
        assert_eq!((second.made, second.bytes), (0, first.bytes));
        let memory = scene.folder.path().join("memory");
        fs::write(memory.join("hives.md"), "The bees sleep in straw.\n").unwrap();
        fs::remove_file(memory.join("tabs.md")).unwrap();
        scene.finder.reindex().unwrap();
        let third = scene.finder.prepare().unwrap().unwrap();
        assert_eq!((third.memories, third.made, scene.kept()), (2, 1, 2));
        // All of it can be deleted at any time.
        fs::remove_dir_all(scene.folder.path().join("state")).unwrap();
        assert_eq!(scene.found("bees", false), ["harbour.md", "hives.md"]);
    }

    #[test]
    fn without_a_usable_model_the_scorer_is_alone() {
        let scene = scene();
        fs::write(scene.folder.path().join("model/model.safetensors"), "torn").unwrap();
        assert_eq!(scene.found("bees", false), ["harbour.md", "hives.md"]);
        assert_eq!(scene.finder.prepare().unwrap(), None);
        assert_eq!(scene.kept(), 0);
    }

    #[test]
    fn a_large_memory_that_no_question_has_time_for_is_still_found() {
        let scene = scene();
        let large = "The bees of the large book.\n".repeat(1_000);
        fs::write(scene.folder.path().join("memory/book.md"), large).unwrap();
        assert!(scene.found("bees", false).contains(&"book.md".to_owned()));
        assert_eq!(scene.kept(), 2);
        scene.finder.prepare().unwrap();
        assert_eq!(scene.kept(), 4);
    }
}
