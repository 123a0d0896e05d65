//! The forward pass of a small BERT: numbers of pieces in, a vector for each piece out.

use ndarray::{Array1, Array2, ArrayView2, Axis, Slice};

use super::Result;
use super::tensors::Tensors;

/// Each head of attention looks at so many columns. All sizes of MiniLM have it so.
const HEAD: usize = 32;
const EPSILON: f32 = 1e-12;
const PIECES: &str = "embeddings.word_embeddings.weight";
const POSITIONS: &str = "embeddings.position_embeddings.weight";
const KINDS: &str = "embeddings.token_type_embeddings.weight";

/// A model whose layers are in memory. The vectors of its pieces, half of the file, are read as they are needed.
#[derive(Debug)]
pub(super) struct Bert {
    tensors: Tensors,
    pieces: usize,
    width: usize,
    /// What each place in a text adds, with what the only kind of text adds.
    positions: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

#[derive(Debug)]
struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Debug)]
struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
}

impl Bert {
    pub(super) fn load(tensors: Tensors) -> Result<Bert> {
        let (pieces, width) = tensors.shape(PIECES)?;
        let (places, _) = tensors.shape(POSITIONS)?;
        let (kinds, _) = tensors.shape(KINDS)?;
        if width == 0 || width % HEAD != 0 || kinds == 0 {
            return Err(tensors.damaged(PIECES));
        }
        let first_kind = tensors.matrix(KINDS, (kinds, width))?;
        let positions = tensors.matrix(POSITIONS, (places, width))? + first_kind.row(0);
        let mut layers = Vec::new();
        while tensors.has(&format!(
            "encoder.layer.{}.output.dense.weight",
            layers.len()
        )) {
            layers.push(Layer::load(&tensors, layers.len(), width)?);
        }
        Ok(Bert {
            norm: Norm::load(&tensors, "embeddings.LayerNorm", width)?,
            pieces,
            width,
            positions,
            layers,
            tensors,
        })
    }

    /// How many pieces it knows.
    pub(super) fn pieces(&self) -> usize {
        self.pieces
    }

    /// How many numbers a vector has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A row for each piece.
    pub(super) fn forward(&self, pieces: &[u32]) -> Result<Array2<f32>> {
        let count = pieces.len().min(self.positions.nrows());
        let mut rows = self
            .positions
            .slice_axis(Axis(0), Slice::from(..count))
            .to_owned();
        for (mut row, piece) in rows.rows_mut().into_iter().zip(pieces) {
            let piece = usize::try_from(*piece).unwrap_or(usize::MAX);
            row += &Array1::from_vec(self.tensors.row(PIECES, piece, self.width)?);
        }
        self.norm.apply(&mut rows);
        for layer in &self.layers {
            rows = layer.apply(rows);
        }
        Ok(rows)
    }
}

impl Layer {
    fn load(tensors: &Tensors, number: usize, width: usize) -> Result<Layer> {
        let at = |part: &str| format!("encoder.layer.{number}.{part}");
        let square = |part: &str| Linear::load(tensors, &at(part), width, width);
        let (wide, _) = tensors.shape(&at("intermediate.dense.weight"))?;
        Ok(Layer {
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            attended: square("attention.output.dense")?,
            attended_norm: Norm::load(tensors, &at("attention.output.LayerNorm"), width)?,
            wide: Linear::load(tensors, &at("intermediate.dense"), wide, width)?,
            narrow: Linear::load(tensors, &at("output.dense"), width, wide)?,
            norm: Norm::load(tensors, &at("output.LayerNorm"), width)?,
        })
    }

    fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        let (queries, keys) = (self.query.apply(&rows), self.key.apply(&rows));
        let values = self.value.apply(&rows);
        let mut mixed = Array2::zeros(rows.raw_dim());
        for number in 0..rows.ncols() / HEAD {
            let shares = attention(&head(&queries, number), &head(&keys, number));
            mixed
                .slice_axis_mut(Axis(1), columns(number))
                .assign(&shares.dot(&head(&values, number)));
        }
        let mut attended = self.attended.apply(&mixed) + rows;
        self.attended_norm.apply(&mut attended);
        let mut wide = self.wide.apply(&attended);
        wide.mapv_inplace(gelu);
        let mut rows = self.narrow.apply(&wide) + attended;
        self.norm.apply(&mut rows);
        rows
    }
}

impl Linear {
    fn load(tensors: &Tensors, name: &str, out: usize, into: usize) -> Result<Linear> {
        Ok(Linear {
            weight: tensors.matrix(&format!("{name}.weight"), (out, into))?,
            bias: tensors.vector(&format!("{name}.bias"), out)?,
        })
    }

    fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        rows.dot(&self.weight.t()) + &self.bias
    }
}

impl Norm {
    fn load(tensors: &Tensors, name: &str, width: usize) -> Result<Norm> {
        Ok(Norm {
            weight: tensors.vector(&format!("{name}.weight"), width)?,
            bias: tensors.vector(&format!("{name}.bias"), width)?,
        })
    }

    /// Each row with mean 0 and variance 1, then stretched and moved.
    fn apply(&self, rows: &mut Array2<f32>) {
        for mut row in rows.rows_mut() {
            let mean = row.mean().unwrap_or_default();
            row -= mean;
            let variance = row.dot(&row) / row.len() as f32;
            row /= (variance + EPSILON).sqrt();
            row *= &self.weight;
            row += &self.bias;
        }
    }
}

/// The columns that a head of attention looks at.
fn head(all: &Array2<f32>, number: usize) -> ArrayView2<'_, f32> {
    all.slice_axis(Axis(1), columns(number))
}

fn columns(head: usize) -> Slice {
    Slice::from(head * HEAD..(head + 1) * HEAD)
}

/// How much each piece takes from each: rows that sum to 1.
fn attention(queries: &ArrayView2<'_, f32>, keys: &ArrayView2<'_, f32>) -> Array2<f32> {
    let mut shares = queries.dot(&keys.t()) / (HEAD as f32).sqrt();
    for mut row in shares.axis_iter_mut(Axis(0)) {
        let most = row.fold(f32::NEG_INFINITY, |most, one| most.max(*one));
        row.mapv_inplace(|one| (one - most).exp());
        row /= row.sum();
    }
    shares
}

/// Gauss's error linear unit.
fn gelu(x: f32) -> f32 {
    x * 0.5 * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, to within 2e-7 (Abramowitz and Stegun, 7.1.26).
fn erf(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let polynomial = [
        1.061_405_4,
        -1.453_152_1,
        1.421_413_8,
        -0.284_496_72,
        0.254_829_6,
    ]
    .into_iter()
    .fold(0.0, |sum, factor| (sum + factor) * t);
    (1.0 - polynomial * (-x * x).exp()).copysign(x)
}
