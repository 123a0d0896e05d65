//! The weights of a model: a `safetensors` file, of which only what is asked for is read.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ModelError, Result};

/// A longer list of tensors is none of a model like this.
const LONGEST_LIST: u64 = 1 << 20;
/// Numbers are converted in stretches of this many bytes, which stay in the cache.
const STRETCH: usize = 1 << 16;

/// An open file of tensors.
#[derive(Debug)]
pub(super) struct Tensors {
    file: File,
    path: PathBuf,
    /// Where the numbers begin.
    start: u64,
    list: HashMap<String, Tensor>,
}

/// Where the numbers of a tensor are.
#[derive(Clone, Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

impl Tensors {
    pub(super) fn open(path: &Path) -> Result<Tensors> {
        let damaged = |what: &str| ModelError::damaged(path, what);
        let file = File::open(path).map_err(|error| ModelError::io("open", path, error))?;
        let read = |bytes: &mut [u8], at| {
            let read = file.read_exact_at(bytes, at);
            read.map_err(|_| damaged("it ends too early"))
        };
        let mut length = [0; 8];
        read(&mut length, 0)?;
        let length = u64::from_le_bytes(length);
        let size = usize::try_from(length).unwrap_or(usize::MAX);
        if length > LONGEST_LIST {
            return Err(damaged("it is no safetensors file"));
        }
        let mut list = vec![0; size];
        read(&mut list, 8)?;
        let entries: HashMap<String, Box<RawValue>> =
            serde_json::from_slice(&list).map_err(|_| damaged("its list cannot be read"))?;
        // What is no tensor, such as `__metadata__`, has another form.
        let list = entries.into_iter().filter_map(|(name, entry)| {
            let tensor = serde_json::from_str(entry.get()).ok()?;
            Some((name, tensor))
        });
        Ok(Tensors {
            list: list.collect(),
            path: path.to_path_buf(),
            start: 8 + length,
            file,
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.list.contains_key(name)
    }

    /// Rows and columns of a matrix.
    pub(super) fn shape(&self, name: &str) -> Result<(usize, usize)> {
        match self.find(name)?.shape.as_slice() {
            [rows, columns] => Ok((*rows, *columns)),
            _ => Err(self.damaged(name)),
        }
    }

    pub(super) fn matrix(&self, name: &str, shape: (usize, usize)) -> Result<Array2<f32>> {
        if self.shape(name)? != shape {
            return Err(self.damaged(name));
        }
        let numbers = self.numbers(name, 0, shape.0.saturating_mul(shape.1))?;
        Array2::from_shape_vec(shape, numbers).map_err(|_| self.damaged(name))
    }

    pub(super) fn vector(&self, name: &str, length: usize) -> Result<Array1<f32>> {
        if self.find(name)?.shape != [length] {
            return Err(self.damaged(name));
        }
        Ok(Array1::from_vec(self.numbers(name, 0, length)?))
    }

    /// One row of a matrix.
    pub(super) fn row(&self, name: &str, row: usize, columns: usize) -> Result<Vec<f32>> {
        self.numbers(name, row.saturating_mul(columns), columns)
    }

    fn find(&self, name: &str) -> Result<&Tensor> {
        let found = self.list.get(name);
        found
            .filter(|tensor| tensor.dtype == "F32")
            .ok_or_else(|| self.damaged(name))
    }

    /// So many numbers of a tensor from the one with this number on.
    fn numbers(&self, name: &str, from: usize, count: usize) -> Result<Vec<f32>> {
        let (start, end) = self.find(name)?.data_offsets;
        let bytes_of = |count: usize| u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(4);
        let mut at = start.saturating_add(bytes_of(from));
        if at.saturating_add(bytes_of(count)) > end {
            return Err(self.damaged(name));
        }
        let mut numbers = Vec::with_capacity(count);
        let mut stretch = vec![0; STRETCH.min(count.saturating_mul(4))];
        while numbers.len() < count {
            let rest = (count - numbers.len()).saturating_mul(4).min(stretch.len());
            let bytes = stretch.get_mut(..rest).unwrap_or_default();
            self.file
                .read_exact_at(bytes, self.start.saturating_add(at))
                .map_err(|_| self.damaged(name))?;
            let (quads, _) = bytes.as_chunks::<4>();
            numbers.extend(quads.iter().map(|quad| f32::from_le_bytes(*quad)));
            at += rest as u64;
        }
        Ok(numbers)
    }

    pub(super) fn damaged(&self, name: &str) -> ModelError {
        ModelError::damaged(&self.path, &format!("{name} is not as it should be"))
    }
}
