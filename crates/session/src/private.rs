//! What the user marked as private is not stored by us.

use std::borrow::Cow;

use memdir_conversation::{Block, Kind, Message};
use memdir_memory::{PRIVATE_STAND_IN, PrivateSpans};

/// Takes what is private out of a message, a picture between the marks too. Says whether there was any.
pub fn cut_private(message: &mut Message) -> bool {
    let mut spans = PrivateSpans::default();
    let mut cut = false;
    for block in &mut message.blocks {
        let kept = match block.words() {
            Some(words) => match spans.cut(&words) {
                Cow::Owned(kept) => kept,
                Cow::Borrowed(_) => continue,
            },
            None if spans.open() && matches!(block.kind(), Kind::Image | Kind::Document) => {
                PRIVATE_STAND_IN.to_owned()
            }
            None => continue,
        };
        *block = Block::text(&kept);
        message.wire = None;
        cut = true;
    }
    cut
}
