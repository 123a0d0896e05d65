//! Secret rules: every rule finds its format, and nothing is taken for a secret that is none.

mod accuracy;
mod addresses;
mod clean_notes;
mod commits;
mod fakes;
mod mentions;
mod services;
mod syntaxes;

use std::collections::BTreeSet;

use memdir_memory::secrets::{Class, SecretValue, redact, rules, scan};

use fakes::{Random, fill, forms};

/// The ids of what a text is found to hold.
fn found(text: &str) -> Vec<&'static str> {
    scan(text).iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn every_rule_has_a_form_and_finds_it() {
    let known: BTreeSet<&str> = rules().map(|rule| rule.id).collect();
    let formed: BTreeSet<&str> = forms().map(|(id, _)| id).collect();
    assert_eq!(known, formed, "rules and forms must cover each other");
    assert_eq!(known.len(), rules().count(), "an id stands twice");

    let mut random = Random::new(1);
    let mut failures = BTreeSet::new();
    for (id, form) in forms() {
        for _ in 0..5 {
            let secret = fill(form, &mut random);
            if found(&format!("Note.\n{secret}\nEnd.")) != [id] {
                failures.insert((id, form, found(&secret)));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn hard_lines_are_clean() {
    let mut random = Random::new(2);
    let mut failures = BTreeSet::new();
    for form in clean_notes::LINES {
        for _ in 0..20 {
            let ids = found(&fill(form, &mut random));
            if !ids.is_empty() {
                failures.insert((*form, ids));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_most_specific_rule_names_a_place_once() {
    let mut random = Random::new(3);
    let mut check = |form: &str| found(&fill(form, &mut random)).join(" ");
    insta::assert_snapshot!(check("password=ghp_{a36}"), @"github-personal-token");
    insta::assert_snapshot!(check("Authorization: Bearer eyJ{w33}.eyJ{w80}.{w43}"), @"jwt");
    insta::assert_snapshot!(check("https://x-access-token:ghs_{a36}@github.com/a/b"), @"github-app-token");
    insta::assert_snapshot!(check("DATABASE_URL=\"postgres://app:{p16}@db.acme.io/app\""), @"database-url");
    insta::assert_snapshot!(check("ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA"), @"anthropic-api-key");
    insta::assert_snapshot!(check("a ghp_{a36} and b AKIA{u16}\npassword: {p16}"), @"github-personal-token aws-access-key generic-secret");
}

#[test]
fn redacting_leaves_the_rest_and_nothing_of_the_value() {
    let mut random = Random::new(4);
    for (id, form) in forms() {
        let secret = fill(form, &mut random);
        let text = format!("before\n{secret}\nafter");
        let redacted = redact(&text);
        assert!(redacted.text.contains(&format!("[redacted: {id}]")), "{id}");
        assert!(
            redacted.text.starts_with("before\n") && redacted.text.ends_with("\nafter"),
            "{id}"
        );
        assert_eq!(redacted.findings.len(), 1, "{id}");
        let value = redacted.findings[0].value(&text).expose();
        assert!(!redacted.text.contains(value), "{id}");
        assert!(scan(&redacted.text).is_empty(), "{id}: {}", redacted.text);
    }
}

#[test]
fn nothing_that_can_be_printed_shows_a_value() {
    let mut random = Random::new(5);
    for (id, form) in forms() {
        let text = fill(form, &mut random);
        let findings = scan(&text);
        let finding = findings.first().expect("a finding");
        let value = finding.value(&text);
        let printed = format!(
            "{findings:?} {findings:#?} {finding:?} {:?} {} {value:?} {value} {:?} {}",
            finding.rule,
            finding.rule,
            redact(&text),
            finding.rule.id,
        );
        assert!(!printed.contains(value.expose()), "{id}");
        // Not even half of it.
        let half = value
            .expose()
            .get(..value.expose().len() / 2)
            .unwrap_or_default();
        assert!(half.len() < 8 || !printed.contains(half), "{id}");
    }
    insta::assert_snapshot!(format!("{:?} {}", SecretValue::new("x"), SecretValue::new("y")), @"[secret] [secret]");
}

#[test]
fn places_are_those_of_the_original_text() {
    let mut random = Random::new(6);
    let token = fill("ghp_{a36}", &mut random);
    let hidden: String = token
        .chars()
        .flat_map(|character| [character, '\u{200B}'])
        .collect();
    let text = format!("first line\n第二行 {hidden}|\nthird");
    let findings = scan(&text);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].line, 2);
    insta::assert_snapshot!(redact(&text).text.replace('\u{200B}', "·"), @r"
    first line
    第二行 [redacted: github-personal-token]·|
    third
    ");
}

#[test]
fn descriptions_read_as_names() {
    for rule in rules() {
        assert!(
            !rule.description.is_empty() && !rule.description.ends_with('.'),
            "{}",
            rule.id
        );
        assert!(
            rule.id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit()),
            "{}",
            rule.id
        );
    }
    let structural = rules()
        .filter(|rule| rule.class == Class::Structural)
        .count();
    assert!(structural >= 60, "{structural}");
}

proptest::proptest! {
    #[test]
    fn no_text_panics_and_ranges_fit(text in "\\PC{0,80}|(password|sk-|://|-----BEGIN |eyJ|%41|token: )[\\PC\\n]{0,60}") {
        for finding in scan(&text) {
            proptest::prop_assert!(text.get(finding.range.clone()).is_some());
        }
        let _ = redact(&text);
    }
}
