//! `memdir chat`: a conversation with an agent that remembers.

use clap::Args;
use memdir_memory::AgentScope;
use memdir_session::Agent;
use memdir_store::PlainName;
use serde::Serialize;

use crate::chat::{self, Begin, Format, Once, Past, Setting, Whose};
use crate::commands::prompt::agent_scope;
use crate::failure::Failure;
use crate::output::Output;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// Talk to an agent that remembers
///
/// A plain agent for the terminal, with the model that you have named for it: it reads and changes files, runs commands and
/// asks you first. What it learns is saved beside the conversation, and recalled in the next one. `/help` lists what can be
/// typed in it. With -p it answers once and ends.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir chat
  memdir chat --model small
  memdir chat --continue
  memdir chat -p \"Which of these tests are slow?\" < test.log
  memdir chat -p \"Summarise CHANGELOG.md\" --output-format json
  memdir chat --agent reviewer --scope project

Conversations are transcripts that Claude Code can resume, too. Nobody is there to allow anything with -p: it reads the \
project, and writes memories and temporary files.

JSON of -p: {conversation, model, result, stop, requests, input, cache_read, cache_write, output, usd, recalled, saved, \
calls, notices}; stop is end where the model had said all, calls have {tool, error}. An answer that is not whole ends \
with 1. JSON of --resume without an ID: a list of {conversation, title, agent}.")]
pub(crate) struct Chat {
    /// Ask this and print the answer; what comes from standard input is added
    #[arg(short = 'p', long = "print", value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    print: Option<String>,
    /// How the answer of -p is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, requires = "print")]
    output_format: Format,
    /// The model, by the name that you have given it, instead of the one for chat
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Go on with the last conversation of this folder
    #[arg(long = "continue", conflicts_with = "resume")]
    go_on: bool,
    /// Go on with this conversation, as the agent that had it; without an ID, say which there are
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// Be this agent, with its own memory
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Whom the agent's memory is for
    #[arg(long, requires = "agent", value_parser = agent_scope(), default_value = "user")]
    scope: AgentScope,
    #[command(flatten)]
    spending: Spending,
}

impl Chat {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if workplace.everywhere {
            return Err(Failure::usage(
                "--everywhere: a conversation belongs to one project",
            ));
        }
        let begin = match self.begin(workplace)? {
            Some(begin) => begin,
            None => return list(workplace, output),
        };
        let agent = self.agent(workplace)?;
        let agent = match &begin {
            Begin::Resume(name) => same_agent(workplace, name, agent)?,
            Begin::New => agent,
        };
        let model = chat::chosen(workplace, self.model.as_deref())?;
        let setting = Setting::new(workplace, model, agent, self.spending)?;
        match self.print {
            Some(question) => {
                let once = Once {
                    question,
                    format: self.output_format,
                    begin,
                };
                once.run(&setting, output)
            }
            None if output.json => Err(Failure::usage("--json: only together with -p")),
            None => chat::run(&setting, begin),
        }
    }

    /// How the conversation begins; nothing where it is only asked which there are.
    fn begin(&self, workplace: &Workplace) -> Result<Option<Begin>, Failure> {
        let home = workplace.home();
        let none = |what: String| Failure::new(what, "`memdir chat --resume` lists what there is");
        match (self.resume.as_deref(), self.go_on) {
            (Some(""), _) => Ok(None),
            (Some(word), _) => match chat::meant(&home, Whose::Anybody, word) {
                Some(name) => Ok(Some(Begin::Resume(name))),
                None => Err(none(format!("there is no conversation {word}"))),
            },
            (None, true) => {
                let agent = self.agent(workplace)?;
                let whose = Whose::Of(agent.as_ref());
                match (chat::past(&home, whose).into_iter().next(), agent) {
                    (Some(last), _) => Ok(Some(Begin::Resume(last.name))),
                    (None, Some(agent)) => Err(none(format!(
                        "the agent {} had no conversation in this folder yet",
                        agent.name.as_str()
                    ))),
                    (None, None) => Err(none(
                        "no conversation was had in this folder yet".to_owned(),
                    )),
                }
            }
            (None, false) => Ok(Some(Begin::New)),
        }
    }

    fn agent(&self, workplace: &Workplace) -> Result<Option<Agent>, Failure> {
        let Some(typed) = &self.agent else {
            return Ok(None);
        };
        if workplace.environment.has_memory_dir() {
            return Err(Failure::usage(
                "--agent and --memory-dir: an agent's memory is found by its name and scope",
            ));
        }
        Ok(Some(Agent {
            name: PlainName::agent(typed)?,
            scope: self.scope,
        }))
    }
}

/// A conversation, in JSON.
#[derive(Serialize)]
struct Listed {
    conversation: String,
    title: String,
    agent: Option<String>,
}

impl Listed {
    fn of(past: &Past) -> Self {
        let agent = past.agent.as_ref();
        Self {
            conversation: past.name.clone(),
            title: past.title(),
            agent: agent.map(|agent| agent.name.as_str().to_owned()),
        }
    }
}

/// The agent that has had a conversation: no other goes on with it.
fn same_agent(
    workplace: &Workplace,
    name: &str,
    typed: Option<Agent>,
) -> Result<Option<Agent>, Failure> {
    let had = chat::agent_of(&workplace.home(), name);
    match (&typed, &had) {
        (Some(typed), had) if Some(typed) != had.as_ref() => {
            let whose = match had {
                Some(had) => format!("it is of {} ({})", had.name.as_str(), had.scope.as_str()),
                None => "it was had without an agent".to_owned(),
            };
            Err(Failure::new(
                format!(
                    "the agent {} cannot go on with {name}: {whose}",
                    typed.name.as_str()
                ),
                "without --agent it goes on as it was",
            ))
        }
        _ => Ok(had),
    }
}

/// Which conversations there are.
fn list(workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    let all = chat::past(&workplace.home(), Whose::Anybody);
    if output.json {
        let listed: Vec<Listed> = all.iter().map(Listed::of).collect();
        return Ok(output.json(&listed)?);
    }
    for one in &all {
        let whose = match &one.agent {
            Some(agent) => format!("  (agent {})", agent.name.as_str()),
            None => String::new(),
        };
        output.line(format!("{}  {}{whose}", one.name, one.title()))?;
    }
    if all.is_empty() {
        output.line("No conversation was had in this folder yet.")?;
    }
    Ok(())
}
