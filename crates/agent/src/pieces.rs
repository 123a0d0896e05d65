//! What is private in a message that its reader cut in pieces: what one opens another may close.

use memdir_conversation::{Message, MessageId};
use memdir_memory::PrivateSpans;

/// The private spans of what the user said, over the pieces of each message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    whole: Option<MessageId>,
    spans: PrivateSpans,
}

impl Pieces {
    /// The spans as the pieces before left them. Only what the user typed may open or close one: ask for no others.
    pub(crate) fn spans(&mut self, message: &Message) -> &mut PrivateSpans {
        let whole = self.whole.as_ref().map(MessageId::as_str);
        let continued = whole.is_some_and(|whole| is_piece(message.id.as_str(), whole));
        if !continued {
            self.whole = Some(message.id.clone());
            self.spans = PrivateSpans::default();
        }
        &mut self.spans
    }
}

/// Whether an id is that of a piece of this message: the first has the id of the whole, others that and a number.
fn is_piece(id: &str, whole: &str) -> bool {
    let number = id
        .strip_prefix(whole)
        .and_then(|rest| rest.strip_prefix('.'));
    id == whole || number.is_some_and(|number| number.parse::<usize>().is_ok())
}
