//! `memdir bench recall`: how well and how fast recall finds, on a set of questions with known answers.

mod score;
mod set;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Subcommand};
use memdir_recall::{Finder, Question};
use memdir_store::Store;
use serde::Serialize;

use self::score::{Quality, Speed};
use self::set::Set;
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::reader;
use crate::table::{pairs, thousands};

/// As many answers as the widest measure looks at.
const LIMIT: usize = 10;

/// Measure memdir on data of your own
///
/// Works in a temporary directory; your memories are not touched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir bench recall --data ~/sets/notes")]
pub(crate) struct Bench {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, Subcommand)]
enum Subject {
    Recall(Recall),
}

/// How well and how fast recall finds what it should
///
/// DIR has `corpus.jsonl`, a document a line as {id, title, text}, and `queries.jsonl`, a question a line as {id, text,
/// relevant}, where `relevant` lists the ids of the documents that answer it. Each document becomes a topic file
/// with its title as description, goes through the real index and is asked for in this process.
///
/// R@k is the share of a question's documents among the first k answers, MRR the mean of one divided by the place
/// of the first right answer; both are averaged over all questions. They are measured with silence off; what silence
/// costs stands beside it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir bench recall --data ~/sets/notes
  memdir bench recall --data ~/sets/notes --model ~/.claude/memdir/models/all-MiniLM-L6-v2

JSON: {documents, queries, always: {r1, r5, r10, mrr}, silent: {answered, r5}, speed: {index_ms, p50_ms, p99_ms}, model: \
{read_p50_ms, resident_kb}}; `model` is null without one.")]
struct Recall {
    /// The folder of the set
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Only the first so many questions
    #[arg(long, value_name = "N")]
    queries: Option<usize>,
    /// With the better model, installed in this folder (`memdir model status` says where)
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    documents: usize,
    queries: usize,
    always: Quality,
    silent: Silent,
    speed: Speed,
    model: Option<ModelCost>,
}

/// What the better model costs.
#[derive(Serialize)]
struct ModelCost {
    /// Reading a question.
    read_p50_ms: f64,
    /// The most memory that this process had, vectors of all documents made.
    resident_kb: u64,
}

/// What is left with silence on.
#[derive(Serialize)]
struct Silent {
    /// The share of questions that got an answer.
    answered: f64,
    r5: f64,
}

impl Bench {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let Subject::Recall(recall) = &self.subject;
        let report = recall.measure()?;
        if output.json {
            return Ok(output.json(&report)?);
        }
        print(&report, output)
    }
}

impl Recall {
    fn measure(&self) -> Result<Report, Failure> {
        let mut set = Set::read(&self.data)?;
        set.queries.truncate(self.queries.unwrap_or(usize::MAX));
        let folder = tempfile::tempdir().map_err(|error| {
            Failure::new(format!("could not make a temporary folder: {error}"), "")
        })?;
        let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
        set.plant(store.memory_directory())?;
        let mut finder = Finder::new(&store);
        if let Some(model) = &self.model {
            finder = reader::with_model(finder, model)?;
        }
        let begun = Instant::now();
        finder.reindex()?;
        reader::prepare(&finder)?;
        let index_ms = begun.elapsed().as_secs_f64() * 1e3;

        let mut open = finder.open();
        let (mut always, mut silent) = (Vec::new(), Vec::new());
        let (mut times, mut answered) = (Vec::new(), 0);
        for query in &set.queries {
            for silence in [false, true] {
                let begun = Instant::now();
                let answer = open.find(&Question {
                    limit: LIMIT,
                    silence,
                    ..Question::new(&query.text)
                })?;
                if silence {
                    times.push(begun.elapsed());
                }
                let found = answer.found.iter();
                let places = found.map(|found| query.is_relevant(set.id_of(found.path.as_str())));
                let places: Vec<bool> = places.collect();
                if silence {
                    answered += usize::from(!places.is_empty());
                    silent.push((places, query.relevant.len()));
                } else {
                    always.push((places, query.relevant.len()));
                }
            }
        }
        Ok(Report {
            documents: set.documents.len(),
            queries: set.queries.len(),
            always: Quality::of(&always),
            silent: Silent {
                answered: answered as f64 / set.queries.len().max(1) as f64,
                r5: Quality::of(&silent).r5,
            },
            speed: Speed::of(times, index_ms),
            model: self.model_cost(&set)?,
        })
    }

    fn model_cost(&self, set: &Set) -> Result<Option<ModelCost>, Failure> {
        let Some(folder) = &self.model else {
            return Ok(None);
        };
        let resident_kb = most_resident();
        let texts: Vec<&str> = set
            .queries
            .iter()
            .map(|query| query.text.as_str())
            .collect();
        let times = reader::times(folder, &texts)?;
        Ok(Some(ModelCost {
            read_p50_ms: Speed::of(times, 0.0).p50_ms,
            resident_kb,
        }))
    }
}

/// The most memory that this process had, in KB, as the system tells it.
fn most_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    output.line(format!(
        "{} documents, {} questions",
        thousands(report.documents),
        thousands(report.queries)
    ))?;
    let Quality { r1, r5, r10, mrr } = report.always;
    let speed = &report.speed;
    let mut rows = vec![
        (
            "always",
            format!("R@1 {r1:.3}  {STRONG}R@5 {r5:.3}{STRONG:#}  R@10 {r10:.3}  MRR {mrr:.3}"),
        ),
        (
            "silent",
            format!(
                "R@5 {:.3}, {:.1} % of the questions answered",
                report.silent.r5,
                report.silent.answered * 100.0
            ),
        ),
        (
            "speed",
            format!(
                "p50 {:.2} ms  p99 {:.2} ms  {FAINT}(index {:.0} ms){FAINT:#}",
                speed.p50_ms, speed.p99_ms, speed.index_ms
            ),
        ),
    ];
    if let Some(model) = &report.model {
        let resident = model.resident_kb.div_ceil(1024);
        let cost = format!(
            "a question read in {:.2} ms (median), {resident} MB of memory at most",
            model.read_p50_ms
        );
        rows.push(("model", cost));
    }
    for line in pairs(&rows) {
        output.line(line)?;
    }
    Ok(())
}
