//! A directory of three hundred memories, made from a seed: what is planted in it is known.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use memdir_agent::mend::Before;
use memdir_memory::MemoryPath;

use super::corpus::{Role, Sample, file, read};

/// Small and the same everywhere.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
        list
    }
}

const SERVICES: [&str; 20] = [
    "billing",
    "search",
    "ingest",
    "mailer",
    "gateway",
    "ledger",
    "catalogue",
    "checkout",
    "profile",
    "session",
    "export",
    "thumbnail",
    "scheduler",
    "webhook",
    "inventory",
    "pricing",
    "fraud",
    "reporting",
    "chat",
    "translation",
];
const PEOPLE: [&str; 20] = [
    "Ada", "Ben", "Chidi", "Dora", "Emil", "Fatima", "Goran", "Hana", "Igor", "Jun", "Karin",
    "Liam", "Marta", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sven", "Tomás",
];

/// Memories that differ in what they are about and share every other word: (kind, name, description, body).
const FORMS: [(&str, &str, &str, &str); 8] = [
    (
        "project",
        "{s}-contact",
        "{P} owns the {s} service",
        "{P} owns the {s} service and answers questions about it. Changes to its interface need a word with {P} first.",
    ),
    (
        "reference",
        "{s}-dashboard",
        "Dashboard of the {s} service",
        "The dashboard of the {s} service is at grafana.internal/d/{s}. Look at it after every deployment of {s}.",
    ),
    (
        "project",
        "{s}-port",
        "The {s} service listens on port 7{n}",
        "In development the {s} service listens on port 7{n}. Its metrics are on 8{n}.",
    ),
    (
        "feedback",
        "{s}-tests",
        "How the tests of {s} are run",
        "Run `make -C services/{s} test` before each commit that touches {s}.\n\n**Why:** Its fixtures break in CI without a sign.",
    ),
    (
        "reference",
        "{s}-runbook",
        "Runbook for incidents of {s}",
        "Incidents of the {s} service have a runbook: the wiki page \"{s} on fire\". It names who may restart it.",
    ),
    (
        "project",
        "{s}-limit",
        "Rate limit of {s}",
        "The {s} service allows {n} requests a minute for one customer. {P} asked for the limit after the outage of spring.",
    ),
    (
        "user",
        "{p}-{s}-background",
        "{P} knows {s} from the inside",
        "{P} wrote the first version of {s} and needs no introduction to it. For everything else {P} wants short explanations.",
    ),
    (
        "feedback",
        "{s}-reviewer",
        "Reviews of {s} go to {P}",
        "Ask {P} for a review when a change touches {s}.\n\n**How to apply:** Add the label `{s}` and wait for a day.",
    ),
];

const DATES: [(&str, i64); 4] = [
    ("tomorrow", 1),
    ("yesterday", -1),
    ("the day after tomorrow", 2),
    ("in three days", 3),
];

/// What was planted.
pub(super) struct Directory {
    pub(super) files: BTreeMap<MemoryPath, Before>,
    /// Copies in other words, each with what it is a copy of.
    pub(super) near: BTreeMap<MemoryPath, MemoryPath>,
    pub(super) exact: BTreeMap<MemoryPath, MemoryPath>,
    pub(super) opposed: BTreeSet<MemoryPath>,
    pub(super) dead: Vec<String>,
    /// Memories with a relative date: the words and the day that is meant.
    pub(super) dated: BTreeMap<MemoryPath, (String, Date)>,
    /// Text that stands in the index alone.
    pub(super) hooks: Vec<String>,
}

pub(super) fn make(seed: u64) -> Directory {
    let mut dice = Dice::new(seed);
    let mut first = read(include_str!("first.txt"));
    let mut second = read(include_str!("second.txt"));
    for sample in &mut second {
        sample.group += 1_000;
    }
    first.append(&mut second);
    let written = first;
    let of = |role: Role| written.iter().filter(move |one| one.role == role).cloned();
    let mut originals: Vec<Sample> = of(Role::Original).collect();
    let mut made = forms(&mut dice);
    made.truncate(190 - originals.len());
    originals.extend(made.iter().cloned());
    let opposed = dice.shuffled(of(Role::Opposed).collect::<Vec<_>>());
    let opposed: Vec<Sample> = opposed.into_iter().take(20).collect();
    let again = dice.shuffled(of(Role::Again).collect::<Vec<_>>());
    let mut copies: Vec<(Sample, MemoryPath)> = again
        .into_iter()
        .take(30)
        .map(|copy| {
            let twin = originals
                .iter()
                .find(|one| one.group == copy.group)
                .unwrap();
            (copy, twin.path())
        })
        .collect();
    let bases = dice.shuffled(made);
    for (at, base) in bases.iter().take(30).enumerate() {
        copies.push((altered(base, at, &mut dice), base.path()));
    }
    let mut directory = Directory {
        files: BTreeMap::new(),
        near: BTreeMap::new(),
        exact: BTreeMap::new(),
        opposed: opposed.iter().map(Sample::path).collect(),
        dead: Vec::new(),
        dated: BTreeMap::new(),
        hooks: Vec::new(),
    };
    for sample in originals.iter().chain(&opposed) {
        let day = dice.below(300) as i64;
        directory
            .files
            .insert(sample.path(), file(sample.text(), day));
    }
    for (copy, twin) in copies {
        let day = dice.below(300) as i64;
        directory.near.insert(copy.path(), twin);
        directory.files.insert(copy.path(), file(copy.text(), day));
    }
    for base in bases.iter().skip(30).take(10) {
        let path = MemoryPath::new(&format!("copy_of_{}", base.path())).unwrap();
        let day = dice.below(300) as i64;
        directory.exact.insert(path.clone(), base.path());
        directory.files.insert(path, file(base.text(), day));
    }
    directory.add_dates(&mut dice);
    assert_eq!(directory.files.len(), 300);
    directory.add_index(&mut dice);
    directory
}

fn forms(dice: &mut Dice) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (form, (kind, name, description, body)) in FORMS.iter().enumerate() {
        for (at, service) in SERVICES.iter().enumerate() {
            let person = PEOPLE[(at + 7 * form) % 20];
            let number = 100 + 7 * at;
            let fill = |text: &str| {
                text.replace("{s}", service)
                    .replace("{P}", person)
                    .replace("{p}", &person.to_lowercase().replace('á', "a"))
                    .replace("{n}", &number.to_string())
            };
            samples.push(Sample {
                group: 10_000 + 100 * form + at,
                role: Role::Original,
                kind: (*kind).to_owned(),
                name: fill(name),
                description: fill(description),
                body: format!("{}\n", fill(body)),
            });
        }
    }
    dice.shuffled(samples)
}

/// A copy as an agent makes it that has forgotten the first.
fn altered(base: &Sample, way: usize, dice: &mut Dice) -> Sample {
    let mut copy = base.clone();
    copy.name = format!("{}-again", base.name);
    let body = base.body.trim();
    let (first, rest) = body.split_once(". ").unwrap_or((body, ""));
    let first = first.trim_end_matches('.');
    copy.body = match way % 6 {
        // Other order.
        0 if !rest.is_empty() => format!("{rest} {first}.\n"),
        // One sentence more.
        1 => format!(
            "{body} Noted in the meeting of 2026-02-{:02}.\n",
            1 + dice.below(28)
        ),
        // Wrapped and as a list.
        2 if !rest.is_empty() => format!("- {first}.\n- {rest}\n"),
        3 => format!(
            "{}\n",
            body.replace(' ', "  ").replace('"', "”").replace("'", "’")
        ),
        // Small words.
        4 => format!(
            "{}\n",
            body.replace(" each ", " every ")
                .replace("is at ", "lives at ")
                .replace(" and needs", ", and needs")
        ),
        _ => format!("{body}\n"),
    };
    copy.description = match way % 3 {
        0 => format!("Note: {}", base.description),
        1 => base
            .description
            .replace(" of ", " for ")
            .replace("service", "service (ours)"),
        _ => base.description.clone(),
    };
    if copy.body == base.body && copy.description == base.description {
        copy.description = format!("Remember: {}", base.description);
    }
    copy
}

impl Directory {
    fn add_dates(&mut self, dice: &mut Dice) {
        for at in 0..20 {
            let (words, distance) = DATES[at % 4];
            let service = SERVICES[at];
            let day = dice.below(300) as i64;
            let text = format!(
                "---\nname: {service}-rehearsal\ndescription: Rehearsal of the {service} failover\ntype: project\n---\n\n\
                 The failover of {service} is rehearsed {words} with {}.\n",
                PEOPLE[(at * 3) % 20]
            );
            let path = MemoryPath::new(&format!("project_{service}_rehearsal.md")).unwrap();
            let meant: Date = "2026-01-01".parse().unwrap();
            let meant = meant
                .checked_add(jiff::Span::new().days(day + distance))
                .unwrap();
            self.dated.insert(path.clone(), (words.to_owned(), meant));
            self.files.insert(path, file(text, day));
        }
    }

    /// 220 lines: text of the user's, dead lines, long ones, doubled ones.
    fn add_index(&mut self, dice: &mut Dice) {
        let mut lines = vec![
            "# What we know".to_owned(),
            String::new(),
            "Mine: do not sort.".to_owned(),
            String::new(),
        ];
        let mut entries = Vec::new();
        for (at, service) in SERVICES.iter().enumerate() {
            let target = format!("gone_{service}.md");
            entries.push(format!("- [Gone {at}]({target}) — was here once"));
            self.dead.push(target);
        }
        let paths = dice.shuffled(self.files.keys().cloned().collect::<Vec<_>>());
        for (at, path) in paths.iter().take(190).enumerate() {
            let hook = match at % 19 {
                0 => {
                    let hook = format!(
                        "Agreed in the round of {} with everybody at the table, after two hours of talk about what the other teams need, and with a promise to look at it again in autumn",
                        PEOPLE[at % 20]
                    );
                    self.hooks.push(hook.clone());
                    hook
                }
                _ => "see there".to_owned(),
            };
            entries.push(format!("- [{}]({path}) — {hook}", path.stem()));
        }
        for path in paths.iter().take(6) {
            entries.push(format!("* [again](./{path}): see there"));
        }
        lines.extend(dice.shuffled(entries));
        assert_eq!(lines.len(), 220);
        let text = format!("{}\n", lines.join("\n"));
        self.files
            .insert(MemoryPath::new("MEMORY.md").unwrap(), file(text, 300));
    }
}
