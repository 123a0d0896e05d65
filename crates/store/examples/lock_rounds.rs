//! The lock of consolidation, round after round: somebody left the file in some state, somebody asks for the lock, something
//! happens while it is held, and it ends somehow. After each round what was promised is looked at.
//!
//! `cargo xtask faults lock` runs it. States, moments and ends come from a seed; one round in a hundred has a holder in
//! a process of its own, which is killed or stopped.

#![allow(clippy::print_stdout, reason = "a program that prints figures")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File, FileTimes};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use memdir_store::consolidate::{Acquired, Busy, Held, acquire, last_consolidated};
use rustix::process::{Pid, Signal, kill_process};

type Outcome<T> = Result<T, Box<dyn Error>>;

const MINUTE: i64 = 60;
/// One round in so many has a holder in a process of its own.
const PROCESS_EVERY: usize = 100;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["hold", memory, state] => hold(memory.as_ref(), state.as_ref()),
        [folder, rounds, seed] => {
            let mut world = World::new(folder.as_ref(), seed.parse()?)?;
            for round in 0..rounds.parse()? {
                world.round = round;
                match round % PROCESS_EVERY {
                    0 => world.process_round()?,
                    _ => world.round()?,
                }
                world.is_not_wedged()?;
            }
            world.print();
            Ok(())
        }
        _ => Err("usage: lock_rounds FOLDER ROUNDS SEED".into()),
    }
}

/// Where it happens.
struct World {
    memory: PathBuf,
    state: PathBuf,
    /// When the strangers began.
    base: Timestamp,
    dice: u64,
    round: usize,
    /// Somebody else's process, for all the time.
    stranger: Child,
    dead: u32,
    figures: BTreeMap<&'static str, usize>,
    broken: Vec<String>,
}

/// What the file says before a round.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Left {
    NoFile,
    Empty,
    Senseless,
    OurOwn,
    Dead,
    Living,
    Reused,
    FarFuture,
}

const ALL: [Left; 8] = [
    Left::NoFile,
    Left::Empty,
    Left::Senseless,
    Left::OurOwn,
    Left::Dead,
    Left::Living,
    Left::Reused,
    Left::FarFuture,
];

impl World {
    fn new(folder: &Path, seed: u64) -> Outcome<Self> {
        let memory = folder.join("memory");
        fs::create_dir_all(&memory)?;
        let stranger = Command::new("sleep").arg("86400").spawn()?;
        let mut dead = Command::new("true").spawn()?;
        dead.wait()?;
        Ok(Self {
            memory,
            state: folder.join("state"),
            base: Timestamp::now(),
            dice: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            round: 0,
            stranger,
            dead: dead.id(),
            figures: BTreeMap::new(),
            broken: Vec::new(),
        })
    }

    /// A number below this one.
    fn below(&mut self, most: i64) -> i64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        i64::try_from(self.dice >> 1).unwrap_or_default() % most
    }

    fn file(&self) -> PathBuf {
        self.memory.join(".consolidate-lock")
    }

    fn moment(&self, seconds: i64) -> Timestamp {
        self.base + SignedDuration::from_secs(seconds)
    }

    fn count(&mut self, what: &'static str) {
        *self.figures.entry(what).or_default() += 1;
    }

    fn broke(&mut self, what: &str) {
        self.broken.push(format!("round {}: {what}", self.round));
    }

    /// Writes the file as somebody else does: in place, with the time of that moment.
    fn leave(&self, body: &str, seconds: i64) -> Outcome<()> {
        fs::write(self.file(), body)?;
        let moment = SystemTime::from(self.moment(seconds));
        let file = File::options().write(true).open(self.file())?;
        Ok(file.set_times(FileTimes::new().set_modified(moment))?)
    }

    /// The body, and the seconds from the beginning; none: no file.
    fn standing(&self) -> Option<(String, i64)> {
        let body = fs::read_to_string(self.file()).ok()?;
        let modified = fs::metadata(self.file()).ok()?.modified().ok()?;
        let modified = Timestamp::try_from(modified).ok()?;
        Some((body, modified.duration_since(self.base).as_secs()))
    }

    fn ask(&self, seconds: i64) -> Outcome<Acquired> {
        Ok(acquire(&self.memory, &self.state, self.moment(seconds))?)
    }

    /// The file as it is found, and whether somebody holds it `age` seconds later.
    fn prepare(&mut self, left: Left, since: i64, age: i64) -> Outcome<bool> {
        let stranger = self.stranger.id().to_string();
        match left {
            Left::NoFile => drop(fs::remove_file(self.file())),
            Left::Empty => self.leave("", since)?,
            Left::Senseless => self.leave("claude\n", since)?,
            Left::OurOwn => self.leave(&std::process::id().to_string(), since)?,
            Left::Dead => self.leave(&self.dead.to_string(), since)?,
            Left::Living => self.leave(&stranger, since)?,
            // The stranger began long after somebody under the same number took the lock.
            Left::Reused => self.leave(&stranger, since - 600 * MINUTE)?,
            Left::FarFuture => self.leave(&stranger, since + age + 90 * MINUTE)?,
        }
        Ok(left == Left::Living && age < 60 * MINUTE)
    }

    /// A round with a holder in this process.
    fn round(&mut self) -> Outcome<()> {
        let left = usize::try_from(self.below(ALL.len() as i64))?;
        let left = ALL.get(left).copied().unwrap_or(Left::NoFile);
        let since = self.below(30 * MINUTE);
        let age = self.below(120 * MINUTE);
        let is_held = self.prepare(left, since, age)?;
        let before = self.standing();
        let now = since + age;
        self.count(match left {
            Left::NoFile => "rounds without a file",
            Left::Empty => "rounds with an empty file",
            Left::Senseless => "rounds with a body that is no process",
            Left::OurOwn => "rounds with our own process id, of an older process",
            Left::Dead => "rounds with a dead holder",
            Left::Living => "rounds with a living holder",
            Left::Reused => "rounds with a process id that was given away again",
            Left::FarFuture => "rounds with a file from the future",
        });
        match self.ask(now)? {
            Acquired::Busy(Busy::Other { .. }) if is_held => {
                if self.standing() != before {
                    self.broke("a living holder's file was changed");
                }
                Ok(())
            }
            Acquired::Busy(busy) => {
                self.broke(&format!("{left:?} was not free: {busy}"));
                Ok(())
            }
            Acquired::Held(held) if is_held => {
                self.broke("it was taken from a living holder");
                Ok(held.fail()?)
            }
            Acquired::Held(held) => self.live_through(held, now, before),
        }
    }

    /// What happens while it is held, and how it ends.
    fn live_through(&mut self, held: Held, now: i64, before: Option<(String, i64)>) -> Outcome<()> {
        if matches!(self.ask(now)?, Acquired::Held(_)) {
            self.broke("two have it at once");
        }
        // A holder that sleeps is left alone for an hour; then somebody else may come.
        let slept = self.below(150 * MINUTE);
        let taken = slept >= 60 * MINUTE && self.below(2) == 0;
        let stranger = self.stranger.id().to_string();
        if taken {
            self.leave(&stranger, now + slept)?;
            self.count("holders that slept, and whose lock was taken");
        }
        let effect = held.is_current();
        match (effect, taken) {
            (true, true) => self.broke("a run goes on whose lock was taken"),
            (false, false) => self.broke("a run stops whose lock is its own"),
            (true, false) => self.count("runs with effect"),
            (false, true) => self.count("runs without effect"),
        }
        let end = self.below(3);
        match end {
            0 => held.succeed()?,
            1 => held.fail()?,
            _ => drop(held),
        }
        let expected = match (taken, end) {
            (true, _) => Some((stranger, now + slept)),
            (false, 0) => Some((String::new(), now)),
            (false, _) => before.map(|(_, mtime)| (String::new(), mtime)),
        };
        if self.standing() != expected {
            let found = self.standing();
            self.broke(&format!("it left {found:?} instead of {expected:?}"));
        }
        Ok(())
    }

    /// A round with a holder in a process of its own, which is killed, or stopped and woken.
    fn process_round(&mut self) -> Outcome<()> {
        let before = match self.below(2) {
            0 => {
                let _ = fs::remove_file(self.file());
                None
            }
            _ => {
                self.leave("", -600 * MINUTE)?;
                self.standing()
            }
        };
        let mut holder = Holder::start(&self.memory, &self.state)?;
        if holder.answer()? != "held" {
            self.broke("a process did not get it");
            return Ok(());
        }
        let pid = Pid::from_child(&holder.child);
        let later = Timestamp::now().duration_since(self.base).as_secs() + self.below(14 * MINUTE);
        if self.below(2) == 0 {
            self.count("holders that were killed");
            kill_process(pid, Signal::KILL)?;
            holder.child.wait()?;
            let last = last_consolidated(&self.memory, &self.state, self.moment(later));
            let last = last.map(|last| last.duration_since(self.base).as_secs());
            if last != before.as_ref().map(|(_, mtime)| *mtime) {
                self.broke("a killed run counts as one");
            }
            match self.ask(later)? {
                Acquired::Held(held) => held.fail()?,
                Acquired::Busy(busy) => self.broke(&format!("after a kill: {busy}")),
            }
            if self.standing() != before {
                self.broke("a killed run left a trace");
            }
            return Ok(());
        }
        self.count("holders that were stopped for the whole of their time");
        kill_process(pid, Signal::STOP)?;
        let much_later = later + 90 * MINUTE;
        for moment in [later, much_later] {
            if matches!(self.ask(moment)?, Acquired::Held(_)) {
                self.broke("it was taken from one that is only stopped");
            }
        }
        let stranger = self.stranger.id().to_string();
        let taken = self.below(2) == 0;
        if taken {
            self.leave(&stranger, much_later)?;
        }
        kill_process(pid, Signal::CONT)?;
        let current = holder.end()?;
        if current == taken {
            self.broke("one that was stopped does not know whether it still has it");
        }
        let expected = match taken {
            true => Some((stranger, much_later)),
            false => before,
        };
        if self.standing() != expected {
            self.broke("one that was stopped left a trace");
        }
        Ok(())
    }

    /// Whatever stands there: an hour after it somebody gets the lock.
    fn is_not_wedged(&mut self) -> Outcome<()> {
        let stands = self.standing().map_or(0, |(_, mtime)| mtime);
        match self.ask(stands + 61 * MINUTE)? {
            Acquired::Held(held) => held.fail()?,
            Acquired::Busy(busy) => self.broke(&format!("wedged: {busy}")),
        }
        Ok(())
    }

    fn print(&mut self) {
        println!("rounds\t{}", self.round + 1);
        for (what, figure) in &self.figures {
            println!("{what}\t{figure}");
        }
        for what in &self.broken {
            println!("broken\t{what}");
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.stranger.kill();
        let _ = self.stranger.wait();
    }
}

/// This program once more, as a process that holds the lock.
struct Holder {
    child: Child,
}

impl Holder {
    fn start(memory: &Path, state: &Path) -> Outcome<Self> {
        let child = Command::new(std::env::current_exe()?)
            .arg("hold")
            .args([memory, state])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Self { child })
    }

    fn answer(&mut self) -> Outcome<String> {
        let output = self.child.stdout.as_mut().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }

    /// Ends it; whether the lock was still its own.
    fn end(mut self) -> Outcome<bool> {
        let mut input = self.child.stdin.take().ok_or("no input")?;
        writeln!(input, "end")?;
        let answer = self.answer()?;
        self.child.wait()?;
        Ok(answer == "current")
    }
}

/// Holds the lock until somebody says a word.
fn hold(memory: &Path, state: &Path) -> Outcome<()> {
    let Acquired::Held(held) = acquire(memory, state, Timestamp::now())? else {
        println!("busy");
        return Ok(());
    };
    println!("held");
    let mut word = String::new();
    std::io::stdin().read_line(&mut word)?;
    println!("{}", if held.is_current() { "current" } else { "lost" });
    Ok(held.fail()?)
}
