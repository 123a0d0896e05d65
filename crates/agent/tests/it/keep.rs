use insta::assert_snapshot;
use memdir_agent::keep::{Judge, Keeper, Kept, Suggestion, Wanted, Why};
use memdir_agent::origin::{Trust, Window};
use memdir_conversation::Message;
use memdir_memory::{MemoryPath, Topic};
use memdir_settings::Mode;
use memdir_store::{Author, Reason, SecretPolicy, Store};
use memdir_testkit::tree;
use tempfile::TempDir;

/// A memory directory and who keeps things in it.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) store: Store,
    pub(crate) mode: Mode,
    pub(crate) secrets: SecretPolicy,
    pub(crate) team: bool,
}

impl Desk {
    pub(crate) fn new(mode: Mode) -> Self {
        let folder = memdir_testkit::temporary_folder().unwrap();
        Self {
            store: Store::new(folder.path().join("memory"), folder.path().join("state")),
            folder,
            mode,
            secrets: SecretPolicy::Refuse,
            team: false,
        }
    }

    pub(crate) fn keep(&self, suggestions: &[Suggestion], judge: Judge<'_>) -> Kept {
        let keeper = Keeper {
            store: &self.store,
            mode: self.mode,
            reason: Reason {
                conversation: Some("talk".to_owned()),
                ..Reason::new(Author::Rules, "extract")
            },
            secrets: self.secrets,
            team: self.team,
        };
        let planned = keeper.plan(suggestions, judge).unwrap();
        let kept = keeper.keep(suggestions, judge).unwrap();
        let paths =
            |kept: &Kept| -> Vec<_> { kept.saved.iter().map(|saved| saved.path.clone()).collect() };
        // What is planned is what is done.
        assert_eq!(paths(&planned), paths(&kept));
        assert_eq!(planned.refused, kept.refused);
        kept
    }

    pub(crate) fn say(&self, texts: &[&str]) -> Kept {
        let said: Vec<_> = texts.iter().map(|text| said(text)).collect();
        self.keep(&said, Judge::Rules)
    }

    pub(crate) fn index(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("memory/MEMORY.md")).unwrap()
    }

    pub(crate) fn memories(&self) -> String {
        tree::render(&tree::read(&self.folder.path().join("memory")).unwrap())
    }

    pub(crate) fn inbox(&self) -> String {
        let mut files = tree::read(&self.folder.path().join("state/inbox")).unwrap();
        files.retain(|path, _| !path.starts_with('.'));
        tree::render(&files)
    }
}

pub(crate) fn said(text: &str) -> Suggestion {
    Suggestion {
        evidence: Some(text.to_owned()),
        message: Some("m1".to_owned()),
        ..Suggestion::said(text, "2026-11-16".parse().unwrap())
    }
}

pub(crate) fn forget(text: &str) -> Suggestion {
    Suggestion::of(Wanted::Forgotten(text.to_owned()))
}

#[test]
fn a_memory_with_its_index_line_and_where_it_came_from() {
    let desk = Desk::new(Mode::Auto);
    let kept = desk.say(&[
        "Never push to main on a Friday.",
        "The freeze starts tomorrow.",
    ]);
    assert_eq!(kept.operation, Some(1));
    assert_snapshot!(desk.memories(), @"
    MEMORY.md
      | - [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday.
      | - [freeze-starts](project_freeze_starts.md) — The freeze starts 2026-11-17.
    feedback_never_push_main_friday.md
      | ---
      | name: never-push-main-friday
      | description: Never push to main on a Friday.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: Never push to main on a Friday.
      | ---
      |
      | Never push to main on a Friday.
    project_freeze_starts.md
      | ---
      | name: freeze-starts
      | description: The freeze starts 2026-11-17.
      | metadata:
      |   type: project
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: The freeze starts tomorrow.
      | ---
      |
      | The freeze starts 2026-11-17.
    ");
}

#[test]
fn what_is_known_is_not_saved_again_and_what_is_nearly_the_same_is_refined() {
    let desk = Desk::new(Mode::Auto);
    desk.say(&["Always run the linter before commits."]);
    let again = desk.say(&["always run the linter before commits"]);
    assert_eq!((again.saved.len(), again.known.len()), (0, 1));
    desk.say(&["Always run the linter and the tests before commits."]);
    desk.say(&["Never run the linter before commits."]);
    assert_snapshot!(desk.memories(), @"
    MEMORY.md
      | - [never-run-linter-before-commits](feedback_always_run_linter_before_commits.md) — Never run the linter before commits.
    feedback_always_run_linter_before_commits.md
      | ---
      | name: never-run-linter-before-commits
      | description: Never run the linter before commits.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: Never run the linter before commits.
      | ---
      |
      | Never run the linter before commits.
    ");
}

#[test]
fn what_is_about_another_thing_is_another_memory() {
    let desk = Desk::new(Mode::Auto);
    desk.say(&[
        "Always use four spaces for indentation in Python files.",
        "Always use two spaces for indentation in YAML files.",
        "Never use four spaces for indentation in Go files.",
        "Always use spaces for indentation in Python files.",
    ]);
    assert_snapshot!(desk.index(), @"
    - [always-use-four-spaces-indentation](feedback_always_use_four_spaces_indentation.md) — Always use four spaces for indentation in Python files.
    - [always-use-two-spaces-indentation](feedback_always_use_two_spaces_indentation.md) — Always use two spaces for indentation in YAML files.
    - [never-use-four-spaces-indentation](feedback_never_use_four_spaces_indentation.md) — Never use four spaces for indentation in Go files.
    ");
}

#[test]
fn private_text_goes_hidden_text_goes_and_secrets_are_refused() {
    let mut desk = Desk::new(Mode::Auto);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let texts = [
        "I prefer tea <private>since my operation</private> in meetings.",
        "Prefer sh\u{200b}\u{200b}ort\u{e0041} answers.",
        &format!("The staging token is {token}."),
        "<private>I have been ill.</private>",
    ];
    let kept = desk.say(&texts);
    assert_snapshot!(format!("{:?}\n{}", kept.refused, desk.memories()), @r#"
    [Refused { message: Some("m1"), why: Secret { rule: "github-personal-token" } }, Refused { message: Some("m1"), why: Empty }]
    MEMORY.md
      | - [prefer-tea-meetings](feedback_prefer_tea_meetings.md) — I prefer tea in meetings.
      | - [prefer-short-answers](feedback_prefer_short_answers.md) — Prefer short answers.
    feedback_prefer_short_answers.md
      | ---
      | name: prefer-short-answers
      | description: Prefer short answers.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: Prefer short answers.
      | ---
      |
      | Prefer short answers.
    feedback_prefer_tea_meetings.md
      | ---
      | name: prefer-tea-meetings
      | description: I prefer tea in meetings.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: I prefer tea in meetings.
      | ---
      |
      | I prefer tea in meetings.
    "#);
    desk.secrets = SecretPolicy::Redact;
    let kept = desk.say(&[&format!("The staging login token is {token} for now.")]);
    let text = String::from_utf8(kept.saved[0].after.clone().unwrap()).unwrap();
    assert!(
        !text.contains("ghp_") && text.contains("[redacted"),
        "{text}"
    );
}

#[test]
fn a_secret_is_never_for_the_team() {
    let mut desk = Desk::new(Mode::Auto);
    (desk.team, desk.secrets) = (true, SecretPolicy::Redact);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let mut suggestions = [
        said(&format!("The deploy token is {token}.")),
        said("The freeze starts on 2026-12-01."),
    ];
    for suggestion in &mut suggestions {
        suggestion.team = true;
    }
    let kept = desk.keep(&suggestions, Judge::Rules);
    assert_eq!(kept.refused.len(), 1);
    assert_snapshot!(desk.memories(), @"
    team/
    team/MEMORY.md
      | - [freeze-starts](project_freeze_starts.md) — The freeze starts on 2026-12-01.
    team/project_freeze_starts.md
      | ---
      | name: freeze-starts
      | description: The freeze starts on 2026-12-01.
      | metadata:
      |   type: project
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: The freeze starts on 2026-12-01.
      | ---
      |
      | The freeze starts on 2026-12-01.
    ");
}

#[test]
fn forgetting_takes_the_one_that_is_meant_and_no_other() {
    let desk = Desk::new(Mode::Auto);
    desk.say(&[
        "I use vim for everything.",
        "Never push to main on a Friday.",
        "Never push to main without tests.",
        "以后都用中文回答。",
    ]);
    let unclear = desk.keep(
        &[forget("the rule about pushing to main"), forget("bees")],
        Judge::Rules,
    );
    assert_eq!((unclear.saved.len(), unclear.refused.len()), (0, 2));
    let mut early = forget("that I use vim");
    early.said = Some("2020-01-01T00:00:00Z".parse().unwrap());
    assert_eq!(desk.keep(&[early], Judge::Rules).saved.len(), 0);
    let gone = desk.keep(
        &[
            forget("the rule about pushing on Friday"),
            forget("that I use vim"),
            forget("用中文回答"),
        ],
        Judge::Rules,
    );
    assert_eq!(gone.saved.len(), 3);
    assert_snapshot!(desk.memories(), @"
    MEMORY.md
      | - [never-push-main-without-tests](feedback_never_push_main_without_tests.md) — Never push to main without tests.
    feedback_never_push_main_without_tests.md
      | ---
      | name: never-push-main-without-tests
      | description: Never push to main without tests.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: m1
      |   evidence: Never push to main without tests.
      | ---
      |
      | Never push to main without tests.
    ");
}

#[test]
fn a_word_that_a_memory_only_mentions_is_not_what_it_says() {
    let desk = Desk::new(Mode::Auto);
    let text = "---\nname: tabs-in-go\ndescription: Use tabs in Go\n---\n\nTabs, as gofmt wants it; Python has black.\n";
    let memory = desk.folder.path().join("memory");
    std::fs::create_dir(&memory).unwrap();
    std::fs::write(memory.join("tabs.md"), text).unwrap();
    let kept = desk.keep(&[forget("what I said about Python")], Judge::Rules);
    assert_eq!((kept.saved.len(), kept.refused.len()), (0, 1));
    let kept = desk.keep(&[forget("what I said about tabs")], Judge::Rules);
    assert_eq!(kept.saved.len(), 1);
}

#[test]
fn nothing_about_the_user_goes_to_the_team_and_nothing_where_there_is_none() {
    let team = |team: bool| Desk {
        team,
        ..Desk::new(Mode::Auto)
    };
    let shared = |text: &str| Suggestion {
        team: true,
        ..said(text)
    };
    let written = |kind: &str, path: &str| {
        let text = format!("---\nname: x\ndescription: x\ntype: {kind}\n---\n\nI am a nurse.\n");
        Suggestion::of(Wanted::Written {
            path: MemoryPath::new(path).unwrap(),
            seen: None,
            topic: Box::new(Topic::parse(text.as_bytes())),
        })
    };
    let desk = team(true);
    let kept = desk.keep(
        &[
            shared("I am a nurse."),
            shared("The freeze starts on 2026-12-01."),
            written("user", "team/x.md"),
            written("user", "own.md"),
            written("project", "team/y.md"),
        ],
        Judge::Rules,
    );
    let paths: Vec<&str> = kept.saved.iter().map(|saved| saved.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "user_nurse.md",
            "team/project_freeze_starts.md",
            "own.md",
            "team/y.md"
        ]
    );
    let refused: Vec<&Why> = kept.refused.iter().map(|refused| &refused.why).collect();
    let x = MemoryPath::new("team/x.md").unwrap();
    assert_eq!(refused, [&Why::NotForTeam(x)]);

    let desk = team(false);
    let memory = desk.folder.path().join("memory/team");
    std::fs::create_dir_all(&memory).unwrap();
    std::fs::write(memory.join("a.md"), "---\nname: freeze\n---\n\nA.\n").unwrap();
    let kept = desk.keep(
        &[written("project", "team/y.md"), forget("the freeze")],
        Judge::Rules,
    );
    assert_eq!((kept.saved.len(), kept.refused.len()), (0, 2));
}

#[test]
fn off_keeps_nothing() {
    let desk = Desk::new(Mode::Off);
    desk.say(&["Never push to main on a Friday."]);
    assert_snapshot!(format!("{}{}", desk.memories(), desk.inbox()), @"");
}

#[test]
fn words_that_nobody_typed_are_not_cited() {
    let desk = Desk::new(Mode::Auto);
    let talk = [Message::user("1", "What does the parser do?")];
    let window = Window::of(&talk, Trust::Tracked, &|_| true);
    let made_up = Suggestion {
        evidence: Some("the user keeps bees".to_owned()),
        ..said("The user keeps bees.")
    };
    desk.keep(&[made_up], Judge::Window(&window));
    let memories = desk.memories();
    assert!(memories.contains("source: agent"), "{memories}");
    assert!(!memories.contains("evidence"), "{memories}");
}

#[test]
fn a_long_citation_is_compared_whole_and_kept_short() {
    let desk = Desk::new(Mode::Auto);
    let typed = format!(
        "Never push to main on a Friday. {}",
        "Really, never. ".repeat(40)
    );
    let talk = [Message::user("1", &typed)];
    let window = Window::of(&talk, Trust::Tracked, &|_| true);
    let long = Suggestion {
        evidence: Some(typed),
        ..said("Never push to main on a Friday.")
    };
    desk.keep(&[long], Judge::Window(&window));
    let memories = desk.memories();
    assert!(memories.contains("source: user"), "{memories}");
    assert!(
        memories.contains("evidence: Never push") && memories.contains('…'),
        "{memories}"
    );
}
