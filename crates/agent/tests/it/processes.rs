//! Many processes at once, one ledger.

use std::process::{Command, Stdio};

use jiff::Timestamp;
use memdir_agent::{Meter, MeterError};
use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{Anthropic, Cancel, Catalogue, Key, Model, Request, Times};
use memdir_store::ledger::{Budget, Ledger, LedgerError};
use memdir_testkit::server::{Script, Server};
use serde_json::json;

const PROCESSES: usize = 16;
const EACH: usize = 6;
/// About forty requests: far fewer than they will try.
const CAP: u64 = 34_000_000;
/// What tells this very test that it is one of the sixteen: the ledger's folder and the server.
const FOLDER: &str = "SPEND_FOLDER";
const ADDRESS: &str = "SPEND_ADDRESS";

/// One of the sixteen: asks as often as it may.
fn spend(folder: &str, address: &str) {
    let name = "claude-haiku-4-5";
    let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
    let facts = Catalogue::built_in().facts(name);
    let model = Anthropic::new(name, address, Some(&key), facts, Times::default()).unwrap();
    let meter = Meter {
        ledger: Ledger::new(folder),
        budget: Budget {
            daily_nano_usd: CAP,
            floor_per_mille: 0,
            no_spend: false,
        },
        project: "/home/ada/app".to_owned(),
        day: Timestamp::now() - jiff::SignedDuration::from_hours(1),
        tally: memdir_agent::Tally::default(),
        now: Timestamp::now,
    };
    let said = Message::user("1", "What is worth keeping?");
    let flat = flatten(&[&said], &Flattening::default());
    let body = model.body(&Request::new(&flat, 200)).unwrap();
    for _ in 0..EACH {
        match meter.send(&model, "extraction", &body, &Cancel::new()) {
            Ok(answer) => drop(answer.whole().unwrap()),
            Err(MeterError::Ledger(LedgerError::Cap { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn sixteen_processes_never_pass_the_cap() {
    if let (Ok(folder), Ok(address)) = (std::env::var(FOLDER), std::env::var(ADDRESS)) {
        return spend(&folder, &address);
    }
    let script = json!({"step": [{"reply": [{"text": "Nothing."}], "output_tokens": 150}]});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let folder = memdir_testkit::temporary_folder().unwrap();
    let running: Vec<_> = (0..PROCESSES)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "processes::sixteen_processes_never_pass_the_cap"])
                .env(FOLDER, folder.path())
                .env(ADDRESS, server.url())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut process in running {
        assert!(process.wait().unwrap().success());
    }
    let entries = Ledger::new(folder.path()).entries(None).unwrap();
    let spent: u64 = entries.requests.iter().map(|entry| entry.nano_usd()).sum();
    let made = entries.requests.len();
    println!(
        "{made} of {} requests made, {spent} of {CAP} spent",
        PROCESSES * EACH
    );
    assert!(spent <= CAP, "{spent} of {CAP}");
    assert!(made > PROCESSES / 2 && made < PROCESSES * EACH, "{made}");
    assert_eq!(entries.damaged, 0);

    // And it is what the server says, to the token.
    let theirs = server.totals();
    assert_eq!(theirs.answered, u64::try_from(made).unwrap());
    let output: u64 = entries
        .requests
        .iter()
        .map(|entry| entry.spent.unwrap().output)
        .sum();
    assert_eq!(output, theirs.usage.output);
    let input: u64 = entries
        .requests
        .iter()
        .map(|entry| entry.spent.unwrap().input)
        .sum();
    assert_eq!(input, theirs.usage.input);
    assert_eq!(spent, input * 1000 + output * 5000);
}
