//! When what happens as a conversation fills its window.

use std::fmt;

/// A share of the context, above 0 and up to 100 per cent, exact to six decimals.
///
/// ```
/// use memdir_context::Percent;
///
/// assert_eq!(Percent::parse(" 62.5 ").unwrap().of(1_000), 625);
/// for ignored in ["0", "-5", "100.1", "half", "1e1", ""] {
///     assert_eq!(Percent::parse(ignored), None);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent {
    millionths: u32,
}

impl Percent {
    const DECIMALS: usize = 6;
    const SCALE: u32 = 1_000_000;

    /// Reads a number as people type it; what is not above 0 and up to 100 is none. Further decimals count for nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + decimals.len() == 0 || !are_digits(whole) || !are_digits(decimals) {
            return None;
        }
        let whole: u32 = match whole {
            "" => 0,
            digits => digits.parse().ok().filter(|whole| *whole <= 100)?,
        };
        let exact: String = decimals.chars().take(Self::DECIMALS).collect();
        let decimals: u32 = format!("{exact:0<width$}", width = Self::DECIMALS)
            .parse()
            .ok()?;
        let millionths = whole * Self::SCALE + decimals;
        (1..=100 * Self::SCALE)
            .contains(&millionths)
            .then_some(Self { millionths })
    }

    /// This share of a number of tokens, rounded down.
    #[must_use]
    pub fn of(self, tokens: u64) -> u64 {
        let whole = u128::from(Self::SCALE) * 100;
        let share = u128::from(tokens) * u128::from(self.millionths) / whole;
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}

/// How many tokens a conversation has when something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// What a conversation can have at all.
    pub available: u64,
    /// From here on the host warns.
    pub warning: u64,
    /// From here on the warning is red.
    pub error: u64,
    /// From here on compaction happens by itself.
    pub compaction: u64,
    /// From here on no message is taken.
    pub blocking: u64,
}

/// How full a conversation is, from harmless to full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// There is room.
    Normal,
    /// The host shows it in yellow.
    Warning,
    /// The host shows it in red.
    Error,
    /// Compaction runs before the next request.
    Compaction,
    /// No message is taken, only commands.
    Blocked,
}

/// Whether compaction happens by itself in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// It does.
    On,
    /// It is switched off.
    Off {
        /// The variable or the setting that did it.
        by: String,
    },
    /// Every compaction is switched off, also one that a person asks for.
    AllOff {
        /// The variable that did it.
        by: String,
    },
    /// It has failed too often.
    GaveUp {
        /// How often in a row.
        failures: u64,
    },
}

/// How a conversation stands in its window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// How full it is.
    pub state: State,
    /// How many tokens it has.
    pub used: u64,
    /// How much of what is available is left, from 0 to 100, rounded down: it never promises more than there is.
    pub percent_left: u8,
    /// Whether compaction is to run before the next request, blocked or not.
    pub compaction_due: bool,
    /// Why no message is taken, and what helps; only when blocked.
    pub reason: Option<String>,
}

impl Thresholds {
    /// How a conversation of so many tokens stands.
    ///
    /// ```
    /// use memdir_context::{Automatic, Configured, Limits, State};
    ///
    /// let thresholds = Limits::new(200_000, 32_000, &Configured::default()).thresholds;
    /// let standing = thresholds.standing(160_000, &Automatic::On);
    /// assert_eq!((standing.state, standing.percent_left), (State::Error, 11));
    /// assert!(thresholds.standing(167_000, &Automatic::On).compaction_due);
    /// let off = Automatic::Off { by: "DISABLE_AUTO_COMPACT".to_owned() };
    /// assert_eq!(thresholds.standing(167_000, &off).state, State::Error);
    /// ```
    #[must_use]
    pub fn standing(&self, used: u64, automatic: &Automatic) -> Standing {
        let compaction_due = used >= self.compaction && *automatic == Automatic::On;
        // Warning and error can be set apart in either order: the worst that is reached counts.
        let state = if used >= self.blocking {
            State::Blocked
        } else if compaction_due {
            State::Compaction
        } else if used >= self.error {
            State::Error
        } else if used >= self.warning {
            State::Warning
        } else {
            State::Normal
        };
        Standing {
            state,
            used,
            percent_left: self.percent_left(used),
            compaction_due,
            reason: (state == State::Blocked).then(|| self.reason(used, automatic)),
        }
    }

    /// Whether a conversation of so many tokens is full enough for old results of tools to be cleared.
    #[must_use]
    pub const fn is_warning(&self, used: u64) -> bool {
        used >= self.warning
    }

    fn percent_left(&self, used: u64) -> u8 {
        let left = u128::from(self.available.saturating_sub(used)) * 100;
        let percent = left.checked_div(u128::from(self.available)).unwrap_or(0);
        u8::try_from(percent).unwrap_or(100)
    }

    fn reason(&self, used: u64, automatic: &Automatic) -> String {
        let help = match automatic {
            Automatic::On => {
                "Automatic compaction has not made room; /compact tries again, /clear begins anew."
                    .to_owned()
            }
            Automatic::Off { by } => {
                format!(
                    "Automatic compaction is off ({by}); /compact makes room, /clear begins anew."
                )
            }
            Automatic::AllOff { by } => {
                format!("Compaction is off ({by}); /clear begins anew.")
            }
            Automatic::GaveUp { failures } => format!(
                "Automatic compaction failed {failures} times in a row and no longer tries; /compact tries again, \
                 /clear begins anew."
            ),
        };
        format!(
            "The context is full: {} of {} tokens are used, and from {} on no message is taken. {help}",
            Grouped(used),
            Grouped(self.available),
            Grouped(self.blocking)
        )
    }
}

/// A number as people read it, in groups of three digits.
pub(crate) struct Grouped(pub(crate) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.write_str(",")?;
            }
            write!(out, "{digit}")?;
        }
        Ok(())
    }
}
