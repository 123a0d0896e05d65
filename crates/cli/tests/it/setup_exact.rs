//! Uninstall after set-up gives back every file byte for byte, whatever it looked like.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use memdir_testkit::tree;

use crate::fixture::Fixture;

const MEMDIR: &str = env!("CARGO_BIN_EXE_memdir");

/// JSON as clients and people write it; with comments and commas at the end, where a client takes them.
const JSON: [(&str, &str); 30] = [
    ("empty", ""),
    ("a blank line", "\n"),
    ("blanks without an end", "  "),
    ("an empty object", "{}"),
    ("an empty object and a newline", "{}\n"),
    ("an empty object with a blank", "{ }\n"),
    ("an empty object on two lines", "{\n}\n"),
    ("an empty object on three lines", "{\n\n}\n"),
    ("two spaces", "{\n  \"model\": \"opus\"\n}\n"),
    ("no final newline", "{\n  \"model\": \"opus\"\n}"),
    (
        "tabs",
        "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n",
    ),
    (
        "deep indentation",
        "{\n        \"model\": \"opus\",\n        \"hooks\": {\n                \"Stop\": []\n        }\n}\n",
    ),
    ("no indentation", "{\n\"model\": \"opus\"\n}\n"),
    (
        "carriage returns",
        "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {}\r\n}\r\n",
    ),
    (
        "a mark at the beginning",
        "\u{feff}{\n  \"model\": \"opus\"\n}\n",
    ),
    ("minified", "{\"model\":\"opus\",\"env\":{\"A\":\"1\"}}"),
    (
        "on one line",
        "{ \"model\": \"opus\", \"hooks\": { \"Stop\": [] } }\n",
    ),
    (
        "minified hooks",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    ),
    ("minified empty hooks", "{\"hooks\":{}}"),
    ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
    ("empty hooks on two lines", "{\n  \"hooks\": {\n  }\n}\n"),
    (
        "an empty event",
        "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SessionStart\": [ ],\n    \"SessionEnd\": [\n    ]\n  }\n}\n",
    ),
    (
        "foreign hooks on the same events",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"notify hook claude-code\"\n          }\n        ]\n      }\n    ],\n    \"PreToolUse\": [{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"check\" }] }]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        "other servers",
        "{\n  \"mcpServers\": {\n    \"files\": { \"command\": \"npx\", \"args\": [\"files\"] }\n  },\n  \"mcp\": {\"other\": {\"type\": \"local\", \"command\": [\"x\"]}}\n}\n",
    ),
    ("no other servers", "{\"mcpServers\": {}, \"mcp\": {}}\n"),
    (
        "escapes and other scripts",
        "{\n  \"ü\\\"\\u00e9\": \"日本語 🦀 // not a comment\",\n  \"h\\u006foks\": {}\n}\n",
    ),
    (
        "odd blanks",
        "\n\n{ \"a\" :1 ,\n\n   \"b\": [ 1,2 ]   , \"c\":{}\n }  \n\n",
    ),
    (
        "a number that no float holds",
        "{\"a\": 12345678901234567890.123456789012345678901234567890, \"b\": 1e999}\n",
    ),
    (
        "nested hooks elsewhere",
        "{\n  \"profiles\": {\n    \"hooks\": {\n      \"Stop\": []\n    }\n  }\n}\n",
    ),
    (
        "four spaces, comma first",
        "{\n    \"a\": 1\n  , \"b\": 2\n}\n",
    ),
];

const JSONC: [(&str, &str); 12] = [
    ("a comment alone", "// nothing here yet"),
    ("comments and no value", "// nothing\n/* at all */\n"),
    ("a comment in an empty object", "{\n  // later\n}\n"),
    ("a comment behind the brace", "{ // mine\n}\n"),
    (
        "a comment behind the last",
        "{\n  \"model\": \"opus\" // the best\n}\n",
    ),
    (
        "a block behind the last",
        "{ \"model\": \"opus\" /* the best */ }\n",
    ),
    (
        "a comment below the last",
        "{\n  \"model\": \"opus\"\n  // \"other\": 1\n}\n",
    ),
    ("a comma at the end", "{\n  \"model\": \"opus\",\n}\n"),
    (
        "a comma and a comment",
        "{\n  \"model\": \"opus\", // the best\n}\n",
    ),
    (
        "commas at every end",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"x\",},],}, // mine\n    ],\n  },\n  \"mcp\": {\"a\": {},},\n}\n",
    ),
    (
        "comments around everything",
        "/* a */ { /* b */ \"hooks\" /* c */ : /* d */ { /* e */ } /* f */ } // g\n",
    ),
    (
        "comments and carriage returns",
        "{\r\n  // one\r\n  \"a\": 1, // two\r\n  /* three */\r\n}\r\n// four\r\n",
    ),
];

const TOML: [(&str, &str); 26] = [
    ("empty", ""),
    ("a blank line", "\n"),
    ("a key", "model = \"gpt-5\"\n"),
    ("no final newline", "model = \"gpt-5\""),
    ("a blank line at the end", "model = \"gpt-5\"\n\n"),
    ("many blank lines", "model = \"gpt-5\"\n\n\n\n"),
    ("a comment alone", "# nothing yet"),
    (
        "a comment at the end",
        "model = \"gpt-5\" # best\n# the end\n",
    ),
    (
        "carriage returns",
        "model = \"gpt-5\"\r\n\r\n[tui]\r\nx = 1\r\n",
    ),
    ("carriage returns without the last", "[tui]\r\nx = 1"),
    ("a mark at the beginning", "\u{feff}model = \"gpt-5\"\n"),
    (
        "other servers",
        "[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"files\"]\n",
    ),
    (
        "other servers with an environment",
        "[mcp_servers.files]\ncommand = \"npx\"\n\n[mcp_servers.files.env]\nKEY = \"1\"\n",
    ),
    (
        "a section of servers",
        "[mcp_servers]\nfiles = { command = \"npx\" }\n",
    ),
    ("an empty section of servers", "[mcp_servers]\n"),
    (
        "an empty section and more",
        "[mcp_servers] # later\n\n[tui]\nx = 1\n",
    ),
    (
        "servers in one line",
        "mcp_servers = { files = { command = \"npx\" } }\nmodel = \"x\"\n",
    ),
    (
        "no servers in one line",
        "mcp_servers = {}\nmodel = \"x\"\n",
    ),
    ("no servers in one line with a blank", "mcp_servers = { }\n"),
    (
        "dotted keys",
        "mcp_servers.files.command = \"npx\"\nmcp_servers.files.args = []\n",
    ),
    (
        "dotted keys in a section",
        "[mcp_servers]\nfiles.command = \"npx\"\n",
    ),
    (
        "arrays of tables",
        "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"x\"\n\n[[hooks.Stop]]\n",
    ),
    (
        "several lines",
        "notify = [\n  \"a\", # one\n  \"b\",\n]\ntext = \"\"\"\n[mcp_servers.memdir]\n\"\"\"\n",
    ),
    (
        "profiles after servers",
        "[mcp_servers.a]\ncommand = \"a\"\n[profiles.x]\nmodel = \"y\"\n[projects.\"/tmp/x\"]\ntrust_level = \"trusted\"\n",
    ),
    (
        "inline tables",
        "a = { b = { c = 1 }, d = [ {e = 2}, {} ] }\n",
    ),
    ("odd blanks", "  model   =\t\"x\"\t\n\n\t[ tui ]\n\n"),
];

struct Case<'c> {
    client: &'c str,
    files: Vec<(&'c str, &'c str)>,
}

/// Sets up and uninstalls on these files, and says what is not as it was.
fn round_trip(case: &Case<'_>) -> Result<(), String> {
    let fixture = Fixture::new();
    let home = fixture.sandbox.home();
    for (file, text) in &case.files {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    }
    let before = tree::read(&home).unwrap();
    let run = |words: &[&str]| {
        let outcome = fixture.run(words);
        match outcome.code() {
            Some(0) => Ok(outcome.stdout()),
            _ => Err(format!("{words:?}: {outcome}")),
        }
    };
    run(&["setup", case.client, "--program", MEMDIR, "--yes"])?;
    let connected = tree::read(&home).unwrap();
    if connected == before {
        return Err("nothing was written".to_owned());
    }
    for (file, _) in &case.files {
        let mode = fs::metadata(home.join(file)).unwrap().permissions().mode();
        if mode & 0o777 != 0o640 {
            return Err(format!("the mode of {file} is {mode:o}"));
        }
    }
    let again = run(&["setup", case.client, "--program", MEMDIR, "--yes", "--json"])?;
    if !again.contains("\"changed\": false") {
        return Err(format!("the second time it changes something: {again}"));
    }
    run(&["uninstall", case.client, "--yes"])?;
    let mut after = tree::read(&home).unwrap();
    // Our own folder stays, with the lock and whatever else is ours.
    after.retain(|path, _| !is_own(path));
    let own_folders = [".claude".to_owned()];
    for folder in own_folders
        .iter()
        .filter(|folder| !before.contains_key(*folder))
    {
        after.remove(folder);
    }
    match after == before {
        true => Ok(()),
        false => Err(format!(
            "before:\n{}\nconnected:\n{}\nafter:\n{}",
            tree::render(&before),
            tree::render(&connected),
            tree::render(&after)
        )),
    }
}

fn is_own(path: &str) -> bool {
    path == ".claude/memdir" || path.starts_with(".claude/memdir/")
}

fn hold(cases: impl IntoIterator<Item = (String, Case<'static>)>) {
    let failures: Vec<String> = cases
        .into_iter()
        .filter_map(|(name, case)| {
            let problem = round_trip(&case).err()?;
            Some(format!("== {}: {name}\n{problem}", case.client))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Files of a client, each in every form that there is.
fn each(
    client: &'static str,
    files: &'static [(&'static str, &'static [(&'static str, &'static str)])],
) -> impl Iterator<Item = (String, Case<'static>)> {
    let most = files
        .iter()
        .map(|(_, forms)| forms.len())
        .max()
        .unwrap_or(0);
    (0..most).map(move |number| {
        let forms = files
            .iter()
            .map(|(file, forms)| (*file, forms[number % forms.len()]));
        let name: Vec<String> = forms
            .clone()
            .map(|(file, (name, _))| format!("{file}: {name}"))
            .collect();
        let files = forms.map(|(file, (_, text))| (file, text)).collect();
        (name.join(", "), Case { client, files })
    })
}

#[test]
fn no_file_at_all() {
    let clients = ["claude-code", "codex", "gemini", "opencode"];
    hold(clients.map(|client| {
        let files = Vec::new();
        ("none".to_owned(), Case { client, files })
    }));
}

#[test]
fn settings_of_claude_code() {
    hold(each(
        "claude-code",
        &[(".claude/settings.json", &JSON), (".claude.json", &JSON)],
    ));
    hold(each("claude-code", &[(".claude/settings.json", &JSONC)]));
}

#[test]
fn settings_of_codex() {
    hold(each(
        "codex",
        &[(".codex/hooks.json", &JSON), (".codex/config.toml", &TOML)],
    ));
}

#[test]
fn settings_of_gemini() {
    hold(each("gemini", &[(".gemini/settings.json", &JSON)]));
    hold(each("gemini", &[(".gemini/settings.json", &JSONC)]));
}

#[test]
fn settings_of_opencode() {
    hold(each(
        "opencode",
        &[(".config/opencode/opencode.json", &JSON)],
    ));
    hold(each(
        "opencode",
        &[(".config/opencode/opencode.jsonc", &JSONC)],
    ));
}
