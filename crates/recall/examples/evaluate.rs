//! Measures the ranking on a set of questions: `corpus.jsonl` (`id`, `title`, `text`) and `queries.jsonl` (`id`,
//! `text`, `relevant`) in a folder.
//!
//! ```console
//! $ cargo run --release -p memdir-recall --example evaluate -- FOLDER
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::collections::{HashMap, HashSet};

use memdir_recall::{Collection, Document, Light, Options, rank};
use serde_json::Value;

fn lines(folder: &str, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a readable file");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect()
}

fn main() {
    for folder in std::env::args().skip(1) {
        let mut notes = Collection::default();
        let mut numbers = HashMap::new();
        for line in lines(&folder, "corpus.jsonl") {
            let number = notes.add(&Document {
                description: line["title"].as_str().unwrap_or_default(),
                body: line["text"].as_str().unwrap_or_default(),
                ..Document::default()
            });
            numbers.insert(line["id"].as_str().expect("an id").to_owned(), number);
        }
        let queries = lines(&folder, "queries.jsonl");
        for silence in [false, true] {
            let options = Options { limit: 10, silence };
            let mut sums = [0.0; 4];
            let mut silent = 0;
            for query in &queries {
                let relevant: HashSet<u32> = query["relevant"]
                    .as_array()
                    .map(|ids| {
                        ids.iter()
                            .filter_map(|id| numbers.get(id.as_str()?).copied())
                            .collect()
                    })
                    .unwrap_or_default();
                let text = query["text"].as_str().expect("a text");
                let light = |_| Some(Light::default());
                let Ok(ranked) = rank(text, &mut notes, light, &options);
                let found: Vec<u32> = ranked.hits.iter().map(|hit| hit.file).collect();
                silent += u32::from(found.is_empty());
                for (sum, most) in sums.iter_mut().zip([1, 5, 10]) {
                    let hits = found
                        .iter()
                        .take(most)
                        .filter(|file| relevant.contains(file));
                    *sum += hits.count() as f64 / relevant.len().max(1) as f64;
                }
                if let Some(first) = found.iter().position(|file| relevant.contains(file)) {
                    sums[3] += 1.0 / (first + 1) as f64;
                }
            }
            let [one, five, ten, mean] = sums.map(|sum| sum / queries.len().max(1) as f64);
            println!(
                "{folder} silence={silence}: R@1 {one:.4} R@5 {five:.4} R@10 {ten:.4} MRR {mean:.4}, {silent} of {} silent",
                queries.len()
            );
        }
    }
}
