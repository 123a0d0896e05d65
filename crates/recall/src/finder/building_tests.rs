//! A large index that is missing, and memories over which something of ours panics. Limits are small in tests.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use memdir_store::Store;

use super::*;
use crate::{Conversation, Message, take_turn};

struct Place {
    _folder: tempfile::TempDir,
    store: Store,
    finder: Finder,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
        fs::create_dir(store.memory_directory()).unwrap();
        Place {
            finder: Finder::new(&store),
            store,
            _folder: folder,
        }
    }

    /// So many memories, the one with the highest number the newest.
    fn with(files: u64) -> Place {
        let place = Place::new();
        for number in 0..files {
            place.write(number);
        }
        place.settle(100);
        place
    }

    fn write(&self, number: u64) {
        let path = format!("note_{number:03}.md");
        let path = self.store.memory_directory().join(path);
        fs::write(
            &path,
            format!("Hive {} stands in the garden.\n", word(number)),
        )
        .unwrap();
        let time = SystemTime::now() - Duration::from_secs(500_000 - number * 60);
        File::open(path).unwrap().set_modified(time).unwrap();
    }

    /// The folder was last changed so many minutes ago.
    fn settle(&self, minutes: u64) {
        let folder = File::open(self.store.memory_directory()).unwrap();
        let time = SystemTime::now() - Duration::from_secs(minutes * 60);
        folder.set_modified(time).unwrap();
    }

    fn at_once(&self, query: &str) -> (Vec<String>, u32, u32) {
        let finder = self.finder.clone().at_once();
        let answer = finder.find(&loud(query)).unwrap();
        (paths(&answer), answer.memories, answer.pending)
    }
}

/// A word that no other number has: a name with digits would be cut into pieces.
fn word(number: u64) -> String {
    let digits = number.to_string();
    let letters = digits.chars().map(|digit| match digit {
        '0' => "ba",
        '1' => "ko",
        '2' => "mi",
        '3' => "ru",
        '4' => "so",
        '5' => "ta",
        '6' => "vu",
        '7' => "zo",
        '8' => "pi",
        _ => "lu",
    });
    format!("x{}x", letters.collect::<String>())
}

fn loud(query: &str) -> Question<'_> {
    Question {
        silence: false,
        ..Question::new(query)
    }
}

fn paths(answer: &Answer) -> Vec<String> {
    let found = answer.found.iter();
    found.map(|one| one.path.as_str().to_owned()).collect()
}

#[test]
fn without_an_index_a_message_is_answered_from_the_newest() {
    let place = Place::with(40);
    let (found, memories, pending) = place.at_once(&format!("{} garden", word(39)));
    assert_eq!(
        (found[0].as_str(), memories, pending),
        ("note_039.md", 8, 32)
    );
    assert!(place.at_once(&word(1)).0.is_empty());
}

#[test]
fn the_next_message_does_not_try_the_same_again() {
    let place = Place::with(40);
    place.at_once(&word(39));
    let mark = place.finder.files.mark();
    for _ in 0..3 {
        assert_eq!(place.at_once(&word(2)), (vec![], 8, 32));
    }
    assert_eq!(place.finder.files.mark(), mark);
    let turn = take_turn(
        &place.finder.clone().at_once(),
        &Conversation::default(),
        &Message::new(
            &format!("where is {} in the garden", word(39)),
            Timestamp::now(),
        ),
    );
    let partial = turn.unwrap().turn.partial.unwrap();
    assert_eq!((partial.searched, partial.memories), (8, 40));
}

#[test]
fn what_is_written_while_much_is_left_is_found_at_once() {
    let place = Place::with(40);
    place.at_once(&word(39));
    place.write(41);
    place.settle(50);
    let (found, ..) = place.at_once(&word(41));
    assert_eq!(found, ["note_041.md"]);
}

#[test]
fn a_builder_that_was_stopped_left_what_it_had() {
    let place = Place::with(40);
    place.at_once(&word(39));
    let mut seen = vec![8];
    loop {
        // Each goes one step and is gone.
        let done = place.finder.complete(&|_| false).unwrap().unwrap();
        assert!(done.memories > *seen.last().unwrap(), "{seen:?}");
        seen.push(done.memories);
        let built = place.finder.built().unwrap();
        assert_eq!((built.memories, built.all()), (done.memories, 40));
        if done.pending == 0 {
            break;
        }
    }
    assert!(seen.len() > 3, "{seen:?}");
    assert_eq!(place.at_once(&word(1)).0, ["note_001.md"]);
    assert_eq!(place.at_once(&word(1)).2, 0);
}

#[test]
fn there_is_one_builder_and_the_others_answer_from_what_there_is() {
    let place = Place::with(40);
    let building = place.finder.files.try_build().unwrap().unwrap();
    assert!(place.finder.complete(&|_| true).unwrap().is_none());
    // Whoever would read all of it leaves that to the other one.
    let answer = place.finder.find(&loud(&word(39))).unwrap();
    assert_eq!((answer.memories, answer.pending), (8, 32));
    assert!(place.finder.files.is_being_built());
    drop(building);
    let answer = place.finder.find(&loud(&word(3))).unwrap();
    assert_eq!((answer.memories, answer.pending), (40, 0));
    assert!(!place.finder.built().unwrap().under_way);
}

#[test]
fn two_that_build_at_once_make_one_whole_index() {
    let place = Place::with(60);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| place.finder.complete(&|_| true).unwrap());
        }
    });
    while place.finder.complete(&|_| true).unwrap().is_none() {}
    let built = place.finder.built().unwrap();
    assert_eq!((built.memories, built.pending), (60, 0));
}

#[test]
fn read_by_many_threads_it_is_the_same_index() {
    let place = Place::with(1_100);
    let whole = place.finder.reindex().unwrap();
    assert_eq!(
        (whole.memories, whole.pending, whole.unread.len()),
        (1_100, 0, 0)
    );
    for number in [0, 255, 256, 550, 551, 1_099] {
        let answer = place.finder.find(&loud(&word(number))).unwrap();
        assert_eq!(paths(&answer), [format!("note_{number:03}.md")]);
    }
}

#[test]
fn a_document_that_panics_costs_itself_alone() {
    let place = Place::with(3);
    let path = place.store.memory_directory().join("bad.md");
    fs::write(path, "About a trippingword in the garden.\n").unwrap();
    let answer = place.finder.find(&loud(&word(1))).unwrap();
    assert_eq!(paths(&answer), ["note_001.md"]);
    assert_eq!(answer.unread.len(), 1);
    assert_eq!(answer.unread[0].path, "bad.md");
    assert!(
        answer.unread[0].reason.contains("panicked at"),
        "{:?}",
        answer.unread
    );
    assert_eq!(place.finder.unread(), answer.unread);
}

#[test]
fn a_question_that_panics_costs_itself_alone() {
    let place = Place::with(3);
    let mut open = place.finder.open();
    for _ in 0..2 {
        let failed = open.find(&loud("a trippingword")).unwrap_err();
        assert!(matches!(failed, Error::Panicked(_)), "{failed}");
        let answer = open.find(&loud(&word(2))).unwrap();
        assert_eq!(paths(&answer), ["note_002.md"]);
    }
}

#[test]
fn files_that_cannot_be_read_do_not_keep_a_builder_for_ever() {
    let place = Place::with(9);
    for number in 0..30 {
        let link = format!("link_{number}.md");
        let link = place.store.memory_directory().join(link);
        std::os::unix::fs::symlink("nowhere", link).unwrap();
    }
    place.settle(90);
    let done = place.finder.complete(&|_| true).unwrap().unwrap();
    assert_eq!((done.memories, done.pending), (9, 0));
    assert_eq!(done.unread.len(), 30);
}

#[test]
fn a_message_takes_nothing_from_whoever_builds() {
    let place = Place::with(40);
    place.at_once("garden");
    let mark = place.finder.files.mark();
    let building = place.finder.files.try_build().unwrap().unwrap();
    place.write(41);
    place.settle(50);
    assert_eq!(place.at_once(&word(41)).0, ["note_041.md"]);
    assert_eq!(place.finder.files.mark(), mark);
    drop(building);
    place.at_once("garden");
    assert_ne!(place.finder.files.mark(), mark);
}
