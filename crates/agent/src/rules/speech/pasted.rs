//! Lines that were pasted, quoted or fenced off, and are not speech.

use std::ops::Range;

use memdir_memory::private_spans;

/// What the lines that follow belong to, until it ends.
enum Block {
    /// Between two lines of three or more of this character.
    Fence(char),
    /// Between triple quotes of this kind.
    Quotes(&'static str),
    /// Until this byte of the message, where its tag is closed for the last time: a file may close it before.
    Tag(usize),
    /// Output of a program: until an empty line.
    Output,
    /// A letter: until the line of dashes before a signature, or the end.
    Letter,
}

/// The lines outside of code, quotations, private spans, tags, logs, letters and chats. Empty lines stay: they end a list.
pub(super) fn own_lines(message: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut block: Option<Block> = None;
    let chat = is_chat(message);
    let private = private_spans(message);
    let mut start = 0;
    for line in message.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let body = line.trim();
        if let Some(open) = &block {
            if ends(open, line, body, range.end) {
                block = None;
            }
            continue;
        }
        block = begins(message, &range);
        let secret = private
            .iter()
            .any(|span| span.start < range.end && range.start < span.end);
        let foreign = block.is_some()
            || holds_tag(line)
            || body.starts_with('>')
            || looks_pasted(line)
            || chat && speaker(body).is_some();
        if !secret && (!foreign || body.is_empty()) {
            lines.push(range);
        }
    }
    lines
}

fn ends(block: &Block, line: &str, body: &str, end: usize) -> bool {
    match block {
        Block::Fence(mark) => is_rule(body, *mark),
        Block::Quotes(quotes) => line.contains(quotes),
        Block::Tag(last) => *last < end,
        Block::Output => body.is_empty(),
        Block::Letter => matches!(body, "--" | "---"),
    }
}

fn begins(message: &str, range: &Range<usize>) -> Option<Block> {
    let line = message.get(range.clone())?;
    let body = line.trim();
    let first = body.chars().next()?;
    if matches!(first, '`' | '~' | '-' | '=' | '*') && is_rule(body, first) {
        return Some(Block::Fence(first));
    }
    if let Some(quotes) = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quotes| line.matches(quotes).count() == 1)
    {
        return Some(Block::Quotes(quotes));
    }
    if let Some(name) = opened_tag(line) {
        let close = format!("</{name}>");
        let behind = message.get(range.start..)?;
        let found = match name.as_str() {
            // The user's own mark, of which there may be several.
            "private" => behind.find(&close),
            _ => behind.rfind(&close),
        };
        let last = found.map_or(message.len(), |at| range.start + at);
        return (last >= range.end).then_some(Block::Tag(last));
    }
    if is_output(body) {
        return Some(Block::Output);
    }
    is_letter(body).then_some(Block::Letter)
}

/// Whether a line opens or closes a block: three or more of one mark, for code with the name of a language.
fn is_rule(body: &str, mark: char) -> bool {
    let rest = body.trim_start_matches(mark);
    let marks = body.len() - rest.len();
    let code = matches!(mark, '`' | '~');
    marks >= 3 && (rest.is_empty() || code && !rest.contains(mark))
}

/// A prompt with a command, a log line, a difference, or a trace: what follows belongs to it.
fn is_output(body: &str) -> bool {
    let prompt = ["$ ", "% ", ">>> ", "❯ ", "➜ ", "PS C:", "C:\\", "In ["]
        .iter()
        .any(|prompt| body.starts_with(prompt));
    let start = body.get(..24).unwrap_or(body).to_ascii_lowercase();
    let trace = [
        "diff --git",
        "@@ ",
        "traceback (most",
        "remote:",
        "npm err!",
        "npm warn",
        "error[",
        "error:",
        "fatal:",
        "panicked at",
        "thread '",
        "exception in",
        "caused by",
        "warning:",
        "index ",
    ]
    .iter()
    .any(|sign| start.starts_with(sign));
    prompt || trace || is_log(body)
}

fn is_log(body: &str) -> bool {
    let word = body.split_whitespace().next().unwrap_or_default();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let timed = word.contains(':') && digits >= 4 && !word.contains("//");
    let bracketed = word.starts_with('[') && digits >= 4;
    let dated = body.get(..10).is_some_and(is_iso_date)
        && body
            .get(10..11)
            .is_some_and(|next| matches!(next, " " | "T"))
        && body
            .get(11..13)
            .is_some_and(|hour| hour.bytes().all(|digit| digit.is_ascii_digit()));
    let level = ["[INFO]", "[ERROR]", "[WARN]", "[DEBUG]", "[agent]"]
        .iter()
        .any(|level| body.contains(level))
        || ["ERROR ", "WARN ", "INFO ", "DEBUG ", "TRACE "]
            .iter()
            .any(|level| body.starts_with(level) || dated && body.contains(level));
    timed || bracketed || dated || level
}

/// The head of a letter, or its greeting to several people.
fn is_letter(body: &str) -> bool {
    let header = [
        "Subject:",
        "From:",
        "To:",
        "Cc:",
        "Sent:",
        "主题：",
        "发件人：",
        "收件人：",
    ]
    .iter()
    .any(|header| body.starts_with(header));
    let lower = body.get(..40).unwrap_or(body).to_lowercase();
    let greeting = body.ends_with([',', '，', ':', '：', '!'])
        && body.chars().count() < 40
        && [
            "dear ",
            "hi all",
            "hi team",
            "hi everyone",
            "hello all",
            "hello everyone",
            "hello team",
            "hey all",
            "hey team",
            "hey everyone",
            "各位",
            "大家好",
            "尊敬的",
            "亲爱的",
        ]
        .iter()
        .any(|greeting| lower.starts_with(greeting));
    header || greeting || lower.starts_with("各位好") || lower.starts_with("尊敬的")
}

/// Whether at least two lines begin with the name of someone who speaks.
fn is_chat(message: &str) -> bool {
    let mut speakers = message.lines().filter_map(|line| speaker(line.trim()));
    speakers.nth(1).is_some()
}

/// The name before a colon, unless it is a word that people put before what they say.
fn speaker(body: &str) -> Option<&str> {
    let (name, said) = body.split_once([':', '：'])?;
    let name = name.trim();
    let one = !name.is_empty() && name.len() <= 14 && name.chars().all(char::is_alphabetic);
    let lead_in = [
        "note",
        "remember",
        "important",
        "reminder",
        "fyi",
        "btw",
        "rule",
        "ps",
        "also",
        "todo",
        "记住",
        "注意",
        "另外",
        "规则",
        "feedback",
        "context",
        "background",
        "tip",
        "请记住",
        "第一",
        "第二",
        "最后",
        "recap",
    ]
    .contains(&name.to_lowercase().as_str());
    (one && !lead_in && said.starts_with([' ', '\t']) && said.trim().len() > 1).then_some(name)
}

fn holds_tag(line: &str) -> bool {
    opened_tag(line).is_some() || line.contains("</")
}

/// The name of a tag that a line holds, such as `<private>` or `<system-reminder>`.
fn opened_tag(line: &str) -> Option<String> {
    line.split('<').skip(1).find_map(|rest| {
        let name: String = rest
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
            .collect();
        let after = rest.get(name.len()..)?;
        let tag = after.starts_with('>') || after.starts_with(' ') && after.contains('>');
        (!name.is_empty() && tag).then_some(name)
    })
}

/// Whether a line reads like code, a listing or a difference and not like speech.
fn looks_pasted(line: &str) -> bool {
    let trimmed = line.trim_end();
    let body = trimmed.trim_start();
    let indent = trimmed.len() - body.len();
    let first = body.chars().next().unwrap_or(' ');
    let code = matches!(first, '{' | '}' | '$' | '|' | '@' | '/' | '<' | '+' | '#')
        && body.len() > 1
        || body.ends_with([';', '{', '}', '\\'])
        || [
            "//", "/*", "--", "fn ", "def ", "class ", "import ", "const ", "let ", "var ",
            "return ", "at ",
        ]
        .iter()
        .any(|sign| body.starts_with(sign));
    if code || indent >= 4 && !is_list_item(body) {
        return true;
    }
    let (signs, characters) = body.chars().fold((0, 0), |(signs, all), character| {
        (
            signs + usize::from("{}()[];=<>|\\$@#*_/".contains(character)),
            all + 1,
        )
    });
    signs * 6 > characters
}

fn is_list_item(body: &str) -> bool {
    body.starts_with("- ") || body.starts_with("* ")
}

fn is_iso_date(text: &str) -> bool {
    text.char_indices().all(|(at, character)| match at {
        4 | 7 => matches!(character, '-' | '/'),
        _ => character.is_ascii_digit(),
    })
}
