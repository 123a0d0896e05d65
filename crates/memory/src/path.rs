//! Where a memory lies beneath its directory: one rule for names that mean the same everywhere.
//!
//! A name that is harmless on this disk may be a way out once it travels through an address, an
//! archive or another system. So one rule holds on every platform, and it refuses with a reason.

mod characters;

use std::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use characters::{is_invisible, looks_like_separator};

/// The index of a memory directory.
pub const INDEX_NAME: &str = "MEMORY.md";

const MAX_BYTES: usize = 1_000;
const MAX_COMPONENT_BYTES: usize = 255;
const MAX_COMPONENTS: usize = 16;
const SHELL_STARTS: [char; 3] = ['~', '-', '$'];

/// A relative path of a Markdown file beneath a memory directory, with `/` between its parts.
///
/// ```
/// use memdir_memory::{MemoryPath, PathProblem};
/// let path = MemoryPath::new("team/review-rules.md")?;
/// assert_eq!(path.file_name(), "review-rules.md");
/// assert_eq!(MemoryPath::new("../secrets.md"), Err(PathProblem::DotComponent));
/// # Ok::<(), PathProblem>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryPath(String);

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PathProblem {
    /// Nothing at all.
    #[error("the name is empty")]
    Empty,
    /// Over 1,000 bytes.
    #[error("the path is over {MAX_BYTES} bytes long: choose a shorter one")]
    TooLong,
    /// A part of over 255 bytes.
    #[error("a part of the path is over {MAX_COMPONENT_BYTES} bytes long: choose a shorter name")]
    ComponentTooLong,
    /// More than 16 parts.
    #[error("the path is more than {MAX_COMPONENTS} folders deep")]
    TooDeep,
    /// Begins with `/`.
    #[error("the path is absolute: give it relative to the memory directory")]
    Absolute,
    /// `//`, or `/` at the end.
    #[error("the path has an empty part (`//`, or `/` at its end)")]
    EmptyComponent,
    /// `.` or `..` as a part.
    #[error("the path has `.` or `..` as a part: name the file directly")]
    DotComponent,
    /// A part that begins with a dot.
    #[error("a part of the path begins with a dot: hidden files are not memories")]
    Hidden,
    /// `\`, which other systems take for a separator; also UNC forms.
    #[error("the path has a backslash: parts are separated by `/`")]
    Backslash,
    /// `C:` and `name:stream`.
    #[error("the path has a colon: it would name a drive or a stream on other systems")]
    Colon,
    /// One of `< > " | ? *`.
    #[error("the path has one of < > \" | ? *, which other systems do not allow in names")]
    Forbidden,
    /// A control character, NUL and line ends among them.
    #[error("the path has a control character")]
    Control,
    /// A character that nobody sees: joiners, marks of direction, variation selectors.
    #[error("the path has an invisible character (zero width, direction or variation mark)")]
    Invisible,
    /// `%2e` and the like, also encoded twice.
    #[error("the path has a percent-encoded character: write the character itself")]
    PercentEncoded,
    /// A character that looks like, or is normalised to, a separator or a dot.
    #[error("the path has a character that only looks like a dot, slash, backslash or colon")]
    LookAlike,
    /// Not in Unicode's composed form.
    #[error("the path is not in composed Unicode form (NFC), so that a twin of it could exist")]
    NotComposed,
    /// A name that other systems keep for a device.
    #[error("the name is reserved for a device on other systems (con, nul, com1, ...)")]
    Reserved,
    /// A part that begins or ends with a blank, or ends with a dot.
    #[error("a part of the path begins or ends with a blank, or ends with a dot")]
    Edge,
    /// A part that begins with `~`, `-` or `$`.
    #[error(
        "a part of the path begins with `~`, `-` or `$`, which a shell would not take for a name"
    )]
    ShellStart,
    /// Not a Markdown file.
    #[error("the name does not end in `.md`")]
    NotMarkdown,
}

impl MemoryPath {
    /// Accepts a path, or says why not.
    pub fn new(path: &str) -> Result<Self, PathProblem> {
        check(path)?;
        Ok(Self(path.to_owned()))
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The parts of the path, the file's name last.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The last part.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last part without `.md`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.strip_suffix(".md").unwrap_or(name)
    }

    /// The folder the file is in, without a `/` at its end; none for a file at the top.
    pub fn folder(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Whether this is an index, of the directory itself or of a folder in it, in any case.
    pub fn is_index(&self) -> bool {
        self.file_name().eq_ignore_ascii_case(INDEX_NAME)
    }

    /// What two paths share that are one file where case or compatibility forms do not count.
    pub fn folded(&self) -> String {
        self.0.nfkc().flat_map(char::to_lowercase).nfkc().collect()
    }
}

/// Whether a path is of the form that nearly every memory has: one short part of letters, digits,
/// `_` and `-`. The scan asks this for each file, so it is one look at each byte.
fn is_ordinary(path: &str) -> bool {
    let Some(stem) = path.strip_suffix(".md") else {
        return false;
    };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    // Device names are shorter than this.
    (8..=200).contains(&stem.len())
        && stem.starts_with(|first: char| first.is_ascii_alphanumeric())
        && stem.as_bytes().iter().all(is_plain)
}

fn check(path: &str) -> Result<(), PathProblem> {
    if is_ordinary(path) {
        return Ok(());
    }
    if path.is_empty() {
        return Err(PathProblem::Empty);
    }
    if path.len() > MAX_BYTES {
        return Err(PathProblem::TooLong);
    }
    if path.chars().any(char::is_control) {
        return Err(PathProblem::Control);
    }
    if path.contains('\\') {
        return Err(PathProblem::Backslash);
    }
    if path.starts_with('/') {
        return Err(PathProblem::Absolute);
    }
    if path.contains(':') {
        return Err(PathProblem::Colon);
    }
    if has_percent_encoding(path) {
        return Err(PathProblem::PercentEncoded);
    }
    if !path.is_ascii() {
        check_beyond_ascii(path)?;
    }
    if path.split('/').count() > MAX_COMPONENTS {
        return Err(PathProblem::TooDeep);
    }
    path.split('/').try_for_each(check_component)?;
    if !path.ends_with(".md") {
        return Err(PathProblem::NotMarkdown);
    }
    Ok(())
}

fn check_component(component: &str) -> Result<(), PathProblem> {
    if component.is_empty() {
        return Err(PathProblem::EmptyComponent);
    }
    if component.len() > MAX_COMPONENT_BYTES {
        return Err(PathProblem::ComponentTooLong);
    }
    if component == "." || component == ".." {
        return Err(PathProblem::DotComponent);
    }
    if component.starts_with(char::is_whitespace)
        || component.ends_with(|c: char| c == '.' || c.is_whitespace())
    {
        return Err(PathProblem::Edge);
    }
    if component.starts_with('.') {
        return Err(PathProblem::Hidden);
    }
    if component.starts_with(SHELL_STARTS) {
        return Err(PathProblem::ShellStart);
    }
    if component.contains(['<', '>', '"', '|', '?', '*']) {
        return Err(PathProblem::Forbidden);
    }
    if is_reserved(component) {
        return Err(PathProblem::Reserved);
    }
    Ok(())
}

fn check_beyond_ascii(path: &str) -> Result<(), PathProblem> {
    if path.chars().any(is_invisible) {
        return Err(PathProblem::Invisible);
    }
    if path.chars().any(looks_like_separator) {
        return Err(PathProblem::LookAlike);
    }
    // Compatibility forms: what a normalising system on the way would turn into a dot, a
    // separator, a device name or a `%2e` must not be accepted in its disguise either.
    let normalised: String = path.nfkc().collect();
    let marks = |text: &str| text.chars().filter(|c| is_mark(*c)).count();
    if marks(&normalised) != marks(path) || normalised.chars().any(looks_like_separator) {
        return Err(PathProblem::LookAlike);
    }
    if !is_nfc(path) {
        return Err(PathProblem::NotComposed);
    }
    if normalised.split('/').any(is_reserved) {
        return Err(PathProblem::Reserved);
    }
    if normalised
        .split('/')
        .any(|part| part.starts_with(SHELL_STARTS))
    {
        return Err(PathProblem::ShellStart);
    }
    if has_percent_encoding(&normalised) {
        return Err(PathProblem::PercentEncoded);
    }
    Ok(())
}

/// Characters with a meaning in paths: a path must not gain one by normalising.
fn is_mark(c: char) -> bool {
    matches!(c, '/' | '\\' | '.' | ':' | '%')
}

fn has_percent_encoding(path: &str) -> bool {
    path.as_bytes().windows(3).any(|window| match window {
        [b'%', high, low] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    })
}

/// Device names of other systems, with or without an extension.
fn is_reserved(component: &str) -> bool {
    let stem = component.split('.').next().unwrap_or(component).trim_end();
    let stem = stem.to_ascii_lowercase();
    match stem.as_str() {
        "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$" => true,
        stem => {
            let port = stem
                .strip_prefix("com")
                .or_else(|| stem.strip_prefix("lpt"));
            let mut port = port.unwrap_or_default().chars();
            matches!(
                (port.next(), port.next()),
                (Some('0'..='9' | '¹' | '²' | '³'), None)
            )
        }
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

impl AsRef<str> for MemoryPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for MemoryPath {
    type Err = PathProblem;

    fn from_str(path: &str) -> Result<Self, PathProblem> {
        Self::new(path)
    }
}

impl TryFrom<String> for MemoryPath {
    type Error = PathProblem;

    fn try_from(path: String) -> Result<Self, PathProblem> {
        check(&path)?;
        Ok(Self(path))
    }
}

impl serde::Serialize for MemoryPath {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for MemoryPath {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let path = String::deserialize(from)?;
        Self::try_from(path).map_err(serde::de::Error::custom)
    }
}
