//! Prompts, which clients offer as slash commands.

use serde_json::{Map, Value};

use super::refusal::Refusal;

/// A prompt with at most one argument.
pub(crate) struct Prompt {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) argument: Option<Argument>,
    /// What is said, with `{}` in place of the argument.
    said: &'static str,
}

/// What a prompt is about.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
}

/// All of them.
pub(crate) const PROMPTS: [Prompt; 4] = [
    Prompt {
        name: "recall",
        title: "Recall",
        description: "What is remembered about something",
        argument: Some(Argument {
            name: "about",
            description: "What it is about",
        }),
        said: "Call the tool `recall` of memdir and tell me what you remember about this, and how old it is: {}",
    },
    Prompt {
        name: "remember",
        title: "Remember",
        description: "Save something for later conversations",
        argument: Some(Argument {
            name: "text",
            description: "What to remember",
        }),
        said: "Save this with the tool `remember` of memdir, in my words, and tell me the name under which it is kept: {}",
    },
    Prompt {
        name: "forget",
        title: "Forget",
        description: "Remove what is remembered about something",
        argument: Some(Argument {
            name: "about",
            description: "What is no longer to be remembered",
        }),
        said: "Find with the tool `recall` of memdir which memories say this. If it is clear which are meant, remove them with the tool \
               `forget`; otherwise ask me first. It is about: {}",
    },
    Prompt {
        name: "review",
        title: "Review memories",
        description: "Go through the memories of this project together",
        argument: None,
        said: "Go through the memories of this project with the tools `list` and `read` of memdir. Tell me which ones contradict each other, \
               which look outdated, and which say nothing that code or git do not say, and propose what to change. Change nothing before I \
               agree.",
    },
];

impl Prompt {
    /// What is said for these arguments.
    pub(crate) fn said(&self, given: Option<&Map<String, Value>>) -> Result<String, Refusal> {
        let Some(argument) = &self.argument else {
            return Ok(self.said.to_owned());
        };
        let value = given.and_then(|given| given.get(argument.name));
        let value = value
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| {
            Refusal::new(
                format!(
                    "The prompt `{}` needs the argument `{}`",
                    self.name, argument.name
                ),
                argument.description,
            )
        })?;
        Ok(self.said.replacen("{}", value, 1))
    }
}

/// The prompt of this name.
pub(crate) fn named(name: &str) -> Option<&'static Prompt> {
    PROMPTS.iter().find(|prompt| prompt.name == name)
}
