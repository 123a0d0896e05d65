//! `memdir log`: lines for the day, appended and never changed.

use clap::Args;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use memdir_memory::MemoryPath;
use memdir_store::{Author, Reason};
use serde::Serialize;

use super::remember::admit_line;
use crate::failure::Failure;
use crate::moment;
use crate::output::{FAINT, Output, STRONG};
use crate::table::one_line;
use crate::visible::visible;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Write a line into the log of the day, or read it
///
/// With a text, appends `- HH:MM text` to the log of today; without one, prints the log. Logs are files of
/// the memory directory, one a day. They are for assistants that live long (`daily_log.enabled`), but anybody
/// may keep one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir log \"asked Ada about the invoice\"
  memdir log
  memdir log --date yesterday

JSON: {path, file, date, line, text, operation, dry_run, warnings}; `line` is what was written, `text`
what was read.")]
pub(crate) struct Log {
    /// What to write down; nothing prints the log
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// The day to read, instead of today
    #[arg(long, value_name = "DATE", value_parser = moment::day_argument, conflicts_with = "text")]
    date: Option<Date>,
    /// Only show what would be written
    #[arg(long, requires = "text")]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    path: &'a MemoryPath,
    file: String,
    date: Date,
    line: Option<&'a str>,
    text: Option<&'a str>,
    operation: Option<u64>,
    dry_run: bool,
    warnings: Warnings,
}

impl Log {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let now = Timestamp::now().to_zoned(TimeZone::system()).datetime();
        match self.text.is_empty() {
            true => read(workplace, self.date.unwrap_or_else(|| now.date()), output),
            false => self.append(workplace, now, output),
        }
    }

    fn append(
        &self,
        workplace: &Workplace,
        now: DateTime,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let mut warnings = Warnings::default();
        let text = admit_line(
            &self.text.join(" "),
            workplace.secret_policy(),
            &mut warnings,
        )?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("- {:02}:{:02} {text}", now.hour(), now.minute());
        let path = path_of(now.date())?;
        let mut operation = None;
        if !self.dry_run {
            let mut change = workplace.store.operation(Reason::new(Author::User, "log"));
            change.secrets(workplace.secret_policy());
            // Appended to whatever stands there by then: many may write at once.
            change.update(&path, |current| {
                let mut log = current.unwrap_or_default().to_vec();
                if !log.is_empty() && !log.ends_with(b"\n") {
                    log.push(b'\n');
                }
                log.extend_from_slice(line.as_bytes());
                log.push(b'\n');
                Some(log)
            });
            let outcome = workplace.commit(change)?;
            warnings.notices(&outcome.notices);
            operation = outcome.operation;
        }
        if output.json {
            return Ok(output.json(&Answer {
                file: file(workplace, &path),
                path: &path,
                date: now.date(),
                line: Some(&line),
                text: None,
                operation,
                dry_run: self.dry_run,
                warnings,
            })?);
        }
        let done = if self.dry_run { "Would write" } else { "Wrote" };
        output.line(format!("{done} into {STRONG}{path}{STRONG:#}:"))?;
        output.line(one_line(&line))?;
        Ok(warnings.print(output)?)
    }
}

fn read(workplace: &Workplace, date: Date, output: &mut Output) -> Result<(), Failure> {
    let path = path_of(date)?;
    let found = workplace.store.read(&path)?;
    let text = found.map(|found| String::from_utf8_lossy(&found.bytes).into_owned());
    if output.json {
        return Ok(output.json(&Answer {
            file: file(workplace, &path),
            path: &path,
            date,
            line: None,
            text: text.as_deref(),
            operation: None,
            dry_run: false,
            warnings: Warnings::default(),
        })?);
    }
    match text {
        Some(text) => {
            for line in text.lines() {
                output.line(visible(line))?;
            }
            Ok(())
        }
        None => {
            let log = workplace.command("log TEXT");
            Ok(output.line(format!(
                "Nothing was written down on {date}. {FAINT}{log} writes a line{FAINT:#}"
            ))?)
        }
    }
}

/// The log of a day.
fn path_of(date: Date) -> Result<MemoryPath, Failure> {
    let (year, month) = (date.year(), date.month());
    MemoryPath::new(&format!("logs/{year:04}/{month:02}/{date}.md"))
        .map_err(|problem| Failure::new(problem.to_string(), ""))
}

fn file(workplace: &Workplace, path: &MemoryPath) -> String {
    let memory = workplace.store.memory_directory();
    memory.join(path.as_str()).display().to_string()
}
