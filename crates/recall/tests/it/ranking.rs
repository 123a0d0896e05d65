//! The order of files, and silence, on our own memories and questions.
//!
//! `tests/data/memories.jsonl`: memories as a coding agent keeps them, in twelve languages. `questions.jsonl`: two
//! questions about each, the first in the memory's words, the second in others, many with no word in common; then
//! questions about other subjects (`why` is `other`) and messages that ask nothing (`nothing`). All of it was written
//! for these tests.

use std::collections::HashMap;

use memdir_recall::{Collection, Document, Light, Options, Ranked, Silence, rank};
use serde_json::Value;

struct Set {
    notes: Collection,
    numbers: HashMap<String, u32>,
    questions: Vec<Value>,
}

fn parse(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn set() -> Set {
    let mut notes = Collection::default();
    let mut numbers = HashMap::new();
    for line in parse(include_str!("../data/memories.jsonl")) {
        let id = line["id"].as_str().unwrap();
        let number = notes.add(&Document {
            name: &id.replace('_', " "),
            description: line["description"].as_str().unwrap(),
            kind: line["type"].as_str().unwrap(),
            path: &format!("{id}.md"),
            body: line["body"].as_str().unwrap(),
        });
        numbers.insert(id.to_owned(), number);
    }
    let questions = parse(include_str!("../data/questions.jsonl"));
    Set {
        notes,
        numbers,
        questions,
    }
}

fn ask(notes: &mut Collection, query: &str, silence: bool) -> Ranked {
    let light = |_| Some(Light::default());
    let Ok(ranked) = rank(query, notes, light, &Options { limit: 5, silence });
    ranked
}

/// Share of the answerable questions whose memory is among the first five.
fn recall_at_five(silence: bool, second: Option<bool>) -> f64 {
    let mut set = set();
    let (mut found, mut asked) = (0.0, 0.0);
    let answerable = set
        .questions
        .iter()
        .filter(|question| question["why"].is_null());
    for (number, question) in answerable.enumerate() {
        if second.is_some_and(|second| second != (number % 2 == 1)) {
            continue;
        }
        let wanted = set.numbers[question["relevant"][0].as_str().unwrap()];
        let ranked = ask(&mut set.notes, question["text"].as_str().unwrap(), silence);
        asked += 1.0;
        if ranked.hits.iter().any(|hit| hit.file == wanted) {
            found += 1.0;
        }
    }
    found / asked
}

/// Share of the questions of a sort that get no answer.
fn silent(why: &str) -> f64 {
    let mut set = set();
    let questions: Vec<&Value> = set
        .questions
        .iter()
        .filter(|question| question["why"] == why)
        .collect();
    let answered = questions
        .iter()
        .filter(|question| {
            !ask(&mut set.notes, question["text"].as_str().unwrap(), true)
                .hits
                .is_empty()
        })
        .count();
    1.0 - answered as f64 / questions.len() as f64
}

#[test]
fn the_right_memory_is_among_the_first_five() {
    assert!(recall_at_five(false, Some(false)) >= 0.98);
    assert!(recall_at_five(false, Some(true)) >= 0.80);
}

#[test]
fn silence_costs_questions_in_the_memorys_words_nothing() {
    assert!(recall_at_five(true, Some(false)) >= 0.98);
    assert!(recall_at_five(false, None) - recall_at_five(true, None) <= 0.052);
}

#[test]
fn questions_about_other_subjects_get_silence() {
    assert!(silent("other") >= 0.95);
}

#[test]
fn what_asks_nothing_gets_silence() {
    assert_eq!(silent("nothing"), 1.0);
}

#[test]
fn each_script_finds_its_memory() {
    let mut set = set();
    let mut shown = Vec::new();
    for query in [
        "кто проверяет развертывания?",
        "πού είναι τα ΑΝΤΙΓΡΑΦΑ;",
        "数据库迁移在哪里执行？",
        "検証サーバーはどこ？",
        "주간 회의가 언제예요?",
        "متى ينتهي عقد الاستضافة؟",
        "रिपोर्ट कब भेजी जाती है?",
        "quand est la reunion d'equipe",
        "ｗｈｅｒｅ ｉｓ ｔｈｅ ｐｒｉｎｔｅｒ",
    ] {
        let ranked = ask(&mut set.notes, query, true);
        let first = ranked.hits.first().map(|hit| hit.file);
        let name = set
            .numbers
            .iter()
            .find(|(_, number)| Some(**number) == first);
        shown.push(format!(
            "{query} -> {}",
            name.map_or("nothing", |(name, _)| name)
        ));
    }
    insta::assert_snapshot!(shown.join("\n"), @r"
    кто проверяет развертывания? -> feedback_ru_deploy
    πού είναι τα ΑΝΤΙΓΡΑΦΑ; -> reference_el_backup
    数据库迁移在哪里执行？ -> feedback_zh_deploy
    検証サーバーはどこ？ -> reference_ja_server
    주간 회의가 언제예요? -> project_ko_meeting
    متى ينتهي عقد الاستضافة؟ -> project_ar_contract
    रिपोर्ट कब भेजी जाती है? -> project_hi_report
    quand est la reunion d'equipe -> project_fr_reunion
    ｗｈｅｒｅ ｉｓ ｔｈｅ ｐｒｉｎｔｅｒ -> reference_fw_latin
    ");
}

#[test]
fn a_memory_is_found_without_a_word_in_common() {
    let mut notes = Collection::default();
    for body in [
        "The physician moved the appointment to Thursday",
        "Staging runs on kubernetes",
        "Salaries are paid on the 25th",
        "The automobile is parked behind the office",
    ] {
        notes.add(&Document {
            body,
            ..Document::default()
        });
    }
    let mut shown = Vec::new();
    for query in [
        "which doctor?",
        "container cluster?",
        "when do I get my wage?",
        "where is the car?",
    ] {
        let ranked = ask(&mut notes, query, true);
        shown.push(format!(
            "{query} {:?}",
            ranked.hits.first().map(|hit| (hit.file, &hit.reasons))
        ));
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
    which doctor? Some((0, [Near("doctor", "physician")]))
    container cluster? Some((1, [Near("cluster", "kubernet"), Near("contain", "kubernet")]))
    when do I get my wage? Some((2, [Near("wage", "salari")]))
    where is the car? Some((3, [Near("car", "automobil")]))
    "#);
}

#[test]
fn one_word_is_not_answered_by_one_that_is_merely_near() {
    let mut notes = Collection::default();
    for body in [
        "Staging runs on kubernetes",
        "The physician moved the appointment",
    ] {
        notes.add(&Document {
            body,
            ..Document::default()
        });
    }
    let mut shown = Vec::new();
    for query in ["cluster", "the cluster?", "kubernetes", "doctor"] {
        let ranked = ask(&mut notes, query, true);
        let first = ranked.hits.first().map(|hit| &hit.reasons);
        shown.push(format!("{query} {first:?}"));
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
    cluster None
    the cluster? None
    kubernetes Some([Word("kubernet")])
    doctor Some([Near("doctor", "physician")])
    "#);
}

#[test]
fn why_there_is_nothing_is_said() {
    let mut notes = set().notes;
    for (query, silence) in [
        ("", Silence::NothingAsked),
        ("what is it?", Silence::NothingAsked),
        ("x", Silence::NothingAsked),
        ("zyxwvut qponmlk", Silence::NothingFound),
        (
            "which wine fits grilled salmon?",
            Silence::NotRelevantEnough,
        ),
    ] {
        let ranked = ask(&mut notes, query, true);
        assert_eq!(ranked.silence, Some(silence), "{query}");
    }
}

#[test]
fn a_fresher_memory_comes_first_among_equals() {
    let mut notes = Collection::default();
    for _ in 0..2 {
        notes.add(&Document {
            body: "Nightly import runs at three",
            ..Document::default()
        });
    }
    let light = |file| {
        let age_days = if file == 0 { 90 } else { 1 };
        Some(Light {
            age_days,
            ..Light::default()
        })
    };
    let Ok(ranked) = rank(
        "when does the nightly import run?",
        &mut notes,
        light,
        &Options::default(),
    );
    let order: Vec<u32> = ranked.hits.iter().map(|hit| hit.file).collect();
    assert_eq!(order, [1, 0]);
    let without = |file| light(file).filter(|_| file != 1);
    let Ok(ranked) = rank(
        "when does the nightly import run?",
        &mut notes,
        without,
        &Options::default(),
    );
    assert_eq!(ranked.hits.len(), 1);
}

#[test]
fn a_passage_in_a_long_file_is_found() {
    let mut notes = Collection::default();
    let filler = "Minutes of a meeting about the harbour, its boats and the weather.\n".repeat(60);
    let long = format!("{filler}The vault code was changed by Ingrid.\n{filler}");
    notes.add(&Document {
        body: &long,
        ..Document::default()
    });
    notes.add(&Document {
        body: "Ingrid likes boats",
        ..Document::default()
    });
    let ranked = ask(&mut notes, "who changed the vault code?", true);
    assert_eq!(ranked.hits.first().map(|hit| hit.file), Some(0));
}

#[test]
fn a_very_long_query_is_answered() {
    let mut notes = set().notes;
    let query = "please look at the migration of the payment provider Braintree ".repeat(10_000);
    assert!(!ask(&mut notes, &query, true).hits.is_empty());
}
