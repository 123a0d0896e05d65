//! Settings files of projects for which the user has vouched, by path and content.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::records::{Record, RecordError, Records, Seen};

/// What the user has said yes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TrustRecord {
    /// BLAKE3 of the content, all of it: whoever writes the file may search for a collision.
    content: String,
}

impl Record for TrustRecord {
    const KIND: &'static str = "trust";
    const VERSION: u64 = 1;
}

/// Whether the user has vouched for this file with this very content. Anything in doubt is a no.
#[must_use]
pub fn is_trusted(home: &Path, file: &Path, content: &[u8]) -> bool {
    let Some(key) = file.to_str() else {
        return false;
    };
    match records(home).get::<TrustRecord>(key) {
        Ok(Some((record, _))) => record.content == fingerprint(content),
        Ok(None) | Err(_) => false,
    }
}

/// Records that the user vouches for this file with this content.
pub fn trust(home: &Path, file: &Path, content: &[u8]) -> Result<Seen, RecordError> {
    let content = fingerprint(content);
    let key = file.to_string_lossy();
    records(home).update(&key, |_| TrustRecord {
        content: content.clone(),
    })
}

fn records(home: &Path) -> Records {
    Records::new(home.join("memdir"))
}

fn fingerprint(content: &[u8]) -> String {
    blake3::hash(content).to_hex().to_string()
}
