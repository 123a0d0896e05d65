//! A message that is too long for the window: it goes into a file that the model can search.

use std::path::Path;

use memdir_memory::scrub;
use memdir_store::Directory;

use crate::table::thousands;

/// Bytes of a token, roughly.
const TOKEN_BYTES: u64 = 4;
/// So much of its beginning and of its end stays: there the question stands.
const KEPT: usize = 2_000;

/// A message as it is said, and what the user is told about it.
pub(crate) struct Fitted {
    pub(crate) text: String,
    pub(crate) told: Option<String>,
}

/// The message as it is, or, where it would take more than half of what is available, its beginning, its end, and where
/// the whole of it stands. `number` tells it from other messages.
pub(crate) fn fitted(
    text: String,
    number: usize,
    available: u64,
    scratchpad: &Path,
) -> memdir_store::Result<Fitted> {
    let tokens = text.len() as u64 / TOKEN_BYTES;
    if tokens <= available / 2 {
        return Ok(Fitted { text, told: None });
    }
    let folder = Directory::create(scratchpad)?;
    let name = format!("long-message-{number}.txt");
    // What is private or secret goes to the model of the conversation, and into no file.
    folder.replace_file(&name, scrub(&text).as_bytes())?;
    let path = scratchpad.join(name);
    let first = text
        .get(..text.floor_char_boundary(KEPT))
        .unwrap_or_default();
    let last = text.get(text.ceil_char_boundary(text.len().saturating_sub(KEPT))..);
    let bytes = thousands(text.len());
    let shown = path.display();
    let whole = format!(
        "{first}\n\n[Here most of the message is left out, because it is too long for the window. All {bytes} bytes of it stand \
         in {shown}: search there with Grep for what is needed.]\n\n{}",
        last.unwrap_or_default()
    );
    let told = format!(
        "that is about {} tokens, and there is room for {}: the model got its beginning and its end, and can search the rest \
         in a temporary file",
        thousands(usize::try_from(tokens).unwrap_or(usize::MAX)),
        thousands(usize::try_from(available).unwrap_or(usize::MAX)),
    );
    Ok(Fitted {
        text: whole,
        told: Some(told),
    })
}
