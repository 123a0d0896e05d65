//! English sentences.

use jiff::civil::Date;
use memdir_memory::MemoryType::{Feedback, Project, Reference, User};
use memdir_memory::dates;

use super::speech::Sentence;
use super::{Act, Wish, wish};

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Wish> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    if sentence.question {
        let asked = polite(clause)?;
        return standing(asked)
            .and_then(|rule| wish(sentence, from(asked), Act::Keep(Feedback), rule));
    }
    if is_question(clause) || words(clause).count() < 3 {
        return None;
    }
    if let Some(rest) = forget(clause) {
        return wish(sentence, from(rest), Act::Forget, "forget");
    }
    if let Some(rest) = remember(clause) {
        let kind = kind_of(without_lead_in(rest), today);
        return wish(sentence, from(rest), Act::Keep(kind), "remember");
    }
    if is_for_now(plain) {
        return None;
    }
    if let Some(rule) = standing(clause) {
        return wish(sentence, from(clause), Act::Keep(Feedback), rule);
    }
    if let Some(rule) = person(clause) {
        return wish(sentence, from(clause), Act::Keep(User), rule);
    }
    if lives_somewhere(clause) {
        return wish(
            sentence,
            from(clause),
            Act::Keep(Reference),
            "where things live",
        );
    }
    if is_dated_plan(clause, sentence.text, today) {
        return wish(sentence, from(clause), Act::Keep(Project), "dated plan");
    }
    None
}

/// What comes behind one of these openings, which end at a word boundary.
fn after<'a>(text: &'a str, openings: &[&str]) -> Option<&'a str> {
    openings.iter().find_map(|opening| {
        let mut rest = text;
        for wanted in opening.chars() {
            let found = rest.chars().next()?;
            let same = found == wanted || wanted == '\'' && found == '’';
            if !same {
                return None;
            }
            rest = rest.get(found.len_utf8()..)?;
        }
        let ends = rest
            .chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric());
        ends.then(|| rest.trim_start_matches([' ', ',', ':']))
    })
}

fn opens(text: &str, openings: &[&str]) -> bool {
    after(text, openings).is_some()
}

/// Whether one of these stands in the text as whole words.
fn has(text: &str, signs: &[&str]) -> bool {
    let words: Vec<String> = words(text).map(str::to_owned).collect();
    let spaced = format!(" {} ", words.join(" ").replace('’', "'"));
    signs
        .iter()
        .any(|sign| spaced.contains(&format!(" {sign} ")))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| {
        !(character.is_alphanumeric() || matches!(character, '\'' | '’' | '-' | '_' | '\u{1}'))
    })
    .filter(|word| !word.is_empty())
}

fn first_word(text: &str) -> &str {
    words(text).next().unwrap_or_default()
}

/// Without greetings, thanks, agreement and the like.
fn without_lead_in(text: &str) -> &str {
    const LEAD_INS: &[&str] = &[
        "please",
        "pls",
        "also",
        "and",
        "but",
        "so",
        "ok",
        "okay",
        "yes",
        "yep",
        "yeah",
        "no",
        "nope",
        "great",
        "perfect",
        "thanks",
        "thank you",
        "cool",
        "nice",
        "hey",
        "hi",
        "hello",
        "btw",
        "by the way",
        "oh",
        "one more thing",
        "fyi",
        "just",
        "well",
        "right",
        "actually",
        "hmm",
        "look",
        "listen",
        "again",
        "as i said",
        "for the record",
        "good",
        "sure",
        "exactly",
        "kindly",
        "important",
        "note",
        "heads up",
        "quick note",
        "reminder",
        "claude",
        "then",
        "agreed",
        "correct",
    ];
    let mut rest = text.trim_start_matches([' ', '-', '—', '*']);
    while let Some(shorter) = after(rest, LEAD_INS) {
        // "No emojis" is a wish, "no, use tabs" an answer before one.
        let said = rest.len() - shorter.len();
        let comma = rest
            .get(..said)
            .is_some_and(|said| said.contains([',', ':']));
        let needs_comma = opens(
            rest,
            &[
                "no",
                "right",
                "well",
                "good",
                "look",
                "then",
                "just",
                "important",
                "note",
                "reminder",
                "so",
            ],
        );
        if needs_comma && !comma || shorter.is_empty() {
            break;
        }
        rest = shorter.trim_start_matches(['-', '—', '!', '.', ' ']);
    }
    rest
}

fn is_question(clause: &str) -> bool {
    opens(
        clause,
        &[
            "do you",
            "did you",
            "does",
            "can you",
            "could you",
            "would you",
            "will you",
            "can we",
            "could we",
            "should we",
            "should i",
            "can i",
            "could i",
            "may i",
            "why",
            "what",
            "what's",
            "how",
            "where",
            "who",
            "which",
            "is",
            "are",
            "was",
            "were",
            "has",
            "have you",
            "isn't",
            "aren't",
            "don't you",
            "didn't",
            "i wonder",
            "do i",
            "do we",
            "if only",
            "any idea",
            "what if",
        ],
    )
}

/// What a polite question asks for: "could you always …?".
fn polite(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        &[
            "can you",
            "could you",
            "would you",
            "will you",
            "can we",
            "could we",
        ],
    )?;
    let rest = after(rest, &["please", "just"]).unwrap_or(rest);
    let standing = opens(rest, &["always", "never", "stop", "from now on"])
        || has(rest, &["from now on", "in the future", "going forward"]);
    standing.then_some(rest)
}

fn forget(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        &[
            "you can",
            "you may",
            "you should",
            "let's",
            "i want you to",
            "i'd like you to",
        ],
    )
    .unwrap_or(clause);
    let rest = after(rest, &["now", "please", "just"]).unwrap_or(rest);
    if has(
        rest,
        &[
            "from memory",
            "from your memory",
            "from your memories",
            "from the memory",
        ],
    ) && opens(rest, &["delete", "remove", "drop", "erase", "clear"])
    {
        return after(rest, &["delete", "remove", "drop", "erase", "clear"]);
    }
    let rest = after(rest, &["forget"])?;
    let rest = after(
        rest,
        &[
            "everything i told you about",
            "everything about",
            "everything you know about",
            "what i said about",
            "what i told you about",
            "about",
            "that",
            "my",
            "the",
        ],
    )
    .map_or(rest, |shorter| {
        if opens(rest, &["my", "the"]) {
            rest
        } else {
            shorter
        }
    });
    let vague = opens(
        rest,
        &[
            "it",
            "this",
            "that",
            "me",
            "them",
            "him",
            "her",
            "the last",
            "the previous",
            "the error",
            "the test",
            "the above",
        ],
    );
    (!vague && words(rest).count() >= 2).then_some(rest)
}

fn remember(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        &[
            "i want you to",
            "i'd like you to",
            "i need you to",
            "you should",
            "you must",
            "you need to",
            "for future sessions",
            "for next time",
        ],
    )
    .unwrap_or(clause);
    let rest = after(rest, &["always", "please", "also"]).unwrap_or(rest);
    if let Some(rest) = after(
        rest,
        &[
            "for future reference",
            "for the future",
            "for next time",
            "for future sessions",
        ],
    ) {
        return (words(rest).count() >= 3 && !is_question(rest)).then_some(rest);
    }
    let rest = after(
        rest,
        &[
            "remember that",
            "remember",
            "keep in mind that",
            "keep in mind",
            "bear in mind that",
            "bear in mind",
            "make a note that",
            "make a note",
            "take note that",
            "don't forget that",
            "do not forget that",
            "never forget that",
            "don't forget",
            "do not forget",
            "save to memory that",
            "save to memory",
            "save this to memory",
            "save that to memory",
            "save in memory that",
            "add to memory that",
            "add to memory",
            "memorize that",
            "memorize",
            "store in memory that",
            "commit to memory that",
            "put in your memory that",
            "note for the future",
        ],
    )?;
    let recalls = opens(
        rest,
        &[
            "when",
            "how",
            "what",
            "why",
            "where",
            "who",
            "the time",
            "me",
            "it",
            "this",
            "last",
            "us",
            "him",
            "her",
            "about",
            "to thank",
            "those",
            "these days",
            "the other day",
        ],
    );
    // "Don't forget to add a test" is part of the task at hand.
    let task = opens(clause, &["don't forget", "do not forget"])
        && opens(rest, &["to"])
        && !opens(rest, &["to always", "to never"]);
    let rest = match after(rest, &["to"]) {
        Some(doing) if !task => doing,
        _ => rest,
    };
    let once = opens(clause, &["remember to", "always remember to"]) && points_at_something(rest);
    (!recalls && !task && !once && words(rest).count() >= 2).then_some(rest)
}

/// Whether it holds for the moment or for one place only.
fn is_for_now(plain: &str) -> bool {
    has(
        plain,
        &[
            "for now",
            "this time",
            "just this once",
            "right now",
            "at the moment",
            "in this function",
            "in this file",
            "in this test",
            "in this commit",
            "in this pr",
            "in this case",
            "in this method",
            "in this class",
            "in this line",
            "in this branch",
            "in this step",
            "here",
            "yet",
            "until i",
            "until we",
            "before i",
            "for the moment",
            "for today",
            "temporarily",
            "in that file",
            "in that function",
            "while i",
            "this one",
            "that one",
            "in this patch",
            "this session",
            "in this session",
            "this run",
        ],
    )
}

/// A standing wish about how to work.
fn standing(clause: &str) -> Option<&'static str> {
    if let Some(rest) = after(
        clause,
        &[
            "from now on",
            "going forward",
            "moving forward",
            "in future",
            "in the future",
            "as a rule",
            "as a general rule",
            "henceforth",
            "by default",
        ],
    ) {
        let told = opens(
            rest,
            &[
                "we'll",
                "i'll",
                "it",
                "there",
                "this will",
                "the",
                "that",
                "i'm going",
                "we might",
                "we may",
                "i might",
                "i may",
                "maybe",
            ],
        );
        return (!told && words(rest).count() >= 2).then_some("from now on");
    }
    if has(clause, &["from now on", "going forward"]) && opens(clause, IMPERATIVES) {
        return Some("from now on");
    }
    let inner = after(
        clause,
        &[
            "you should",
            "you must",
            "you need to",
            "you have to",
            "i want you to",
            "i'd like you to",
            "i need you to",
            "i expect you to",
            "make sure to",
            "make sure you",
            "make sure",
            "be sure to",
            "try to",
            "we",
        ],
    )
    .unwrap_or(clause);
    if let Some(rest) = after(inner, &["always"]) {
        return (!is_state(rest)).then_some("always");
    }
    if let Some(rest) = after(
        inner,
        &[
            "never",
            "don't ever",
            "do not ever",
            "under no circumstances",
        ],
    ) {
        return (!is_past(rest) && !opens(rest, &["mind", "got", "mentioned"])).then_some("never");
    }
    if let Some(rest) = after(inner, &["stop"]) {
        let word = first_word(rest);
        let doing = word.len() > 4
            && word.ends_with("ing")
            && !matches!(word, "something" | "anything" | "everything" | "nothing");
        let object = after(rest, &[word]).unwrap_or_default();
        return (doing && !opens(object, &["the", "this", "that", "it", "now"])).then_some("stop");
    }
    if let Some(rest) = after(inner, &["avoid"]) {
        return (words(rest).count() >= 2 && !points_at_something(rest)).then_some("avoid");
    }
    if let Some(rest) = after(inner, &["don't", "dont", "do not", "refrain from"]) {
        return is_general_ban(rest).then_some("don't");
    }
    if opens(clause, &["no"]) {
        return no_such_thing(clause).then_some("no such thing");
    }
    if let Some(rest) = after(clause, &["only ever", "only"]) {
        return (opens(rest, IMPERATIVES)
            && words(rest).count() >= 3
            && !points_at_something(rest))
        .then_some("only");
    }
    if let Some(rest) = after(clause, &["keep"]) {
        let word = first_word(rest);
        let manner = has(
            rest,
            &[
                "short",
                "small",
                "terse",
                "brief",
                "concise",
                "minimal",
                "atomic",
                "simple",
                "like that",
                "like this",
            ],
        ) && opens(
            rest,
            &[
                "your",
                "commits",
                "commit messages",
                "answers",
                "replies",
                "responses",
                "explanations",
                "summaries",
                "functions",
                "prs",
                "pull requests",
                "diffs",
                "messages",
            ],
        );
        let doing = word.ends_with("ing")
            && word.len() > 4
            && words(rest).count() >= 3
            && !points_at_something(rest)
            && !matches!(
                word,
                "going" | "trying" | "looking" | "working" | "digging" | "running"
            );
        return (manner || doing).then_some("keep");
    }
    preference(clause)
        .or_else(|| scoped(clause))
        .or_else(|| confirmed(clause))
}

/// "When you …, always …", "in this repository, never …".
fn scoped(clause: &str) -> Option<&'static str> {
    let (scope, rest) = clause.split_once(',')?;
    let scoped = opens(
        scope,
        &[
            "when",
            "whenever",
            "every time",
            "each time",
            "any time",
            "in",
            "for",
            "on",
            "before",
            "after",
            "if",
            "with",
            "while",
            "as long as",
            "inside",
            "unless",
        ],
    );
    if !scoped || words(scope).count() > 12 {
        return None;
    }
    let rest = without_lead_in(rest);
    let you = has(scope, &["you", "your"])
        || opens(
            scope,
            &[
                "in this repo",
                "in this repository",
                "in this project",
                "in this codebase",
                "for this project",
                "for this repo",
                "in our",
                "in my",
                "for all",
                "for every",
                "for any",
                "in all",
                "in every",
                "whenever",
                "every time",
                "before committing",
                "before pushing",
                "after editing",
                "when writing",
                "when adding",
                "when committing",
                "when reviewing",
                "when naming",
                "when editing",
                "when fixing",
                "when refactoring",
                "when explaining",
                "when testing",
                "when debugging",
            ],
        );
    let strong = opens(rest, &["always", "never", "don't ever"])
        && !is_past(after(rest, &["always", "never", "don't ever"]).unwrap_or_default());
    let ban = after(rest, &["don't", "do not", "avoid"])
        .is_some_and(|banned| you && is_general_ban(banned));
    let order = you && opens(rest, IMPERATIVES) && !points_at_something(rest);
    (strong || ban || order).then_some("whenever")
}

fn preference(clause: &str) -> Option<&'static str> {
    let rest = after(
        clause,
        &[
            "i much prefer",
            "i strongly prefer",
            "i really prefer",
            "i generally prefer",
            "i usually prefer",
            "i always prefer",
            "i prefer",
            "we prefer",
            "i'd prefer",
            "i would prefer",
            "my preference is",
            "i'd rather you",
            "i would rather you",
            "i like it when",
            "i like to have",
            "i love it when",
            "i hate it when",
            "i hate",
            "i can't stand",
            "i dislike",
            "i don't like it when",
            "i don't want you to",
            "i don't want to see",
            "i never want",
            "i always want",
            "i want you to always",
            "i want you to never",
            "i always use",
            "i never use",
            "i only use",
            "i no longer use",
            "we no longer use",
            "we only use",
            "we never use",
            "we always use",
        ],
    )?;
    let picks = points_at_something(rest)
        || opens(
            rest,
            &[
                "the first",
                "the second",
                "the third",
                "the latter",
                "the former",
                "the other",
                "option",
                "number",
                "your",
                "a",
                "b",
                "not",
                "to wait",
                "to keep this",
                "to have this",
                "how",
                "what",
                "when this",
                "when that",
            ],
        )
        || has(
            rest,
            &[
                "option",
                "approach a",
                "approach b",
                "your version",
                "your suggestion",
                "of the two",
            ],
        );
    (!picks && words(rest).count() >= 1).then_some("preference")
}

/// What was done well and should stay so, where the sentence says what.
fn confirmed(clause: &str) -> Option<&'static str> {
    let rest = after(
        clause,
        &[
            "good call on",
            "great call on",
            "good call to",
            "good choice to",
            "great choice to",
            "that was the right call to",
            "it was the right call to",
            "you were right to",
            "i like that you",
            "i like how you",
            "i really like how you",
            "i appreciate that you",
            "i love how you",
            "i love that you",
        ],
    )?;
    let rest_words = words(rest).count();
    (rest_words >= 3 && !has(rest, &["this", "it"])).then_some("confirmed")
}

/// Something the user says of themselves that will still be so next month.
fn person(clause: &str) -> Option<&'static str> {
    if let Some(rest) = after(
        clause,
        &[
            "my name is",
            "my name's",
            "call me",
            "please call me",
            "you can call me",
            "my pronouns are",
            "my job is",
            "my role is",
            "my background is",
            "my timezone is",
            "my time zone is",
            "my native language is",
            "my first language is",
            "my team",
            "i'm responsible for",
            "i am responsible for",
            "i'm in charge of",
            "i am in charge of",
            "i work as",
            "i work at",
            "i work for",
            "i work in",
            "i work on the",
            "i live in",
            "i'm based in",
            "i am based in",
            "i manage the",
            "i lead the",
            "i maintain",
            "i'm new to",
            "i am new to",
            "i'm fluent in",
            "i speak",
            "i come from",
            "i'm colour-blind",
            "i'm colorblind",
            "i am colorblind",
            "i'm dyslexic",
            "i use a screen reader",
            "i no longer work",
        ],
    ) {
        let vague = opens(
            rest,
            &[
                "this", "that", "it", "when", "back", "later", "if", "the bug", "the fix",
            ],
        ) && !opens(clause, &["i no longer work"]);
        let enough =
            words(rest).count() >= 1 || clause.contains("blind") || clause.contains("dyslexic");
        return (!vague && enough).then_some("who they are");
    }
    if let Some(rest) = after(
        clause,
        &[
            "i'm a",
            "i'm an",
            "i am a",
            "i am an",
            "i'm the",
            "i am the",
            "i'm mostly a",
            "i'm primarily a",
            "i'm mainly a",
            "as a",
        ],
    ) {
        let as_a = opens(clause, &["as a"]);
        let until = rest.split([',', ';']).next().unwrap_or(rest);
        let role = words(until).take(6).any(is_role);
        return (role && !as_a && !opens(rest, &["bit", "little", "fan", "big fan", "huge fan"]))
            .then_some("who they are");
    }
    let rest = after(clause, &["i've been", "i have been", "i've", "i have"])?;
    let years = has(rest, &["years", "decade", "decades"])
        || has(
            rest,
            &[
                "never written",
                "never used",
                "never touched",
                "never worked with",
                "no experience with",
                "no experience in",
                "little experience with",
                "zero experience with",
            ],
        );
    let verb = opens(
        rest,
        &[
            "writing",
            "using",
            "working",
            "coding",
            "programming",
            "building",
            "doing",
            "developing",
            "managing",
            "written",
            "used",
            "worked",
            "never",
            "no",
            "little",
            "zero",
            "over",
            "about",
            "almost",
            "more than",
            "around",
        ],
    ) || first_word(rest)
        .chars()
        .all(|character| character.is_ascii_digit());
    let error = has(rest, &["error", "bug", "issue", "problem", "this"]);
    (years && verb && !error).then_some("who they are")
}

fn is_role(word: &str) -> bool {
    const ROLES: &[&str] = &[
        "engineer",
        "developer",
        "programmer",
        "scientist",
        "designer",
        "manager",
        "lead",
        "student",
        "researcher",
        "analyst",
        "architect",
        "administrator",
        "admin",
        "sysadmin",
        "sre",
        "founder",
        "cofounder",
        "co-founder",
        "teacher",
        "writer",
        "consultant",
        "freelancer",
        "contractor",
        "intern",
        "beginner",
        "novice",
        "cto",
        "ceo",
        "vp",
        "director",
        "maintainer",
        "dba",
        "devops",
        "tester",
        "professor",
        "physicist",
        "biologist",
        "mathematician",
        "statistician",
        "economist",
        "lawyer",
        "doctor",
        "nurse",
        "journalist",
        "hobbyist",
        "expert",
        "veteran",
        "newcomer",
        "specialist",
        "technician",
        "dev",
        "swe",
        "pm",
        "owner",
        "postdoc",
        "phd",
        "head",
        "rustacean",
        "pythonista",
    ];
    ROLES.contains(&word)
}

/// Where something lives outside of the code.
fn lives_somewhere(clause: &str) -> bool {
    const THINGS: &[&str] = &[
        "bugs",
        "issues",
        "tickets",
        "dashboards",
        "dashboard",
        "runbook",
        "runbooks",
        "docs",
        "documentation",
        "designs",
        "design",
        "mockups",
        "specs",
        "spec",
        "metrics",
        "logs",
        "alerts",
        "secrets",
        "roadmap",
        "board",
        "wiki",
        "schedule",
        "postmortems",
        "incidents",
        "questions",
        "requests",
        "credentials",
        "experiments",
        "datasets",
        "data",
        "builds",
        "releases",
        "announcements",
        "notes",
        "minutes",
        "tasks",
        "backlog",
        "playbook",
        "playbooks",
        "rota",
        "guide",
        "guidelines",
        "tracker",
        "reports",
        "traces",
        "errors",
        "crashes",
        "reviews",
        "assets",
        "contracts",
        "invoices",
        "feature flags",
        "flags",
        "models",
        "translations",
        "changelog",
    ];
    const SYSTEMS: &[&str] = &[
        "linear",
        "jira",
        "notion",
        "confluence",
        "slack",
        "grafana",
        "datadog",
        "sentry",
        "pagerduty",
        "figma",
        "google docs",
        "google drive",
        "gdrive",
        "sharepoint",
        "trello",
        "asana",
        "github issues",
        "github projects",
        "gitlab",
        "bitbucket",
        "airtable",
        "miro",
        "discord",
        "teams",
        "zendesk",
        "kibana",
        "splunk",
        "looker",
        "tableau",
        "metabase",
        "wandb",
        "mlflow",
        "vault",
        "1password",
        "bitwarden",
        "opsgenie",
        "statuspage",
        "launchdarkly",
        "youtrack",
        "clickup",
        "basecamp",
        "dropbox",
        "snowflake",
        "bigquery",
        "prometheus",
        "honeycomb",
        "new relic",
        "rollbar",
        "bugzilla",
        "intercom",
        "hubspot",
        "salesforce",
        "zulip",
        "mattermost",
        "outline",
        "coda",
        "monday",
        "shortcut",
        "phabricator",
        "redash",
        "superset",
        "crowdin",
        "lokalise",
        "weblate",
        "s3",
        "lastpass",
    ];
    let place = SYSTEMS.iter().any(|system| has(clause, &[system]))
        || clause.contains("http://")
        || clause.contains("https://")
        || clause.split_whitespace().any(|word| {
            word.starts_with('#')
                && word
                    .chars()
                    .nth(1)
                    .is_some_and(|next| next.is_ascii_lowercase())
        });
    let verb = has(
        clause,
        &[
            "live in",
            "lives in",
            "live on",
            "lives on",
            "live at",
            "lives at",
            "are tracked in",
            "is tracked in",
            "are tracked on",
            "is tracked on",
            "are documented in",
            "is documented in",
            "are kept in",
            "is kept in",
            "are stored in",
            "is stored in",
            "are in",
            "is in",
            "are on",
            "is on",
            "are at",
            "is at",
            "are filed in",
            "go in",
            "go to",
            "goes to",
            "go into",
            "are managed in",
            "is managed in",
            "are maintained in",
            "is maintained in",
            "are posted in",
            "are listed in",
            "can be found in",
            "can be found at",
            "can be found on",
            "track",
            "are reported in",
            "happen in",
            "get posted to",
            "are published on",
            "are hosted on",
        ],
    );
    let thing = THINGS.iter().any(|thing| has(clause, &[thing]));
    let told = !opens(
        clause,
        &[
            "this", "that", "it", "there", "i", "if", "when", "look", "check", "open", "go",
            "fetch", "read", "add", "put", "move", "create", "fix", "post", "update", "write",
            "send", "make", "copy", "delete", "let's",
        ],
    ) || opens(clause, &["i keep", "i track"]);
    let track = opens(
        clause,
        &[
            "we track",
            "we keep",
            "i track",
            "i keep",
            "we file",
            "we store",
            "we document",
            "our team tracks",
            "the team tracks",
        ],
    );
    let broken = has(
        clause,
        &[
            "down", "broken", "failing", "fails", "wrong", "missing", "empty", "slow", "not",
        ],
    );
    place && !broken && (track && thing || told && verb && thing)
}

/// A plan with a day on which something happens.
fn is_dated_plan(clause: &str, typed: &str, today: Date) -> bool {
    const PLANS: &[&str] = &[
        "deadline",
        "release",
        "releasing",
        "released",
        "releases",
        "launch",
        "launching",
        "launches",
        "freeze",
        "freezing",
        "frozen",
        "ship",
        "ships",
        "shipping",
        "demo",
        "migration",
        "migrate",
        "migrating",
        "cutover",
        "due",
        "go live",
        "going live",
        "goes live",
        "rollout",
        "rolling out",
        "sunset",
        "sunsetting",
        "deprecate",
        "deprecating",
        "end of life",
        "on call",
        "on-call",
        "on vacation",
        "on leave",
        "out of office",
        "code freeze",
        "offsite",
        "audit",
        "beta",
        "ga",
        "cut",
        "cutting",
        "switching",
        "switch over",
        "moving to",
        "retire",
        "retiring",
        "shutting down",
        "shut down",
        "starts",
        "begins",
        "ends",
        "expires",
        "joins",
        "leaves",
        "leaving",
        "takes over",
        "taking over",
        "kickoff",
        "conference",
        "presentation",
        "merge freeze",
    ];
    let dated = !dates::replacements(typed, today).is_empty() || names_a_day(clause);
    let who = opens(
        clause,
        &[
            "we",
            "we're",
            "we'll",
            "our",
            "the",
            "my team",
            "marketing",
            "legal",
            "sales",
            "product",
            "management",
            "code",
            "merge",
            "version",
            "v1",
            "v2",
            "v3",
            "v4",
            "beta",
            "support",
            "a",
            "an",
            "all",
            "everyone",
            "deadline",
            "release",
            "launch",
            "feature freeze",
            "i'm on",
            "i'm out",
            "i am on",
            "i'll be on",
            "i'll be out",
        ],
    ) || typed.chars().next().is_some_and(char::is_uppercase)
        && !opens(clause, IMPERATIVES)
        && !opens(
            clause,
            &["i", "i'll", "i'm", "it", "this", "that", "let's", "there"],
        );
    let past = has(
        clause,
        &[
            "yesterday",
            "last week",
            "last month",
            "ago",
            "was",
            "were",
            "shipped",
            "broke",
            "failed",
            "fails",
            "failing",
            "error",
            "log",
            "logs",
            "flaky",
        ],
    );
    dated && who && !past && has(clause, PLANS) && words(clause).count() >= 4
}

/// Whether a day is named as such: "March 5", "5 December", "2026-12-01".
fn names_a_day(clause: &str) -> bool {
    const MONTHS: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ];
    let all: Vec<&str> = words(clause).collect();
    let day = |word: &str| {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits
            .parse::<u32>()
            .is_ok_and(|day| (1..=31).contains(&day))
    };
    let spoken = all.windows(2).any(|pair| match pair {
        [first, second] => {
            MONTHS.contains(first) && day(second) || day(first) && MONTHS.contains(second)
        }
        _ => false,
    });
    let written = all.iter().any(|word| {
        let parts: Vec<&str> = word.split('-').collect();
        parts.len() == 3
            && parts.first().is_some_and(|year| year.len() == 4)
            && parts
                .iter()
                .all(|part| part.chars().all(|digit| digit.is_ascii_digit()))
    });
    spoken || written
}

const IMPERATIVES: &[&str] = &[
    "use",
    "run",
    "write",
    "add",
    "ask",
    "answer",
    "reply",
    "respond",
    "explain",
    "show",
    "give",
    "prefer",
    "put",
    "name",
    "format",
    "commit",
    "push",
    "create",
    "include",
    "start",
    "begin",
    "end",
    "check",
    "test",
    "keep",
    "make sure",
    "be",
    "leave",
    "tell",
    "try",
    "wrap",
    "group",
    "sort",
    "sign",
    "squash",
    "rebase",
    "document",
    "return",
    "log",
    "speak",
    "talk",
    "stick",
    "stay",
    "follow",
    "read",
    "open",
    "propose",
    "suggest",
    "warn",
    "confirm",
    "wait",
    "assume",
    "treat",
    "target",
    "pin",
    "mention",
    "list",
    "deploy",
    "build",
    "send",
    "call",
    "refer to",
    "update",
    "bump",
    "split",
    "limit",
    "skip",
    "verify",
    "double-check",
    "let me",
    "please",
];

/// Whether a ban is about how to work and not about the thing at hand.
fn is_general_ban(rest: &str) -> bool {
    const VERBS: &[&str] = &[
        "use",
        "using",
        "add",
        "adding",
        "write",
        "writing",
        "put",
        "putting",
        "mock",
        "mocking",
        "commit",
        "committing",
        "push",
        "pushing",
        "create",
        "creating",
        "import",
        "importing",
        "include",
        "including",
        "amend",
        "amending",
        "force-push",
        "force",
        "mention",
        "explain",
        "summarize",
        "summarise",
        "summarizing",
        "apologize",
        "apologise",
        "apologizing",
        "suggest",
        "suggesting",
        "ask",
        "asking",
        "call",
        "end",
        "start",
        "begin",
        "repeat",
        "abbreviate",
        "hardcode",
        "hard-code",
        "nest",
        "introduce",
        "introducing",
        "over-engineer",
        "overengineer",
        "guess",
        "assume",
        "make up",
        "invent",
        "edit",
        "modify",
        "run",
        "touch",
        "rebase",
        "squash",
        "merge",
        "deploy",
        "install",
        "log",
        "print",
        "swallow",
        "catch",
        "generate",
        "rename",
        "refactor",
        "reformat",
        "describe",
        "comment",
        "praise",
        "flatter",
        "say",
        "tell",
        "give",
        "show",
        "leave",
    ];
    let verb = opens(rest, VERBS);
    let again = has(
        rest,
        &[
            "again",
            "anymore",
            "any more",
            "ever",
            "without asking",
            "unless i",
            "unless asked",
            "in commit messages",
            "in tests",
            "in production code",
            "in this repo",
            "in this project",
            "in this codebase",
            "in our code",
            "in my code",
            "every time",
        ],
    );
    let unlike = opens(
        rest,
        &[
            "worry",
            "bother",
            "mind",
            "care",
            "know",
            "think",
            "see",
            "understand",
            "get",
            "have",
            "want",
            "need",
            "remember",
            "forget",
            "be",
            "feel",
            "you",
            "we",
            "they",
            "i",
        ],
    );
    let vague = points_at_something(rest) && !again;
    !unlike && !vague && (again || verb && words(rest).count() >= 2)
}

/// "No emojis in commit messages."
fn no_such_thing(clause: &str) -> bool {
    let Some(rest) = after(clause, &["no"]) else {
        return false;
    };
    let told = has(
        rest,
        &[
            "is", "are", "was", "were", "has", "have", "found", "failed", "exists", "need", "idea",
            "problem", "worries", "longer", "one", "way", "errors", "error", "matter", "thanks",
            "wonder", "doubt", "rush", "hurry",
        ],
    );
    let manner = opens(
        rest,
        &[
            "emoji",
            "emojis",
            "comments",
            "semicolons",
            "tabs",
            "abbreviations",
            "trailing",
            "em dashes",
            "em-dashes",
            "default exports",
            "mocks",
            "mocking",
            "globals",
            "global state",
            "ternaries",
            "bullet",
            "bullets",
            "filler",
            "fluff",
            "preamble",
            "summaries",
            "summary",
            "co-authored-by",
            "co-author",
            "apologies",
            "exclamation",
            "force pushes",
            "force-pushing",
            "merge commits",
            "unwrap",
            "unwraps",
            "any types",
            "inline styles",
            "magic numbers",
            "one-letter",
            "single-letter",
            "print statements",
            "console.log",
            "todo comments",
            "todos",
            "new dependencies",
            "emoticons",
            "jargon",
            "markdown",
            "headers",
            "headings",
            "\u{1}",
        ],
    );
    manner && !told
}

/// Whether it is about something at hand: "this", "that file", "the second one", "it".
fn points_at_something(rest: &str) -> bool {
    opens(rest, &["this", "that", "these", "those", "it", "them"])
        || has(
            rest,
            &[
                "this",
                "that",
                "these",
                "those",
                "it",
                "them",
                "the test",
                "the file",
                "the function",
                "the bug",
                "the build",
                "the error",
                "the server",
                "the branch",
                "the pr",
                "the code",
                "the above",
                "the fix",
                "the first",
                "the second",
                "the last",
                "the new",
                "the old",
                "the same",
            ],
        ) && !has(
            rest,
            &[
                "in this repo",
                "in this repository",
                "in this project",
                "in this codebase",
                "this project",
                "this repo",
                "this codebase",
                "so that",
                "that are",
                "that is",
            ],
        )
}

/// "always fails", "always there": how things are, not how they shall be.
fn is_state(rest: &str) -> bool {
    let word = first_word(rest);
    opens(
        rest,
        &[
            "the", "a", "an", "there", "been", "had", "has", "have", "is", "was", "were", "gets",
            "got", "wanted", "wondered", "thought", "knew", "liked", "loved", "good", "nice",
            "happy", "welcome", "fun", "possible",
        ],
    ) || word.ends_with('s')
        && !matches!(
            word,
            "process"
                | "pass"
                | "address"
                | "express"
                | "focus"
                | "discuss"
                | "access"
                | "bypass"
                | "canvas"
        )
        && words(rest).count() < 3
        || word.ends_with("ed")
            && word != "embed"
            && word != "need"
            && word != "feed"
            && word != "seed"
}

fn is_past(rest: &str) -> bool {
    const PAST: &[&str] = &[
        "had",
        "seen",
        "been",
        "happened",
        "heard",
        "got",
        "ran",
        "saw",
        "said",
        "did",
        "done",
        "was",
        "were",
        "knew",
        "thought",
        "found",
        "gotten",
        "made",
        "took",
        "gave",
        "went",
        "came",
        "understood",
        "felt",
        "met",
        "read it",
        "written",
        "learnt",
        "finishes",
        "works",
        "ends",
        "returns",
        "comes",
        "gets",
        "happens",
        "terminates",
    ];
    let word = first_word(rest);
    opens(rest, PAST)
        || word.ends_with("ed")
            && !matches!(
                word,
                "embed" | "need" | "feed" | "seed" | "speed" | "proceed" | "exceed"
            )
}

/// What kind of memory something is that the user asked to remember.
fn kind_of(clause: &str, today: Date) -> memdir_memory::MemoryType {
    if person(clause).is_some()
        || opens(
            clause,
            &[
                "i'm",
                "i am",
                "my",
                "i have",
                "i've",
                "i work",
                "i live",
                "i know",
                "i don't know",
                "i speak",
            ],
        )
    {
        User
    } else if lives_somewhere(clause) || clause.contains("https://") || clause.contains("http://") {
        Reference
    } else if standing(clause).is_some()
        || opens(clause, IMPERATIVES)
        || opens(
            clause,
            &[
                "i prefer", "i like", "i hate", "don't", "do not", "always", "never", "i want",
                "i always", "i never", "no",
            ],
        )
    {
        Feedback
    } else if is_dated_plan(clause, clause, today) {
        Project
    } else {
        memdir_memory::naming::guess(clause).memory_type
    }
}
