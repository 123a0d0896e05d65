//! Which model may do background work, and what it may cost: asked once, on a terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use jiff::Timestamp;
use memdir_settings::{
    Key, Layer, NamedModel, OwnSettings, Provider, Severity, Trust, Value, variables, with_value,
};
use memdir_store::{Record, Records, read_settings_file, replace_settings_file};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::handed_on::found;
use crate::model::key;
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

/// Programs that are models, and how the names of Anthropic's models begin.
const PROGRAMS: [&str; 2] = ["claude", "codex"];
const ANTHROPIC: &str = "claude-";
/// No model of its own: Claude Code asks its own, behind a turn.
const FORK: &str = "fork";

const DAILY: &str = "At most how many dollars a day? [1.00] ";
const QUESTION: &str = "
Saving what a conversation taught, and tidying up, is done by rules: free, on this machine.
A model does it better, and costs. It can be the program of an account that you have (claude, codex),
or a model of Anthropic's by its name (claude-haiku-4-5; it needs ANTHROPIC_API_KEY). With memdir's plugin in
Claude Code it can be that conversation's own model, asked behind a turn for little more than the question (fork);
that counts against your account there.
Which model may be asked in the background? [none] ";

/// That the user was asked, whatever they said: nobody is asked twice.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Asked {
    at: Timestamp,
}

impl Record for Asked {
    const KIND: &'static str = "asked";
    const VERSION: u64 = 1;
}

/// Asks on the terminal, until the answer is one; `None` is that no model is to be asked. Once for all clients.
pub(crate) fn ask(workplace: &Workplace) -> Result<Option<Background>, Failure> {
    let records = Records::new(workplace.places.own_dir());
    let was_asked = records
        .get::<Asked>(NAME)
        .is_ok_and(|asked| asked.is_some());
    if was_asked || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let background = match valid(QUESTION, |model| match model {
        "" | "none" | "no" | "n" => Ok(None),
        model => model_of(model).map(Some),
    })? {
        None => None,
        Some(model) if model == FORK => Some(Background {
            model,
            daily_usd: None,
        }),
        Some(model) => {
            let daily_usd = valid(DAILY, |daily| match daily {
                "" => Ok(None),
                daily => daily_of(daily).map(|_| Some(daily.to_owned())),
            })?;
            Some(Background { model, daily_usd })
        }
    };
    let at = Timestamp::now();
    records
        .update::<Asked>(NAME, |_| Asked { at })
        .map_err(|error| Failure::new(error.to_string(), "nothing was changed"))?;
    Ok(background)
}

/// The first answer that is one; what is wrong with others is said.
fn valid<T>(question: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
    let mut stderr = io::stderr();
    loop {
        write!(stderr, "{question}")?;
        stderr.flush()?;
        let mut answer = String::new();
        let length = io::stdin().lock().read_line(&mut answer)?;
        match read(answer.trim()) {
            Ok(answer) => return Ok(answer),
            // Whoever closes the terminal answers nothing.
            Err(why) if length == 0 => return Err(Failure::new(why, "nothing was changed")),
            Err(why) => writeln!(stderr, "{why}.")?,
        }
    }
}

/// A model that can be named by one word.
fn model_of(model: &str) -> Result<String, String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-._:/@".contains(c);
    let is_known = PROGRAMS.contains(&model) || model == FORK || model.starts_with(ANTHROPIC);
    match is_known && model.chars().all(is_word) {
        true => Ok(model.to_owned()),
        false => Err(format!(
            "{model:?} is neither claude, codex or fork nor a model of Anthropic's ({ANTHROPIC}…); `memdir help models` says how others are named"
        )),
    }
}

/// The setting of an amount for a day.
fn daily_of(daily: &str) -> Result<(&'static Key, Value), String> {
    let key = Key::find("budget.daily_usd");
    let value = key.and_then(|key| Some((key, key.kind.read(daily)?)));
    value.ok_or_else(|| format!("{daily:?} is no amount of dollars"))
}

impl Background {
    /// Whether the user has named a model already, for anything.
    pub(crate) fn is_named(workplace: &Workplace) -> bool {
        let models = workplace.places.settings.models();
        !models.models.is_empty() || !models.uses.is_empty()
    }

    /// What is wrong with it, before anything is written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let daily = self.daily_usd.as_deref().map(daily_of).transpose();
        let checked = model_of(&self.model).and(daily);
        let refused = |why| Failure::new(why, "no model was named; nothing was changed");
        match (&self.daily_usd, self.model == FORK) {
            (Some(_), true) => Err(refused(
                "what a fork costs is between you and your account; leave `--daily-usd` out"
                    .to_owned(),
            )),
            _ => checked.map(drop).map_err(refused),
        }
    }

    /// What the user should know once it is written.
    pub(crate) fn afterwards(&self) -> &'static str {
        match self.model.as_str() {
            FORK => {
                "Claude Code's own model is asked behind each turn, once memdir's plugin is installed there; until then, and elsewhere, the rules do it. `memdir cost` shows what it took."
            }
            _ => {
                "The model is in your memdir.toml: `memdir models --ping` asks whether it is there, `memdir cost` what it cost."
            }
        }
    }

    /// What is missing to ask it: a key, or the program.
    pub(crate) fn lack(&self, workplace: &Workplace) -> Option<String> {
        if self.model == FORK {
            return None;
        }
        if PROGRAMS.contains(&self.model.as_str()) {
            let there = found(&workplace.places, &self.model).is_some();
            return (!there).then(|| format!("the program {} is not found", self.model));
        }
        let named = NamedModel {
            name: NAME.to_owned(),
            provider: Provider::Anthropic,
            model: Some(self.model.clone()),
            address: None,
            key_variable: None,
            key_file: None,
            command: Vec::new(),
            file: String::new(),
            line: 0,
        };
        let why = key(workplace, &named).err()?;
        Some(format!("its key, {}: {why}", variables::ANTHROPIC_KEY))
    }

    /// The user's settings with the model in them. A program is named by where it is now: nobody else's search path is to
    /// choose another one.
    fn into_text(self, workplace: &Workplace, text: &str) -> Result<String, Failure> {
        let refused = |what: String| Failure::new(what, "no model was named; nothing is asked");
        if self.model == FORK {
            let key = Key::find("extraction.fork").ok_or_else(|| refused(FORK.to_owned()))?;
            let set = with_value(text, key, Value::Switch(true));
            return set.map_err(|problem| refused(problem.to_string()));
        }
        let own = match self.model.as_str() {
            program if PROGRAMS.contains(&program) => {
                let path = found(&workplace.places, program);
                let path = path.as_deref().and_then(Path::to_str);
                let command = path.map(|path| {
                    let path = toml_edit::Value::from(path);
                    format!("\ncommand ={}", path.decorated(" ", ""))
                });
                format!("provider = \"{program}\"{}", command.unwrap_or_default())
            }
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
            let (key, value) = daily_of(&daily).map_err(refused)?;
            text = with_value(&text, key, value).map_err(|problem| refused(problem.to_string()))?;
        }
        Ok(text)
    }

    /// Writes it into the user's own settings.
    pub(crate) fn write(self, workplace: &Workplace) -> Result<(), Failure> {
        let home = &workplace.places.home.path;
        let before = read_settings_file(home)?;
        let after = self.into_text(workplace, before.as_deref().unwrap_or_default())?;
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
