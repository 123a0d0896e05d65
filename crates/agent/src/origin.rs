//! Whose word a memory is: decided here, by code, and never by the model that wrote it.
//!
//! A window is what a background run is shown. It is *own* while it holds only what the user and the agent wrote and
//! results over files that the project's repository tracks, which can instruct through its own `CLAUDE.md` anyhow.
//! Anything else, a web page, a command's output, a file that somebody put there, a summary in which all of these may be
//! retold, makes it *mixed*: from then on a memory counts as the user's word only where it cites the user, every content word of it stands in the message that it
//! cites, and it does not turn that round.

use std::collections::{HashMap, HashSet};

use memdir_conversation::{Kind, Message, Reminded, Role, Source as Speaker};
use memdir_memory::{Source, words};

use crate::pieces::Pieces;
use crate::rules::own_speech;

/// So many characters may be left out between two of a script without spaces.
const LEFT_OUT: usize = 4;

/// A longer message was pasted, not typed.
const LONGEST: usize = 200_000;

/// How texts begin that a host puts in and that hold nothing but instruction files, the place, the time, and what the user
/// did. Whatever else a host puts in may be anybody's: the output of a command or a hook, the report of another agent.
const OF_HOST: [&str; 10] = [
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "<session_context>",
    "<command-name>",
    "<command-message>",
    "<local-command-caveat>",
    "<turn_aborted>",
    "[Request interrupted by user",
];

/// What a background run was shown, as far as trust goes.
#[derive(Debug, Clone, Default)]
pub struct Window {
    typed: Vec<Typed>,
    pieces: Pieces,
    mixed: Option<String>,
}

/// A message of the user's.
#[derive(Debug, Clone)]
struct Typed {
    /// With its lines, by which quotations are told from what was said.
    whole: String,
    /// What of it is the user's own speech, and its words.
    text: String,
    words: HashSet<String>,
    /// Of the whole.
    tokens: Vec<String>,
}

/// How strictly a window is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Results over tracked files leave a window own.
    Tracked,
    /// Any result of a tool makes it mixed.
    Strict,
}

/// What a memory says, in the parts that are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Its name.
    pub name: &'a str,
    /// The line that decides whether it is recalled.
    pub description: &'a str,
    /// Its body.
    pub body: &'a str,
    /// What the model quotes as the user's words, if it quotes anything.
    pub evidence: Option<&'a str>,
}

impl Window {
    /// The window of these messages. `is_tracked` says whether the project's repository tracks a file.
    #[must_use]
    pub fn of<'a>(
        messages: impl IntoIterator<Item = &'a Message>,
        trust: Trust,
        is_tracked: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut window = Self::default();
        // By its id, what a call was where that is not ours. An id that was given twice is the worse of the two.
        let mut calls: HashMap<String, Option<String>> = HashMap::new();
        let mut begun = false;
        for whole in messages {
            for message in &*whole.apart() {
                window.hear(message);
                begun |= !matches!(message.source, Speaker::Reminder(_));
                // What the host itself begins with is its prompt; later it may be what a hook said.
                let prompt = !begun && message.role == Role::System;
                if !prompt && let Some(by) = foreign(message, trust, is_tracked) {
                    window.mix(by);
                }
            }
            for block in &whole.blocks {
                match block.kind() {
                    Kind::ToolCall { id, name } => {
                        let call = calls.entry(id.to_string()).or_default();
                        if trust == Trust::Strict || !is_own(name, block.file(), is_tracked) {
                            *call = Some(name.to_string());
                        }
                    }
                    Kind::ToolResult { call, .. } => match calls.get(&**call) {
                        Some(None) => {}
                        Some(Some(tool)) => window.mix(tool),
                        // The call is not here: nobody knows what it was.
                        None => window.mix("a call that is no longer here"),
                    },
                    // Pictures and documents are read by the model, whoever made them.
                    Kind::Image | Kind::Document => window.mix("a picture or a document"),
                    Kind::Other => window.mix("a result of the provider's own tool"),
                    Kind::Text | Kind::Thinking => {}
                }
            }
        }
        window
    }

    /// The same window for a run that looks at these messages only: what came before can still have been retold in them,
    /// but the user's word is what is typed here.
    #[must_use]
    pub fn citing<'a>(mut self, messages: impl IntoIterator<Item = &'a Message>) -> Self {
        self.typed.clear();
        self.pieces = Pieces::default();
        for message in messages {
            message.apart().iter().for_each(|piece| self.hear(piece));
        }
        self
    }

    fn hear(&mut self, message: &Message) {
        if message.source == Speaker::User {
            let typed = message.words();
            // What is private was not said to us.
            let typed = self.pieces.spans(message).replace(&typed, "");
            self.typed.push(Typed::of(&typed));
        }
    }

    /// What made the window mixed; nothing while it is own.
    #[must_use]
    pub fn mixed_by(&self) -> Option<&str> {
        self.mixed.as_deref()
    }

    /// Whether the user typed this, word for word.
    #[must_use]
    pub fn was_typed(&self, text: &str) -> bool {
        self.typed_in(text).next().is_some()
    }

    /// The messages in which the user typed this, word for word: whole words, at least one of which says something.
    fn typed_in(&self, text: &str) -> impl Iterator<Item = &Typed> {
        let wanted = words::tokens(text);
        let says = wanted.iter().any(|word| !words::is_function_word(word));
        let typed = self.typed.iter();
        typed.filter(move |typed| {
            let mut places = typed.tokens.windows(wanted.len().max(1));
            says && places.any(|place| place == wanted)
        })
    }

    /// The messages in which the user typed this, whole, and without what is private.
    pub fn cited(&self, text: &str) -> impl Iterator<Item = &str> {
        self.typed_in(text).map(|typed| typed.whole.as_str())
    }

    /// Whose word a memory is that a model wrote in this window.
    #[must_use]
    pub fn origin(&self, claim: &Claim<'_>) -> Source {
        let cited = claim
            .evidence
            .is_some_and(|evidence| self.was_typed(evidence));
        match (&self.mixed, cited) {
            (None, true) => Source::User,
            (None, false) => Source::Agent,
            (Some(_), true) if self.is_all_typed(claim) => Source::User,
            (Some(_), _) => Source::Tool,
        }
    }

    /// Whether one message of the user's, one that is cited, says all of it. Words of several messages would in a long
    /// conversation be enough for nearly any sentence, and the same words with a `not` more or less say the opposite.
    fn is_all_typed(&self, claim: &Claim<'_>) -> bool {
        let name = claim.name.replace(['-', '_'], " ");
        let spoken = [&*name, claim.description, claim.body].map(words::terms);
        if spoken.iter().all(HashSet::is_empty) {
            return false;
        }
        let mut cited = self.typed_in(claim.evidence.unwrap_or_default());
        cited.any(|typed| {
            let all = spoken
                .iter()
                .flatten()
                .all(|word| typed.has(word) || is_form(word));
            let turned = |said: &&str| words::negation_differs(&typed.text, said);
            all && ![claim.description, claim.body].iter().any(turned)
        })
    }

    fn mix(&mut self, by: &str) {
        self.mixed.get_or_insert_with(|| by.to_owned());
    }
}

impl Typed {
    fn of(typed: &str) -> Self {
        // Whoever asks about a sentence of a page, or quotes it, does not say it.
        let said = match typed.len() <= LONGEST {
            true => own_speech(typed),
            false => String::new(),
        };
        let mut words = words::terms(&said);
        // A name is made of the parts of `tz.c` and `3.11`.
        let apart = said.replace(|sign: char| !sign.is_alphanumeric() && sign != '\'', " ");
        words.extend(words::terms(&apart));
        Self {
            whole: typed.to_owned(),
            text: said,
            tokens: words::tokens(typed),
            words,
        }
    }

    /// Whether the user typed a word. Of a script without spaces words are pairs of characters, and where something was
    /// left out between two a new pair arises.
    fn has(&self, word: &str) -> bool {
        if self.words.contains(word) {
            return true;
        }
        let mut pair = word.chars();
        let (Some(first), Some(second), None) = (pair.next(), pair.next(), pair.next()) else {
            return false;
        };
        if word.is_ascii() {
            return false;
        }
        let places = self.text.match_indices(first);
        places.map(|(place, _)| place).any(|place| {
            let behind = self.text.get(place..).unwrap_or_default().chars().skip(1);
            behind.take(LEFT_OUT + 1).any(|next| next == second)
        })
    }
}

/// What of a message, other than calls and their results, may be somebody else's word.
fn foreign(
    message: &Message,
    trust: Trust,
    is_tracked: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    let texts = || {
        let blocks = message.blocks.iter();
        blocks.filter_map(|block| block.words())
    };
    match &message.source {
        // Pages that were read may be retold in it.
        Speaker::Summary => Some("a summary"),
        Speaker::Tool => texts().next().map(|_| "what came with a result"),
        Speaker::Reminder(Reminded::Memories(paths)) => {
            let shared = |path: &String| path.split('/').any(|part| part == "team");
            // A host's own mark in front of it: a command can print lines that look like memories.
            let inside =
                |text: &str| text.starts_with('<') && !text.starts_with("<system-reminder>");
            let told = |text: &str| text.lines().any(is_of_others);
            let other = paths.iter().any(shared)
                || texts().any(|text| inside(text.trim_start()) || told(&text));
            other.then_some("memories of others")
        }
        // The repository can instruct through its own; what a package brings along is not its own.
        Speaker::Reminder(Reminded::Rules(files)) => {
            let own = trust == Trust::Tracked && files.iter().all(|file| is_tracked(file));
            (!own).then_some("rules of others")
        }
        Speaker::Reminder(Reminded::Restored(file)) => {
            let own = trust == Trust::Tracked && is_tracked(file);
            (!own).then_some("a file")
        }
        Speaker::Reminder(Reminded::Context) => {
            let known = |text: &str| OF_HOST.iter().any(|start| text.starts_with(start));
            let other = texts().any(|text| !known(text.trim_start()));
            other.then_some("what a host put in")
        }
        Speaker::User | Speaker::Model | Speaker::Boundary(_) | Speaker::Notice => None,
    }
}

/// Whether a recalled memory says of itself that others wrote it.
fn is_of_others(line: &str) -> bool {
    line.starts_with("It came from ") && line.contains(", not from the user:")
}

/// Whether the result of this tool holds nothing that others wrote, outside of what the repository tracks.
fn is_own(tool: &str, file: Option<String>, is_tracked: &dyn Fn(&str) -> bool) -> bool {
    match tool {
        // Its result says that it was written.
        "Write" | "TodoWrite" | "write_file" | "update_plan" => true,
        "Read" | "Edit" | "MultiEdit" | "read_file" | "replace" => {
            file.is_some_and(|file| is_tracked(&file))
        }
        _ => false,
    }
}

/// Words of the form itself, which say nothing.
fn is_form(word: &str) -> bool {
    ["how", "apply", "appli", "why", "rule", "user"].contains(&word)
}
