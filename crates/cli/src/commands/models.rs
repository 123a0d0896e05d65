//! `memdir models`: which models are named, what they are and where their keys come from.

mod trial;

use clap::Args;
use memdir_model::{Cancel, Facts, Price, is_local_address};
use memdir_settings::NamedModel;
use serde::Serialize;

use crate::failure::Failure;
use crate::model::{self, KeyPlace};
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::spending::Spending;
use crate::table::{GAP, one_line, pairs, thousands};
use crate::workplace::Workplace;

/// The models that you have named for background work
///
/// memdir asks a model only where you have named one for it, in your memdir.toml: `[models.NAME]` says what it is,
/// `[model_for]` what it may do. A key that stands in the environment is not yet leave to use it. Files of a project can
/// say nothing about models. `docs/models.md` has examples.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir models
  memdir models --ping
  memdir models --try small

  # in memdir.toml
  [models.small]
  provider = \"anthropic\"
  model = \"claude-haiku-4-5\"

  [model_for]
  extraction = \"small\"

JSON: {models, warnings}; each model has {name, provider, model, address, command, for, window, output, price, key, \
ping}. key has {source, variable, file, found, problem}; ping, with --ping, has {answers, window, problem, advice, said}. \
With --try: {name, model, asked, answer, whole, counted, input, cache_read, cache_write, output, usd}.")]
pub(crate) struct Models {
    /// Ask each whether it is there and takes the key; costs nothing
    #[arg(long)]
    ping: bool,
    /// Ask this one a real question of one line; it is metered as all background work is
    #[arg(long, value_name = "NAME", conflicts_with = "ping")]
    r#try: Option<String>,
    #[command(flatten)]
    spending: Spending,
}

#[derive(Serialize)]
struct Answer<'a> {
    models: Vec<Row<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    provider: &'static str,
    model: Option<&'a str>,
    address: Option<&'a str>,
    command: &'a [String],
    r#for: Vec<&'static str>,
    window: Option<u64>,
    output: Option<u64>,
    price: Option<String>,
    key: KeyRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    ping: Option<Ping>,
}

#[derive(Serialize)]
struct KeyRow {
    /// `variable`, `file` or `none`.
    source: &'static str,
    variable: Option<&'static str>,
    file: Option<String>,
    found: bool,
    problem: Option<String>,
}

#[derive(Serialize, Default)]
struct Ping {
    answers: bool,
    window: Option<u64>,
    problem: Option<String>,
    advice: Option<&'static str>,
    /// What the provider said, without the key.
    said: Option<String>,
}

impl Models {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let models = workplace.places.settings.models();
        let catalogue = model::catalogue(workplace)?;
        if let Some(name) = &self.r#try {
            let named = models.models.iter().find(|named| named.name == *name);
            let named = named.ok_or_else(|| unknown(name, &models.models))?;
            let facts = catalogue.facts(named.model.as_deref().unwrap_or_default());
            let model = model::built(workplace, named, facts).map_err(|problem| {
                Failure::new(format!("{name}: {problem}"), "`memdir models` shows it")
            })?;
            return trial::run(name, &*model, &self.spending.meter(workplace), output);
        }
        let rows: Vec<Row<'_>> = models
            .models
            .iter()
            .map(|named| {
                let facts = catalogue.facts(named.model.as_deref().unwrap_or_default());
                let uses = models.uses.iter();
                let uses = uses.filter(|r#use| r#use.model == named.name);
                Row {
                    name: &named.name,
                    provider: named.provider.as_str(),
                    model: named.model.as_deref(),
                    address: model::address(named),
                    command: &named.command,
                    r#for: uses.map(|r#use| r#use.purpose.as_str()).collect(),
                    window: named.model.is_some().then_some(facts.window),
                    output: named.model.is_some().then_some(facts.output),
                    price: price(named, &facts),
                    key: key_row(workplace, named),
                    ping: self.ping.then(|| ping(workplace, named, facts)),
                }
            })
            .collect();
        let failed = rows.iter().filter_map(|row| row.ping.as_ref());
        let failed = failed.filter(|ping| !ping.answers).count() > 0;
        if output.json {
            output.json(&Answer {
                models: rows,
                warnings: &models.remarks,
            })?;
        } else {
            print(&rows, workplace, output)?;
            output.flush()?;
            for remark in &models.remarks {
                output.warn(one_line(remark));
            }
        }
        match failed {
            true => Err(Failure::Found),
            false => Ok(()),
        }
    }
}

fn unknown(name: &str, models: &[NamedModel]) -> Failure {
    let names: Vec<&str> = models.iter().map(|named| named.name.as_str()).collect();
    let hint = match names.is_empty() {
        true => "`memdir models` says how to name one".to_owned(),
        false => format!("there are {}", names.join(", ")),
    };
    Failure::new(format!("no model is named `{name}`"), hint)
}

/// What a model costs, where that is known.
fn price(named: &NamedModel, facts: &Facts) -> Option<String> {
    let address = model::address(named)?;
    let free = is_local_address(address).then_some(Price::FREE);
    Some(facts.price.or(free)?.to_string())
}

fn key_row(workplace: &Workplace, named: &NamedModel) -> KeyRow {
    let (source, variable, file) = match model::key_place(workplace, named) {
        KeyPlace::Variable(name) => ("variable", Some(name), None),
        KeyPlace::File(path) => ("file", None, Some(workplace.shown(&path))),
        KeyPlace::Nowhere => ("none", None, None),
    };
    let key = model::key(workplace, named);
    KeyRow {
        source,
        variable,
        file,
        found: matches!(key, Ok(Some(_))),
        problem: key.err(),
    }
}

fn ping(workplace: &Workplace, named: &NamedModel, facts: Facts) -> Ping {
    let model = match model::built(workplace, named, facts) {
        Ok(model) => model,
        Err(problem) => {
            let problem = match model::key(workplace, named) {
                Err(_) => "not asked: there is no key".to_owned(),
                Ok(_) => format!("not asked: {problem}"),
            };
            return Ping {
                problem: Some(problem),
                ..Ping::default()
            };
        }
    };
    match model.ping(&Cancel::new()) {
        Ok(pong) => Ping {
            answers: true,
            window: pong.window,
            ..Ping::default()
        },
        Err(error) => {
            // Nothing of the user's was sent but the key, and that is struck out.
            let key = model::key(workplace, named).ok().flatten();
            let said = error.provider_text().map(|said| match &key {
                Some(key) => key.struck_from(said.reveal()),
                None => said.reveal().to_owned(),
            });
            Ping {
                problem: Some(error.to_string()),
                advice: Some(error.advice()).filter(|advice| !advice.is_empty()),
                said: said.map(|said| one_line(&said).into_owned()),
                ..Ping::default()
            }
        }
    }
}

fn print(rows: &[Row<'_>], workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    if rows.is_empty() {
        let file = workplace.shown(&workplace.places.settings_file());
        output.line(format!(
            "No model is named, and none is asked: memdir does its work by rules.\nTo name one, write to {file}:"
        ))?;
        return Ok(output.line(
            "\n  [models.small]\n  provider = \"anthropic\"\n  model = \"claude-haiku-4-5\"\n\n  [model_for]\n  extraction = \"small\"",
        )?);
    }
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        let what = row.model.unwrap_or("its own choice of model");
        output.line(format!(
            "{STRONG}{}{STRONG:#}{GAP}{} {}",
            one_line(row.name),
            row.provider,
            one_line(what)
        ))?;
        for line in pairs(&details(row)) {
            output.line(format!("  {line}"))?;
        }
    }
    Ok(())
}

fn details<'a>(row: &Row<'_>) -> Vec<(&'a str, String)> {
    let mut lines = Vec::new();
    lines.push((
        "for",
        match row.r#for.is_empty() {
            true => format!("{FAINT}nothing yet: see [model_for]{FAINT:#}"),
            false => row.r#for.join(", "),
        },
    ));
    if let (Some(window), Some(answer)) = (row.window, row.output) {
        let whole = |tokens: u64| thousands(usize::try_from(tokens).unwrap_or(usize::MAX));
        let words = format!("{} tokens, {} of answer", whole(window), whole(answer));
        lines.push(("window", words));
    }
    if let Some(address) = row.address {
        let price = row.price.as_ref().map_or_else(
            || format!("{WARN}not known: give it in models.toml{WARN:#}"),
            |price| match price.as_str() {
                "free" => "free: it runs on this machine".to_owned(),
                price => format!("{price}, for a million tokens"),
            },
        );
        lines.push(("price", price));
        lines.push(("address", one_line(address).into_owned()));
        lines.push(("key", key_words(&row.key)));
    } else {
        lines.push(("price", "what its own account pays".to_owned()));
    }
    if let Some(ping) = &row.ping {
        lines.push(("ping", ping_words(ping)));
    }
    lines
}

fn key_words(key: &KeyRow) -> String {
    let place = match (key.variable, &key.file) {
        (Some(name), _) => format!("the variable {name}"),
        (_, Some(file)) => format!("the file {}", one_line(file)),
        _ => "none".to_owned(),
    };
    match &key.problem {
        Some(problem) => format!("{place}: {BAD}{}{BAD:#}", one_line(problem)),
        None => place,
    }
}

fn ping_words(ping: &Ping) -> String {
    if ping.answers {
        return format!("{GOOD}it is there{GOOD:#}");
    }
    let mut words = format!(
        "{BAD}{}{BAD:#}",
        ping.problem.as_deref().unwrap_or_default()
    );
    if let Some(advice) = ping.advice {
        words.push_str(&format!("; {advice}"));
    }
    if let Some(said) = &ping.said {
        words.push_str(&format!(" ({FAINT}{said}{FAINT:#})"));
    }
    words
}
