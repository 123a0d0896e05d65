#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod client;
mod oracle_blocks;
mod oracle_divergence;
mod oracle_laws;
mod oracle_marks;
mod oracle_openai;
mod oracle_pairing;
mod oracle_public_bugs;
mod oracle_request;
mod oracle_thinking;
mod server_answers;
mod server_cache;
mod server_doors;
mod server_faults;
mod server_program;
mod server_rules;

use memdir_testkit::oracle::{Rule, Violation};

/// What was found, one violation a line, or `ok`.
fn listed(name: &str, violations: &[Violation]) -> String {
    let mut out = format!("{name}\n");
    if violations.is_empty() {
        out.push_str("  ok\n");
    }
    for violation in violations {
        out.push_str(&format!("  {:?} | {violation}\n", violation.rule));
    }
    out
}

#[test]
fn every_rule_is_broken_in_some_test() {
    let shown = [
        include_str!("oracle_blocks.rs"),
        include_str!("oracle_marks.rs"),
        include_str!("oracle_openai.rs"),
        include_str!("oracle_pairing.rs"),
        include_str!("oracle_request.rs"),
        include_str!("oracle_thinking.rs"),
    ]
    .concat();
    let missing: Vec<Rule> = Rule::ALL
        .into_iter()
        .filter(|rule| !shown.contains(&format!("  {rule:?} | ")))
        .collect();
    assert_eq!(missing, []);
}
