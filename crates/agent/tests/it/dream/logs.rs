//! The logs of days: read, never changed.

use serde_json::json;

use super::{told, tree, undo};
use crate::scene::{MODEL, Scene, topic};

fn with_logs() -> Scene {
    let scene = Scene::new();
    std::fs::create_dir_all(scene.root().join("memory/logs/2026/11")).unwrap();
    scene.memory(
        "logs/2026/11/2026-11-14.md",
        "- 09:00 From now on, use tabs in Makefiles.\n- 09:10 Looked at the parser.\n",
    );
    scene.memory(
        "logs/2026/11/2026-11-15.md",
        "- 10:00 Remember that the staging database is reset on Sundays.\nno entry\n- 25:00 never mind\n",
    );
    scene
}

#[test]
fn the_rules_find_in_logs_what_the_user_said_outright() {
    let scene = with_logs();
    let before = tree(&scene);
    let dreamt = scene.dream(None, |dream| dream.logs = true).unwrap();
    insta::assert_snapshot!(told(&dreamt), @"
    Applied(2)
      ~ MEMORY.md
      ~ feedback_use_tabs_makefiles.md
      ~ project_staging_database_reset_sundays.md
    ");
    insta::assert_snapshot!(dreamt.mended.join("\n"), @"
    feedback_use_tabs_makefiles.md: kept from the logs
    project_staging_database_reset_sundays.md: kept from the logs
    ");
    insta::assert_snapshot!(scene.files("memory"), @"
    ── MEMORY.md
    - [use-tabs-makefiles](feedback_use_tabs_makefiles.md) — From now on, use tabs in Makefiles.
    - [staging-database-reset-sundays](project_staging_database_reset_sundays.md) — The staging database is reset on Sundays.
    ── feedback_use_tabs_makefiles.md
    ---
    name: use-tabs-makefiles
    description: From now on, use tabs in Makefiles.
    metadata:
      type: feedback
      source: rules
      message: logs/2026/11/2026-11-14.md#1
      evidence: From now on, use tabs in Makefiles.
    ---

    From now on, use tabs in Makefiles.
    ── logs/2026/11/2026-11-14.md
    - 09:00 From now on, use tabs in Makefiles.
    - 09:10 Looked at the parser.
    ── logs/2026/11/2026-11-15.md
    - 10:00 Remember that the staging database is reset on Sundays.
    no entry
    - 25:00 never mind
    ── project_staging_database_reset_sundays.md
    ---
    name: staging-database-reset-sundays
    description: The staging database is reset on Sundays.
    metadata:
      type: project
      source: rules
      message: logs/2026/11/2026-11-15.md#1
      evidence: Remember that the staging database is reset on Sundays.
    ---

    The staging database is reset on Sundays.
    ");
    undo(&scene);
    assert_eq!(tree(&scene), before);
}

#[test]
fn without_being_asked_for_they_are_left_alone() {
    let scene = with_logs();
    let dreamt = scene.dream(None, |_| {}).unwrap();
    insta::assert_snapshot!(told(&dreamt), @"Nothing");
}

#[test]
fn what_a_model_has_from_logs_is_the_agents_word() {
    let scene = with_logs();
    scene.script(json!([
        {"times": 1, "reply": [
            {"tool": "Read", "input": {"file_path": "ROOT/memory/logs/2026/11/2026-11-14.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_tabs_makefiles.md", "content":
                topic("tabs-makefiles", "feedback", "Use tabs in Makefiles", "use tabs", "Use tabs in Makefiles.")}},
        ]},
        {"reply": [{"text": "Done."}]},
    ]));
    let model = scene.model(MODEL);
    let dreamt = scene
        .dream(Some(&model), |dream| dream.logs = true)
        .unwrap();
    insta::assert_snapshot!(told(&dreamt), @"
    Applied(2)
      ~ MEMORY.md
      ~ feedback_tabs_makefiles.md
    ");
    let path = scene.root().join("memory/feedback_tabs_makefiles.md");
    insta::assert_snapshot!(std::fs::read_to_string(path).unwrap(), @"
    ---
    name: tabs-makefiles
    description: Use tabs in Makefiles
    metadata:
      type: feedback
      source: agent
    ---

    Use tabs in Makefiles.
    ");
    let exchanges = scene.exchanges();
    let first = String::from_utf8_lossy(&exchanges[0].body);
    assert!(first.contains("2026-11-14.md") && first.contains("2026-11-15.md"));
}
