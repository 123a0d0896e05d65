//! Transcripts for `cargo xtask bench extract`, and the bare time of reading and parsing them.
//!
//! `make FOLDER HOME NUMBER BYTES` writes so many conversations of so many bytes, of twenty projects beneath HOME; `bare
//! FOLDER` reads every file and parses every line with `serde_json`, as whoever looks for anything in them has to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

/// What users say: the messages by which the rules are judged.
const SAID: [&str; 5] = [
    include_str!("../../tests/data/wishes.tsv"),
    include_str!("../../tests/data/wishes_others.tsv"),
    include_str!("../../tests/data/wishes_fresh.tsv"),
    include_str!("../../tests/data/wishes_later.tsv"),
    include_str!("../../tests/data/wishes_third.tsv"),
];
const PROJECTS: usize = 20;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["make", folder, home, number, bytes] => make(
            Path::new(folder),
            Path::new(home),
            number.parse().unwrap(),
            bytes.parse().unwrap(),
        ),
        ["bare", folder] => println!("bare {}", bare(Path::new(folder))),
        // What `cargo bench` passes along is not for us.
        _ => println!("usage: make FOLDER HOME NUMBER BYTES | bare FOLDER"),
    }
}

/// Nanoseconds to read and parse every line of every file.
fn bare(folder: &Path) -> u128 {
    let begun = Instant::now();
    let mut lines = 0u64;
    for project in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(project.unwrap().path()).unwrap() {
            let mut file =
                BufReader::with_capacity(128 << 10, File::open(file.unwrap().path()).unwrap());
            let mut line = Vec::new();
            while file.read_until(b'\n', &mut line).unwrap() > 0 {
                let value: Value = serde_json::from_slice(&line).unwrap();
                lines += u64::from(value.is_object());
                line.clear();
            }
        }
    }
    assert!(lines > 0);
    begun.elapsed().as_nanos()
}

fn make(folder: &Path, home: &Path, number: usize, bytes: usize) {
    let labelled = SAID.iter().flat_map(|file| file.lines());
    let labelled = labelled.map(|line| line.split_once('\t').unwrap());
    let (silent, wishes): (Vec<_>, Vec<_>) = labelled.partition(|(label, _)| *label == "-");
    for conversation in 0..number {
        let project = conversation % PROJECTS;
        let cwd = home.join(format!("project-{project}"));
        fs::create_dir_all(&cwd).unwrap();
        let place = folder.join(format!("project-{project}"));
        fs::create_dir_all(&place).unwrap();
        let session = format!("00000000-0000-4000-9000-{conversation:012x}");
        let file = File::create(place.join(format!("{session}.jsonl"))).unwrap();
        let mut talk = Talk {
            file: BufWriter::new(file),
            cwd: cwd.display().to_string(),
            session,
            written: 0,
            number: 0,
        };
        let mut turn = 0;
        while talk.written < bytes {
            // One wish in a conversation; the rest is work.
            let from = if turn == 2 { &wishes } else { &silent };
            let (_, said) = from[(conversation * 7 + turn * 31) % from.len()];
            talk.turn(&said.replace("\\n", "\n"), turn);
            turn += 1;
        }
        talk.file.flush().unwrap();
    }
}

struct Talk {
    file: BufWriter<File>,
    cwd: String,
    session: String,
    written: usize,
    number: usize,
}

impl Talk {
    /// What the user said, four calls with results of a few kilobytes, and an answer.
    fn turn(&mut self, said: &str, turn: usize) {
        let said = match turn % 4 {
            3 => format!("{said}\n\n```\n{}\n```", words(turn, 200)),
            _ => said.to_owned(),
        };
        self.put(json!({"type": "user", "promptSource": "typed", "message": {"role": "user", "content": said}}));
        for step in 0..4 {
            let call = format!("toolu_{}", self.number);
            let tool = ["Read", "Bash", "Grep", "Edit"][step];
            let input =
                json!({"file_path": format!("/src/{}.rs", self.number), "command": "cargo test"});
            self.reply(
                &call,
                json!({"type": "text", "text": words(self.number, 30)}),
            );
            self.reply(
                &call,
                json!({"type": "tool_use", "id": call, "name": tool, "input": input}),
            );
            let text = words(self.number, [300, 800, 100, 400][step]);
            let result = json!({"type": "tool_result", "tool_use_id": call, "content": text});
            self.put(json!({"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": {"content": text}}));
        }
        let end = format!("end_{}", self.number);
        self.reply(
            &end,
            json!({"type": "text", "text": words(self.number, 120)}),
        );
    }

    fn reply(&mut self, id: &str, block: Value) {
        let usage =
            json!({"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 20});
        let message = json!({"id": id, "role": "assistant", "model": "bench", "content": [block], "usage": usage});
        self.put(json!({"type": "assistant", "message": message}));
    }

    fn put(&mut self, mut line: Value) {
        let id = |number: usize| format!("00000000-0000-4000-8000-{number:012x}");
        let fields = line.as_object_mut().unwrap();
        fields.insert("uuid".to_owned(), id(self.number).into());
        fields.insert(
            "parentUuid".to_owned(),
            self.number.checked_sub(1).map(id).into(),
        );
        fields.insert("isSidechain".to_owned(), false.into());
        fields.insert("sessionId".to_owned(), self.session.as_str().into());
        fields.insert("cwd".to_owned(), self.cwd.as_str().into());
        fields.insert("timestamp".to_owned(), "2026-11-15T10:00:00.000Z".into());
        self.number += 1;
        let text = line.to_string();
        self.written += text.len() + 1;
        writeln!(self.file, "{text}").unwrap();
    }
}

/// Prose with punctuation, quotes and line breaks, as results have them.
fn words(seed: usize, count: usize) -> String {
    const WORDS: [&str; 12] = [
        "let", "value = ", "\"key\":", "the", "parser", "returns", "error:\n", "line", "42,", "fn",
        "main()", "{\n",
    ];
    let words = WORDS.iter().cycle().skip(seed % 12).take(count);
    words.copied().collect::<Vec<_>>().join(" ")
}
