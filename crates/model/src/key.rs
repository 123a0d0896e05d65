//! Keys: where they come from, and that they go nowhere but into a header.

use std::fmt;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

/// The longest key that is read from a file.
const MAX_KEY: u64 = 16 * 1024;
/// Who but the owner may do anything with the file.
const OTHERS: u32 = 0o077;

/// A key. It prints as where it comes from, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Key {
    value: SecretString,
    source: KeySource,
}

/// Where a key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// A variable of the environment.
    Variable(String),
    /// A file of the user's.
    File(PathBuf),
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file is not there or cannot be read.
    #[error("the key file {} cannot be read: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Others than its owner may read the file.
    #[error("the key file {} is open to others (mode {mode:04o}); run `chmod 600` on it", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// Somebody else owns the file.
    #[error("the key file {} belongs to somebody else", path.display())]
    Owner {
        /// The file.
        path: PathBuf,
    },
    /// It is a folder, a link or a device.
    #[error("the key file {} is not a plain file", path.display())]
    NotPlain {
        /// The file.
        path: PathBuf,
    },
    /// What stands there cannot be a key.
    #[error("{0} holds no key: it has to be one line of printable characters")]
    NoKey(KeySource),
}

impl Key {
    /// A key from the value of a variable.
    ///
    /// ```
    /// use memdir_model::Key;
    ///
    /// let key = Key::from_variable("ANTHROPIC_API_KEY", " sk-one \n").unwrap();
    /// assert_eq!(format!("{key:?}"), "Key(the variable ANTHROPIC_API_KEY)");
    /// ```
    ///
    /// # Errors
    ///
    /// When it is empty or cannot stand in a header.
    pub fn from_variable(name: &str, value: &str) -> Result<Self, KeyError> {
        Self::new(value, KeySource::Variable(name.to_owned()))
    }

    /// A key from a file that only its owner may read. A link is not followed.
    ///
    /// # Errors
    ///
    /// When the file is not there, not plain, open to others, somebody else's, or holds no key.
    pub fn from_file(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::File {
            path: path.to_owned(),
            source,
        };
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let opened = std::fs::File::options()
            .read(true)
            .custom_flags(i32::try_from(flags.bits()).unwrap_or(0))
            .open(path);
        let file = match opened {
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                return Err(KeyError::NotPlain { path: path.into() });
            }
            opened => opened.map_err(failed)?,
        };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(KeyError::NotPlain { path: path.into() });
        }
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(KeyError::Owner { path: path.into() });
        }
        let mode = metadata.mode() & 0o7777;
        if mode & OTHERS != 0 {
            return Err(KeyError::Open {
                path: path.into(),
                mode,
            });
        }
        let mut text = secrecy::zeroize::Zeroizing::new(String::new());
        file.take(MAX_KEY)
            .read_to_string(&mut text)
            .map_err(failed)?;
        Self::new(&text, KeySource::File(path.to_owned()))
    }

    fn new(text: &str, source: KeySource) -> Result<Self, KeyError> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NoKey(source));
        }
        Ok(Self {
            value: text.into(),
            source,
        })
    }

    /// Where it comes from.
    #[must_use]
    pub fn source(&self) -> &KeySource {
        &self.source
    }

    /// A text without the key in it, should a provider have repeated it.
    #[must_use]
    pub fn struck_from(&self, text: &str) -> String {
        text.replace(self.value.expose_secret(), "[key]")
    }

    /// A header with the key behind a prefix; it is not printed either.
    pub(crate) fn header(&self, prefix: &str) -> Option<reqwest::header::HeaderValue> {
        let text =
            secrecy::zeroize::Zeroizing::new(format!("{prefix}{}", self.value.expose_secret()));
        let mut value = reqwest::header::HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Key({})", self.source)
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(to, "the variable {name}"),
            Self::File(path) => write!(to, "the file {}", path.display()),
        }
    }
}
