//! What is written down of a request, however it ends.

use jiff::Timestamp;
use memdir_agent::{Meter, MeterError};
use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{Anthropic, Body, Cancel, Catalogue, Key, Model, OpenAi, Request, Times};
use memdir_store::ledger::{Budget, Ledger, LedgerError};
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

const NAME: &str = "claude-haiku-4-5";

struct Scene {
    server: Server,
    folder: tempfile::TempDir,
    meter: Meter,
    model: Anthropic,
}

fn morning() -> Timestamp {
    "2026-11-16T08:00:00Z".parse().unwrap()
}

impl Scene {
    fn new(script: Value) -> Self {
        let server = Server::start(Script::from_value(script).unwrap()).unwrap();
        let folder = memdir_testkit::temporary_folder().unwrap();
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
        let facts = Catalogue::built_in().facts(NAME);
        let times = Times {
            pause: std::time::Duration::from_millis(1),
            ..Times::default()
        };
        let model = Anthropic::new(NAME, &server.url(), Some(&key), facts, times).unwrap();
        let meter = Meter {
            ledger: Ledger::new(folder.path().join("memdir")),
            budget: Budget {
                daily_nano_usd: 1_000_000_000,
                floor_per_mille: 250,
                no_spend: false,
            },
            project: "/home/ada/app".to_owned(),
            day: "2026-11-16T00:00:00Z".parse().unwrap(),
            tally: memdir_agent::Tally::default(),
            now: morning,
        };
        Self {
            server,
            folder,
            meter,
            model,
        }
    }

    fn body(&self) -> Body {
        let said = Message::user("1", "What is worth keeping?");
        let flat = flatten(&[&said], &Flattening::default());
        self.model.body(&Request::new(&flat, 200)).unwrap()
    }

    fn ask(&self) -> String {
        let answer = self
            .meter
            .send(&self.model, "extraction", &self.body(), &Cancel::new());
        match answer.and_then(|answer| answer.whole()) {
            Ok(reply) => reply.words(),
            Err(error) => error.to_string(),
        }
    }

    /// What is charged, and for what.
    fn ledger(&self) -> Vec<String> {
        let entries = self.meter.ledger.entries(None).unwrap();
        let shown = entries.requests.iter().map(|entry| {
            let spent = match &entry.spent {
                Some(spent) => format!("{} in, {} out", spent.input, spent.output),
                None => "not known".to_owned(),
            };
            format!("{}: {} ({spent})", entry.wanted.purpose, entry.nano_usd())
        });
        shown.collect()
    }
}

#[test]
fn totals_are_the_servers_to_the_token() {
    let scene = Scene::new(json!({"token_factor": 1.3, "step": [
        {"times": 2, "reply": [{"text": "Nothing."}]},
        {"times": 1, "fault": {"status": 529}},
        {"reply": [{"text": "One thing, and a longer one."}], "output_tokens": 77},
    ]}));
    for _ in 0..5 {
        scene.ask();
    }
    let entries = scene.meter.ledger.entries(None).unwrap();
    let sum = |field: fn(&memdir_store::ledger::Spent) -> u64| -> u64 {
        entries
            .requests
            .iter()
            .map(|entry| field(entry.spent.as_ref().unwrap()))
            .sum()
    };
    let theirs = scene.server.totals().usage;
    assert_eq!(entries.requests.len(), 5);
    assert_eq!(sum(|spent| spent.input), theirs.input);
    assert_eq!(sum(|spent| spent.output), theirs.output);
    assert_eq!(sum(|spent| spent.cache_read), theirs.cache_read);
    assert_eq!(
        sum(|spent| spent.cache_write),
        theirs.cache_write_5m + theirs.cache_write_1h
    );
    // $1 and $5 for a million: 1000 and 5000 billionths for a token.
    assert_eq!(
        sum(|spent| spent.nano_usd),
        theirs.input * 1000 + theirs.output * 5000
    );
}

#[test]
fn what_was_cut_off_stays_charged_and_what_was_refused_does_not() {
    let scene = Scene::new(json!({"step": [
        {"times": 1, "reply": [{"text": "A long answer."}], "fault": {"cut_after_events": 4}},
        {"times": 1, "reply": [{"text": "x"}], "fault": {
            "error_event": {"after_events": 2, "kind": "overloaded_error", "message": "Overloaded"}
        }},
        {"times": 1, "fault": {"status": 401}},
        {"reply": [{"text": "Fine."}], "output_tokens": 3},
    ]}));
    let said: Vec<String> = (0..4).map(|_| scene.ask()).collect();
    insta::assert_debug_snapshot!((said, scene.ledger()), @r#"
    (
        [
            "the answer broke off before its end",
            "the provider is overloaded",
            "the provider does not accept the key",
            "Fine.",
        ],
        [
            "extraction: 2393750 (not known)",
            "extraction: 2393750 (not known)",
            "extraction: 0 (0 in, 0 out)",
            "extraction: 24000 (9 in, 3 out)",
        ],
    )
    "#);
}

#[test]
fn what_a_gateway_gave_up_on_stays_charged_and_what_failed_does_not() {
    let failing = |status: u16| {
        let scene = Scene::new(json!({"step": [{"fault": {"status": status}}]}));
        scene.ask();
        scene.ledger()
    };
    insta::assert_debug_snapshot!([failing(504), failing(500), failing(529)], @r#"
    [
        [
            "extraction: 2393750 (not known)",
        ],
        [
            "extraction: 0 (0 in, 0 out)",
        ],
        [
            "extraction: 0 (0 in, 0 out)",
        ],
    ]
    "#);
}

#[test]
fn what_nobody_counted_stays_charged_unless_it_is_free() {
    let script = json!({"step": [{"reply": [{"text": "Yes."}], "fault": {"no_usage": true}}]});
    let mut shown = Vec::new();
    for name in ["gpt-5-mini", "SmolLM2-135M"] {
        let scene = Scene::new(script.clone());
        let address = format!("{}/v1", scene.server.url());
        let facts = Catalogue::built_in().facts(name);
        let model = OpenAi::new(name, &address, None, facts, Times::default()).unwrap();
        let said = Message::user("1", "What is worth keeping?");
        let flat = flatten(&[&said], &Flattening::default());
        let body = model.body(&Request::new(&flat, 200)).unwrap();
        let answer = scene.meter.send(&model, name, &body, &Cancel::new());
        let reply = answer.unwrap().whole().unwrap();
        shown.push((reply.words(), reply.counted, scene.ledger()));
    }
    insta::assert_debug_snapshot!(shown, @r#"
    [
        (
            "Yes.",
            false,
            [
                "gpt-5-mini: 750313 (not known)",
            ],
        ),
        (
            "Yes.",
            false,
            [
                "SmolLM2-135M: 0 (0 in, 0 out)",
            ],
        ),
    ]
    "#);
}

#[test]
fn an_answer_that_is_dropped_stays_charged() {
    let scene = Scene::new(
        json!({"step": [{"reply": [{"text": "Never mind."}], "fault": {
            "silence": {"after_events": 2, "ms": 600_000}
        }}]}),
    );
    let mut answer = scene
        .meter
        .send(&scene.model, "dream", &scene.body(), &Cancel::new())
        .unwrap();
    assert!(answer.event().unwrap().is_ok());
    drop(answer);
    insta::assert_debug_snapshot!(scene.ledger(), @r#"
        [
            "dream: 2393750 (not known)",
        ]
        "#);
}

#[test]
fn without_leave_to_spend_nothing_is_asked_or_written() {
    let mut scene = Scene::new(json!({"step": [{"reply": [{"text": "Yes."}]}]}));
    scene.meter.budget.no_spend = true;
    insta::assert_snapshot!(scene.ask(), @"nothing is spent: --no-spend");
    assert_eq!(scene.server.exchanges().len(), 0);
    assert!(!scene.folder.path().join("memdir").exists());
}

#[test]
fn below_the_floor_of_the_rate_limit_background_work_waits() {
    let mut scene = Scene::new(json!({"step": [{"reply": [{"text": "Yes."}], "headers": {
        "anthropic-ratelimit-tokens-limit": "1000",
        "anthropic-ratelimit-tokens-remaining": "249",
        "anthropic-ratelimit-tokens-reset": "2026-11-16T08:00:30Z",
    }}]}));
    let mut said = vec![scene.ask(), scene.ask()];
    scene.meter.now = || "2026-11-16T08:00:31Z".parse().unwrap();
    said.push(scene.ask());
    insta::assert_debug_snapshot!(said, @r#"
    [
        "Yes.",
        "the provider's rate limit is nearly reached (24.9 % left); background work waits until 2026-11-16T08:00:30Z",
        "Yes.",
    ]
    "#);
}

#[test]
fn a_reached_limit_holds_for_as_long_as_the_provider_says() {
    let scene = Scene::new(json!({"step": [{"fault": {"status": 429, "retry_after": "3600"}}]}));
    insta::assert_debug_snapshot!([scene.ask(), scene.ask()], @r#"
    [
        "the provider's rate limit is reached; it asks to come back in 3600 s",
        "the provider's rate limit is nearly reached (0.0 % left); background work waits until 2026-11-16T09:00:00Z",
    ]
    "#);
    assert_eq!(scene.server.exchanges().len(), 1);
}

#[test]
fn a_model_without_a_price_is_not_asked() {
    let scene = Scene::new(json!({}));
    let facts = Catalogue::built_in().facts("claude-opus-5");
    let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
    let address = memdir_model::ANTHROPIC_ADDRESS;
    let model = Anthropic::new(
        "claude-opus-5",
        address,
        Some(&key),
        facts,
        Times::default(),
    );
    let refused = scene
        .meter
        .send(&model.unwrap(), "dream", &scene.body(), &Cancel::new());
    assert!(matches!(refused, Err(MeterError::NoPrice { .. })));
}

#[test]
fn the_cap_counts_what_may_still_be_spent() {
    let mut scene = Scene::new(json!({"step": [{"reply": [{"text": "Yes."}]}]}));
    // Enough for the worst case of one, far more than one costs.
    scene.meter.budget.daily_nano_usd = 2_500_000;
    let first = scene
        .meter
        .send(&scene.model, "dream", &scene.body(), &Cancel::new())
        .unwrap();
    let second = scene
        .meter
        .send(&scene.model, "dream", &scene.body(), &Cancel::new());
    assert!(matches!(
        second,
        Err(MeterError::Ledger(LedgerError::Cap { .. }))
    ));
    first.whole().unwrap();
    assert_eq!(scene.ask(), "Yes.");
}

#[test]
fn the_reservation_covers_the_bill_whatever_is_said() {
    // Each kind of text by the server's own rule, and where that leaves room with the third more of the newest models.
    let kinds = [
        (
            "Chinese",
            "我们每周四发布新版本，数据库的备份在另一台机器上。".repeat(200),
            1.35,
        ),
        (
            "Russian",
            "Мы выпускаем новую версию каждый четверг. ".repeat(200),
            1.35,
        ),
        (
            "Hindi",
            "हम हर गुरुवार को नया संस्करण जारी करते हैं। ".repeat(200),
            1.35,
        ),
        ("code", include_str!("meter.rs").to_owned(), 1.35),
        (
            "base64",
            "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ".repeat(200),
            1.35,
        ),
        ("marks", "{}[]();:,.!?#$%&*+-=/|~^".repeat(200), 1.0),
        ("emoji", "🚀🧪👩‍💻🇯🇵✅⚠️".repeat(200), 1.35),
        ("nothing", "?".to_owned(), 1.35),
    ];
    for (kind, text, factor) in kinds {
        let scene = Scene::new(json!({"token_factor": factor, "step": [
            {"reply": [{"text": "So it is."}], "output_tokens": 200},
        ]}));
        let said = Message::user("1", &text);
        let flat = flatten(&[&said], &Flattening::default());
        let body = scene.model.body(&Request::new(&flat, 200)).unwrap();
        let answer = scene
            .meter
            .send(&scene.model, "dream", &body, &Cancel::new());
        answer.unwrap().whole().unwrap();
        let entries = scene.meter.ledger.entries(None).unwrap();
        let entry = entries.requests.first().unwrap();
        let (reserved, spent) = (entry.wanted.nano_usd, entry.nano_usd());
        println!("{kind:8} {spent:9} spent of {reserved:9} reserved");
        assert!(spent <= reserved, "{kind}: {spent} of {reserved}");
    }
}
