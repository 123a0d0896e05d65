//! A conversation begins, or goes on: what it should know about its memory.

use memdir_context::{Audience, IndexPart, MemoryPrompt, PastContext, PromptError, hook_beside};
use memdir_memory::MemoryPath;
use memdir_memory::index::{INDEX_NAME, load};
use memdir_store::ledger::Ledger;
use memdir_store::places::{MovingFile, Origin};
use memdir_store::{Store, moved_here};

use super::answer::Reply;
use super::event::Event;
use super::fragment::inline;
use super::scene::Scene;
use super::{Client, compaction, news, outside, saved, unable};

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let is_known = scene.states().knows(&scene.event.conversation);
    if !scene.claim() {
        return Reply::default();
    }
    let home = &scene.home;
    // A conversation that goes on, and of which nobody heard before, is a copy of another one under a new name.
    let begins = matches!(scene.event.text("source"), "startup" | "clear" | "compact");
    if !begins && !is_known.unwrap_or(false) {
        let began = home
            .pauses()
            .begin_copy(&scene.event.conversation, scene.now);
        scene.attempt("pauses", began);
    }
    let settings = home.settings();
    let ensured = home.store.ensure(settings.team.enabled);
    scene.attempt("memory directory", ensured);
    notice_changes(scene);
    see_to_what_is_due(scene);
    let section = match loads_index_itself(scene) {
        true => hook_beside(&home.places.memory_dir.path.to_string_lossy()),
        false => section(scene),
    };
    let mut parts: Vec<String> = Vec::new();
    if forgets(scene) {
        compaction::show_again(scene);
    }
    if scene.event.text("source") == "compact" {
        parts.extend(compaction::after(scene));
    } else {
        parts.extend(news::since_last(scene));
    }
    if !is_told(scene) {
        parts.extend(scene.attempt("memory section", section));
    }
    Reply {
        context: parts.join("\n").trim_end().to_owned(),
        message: messages(scene).join("\n"),
        ..Reply::default()
    }
}

/// Whether the conversation is one that goes on where it was, with all that it was told when it began. From now on it is told.
fn is_told(scene: &Scene) -> bool {
    let goes_on = is_resumed(scene) && !forgets(scene);
    let told = scene.states().update(&scene.event.conversation, |state| {
        std::mem::replace(&mut state.told, true)
    });
    scene.attempt("state", told).unwrap_or(false) && goes_on
}

fn is_resumed(scene: &Scene) -> bool {
    scene.event.text("source") == "resume"
}

/// Whether the client brings a conversation back without what hooks added to it: Gemini CLI 0.61 was seen to leave out the
/// message with words of a hook in it.
fn forgets(scene: &Scene) -> bool {
    is_resumed(scene) && scene.client == Client::Gemini
}

/// What is told where the user's own settings have a mistake; memory does nothing until it is mended.
pub(super) fn about_mistake(scene: &Scene, mistake: &str) -> Reply {
    let mistake = inline(mistake);
    scene.attempt::<(), _>("settings", Err(&mistake));
    let is_start = scene.event.kind == super::Kind::Opening && scene.claim();
    Reply {
        message: match is_start {
            true => format!(
                "memdir does nothing in this conversation, because its settings have a mistake: {mistake}. `memdir config list` shows every setting."
            ),
            false => String::new(),
        },
        ..Reply::default()
    }
}

/// What is told where a file of the repository moves what is the user's; memory does nothing until the user has vouched for it.
/// It is told where a conversation begins: once, without a record of it.
pub(super) fn about_moved(event: &Event, files: &[MovingFile]) -> Reply {
    let begins = event.kind == super::Kind::Opening && event.text("source") != "compact";
    if !begins || event.is_of_sub_agent() {
        return Reply::default();
    }
    let told = files.iter().map(|MovingFile { path, names }| {
        let (names, path) = (names.join(" and "), path.display().to_string());
        let quoted = inline(&path).replace('\'', r"'\''");
        format!(
            "memdir does nothing in this conversation, because {} sets {names}, which would move what is yours. \
             `memdir trust '{quoted}'` shows what it sets and lets it count.",
            inline(&path)
        )
    });
    Reply {
        message: told.collect::<Vec<_>>().join("\n"),
        ..Reply::default()
    }
}

/// What others did to the memories goes into the history; a large directory is left to a process that has the time.
pub(super) fn notice_changes(scene: &Scene) {
    let swept = scene.home.store.sweep_if_small();
    match scene.attempt("sweep", swept) {
        Some(None) => scene.see_to_work(),
        Some(Some(sweep)) => {
            let noted = outside::note(&scene.home.store, &sweep);
            scene.attempt("outside", noted);
        }
        None => {}
    }
    notice_everywhere(scene);
}

/// The memories for all projects come into every conversation: what others did to them is told in whichever is next.
fn notice_everywhere(scene: &Scene) {
    let places = &scene.home.places;
    let memory = places.everywhere_dir();
    if !memory.is_dir() {
        return;
    }
    let state = places.state_dir_of(&memory);
    let store = Store::new(memory, state);
    if let Some(Some(sweep)) = scene.attempt("sweep", store.sweep_if_small()) {
        let state = scene.home.store.state_directory();
        let noted = outside::note_everywhere(state, &store, &sweep);
        scene.attempt("outside", noted);
    }
}

/// What background work of the past has left undone is not lost: whoever comes next sees to it.
fn see_to_what_is_due(scene: &Scene) {
    let due = scene.jobs().is_anything_due();
    if scene.attempt("due", due) == Some(true) {
        scene.see_to_work();
    }
}

/// Whether the client tells its agent about this very directory, and loads the index from it.
fn loads_index_itself(scene: &Scene) -> bool {
    if scene.client != Client::ClaudeCode {
        return false;
    }
    let places = &scene.home.places;
    if places.memory_dir.origin != Origin::BuiltIn {
        // What chose ours chose the client's, too.
        return true;
    }
    // Its own home is where its transcripts are; ours may be another.
    let transcript = scene.event.transcript.as_deref();
    let projects = transcript.and_then(|transcript| transcript.parent()?.parent());
    projects
        .is_none_or(|projects| projects.join(&places.slug).join("memory") == places.memory_dir.path)
}

/// The short memory section, with the index.
fn section(scene: &Scene) -> Result<String, PromptError> {
    let home = &scene.home;
    let settings = home.settings();
    let index = MemoryPath::new(INDEX_NAME).ok();
    let found = index.and_then(|index| scene.attempt("index", home.store.read(&index)));
    let loaded = load(&found.flatten().map(|found| found.bytes).unwrap_or_default());
    let guidelines = home.guidelines();
    let directory = home.places.memory_dir.path.to_string_lossy();
    let prompt = MemoryPrompt {
        directory: &directory,
        audience: match settings.team.enabled {
            true => Audience::Team,
            false => Audience::Private,
        },
        style: home.style(),
        daily_log: settings.daily_log.enabled,
        skip_index: settings.memory.skip_index,
        guidelines: guidelines.as_deref(),
        index: IndexPart::Here(&loaded),
    };
    let transcripts: Vec<String> = match settings.past_context.enabled {
        true => home.places.transcript_folders(),
        false => Vec::new(),
    }
    .iter()
    .map(|folder| folder.to_string_lossy().into_owned())
    .collect();
    let past = settings.past_context.enabled.then_some(PastContext {
        directory: &directory,
        transcripts: &transcripts,
        grep_tool: false,
    });
    prompt.render_for_hook(past.as_ref())
}

/// What the user is told.
fn messages(scene: &Scene) -> Vec<String> {
    let places = &scene.home.places;
    let mut messages = Vec::new();
    let told = saved::take(scene.home.store.state_directory());
    messages.extend(scene.attempt("saved", told).flatten());
    let unable = unable::take(scene.home.store.state_directory());
    messages.extend(scene.attempt("unable", unable).flatten());
    let ledger = Ledger::new(places.own_dir());
    // Whoever spends nothing has none, and the time zone is not looked up.
    if ledger.path().exists() {
        let now = scene.now.to_zoned(jiff::tz::TimeZone::system());
        let unusual = scene.attempt("ledger", ledger.unusual(&now)).flatten();
        messages.extend(unusual.map(|day| format!("{day}; `memdir cost --by day` shows the days")));
    }
    let ignored = places.ignored_variables.iter();
    messages.extend(ignored.map(|ignored| {
        let (name, file) = (ignored.name, inline(&ignored.file.to_string()));
        format!("memdir does not believe the variable {name}, because {file} sets it")
    }));
    let withheld = places.withheld_from_models();
    messages.extend(withheld.map(|withheld| inline(&withheld.to_string())));
    messages.extend(left_elsewhere(scene));
    messages
}

/// The offer of memories that this project left where it was before, for as long as they are there.
fn left_elsewhere(scene: &Scene) -> Option<String> {
    let places = &scene.home.places;
    let moved = moved_here(places).into_iter().next()?;
    let quoted =
        |path: &std::path::Path| inline(&path.display().to_string()).replace('\'', r"'\''");
    Some(format!(
        "this project was in {} before and left its memories there: `memdir move '{}' '{}'` brings them here",
        inline(&moved.root.display().to_string()),
        quoted(&moved.root),
        quoted(&places.project.root)
    ))
}
