//! Passwords in addresses: `scheme://user:password@host`, and Go's `user:password@tcp(host)`.
//!
//! A password that somebody typed may hold `@`, `:`, `/`, `?` and `#`, though it should not. The
//! last `@` before the host ends it, and what is a host is told by its look.

use std::ops::Range;

use super::SecretValue;
use super::randomness::{entropy_tenths, is_wordlike};
use super::syntax::on_boundary;

/// Schemes of databases, queues and the like: no `@` belongs into the path behind their host.
const DATABASES: &[&str] = &[
    "amqp",
    "amqps",
    "bolt",
    "cassandra",
    "clickhouse",
    "cockroachdb",
    "couchbase",
    "couchdb",
    "cql",
    "db2",
    "elasticsearch",
    "firebird",
    "h2",
    "imap",
    "imaps",
    "influxdb",
    "kafka",
    "ldap",
    "ldaps",
    "mariadb",
    "memcached",
    "mongodb",
    "mqtt",
    "mqtts",
    "mssql",
    "mysql",
    "mysqlx",
    "nats",
    "neo4j",
    "oracle",
    "pop3",
    "pop3s",
    "postgis",
    "postgres",
    "postgresql",
    "presto",
    "redis",
    "rediss",
    "redshift",
    "smtp",
    "smtps",
    "snowflake",
    "sqlserver",
    "stomp",
    "sybase",
    "trino",
    "valkey",
    "vertica",
];

/// Longest address looked at.
const REACH: usize = 600;

/// The password of the address whose `://` stands at `sign`; of a database's or of any other.
pub(super) fn find(text: &str, sign: &Range<usize>, database: bool) -> Option<Range<usize>> {
    let address = text.get(sign.end..on_boundary(text, sign.end + REACH))?;
    if !address.as_bytes().contains(&b'@') {
        return None;
    }
    let scheme = scheme(text, sign.start)?;
    let base = scheme.split_once('+').map_or(scheme, |(base, _)| base);
    let base = base.to_ascii_lowercase();
    if DATABASES.binary_search(&base.as_str()).is_ok() != database {
        return None;
    }
    let opener = text.get(..sign.start - scheme.len())?.chars().next_back();
    let address = extent(address, opener == Some('\''));
    let end = user_end(address, database)?;
    let user = address.get(..end)?;
    let password = match user.split_once(':') {
        Some((name, password)) if !password.is_empty() => name.len() + 1..end,
        // A token may stand in the user's place.
        _ => token_as_user(user.trim_end_matches(':'), address.get(end..)?)?,
    };
    (password.len() >= 3).then(|| sign.end + password.start..sign.end + password.end)
}

/// The password of `user:password@tcp(host)`, whose `@` begins the keyword.
pub(super) fn find_bare(text: &str, keyword: &Range<usize>) -> Option<Range<usize>> {
    const REACH: usize = 200;
    let from = on_boundary(text, keyword.start.saturating_sub(REACH));
    let before = text.get(from..keyword.start)?;
    let start = before
        .rfind(|character: char| {
            character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '=')
        })
        .map_or(0, |place| place + 1);
    let (name, password) = before.get(start..)?.split_once(':')?;
    let at = keyword.start - password.len();
    (!name.is_empty() && password.len() >= 3).then_some(at..keyword.start)
}

/// The word before `://`.
fn scheme(text: &str, end: usize) -> Option<&str> {
    const LONGEST: usize = 24;
    let length = text
        .as_bytes()
        .get(..end)?
        .iter()
        .rev()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
        .count();
    text.get(end - length..end)
        .filter(|scheme| scheme.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// The address up to what cannot belong to it.
fn extent(address: &str, quoted: bool) -> &str {
    let end = address.find(|character: char| {
        character.is_whitespace()
            || matches!(
                character,
                '"' | '`' | '<' | '>' | '，' | '。' | '、' | '）' | '」'
            )
            || quoted && character == '\''
    });
    let address = address
        .get(..end.unwrap_or(address.len()))
        .unwrap_or_default();
    // The next of several addresses, or an escape behind the host.
    let cut = address.find("://").or_else(|| {
        let at = address.find('@')?;
        Some(at + address.get(at..)?.find('\\')?)
    });
    address
        .get(..cut.unwrap_or(address.len()))
        .unwrap_or_default()
}

/// Where the user's part of an address ends: the place of its `@`.
fn user_end(address: &str, database: bool) -> Option<usize> {
    let segment = address.find(['/', '?', '#']).unwrap_or(address.len());
    let head = address.get(..segment)?;
    // `host:1433;user=sa;password=…`: fields follow the port.
    let (_, port) = head.split_once(':').unwrap_or_default();
    let fields = port.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if fields.len() < port.len() && fields.starts_with(';') && fields.contains('=') {
        return None;
    }
    let last = head.rfind('@');
    if last.is_none() {
        // `host:8080/@scope` has no user; in `user:pa/ss@host` nothing else makes sense of `pa`.
        if fields.is_empty() || head.starts_with('[') {
            return None;
        }
    }
    let known = last.is_some_and(|last| is_host(address.get(last + 1..).unwrap_or_default()));
    let later = address.rmatch_indices('@').map(|(at, _)| at);
    let better = later.take_while(|at| Some(*at) > last).find(|at| {
        let at = *at;
        let between = address
            .get(last.unwrap_or_default()..at)
            .unwrap_or_default();
        let in_query = between
            .split_once('?')
            .is_some_and(|(_, query)| query.contains('='));
        let host = is_host(address.get(at + 1..).unwrap_or_default());
        !in_query && (database || host && !known)
    });
    better.or(last)
}

/// Whether what follows an `@` looks like a host: it has a dot or a port, or is this machine.
fn is_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#', '@']).unwrap_or(text.len());
    let host = text.get(..end).unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    host.starts_with('[')
        || name == "localhost"
        || !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
        || name.contains('.')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

/// A user's name that is a token: long and random. Addresses of Sentry are public.
fn token_as_user(user: &str, behind: &str) -> Option<Range<usize>> {
    let value = SecretValue::new(user);
    let random = user.len() >= 20
        && user
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && entropy_tenths(value) >= 33
        && !is_wordlike(value);
    (random && !behind.contains("sentry") && !behind.contains("ingest")).then_some(0..user.len())
}

#[cfg(test)]
mod tests {
    use super::DATABASES;

    #[test]
    fn schemes_are_sorted() {
        assert!(DATABASES.is_sorted());
    }
}
