//! `memdir prompt`: what an agent's prompt says about memory, byte for byte.
//!
//! Hosts run it at each start of a conversation, so that it does no more than it must: the places, one index, one list
//! of folders.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir_context::{Audience, IndexPart, MemoryPrompt, PastContext, PromptError};
use memdir_memory::index::{Loaded, load};
use memdir_memory::{AgentScope, INDEX_NAME, MemoryPath, hidden};
use memdir_settings::variables;
use memdir_store::{Found, NameProblem, PlainName, read_agent_index};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use crate::warning::{Warnings, hidden_removed};
use crate::workplace::Workplace;

/// What an agent's prompt says about memory
///
/// Byte for byte what a host should put into the system prompt of its agent for this project: how to search the past,
/// the memory prompt and the index as it is loaded. Nothing is created by looking. While memory is off, nothing is
/// printed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir prompt
  memdir prompt --team
  memdir prompt --agent review:security --scope project
  memdir prompt --hook

The index of team memory is named and not shown: others write it, so that an agent should meet it in \
a tool's result.

JSON: {enabled, reason, directory, sections, index, warnings}; a section has {name, text, bytes, \
tokens, characters}, the index {lines, bytes, cut}.")]
pub(crate) struct Prompt {
    /// The memory of this agent, instead of the project's
    #[arg(long, value_name = "NAME", requires = "scope", conflicts_with_all = ["team", "daily_log"])]
    agent: Option<String>,
    /// Whom the agent's memory is for
    #[arg(long, requires = "agent", value_parser = agent_scope())]
    scope: Option<AgentScope>,
    /// With team memory beside the private one
    #[arg(long)]
    team: bool,
    /// For an agent that appends to a daily log
    #[arg(long)]
    daily_log: bool,
    /// The short form, for hosts that take it by hook
    #[arg(long)]
    hook: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    enabled: bool,
    reason: String,
    directory: String,
    sections: Vec<Section<'a>>,
    index: Option<IndexAnswer>,
    warnings: Warnings,
}

#[derive(Serialize)]
struct Section<'a> {
    name: &'a str,
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
        let subject = self.subject(workplace)?;
        let decision = &workplace.places.memory;
        let mut warnings = Warnings::default();
        let mut index = None;
        let mut texts = Vec::new();
        if decision.enabled {
            let loaded = subject.index(&mut warnings);
            texts = self.texts(workplace, &subject, &loaded)?;
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
        if output.json {
            let sections = texts.iter().map(|(name, text)| section(name, text));
            return Ok(output.json(&Answer {
                enabled: decision.enabled,
                reason: decision.reason.to_string(),
                directory: subject.directory.clone(),
                sections: sections.collect(),
                index,
                warnings,
            })?);
        }
        for (at, (_, text)) in texts.iter().enumerate() {
            if at > 0 {
                output.raw(b"\n")?;
            }
            output.raw(text.as_bytes())?;
        }
        Ok(warnings.print(output)?)
    }

    /// The sections by name, in their order.
    fn texts(
        &self,
        workplace: &Workplace,
        subject: &Subject<'_>,
        index: &Loaded,
    ) -> Result<Vec<(&'static str, String)>, Failure> {
        let guidelines = guidelines(workplace);
        let prompt = MemoryPrompt {
            directory: &subject.directory,
            audience: match &subject.agent {
                Some((_, scope)) => Audience::Agent {
                    name: self.agent.as_deref().unwrap_or_default(),
                    scope: *scope,
                },
                None if self.team => Audience::Team,
                None => Audience::Private,
            },
            daily_log: self.daily_log,
            skip_index: false,
            guidelines: guidelines.as_deref(),
            index: IndexPart::Here(index),
        };
        if subject.agent.is_some() {
            let text = match self.hook {
                true => prompt.render_for_hook(None)?,
                false => prompt.render()?,
            };
            return Ok(vec![("memory", text)]);
        }
        let transcripts: Vec<String> = workplace
            .places
            .transcript_folders()
            .iter()
            .map(|folder| folder.to_string_lossy().into_owned())
            .collect();
        let past = PastContext {
            directory: &subject.directory,
            transcripts: &transcripts,
            // Which tools the host has is not known here.
            grep_tool: false,
        };
        Ok(match self.hook {
            true => vec![("memory", prompt.render_for_hook(Some(&past))?)],
            false => vec![
                ("past-context search", past.render()?),
                ("memory", prompt.render()?),
            ],
        })
    }

    fn subject<'a>(&self, workplace: &'a Workplace) -> Result<Subject<'a>, Failure> {
        let agent = match (&self.agent, self.scope) {
            (Some(name), Some(scope)) => Some((PlainName::agent(name)?, scope)),
            _ => None,
        };
        if agent.is_some() && workplace.environment.has_memory_dir() {
            return Err(Failure::usage(
                "--agent and --memory-dir: an agent's memory is found by its name and scope",
            ));
        }
        let directory = match &agent {
            Some((name, scope)) => workplace.places.agent_memory_dir(name, *scope),
            None => workplace.store.memory_directory().to_path_buf(),
        };
        Ok(Subject {
            workplace,
            agent,
            directory: directory.to_string_lossy().into_owned(),
        })
    }
}

/// The memory that the prompt is about.
struct Subject<'a> {
    workplace: &'a Workplace,
    agent: Option<(PlainName, AgentScope)>,
    directory: String,
}

impl Subject<'_> {
    /// The index as it is loaded. What cannot be read is told, and the prompt is that of an empty index.
    fn index(&self, warnings: &mut Warnings) -> Loaded {
        let found = self.read_index().unwrap_or_else(|error| {
            warnings.add(format!("the index is left out: {error}"));
            None
        });
        let loaded = load(&found.map_or_else(Vec::new, |found| found.bytes));
        let removed = hidden::clean(&loaded.text).removed;
        if removed > 0 {
            warnings.add(hidden_removed(removed, INDEX_NAME));
        }
        loaded
    }

    fn read_index(&self) -> memdir_store::Result<Option<Found>> {
        match &self.agent {
            Some((agent, scope)) => {
                let directory = self.workplace.places.open_agent_memory(agent, *scope)?;
                directory.map_or(Ok(None), |directory| read_agent_index(&directory))
            }
            None => self.workplace.store.read(&MemoryPath::new(INDEX_NAME)?),
        }
    }
}

/// What the user's organisation adds, unless the repository put it there.
fn guidelines(workplace: &Workplace) -> Option<String> {
    let name = variables::EXTRA_GUIDELINES;
    let value = workplace.environment.value(name)?;
    (!workplace.places.ignores_variable(name)).then(|| value.to_string_lossy().into_owned())
}

fn section<'a>(name: &'a str, text: &'a str) -> Section<'a> {
    Section {
        name,
        text,
        bytes: text.len(),
        tokens: text.len().div_ceil(4),
        characters: text.encode_utf16().count(),
    }
}

/// Reads the scope of an agent's memory; anything else is refused with the three that there are.
fn agent_scope() -> impl TypedValueParser<Value = AgentScope> {
    PossibleValuesParser::new(AgentScope::ALL.map(AgentScope::as_str))
        .try_map(|word| AgentScope::parse(&word).ok_or("not a scope"))
}

impl From<NameProblem> for Failure {
    fn from(problem: NameProblem) -> Failure {
        Failure::new(
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
