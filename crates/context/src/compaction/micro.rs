//! Clearing old results of tools, before a request and without a model.

use std::collections::HashSet;

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Block, Edits, Flattening, Kind, Message, MessageId, flatten};

use super::economy::{BreakEven, CachePrices};
use super::fade;
use super::provider::ProviderEditing;
use super::saved::{self, Markers, SavedResult};
use super::tools::Tool;
use super::weight;
use crate::limits::ClearedLimits;

/// What a model does with its thinking when something before it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// It takes it as it is.
    Free,
    /// It refuses or drops it.
    Bound,
    /// It refuses or drops it, but its provider clears results by itself when asked to.
    BoundWithEditing,
}

/// What has to be known to clear results.
#[derive(Clone, Copy)]
pub struct Clearing<'a> {
    /// The messages that the model sees.
    pub visible: &'a [&'a Message],
    /// What is sent differently already.
    pub edits: &'a Edits,
    /// How messages are counted, allowance for error included.
    pub weights: &'a dyn Estimate,
    /// How many tokens the next request has.
    pub used: u64,
    /// How many of them stand before the first message: tools and system.
    pub before: u64,
    /// From how many on results are cleared.
    pub warning: u64,
    /// How much is cleared.
    pub limits: ClearedLimits,
    /// The folder for the results, as the model can find it.
    pub folder: &'a str,
    /// What becomes of thinking.
    pub thinking: Thinking,
    /// What the cache costs.
    pub prices: CachePrices,
    /// The names of the tools in the request.
    pub tools: &'a [&'a str],
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Micro {
    /// Results were cleared.
    Cleared(Box<Cleared>),
    /// The provider is asked to do it, in this and every later request.
    Provider(ProviderEditing),
    /// Nothing was done.
    Nothing(NothingCleared),
}

/// Why nothing was cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NothingCleared {
    /// There is room.
    BelowWarning {
        /// How many tokens there are.
        used: u64,
        /// From how many on results are cleared.
        warning: u64,
    },
    /// The results that stand are few enough.
    FewResults {
        /// How many tokens they have.
        standing: u64,
        /// How many they may have.
        limit: u64,
    },
    /// It would not be worth what it costs.
    SavesLittle {
        /// How many tokens it would save.
        saving: u64,
        /// How many it would have to.
        least: u64,
    },
}

/// Results that were cleared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared {
    /// What is sent differently from now on: all that was before, and more.
    pub edits: Edits,
    /// What has to be saved before the next request, oldest first.
    pub saved: Vec<SavedResult>,
    /// How many recalled memories and rules gave way to their names.
    pub faded: usize,
    /// How many messages go without their thinking.
    pub thoughtless: usize,
    /// The tokens of the request before.
    pub tokens_before: u64,
    /// The tokens of the request afterwards.
    pub tokens_after: u64,
    /// When it has paid for itself.
    pub break_even: BreakEven,
}

/// All results of one call in one message: a broken history may have several.
struct Standing<'a> {
    message: &'a MessageId,
    call: &'a str,
    blocks: Vec<&'a Block>,
    weight: u64,
}

/// Decides which results are cleared. Done twice, the second time does nothing; the same values give the same bytes.
#[must_use]
pub fn micro(clearing: &Clearing<'_>) -> Micro {
    let Clearing {
        used,
        warning,
        limits,
        ..
    } = *clearing;
    if clearing.thinking == Thinking::BoundWithEditing {
        return Micro::Provider(ProviderEditing::new(warning, limits, clearing.tools));
    }
    if used < warning {
        return Micro::Nothing(NothingCleared::BelowWarning { used, warning });
    }
    let results = standing(clearing);
    let mut stands: u64 = results.iter().map(|result| result.weight).sum();
    if stands <= limits.standing {
        return Micro::Nothing(NothingCleared::FewResults {
            standing: stands,
            limit: limits.standing,
        });
    }
    let mut edits = clearing.edits.clone();
    let mut saved = Vec::new();
    let mut saving = 0;
    let mut named: HashSet<&str> = clearing.edits.all_cleared().map(|(_, id, _)| id).collect();
    let mut markers = Markers::new(clearing.folder, clearing.weights);
    let old = results.len().saturating_sub(limits.results);
    for result in results.iter().take(old) {
        // Where each change costs all later thinking, there is one large step instead of many small ones.
        if clearing.thinking == Thinking::Free && stands <= limits.standing {
            break;
        }
        let file = match named.contains(result.call) {
            true => saved::repeated_result_file(result.message, result.call),
            false => saved::result_file(result.call),
        };
        let (marker, tokens) = markers.marker(&file);
        let marked = tokens * result.blocks.len() as u64;
        if marked >= result.weight {
            continue;
        }
        edits.clear(result.message, result.call, &marker);
        named.insert(result.call);
        stands -= result.weight;
        saving += result.weight - marked;
        saved.push(SavedResult {
            file,
            results: result.blocks.iter().copied().cloned().collect(),
        });
    }
    if saving < limits.saving {
        return Micro::Nothing(NothingCleared::SavesLittle {
            saving,
            least: limits.saving,
        });
    }
    let (faded, more) = fade::old_reminders(clearing, &mut edits);
    let gone = saving + more;
    Micro::Cleared(Box::new(finished(clearing, edits, saved, faded, gone)))
}

/// The results that may be cleared and are not yet, in the order in which they came.
fn standing<'a>(clearing: &Clearing<'a>) -> Vec<Standing<'a>> {
    let mut clearable: HashSet<&str> = HashSet::with_capacity(clearing.visible.len() / 2);
    let mut results: Vec<Standing<'a>> = Vec::new();
    for message in clearing.visible {
        let before = results.len();
        for block in &message.blocks {
            match block.kind() {
                Kind::ToolCall { id, name } => {
                    match Tool::named(name) {
                        Some(_) => clearable.insert(id),
                        None => clearable.remove(&**id),
                    };
                }
                Kind::ToolResult { call, .. }
                    if clearable.contains(&**call)
                        && clearing.edits.cleared(&message.id, call).is_none() =>
                {
                    let weight = clearing.weights.block(block);
                    let mut beside = results.iter_mut().skip(before);
                    match beside.find(|result| result.call == &**call) {
                        Some(result) => {
                            result.weight += weight;
                            result.blocks.push(block);
                        }
                        None => results.push(Standing {
                            message: &message.id,
                            call,
                            blocks: vec![block],
                            weight,
                        }),
                    }
                }
                _ => {}
            }
        }
    }
    results
}

/// The new edits with what follows from them: thinking that can no longer be sent, and the count.
fn finished(
    clearing: &Clearing<'_>,
    mut edits: Edits,
    saved: Vec<SavedResult>,
    faded: usize,
    mut gone: u64,
) -> Cleared {
    let changed = |message: &&Message| is_changed(message, clearing.edits, &edits);
    let first = clearing.visible.iter().position(changed);
    let first = first.unwrap_or(clearing.visible.len());
    let mut thoughtless = 0;
    if clearing.thinking == Thinking::Bound {
        for message in thinking_behind(clearing.visible, clearing.edits, &edits) {
            let before = weight::message(clearing.weights, &edits, message);
            edits.forget_thinking(&message.id);
            gone += before - weight::message(clearing.weights, &edits, message).min(before);
            thoughtless += 1;
        }
    }
    // What the rest weighs need not be known: it is what it was, less what is gone.
    let same = clearing.visible.iter().take(first).copied();
    let at = clearing.before + weight::messages(clearing.weights, &edits, same);
    Cleared {
        saved,
        faded,
        thoughtless,
        tokens_before: clearing.used,
        tokens_after: clearing.used.saturating_sub(gone),
        break_even: BreakEven::new(clearing.used, at, gone, clearing.prices),
        edits,
    }
}

/// The messages with thinking behind the first change, as they are sent: flattening may have moved a result before
/// messages that it came after.
fn thinking_behind<'a>(visible: &[&'a Message], before: &Edits, after: &Edits) -> Vec<&'a Message> {
    let flat = |edits| {
        let how = Flattening {
            edits: Some(edits),
            ..Flattening::default()
        };
        flatten(visible, &how).messages
    };
    let (old, new) = (flat(before), flat(after));
    let same = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old.blocks == new.blocks);
    let sent: HashSet<*const Block> = new
        .iter()
        .skip(same.count())
        .flat_map(|message| &message.blocks)
        .filter(|block| *block.kind() == Kind::Thinking)
        .map(|block| std::ptr::from_ref(block.as_ref()))
        .collect();
    let behind = visible.iter().filter(|message| {
        let mut blocks = message.blocks.iter();
        blocks.any(|block| sent.contains(&std::ptr::from_ref(block)))
    });
    behind.copied().collect()
}

/// Whether a message is sent differently now.
fn is_changed(message: &Message, before: &Edits, after: &Edits) -> bool {
    if before.faded(&message.id) != after.faded(&message.id) {
        return true;
    }
    message.blocks.iter().any(|block| match block.kind() {
        Kind::ToolResult { call, .. } => {
            before.cleared(&message.id, call) != after.cleared(&message.id, call)
        }
        _ => false,
    })
}
