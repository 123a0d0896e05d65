//! What the user wants to be forgotten.

use super::seeming;
use super::words::{FACT_OPENINGS, FILLERS, ONE_OFF};
use super::{before_please, head, without_lead_in, words_of};
use crate::rules::phrases::Phrases;

/// What of a clause is to be forgotten.
pub(super) fn object(clause: &str) -> Option<&str> {
    let rest = FORGET_PREFACES.after(clause).unwrap_or(clause);
    let rest = FILLERS.after(rest).unwrap_or(rest);
    if ONE_OFF.within(head(rest)) {
        return None;
    }
    if let Some(object) = ERASE.after(rest) {
        let said = FORGET_SAID.opens(object) && UNSAID.opens(rest);
        let memory = MEMORY_OBJECTS
            .after(object)
            .is_some_and(|rest| !seeming::is_not_a_memory(object, rest));
        let known = said || memory || OUT_OF_MEMORY.within(object);
        return (known && words_of(object).count() >= 2).then_some(object);
    }
    if let Some(object) = REMEMBER_NO_MORE.after(rest) {
        let recalls = NOT_RECALLED.opens(object);
        return (!recalls && words_of(object).count() >= 2).then_some(object);
    }
    let Some(object) = FORGET.after(rest) else {
        // "The rule about … no longer applies, you can forget it."
        let bare = before_please(rest.trim_end_matches(['.', '!', ' ']));
        let (told, last) = bare.rsplit_once([',', ';', '-', '—'])?;
        let known =
            FORGET_THINGS.opens(rest) || MEMORY_OBJECTS.opens(rest) || FORGET_SAID.opens(rest);
        let forgets = FORGET_IT.is(without_lead_in(last.trim_start()));
        return (known && forgets && words_of(told).count() >= 2).then_some(rest);
    };
    if let Some(thing) = FORGET_SAID.after(object) {
        return (words_of(thing).count() >= 2).then_some(thing);
    }
    if let Some(fact) = FORGET_THAT.after(object) {
        return (words_of(fact).count() >= 3 && FACT_OPENINGS.opens(fact)).then_some(object);
    }
    let told = FORGET_NOUNS.within(head(object)) && TOLD_BEFORE.within(object);
    let known = FORGET_THINGS.opens(object) && !MESSAGES.within(head(object)) || told;
    (known && words_of(object).count() >= 2).then_some(object)
}

static FORGET_PREFACES: Phrases = Phrases::of(
    "\
    you can; you may; you should; let's; i want you to; i'd like you to; i need you to; you could; go ahead and",
);
pub(super) static FORGET: Phrases = Phrases::of("forget");
pub(super) static ERASE: Phrases = Phrases::of(
    "\
    delete; remove; drop; erase; clear; scrap; discard; wipe; get rid of; throw away; throw out; ditch; purge",
);
static UNSAID: Phrases = Phrases::of("scrap; drop; discard; erase; ditch; delete");
static MEMORY_OBJECTS: Phrases = Phrases::of(
    "\
    the memory; the memories; that memory; your memory; your memories; my memory; any memory; any memories; all memories; \
    the saved; the stored; the remembered; what you saved; what you've saved; what you stored; what you remembered; \
    what you remember; what you know; what you noted; what you have; everything you saved; everything you know; \
    everything you remember; anything you saved; anything you know; the note you; the entry about; the note about; \
    your note about; your notes on; your notes about; your entry; the memory entry; that note about; the note on",
);
static OUT_OF_MEMORY: Phrases = Phrases::of(
    "\
    from memory; from your memory; from your memories; from the memory; from what you remember; from your notes; \
    from the saved memories; out of your memory",
);
pub(super) static REMEMBER_NO_MORE: Phrases = Phrases::of(
    "\
    don't remember; do not remember; stop remembering; no need to remember; you don't need to remember; \
    you don't have to remember; you no longer need to remember; don't keep remembering; unremember; don't need to remember",
);
static NOT_RECALLED: Phrases = Phrases::of(
    "\
    what; where; how; who; if; why; when; which; seeing; doing; it; that; this; exactly; ever; the name; him; her",
);
static FORGET_SAID: Phrases = Phrases::of(
    "\
    everything i told you about; everything i said about; everything about; everything you know about; what i said about; \
    what i told you about; what i said on; what i told you regarding; what i mentioned about; all i said about; \
    anything i said about; my comment about; my remark about; my instruction about; my instructions about; \
    what we said about; what i wrote about; the thing about; the bit about; the part about; that thing about; what i said earlier about",
);
static MESSAGES: Phrases = Phrases::of(
    "message; messages; question; request; prompt; command; typo; mistake; ping; last one",
);
static FORGET_THAT: Phrases = Phrases::of("that; the fact that");
static FORGET_THINGS: Phrases = Phrases::of(
    "\
    my; about my; the rule; the rules; the preference; the convention; the deadline; the freeze; the note; the memory; \
    the requirement; our rule; our convention; the instruction; about the rule; the thing i; the old rule; that rule; \
    the guideline; our old; about the freeze; about the deadline; the policy",
);
pub(super) static FORGET_IT: Phrases = Phrases::of(
    "\
    forget it; forget that; forget about it; forget about that; erase it; delete it; drop it; you can forget it; you can forget that; please forget it; please forget that; so forget it; so forget that; so please forget it; so you can forget it; you can drop that; you can delete that; so drop that; remove it; remove that; no need to remember it; no need to remember that; you don't need to remember that",
);
static FORGET_NOUNS: Phrases = Phrases::of(
    "rule; rules; preference; preferences; convention; instruction; instructions; guideline; requirement; deadline; policy; note; habit",
);
static TOLD_BEFORE: Phrases = Phrases::of(
    "i gave you; i told you; i mentioned; i set; i asked you; i had; you saved; you noted; you stored; you remembered; we had",
);
