//! memdir's own settings files: `memdir.toml` and `memdir.local.toml`.

use toml_edit::{Document, Item, TableLike};

use crate::layer::Severity;
use crate::models::{self, NamedModel, Use};
use crate::nearest::nearest;
use crate::position::position;
use crate::tree::{Key, SECTIONS};
use crate::value::Value;
use crate::{Layer, Problem, Trust};

/// How many mistakes of one file are told; a file full of them is not read to its end by anybody.
const MAX_PROBLEMS: usize = 8;
/// How much of a name that is no setting is repeated.
const MAX_NAME: usize = 60;

/// What one `memdir.toml` sets.
///
/// ```
/// use memdir_settings::{Layer, OwnSettings, Trust};
///
/// let text = b"[memory]\nrefesh = \"turn\"\n";
/// let file = OwnSettings::parse(Layer::User, Trust::Untrusted, "memdir.toml", text);
/// assert_eq!(
///     file.problems()[0].to_string(),
///     "memdir.toml:2:1: there is no setting `memory.refesh`; did you mean `memory.refresh`?"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSettings {
    layer: Layer,
    trust: Trust,
    file: String,
    entries: Vec<Entry>,
    pub(crate) models: Vec<NamedModel>,
    pub(crate) uses: Vec<Use>,
    problems: Vec<Problem>,
    /// Mistakes beyond those that are told.
    untold: usize,
}

/// One setting in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Which setting.
    pub key: &'static Key,
    /// Its value.
    pub value: Value,
    /// The line, counted from 1.
    pub line: usize,
}

impl OwnSettings {
    /// Reads a settings text. `trust` matters only to [`Layer::Local`].
    #[must_use]
    pub fn parse(layer: Layer, trust: Trust, file: &str, text: &[u8]) -> Self {
        let mut settings = Self {
            layer,
            trust,
            file: file.to_owned(),
            entries: Vec::new(),
            models: Vec::new(),
            uses: Vec::new(),
            problems: Vec::new(),
            untold: 0,
        };
        settings.read(text);
        if settings.untold > 0 {
            let word = if settings.untold == 1 {
                "mistake"
            } else {
                "mistakes"
            };
            let mut more = settings.problem((0, 0), String::new());
            more.message = match more.severity {
                Severity::Error => format!("{} more {word}", settings.untold),
                Severity::Warning => format!("{} more {word}, also ignored", settings.untold),
            };
            settings.problems.push(more);
        }
        settings
    }

    /// A file that is there but could not be read, and why.
    #[must_use]
    pub fn unreadable(layer: Layer, file: &str, message: &str) -> Self {
        let mut settings = Self::parse(layer, Trust::Untrusted, file, b"");
        let problem = settings.problem((0, 0), message.to_owned());
        settings.problems.push(problem);
        settings
    }

    /// The same content with another trust.
    #[must_use]
    pub fn with_trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// The layer of the file.
    #[must_use]
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// The file, as the caller named it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Whether the content may have come with the repository.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        self.layer.is_committed(self.trust)
    }

    /// What it sets, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The models that it names. Whether they count is decided with the other layers.
    #[must_use]
    pub fn models(&self) -> &[NamedModel] {
        &self.models
    }

    /// Which of them it wants to do what.
    #[must_use]
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// What could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn read(&mut self, text: &[u8]) {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let whole = match std::str::from_utf8(text) {
            Ok(whole) => whole,
            Err(error) => {
                let place = position(text, error.valid_up_to());
                return self.report(place, "not UTF-8".to_owned());
            }
        };
        match Document::parse(whole) {
            Ok(document) => {
                for (section, item) in document.as_table().iter() {
                    self.section(whole, document.as_table(), section, item);
                }
            }
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let what = error.message().replace('\n', ", ");
                let message = format!("not TOML ({what})");
                self.report(position(text, at), message);
            }
        }
    }

    fn section(&mut self, text: &str, root: &dyn TableLike, section: &str, item: &Item) {
        if self.models_section(text, section, item) {
            return;
        }
        let known = SECTIONS.iter().any(|(name, _)| *name == section);
        match item.as_table_like() {
            Some(table) if known || !table.is_empty() => {
                for (field, item) in table.iter() {
                    self.field(text, table, &format!("{section}.{field}"), field, item);
                }
            }
            Some(_) => self.unknown(text, root, section, section, item),
            None if known => {
                let message = format!(
                    "`{section}` is a section; write `{section}.…`, or its settings beneath `[{section}]`"
                );
                let place = place_of(text, root, section, item);
                self.report(place, message);
            }
            None => self.unknown(text, root, section, section, item),
        }
    }

    /// Reads a section about models; `false` when it is another.
    fn models_section(&mut self, text: &str, section: &str, item: &Item) -> bool {
        let Some(table) = item.as_table_like() else {
            return false;
        };
        let mut mistakes = Vec::new();
        match section {
            models::MODELS => {
                self.models = models::read_models(text, &self.file, table, &mut mistakes);
            }
            models::MODEL_FOR => self.uses = models::read_uses(text, table, &mut mistakes),
            _ => return false,
        }
        for (place, message) in mistakes {
            if !self.is_full() {
                self.report(place, message);
            }
        }
        true
    }

    fn field(&mut self, text: &str, table: &dyn TableLike, name: &str, field: &str, item: &Item) {
        let Some(key) = Key::find(name) else {
            return self.unknown(text, table, name, field, item);
        };
        match key.kind.read_item(item) {
            Some(value) => {
                let (line, _) = place_of(text, table, field, item);
                self.entries.push(Entry { key, value, line });
            }
            None => {
                if self.is_full() {
                    return;
                }
                let start = item.span().map(|span| span.start);
                let place = start.map_or_else(
                    || place_of(text, table, field, item),
                    |start| position(text.as_bytes(), start),
                );
                self.report(place, format!("`{name}` has to be {}", key.kind));
            }
        }
    }

    fn unknown(&mut self, text: &str, table: &dyn TableLike, name: &str, field: &str, item: &Item) {
        if self.is_full() {
            return;
        }
        let shown: String = name.chars().take(MAX_NAME).collect();
        let cut = if shown.len() < name.len() { "…" } else { "" };
        let meant = match nearest(name) {
            Some(key) => format!("; did you mean `{}`?", key.name),
            None => String::new(),
        };
        let place = place_of(text, table, field, item);
        self.report(place, format!("there is no setting `{shown}{cut}`{meant}"));
    }

    /// Whether one more mistake is only counted; it is counted then.
    fn is_full(&mut self) -> bool {
        let full = self.problems.len() >= MAX_PROBLEMS;
        self.untold += usize::from(full);
        full
    }

    fn report(&mut self, place: (usize, usize), message: String) {
        let problem = self.problem(place, message);
        self.problems.push(problem);
    }

    fn problem(&self, (line, column): (usize, usize), message: String) -> Problem {
        let severity = match self.layer {
            Layer::User => Severity::Error,
            Layer::Project | Layer::Local | Layer::Managed => Severity::Warning,
        };
        // Nobody who only uses a repository should have to mend it.
        let message = match severity {
            Severity::Error => message,
            Severity::Warning if line == 0 || message.starts_with("not ") => {
                format!("{message}; the file is ignored")
            }
            Severity::Warning if message.ends_with('?') => format!("{message} It is ignored"),
            Severity::Warning => format!("{message}; it is ignored"),
        };
        Problem {
            file: self.file.clone(),
            line,
            column,
            message,
            severity,
        }
    }
}

/// Where a key stands, or else its value.
pub(crate) fn place_of(
    text: &str,
    table: &dyn TableLike,
    field: &str,
    item: &Item,
) -> (usize, usize) {
    let span = table
        .get_key_value(field)
        .and_then(|(key, _)| key.span())
        .or_else(|| item.span());
    position(text.as_bytes(), span.map_or(0, |span| span.start))
}
