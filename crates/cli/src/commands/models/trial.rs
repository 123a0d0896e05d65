//! One real question to one model: whether it does what its ping promises.

use memdir_agent::{Meter, MeterError};
use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{Cancel, Model, Price, Request, Stop};
use memdir_store::ledger::{LedgerError, dollars};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{GAP, one_line, pairs, thousands};

/// What is asked: nothing of the user's.
const QUESTION: &str = "Answer with the one word: here.";
/// As what it stands in the ledger.
const PURPOSE: &str = "trial";
/// How long the answer may be, with room for the thinking that some models cannot leave out.
const MOST_OUTPUT: u64 = 1_024;

#[derive(Serialize)]
struct Answer<'a> {
    name: &'a str,
    model: &'a str,
    asked: &'static str,
    answer: String,
    whole: bool,
    counted: bool,
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    usd: f64,
}

/// Asks, through the meter as all background work does.
pub(super) fn run(
    name: &str,
    model: &dyn Model,
    meter: &Meter,
    output: &mut Output,
) -> Result<(), Failure> {
    let said = Message::user("trial", QUESTION);
    let flat = flatten(&[&said], &Flattening::default());
    let failed = |error: MeterError| {
        let advice = match &error {
            MeterError::Model(error) => error.advice(),
            MeterError::Ledger(LedgerError::Cap { .. }) => {
                "`memdir cost` shows what was spent; budget.daily_usd is the most for a day"
            }
            _ => "",
        };
        Failure::new(format!("{name}: {error}"), advice)
    };
    let body = model
        .body(&Request::new(&flat, MOST_OUTPUT))
        .map_err(|error| failed(error.into()))?;
    let answer = meter.send(model, PURPOSE, &body, &Cancel::new());
    let reply = answer.and_then(|answer| answer.whole()).map_err(failed)?;
    let usage = reply.billed.usage;
    let price = model.facts().price;
    let cost = price.map_or(0, |price| price.of(&reply.billed));
    let words = reply.words();
    let whole = reply.stop == Stop::End;
    if output.json {
        return Ok(output.json(&Answer {
            name,
            model: model.name(),
            asked: QUESTION,
            answer: words,
            whole,
            counted: reply.counted,
            input: usage.input,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            output: usage.output,
            usd: cost as f64 / 1e9,
        })?);
    }
    let count = |tokens: u64| thousands(usize::try_from(tokens).unwrap_or(usize::MAX));
    let mut answered = format!("{GOOD}{}{GOOD:#}", one_line(words.trim()));
    if !whole {
        answered.push_str(&format!(" {WARN}(it did not come to its end){WARN:#}"));
    }
    let lines = [
        ("asked", format!("{FAINT}{QUESTION}{FAINT:#}")),
        ("answer", answered),
        (
            "tokens",
            match reply.counted {
                true => format!("{} in, {} out", count(usage.prompt()), count(usage.output)),
                false => format!("{WARN}its server does not say{WARN:#}"),
            },
        ),
        (
            "cost",
            match price {
                _ if model.api().is_none() => "what its own account pays".to_owned(),
                Some(Price::FREE) => "nothing".to_owned(),
                _ if reply.counted => dollars(cost),
                _ => format!("{WARN}not known: it stays at its worst case{WARN:#}"),
            },
        ),
    ];
    output.line(format!(
        "{STRONG}{}{STRONG:#}{GAP}{}",
        one_line(name),
        one_line(model.name())
    ))?;
    for line in pairs(&lines) {
        output.line(format!("  {line}"))?;
    }
    Ok(())
}
