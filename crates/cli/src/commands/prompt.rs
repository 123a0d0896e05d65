//! `memdir prompt`: what an agent's prompt says about memory, byte for byte.
//!
//! Hosts run it at each start of a conversation, so that it does no more than it must: the places, one index, one list
//! of folders.

mod subject;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir_context::instructions::{Instructions, Warning};
use memdir_context::{
    IndexPart, Kind, Limits, MemoryForm, MemoryPrompt, PastContext, PromptError, Refresh,
    SectionName, Sections, Style, scratchpad, tools_with_memory,
};
use memdir_memory::AgentScope;
use memdir_memory::index::load;
use memdir_session::instructions::{Allowance, discover};
use memdir_settings::{IndexPlace, Reason, Settings, variables};
use memdir_store::{Directory, NameProblem, PlainName};
use serde::Serialize;

use crate::compaction::configured;
use crate::failure::Failure;

use crate::output::Output;
use crate::table::one_line;
use crate::warning::Warnings;
use crate::workplace::Workplace;
use subject::Subject;

/// What an agent's prompt says about memory
///
/// Byte for byte what a host should put into the system prompt of its agent for this project: how to search the past,
/// the memory prompt and the index as it is loaded, by your settings. The prompt says that the memory directory exists,
/// so it is made where it is missing. While memory is off, nothing is said about it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir prompt
  memdir prompt --instructions
  memdir prompt --team --dry-run
  memdir prompt --agent review:security --scope project
  memdir prompt --agent reviewer --scope user --tools Bash,Grep --json
  memdir prompt --hook
  memdir prompt --set prompt.style=short
  memdir prompt --window 4096

The index is at the end of the memory prompt, whatever memory.index_place says. With --instructions it is where a \
conversation has it, once: behind the instruction files, unless memory.index_place or \
CLAUDE_CODE_DISABLE_CLAUDE_MDS moves it. With memory.skip_index it is nowhere.

The index of team memory is named and not shown: others write it, so that an agent should meet it in \
a tool's result.

JSON: {enabled, reason, directory, sections, instructions, index, warnings}, with --tools also {tools}; a section has {name, kind, text, bytes, \
tokens, characters}, where kind is cached or per-turn, the instructions {text, bytes, tokens, characters}, the index \
{lines, bytes, cut}.")]
pub(crate) struct Prompt {
    /// The memory of this agent, instead of the project's
    #[arg(long, value_name = "NAME", requires = "scope", conflicts_with_all = ["team", "daily_log"])]
    agent: Option<String>,
    /// Whom the agent's memory is for
    #[arg(long, requires = "agent", value_parser = agent_scope())]
    scope: Option<AgentScope>,
    /// With --json: the tools that the agent may use; the answer adds those without which it cannot keep its memory
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', requires = "agent")]
    tools: Option<Vec<String>>,
    /// With team memory beside the private one, as team.enabled does
    #[arg(long)]
    team: bool,
    /// For an agent that appends to a daily log, as daily_log.enabled does
    #[arg(long)]
    daily_log: bool,
    /// Also the block of instruction files that the first message begins with
    #[arg(long, conflicts_with = "hook")]
    instructions: bool,
    /// Also the folder for temporary files of this conversation
    #[arg(long, value_name = "ID", conflicts_with = "hook")]
    session: Option<String>,
    /// The short form, for hosts that take it by hook
    #[arg(long)]
    hook: bool,
    /// The context window of the model: below 8,000 tokens memory says one line, in which the index is titles
    #[arg(long, value_name = "TOKENS")]
    window: Option<u64>,
    /// Make no folders, only print
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    enabled: bool,
    reason: String,
    directory: String,
    sections: Vec<SectionAnswer<'a>>,
    instructions: Option<TextAnswer<'a>>,
    index: Option<IndexAnswer>,
    warnings: Warnings,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<String>>,
}

#[derive(Serialize)]
struct SectionAnswer<'a> {
    name: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    text: TextAnswer<'a>,
}

#[derive(Serialize)]
struct TextAnswer<'a> {
    text: &'a str,
    bytes: usize,
    tokens: usize,
    characters: usize,
}

#[derive(Serialize)]
struct IndexAnswer {
    lines: usize,
    bytes: usize,
    cut: bool,
}

impl Prompt {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if workplace.everywhere {
            return Err(Failure::usage(
                "--everywhere: the memories for all projects are recalled, they have no prompt",
            ));
        }
        if self.tools.is_some() && !output.json {
            return Err(Failure::usage(
                "--tools: which tools the agent gets is told with --json",
            ));
        }
        let settings = workplace.places.settings.settings();
        let decision = &workplace.places.memory;
        let subject = match (&self.agent, self.scope) {
            (Some(name), Some(scope)) => Subject::agent(workplace, name, scope)?,
            _ => Subject::project(workplace, self.team || settings.team.enabled),
        };
        let mut warnings = Warnings::default();
        let found = match self.instructions {
            true if self.is_one_line(workplace) => discover(
                &workplace.home(),
                Allowance::of(&workplace.home()).without_index(),
            ),
            true => discover(&workplace.home(), Allowance::of(&workplace.home())),
            false => None,
        };
        let mut index = None;
        let mut texts = Vec::new();
        if decision.enabled {
            // It is sent once.
            let comes_with_files = !subject.is_agent()
                && settings.memory.index_place == IndexPlace::Reminder
                && found.as_ref().is_some_and(Instructions::has_index);
            let loaded = match self.ensure(&subject, &mut warnings) {
                false => load(b""),
                // What is wrong with it is told with the files, and only JSON has its size.
                true if comes_with_files && !output.json => load(b""),
                true if comes_with_files => subject.index(&mut Warnings::default()),
                true => subject.index(&mut warnings),
            };
            let part = match comes_with_files {
                true => IndexPart::Elsewhere,
                false => IndexPart::Here(&loaded),
            };
            texts = self.memory(workplace, &settings, &subject, part)?;
            index = Some(IndexAnswer {
                lines: loaded.lines,
                bytes: loaded.bytes,
                cut: loaded.warning.is_some(),
            });
        } else {
            warnings.add(format!(
                "memory is off ({}), so that a prompt says nothing about it",
                decision.reason
            ));
        }
        let block = found.map(|found| {
            // What is wrong with the index is told by the block itself.
            let told = found.warnings.iter();
            for warning in told.filter(|warning| !matches!(warning, Warning::Index { .. })) {
                warnings.add(one_line(&warning.to_string()));
            }
            found.block().unwrap_or_default()
        });
        texts.extend(self.scratchpad(workplace, &settings, &mut warnings)?);

        let refresh = match settings.memory.refresh {
            memdir_settings::Refresh::Session => Refresh::Session,
            memdir_settings::Refresh::Turn => Refresh::Turn,
        };
        let mut sections = Sections::new(refresh);
        let prompt = sections
            .turn(|name| {
                let at = texts.iter().position(|(own, _)| *own == name)?;
                Some(texts.swap_remove(at).1)
            })
            .prompt;
        if !output.json {
            output.raw(prompt.as_bytes())?;
            if let Some(block) = block.filter(|block| !block.is_empty()) {
                let gap: &[u8] = if prompt.is_empty() { b"" } else { b"\n" };
                output.raw(gap)?;
                output.raw(block.as_bytes())?;
            }
            return Ok(warnings.print(output)?);
        }
        let parts: Vec<(SectionName, String)> = sections
            .parts()
            .map(|(name, text)| (name, format!("{text}\n")))
            .collect();
        let answer = Answer {
            enabled: decision.enabled,
            reason: decision.reason.to_string(),
            directory: subject.directory.clone(),
            sections: parts
                .iter()
                .map(|(name, text)| SectionAnswer::of(*name, refresh, text))
                .collect(),
            instructions: block.as_deref().map(TextAnswer::of),
            index,
            warnings,
            // Without memory nothing is added either.
            tools: match decision.enabled {
                true => self.tools.clone().map(tools_with_memory),
                false => self.tools.clone(),
            },
        };
        Ok(output.json(&answer)?)
    }

    /// Makes the folders that the prompt says exist, unless nothing is to be made; whether they can be there.
    fn ensure(&self, subject: &Subject<'_>, warnings: &mut Warnings) -> bool {
        let ensured = match self.dry_run {
            true => Ok(()),
            false => subject.ensure(),
        };
        ensured
            .map_err(|error| warnings.add(format!("there is no memory directory: {error}")))
            .is_ok()
    }

    /// Whether the window has room for no more than a line about memory.
    fn is_one_line(&self, workplace: &Workplace) -> bool {
        let limits = |window| Limits::new(window, u64::MAX, &configured(workplace));
        self.window
            .is_some_and(|window| limits(window).memory() == MemoryForm::OneLine)
    }

    /// The sections about memory, by name.
    fn memory(
        &self,
        workplace: &Workplace,
        settings: &Settings,
        subject: &Subject<'_>,
        index: IndexPart<'_>,
    ) -> Result<Vec<(SectionName, String)>, Failure> {
        let is_agent = subject.is_agent();
        let guidelines = workplace.guidelines();
        let prompt = MemoryPrompt {
            directory: &subject.directory,
            audience: subject.audience(),
            style: match settings.prompt.style {
                memdir_settings::Style::Full => Style::Full,
                memdir_settings::Style::Short => Style::Short,
            },
            daily_log: !is_agent && (self.daily_log || settings.daily_log.enabled),
            skip_index: !is_agent && settings.memory.skip_index,
            guidelines: guidelines.as_deref(),
            index,
        };
        if self.is_one_line(workplace) {
            return Ok(vec![(SectionName::Memory, prompt.render_one_line()?)]);
        }
        // An agent's own memory is all the past it has.
        let transcripts: Vec<String> = match is_agent || !settings.past_context.enabled {
            true => Vec::new(),
            false => workplace
                .places
                .transcript_folders()
                .iter()
                .map(|folder| folder.to_string_lossy().into_owned())
                .collect(),
        };
        let past = settings.past_context.enabled.then_some(PastContext {
            directory: &subject.directory,
            transcripts: &transcripts,
            // Which tools the host has is not known here.
            grep_tool: false,
        });
        if self.hook {
            let text = prompt.render_for_hook(past.as_ref())?;
            return Ok(vec![(SectionName::Memory, text)]);
        }
        let mut texts = vec![(SectionName::Memory, prompt.render()?)];
        if let Some(past) = past.filter(|_| !is_agent) {
            texts.push((SectionName::PastContext, past.render()?));
        }
        Ok(texts)
    }

    /// The section about the folder for temporary files, which is made unless nothing is to be made.
    fn scratchpad(
        &self,
        workplace: &Workplace,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Option<(SectionName, String)>, Failure> {
        let Some(session) = &self.session else {
            return Ok(None);
        };
        let session = PlainName::new(session)
            .map_err(|problem| Failure::usage(format!("--session: {problem}")))?;
        // The bare mode of the client is the prompt without anything that it can do without.
        let is_bare = matches!(
            workplace.places.memory.reason,
            Reason::Bare | Reason::Variable(variables::SIMPLE)
        );
        if is_bare || !settings.scratchpad.enabled {
            return Ok(None);
        }
        let folder = workplace.places.session(&session).scratchpad();
        if !self.dry_run
            && let Err(error) = Directory::create(&folder)
        {
            warnings.add(format!("there is no folder for temporary files: {error}"));
            return Ok(None);
        }
        let text = scratchpad(&folder.to_string_lossy())?;
        Ok(Some((SectionName::Scratchpad, text)))
    }
}

impl<'a> SectionAnswer<'a> {
    fn of(name: SectionName, refresh: Refresh, text: &'a str) -> Self {
        Self {
            name: name.as_str(),
            kind: match name.kind(refresh) {
                Kind::Cached => "cached",
                Kind::PerTurn(_) => "per-turn",
            },
            text: TextAnswer::of(text),
        }
    }
}

impl<'a> TextAnswer<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.len(),
            tokens: text.len().div_ceil(4),
            characters: text.encode_utf16().count(),
        }
    }
}

/// Reads the scope of an agent's memory; anything else is refused with the three that there are.
pub(crate) fn agent_scope() -> impl TypedValueParser<Value = AgentScope> {
    PossibleValuesParser::new(AgentScope::ALL.map(AgentScope::as_str))
        .try_map(|word| AgentScope::parse(&word).ok_or("not a scope"))
}

impl From<NameProblem> for Failure {
    fn from(problem: NameProblem) -> Failure {
        Failure::unknown(
            problem.to_string(),
            "name the agent as its definition does, for example review or plugin:review",
        )
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Failure {
        Failure::new(error.to_string(), "this is a mistake in memdir itself")
    }
}
