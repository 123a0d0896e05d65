//! From a model that the user has named to one that can be asked.

use std::path::{Path, PathBuf};

use memdir_model::{
    ANTHROPIC_ADDRESS, Agent, Anthropic, Catalogue, Command, Facts, Key, KeyError, Model,
    OPENAI_ADDRESS, OpenAi, Times,
};
use memdir_settings::{NamedModel, Provider, variables};
use memdir_store::read_regular;

use crate::failure::Failure;
use crate::handed_on;
use crate::workplace::Workplace;

/// The user's own table of models, in memdir's folder.
const CATALOGUE_NAME: &str = "models.toml";
/// The windows of most models that are used for work.
const USUAL_WINDOWS: (u64, u64) = (200_000, 1_000_000);
/// The largest that is read.
const MAX_CATALOGUE: u64 = 1024 * 1024;

/// Where a key is to come from.
pub(crate) enum KeyPlace {
    /// A variable of the environment.
    Variable(&'static str),
    /// A file.
    File(PathBuf),
    /// None is needed, or the program has its own.
    Nowhere,
}

/// What is known of models, the user's own table first.
pub(crate) fn catalogue(workplace: &Workplace) -> Result<Catalogue, Failure> {
    let path = workplace.places.own_dir().join(CATALOGUE_NAME);
    let failed = |what: String| {
        let path = workplace.shown(&path);
        Failure::new(format!("{path}: {what}"), "mend the file, or move it away")
    };
    let built_in = Catalogue::built_in();
    let Some(bytes) =
        read_regular(&path, MAX_CATALOGUE).map_err(|error| failed(error.to_string()))?
    else {
        return Ok(built_in);
    };
    let text = String::from_utf8(bytes).map_err(|_| failed("not UTF-8".to_owned()))?;
    built_in
        .with(&text)
        .map_err(|error| failed(error.to_string()))
}

/// How many tokens a model takes: as the user or its client says, as the table has it, or, of a model that nobody knows,
/// the smaller of the usual windows that the conversation fits.
pub(crate) fn window(
    workplace: &Workplace,
    told: Option<u64>,
    model: Option<&str>,
    used: u64,
) -> Result<u64, Failure> {
    if let Some(told) = told {
        return Ok(told);
    }
    let known = match model {
        Some(model) => catalogue(workplace)?.window(model),
        None => None,
    };
    let (usual, long) = USUAL_WINDOWS;
    Ok(known.unwrap_or(if used > usual { long } else { usual }))
}

/// Where the provider of a model is; `None` for a program.
pub(crate) fn address(named: &NamedModel) -> Option<&str> {
    let usual = match named.provider {
        Provider::Anthropic => ANTHROPIC_ADDRESS,
        Provider::OpenAi => OPENAI_ADDRESS,
        Provider::Claude | Provider::Codex | Provider::Command => return None,
    };
    Some(named.address.as_deref().unwrap_or(usual))
}

/// Where the key of a model is to come from. The provider's own variable counts only for the provider's own address: no key
/// goes to a place that it was not meant for.
pub(crate) fn key_place(workplace: &Workplace, named: &NamedModel) -> KeyPlace {
    if let Some(file) = &named.key_file {
        return KeyPlace::File(expanded(workplace, file));
    }
    if let Some(variable) = named.key_variable {
        return KeyPlace::Variable(variable);
    }
    match (named.provider, &named.address) {
        (Provider::Anthropic, None) => KeyPlace::Variable(variables::ANTHROPIC_KEY),
        (Provider::OpenAi, None) => KeyPlace::Variable(variables::OPENAI_KEY),
        _ => KeyPlace::Nowhere,
    }
}

/// The key of a model, or in words why there is none.
pub(crate) fn key(workplace: &Workplace, named: &NamedModel) -> Result<Option<Key>, String> {
    match key_place(workplace, named) {
        KeyPlace::Nowhere => Ok(None),
        KeyPlace::Variable(name) => {
            if workplace.places.ignores_variable(name) {
                return Err("not believed: a file of the project sets it".to_owned());
            }
            let value = workplace.environment.value(name);
            let value = value.and_then(|value| value.to_str());
            let value = value.ok_or_else(|| "not set".to_owned())?;
            Key::from_variable(name, value)
                .map(Some)
                .map_err(|error| error.to_string())
        }
        KeyPlace::File(path) => {
            if !path.is_absolute() {
                return Err("it has to be an absolute path, or begin with ~/".to_owned());
            }
            if lies_in_project(workplace, &path) {
                return Err("it lies in the project; keep it elsewhere".to_owned());
            }
            Key::from_file(&path)
                .map(Some)
                .map_err(|error| match error {
                    KeyError::File { source, .. } => match source.kind() {
                        std::io::ErrorKind::NotFound => "it is not there".to_owned(),
                        _ => "it cannot be read".to_owned(),
                    },
                    KeyError::Open { mode, .. } => {
                        format!("others may read it (mode {mode:04o}); run `chmod 600` on it")
                    }
                    KeyError::Owner { .. } => "it belongs to somebody else".to_owned(),
                    KeyError::NotPlain { .. } => "it is not a plain file".to_owned(),
                    KeyError::NoKey(_) => "it holds no key".to_owned(),
                })
        }
    }
}

/// A model that can be asked, or in words why not.
pub(crate) fn built(
    workplace: &Workplace,
    named: &NamedModel,
    facts: Facts,
) -> Result<Box<dyn Model>, String> {
    let times = Times::default();
    let name = named.model.as_deref().unwrap_or_default();
    let program = |usual: &str| {
        let given = named.command.first().cloned();
        given.unwrap_or_else(|| usual.to_owned())
    };
    let agent = match named.provider {
        Provider::Anthropic | Provider::OpenAi => {
            let key = key(workplace, named).map_err(|why| match key_place(workplace, named) {
                KeyPlace::Variable(variable) => format!("the key, {variable}: {why}"),
                KeyPlace::File(file) => format!("the key, {}: {why}", workplace.shown(&file)),
                KeyPlace::Nowhere => why,
            })?;
            let address = address(named).unwrap_or_default();
            let words = |error: memdir_model::Error| error.to_string();
            return Ok(match named.provider {
                Provider::Anthropic => Box::new(
                    Anthropic::new(name, address, key.as_ref(), facts, times).map_err(words)?,
                ),
                _ => {
                    Box::new(OpenAi::new(name, address, key.as_ref(), facts, times).map_err(words)?)
                }
            });
        }
        Provider::Claude => Agent::Claude {
            program: program("claude"),
        },
        Provider::Codex => Agent::Codex {
            program: program("codex"),
        },
        Provider::Command => Agent::Other {
            program: program(""),
            arguments: named.command.iter().skip(1).cloned().collect(),
        },
    };
    let environment = handed_on::environment(&workplace.places, agent.program());
    let model = named.model.as_deref();
    Ok(Box::new(Command::new(
        agent,
        model,
        facts,
        times,
        environment,
    )))
}

fn expanded(workplace: &Workplace, file: &str) -> PathBuf {
    match (file.strip_prefix("~/"), &workplace.places.user_home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(file),
    }
}

fn lies_in_project(workplace: &Workplace, path: &Path) -> bool {
    let project = &workplace.places.project;
    // A home that is itself a repository holds the user's own files.
    let is_home = |folder: &Path| workplace.places.user_home.as_deref() == Some(folder);
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    [&project.root, &project.checkout]
        .into_iter()
        .any(|folder| !is_home(folder) && real.starts_with(folder))
}
