//! Whether the models that the user has named could be asked, as far as that shows without asking them.

use memdir_serve::hook::unable;
use memdir_settings::{NamedModel, Provider};

use super::Check;
use crate::handed_on::found;
use crate::model;
use crate::workplace::Workplace;

const CHECK: &str = "models";
const REMEDY: &str = "until it can be asked, the rules do the work of the background; `memdir models` shows what is named, `memdir models --ping` asks it";

/// One for each that is named for something and could not be asked; one that all could; none where none is named.
pub(super) fn checks(workplace: &Workplace) -> Vec<Check> {
    let models = workplace.places.settings.models();
    let used = models.models.iter().filter(|model| {
        let mut uses = models.uses.iter();
        uses.any(|r#use| r#use.model == model.name)
    });
    let used: Vec<&NamedModel> = used.collect();
    if used.is_empty() {
        return Vec::new();
    }
    let failed = used.iter().filter_map(|named| {
        let why = lack(workplace, named)?;
        let name = &named.name;
        Some(Check::fail(
            CHECK,
            format!("{name} cannot be asked: {why}"),
            REMEDY,
        ))
    });
    let mut checks: Vec<Check> = failed.collect();
    // What was found out by asking it, where nothing else is wrong.
    if checks.is_empty()
        && let Some(why) = unable::read(workplace.store.state_directory())
    {
        let what = format!("the one for background work could not be asked: {why}");
        checks.push(Check::fail(CHECK, what, REMEDY));
    }
    if checks.is_empty() {
        let names: Vec<&str> = used.iter().map(|model| model.name.as_str()).collect();
        let what = format!("{}: nothing is missing to ask", names.join(", "));
        checks.push(Check::ok(CHECK, what));
    }
    checks
}

/// What is missing to ask a model.
fn lack(workplace: &Workplace, named: &NamedModel) -> Option<String> {
    let program = match named.provider {
        Provider::Anthropic | Provider::OpenAi => {
            let facts = model::catalogue(workplace).ok()?;
            let facts = facts.facts(named.model.as_deref().unwrap_or_default());
            return model::built(workplace, named, facts).err();
        }
        Provider::Claude => "claude",
        Provider::Codex => "codex",
        Provider::Command => "",
    };
    let program = named.command.first().map_or(program, String::as_str);
    let there = found(&workplace.places, program).is_some();
    (!there).then(|| format!("there is no program {program}"))
}
