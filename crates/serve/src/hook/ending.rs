//! The conversation is over. Clients give this little time and show nothing of it.

use jiff::SignedDuration;

use super::answer::Reply;
use super::scene::Scene;
use super::turn_end;

/// What was noted so recently has its process on the way.
const ON_ITS_WAY: SignedDuration = SignedDuration::from_secs(2);

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let state = scene.states().get(&scene.event.conversation);
    let state = scene.attempt("state", state).unwrap_or_default();
    if state.open {
        // Broken off in the middle of a turn: it never ended, and is looked at all the same.
        turn_end::respond(scene);
        scene.see_to_work();
        return Reply::default();
    }
    let since = state.at.map(|at| scene.now.duration_since(at));
    let due = scene.jobs().is_anything_due();
    if since.is_none_or(|since| since > ON_ITS_WAY) && scene.attempt("due", due) == Some(true) {
        scene.see_to_work();
    }
    Reply::default()
}
