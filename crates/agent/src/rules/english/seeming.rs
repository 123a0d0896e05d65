//! Sentences that only sound like a wish: mockery, tags that ask, how a program shall behave, the task at hand.

use super::words::{AT_HAND, PRONOUNS};
use super::{TO_ME, is_question, words_of};
use crate::rules::phrases::Phrases;

/// Whether it is said to mean the opposite, or to guess at a cause: "oh great, sure, always …".
pub(super) fn is_not_meant(plain: &str) -> bool {
    MOCKERY.opens(plain) || GUESSES.within(plain) || asks_at_the_end(plain)
}

/// "…, do we", "…, right": a question without its mark.
fn asks_at_the_end(plain: &str) -> bool {
    let bare = plain.trim_end_matches(['.', '!', ' ']);
    bare.rsplit_once(',')
        .is_some_and(|(_, tag)| TAGS.is(tag.trim_start()))
}

/// Whether the last part says what to do about it now: "…, implement that", "…, go ahead".
pub(super) fn is_a_task(clause: &str) -> bool {
    let last = last_part(clause);
    TASKS
        .after(last)
        .is_some_and(|object| PRONOUNS.opens(object))
        || GO_AHEAD.opens(last)
}

/// The same of a wish that others have: "the customer wants an export, add a button".
pub(super) fn is_a_task_of_others(clause: &str) -> bool {
    let thing = |object: &str| DEFINITE.opens(object) && words_of(object).count() <= 6;
    is_a_task(clause) || TASKS.after(last_part(clause)).is_some_and(thing)
}

fn last_part(clause: &str) -> &str {
    let last = clause.rsplit_once([',', ';', '—']);
    let last = last.map_or("", |(_, last)| last.trim_start());
    let last = match clause.rsplit_once(": ") {
        Some((_, told)) if last.is_empty() || told.len() < last.len() => told,
        _ => last,
    };
    PLEASE.after(last).unwrap_or(last)
}

/// A scope that comes once: "when you're done", "if you have time", "after you fix the import".
pub(super) fn comes_once(scope: &str) -> bool {
    ONCE.opens(scope) && !ANY_TIME.opens(scope) || RELATIVE.opens(scope) && AT_HAND.within(scope)
}

/// A scope in which a program acts and not the agent: "on startup", "when the user logs out".
pub(super) fn is_of_a_program(scope: &str, order: &str) -> bool {
    PROGRAM_SCOPES.opens(scope) && !TO_ME.within(order) && !AGENT_VERBS.within(order)
}

/// "Should be parsed as UTC in the importer": what a part of the program does.
pub(super) fn is_done_by_a_part(told: &str) -> bool {
    BE.within(told) && PARTS.within(told) && !DOCUMENTS.within(told)
}

/// "No placeholders in the dropdown".
pub(super) fn is_in_a_part(thing: &str) -> bool {
    IN_THE.within(thing) && !DOCUMENTS.within(thing)
}

/// "Use port 8080 in the CLI": what a program does when nothing else is said.
pub(super) fn is_a_setting(order: &str) -> bool {
    SETTINGS.within(order)
}

/// "Polling when the tab is hidden".
pub(super) fn is_a_case(object: &str) -> bool {
    CASES.within(object)
}

/// "Allocating in the loop".
pub(super) fn is_inside(object: &str) -> bool {
    INSIDE.within(object)
}

/// "No comments, just the code": how this one answer shall be.
pub(super) fn is_for_this_answer(wish: &str) -> bool {
    JUST_NOW.within(wish)
}

/// "Close the connection in the finally block": a step of the task, not a way to work.
pub(super) fn is_a_step(said: &str) -> bool {
    let definite = words_of(said)
        .skip(1)
        .take(3)
        .any(|word| word == "the" || word == "a");
    definite && !USE.opens(said) && !RECURS.within(said) && !is_question(said)
}

/// "The memory leak check": memory of a machine, or a note that stands in a file.
pub(super) fn is_not_a_memory(object: &str, rest: &str) -> bool {
    MACHINE.opens(rest) || IN_A_FILE.within(object)
}

/// "Rule number one of our onboarding guide: …".
pub(super) fn is_from_a_document(preface: &str) -> bool {
    WRITINGS.within(preface)
}

/// "I am an admin in the test tenant but still get 403": who they are to the program.
pub(super) fn is_an_account(clause: &str) -> bool {
    ACCOUNTS.within(clause)
}

static WRITINGS: Phrases = Phrases::of(
    "doc; docs; guide; handbook; book; article; blog; readme; onboarding; chapter; linter; eslint; clippy; wiki; manual; talk; video; course; policy",
);
static ACCOUNTS: Phrases = Phrases::of(
    "but still; still get; still see; 401; 403; 404; 500; in the test; in this tenant; in the tenant; on staging; in the app; logged in; test account; test user",
);
static MOCKERY: Phrases = Phrases::of(
    "\
    oh great; oh sure; oh perfect; oh brilliant; oh wonderful; oh nice, sure; yeah right; yeah sure; sure, because; great, sure; sure sure; sure, just; wow, great; oh fantastic; oh lovely; oh yes, please do",
);
static GUESSES: Phrases = Phrases::of(
    "can't be it; that can't be; so that's not it; so why; how come; so it can't; so it must; which is odd; which is weird; which is strange",
);
static TAGS: Phrases = Phrases::of(
    "\
    do we; do i; do you; do they; don't we; don't i; does it; doesn't it; is it; isn't it; are we; aren't we; right; correct; eh; huh; no; or not; or am i wrong; is that right; are they; did we; didn't we; should we; shouldn't we; can we; ok with you; agreed",
);
static PLEASE: Phrases = Phrases::of("please; pls; so; so please; and; then; now; just");
static TASKS: Phrases = Phrases::of(
    "\
    implement; set; fix; update; add; change; make; build; write; put; adapt; adjust; enforce; apply; check; handle; create; remove; delete; rename; move; wire; hook; show; find; look at; look into; extend; render; display; print",
);
static GO_AHEAD: Phrases = Phrases::of(
    "go ahead; go on; go for it; do it; do that; make it so; set it up; set that up; let's go; let's start; start with it; get going; proceed",
);
static DEFINITE: Phrases = Phrases::of("the; a; an; this; that; one; to");
static ONCE: Phrases = Phrases::of(
    "\
    when you're done; when you are done; when done; when you're finished; when you are finished; when you have finished; when you've finished; when you finish; when you're ready; when you get to; when you have time; when you get a chance; when you can; when you have a minute; when you've got; when you're through; \
    once you; once you're; once you've; once you are; once done; once finished; as soon as you; if you have; if you've got; if you can; if you could; if you want; if you like; if you get; if you're done; if you feel; if you wish; if you must; if you still; if you already; before you do anything; before you start; before you begin; before you continue; before you go; before you do that; before you do this; before you stop; before you leave; \
    after that; after this; before that; before this; when that; when this; if that; if this; once that; once this; with that; with this; while you're; while you are",
);
static ANY_TIME: Phrases = Phrases::of(
    "if you want to; if you have to; if you have any; if you have questions; if you have a question; if you have doubts; if you get stuck; before you start a; before you start any; before you start working; before you begin a",
);
static RELATIVE: Phrases = Phrases::of("after; before; once; if; while; when");
static PROGRAM_SCOPES: Phrases = Phrases::of(
    "\
    on startup; on start; on error; on errors; on failure; on load; on click; on save; on exit; on shutdown; on submit; on logout; on login; on timeout; on close; on open; on boot; on reload; on mobile; on desktop; on small screens; in the loop; in the handler; in the constructor; in the ui; \
    when the; if the; once the; after the; before the; while the; when a user; when users; if a user; when an error; if an error; when a request; if a request; when a message",
);
static AGENT_VERBS: Phrases = Phrases::of(
    "\
    push; commit; merge; deploy; rebase; squash; amend; force-push; tell; ask; explain; assume; guess; summarise; summarize; refactor; reformat; mock; run; open a pr; write; update; use",
);
static BE: Phrases = Phrases::of("be; get; trigger");
static IN_THE: Phrases = Phrases::of("in the; on the");
static SETTINGS: Phrases = Phrases::of(
    "port; timeout; null; value; the value; zero; color; colour; in the cli; in the ui; in the form; in the dropdown; retries; page size; limit",
);
static CASES: Phrases =
    Phrases::of("when the; if the; once the; while the; as soon as; after the; until the");
static INSIDE: Phrases = Phrases::of(
    "in the loop; inside the loop; in the hot; in the inner; in the handler; in the constructor; on the main thread; in the render; in the callback; in the query",
);
static JUST_NOW: Phrases = Phrases::of(
    "just the; just give; just show; just tell; just look; just explain; just answer; just print; only the code; only tell; only look",
);
static PARTS: Phrases = Phrases::of(
    "by the; in the; on the; from the; into the; to the; to users; to the user; before saving; on save",
);
static DOCUMENTS: Phrases = Phrases::of(
    "\
    in the same; in the imperative; in the present; in the body; in the title; in the subject; in the description; in the future; in the past; in the docs; in the changelog; in the pr; in the commit; in the code; on the same; to the point; from the start; in the test; on the first",
);
static USE: Phrases = Phrases::of("use; run; ask; tell; speak");
static RECURS: Phrases = Phrases::of(
    "before you; after you; when you; whenever; before committing; before pushing; before merging; after every; before every; after each; before each; in all; in every; for every; for all; for me; even if; even when; at the end; first",
);
static MACHINE: Phrases = Phrases::of(
    "\
    leak; leaks; usage; limit; limits; profiler; pool; allocation; allocations; barrier; map; mapping; footprint; check; checks; test; tests; benchmark; section; card; game; page; pages; cache; address; allocator; module; widget; table",
);
static IN_A_FILE: Phrases = Phrases::of(
    "\
    from the readme; from the docs; from the documentation; from the changelog; from the file; from the page; from the code; from the ui; from the wiki; from the header; from the footer; in the readme; in the docs; in the code; in the file; in the header; from the module; from the comment; from the comments; from the release notes; from ci",
);
