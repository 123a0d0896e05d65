//! As much of HTTP/1.1 as a test server needs, by hand, because a library would not let a
//! connection be cut in the middle of a character.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// The largest body that the Messages API takes.
pub(super) const LARGEST_BODY: usize = 32 * 1024 * 1024;
const LARGEST_HEAD: usize = 64 * 1024;
const MOST_HEADERS: usize = 128;

/// A request as it came.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) method: String,
    /// The path without its query.
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
    /// The body is larger than what is taken, and was thrown away.
    pub(super) is_too_large: bool,
}

impl Incoming {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The next request of a connection, or `None` if there is no more.
pub(super) fn read(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Incoming>> {
    let Some(head) = head(reader)? else {
        return Ok(None);
    };
    let mut incoming = parsed(head)?;
    let expects = incoming.header("expect").map(str::to_ascii_lowercase);
    if expects.as_deref() == Some("100-continue") {
        reader
            .get_mut()
            .write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let encoding = incoming
        .header("transfer-encoding")
        .map(str::to_ascii_lowercase);
    if encoding.as_deref() == Some("chunked") {
        chunked(reader, &mut incoming)?;
    } else if let Some(length) = incoming.header("content-length") {
        let length: usize = length
            .trim()
            .parse()
            .map_err(|_| invalid("content-length"))?;
        take(reader, length, &mut incoming)?;
    }
    Ok(Some(incoming))
}

fn head(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    loop {
        let before = head.len();
        let left = (LARGEST_HEAD - before) as u64;
        let read = reader.by_ref().take(left).read_until(b'\n', &mut head)?;
        let line = head.get(before..).unwrap_or_default();
        if read == 0 {
            return match before {
                0 => Ok(None),
                _ => Err(invalid("a head that does not end")),
            };
        }
        if before == 0 && line == b"\r\n" {
            // Allowed between two requests.
            head.clear();
        } else if line == b"\r\n" || line == b"\n" {
            return Ok(Some(head));
        }
    }
}

fn parsed(head: Vec<u8>) -> io::Result<Incoming> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut fields);
    request
        .parse(&head)
        .map_err(|error| invalid(&error.to_string()))?;
    let headers = request
        .headers
        .iter()
        .map(|field| {
            let value = String::from_utf8_lossy(field.value).into_owned();
            (field.name.to_owned(), value)
        })
        .collect();
    let target = request.path.unwrap_or_default();
    Ok(Incoming {
        method: request.method.unwrap_or_default().to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
        headers,
        body: Vec::new(),
        is_too_large: false,
        head,
    })
}

/// Adds so many bytes to the body, or throws them away if that were too much.
fn take(reader: &mut impl Read, length: usize, incoming: &mut Incoming) -> io::Result<()> {
    let mut part = reader.take(length as u64);
    let read = if incoming.body.len().saturating_add(length) > LARGEST_BODY {
        incoming.is_too_large = true;
        io::copy(&mut part, &mut io::sink())?
    } else {
        part.read_to_end(&mut incoming.body)? as u64
    };
    if read == length as u64 {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn chunked(reader: &mut BufReader<TcpStream>, incoming: &mut Incoming) -> io::Result<()> {
    loop {
        let size = line(reader)?;
        let digits = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(digits, 16).map_err(|_| invalid("size of a chunk"))?;
        if size == 0 {
            // Trailers, up to the empty line.
            while !line(reader)?.is_empty() {}
            return Ok(());
        }
        take(reader, size, incoming)?;
        line(reader)?;
    }
}

fn line(reader: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    if reader
        .by_ref()
        .take(LARGEST_HEAD as u64)
        .read_line(&mut line)?
        == 0
    {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

/// The head of an answer: with the length of its body, or in chunks.
pub(super) fn response_head(
    status: u16,
    headers: &[(String, String)],
    length: Option<usize>,
) -> Vec<u8> {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        529 => "Overloaded",
        _ => "Status",
    };
    let mut head = format!("HTTP/1.1 {status} {reason}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match length {
        Some(length) => head.push_str(&format!("content-length: {length}\r\n\r\n")),
        None => head.push_str("transfer-encoding: chunked\r\n\r\n"),
    }
    head.into_bytes()
}
