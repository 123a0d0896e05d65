//! Every rule of the sections on prompt, recall, extraction, consolidation, notes and context, and where it shows.

mod table;

use self::At::{Count, Sent, Step, Test};
use self::table::RULES;
use super::Story;

/// How many rules each section has.
const SECTIONS: [(usize, usize); 6] = [(3, 6), (5, 6), (6, 10), (7, 6), (9, 5), (10, 10)];

/// Where a rule shows.
enum At {
    /// A step of this turn has these words.
    Step(usize, &'static str),
    /// A request of this turn to which this step answered has these words.
    Sent(usize, &'static str, &'static str),
    /// So many requests of this turn were answered by steps whose names begin so.
    Count(usize, &'static str, usize),
    /// Another test, by its file from the root and its name: this conversation cannot show it.
    Test(&'static str, &'static str),
}

type Rule = (&'static str, &'static str, &'static [At]);

/// Nothing is missing from the table, and everything in it shows.
pub(super) fn hold(story: &Story) {
    let numbers = SECTIONS
        .iter()
        .flat_map(|(section, rules)| (1..=*rules).map(move |rule| format!("{section}.{rule}")));
    let numbers: Vec<String> = numbers.collect();
    let told: Vec<&str> = RULES.iter().map(|(number, ..)| *number).collect();
    assert_eq!(told, numbers);
    let mut missing = Vec::new();
    for (number, what, places) in RULES {
        assert!(!places.is_empty(), "{number} shows nowhere");
        for place in *places {
            if let Some(why) = place.is_missing(story) {
                missing.push(format!("{number} {what}: {why}"));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "{}\n\n{}",
        missing.join("\n"),
        story.log()
    );
}

impl At {
    fn is_missing(&self, story: &Story) -> Option<String> {
        let requests = |turn: usize, step: &'static str| {
            let all = story.exchanges.iter();
            all.filter(move |(at, exchange)| {
                let answered = exchange.step.as_deref().unwrap_or_default();
                *at == turn && answered.starts_with(step)
            })
        };
        match self {
            Step(turn, words) => {
                let mut steps = story.steps.iter();
                let shows = steps.any(|(at, step)| at == turn && step.contains(words));
                (!shows).then(|| format!("no step of turn {turn} has `{words}`"))
            }
            Sent(turn, step, words) => {
                let shows = requests(*turn, step)
                    .any(|(_, one)| String::from_utf8_lossy(&one.body).contains(words));
                (!shows).then(|| format!("no request of turn {turn} to {step} has `{words}`"))
            }
            Count(turn, step, count) => {
                let found = requests(*turn, step).count();
                (found != *count).then(|| format!("{found} requests of turn {turn} to {step}"))
            }
            Test(file, name) => {
                let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
                let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
                let shows = text.contains(&format!("fn {name}("));
                (!shows).then(|| format!("{file} has no `{name}`"))
            }
        }
    }
}
