//! A client that shows exactly what came over the wire.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use memdir_testkit::server::Server;
use serde_json::Value;

/// What a server sent, as far as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    /// Whether the body came to its declared end.
    pub(crate) is_whole: bool,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }

    /// The names of the events, repeated ones once.
    pub(crate) fn events(&self) -> Vec<String> {
        let text = self.text();
        let mut names: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("event: "))
            .map(str::to_owned)
            .collect();
        names.dedup();
        names
    }

    /// The data of the events that are JSON.
    pub(crate) fn data(&self) -> Vec<Value> {
        self.text()
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .filter_map(|data| serde_json::from_str(data).ok())
            .collect()
    }

    /// All that stands at this place in the events, joined.
    pub(crate) fn joined(&self, pointer: &str) -> String {
        let data = self.data();
        data.iter()
            .filter_map(|data| data.pointer(pointer).and_then(Value::as_str))
            .collect()
    }
}

pub(crate) const HEADERS: &str = "x-api-key: secret\r\nanthropic-version: 2023-06-01\r\n";

/// A connection on which a request has been sent.
pub(crate) fn open(address: SocketAddr, path: &str, headers: &str, body: &str) -> TcpStream {
    let method = if body.is_empty() { "GET" } else { "POST" };
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// Reads until the server closes the connection or breaks it.
pub(crate) fn finish(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read) = stream.read(&mut buffer) {
        if read == 0 {
            break;
        }
        bytes.extend_from_slice(&buffer[..read]);
    }
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let raw = bytes[end + 4..].to_vec();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map(|length| length.parse::<usize>().unwrap());
    let (body, is_whole) = match length {
        Some(length) => {
            let is_whole = raw.len() == length;
            (raw, is_whole)
        }
        None => unchunked(&raw),
    };
    Answer {
        status,
        head,
        body,
        is_whole,
    }
}

fn unchunked(mut raw: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = raw.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&raw[..end]).unwrap(), 16).unwrap();
        let rest = &raw[end + 2..];
        if size == 0 {
            return (body, true);
        }
        let kept = &rest[..size.min(rest.len())];
        body.extend_from_slice(kept);
        if kept.len() < size {
            break;
        }
        raw = rest.get(size + 2..).unwrap_or_default();
    }
    (body, false)
}

/// Asks the Messages API.
pub(crate) fn ask(server: &Server, request: &Value) -> Answer {
    finish(open(
        server.address(),
        "/v1/messages",
        HEADERS,
        &request.to_string(),
    ))
}

/// Asks Chat Completions.
pub(crate) fn chat(server: &Server, request: &Value) -> Answer {
    finish(open(
        server.address(),
        "/v1/chat/completions",
        "",
        &request.to_string(),
    ))
}
