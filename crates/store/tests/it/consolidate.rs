//! The lock of consolidation: every state that the file of Claude Code can be in, and every way to end.

use std::fs::{self, File, FileTimes};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use memdir_store::consolidate::{Acquired, Busy, Held, acquire, last_consolidated};

use crate::project::make_fifo;

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;

struct Scene {
    temporary: tempfile::TempDir,
    now: Timestamp,
}

impl Scene {
    fn new() -> Self {
        let temporary = memdir_testkit::temporary_folder().unwrap();
        fs::create_dir(temporary.path().join("memory")).unwrap();
        Self {
            temporary,
            now: Timestamp::now(),
        }
    }

    fn memory(&self) -> PathBuf {
        self.temporary.path().join("memory")
    }

    fn state(&self) -> PathBuf {
        self.temporary.path().join("state")
    }

    fn file(&self) -> PathBuf {
        self.memory().join(".consolidate-lock")
    }

    fn moment(&self, seconds: i64) -> Timestamp {
        self.now + SignedDuration::from_secs(seconds)
    }

    /// Leaves the file as somebody would who wrote this so many seconds from now.
    fn leave(&self, body: &str, seconds: i64) {
        fs::write(self.file(), body).unwrap();
        let moment = SystemTime::from(self.moment(seconds));
        let file = File::options().write(true).open(self.file()).unwrap();
        file.set_times(FileTimes::new().set_modified(moment))
            .unwrap();
    }

    /// The body and the seconds from now of the mtime; none: no file.
    fn standing(&self) -> Option<(String, i64)> {
        let modified = fs::metadata(self.file()).ok()?.modified().unwrap();
        let modified = Timestamp::try_from(modified).unwrap();
        let seconds = modified.duration_since(self.now).as_secs();
        Some((fs::read_to_string(self.file()).unwrap(), seconds))
    }

    fn acquire(&self) -> Acquired {
        acquire(&self.memory(), &self.state(), self.now).unwrap()
    }

    fn held(&self) -> Held {
        match self.acquire() {
            Acquired::Held(held) => held,
            Acquired::Busy(busy) => panic!("{busy}"),
        }
    }

    fn busy(&self) -> Busy {
        match self.acquire() {
            Acquired::Held(_) => panic!("it is free"),
            Acquired::Busy(busy) => busy,
        }
    }

    fn last(&self) -> Option<i64> {
        let last = last_consolidated(&self.memory(), &self.state(), self.now)?;
        Some(last.duration_since(self.now).as_secs())
    }

    /// Names in the memory directory.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.memory()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

fn own_pid() -> String {
    std::process::id().to_string()
}

/// A process of somebody else's, for as long as the value lives.
struct Stranger(Child);

impl Stranger {
    fn new() -> Self {
        Self(Command::new("sleep").arg("600").spawn().unwrap())
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn success_leaves_the_moment_of_acquiring_and_an_empty_body() {
    let scene = Scene::new();
    let held = scene.held();
    assert_eq!(scene.standing(), Some((own_pid(), 0)));
    let mode = fs::metadata(scene.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    held.succeed().unwrap();
    assert_eq!(scene.standing(), Some((String::new(), 0)));
    assert_eq!(scene.names(), [".consolidate-lock"]);
    assert_eq!(scene.last(), Some(0));
}

#[test]
fn failure_puts_everything_back() {
    let scene = Scene::new();
    scene.held().fail().unwrap();
    assert_eq!(scene.standing(), None);
    scene.leave("", -2 * DAY);
    fs::set_permissions(scene.file(), fs::Permissions::from_mode(0o640)).unwrap();
    scene.held().fail().unwrap();
    assert_eq!(scene.standing(), Some((String::new(), -2 * DAY)));
    let mode = fs::metadata(scene.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(scene.names(), [".consolidate-lock"]);
}

#[test]
fn a_guard_that_is_dropped_has_failed() {
    let scene = Scene::new();
    scene.leave("", -2 * DAY);
    drop(scene.held());
    assert_eq!(scene.standing(), Some((String::new(), -2 * DAY)));
    assert_eq!(scene.last(), Some(-2 * DAY));
}

#[test]
fn a_living_young_holder_means_no() {
    let scene = Scene::new();
    let stranger = Stranger::new();
    for seconds in [0, 2, 59 * MINUTE] {
        scene.leave(&stranger.pid(), seconds);
        let Busy::Other { pid, .. } = scene.busy() else {
            panic!("{seconds}")
        };
        assert_eq!(pid.to_string(), stranger.pid(), "{seconds}");
        assert_eq!(scene.standing(), Some((stranger.pid(), seconds)));
    }
}

#[test]
fn a_long_lived_holder_is_believed_for_an_hour() {
    // Every process here is young but the first one, and that one too where it is the first of a container.
    let scene = Scene::new();
    let uptime = fs::read_to_string("/proc/uptime").unwrap();
    let uptime: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
    let stat = fs::read_to_string("/proc/1/stat").unwrap();
    let behind_name = stat.rsplit_once(')').unwrap().1;
    let started = behind_name.split_whitespace().nth(19).unwrap();
    let started = started.parse::<f64>().unwrap() / 100.0;
    if uptime - started > 3700.0 {
        scene.leave("1", -59 * MINUTE);
        assert!(matches!(scene.busy(), Busy::Other { pid: 1, .. }));
    }
    scene.leave("1", -60 * MINUTE);
    scene.held().fail().unwrap();
    assert_eq!(scene.standing(), Some((String::new(), -60 * MINUTE)));
}

#[test]
fn dead_old_empty_and_senseless_holders_are_none() {
    let scene = Scene::new();
    let stranger = Stranger::new();
    let dead = {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id().to_string()
    };
    let living = stranger.pid();
    let cases = [
        ("dead", dead.as_str(), -MINUTE),
        ("empty", "", -MINUTE),
        ("blank", " \n", -MINUTE),
        ("not a number", "claude", -MINUTE),
        ("not a PID", "0", -MINUTE),
        ("negative", "-1", -MINUTE),
        ("too large", "99999999999", -MINUTE),
        ("old", &living, -60 * MINUTE),
        ("from the far future", &living, 365 * DAY),
        // The process began ten minutes after the lock was taken: another one under the same PID.
        ("reused", &living, -10 * MINUTE),
        ("our own PID, reused", &own_pid(), -MINUTE),
    ];
    for (name, body, seconds) in cases {
        scene.leave(body, seconds);
        let Acquired::Held(held) = scene.acquire() else {
            panic!("{name}")
        };
        held.fail().unwrap();
        assert_eq!(scene.standing(), Some((String::new(), seconds)), "{name}");
    }
    fs::write(scene.file(), [0xff, 0xfe]).unwrap();
    scene.held().succeed().unwrap();
}

#[test]
fn last_consolidation_is_never_in_the_future() {
    let scene = Scene::new();
    assert_eq!(scene.last(), None);
    for (seconds, expected) in [
        (-DAY, Some(-DAY)),
        (MINUTE, Some(MINUTE)),
        (2 * 60 * MINUTE, None),
        (3650 * DAY, None),
    ] {
        scene.leave("", seconds);
        assert_eq!(scene.last(), expected, "{seconds}");
    }
}

#[test]
fn anything_but_a_plain_file_is_refused() {
    let scene = Scene::new();
    let outside = scene.temporary.path().join("outside");
    fs::write(&outside, "1").unwrap();
    symlink(&outside, scene.file()).unwrap();
    assert!(acquire(&scene.memory(), &scene.state(), scene.now).is_err());
    assert_eq!(scene.last(), None);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "1");
    fs::remove_file(scene.file()).unwrap();
    make_fifo(&scene.file());
    assert!(acquire(&scene.memory(), &scene.state(), scene.now).is_err());
    assert_eq!(scene.last(), None);
    // And nothing stays locked by it.
    fs::remove_file(scene.file()).unwrap();
    scene.held().succeed().unwrap();
}

#[test]
fn a_run_that_lost_its_lock_knows_and_touches_nothing() {
    let scene = Scene::new();
    let stranger = Stranger::new();
    let held = scene.held();
    assert!(held.is_current());
    scene.leave(&stranger.pid(), 5);
    assert!(!held.is_current());
    held.succeed().unwrap();
    assert_eq!(scene.standing(), Some((stranger.pid(), 5)));
}

#[test]
fn each_run_has_a_higher_number() {
    let scene = Scene::new();
    let numbers = [0; 3].map(|_| {
        let held = scene.held();
        let number = held.fence();
        held.fail().unwrap();
        number
    });
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn another_memdir_process_means_no_until_it_ends() {
    let scene = Scene::new();
    scene.leave("", -2 * DAY);
    let mut holder = Holder::start(&scene);
    assert_eq!(holder.answer(), "held");
    let Busy::Memdir { owner: Some(owner) } = scene.busy() else {
        panic!("not memdir")
    };
    assert_eq!(owner.pid, holder.child.id());
    holder.end("succeed");
    let (body, seconds) = scene.standing().unwrap();
    assert!(body.is_empty() && seconds >= 0, "{body:?} {seconds}");
    scene.held().fail().unwrap();
}

#[test]
fn a_killed_run_leaves_no_trace() {
    for before in [None, Some(-2 * DAY)] {
        let scene = Scene::new();
        if let Some(seconds) = before {
            scene.leave("", seconds);
        }
        let mut holder = Holder::start(&scene);
        assert_eq!(holder.answer(), "held");
        assert!(scene.last().unwrap() >= 0);
        let pid = holder.kill();
        // It looks as if the last consolidation were just now, but it is known to be none.
        assert_eq!(scene.standing().unwrap().0, pid);
        assert_eq!(scene.last(), before);
        scene.held().fail().unwrap();
        assert_eq!(
            scene.standing(),
            before.map(|seconds| (String::new(), seconds))
        );
        assert_eq!(scene.last(), before);
    }
}

#[test]
fn what_somebody_else_wrote_after_a_killed_run_stays() {
    let scene = Scene::new();
    scene.leave("", -2 * DAY);
    let mut holder = Holder::start(&scene);
    assert_eq!(holder.answer(), "held");
    holder.kill();
    scene.leave("", -MINUTE);
    assert_eq!(scene.last(), Some(-MINUTE));
    scene.held().fail().unwrap();
    assert_eq!(scene.standing(), Some((String::new(), -MINUTE)));
}

#[test]
fn a_run_that_is_asleep_still_holds() {
    let scene = Scene::new();
    let mut holder = Holder::start(&scene);
    assert_eq!(holder.answer(), "held");
    let pid = rustix::process::Pid::from_child(&holder.child);
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    assert!(matches!(scene.busy(), Busy::Memdir { .. }));
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    holder.end("fail");
    assert_eq!(scene.standing(), None);
}

#[test]
fn a_lock_file_that_is_removed_under_its_holder_frees_nothing() {
    let scene = Scene::new();
    let mut holder = Holder::start(&scene);
    assert_eq!(holder.answer(), "held");
    fs::remove_file(scene.state().join("consolidate-lock")).unwrap();
    assert!(matches!(scene.busy(), Busy::Memdir { owner: Some(_) }));
    holder.kill();
    scene.held().fail().unwrap();
    assert_eq!(scene.standing(), None);
}

#[test]
fn of_many_at_once_one_wins() {
    let scene = Scene::new();
    let mut holders: Vec<Holder> = (0..8).map(|_| Holder::start(&scene)).collect();
    let answers: Vec<String> = holders.iter_mut().map(Holder::answer).collect();
    let won = answers.iter().filter(|answer| *answer == "held").count();
    assert_eq!(won, 1, "{answers:?}");
    for holder in holders {
        holder.end("fail");
    }
    assert_eq!(scene.standing(), None);
    assert_eq!(scene.names(), [""; 0]);
}

const CHILD_MEMORY: &str = "MEMDIR_TEST_MEMORY";
const CHILD_STATE: &str = "MEMDIR_TEST_STATE";

/// This test binary once more, as a process that asks for the lock.
struct Holder {
    child: Child,
}

impl Holder {
    fn start(scene: &Scene) -> Self {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "consolidate::as_a_child", "--nocapture"])
            .env(CHILD_MEMORY, scene.memory())
            .env(CHILD_STATE, scene.state())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child }
    }

    /// What the child said, on a line of its own after an `@`.
    fn answer(&mut self) -> String {
        let output = BufReader::new(self.child.stdout.as_mut().unwrap());
        let answer = output
            .lines()
            .map(Result::unwrap)
            .find_map(|line| line.strip_prefix('@').map(str::to_owned));
        answer.unwrap()
    }

    fn end(mut self, how: &str) {
        writeln!(self.child.stdin.take().unwrap(), "{how}").unwrap();
        // Read to the end, or the child may be unable to say its last words.
        std::io::copy(self.child.stdout.as_mut().unwrap(), &mut std::io::sink()).unwrap();
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child.id().to_string()
    }
}

/// One of the processes of another test; alone it has nothing to do.
#[test]
fn as_a_child() {
    let (Some(memory), Some(state)) = (
        std::env::var_os(CHILD_MEMORY),
        std::env::var_os(CHILD_STATE),
    ) else {
        return;
    };
    let acquired = acquire(memory.as_ref(), state.as_ref(), Timestamp::now()).unwrap();
    let held = match acquired {
        Acquired::Held(held) => {
            println!("\n@held");
            Some(held)
        }
        Acquired::Busy(busy) => {
            println!("\n@{busy}");
            None
        }
    };
    let mut command = String::new();
    std::io::stdin().read_line(&mut command).unwrap();
    match (held, command.trim()) {
        (Some(held), "succeed") => held.succeed().unwrap(),
        (Some(held), _) => held.fail().unwrap(),
        (None, _) => {}
    }
}
