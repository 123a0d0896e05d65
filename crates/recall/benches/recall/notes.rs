//! Memories and questions of ordinary words, the frequent ones often and the rare ones rarely.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::Result;

const WORDS: &str = "\
the a to of and in is it for on with we that not be are at this from have when \
deploy release branch merge review test build server database query index cache memory file folder \
path user team project customer invoice payment contract meeting friday monday morning evening \
deadline budget report figure table chart design layout colour button screen window page form field \
error warning failure crash timeout retry queue worker thread process socket network request \
response header token session cookie password account login role permission policy audit secret key \
certificate domain address mail phone message letter note document draft version change history undo \
backup restore copy move rename remove create write read open close lock wait start stop run call \
function method class module package library framework language compiler parser lexer syntax type \
value number string list map set tree graph node edge loop condition branch statement comment style \
indent space tab line column word sentence paragraph chapter book library shelf house garden kitchen \
river mountain forest bird horse dog cat bee hive honey bread butter cheese coffee tea water wine \
doctor lawyer teacher student engineer manager director painter writer singer actor farmer baker \
train bus car bicycle ship plane road bridge station airport harbour ticket journey holiday summer \
winter spring autumn rain snow wind storm sun moon star sky earth stone iron gold silver paper glass \
music song dance film theatre museum picture photograph camera colour light shadow sound voice";

/// Beyond the words there are names, so many of them.
const NAMES: usize = 20_000;
const WORDS_A_NOTE: usize = 60;

/// Writes so many memories.
pub(crate) fn plant(folder: &Path, files: usize) -> Result<()> {
    fs::create_dir_all(folder)?;
    for number in 0..files {
        fs::write(folder.join(format!("note_{number:06}.md")), topic(number))?;
    }
    Ok(())
}

/// Waits until a folder's time vouches for its listing.
pub(crate) fn settle() {
    thread::sleep(Duration::from_millis(120));
}

/// A memory, always the same for a number.
pub(crate) fn topic(number: usize) -> String {
    let mut words = Words::new(number);
    let (name, description) = (words.take(3), words.take(9));
    let kind = ["user", "feedback", "project", "reference"]
        .get(number % 4)
        .copied()
        .unwrap_or_default();
    let body = words.take(WORDS_A_NOTE);
    format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body}.\n"
    )
}

/// A question of six words.
pub(crate) fn question(number: usize) -> String {
    Words::new(number.wrapping_mul(7919) + 1_000_003).take(6)
}

/// Words by a generator with a seed.
struct Words {
    state: u64,
    known: Vec<&'static str>,
}

impl Words {
    fn new(seed: usize) -> Words {
        Words {
            state: (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            known: WORDS.split_whitespace().collect(),
        }
    }

    /// A number from 0 to 1.
    fn chance(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn word(&mut self) -> String {
        let all = (self.known.len() + NAMES) as f64;
        // The chance of a word falls with its place, as in languages.
        let place = all.powf(self.chance()) as usize - 1;
        match self.known.get(place) {
            Some(word) => (*word).to_owned(),
            None => name(place),
        }
    }

    fn take(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }
}

/// A word that can be said, for a number.
fn name(mut number: usize) -> String {
    let (consonants, vowels) = (b"bdfgklmnprstvz", b"aeiou");
    let mut name = String::new();
    while number > 0 || name.len() < 4 {
        for letters in [consonants.as_slice(), vowels] {
            let letter = letters.get(number % letters.len()).copied();
            name.push(char::from(letter.unwrap_or(b'x')));
            number /= letters.len();
        }
    }
    name
}
