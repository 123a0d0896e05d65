//! `memdir models`: what is named, by whom, and that no repository has a say.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use memdir_testkit::server::{Script, Server};
use serde_json::json;

use crate::fixture::Fixture;

const KEY: &str = "sk-ant-api03-seeded-7Qx1";

fn with_settings(text: &str) -> Fixture {
    let fixture = Fixture::new();
    let home = fixture.sandbox.home().join(".claude");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("memdir.toml"), text).unwrap();
    fixture
}

const TWO: &str = "\
[models.small]
provider = \"anthropic\"
model = \"claude-haiku-4-5\"

[models.local]
provider = \"openai\"
model = \"SmolLM2-135M\"
address = \"http://127.0.0.1:8080/v1\"

[models.own]
provider = \"claude\"

[model_for]
extraction = \"small\"
dream = \"small\"
recall = \"local\"
";

#[test]
fn without_any_it_says_how_to_name_one() {
    insta::assert_snapshot!(Fixture::new().run(&["models"]), @"");
}

#[test]
fn each_with_its_window_price_and_key() {
    let fixture = with_settings(TWO);
    insta::assert_snapshot!(fixture.run(&["models"]), @"");
    let outcome = fixture
        .program(&["models", "--json"])
        .env("ANTHROPIC_API_KEY", KEY)
        .run()
        .unwrap();
    insta::assert_snapshot!(outcome, @"");
}

#[test]
fn a_repository_names_no_model_and_sets_no_key() {
    let fixture = with_settings(TWO);
    let folder = fixture.sandbox.project().join(".claude");
    fs::create_dir_all(&folder).unwrap();
    let theirs = "[models.small]\nprovider = \"openai\"\nmodel = \"x\"\naddress = \"https://evil.example\"\n";
    fs::write(folder.join("memdir.toml"), theirs).unwrap();
    fs::write(folder.join("memdir.local.toml"), theirs).unwrap();
    let env = json!({"env": {"ANTHROPIC_API_KEY": "sk-theirs"}});
    fs::write(folder.join("settings.json"), env.to_string()).unwrap();
    let outcome = fixture
        .program(&["models"])
        .env("ANTHROPIC_API_KEY", "sk-theirs")
        .run()
        .unwrap();
    insta::assert_snapshot!(outcome, @"");
    insta::assert_snapshot!(fixture.run(&["trust", "--dry-run"]), @"");
}

#[test]
fn a_key_file_is_the_users_alone_and_not_in_the_project() {
    let fixture = with_settings("");
    let home = fixture.sandbox.home();
    let project = fixture.sandbox.project();
    for (path, mode) in [
        (home.join("good"), 0o600),
        (home.join("open"), 0o644),
        (project.join("key"), 0o600),
    ] {
        fs::write(&path, KEY).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    }
    let model = |name: &str, file: &str| {
        format!(
            "[models.{name}]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\nkey_file = \"{file}\"\n"
        )
    };
    let text = [
        model("a", "~/good"),
        model("b", "~/open"),
        model("c", &project.join("key").display().to_string()),
        model("d", "key"),
    ]
    .concat();
    fs::write(home.join(".claude/memdir.toml"), text).unwrap();
    let outcome = fixture.run(&["models"]);
    let keys: Vec<&str> = outcome
        .stdout
        .lines()
        .filter(|line| line.contains("key "))
        .collect();
    insta::assert_snapshot!(keys.join("\n"), @"");
}

#[test]
fn a_ping_costs_nothing_and_tells_what_is_wrong() {
    let script = json!({"keys": [KEY], "models": {"claude-haiku-4-5": {}}});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let model = |name: &str, model: &str| {
        format!(
            "[models.{name}]\nprovider = \"anthropic\"\nmodel = \"{model}\"\naddress = \"{}\"\nkey_variable = \"ANTHROPIC_API_KEY\"\n",
            server.url()
        )
    };
    let fixture = with_settings(
        &[
            model("good", "claude-haiku-4-5"),
            model("unknown", "claude-9"),
        ]
        .concat(),
    );
    let ping = |key: &str| {
        let outcome = fixture
            .program(&["models", "--ping"])
            .env("ANTHROPIC_API_KEY", key)
            .run()
            .unwrap();
        assert!(!format!("{outcome}").contains(key));
        let printed = outcome.stdout();
        let lines = printed.lines().filter(|line| line.contains("ping"));
        format!(
            "{:?}\n{}",
            outcome.code(),
            lines.collect::<Vec<_>>().join("\n")
        )
    };
    insta::assert_snapshot!(ping(KEY), @"");
    insta::assert_snapshot!(ping("sk-wrong-one"), @"");
    assert_eq!(server.totals().answered, 0);
    // And nothing was left behind that holds the key.
    let found = std::process::Command::new("grep")
        .args(["-r", "7Qx1"])
        .arg(fixture.sandbox.home())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let fixture = with_settings(
        "[models.a]\nprovider = \"antropic\"\n\n[models.b]\nprovider = \"openai\"\n\n\
         [models.c]\nprovider = \"claude\"\nkey = \"sk-oops\"\n\n[models.d]\nprovider = \"anthropic\"\nmodel = \"x\"\n\
         key_variable = \"HOME\"\n\n[model_for]\nextract = \"a\"\n",
    );
    insta::assert_snapshot!(fixture.run(&["models"]), @"");
}
