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
    insta::assert_snapshot!(Fixture::new().run(&["models"]), @r#"
    exit 0
    -- stdout
    No model is named, and none is asked: memdir does its work by rules.
    To name one, write to ~/.claude/memdir.toml:

      [models.small]
      provider = "anthropic"
      model = "claude-haiku-4-5"

      [model_for]
      extraction = "small"
    -- stderr
    "#);
}

#[test]
fn each_with_its_window_price_and_key() {
    let fixture = with_settings(TWO);
    insta::assert_snapshot!(fixture.run(&["models"]), @"
    exit 0
    -- stdout
    local  openai SmolLM2-135M
      for      recall
      window   8,192 tokens, 4,096 of answer
      price    free: it runs on this machine
      address  http://127.0.0.1:8080/v1
      key      none

    own  claude its own choice of model
      for    nothing yet: see [model_for]
      price  what its own account pays

    small  anthropic claude-haiku-4-5
      for      extraction, dream
      window   200,000 tokens, 64,000 of answer
      price    $1.00 in, $5.00 out, for a million tokens
      address  https://api.anthropic.com
      key      the variable ANTHROPIC_API_KEY: not set
    -- stderr
    ");
    let outcome = fixture
        .program(&["models", "--json"])
        .env("ANTHROPIC_API_KEY", KEY)
        .run()
        .unwrap();
    insta::assert_snapshot!(outcome, @r#"
    exit 0
    -- stdout
    {
      "models": [
        {
          "name": "local",
          "provider": "openai",
          "model": "SmolLM2-135M",
          "address": "http://127.0.0.1:8080/v1",
          "command": [],
          "for": [
            "recall"
          ],
          "window": 8192,
          "output": 4096,
          "price": "free",
          "key": {
            "source": "none",
            "variable": null,
            "file": null,
            "found": false,
            "problem": null
          }
        },
        {
          "name": "own",
          "provider": "claude",
          "model": null,
          "address": null,
          "command": [],
          "for": [],
          "window": null,
          "output": null,
          "price": null,
          "key": {
            "source": "none",
            "variable": null,
            "file": null,
            "found": false,
            "problem": null
          }
        },
        {
          "name": "small",
          "provider": "anthropic",
          "model": "claude-haiku-4-5",
          "address": "https://api.anthropic.com",
          "command": [],
          "for": [
            "extraction",
            "dream"
          ],
          "window": 200000,
          "output": 64000,
          "price": "$1.00 in, $5.00 out",
          "key": {
            "source": "variable",
            "variable": "ANTHROPIC_API_KEY",
            "file": null,
            "found": true,
            "problem": null
          }
        }
      ],
      "warnings": []
    }
    -- stderr
    "#);
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
    insta::assert_snapshot!(outcome, @"
    exit 0
    -- stdout
    local  openai SmolLM2-135M
      for      recall
      window   8,192 tokens, 4,096 of answer
      price    free: it runs on this machine
      address  http://127.0.0.1:8080/v1
      key      none

    own  claude its own choice of model
      for    nothing yet: see [model_for]
      price  what its own account pays

    small  anthropic claude-haiku-4-5
      for      extraction, dream
      window   200,000 tokens, 64,000 of answer
      price    $1.00 in, $5.00 out, for a million tokens
      address  https://api.anthropic.com
      key      the variable ANTHROPIC_API_KEY: not believed: a file of the project sets it
    -- stderr
    warning: [PROJECT]/.claude/memdir.local.toml names models; they are not used: a file that comes with the project chooses no address, command or key
    warning: [PROJECT]/.claude/memdir.toml names models; they are not used: a file that comes with the project chooses no address, command or key
    ");
    insta::assert_snapshot!(fixture.run(&["trust", "--dry-run"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for
      the model small: openai, address https://evil.example
      not trusted
    -- stderr
    ");
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
    let printed = outcome.to_string();
    let keys: Vec<&str> = printed
        .lines()
        .filter(|line| line.contains("key "))
        .collect();
    insta::assert_snapshot!(keys.join("\n"), @"
    key      the file ~/good
    key      the file ~/open: others may read it (mode 0644); run `chmod 600` on it
    key      the file [PROJECT]/key: it lies in the project; keep it elsewhere
    key      the file key: it has to be an absolute path, or begin with ~/
    ");
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
    insta::assert_snapshot!(ping(KEY), @"
    Some(1)
      ping     it is there
      ping     the provider knows no such model or address; see the model's name and address with `memdir models` (model: claude-9)
    ");
    insta::assert_snapshot!(ping("sk-wrong-one"), @"
    Some(1)
      ping     the provider does not accept the key; see where the key comes from with `memdir models`
      ping     the provider does not accept the key; see where the key comes from with `memdir models`
    ");
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
    insta::assert_snapshot!(fixture.run(&["models"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml:1:9: `models.a.provider` has to be one of anthropic, openai, claude, codex, command
      also [HOME]/.claude/memdir.toml:4:9: `models.b` needs its `model`
      also [HOME]/.claude/memdir.toml:9:1: there is no setting `models.c.key`; a model has provider, model, address, key_variable, key_file, command
      also [HOME]/.claude/memdir.toml:11:9: `models.d.key_variable` has to be one of ANTHROPIC_API_KEY, OPENAI_API_KEY, MEMDIR_MODEL_KEY, AZURE_OPENAI_API_KEY, CEREBRAS_API_KEY, DEEPSEEK_API_KEY, FIREWORKS_API_KEY, GEMINI_API_KEY, GROQ_API_KEY, MISTRAL_API_KEY, OPENROUTER_API_KEY, TOGETHER_API_KEY; for another key write a file and set key_file
      also [HOME]/.claude/memdir.toml:17:1: there is no setting `model_for.extract`; there are chat, recall, extraction, dream, notes, compaction
      mend the file; `memdir config list` shows every setting
    ");
}
