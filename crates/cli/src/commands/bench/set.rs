//! A set of documents and questions, and the topic files that it becomes.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Documents and questions about them.
pub(super) struct Set {
    pub(super) documents: Vec<Document>,
    pub(super) queries: Vec<Query>,
}

#[derive(Deserialize)]
pub(super) struct Document {
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
pub(super) struct Query {
    pub(super) text: String,
    pub(super) relevant: HashSet<String>,
}

impl Query {
    pub(super) fn is_relevant(&self, id: Option<&str>) -> bool {
        id.is_some_and(|id| self.relevant.contains(id))
    }
}

impl Set {
    pub(super) fn read(folder: &Path) -> Result<Set, Failure> {
        Ok(Set {
            documents: lines(&folder.join("corpus.jsonl"))?,
            queries: lines(&folder.join("queries.jsonl"))?,
        })
    }

    /// Writes each document as a topic file. Its name is a number, so that no id helps in finding it.
    pub(super) fn plant(&self, memory: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!("could not write the documents: {error}"), "")
        };
        fs::create_dir_all(memory).map_err(failed)?;
        for (number, document) in self.documents.iter().enumerate() {
            let content = if document.title.trim().is_empty() {
                format!("{}\n", document.text)
            } else {
                // Quoted as JSON, which is YAML: no title can break the header.
                let title = serde_json::Value::from(document.title.as_str());
                format!("---\ndescription: {title}\n---\n\n{}\n", document.text)
            };
            fs::write(memory.join(file_name(number)), content).map_err(failed)?;
        }
        Ok(())
    }

    /// The id of the document in a file.
    pub(super) fn id_of(&self, path: &str) -> Option<&str> {
        let number: usize = path.strip_suffix(".md")?.parse().ok()?;
        self.documents
            .get(number)
            .map(|document| document.id.as_str())
    }
}

fn file_name(number: usize) -> String {
    format!("{number:06}.md")
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::new(
            format!("could not read {shown}: {error}"),
            "a set has corpus.jsonl and queries.jsonl; `memdir help bench recall` says what stands in them",
        )
    })?;
    let filled = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    filled
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| Failure::new(format!("{shown}, line {}: {error}", number + 1), ""))
        })
        .collect()
}
