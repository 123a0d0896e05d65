//! A terminal of the test's own, with a program in it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(5);
/// The code of no style and no colour.
const PLAIN: &str = "0";
/// How many rows are kept that have scrolled out of the screen.
const KEPT_ROWS: usize = 2_000;

/// A terminal with a program in it. Dropped, the program is gone.
pub struct Pty {
    master: File,
    slave: OwnedFd,
    child: Child,
    ended: Option<ExitStatus>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Everything that the program wrote.
    written: Arc<Mutex<Vec<u8>>>,
}

impl Pty {
    /// Starts a command in a terminal of this size. `setsid --ctty` before it makes the terminal its own, as in a window.
    ///
    /// # Errors
    ///
    /// When the system has no terminal, or no such program.
    pub fn start(mut command: Command, columns: u16, rows: u16) -> io::Result<Pty> {
        let (master, slave) = open(columns, rows)?;
        let (stdin, stdout, stderr) = (slave.try_clone()?, slave.try_clone()?, slave.try_clone()?);
        let child = command.stdin(stdin).stdout(stdout).stderr(stderr).spawn()?;
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, KEPT_ROWS)));
        let written = Arc::new(Mutex::new(Vec::new()));
        let mut output = master.try_clone()?;
        let (seen, kept) = (Arc::clone(&screen), Arc::clone(&written));
        thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                let bytes = buffer.get(..read).unwrap_or_default();
                lock(&kept).extend_from_slice(bytes);
                lock(&seen).process(bytes);
            }
        });
        Ok(Pty {
            master,
            slave,
            child,
            ended: None,
            screen,
            written,
        })
    }

    /// Types keys.
    ///
    /// # Errors
    ///
    /// When nobody takes them.
    pub fn press(&mut self, keys: &str) -> io::Result<()> {
        self.master.write_all(keys.as_bytes())
    }

    /// Waits until something holds, and says whether it did in time; the end of the program is no reason to wait on.
    pub fn wait_until(&mut self, mut holds: impl FnMut(&Pty) -> bool) -> bool {
        let until = Instant::now() + PATIENCE;
        loop {
            if holds(self) {
                return true;
            }
            let is_over = self.ended().is_some();
            if Instant::now() > until || is_over {
                // What it wrote last is on its way.
                thread::sleep(10 * LOOK);
                return holds(self);
            }
            thread::sleep(LOOK);
        }
    }

    /// Waits for the end; how it ended, if it did in time.
    pub fn wait_for_end(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + PATIENCE;
        while self.ended().is_none() && Instant::now() < until {
            thread::sleep(LOOK);
        }
        thread::sleep(10 * LOOK);
        self.ended
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended
    }

    /// Whether it is as a shell expects it: what is typed shows, lines are edited by it, Ctrl-C is a signal, the cursor is
    /// seen and pasted text comes without marks.
    pub fn is_as_found(&self) -> bool {
        let usual = LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        let modes = tcgetattr(&self.slave).map(|modes| modes.local_modes);
        let screen = lock(&self.screen);
        modes.is_ok_and(|modes| modes.contains(usual))
            && !screen.screen().bracketed_paste()
            && !screen.screen().hide_cursor()
    }

    /// What stands on the screen now, without blanks at the ends of lines.
    pub fn shown(&self) -> String {
        trimmed(&lock(&self.screen).screen().contents())
    }

    /// Everything that was ever shown, what has scrolled out of the screen too.
    pub fn all(&self) -> String {
        let mut parser = lock(&self.screen);
        let (rows, columns) = parser.screen().size();
        let height = usize::from(rows);
        parser.screen_mut().set_scrollback(usize::MAX);
        let mut back = parser.screen().scrollback();
        let mut new = height;
        let mut lines: Vec<String> = Vec::new();
        loop {
            parser.screen_mut().set_scrollback(back);
            let page: Vec<String> = parser.screen().rows(0, columns).collect();
            lines.extend(page.into_iter().skip(height.saturating_sub(new)));
            if back == 0 {
                break;
            }
            new = back.min(height);
            back -= new;
        }
        parser.screen_mut().set_scrollback(0);
        trimmed(&lines.join("\n"))
    }

    /// The bytes that the program wrote.
    pub fn bytes(&self) -> Vec<u8> {
        lock(&self.written).clone()
    }

    /// Another size, as when somebody draws at the window.
    ///
    /// # Errors
    ///
    /// When the terminal is gone.
    pub fn resize(&mut self, columns: u16, rows: u16) -> io::Result<()> {
        lock(&self.screen).screen_mut().set_size(rows, columns);
        Ok(tcsetwinsize(&self.master, size(columns, rows))?)
    }

    /// Signals the program.
    ///
    /// # Errors
    ///
    /// When it is gone.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(kill_process(Pid::from_child(&self.child), signal)?)
    }

    /// The screen row by row, with the codes of its colours and styles in it and no others.
    pub fn drawn(&self) -> Vec<String> {
        let parser = lock(&self.screen);
        let screen = parser.screen();
        let (rows, columns) = screen.size();
        let row = |row| {
            let cells = (0..columns).filter_map(move |column| screen.cell(row, column));
            line(cells.filter(|cell| !cell.is_wide_continuation()))
        };
        (0..rows).map(row).collect()
    }
}

/// A row of the screen.
fn line<'a>(cells: impl Iterator<Item = &'a vt100::Cell>) -> String {
    let mut line = String::new();
    let mut before = PLAIN.to_owned();
    for cell in cells {
        let codes = codes(cell);
        if codes != before {
            line.push_str(&format!("\u{1b}[{codes}m"));
            before = codes;
        }
        line.push_str(match cell.has_contents() {
            true => cell.contents(),
            false => " ",
        });
    }
    if before != PLAIN {
        line.push_str(&format!("\u{1b}[{PLAIN}m"));
    }
    line.trim_end().to_owned()
}

/// The codes of a cell's looks, which hold whatever was before.
fn codes(cell: &vt100::Cell) -> String {
    let mut codes = vec![PLAIN.to_owned()];
    codes.extend(cell.bold().then(|| "1".to_owned()));
    codes.extend(cell.dim().then(|| "2".to_owned()));
    match cell.fgcolor() {
        vt100::Color::Idx(number @ 0..8) => codes.push((30 + number).to_string()),
        vt100::Color::Idx(number @ 8..16) => codes.push((82 + number).to_string()),
        _ => {}
    }
    codes.join(";")
}

impl Drop for Pty {
    fn drop(&mut self) {
        if self.ended.is_none() {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// A terminal of this size: the end of whoever looks at it, and the end for a program.
///
/// # Errors
///
/// When the system has none.
pub fn open(columns: u16, rows: u16) -> io::Result<(File, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty())?;
    tcsetwinsize(&master, size(columns, rows))?;
    Ok((File::from(master), slave))
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize {
        ws_col: columns,
        ws_row: rows,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
