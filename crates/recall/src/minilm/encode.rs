//! Texts as vectors: one for each word that says something, and one for the whole.

use std::fs;
use std::path::Path;

use ndarray::{Array1, Array2, ArrayView1, Axis};

use super::bert::Bert;
use super::pieces::{Vocabulary, Word};
use super::tensors::Tensors;
use super::{ModelError, Result};
use crate::tokens;

/// Names of the files in the folder of the model.
pub(super) const WEIGHTS: &str = "model.safetensors";
pub(super) const VOCABULARY: &str = "vocab.txt";
/// No text is longer, in pieces; what comes after is not read.
const LONGEST: usize = 256;

/// The model, ready to read.
#[derive(Debug)]
pub struct Model {
    bert: Bert,
    vocabulary: Vocabulary,
}

/// A text as vectors of length 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// The words that say something, in order.
    pub words: Vec<String>,
    /// A row for each of them.
    pub(crate) vectors: Array2<f32>,
    /// The text as a whole.
    pub(crate) whole: Array1<f32>,
}

/// How much was read, and how much may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Pieces that may still be read.
    pub(crate) left: usize,
}

impl Model {
    /// Loads the model from its folder. Whether the files are the right ones was seen when they were installed; here
    /// they must only fit together.
    pub fn load(folder: &Path) -> Result<Model> {
        let path = folder.join(VOCABULARY);
        let text =
            fs::read_to_string(&path).map_err(|error| ModelError::io("read", &path, error))?;
        let vocabulary = Vocabulary::parse(&text)
            .ok_or_else(|| ModelError::damaged(&path, "it is no vocabulary of this model"))?;
        let bert = Bert::load(Tensors::open(&folder.join(WEIGHTS))?)?;
        if bert.pieces() != vocabulary.len() {
            return Err(ModelError::damaged(&path, "it belongs to another model"));
        }
        Ok(Model { bert, vocabulary })
    }

    /// How many numbers a vector has.
    pub(crate) fn width(&self) -> usize {
        self.bert.width()
    }

    /// Reads a text.
    pub fn encode(&self, text: &str) -> Result<Encoded> {
        self.encode_counted(text, &mut Reading { left: usize::MAX })
    }

    /// Reads a text and counts what it took.
    pub(crate) fn encode_counted(&self, text: &str, reading: &mut Reading) -> Result<Encoded> {
        let mut words = self.vocabulary.words(text);
        let mut room = LONGEST.saturating_sub(2);
        let fitting = words.iter().take_while(|word| {
            let fits = word.pieces.len() <= room;
            room = room.saturating_sub(word.pieces.len());
            fits
        });
        words.truncate(fitting.count());
        let pieces = self.vocabulary.framed(&words);
        reading.left = reading.left.saturating_sub(pieces.len());
        let rows = self.bert.forward(&pieces)?;
        let whole = rows.sum_axis(Axis(0));
        // After the mark of the beginning.
        let mut own = rows.rows().into_iter().skip(1);
        let mut kept = Vec::new();
        let mut vectors = Vec::new();
        for Word { text, pieces } in words {
            // The mean direction of its pieces.
            let mut sum = Array1::zeros(rows.ncols());
            for piece in own.by_ref().take(pieces.len()) {
                sum += &unit(piece);
            }
            if says_something(&text) {
                vectors.extend(unit(sum.view()));
                kept.push(text);
            }
        }
        let shape = (kept.len(), rows.ncols());
        Ok(Encoded {
            words: kept,
            // As many numbers as the shape asks for, by construction.
            vectors: Array2::from_shape_vec(shape, vectors)
                .unwrap_or_else(|_| Array2::zeros((0, rows.ncols()))),
            whole: unit(whole.view()),
        })
    }
}

/// Whether a word is about something, and no mark or word that only holds a sentence together.
fn says_something(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric) && !tokens::is_stop_word(word)
}

fn unit(vector: ArrayView1<'_, f32>) -> Array1<f32> {
    let length = vector.dot(&vector).sqrt().max(f32::MIN_POSITIVE);
    vector.mapv(|one| one / length)
}
