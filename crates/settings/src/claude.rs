//! The parts of Claude Code's `settings.json` that memory depends on.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::layer::Severity;
use crate::nearest::{AUTO_COMPACT, AUTO_MEMORY, CLAUDE_NAMES, EXTERNAL_INCLUDES};
use crate::position::position;
use crate::tree::Key;
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

/// Which variables the `env` block of a settings file names, and with which text, where that is known: those of ours, and
/// those that only the programs read which we start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedVariables {
    own: BTreeMap<&'static str, Option<String>>,
    others: BTreeMap<String, Option<String>>,
    /// Whether there may be others still.
    is_open: bool,
}

impl NamedVariables {
    /// Every variable there is: for a file that could not be read, but that a client might have.
    #[must_use]
    pub fn all() -> Self {
        Self {
            own: variables::all().map(|name| (name, None)).collect(),
            others: BTreeMap::new(),
            is_open: true,
        }
    }

    /// Whether the block names this variable of ours.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.own.contains_key(name)
    }

    /// The named variables of ours in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.own.keys().copied()
    }

    /// The named variables that are none of ours, in order of their names.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.others.keys().map(String::as_str)
    }

    /// Whether the block may name any variable: it could not be read as the client may have read it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The text that the block gives a variable, where it is known.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let own = self.own.get(name);
        own.or_else(|| self.others.get(name))?.as_deref()
    }

    /// Whether it names none at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.others.is_empty() && !self.is_open
    }

    /// Those of ours that occur anywhere in a text that is not JSON. The client's parser may be more
    /// forgiving than ours, so what cannot be parsed is searched; with an escape in it, a name can
    /// hide, and everything counts as named. Which others there are nobody knows.
    fn occurring_in(text: &[u8]) -> Self {
        // In UTF-16 and UTF-32 there are zeros around each byte of a name.
        let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != 0).collect();
        let text = text.as_slice();
        if contains(text, b"\\u") {
            return Self::all();
        }
        let named = |name: &&str| contains(text, format!("\"{name}\"").as_bytes());
        Self {
            own: variables::all()
                .filter(named)
                .map(|name| (name, None))
                .collect(),
            ..Self::all()
        }
    }
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
/// // A committed file may not say where memory lives.
/// assert_eq!(project.directory(), None);
/// assert_eq!(project.refused_directory().unwrap().value, "~/.ssh");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeSettings {
    layer: Layer,
    trust: Trust,
    file: String,
    /// With their lines.
    switches: [Option<(bool, usize)>; CLAUDE_NAMES.len()],
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
            switches: [None; CLAUDE_NAMES.len()],
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
            switches: [None; CLAUDE_NAMES.len()],
            directory: None,
            variables,
            problems: vec![Problem {
                file: file.to_owned(),
                line: 0,
                column: 0,
                message: message.to_owned(),
                severity: Severity::Warning,
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
        self.layer.is_committed(self.trust)
    }

    /// The settings of ours that it sets under names of Claude Code's, whether it may or not: what the file calls
    /// each, which it is, its value and its line.
    pub fn switches(&self) -> impl Iterator<Item = (&'static str, &'static Key, bool, usize)> + '_ {
        CLAUDE_NAMES
            .iter()
            .zip(&self.switches)
            .filter_map(|((theirs, ours), switch)| {
                let (value, line) = (*switch)?;
                Some((*theirs, Key::find(ours)?, value, line))
            })
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

    /// The variables that the `env` block names; the client puts them into the environment of
    /// whatever it starts.
    #[must_use]
    pub fn variables(&self) -> &NamedVariables {
        &self.variables
    }

    /// Whether nothing here could matter, whoever vouched for it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.switches.iter().all(Option::is_none)
            && self.directory.is_none()
            && self.variables.is_empty()
    }

    /// What could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
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
        let mut switches = [None; CLAUDE_NAMES.len()];
        let raws = [fields.enabled, fields.compact, fields.includes];
        for (((name, _), slot), raw) in CLAUDE_NAMES.iter().zip(&mut switches).zip(raws) {
            let Some(raw) = raw else { continue };
            match serde_json::from_str::<Option<bool>>(raw.get()) {
                Ok(value) => {
                    let (line, _) = position(text, offset_of(text, raw));
                    *slot = value.map(|value| (value, line));
                }
                Err(_) => self.wrong_type(text, raw, name, "true or false"),
            }
        }
        self.switches = switches;
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
        let (line, column) = position(text, offset_of(text, raw));
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
            severity: Severity::Warning,
        });
    }
}

/// The raw value borrows from the text, so that its address tells its place.
fn offset_of(text: &[u8], raw: &RawValue) -> usize {
    (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The fields of ours, unread. Read by hand rather than by derive: of a key that stands twice the
/// last counts, as in the client.
#[derive(Default)]
struct Fields<'text> {
    enabled: Option<&'text RawValue>,
    compact: Option<&'text RawValue>,
    includes: Option<&'text RawValue>,
    directory: Option<&'text RawValue>,
    env: Option<&'text RawValue>,
}

/// The section in which clients keep what concerns instruction files.
const INSTRUCTIONS: &str = "claudeMd";

/// What a section says about includes. The name also stands for a text, which says nothing about them.
fn within_instructions(section: &RawValue) -> Option<&RawValue> {
    let (_, field) = EXTERNAL_INCLUDES.split_once('.')?;
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(section.get()).ok()?;
    fields.remove(field)
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
                AUTO_MEMORY => fields.enabled = Some(map.next_value()?),
                AUTO_COMPACT => fields.compact = Some(map.next_value()?),
                EXTERNAL_INCLUDES => fields.includes = Some(map.next_value()?),
                INSTRUCTIONS => {
                    let within = map.next_value()?;
                    fields.includes = within_instructions(within).or(fields.includes);
                }
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
        let mut named = NamedVariables::default();
        while let Some(key) = map.next_key::<String>()? {
            let raw: &RawValue = map.next_value()?;
            // The client puts nothing but texts into the environment as they are.
            let value = serde_json::from_str(raw.get()).ok();
            match variables::all().find(|name| *name == key) {
                Some(name) => named.own.insert(name, value),
                None => named.others.insert(key, value),
            };
        }
        Ok(named)
    }
}
