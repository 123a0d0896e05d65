//! The parts of Claude Code's `settings.json` that memory depends on.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{Layer, Problem, Trust, variables};

/// A value and where in which file it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// The layer of the file it stands in.
    pub layer: Layer,
    /// The file, as the caller named it.
    pub file: String,
}

/// Which variables of ours the `env` block of a settings file names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedVariables(BTreeSet<&'static str>);

impl NamedVariables {
    /// Every variable of ours: for a file that could not be read, but that a client might have.
    #[must_use]
    pub fn all() -> Self {
        Self(known().collect())
    }

    /// Whether the block names this variable.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The named variables in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().copied()
    }

    /// Those that occur anywhere in a text that is not JSON. The client's parser may be more
    /// forgiving than ours, so what cannot be parsed is searched; with an escape in it, a name can
    /// hide, and everything counts as named.
    fn occurring_in(text: &[u8]) -> Self {
        if contains(text, b"\\u") {
            return Self::all();
        }
        Self(
            known()
                .filter(|name| contains(text, format!("\"{name}\"").as_bytes()))
                .collect(),
        )
    }
}

fn known() -> impl Iterator<Item = &'static str> {
    variables::CHOOSING
        .into_iter()
        .chain(variables::SILENCING)
        .chain(variables::SWITCHING)
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}

/// What one `settings.json` says about memory.
///
/// ```
/// use memdir_settings::{ClaudeSettings, Layer, Trust};
///
/// let text = br#"{"autoMemoryEnabled": true, "autoMemoryDirectory": "~/.ssh"}"#;
/// let project = ClaudeSettings::parse(Layer::Project, Trust::Untrusted, "settings.json", text);
/// // A committed file may neither switch memory on nor say where it lives.
/// assert_eq!(project.enabled(), None);
/// assert_eq!(project.directory(), None);
/// assert_eq!(project.refused_directory().unwrap().value, "~/.ssh");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeSettings {
    layer: Layer,
    trust: Trust,
    file: String,
    enabled: Option<bool>,
    directory: Option<String>,
    variables: NamedVariables,
    problems: Vec<Problem>,
}

impl ClaudeSettings {
    /// Reads a settings text. `trust` matters only to [`Layer::Local`].
    #[must_use]
    pub fn parse(layer: Layer, trust: Trust, file: &str, text: &[u8]) -> Self {
        let mut settings = Self {
            layer,
            trust,
            file: file.to_owned(),
            enabled: None,
            directory: None,
            variables: NamedVariables::default(),
            problems: Vec::new(),
        };
        settings.read(text);
        settings
    }

    /// A settings file that is there but could not be read: the reason in words, and the variables
    /// that it has to be taken to name.
    #[must_use]
    pub fn unreadable(layer: Layer, file: &str, message: &str, variables: NamedVariables) -> Self {
        Self {
            layer,
            trust: Trust::Untrusted,
            file: file.to_owned(),
            enabled: None,
            directory: None,
            variables,
            problems: vec![Problem {
                file: file.to_owned(),
                line: 0,
                column: 0,
                message: message.to_owned(),
            }],
        }
    }

    /// The same content with another trust: a local file is trusted by its content, so that it has
    /// to be read first.
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

    /// Whether the content may have come with the repository: the committed file always, the local
    /// one until the user has vouched for it.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        match self.layer {
            Layer::Project => true,
            Layer::Local => self.trust == Trust::Untrusted,
            Layer::User | Layer::Managed => false,
        }
    }

    /// `autoMemoryEnabled`, as far as this layer may set it.
    #[must_use]
    pub fn enabled(&self) -> Option<Setting<bool>> {
        let value = self
            .enabled
            .filter(|enabled| !(*enabled && self.is_committed()))?;
        Some(self.setting(value))
    }

    /// `autoMemoryDirectory`, where this layer may set it.
    #[must_use]
    pub fn directory(&self) -> Option<Setting<&str>> {
        let value = self.directory.as_deref().filter(|_| !self.is_committed())?;
        Some(self.setting(value))
    }

    /// `autoMemoryDirectory` where this layer may not set it.
    #[must_use]
    pub fn refused_directory(&self) -> Option<Setting<&str>> {
        let value = self.directory.as_deref().filter(|_| self.is_committed())?;
        Some(self.setting(value))
    }

    /// The variables of ours that the `env` block names; the client puts them into the
    /// environment of whatever it starts.
    #[must_use]
    pub fn variables(&self) -> &NamedVariables {
        &self.variables
    }

    /// Whether nothing here could matter, whoever vouched for it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.enabled.is_none() && self.directory.is_none() && self.variables.0.is_empty()
    }

    /// What could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How strong a value from here is: a local file that nobody vouched for is a project file.
    pub(crate) fn strength(&self) -> Layer {
        if self.is_committed() {
            Layer::Project
        } else {
            self.layer
        }
    }

    fn setting<T>(&self, value: T) -> Setting<T> {
        Setting {
            value,
            layer: self.layer,
            file: self.file.clone(),
        }
    }

    fn read(&mut self, text: &[u8]) {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let fields = std::str::from_utf8(text)
            .map_err(|error| {
                let (line, column) = position(text, error.valid_up_to());
                (line, column, "not UTF-8".to_owned())
            })
            .and_then(|text| {
                let mut reader = serde_json::Deserializer::from_str(text);
                let fields = reader.deserialize_map(FieldsVisitor);
                fields
                    .and_then(|fields| reader.end().map(|()| fields))
                    .map_err(|error| {
                        (
                            error.line(),
                            error.column().max(1),
                            "not a JSON object".to_owned(),
                        )
                    })
            });
        match fields {
            Ok(fields) => self.take(text, &fields),
            Err((line, column, message)) => {
                self.variables = NamedVariables::occurring_in(text);
                self.problem(line, column, format!("{message}; the file is ignored"));
            }
        }
    }

    fn take(&mut self, text: &[u8], fields: &Fields<'_>) {
        if let Some(raw) = fields.enabled {
            match serde_json::from_str::<Option<bool>>(raw.get()) {
                Ok(value) => self.enabled = value,
                Err(_) => self.wrong_type(text, raw, "autoMemoryEnabled", "true or false"),
            }
        }
        if let Some(raw) = fields.directory {
            match serde_json::from_str::<Option<String>>(raw.get()) {
                Ok(value) => self.directory = value,
                Err(_) => self.wrong_type(text, raw, "autoMemoryDirectory", "a string"),
            }
        }
        if let Some(raw) = fields.env {
            let mut reader = serde_json::Deserializer::from_str(raw.get());
            match reader.deserialize_map(NamesVisitor) {
                Ok(names) => self.variables = names,
                Err(_) if raw.get() == "null" => {}
                Err(_) => self.wrong_type(text, raw, "env", "an object"),
            }
        }
    }

    fn wrong_type(&mut self, text: &[u8], raw: &RawValue, key: &str, expected: &str) {
        // The raw value borrows from the text, so that its address tells its place.
        let offset = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let (line, column) = position(text, offset);
        self.problem(
            line,
            column,
            format!("`{key}` has to be {expected}; it is ignored"),
        );
    }

    fn problem(&mut self, line: usize, column: usize, message: String) {
        self.problems.push(Problem {
            file: self.file.clone(),
            line,
            column,
            message,
        });
    }
}

fn position(text: &[u8], offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before
        .iter()
        .rev()
        .take_while(|byte| **byte != b'\n')
        .count()
        + 1;
    (line, column)
}

/// The fields of ours, unread. Read by hand rather than by derive: of a key that stands twice the
/// last counts, as in the client.
#[derive(Default)]
struct Fields<'text> {
    enabled: Option<&'text RawValue>,
    directory: Option<&'text RawValue>,
    env: Option<&'text RawValue>,
}

struct FieldsVisitor;

impl<'text> Visitor<'text> for FieldsVisitor {
    type Value = Fields<'text>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "autoMemoryEnabled" => fields.enabled = Some(map.next_value()?),
                "autoMemoryDirectory" => fields.directory = Some(map.next_value()?),
                "env" => fields.env = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

struct NamesVisitor;

impl<'text> Visitor<'text> for NamesVisitor {
    type Value = NamedVariables;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut names = BTreeSet::new();
        while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
            names.extend(known().find(|name| *name == key));
        }
        Ok(NamedVariables(names))
    }
}
