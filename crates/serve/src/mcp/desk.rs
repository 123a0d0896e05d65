//! Which project's memories a client is served: those of the folder that it says it works in, else those around the
//! current folder.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use memdir_session::Home;
use memdir_settings::variables;
use memdir_store::Environment;

use super::refusal::Refusal;
use super::room::Room;
use super::roots::start_folder;
use super::{Find, Start};

/// For so long settings are taken to be as they were.
const FRESH: Duration = Duration::from_secs(1);

/// What all calls of one client share.
pub(crate) struct Desk {
    environment: Environment,
    is_told: bool,
    find: Arc<Find>,
    /// What there is to serve, with the folder that the client named.
    now: Mutex<Served>,
}

struct Served {
    folder: Option<PathBuf>,
    room: Result<Arc<Room>, Refusal>,
    looked: Instant,
}

impl Desk {
    pub(crate) fn new(start: Start) -> Self {
        let Start {
            environment,
            is_told,
            find,
        } = start;
        let room = room(&*find, environment.clone());
        let served = Served {
            folder: None,
            room,
            looked: Instant::now(),
        };
        Self {
            environment,
            is_told,
            find,
            now: Mutex::new(served),
        }
    }

    /// The memories that a call is about, by the settings as they are now: what the user switches off is off at once.
    pub(crate) fn room(&self) -> Result<Arc<Room>, Refusal> {
        let mut served = self.served();
        if served.looked.elapsed() >= FRESH {
            let anew = room(&*self.find, self.environment_in(served.folder.as_ref()));
            let is_same = match (&served.room, &anew) {
                (Ok(one), Ok(other)) => one.home.places == other.home.places,
                (one, other) => one.as_ref().err() == other.as_ref().err(),
            };
            if !is_same {
                served.room = anew;
            }
            served.looked = Instant::now();
        }
        served.room.clone()
    }

    fn served(&self) -> MutexGuard<'_, Served> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn environment_in(&self, folder: Option<&PathBuf>) -> Environment {
        let environment = self.environment.clone();
        match folder {
            Some(folder) => environment.with_project(folder),
            None => environment,
        }
    }

    /// The same, where memory is on.
    pub(crate) fn open_room(&self) -> Result<Arc<Room>, Refusal> {
        let room = self.room()?;
        match room.off() {
            Some(off) => Err(off),
            None => Ok(room),
        }
    }

    /// Whether the client decides where we work.
    pub(crate) fn follows_client(&self) -> bool {
        !self.is_told
    }

    /// The client works in these folders now; whether that changes which memories are meant.
    pub(crate) fn follow(&self, roots: &[String]) -> bool {
        if self.is_told {
            return false;
        }
        let folder = start_folder(self.environment.current_folder(), roots);
        let mut served = self.served();
        if served.folder == folder {
            return false;
        }
        let room = room(&*self.find, self.environment_in(folder.as_ref()));
        let directory = |room: &Result<Arc<Room>, Refusal>| {
            let room = room.as_ref().ok();
            room.map(|room| room.directory().to_owned())
        };
        let changed = directory(&served.room) != directory(&room);
        *served = Served {
            folder,
            room,
            looked: Instant::now(),
        };
        changed
    }
}

fn room(find: &Find, environment: Environment) -> Result<Arc<Room>, Refusal> {
    let (home, finder) = find(environment).map_err(|reason| {
        Refusal::new(
            format!("There is no memory to work on: {reason}"),
            "Tell the user",
        )
    })?;
    let conversation = conversation(&home);
    Ok(Arc::new(Room::new(home, finder, &conversation)))
}

/// The conversation that a client has with us: its own name for it where it tells one, else ours.
fn conversation(home: &Home) -> String {
    let told = home.variable(variables::SESSION_ID);
    let is_plain = |id: &String| {
        id.len() <= 100
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    told.filter(is_plain).unwrap_or_else(|| {
        let started = Timestamp::now().as_millisecond();
        format!("mcp-{started}-{}", std::process::id())
    })
}
