//! Every kind of model answers: one that streams, one behind the other API, and a program.

use std::fs;

use serde_json::json;

use super::Scene;
use super::pty::Pty;

/// A home whose only model is this one.
fn scene(model: &str) -> Scene {
    let scene = Scene::new(json!([{"reply": [{"text": "Here **I** am."}]}]));
    let model = model.replace("SERVER", &scene.server.url());
    let settings = scene.fixture.sandbox.home().join(".claude/memdir.toml");
    fs::write(settings, model).unwrap();
    scene
}

/// What a person sees, and what a script reads.
fn answers(scene: &Scene) -> String {
    let mut pty = scene.open(&[]);
    pty.say("Are you there?");
    pty.wait_for("Here I am.");
    pty.wait_for_prompt();
    // These windows are small: a few tokens more in the environment section change the figure.
    let screen = scene.plain(&pty.all());
    let mut shown = String::new();
    for line in screen.lines() {
        match line.split_once(" % of the context left") {
            Some((_, rest)) => shown.push_str(&format!("  [N] % of the context left{rest}\n")),
            None => shown.push_str(&format!("{line}\n")),
        }
    }
    quit(pty);
    let asked = ["-p", "Are you there?", "--output-format", "json"];
    let printed = scene.program(&asked).run().unwrap().to_string();
    let mut kept = printed.lines().filter(|line| {
        ["exit", "\"model\"", "\"result\"", "\"stop\""]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    });
    let mut told = shown;
    kept.by_ref()
        .for_each(|line| told.push_str(&format!("{}\n", line.trim())));
    told
}

fn quit(mut pty: Pty) {
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn anthropic() {
    let scene = scene(
        "[models.test]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-5-5\"\naddress = \"SERVER\"\n\
         key_variable = \"ANTHROPIC_API_KEY\"\n",
    );
    insta::assert_snapshot!(answers(&scene), @r#"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Are you there?

    Here I am.

    ›
      [N] % of the context left · claude-sonnet-5-5
    exit 0
    "model": "claude-sonnet-5-5",
    "result": "Here **I** am.",
    "stop": "end",
    "#);
}

#[test]
fn openai_compatible() {
    let scene = scene(
        "[models.test]\nprovider = \"openai\"\nmodel = \"gpt-6\"\naddress = \"SERVER/v1\"\n\
         key_variable = \"ANTHROPIC_API_KEY\"\n",
    );
    insta::assert_snapshot!(answers(&scene), @r#"
    memdir · gpt-6 · [ROOT]/project

    › Are you there?

    Here I am.

    ›
      [N] % of the context left · gpt-6
    exit 0
    "model": "gpt-6",
    "result": "Here **I** am.",
    "stop": "end",
    "#);
}

#[test]
fn a_program() {
    let scene = scene(
        "[models.mine]\nprovider = \"command\"\ncommand = [\"sh\", \"-c\", \"cat > /dev/null; echo 'Here **I** am.'\"]\n",
    );
    insta::assert_snapshot!(answers(&scene), @r#"
    memdir · mine · [ROOT]/project

    › Are you there?

    Here I am.

    ›
      [N] % of the context left · mine
    exit 0
    "model": "mine",
    "result": "Here **I** am.",
    "stop": "end",
    "#);
}
