//! Which model may do background work, and what it may cost: asked once, on a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use memdir_settings::{Key, Layer, OwnSettings, Severity, Trust, with_value};
use memdir_store::{read_settings_file, replace_settings_file};

use crate::failure::Failure;
use crate::workplace::Workplace;

/// The user's answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Background {
    /// A program of the user's (`claude`, `codex`) or a model of Anthropic's.
    pub(crate) model: String,
    /// What a day may cost.
    pub(crate) daily_usd: Option<String>,
}

/// The name that the model gets in the settings.
const NAME: &str = "background";
/// What it is named for. Choosing memories is done without one in milliseconds.
const PURPOSES: [&str; 3] = ["extraction", "dream", "notes"];

const QUESTION: &str = "
Saving what a conversation taught, and tidying up, is done by rules: free, on this machine.
A model does it better, and costs. It can be the program of an account that you have (claude, codex),
or a model of Anthropic's by its name (claude-haiku-4-5; it needs ANTHROPIC_API_KEY).
Which model may be asked in the background? [none] ";

/// Asks on the terminal; `None` is that no model is to be asked.
pub(crate) fn ask() -> Result<Option<Background>, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let model = answer(QUESTION)?;
    if matches!(model.as_str(), "" | "none" | "no" | "n") {
        return Ok(None);
    }
    let daily_usd = answer("At most how many dollars a day? [1.00] ")?;
    Ok(Some(Background {
        model,
        daily_usd: Some(daily_usd).filter(|answer| !answer.is_empty()),
    }))
}

fn answer(question: &str) -> Result<String, Failure> {
    let mut stderr = io::stderr();
    write!(stderr, "{question}")?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim().to_owned())
}

impl Background {
    /// Whether the user has named a model already, for anything.
    pub(crate) fn is_named(workplace: &Workplace) -> bool {
        let models = workplace.places.settings.models();
        !models.models.is_empty() || !models.uses.is_empty()
    }

    /// The user's settings with the model in them.
    fn into_text(self, text: &str) -> Result<String, Failure> {
        let refused = |what: String| Failure::new(what, "no model was named; nothing is asked");
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-._:/@".contains(c);
        if self.model.is_empty() || !self.model.chars().all(is_word) {
            return Err(refused(format!("{:?} is no name of a model", self.model)));
        }
        let own = match self.model.as_str() {
            program @ ("claude" | "codex") => format!("provider = \"{program}\""),
            model => format!("provider = \"anthropic\"\nmodel = \"{model}\""),
        };
        let uses: String = PURPOSES
            .map(|purpose| format!("{purpose} = \"{NAME}\"\n"))
            .concat();
        let gap = match text {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let mut text = format!("{text}{gap}[models.{NAME}]\n{own}\n\n[model_for]\n{uses}");
        if let Some(daily) = self.daily_usd {
            let key = Key::find("budget.daily_usd");
            let value = key.and_then(|key| Some((key, key.kind.read(&daily)?)));
            let (key, value) =
                value.ok_or_else(|| refused(format!("{daily:?} is no amount of dollars")))?;
            text = with_value(&text, key, value).map_err(|problem| refused(problem.to_string()))?;
        }
        Ok(text)
    }

    /// Writes it into the user's own settings.
    pub(crate) fn write(self, workplace: &Workplace) -> Result<(), Failure> {
        let home = &workplace.places.home.path;
        let before = read_settings_file(home)?;
        let after = self.into_text(before.as_deref().unwrap_or_default())?;
        let file = workplace.places.settings_file();
        let read = OwnSettings::parse(
            Layer::User,
            Trust::Trusted,
            &file.display().to_string(),
            after.as_bytes(),
        );
        let mut errors = read.problems().iter();
        if let Some(error) = errors.find(|problem| problem.severity == Severity::Error) {
            return Err(Failure::new(
                error.to_string(),
                "mend the file; no model was named, and nothing is asked",
            ));
        }
        replace_settings_file(home, before.as_deref(), &after)
            .map_err(|error| Failure::new(error.to_string(), "try again"))
    }
}
