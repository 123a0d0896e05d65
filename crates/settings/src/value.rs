//! What a setting can be: its kind, its value, and how either is read and written.

use std::fmt;

use toml_edit::Item;

use crate::truth;

/// What a setting can be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Switch,
    /// One of a few words, from the most careful to the least.
    Word(&'static [&'static str]),
    /// A whole number.
    Whole {
        /// The least that makes sense.
        least: u64,
        /// The most that makes sense.
        most: u64,
    },
    /// An amount with up to four decimals.
    Amount {
        /// The most that makes sense.
        most: Amount,
    },
}

/// The value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// One of a few words.
    Word(&'static str),
    /// A whole number.
    Whole(u64),
    /// An amount.
    Amount(Amount),
}

/// An amount of money or a share, exact to four decimals.
///
/// ```
/// use memdir_settings::Amount;
///
/// assert_eq!(Amount::from_hundredths(25).to_string(), "0.25");
/// assert_eq!(Amount::parse("1.0005").unwrap().to_string(), "1.0005");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(u64);

impl Amount {
    const SCALE: u64 = 10_000;
    const DECIMALS: usize = 4;

    /// An amount in hundredths: cents, or per cent.
    #[must_use]
    pub const fn from_hundredths(hundredths: u64) -> Self {
        Self(hundredths * (Self::SCALE / 100))
    }

    /// Reads `1`, `1.5`, `0.0005`; no sign, no exponent, at most four decimals.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || decimals.len() > Self::DECIMALS {
            return None;
        }
        if !digits(whole) || !digits(decimals) || text.ends_with('.') {
            return None;
        }
        let whole: u64 = whole.parse().ok()?;
        let decimals: u64 = format!("{decimals:0<width$}", width = Self::DECIMALS)
            .parse()
            .ok()?;
        let scaled = whole.checked_mul(Self::SCALE)?.checked_add(decimals)?;
        Some(Self(scaled))
    }

    /// The amount as a number to calculate with.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "amounts are far below the numbers that a float cannot hold"
    )]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Self::SCALE as f64
    }
}

impl fmt::Display for Amount {
    /// With two decimals, or as many as it has.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Self::SCALE, self.0 % Self::SCALE);
        match (rest.is_multiple_of(100), rest.is_multiple_of(10)) {
            (true, _) => write!(formatter, "{whole}.{:02}", rest / 100),
            (false, true) => write!(formatter, "{whole}.{:03}", rest / 10),
            (false, false) => write!(formatter, "{whole}.{rest:04}"),
        }
    }
}

impl fmt::Display for Value {
    /// As a person types it: words without quotes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(value) => value.fmt(formatter),
            Self::Word(word) => formatter.write_str(word),
            Self::Whole(number) => number.fmt(formatter),
            Self::Amount(amount) => amount.fmt(formatter),
        }
    }
}

impl fmt::Display for Kind {
    /// What a value has to be, in words.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch => formatter.write_str("true or false"),
            Self::Word(words) => {
                for (at, word) in words.iter().enumerate() {
                    let before = match at {
                        0 => "",
                        _ if at + 1 == words.len() => " or ",
                        _ => ", ",
                    };
                    write!(formatter, "{before}\"{word}\"")?;
                }
                Ok(())
            }
            Self::Whole { least, most } => {
                write!(formatter, "a whole number from {least} to {most}")
            }
            Self::Amount { most } => {
                write!(
                    formatter,
                    "a number from 0 to {most} with at most four decimals"
                )
            }
        }
    }
}

impl Kind {
    /// Reads a value as it is typed or stands in a variable; `None` when it is not of this kind.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self {
            Self::Switch => truth(text).map(Value::Switch),
            Self::Word(words) => word(words, text),
            Self::Whole { .. } => self.within(Value::Whole(text.parse().ok()?)),
            Self::Amount { .. } => self.within(Value::Amount(Amount::parse(text)?)),
        }
    }

    /// Reads a value as it stands in a TOML file.
    pub(crate) fn read_item(&self, item: &Item) -> Option<Value> {
        match self {
            Self::Switch => item.as_bool().map(Value::Switch),
            Self::Word(words) => word(words, item.as_str()?),
            Self::Whole { .. } => {
                let number = u64::try_from(item.as_integer()?).ok()?;
                self.within(Value::Whole(number))
            }
            Self::Amount { .. } => {
                let amount = match (item.as_integer(), item.as_float()) {
                    (Some(whole), _) => Amount::parse(&whole.to_string())?,
                    // The shortest text that means this float, which is what somebody typed.
                    (None, float) => Amount::parse(&float?.to_string())?,
                };
                self.within(Value::Amount(amount))
            }
        }
    }

    fn within(&self, value: Value) -> Option<Value> {
        let fits = match (self, value) {
            (Self::Whole { least, most }, Value::Whole(number)) => {
                (*least..=*most).contains(&number)
            }
            (Self::Amount { most }, Value::Amount(amount)) => amount <= *most,
            _ => false,
        };
        fits.then_some(value)
    }

    /// Where a value stands from low to high, to be compared with others of this kind.
    pub(crate) fn rank(&self, value: Value) -> u64 {
        match (self, value) {
            (_, Value::Switch(on)) => u64::from(on),
            (Self::Word(words), Value::Word(word)) => words
                .iter()
                .position(|other| *other == word)
                .and_then(|at| u64::try_from(at).ok())
                .unwrap_or(u64::MAX),
            (_, Value::Whole(number)) => number,
            (_, Value::Amount(amount)) => amount.0,
            (_, Value::Word(_)) => u64::MAX,
        }
    }
}

fn word(words: &'static [&'static str], text: &str) -> Option<Value> {
    let found = words.iter().find(|word| text.eq_ignore_ascii_case(word))?;
    Some(Value::Word(found))
}

impl Value {
    /// As it stands in a TOML file.
    pub(crate) fn to_toml(self) -> toml_edit::Value {
        match self {
            Self::Switch(value) => value.into(),
            Self::Word(word) => word.into(),
            Self::Whole(number) => i64::try_from(number).unwrap_or(i64::MAX).into(),
            // Read back from its own text, so that `1.00` stays as it is.
            Self::Amount(amount) => amount
                .to_string()
                .parse()
                .unwrap_or_else(|_| amount.as_f64().into()),
        }
    }
}
