//! Every setting there is: one table, from which the typed tree, the checks, the suggestions and the documentation come.

use crate::value::{Amount, Kind, Value};

/// A setting: its name, what it can be, what it is when nobody says anything, and who may say something.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// The full name, `section.field`.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: Kind,
    /// Its value when nobody sets it.
    pub default: Value,
    /// How far a file that comes with a repository may set it.
    pub committed: Committed,
    /// The variable of the environment that sets it.
    pub variable: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
}

/// How far a committed file may set a value. A repository is not its reader's friend by nature: it may make memory do
/// less, cost less and ask more, and it may tune what harms nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// To any value.
    Any,
    /// Only to a lower value than the user has: off, or less.
    Lower,
    /// Only to a higher value than the user has: more seldom, or later.
    Higher,
    /// Not at all.
    Never,
}

impl Key {
    /// The setting of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The section and the field of its name.
    #[must_use]
    pub fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }
}

/// Types that stand in the tree.
trait Typed: Copy {
    fn of(value: Value) -> Self;
}

impl Typed for bool {
    fn of(value: Value) -> Self {
        value == Value::Switch(true)
    }
}

impl Typed for u64 {
    fn of(value: Value) -> Self {
        match value {
            Value::Whole(number) => number,
            _ => 0,
        }
    }
}

impl Typed for Amount {
    fn of(value: Value) -> Self {
        match value {
            Value::Amount(amount) => amount,
            _ => Amount::default(),
        }
    }
}

/// A closed set of words, from the most careful to the least.
macro_rules! words {
    ($(#[doc = $about:literal] $Name:ident { $(#[doc = $meaning:literal] $Word:ident = $text:literal,)+ })+) => {
        $(
            #[doc = $about]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $Name {
                $(#[doc = $meaning] $Word,)+
            }

            impl $Name {
                const WORDS: &'static [&'static str] = &[$($text),+];
            }

            impl Typed for $Name {
                fn of(value: Value) -> Self {
                    let all = [$(($text, $Name::$Word)),+];
                    let found = all.iter().find(|(word, _)| value == Value::Word(word));
                    // What is no word of this set is taken for the most careful one.
                    found.or(all.first()).map_or($Name::FIRST, |(_, own)| *own)
                }
            }

            first!($Name $($Word)+);
        )+
    };
}

macro_rules! first {
    ($Name:ident $First:ident $($rest:ident)*) => {
        impl $Name {
            const FIRST: $Name = $Name::$First;
        }
    };
}

words! {
    /// When the memory section of a prompt is computed anew.
    Refresh {
        /// Once a conversation, and after it was cleared or compacted.
        Session = "session",
        /// Before every turn.
        Turn = "turn",
    }
    /// Where an agent is shown the index.
    IndexPlace {
        /// Behind the instruction files.
        Reminder = "reminder",
        /// At the end of the memory section.
        Prompt = "prompt",
        /// In both places.
        Both = "both",
    }
    /// Which results of tools leave a conversation the user's own.
    ToolTrust {
        /// None.
        Strict = "strict",
        /// Those over files that the project's repository tracks.
        Tracked = "tracked",
    }
    /// How much background work may do by itself.
    Mode {
        /// Nothing.
        Off = "off",
        /// It proposes, and waits for the user.
        Ask = "ask",
        /// It writes, and the user can undo.
        Auto = "auto",
    }
    /// Who chooses the memories for a message.
    Selector {
        /// The ranker within memdir.
        Embedded = "embedded",
        /// A small model that the user has named.
        Model = "model",
    }
    /// What helps the ranker within memdir.
    RecallModel {
        /// Nothing.
        None = "none",
        /// all-MiniLM-L6-v2, where it is built in and installed.
        Minilm = "minilm",
    }
    /// How long the fixed part of a prompt is.
    Style {
        /// All of it.
        Full = "full",
        /// A shorter one.
        Short = "short",
    }
    /// What becomes of a text with a secret in it.
    Secrets {
        /// It is not written.
        Refuse = "refuse",
        /// It is written with the secret taken out.
        Redact = "redact",
    }
}

const SWITCH: Kind = Kind::Switch;
const ON: Value = Value::Switch(true);
const OFF: Value = Value::Switch(false);

const fn count(least: u64) -> Kind {
    Kind::Whole {
        least,
        most: 1_000_000_000,
    }
}

const fn amount(most: u64) -> Kind {
    Kind::Amount {
        most: Amount::from_hundredths(most * 100),
    }
}

/// Sections of fields: `name: type, kind, default, committed, variable;` beneath what it does.
macro_rules! tree {
    ($(
        #[doc = $about:literal]
        $section:ident: $Section:ident {
            $(
                #[doc = $doc:literal]
                $field:ident: $type:ty, $kind:expr, $default:expr, $committed:ident, $variable:literal;
            )+
        }
    )+) => {
        $(
            #[doc = $about]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $Section {
                $(#[doc = $doc] pub $field: $type,)+
            }
        )+

        /// All settings of one start folder, as the layers have it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Settings {
            $(#[doc = $about] pub $section: $Section,)+
        }

        /// Every setting, in the order of the documentation.
        pub static KEYS: &[Key] = &[
            $($(Key {
                name: concat!(stringify!($section), ".", stringify!($field)),
                kind: $kind,
                default: $default,
                committed: Committed::$committed,
                variable: $variable,
                about: $doc,
            },)+)+
        ];

        /// The sections, and what each is about.
        pub(crate) const SECTIONS: &[(&str, &str)] = &[$((stringify!($section), $about)),+];

        impl Settings {
            /// The tree of these values, each found by its full name.
            pub(crate) fn new(value_of: impl Fn(&'static str) -> Value) -> Self {
                Self {
                    $($section: $Section {
                        $($field: <$type>::of(value_of(
                            concat!(stringify!($section), ".", stringify!($field)),
                        )),)+
                    },)+
                }
            }
        }
    };
}

tree! {
    /// Memory as a whole.
    memory: MemorySettings {
        /// Whether agents see and keep memories. Off takes recall, extraction, dream, team, daily log and agent memory with it; commands that you type still work.
        enabled: bool, SWITCH, ON, Lower, "MEMDIR_MEMORY_ENABLED";
        /// When the memory section of a prompt is computed anew: once a `session` keeps the provider's cache warm, or every `turn`.
        refresh: Refresh, Kind::Word(Refresh::WORDS), Value::Word("session"), Any, "MEMDIR_MEMORY_REFRESH";
        /// Where an agent is shown the index: as a `reminder` behind the instruction files, in the `prompt`, or `both`.
        index_place: IndexPlace, Kind::Word(IndexPlace::WORDS), Value::Word("reminder"), Any, "MEMDIR_MEMORY_INDEX_PLACE";
        /// Whether agents write topic files only and see no index; recall alone brings memories.
        skip_index: bool, SWITCH, OFF, Any, "MEMDIR_MEMORY_SKIP_INDEX";
        /// What background work may learn beside results of tools: with `tracked`, files that your repository tracks count as your own; with `strict`, from any result on only your very words are yours, and all else waits in the inbox.
        trust: ToolTrust, Kind::Word(ToolTrust::WORDS), Value::Word("tracked"), Lower, "MEMDIR_MEMORY_TRUST";
    }
    /// Memories that are brought to a message.
    recall: RecallSettings {
        /// Whether memories that fit a message are shown beside it.
        enabled: bool, SWITCH, ON, Lower, "MEMDIR_RECALL_ENABLED";
        /// Who chooses them: the `embedded` ranker, or a small `model` that you have named.
        selector: Selector, Kind::Word(Selector::WORDS), Value::Word("embedded"), Lower, "MEMDIR_RECALL_SELECTOR";
        /// What helps the embedded ranker: nothing (`none`), or the model that `memdir model install` has installed (`minilm`).
        model: RecallModel, Kind::Word(RecallModel::WORDS), Value::Word("none"), Lower, "MEMDIR_RECALL_MODEL";
    }
    /// Looking into earlier conversations.
    past_context: PastContextSettings {
        /// Whether agents are told how to search memories and transcripts.
        enabled: bool, SWITCH, ON, Lower, "MEMDIR_PAST_CONTEXT_ENABLED";
    }
    /// Saving what a conversation taught.
    extraction: ExtractionSettings {
        /// What happens after a turn: `auto` saves, `ask` proposes, `off` does nothing. Without a model, fixed rules do it.
        mode: Mode, Kind::Word(Mode::WORDS), Value::Word("auto"), Lower, "MEMDIR_EXTRACTION_MODE";
        /// Every how many turns.
        every: u64, count(1), Value::Whole(1), Higher, "MEMDIR_EXTRACTION_EVERY";
        /// Whether also in runs in which nobody types.
        non_interactive: bool, SWITCH, OFF, Lower, "MEMDIR_EXTRACTION_NON_INTERACTIVE";
        /// Whether a client that can is asked behind a turn, on top of the running conversation: Claude Code with the plugin of memdir. It counts against your account there.
        fork: bool, SWITCH, OFF, Never, "MEMDIR_EXTRACTION_FORK";
    }
    /// Tidying up memories.
    dream: DreamSettings {
        /// What happens when it is time: `auto` tidies up, `ask` proposes, `off` does nothing.
        mode: Mode, Kind::Word(Mode::WORDS), Value::Word("auto"), Lower, "MEMDIR_DREAM_MODE";
        /// How many hours have to lie between two runs.
        min_hours: u64, count(0), Value::Whole(24), Higher, "MEMDIR_DREAM_MIN_HOURS";
        /// How many conversations have to lie between two runs.
        min_sessions: u64, count(0), Value::Whole(5), Higher, "MEMDIR_DREAM_MIN_SESSIONS";
        /// How many of a hundred memories a run may lose; what would lose more is kept as a proposal.
        max_loss: u64, Kind::Whole { least: 0, most: 100 }, Value::Whole(25), Lower, "MEMDIR_DREAM_MAX_LOSS";
    }
    /// Memory that is shared with others.
    team: TeamSettings {
        /// Whether the folder `team/` is loaded and written.
        enabled: bool, SWITCH, OFF, Lower, "MEMDIR_TEAM_ENABLED";
    }
    /// Memory as a log of days, for assistants that live long.
    daily_log: DailyLogSettings {
        /// Whether agents append to the log of the day; extraction is then off.
        enabled: bool, SWITCH, OFF, Lower, "MEMDIR_DAILY_LOG_ENABLED";
    }
    /// Notes of one conversation, from which it can be compacted.
    notes: NotesSettings {
        /// Whether they are kept.
        enabled: bool, SWITCH, ON, Lower, "MEMDIR_NOTES_ENABLED";
        /// How many tokens a conversation has when they are first written.
        init_tokens: u64, count(1), Value::Whole(10_000), Higher, "MEMDIR_NOTES_INIT_TOKENS";
        /// By how many tokens it has grown when they are brought up to date.
        update_tokens: u64, count(1), Value::Whole(5_000), Higher, "MEMDIR_NOTES_UPDATE_TOKENS";
        /// How many tool calls have to lie between two updates.
        tool_calls: u64, count(0), Value::Whole(3), Higher, "MEMDIR_NOTES_TOOL_CALLS";
    }
    /// A temporary folder for each conversation.
    scratchpad: ScratchpadSettings {
        /// Whether agents are offered one.
        enabled: bool, SWITCH, ON, Lower, "MEMDIR_SCRATCHPAD_ENABLED";
    }
    /// Instruction files such as `CLAUDE.md`.
    instructions: InstructionsSettings {
        /// How many tokens of them are sent at most; what is over is left out in whole files, the weakest first. 0 for no limit.
        max_tokens: u64, count(0), Value::Whole(0), Never, "MEMDIR_INSTRUCTIONS_MAX_TOKENS";
        /// Whether files of the project may include files outside of it.
        external_includes: bool, SWITCH, OFF, Lower, "MEMDIR_INSTRUCTIONS_EXTERNAL_INCLUDES";
    }
    /// The fixed part of a prompt.
    prompt: PromptSettings {
        /// Whether it is sent in `full` or `short`.
        style: Style, Kind::Word(Style::WORDS), Value::Word("full"), Any, "MEMDIR_PROMPT_STYLE";
    }
    /// Making room in a conversation.
    compaction: CompactionSettings {
        /// Whether it happens by itself when the context is nearly full.
        auto: bool, SWITCH, ON, Lower, "MEMDIR_COMPACTION_AUTO";
        /// Whether old results of tools are cleared.
        micro: bool, SWITCH, ON, Lower, "MEMDIR_COMPACTION_MICRO";
        /// Whether the notes of the conversation may stand in for it.
        notes: bool, SWITCH, ON, Lower, "MEMDIR_COMPACTION_NOTES";
        /// Whether a model may sum the conversation up.
        full: bool, SWITCH, ON, Lower, "MEMDIR_COMPACTION_FULL";
        /// How many tokens are left when a host warns, and old results of tools begin to be cleared. In windows below 64,000 it shrinks with them.
        warning_tokens: u64, count(1), Value::Whole(20_000), Lower, "MEMDIR_COMPACTION_WARNING_TOKENS";
        /// How many tokens are left when the warning turns red. In windows below 64,000 it shrinks with them.
        error_tokens: u64, count(1), Value::Whole(20_000), Lower, "MEMDIR_COMPACTION_ERROR_TOKENS";
    }
    /// What background work may cost.
    budget: BudgetSettings {
        /// How many US dollars a day.
        daily_usd: Amount, amount(100_000), Value::Amount(Amount::from_hundredths(100)), Lower, "MEMDIR_BUDGET_DAILY_USD";
        /// Below which share of the provider's rate limit background work waits.
        rate_limit_floor: Amount, amount(1), Value::Amount(Amount::from_hundredths(25)), Higher, "MEMDIR_BUDGET_RATE_LIMIT_FLOOR";
    }
    /// Hooks of other agents.
    hooks: HooksSettings {
        /// Over how many characters the result of a tool is shortened for the model, and kept whole in a file that it names. Only where the client takes another result, and never for files that are read or written. 0 for never.
        shrink_over: u64, count(0), Value::Whole(0), Never, "MEMDIR_HOOKS_SHRINK_OVER";
    }
    /// Keys and passwords.
    secrets: SecretsSettings {
        /// What becomes of a memory with a secret in it: `refuse` does not write it, `redact` writes it without the secret. In team memory it is always refused.
        private: Secrets, Kind::Word(Secrets::WORDS), Value::Word("refuse"), Lower, "MEMDIR_SECRETS_PRIVATE";
    }
}
