//! The models that a user has named: `[models.NAME]` and `[model_for]` in `memdir.toml`.
//!
//! They hold addresses, commands and where keys are, so that no file which may have come with a repository can say anything
//! about them. Background work asks a model only where the user has named one for it.

use std::fmt;

use toml_edit::{Item, TableLike};

use crate::own::place_of;
use crate::{Layer, OwnSettings, variables};

/// The section of the models.
pub(crate) const MODELS: &str = "models";
/// The section that says which of them does what.
pub(crate) const MODEL_FOR: &str = "model_for";
/// How a model is written down, for messages and documentation.
pub(crate) const FIELDS: [&str; 6] = [
    "provider",
    "model",
    "address",
    "key_variable",
    "key_file",
    "command",
];

/// Through whom a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic's Messages API, or a server that speaks it.
    Anthropic,
    /// Chat Completions: OpenAI, Ollama, llama.cpp, vLLM and others.
    OpenAi,
    /// Claude Code, called so that it only answers.
    Claude,
    /// Codex, called so that it only answers. Its shell seems to stay, read-only.
    Codex,
    /// Any program that reads a question and prints an answer.
    Command,
}

impl Provider {
    const ALL: [Self; 5] = [
        Self::Anthropic,
        Self::OpenAi,
        Self::Claude,
        Self::Codex,
        Self::Command,
    ];

    /// In one word, as it stands in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Command => "command",
        }
    }
}

/// What a model is asked for: by the user in `chat`, by nobody in all else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Talking to the user.
    Chat,
    /// Choosing memories for a message.
    Recall,
    /// Saving what a conversation taught.
    Extraction,
    /// Tidying up memories.
    Dream,
    /// Notes of a conversation.
    Notes,
    /// Summing a conversation up.
    Compaction,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Chat,
        Self::Recall,
        Self::Extraction,
        Self::Dream,
        Self::Notes,
        Self::Compaction,
    ];

    /// In one word, as it stands in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Recall => "recall",
            Self::Extraction => "extraction",
            Self::Dream => "dream",
            Self::Notes => "notes",
            Self::Compaction => "compaction",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A model as a file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedModel {
    /// The user's own name for it.
    pub name: String,
    /// Through whom it is asked.
    pub provider: Provider,
    /// The provider's name for it.
    pub model: Option<String>,
    /// Where the provider is, if not where it always is.
    pub address: Option<String>,
    /// The variable with the key.
    pub key_variable: Option<&'static str>,
    /// The file with the key.
    pub key_file: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The file that names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

/// Which model does what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// What.
    pub purpose: Purpose,
    /// The user's name of the model.
    pub model: String,
}

/// The models of one start folder, as the layers have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Models {
    /// Each by its name, in the order of their names.
    pub models: Vec<NamedModel>,
    /// At most one for each purpose.
    pub uses: Vec<Use>,
    /// What is wrong with them, or was not taken because it came with the project.
    pub remarks: Vec<String>,
}

impl Models {
    /// Puts the layers on top of one another; nearer files first among those of a layer.
    pub(crate) fn of(files: &[OwnSettings]) -> Self {
        let mut all = Self::default();
        let order = [Layer::User, Layer::Local, Layer::Managed];
        for layer in order {
            let own = files.iter().rev().filter(|file| file.layer() == layer);
            for file in own.filter(|file| !file.is_committed()) {
                for model in &file.models {
                    all.models.retain(|other| other.name != model.name);
                    all.models.push(model.clone());
                }
                for r#use in &file.uses {
                    all.uses.retain(|other| other.purpose != r#use.purpose);
                    all.uses.push(r#use.clone());
                }
            }
        }
        all.models.sort_by(|one, other| one.name.cmp(&other.name));
        all.uses.sort_by_key(|r#use| r#use.purpose);
        for file in files.iter().filter(|file| file.is_committed()) {
            if !file.models.is_empty() || !file.uses.is_empty() {
                all.remarks.push(format!(
                    "{} names models; they are not used: a file that comes with the project chooses no address, command or key",
                    file.file()
                ));
            }
        }
        for r#use in &all.uses {
            if !all.models.iter().any(|model| model.name == r#use.model) {
                all.remarks.push(format!(
                    "{MODEL_FOR}.{} is {:?}, but there is no [{MODELS}.{}]",
                    r#use.purpose, r#use.model, r#use.model
                ));
            }
        }
        all
    }

    /// The model that the user has named for this.
    #[must_use]
    pub fn model_for(&self, purpose: Purpose) -> Option<&NamedModel> {
        let named = self.uses.iter().find(|r#use| r#use.purpose == purpose)?;
        self.models.iter().find(|model| model.name == named.model)
    }
}

/// What is wrong, and where it stands.
pub(crate) type Mistake = ((usize, usize), String);

/// Reads `[models]`: a table for each.
pub(crate) fn read_models(
    text: &str,
    file: &str,
    section: &dyn TableLike,
    mistakes: &mut Vec<Mistake>,
) -> Vec<NamedModel> {
    let mut models = Vec::new();
    for (name, item) in section.iter() {
        let place = place_of(text, section, name, item);
        let Some(table) = item.as_table_like() else {
            mistakes.push((
                place,
                format!("`{MODELS}.{name}` has to be a table with a `provider`"),
            ));
            continue;
        };
        match read_model(text, name, table, mistakes) {
            Ok(model) => models.push(NamedModel {
                file: file.to_owned(),
                line: place.0,
                ..model
            }),
            Err(message) => mistakes.push((place, message)),
        }
    }
    models
}

fn read_model(
    text: &str,
    name: &str,
    table: &dyn TableLike,
    mistakes: &mut Vec<Mistake>,
) -> Result<NamedModel, String> {
    for (field, item) in table.iter() {
        if !FIELDS.contains(&field) {
            mistakes.push((
                place_of(text, table, field, item),
                format!(
                    "there is no setting `{MODELS}.{name}.{field}`; a model has {}",
                    FIELDS.join(", ")
                ),
            ));
        }
    }
    let word = |field: &str| -> Result<Option<String>, String> {
        match table.get(field) {
            None => Ok(None),
            Some(item) => match item.as_str().filter(|text| !text.trim().is_empty()) {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(format!("`{MODELS}.{name}.{field}` has to be a text")),
            },
        }
    };
    let provider = word("provider")?.and_then(|word| {
        let mut all = Provider::ALL.into_iter();
        all.find(|provider| provider.as_str() == word)
    });
    let provider = provider.ok_or_else(|| {
        let all = Provider::ALL.map(Provider::as_str).join(", ");
        format!("`{MODELS}.{name}.provider` has to be one of {all}")
    })?;
    let key_variable = match word("key_variable")? {
        None => None,
        Some(named) => Some(key_variable(&named).ok_or_else(|| {
            format!(
                "`{MODELS}.{name}.key_variable` has to be one of {}; for another key write a file and set key_file",
                variables::MODEL_KEYS.join(", ")
            )
        })?),
    };
    let model = NamedModel {
        name: name.to_owned(),
        provider,
        model: word("model")?,
        address: word("address")?,
        key_variable,
        key_file: word("key_file")?,
        command: command(name, table.get("command"))?,
        file: String::new(),
        line: 0,
    };
    match provider {
        Provider::Anthropic | Provider::OpenAi if model.model.is_none() => {
            Err(format!("`{MODELS}.{name}` needs its `model`"))
        }
        Provider::Command if model.command.is_empty() => {
            Err(format!("`{MODELS}.{name}` needs its `command`"))
        }
        _ => Ok(model),
    }
}

/// The variable of this name, if keys are read from it.
fn key_variable(name: &str) -> Option<&'static str> {
    variables::MODEL_KEYS
        .into_iter()
        .find(|known| *known == name)
}

/// A program alone or with its arguments.
fn command(name: &str, item: Option<&Item>) -> Result<Vec<String>, String> {
    let Some(item) = item else {
        return Ok(Vec::new());
    };
    let wrong = || {
        format!("`{MODELS}.{name}.command` has to be a program, or a list of it and its arguments")
    };
    if let Some(program) = item.as_str() {
        return Ok(vec![program.to_owned()]);
    }
    let words = item.as_array().ok_or_else(wrong)?;
    let words: Option<Vec<String>> = words
        .iter()
        .map(|word| word.as_str().map(str::to_owned))
        .collect();
    words.filter(|words| !words.is_empty()).ok_or_else(wrong)
}

/// Reads `[model_for]`: a model for each purpose.
pub(crate) fn read_uses(
    text: &str,
    section: &dyn TableLike,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Use> {
    let mut uses = Vec::new();
    for (field, item) in section.iter() {
        let purpose = Purpose::ALL.into_iter().find(|own| own.as_str() == field);
        match (purpose, item.as_str()) {
            (Some(purpose), Some(model)) => uses.push(Use {
                purpose,
                model: model.to_owned(),
            }),
            (None, _) => {
                let all = Purpose::ALL.map(Purpose::as_str).join(", ");
                mistakes.push((
                    place_of(text, section, field, item),
                    format!("there is no setting `{MODEL_FOR}.{field}`; there are {all}"),
                ));
            }
            (Some(_), None) => mistakes.push((
                place_of(text, section, field, item),
                format!("`{MODEL_FOR}.{field}` has to be the name of a model"),
            )),
        }
    }
    uses
}
