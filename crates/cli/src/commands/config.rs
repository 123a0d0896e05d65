//! `memdir config`: every setting, its value, and who set it.

mod change;

use clap::{Args, Subcommand};
use memdir_settings::{Key, Origin, Sourced, Value, nearest};
use serde::{Serialize, Serializer};

use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::remarks;
use crate::table::{GAP, push_padded, widest};
use crate::workplace::Workplace;

/// See and change settings, and see who set what
///
/// Settings come from memdir.toml in memdir's home (yours), .claude/memdir.toml in the project (may only make memory do
/// less), .claude/memdir.local.toml (once you trust it: `memdir trust`), and variables of the environment, the later
/// ones stronger. `config set` and `config unset` change your own file and no other.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir config
  memdir config list --origin
  memdir config get extraction.mode
  memdir config set extraction.mode ask
  memdir config set dream.min_hours 48 --dry-run
  memdir config unset extraction.mode

JSON of list: {settings, refused, problems}; a setting has {key, value, default, origin: {layer, \
file, line, variable}, values, about}, and that is what get answers. JSON of set and unset: \
{dry_run, file, key, value, changed, diff, effective}, where effective is whether the value now \
counts here.")]
pub(crate) struct Config {
    #[command(subcommand)]
    act: Option<Act>,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Every setting with its value
    List {
        /// Also who set it: the layer, the file and its line
        #[arg(long)]
        origin: bool,
    },
    /// The value of one setting
    Get {
        /// Its name, such as `memory.enabled`
        key: String,
    },
    /// Set a value in your own memdir.toml; everything else in it stays as it is
    Set {
        /// Its name, such as `memory.enabled`
        key: String,
        /// The value
        value: String,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// Take a setting out of your own memdir.toml
    Unset {
        /// Its name, such as `memory.enabled`
        key: String,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
    },
}

/// A setting as JSON has it.
#[derive(Serialize)]
struct Answer<'a> {
    key: &'static str,
    #[serde(serialize_with = "plain")]
    value: Value,
    #[serde(serialize_with = "plain")]
    default: Value,
    origin: OriginAnswer<'a>,
    values: String,
    about: &'static str,
}

#[derive(Serialize)]
struct OriginAnswer<'a> {
    layer: &'static str,
    file: Option<&'a str>,
    line: Option<usize>,
    variable: Option<&'static str>,
}

#[derive(Serialize)]
struct ListAnswer<'a> {
    settings: Vec<Answer<'a>>,
    refused: Vec<String>,
    problems: Vec<String>,
}

impl Config {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        match self.act.unwrap_or(Act::List { origin: false }) {
            Act::List { origin } => list(workplace, origin, output),
            Act::Get { key } => get(workplace, find(&key)?, output),
            Act::Set {
                key,
                value,
                dry_run,
            } => change::set(workplace, find(&key)?, &value, dry_run, output),
            Act::Unset { key, dry_run } => change::unset(workplace, &key, dry_run, output),
        }
    }
}

/// The setting of this name, or which one may have been meant.
fn find(name: &str) -> Result<&'static Key, Failure> {
    Key::find(name).ok_or_else(|| {
        let hint = match nearest(name) {
            Some(meant) => format!("did you mean `{}`?", meant.name),
            None => "`memdir config list` shows every setting".to_owned(),
        };
        Failure::unknown(format!("there is no setting `{name}`"), hint)
    })
}

fn list(workplace: &Workplace, origin: bool, output: &mut Output) -> Result<(), Failure> {
    let settings = &workplace.places.settings;
    if output.json {
        return Ok(output.json(&ListAnswer {
            settings: settings.values().iter().map(answer).collect(),
            refused: settings.refused().iter().map(ToString::to_string).collect(),
            problems: settings
                .problems()
                .iter()
                .map(ToString::to_string)
                .collect(),
        })?);
    }
    let texts: Vec<String> = settings
        .values()
        .iter()
        .map(|sourced| format!("{} = {}", sourced.key.name, sourced.value))
        .collect();
    let columns = widest(texts.iter().map(String::as_str));
    for (sourced, text) in settings.values().iter().zip(&texts) {
        // What somebody set is what one looks for.
        let style = match sourced.origin {
            Origin::BuiltIn => anstyle::Style::new(),
            _ => STRONG,
        };
        let mut line = String::new();
        match origin {
            true => push_padded(&mut line, text, columns),
            false => line.push_str(text),
        }
        let mut line = format!("{style}{line}{style:#}");
        if origin {
            let origin = shown_origin(workplace, &sourced.origin);
            line.push_str(&format!("{GAP}{FAINT}{origin}{FAINT:#}"));
        }
        output.line(line)?;
    }
    output.flush()?;
    for (remark, _) in remarks::about_settings(workplace) {
        output.warn(remark);
    }
    Ok(())
}

fn get(workplace: &Workplace, key: &Key, output: &mut Output) -> Result<(), Failure> {
    let Some(sourced) = workplace.places.settings.get(key) else {
        return Ok(());
    };
    match output.json {
        true => Ok(output.json(&answer(sourced))?),
        false => Ok(output.line(sourced.value.to_string())?),
    }
}

/// Who set a value: the layer, then the file as a person would write it.
pub(crate) fn shown_origin(workplace: &Workplace, origin: &Origin) -> String {
    match origin {
        Origin::File {
            layer, file, line, ..
        } => format!("{layer} {}:{line}", workplace.shown(file.as_ref())),
        Origin::Variable(name) => format!("{} {name}", origin.layer()),
        Origin::Flag => format!("{} {origin}", origin.layer()),
        Origin::BuiltIn => origin.layer().to_owned(),
    }
}

fn answer(sourced: &Sourced) -> Answer<'_> {
    let key = sourced.key;
    let (file, line) = match &sourced.origin {
        Origin::File { file, line, .. } => (Some(file.as_str()), Some(*line)),
        Origin::BuiltIn | Origin::Variable(_) | Origin::Flag => (None, None),
    };
    let variable = match &sourced.origin {
        Origin::Variable(name) => Some(*name),
        _ => None,
    };
    Answer {
        key: key.name,
        value: sourced.value,
        default: key.default,
        origin: OriginAnswer {
            layer: sourced.origin.layer(),
            file,
            line,
            variable,
        },
        values: key.kind.to_string(),
        about: key.about.trim(),
    }
}

/// A value as JSON has it: a truth, a text or a number.
fn plain<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Value::Switch(on) => serializer.serialize_bool(*on),
        Value::Word(word) => serializer.serialize_str(word),
        Value::Whole(number) => serializer.serialize_u64(*number),
        Value::Amount(amount) => serializer.serialize_f64(amount.as_f64()),
    }
}
