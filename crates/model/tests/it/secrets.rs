//! Neither a key nor a word of the conversation is in anything that can be printed.

use std::fmt::Write;

use memdir_model::{Cancel, Model};
use serde_json::json;

use crate::scene::{KEY, Scene, WORDS, question};

/// Everything that a log at its most talkative could hold.
fn printed(model: &dyn Model) -> String {
    let mut all = String::new();
    let body = question(model);
    let mut answer = model.send(&body, &Cancel::new()).unwrap();
    let _ = write!(all, "{model:?} {model:#?} {body:?} {answer:?} ");
    for event in &mut answer {
        match event {
            Ok(event) => write!(all, "{event:?} {event:#?} {:?} ", event.raw).unwrap(),
            Err(error) => {
                write!(all, "{error} {error:?} {error:#?} {} ", error.advice()).unwrap();
                let source = std::error::Error::source(&error);
                write!(all, "{source:?} {:?}", error.provider_text()).unwrap();
            }
        }
    }
    all
}

#[test]
fn nothing_that_is_printed_tells_a_secret() {
    // A provider that repeats all that it was sent, in every way it has.
    let told = format!("{KEY} may not say {WORDS}");
    let mut steps: Vec<serde_json::Value> = [400, 401, 402, 403, 404, 413, 422, 429, 500, 529]
        .into_iter()
        .map(|status| json!({"fault": {"status": status, "message": told, "retry_after": "3600"}}))
        .collect();
    steps.push(json!({"reply": [{"text": told}, {"thinking": told}]}));
    steps.push(json!({"reply": [{"text": told}], "fault": {"invalid_json": true}}));
    steps.push(json!({"reply": [{"text": told}], "fault": {"cut_after_events": 5}}));
    steps.push(json!({"reply": [{"text": told}], "fault": {
        "error_event": {"after_events": 2, "kind": "api_error", "message": told}
    }}));
    for step in steps {
        let scene = Scene::new(std::slice::from_ref(&step));
        for model in scene.both() {
            let all = printed(&*model);
            assert!(all.len() > 100);
            for secret in [KEY, WORDS, "heron", "7Qx1"] {
                assert!(!all.contains(secret), "{secret} after {step}: {all}");
            }
        }
    }
}
