//! What a text is made of, as far as that tells how a tokeniser would cut it.

/// How often each feature occurs in a text, in the order of [`Feature`].
pub(super) type Makeup = [u32; Feature::COUNT];

/// What tokens come from. Every one is a count, and adding to a text lowers none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// Words behind a space or at the start of a line: most are one token, the space with them.
    Word,
    /// Words behind anything else, the parts of `camelCase` among them.
    Glued,
    /// Words that touch digits, as in hashes and encoded bytes.
    Mixed,
    /// The fifth to eighth letter of each word.
    Middle,
    /// Letters behind the eighth.
    Tail,
    /// Capitals behind a capital.
    Capitals,
    /// Letters of words without any vowel, from the third on.
    Rare,
    /// Letters of the Latin alphabet with accents.
    Accented,
    /// Groups of up to three digits.
    Digits,
    /// A space before digits, which stays a token of its own.
    SpaceBeforeDigits,
    /// Runs of punctuation with a word behind them.
    MarksBeforeWord,
    /// Other runs of punctuation.
    Marks,
    /// Punctuation that differs from the one before it.
    MoreMarks,
    /// Punctuation that repeats the one before it.
    SameMarks,
    /// Indentation, and the gaps of tables.
    Gap,
    /// Line ends behind punctuation, often one token with it.
    LineAfterMark,
    /// Other line ends.
    Line,
    /// Characters of Chinese.
    Ideograph,
    /// Kana and Hangul.
    Syllable,
    /// Runs of letters of Greek or Cyrillic.
    EasternWord,
    /// Their letters.
    Eastern,
    /// Letters of other alphabets.
    Script,
    /// Punctuation of full width.
    Wide,
    /// Everything else: symbols, frames, emoji.
    Other,
    /// The same once more.
    SameOther,
}

impl Feature {
    pub(super) const COUNT: usize = Self::SameOther as usize + 1;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Start,
    Lower,
    Upper,
    Accent,
    Digit,
    Space,
    Line,
    Mark,
    Ideograph,
    Syllable,
    Eastern,
    Script,
    Wide,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            ' ' | '\t' => Self::Space,
            '\n' | '\r' => Self::Line,
            '\0'..='\x7f' => Self::Mark,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Accent,
            '\u{370}'..='\u{52f}' => Self::Eastern,
            '\u{530}'..='\u{1dff}' => Self::Script,
            '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}' => Self::Syllable,
            _ if is_ideograph(c) => Self::Ideograph,
            '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => Self::Wide,
            _ => Self::Other,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Accent)
    }
}

/// Whether a character is one of Chinese, as Japanese and Korean write it too.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A run of characters that belong together.
struct Run {
    class: Class,
    /// What stood before it.
    behind: Class,
    length: u32,
    capitals: u32,
    vowels: u32,
    last: char,
}

/// Looks at each character once.
pub(super) fn makeup(text: &str) -> Makeup {
    let mut counted = Counted([0; Feature::COUNT]);
    let mut run = Run {
        class: Class::Start,
        behind: Class::Start,
        length: 0,
        capitals: 0,
        vowels: 0,
        last: '\0',
    };
    for c in text.chars() {
        let class = Class::of(c);
        if !run.goes_on_with(class) {
            counted.end(&run, class);
            run = Run {
                class,
                behind: run.class,
                length: 0,
                capitals: 0,
                vowels: 0,
                last: '\0',
            };
        }
        counted.add(&mut run, class, c);
    }
    counted.end(&run, Class::Start);
    counted.0
}

impl Run {
    fn goes_on_with(&self, class: Class) -> bool {
        match (self.class, class) {
            (Class::Lower | Class::Accent, Class::Lower | Class::Accent) => true,
            // `Word` and `WORD` are one; `camelCase` is two.
            (Class::Upper, class) if class.is_letter() => {
                self.capitals == self.length || class != Class::Upper
            }
            (one, other) => one == other,
        }
    }
}

struct Counted(Makeup);

impl Counted {
    fn count(&mut self, feature: Feature, by: u32) {
        if let Some(count) = self.0.get_mut(feature as usize) {
            *count = count.saturating_add(by);
        }
    }

    /// One more character of a run.
    fn add(&mut self, run: &mut Run, class: Class, c: char) {
        let same = run.length > 0 && run.last == c;
        run.length += 1;
        run.last = c;
        match class {
            Class::Lower | Class::Upper | Class::Accent => {
                run.capitals += u32::from(class == Class::Upper);
                let vowel = matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
                run.vowels += u32::from(vowel || class == Class::Accent);
                if class == Class::Accent {
                    self.count(Feature::Accented, 1);
                }
            }
            Class::Mark if run.length > 1 => {
                let feature = if same {
                    Feature::SameMarks
                } else {
                    Feature::MoreMarks
                };
                self.count(feature, 1);
            }
            Class::Ideograph => self.count(Feature::Ideograph, 1),
            Class::Syllable => self.count(Feature::Syllable, 1),
            Class::Eastern => self.count(Feature::Eastern, 1),
            Class::Script => self.count(Feature::Script, 1),
            Class::Wide => self.count(Feature::Wide, 1),
            Class::Other => {
                let feature = if same {
                    Feature::SameOther
                } else {
                    Feature::Other
                };
                self.count(feature, 1);
            }
            _ => {}
        }
    }

    /// A run is over; `next` stands behind it.
    fn end(&mut self, run: &Run, next: Class) {
        match run.class {
            Class::Lower | Class::Upper | Class::Accent => self.word(run, next),
            Class::Digit => {
                self.count(Feature::Digits, run.length.div_ceil(3));
                if run.behind == Class::Space {
                    self.count(Feature::SpaceBeforeDigits, 1);
                }
            }
            Class::Space if run.length > 1 => self.count(Feature::Gap, 1),
            Class::Line if run.behind == Class::Mark => self.count(Feature::LineAfterMark, 1),
            Class::Line => self.count(Feature::Line, 1),
            Class::Mark if next.is_letter() => self.count(Feature::MarksBeforeWord, 1),
            Class::Mark => self.count(Feature::Marks, 1),
            Class::Eastern => self.count(Feature::EasternWord, 1),
            _ => {}
        }
    }

    fn word(&mut self, run: &Run, next: Class) {
        let length = run.length;
        let feature = match run.behind {
            _ if run.behind == Class::Digit || next == Class::Digit => Feature::Mixed,
            Class::Space | Class::Line | Class::Start => Feature::Word,
            _ => Feature::Glued,
        };
        self.count(feature, 1);
        self.count(Feature::Middle, length.saturating_sub(4).min(4));
        self.count(Feature::Tail, length.saturating_sub(8));
        if run.capitals == length {
            self.count(Feature::Capitals, length - 1);
        } else if run.vowels == 0 {
            self.count(Feature::Rare, length.saturating_sub(2));
        }
    }
}
