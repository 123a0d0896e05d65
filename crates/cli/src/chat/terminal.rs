//! The terminal: how keys come in, how wide it is, and that it is afterwards as it was.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use rustix::termios::{
    InputModes, LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush,
    tcgetattr, tcgetwinsize, tcsetattr,
};

use super::signals::Signals;
use super::watch::Watch;
use crate::failure::Failure;

/// Pasted text comes between marks, so that its line ends send nothing.
const MARKED_PASTE: &str = "\u{1b}[?2004h";
const PLAIN_PASTE: &str = "\u{1b}[?2004l";
/// The cursor is seen.
const SHOW_CURSOR: &str = "\u{1b}[?25h";
/// A terminal that does not say how large it is.
const USUAL: (usize, usize) = (80, 24);

/// How the terminal was found, for whoever has to put it back.
static FOUND: OnceLock<Termios> = OnceLock::new();

/// A terminal that a person sits in front of. Dropped, it is as it was.
pub(crate) struct Terminal {
    found: Termios,
    watch: Watch,
}

impl Terminal {
    /// Takes the terminal over, or says that there is none. Ctrl-C stops what `signals` say.
    pub(crate) fn open(signals: &Signals) -> Result<Self, Failure> {
        let none = || {
            Failure::new(
                "there is no terminal to talk in",
                "`memdir chat -p \"…\"` asks once and prints the answer",
            )
        };
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(none());
        }
        let found = tcgetattr(io::stdin()).map_err(|_| none())?;
        if FOUND.set(found.clone()).is_ok() {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        }
        let watch = Watch::new(signals.stopper())
            .map_err(|error| Failure::new(format!("no keys: {error}"), ""))?;
        Ok(Self { found, watch })
    }

    /// Every key comes at once and as it is, Ctrl-C too: somebody types.
    pub(crate) fn type_in(&self) {
        self.watch.end();
        set(&self.modes());
        write(MARKED_PASTE);
    }

    /// Nothing that is typed shows, and of the keys only Ctrl-C counts: the model works. The others are kept.
    pub(crate) fn work_in(&self) {
        set(&self.modes());
        self.watch.begin();
    }

    /// Every key as it is.
    fn modes(&self) -> Termios {
        let mut modes = self.found.clone();
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        modes.input_modes -= InputModes::ICRNL | InputModes::INLCR | InputModes::IXON;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        modes
    }

    /// As it was found, for another program or for a question that reads a line.
    pub(crate) fn lend(&self) {
        self.watch.end();
        restore();
    }

    /// What was typed before a question was seen is no answer to it.
    pub(crate) fn forget_typed(&self) {
        // Where it does not work, the keys count as they did before.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        self.watch.take_ahead();
    }

    /// What was typed while the model worked.
    pub(crate) fn take_ahead(&self) -> Vec<u8> {
        self.watch.take_ahead()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.watch.end();
        restore();
    }
}

/// How many columns and rows there are.
pub(crate) fn size() -> (usize, usize) {
    let size = tcgetwinsize(io::stdout()).ok();
    let size = size.map(|size| (usize::from(size.ws_col), usize::from(size.ws_row)));
    let (columns, rows) = size.unwrap_or(USUAL);
    (
        if columns == 0 { USUAL.0 } else { columns },
        if rows == 0 { USUAL.1 } else { rows },
    )
}

/// Puts the terminal back, whoever asks and however often.
fn restore() {
    if let Some(found) = FOUND.get() {
        write(PLAIN_PASTE);
        write(SHOW_CURSOR);
        set(found);
    }
}

fn set(modes: &Termios) {
    // A terminal that is gone needs no modes.
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, modes);
}

fn write(text: &str) {
    let mut out = io::stdout().lock();
    // Nobody reads it then.
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
