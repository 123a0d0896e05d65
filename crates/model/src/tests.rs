//! The law of the wire: what came is what goes back, byte for byte, wherever the network cut.

mod anthropic;
mod dice;
mod openai;

use dice::Dice;

use crate::http::Reading;
use crate::reply::{Event, Reply, What};
use crate::sse::{Frame, Framing};

/// How many messages of each API are made up.
const ROUNDS: u64 = 10_000;
/// Of so many streams one is cut in two at every byte, unless this variable says another number; 1 takes minutes.
const EVERY: u64 = 500;
const EVERY_NAME: &str = "ONE_STREAM_OF";

/// Reads a stream in the given pieces.
fn read(mut reading: impl Reading, pieces: &[&[u8]]) -> (Vec<Event>, bool) {
    let mut framing = Framing::default();
    let mut events = Vec::new();
    for piece in pieces {
        let mut frames = Vec::new();
        framing.take(piece, &mut frames).unwrap();
        for frame in frames {
            reading.frame(frame, &mut events).unwrap();
        }
    }
    (events, reading.is_done())
}

/// What came, event by event.
fn raws(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| Some(event.raw.as_ref()?.0.to_string()))
        .collect()
}

fn reply(events: Vec<Event>) -> Reply {
    match events.into_iter().next_back().map(|event| event.what) {
        Some(What::Done(reply)) => *reply,
        other => panic!("no reply but {other:?}"),
    }
}

/// The words as they were told piece by piece.
fn told(events: &[Event]) -> String {
    let words = events.iter().filter_map(|event| match &event.what {
        What::Text(piece) => Some(piece.0.as_str()),
        _ => None,
    });
    words.collect()
}

/// Two ways to cut a stream: at random, and whole or with every byte alone.
fn cuts<'a>(stream: &'a [u8], dice: &mut Dice) -> [Vec<&'a [u8]>; 2] {
    let mut pieces = Vec::new();
    let mut rest = stream;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(1 + dice.below(rest.len().min(80)));
        pieces.push(piece);
        rest = behind;
    }
    let size = if dice.one_in(2) { 1 } else { stream.len() };
    [pieces, stream.chunks(size).collect()]
}

/// Cuts a stream in two at every byte. A reading is handed whole events and nothing else, so that where these are the same,
/// all that is made of them is.
fn cut_everywhere(stream: &[u8], seed: u64) {
    let every = std::env::var(EVERY_NAME)
        .ok()
        .and_then(|every| every.parse().ok());
    if !seed.is_multiple_of(every.unwrap_or(EVERY)) {
        return;
    }
    let whole = framed_as(&[stream]);
    for place in 0..=stream.len() {
        let (one, other) = stream.split_at(place);
        assert_eq!(framed_as(&[one, other]), whole, "seed {seed}, byte {place}");
    }
}

fn framed_as(pieces: &[&[u8]]) -> Vec<Frame> {
    let mut framing = Framing::default();
    let mut frames = Vec::new();
    for piece in pieces {
        framing.take(piece, &mut frames).unwrap();
    }
    frames
}

/// The data of an event: these fields, and others that nobody knows, in any order.
fn envelope(fields: &[(&str, &str)], dice: &mut Dice) -> String {
    dice.object(fields, 1).text()
}

/// An event as servers write it, with whatever else they write between two.
fn framed(name: Option<&str>, data: &str, dice: &mut Dice) -> String {
    let end = *dice.of(&["\n", "\n", "\r\n", "\r"]);
    let space = *dice.of(&[" ", ""]);
    let mut text = String::new();
    if dice.one_in(8) {
        text.push_str(&format!(": still here{end}{end}"));
    }
    if let Some(name) = name {
        text.push_str(&format!("event:{space}{name}{end}"));
    }
    // A space that belongs to the data needs one before it.
    let space = if data.starts_with(' ') { " " } else { space };
    text.push_str(&format!("data:{space}{data}{end}{end}"));
    text
}

mod agreement {
    use futures_util::StreamExt;
    use sse_stream::SseStream;

    use super::*;

    /// On what the library accepts, its framing and ours are the same.
    #[test]
    fn framing_is_that_of_the_library() {
        let mut dice = Dice::new(7);
        for _ in 0..300 {
            let stream: String = (0..dice.below(6))
                .map(|_| {
                    let data = dice.object(&[], 2).text();
                    let name = dice.one_in(2).then_some("delta");
                    framed(name, &data.replace(['\n', '\r'], " "), &mut dice)
                })
                .collect();
            let pieces: Vec<bytes::Bytes> = stream
                .as_bytes()
                .chunks(1 + dice.below(40))
                .map(bytes::Bytes::copy_from_slice)
                .collect();
            let theirs = pieces.iter().cloned().map(Ok::<_, std::io::Error>);
            let theirs = SseStream::from_bytes_stream(futures_util::stream::iter(theirs));
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap();
            let theirs: Vec<(Option<String>, String)> = runtime.block_on(
                theirs
                    .map(|frame| frame.unwrap())
                    .map(|frame| (frame.event, frame.data.unwrap()))
                    .collect(),
            );
            let mut framing = Framing::default();
            let mut ours = Vec::new();
            for piece in &pieces {
                framing.take(piece, &mut ours).unwrap();
            }
            let ours: Vec<(Option<String>, String)> = ours
                .into_iter()
                .map(|frame| (frame.event, frame.data))
                .collect();
            assert_eq!(ours, theirs, "{stream:?}");
        }
    }
}
