//! A command line as a shell takes it apart: what runs one after the other, and within that, what is connected by pipes.

/// What runs as one: commands connected by pipes, with the text that comes in from the lines below.
#[derive(Debug, Default)]
pub(super) struct Pipeline {
    /// The text as it stands, without what comes from the lines below.
    pub(super) raw: String,
    /// Here-documents.
    pub(super) body: String,
}

/// One command of a pipeline.
#[derive(Debug, Default)]
pub(super) struct Simple {
    /// Its words, without quotes.
    pub(super) words: Vec<String>,
    /// The files that its output goes to.
    pub(super) targets: Vec<String>,
}

/// The pipelines of a command line; none where quotes or brackets do not close.
pub(super) fn pipelines(line: &str) -> Option<Vec<Pipeline>> {
    let mut found = vec![Pipeline::default()];
    let mut waiting: Vec<(usize, String)> = Vec::new();
    let mut state = Nesting::default();
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        if state.is_plain() {
            if rest.starts_with("<<") && !rest.starts_with("<<<") {
                waiting.extend(delimiter(after).map(|end| (found.len() - 1, end)));
            }
            let is_redirection = character == '&'
                && (after.starts_with('>')
                    || last(&found).ends_with('>')
                    || last(&found).ends_with('<')
                    || last(&found).ends_with('|'));
            let is_subshell = matches!(character, '(' | ')');
            let is_pipe = character == '|' && !after.starts_with('|');
            let ends = matches!(character, ';' | '\n')
                || is_subshell && !last(&found).ends_with(['$', '<', '>'])
                || character == '&' && !is_redirection
                || character == '|' && !is_pipe && !last(&found).ends_with('>');
            if ends {
                let doubled = matches!(character, '&' | '|') && after.starts_with(character);
                rest = after.get(usize::from(doubled)..).unwrap_or_default();
                if character == '\n' {
                    for (index, end) in waiting.drain(..) {
                        let (body, left) = body(rest, &end);
                        if let Some(pipeline) = found.get_mut(index) {
                            pipeline.body.push_str(body);
                        }
                        rest = left;
                    }
                }
                found.push(Pipeline::default());
                continue;
            }
        }
        state.step(character, last(&found));
        if let Some(pipeline) = found.last_mut() {
            pipeline.raw.push(character);
        }
        rest = after;
    }
    found.retain(|pipeline| !pipeline.raw.trim().is_empty());
    state.is_plain().then_some(found)
}

fn last(found: &[Pipeline]) -> &str {
    found.last().map_or("", |pipeline| &pipeline.raw)
}

/// The word that ends a here-document.
fn delimiter(after: &str) -> Option<String> {
    let after = after.strip_prefix('<')?.trim_start_matches('-');
    let ends = |one: char| one.is_whitespace() || matches!(one, ';' | '&' | '|' | '>' | '<' | ')');
    let word = after.trim_start_matches([' ', '\t']).split(ends).next()?;
    let word = word.replace(['"', '\'', '\\'], "");
    (!word.is_empty()).then_some(word)
}

/// What comes before the line that ends it, and what comes after that.
fn body<'a>(text: &'a str, end: &str) -> (&'a str, &'a str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim() == end {
            return text
                .split_at_checked(at)
                .map_or((text, ""), |(body, rest)| {
                    (body, rest.get(line.len()..).unwrap_or_default())
                });
        }
        at += line.len();
    }
    (text, "")
}

/// Within which quotes and substitutions a character stands.
#[derive(Default)]
struct Nesting {
    quote: Option<char>,
    escaped: bool,
    depth: usize,
}

impl Nesting {
    fn is_plain(&self) -> bool {
        self.quote.is_none() && !self.escaped && self.depth == 0
    }

    fn step(&mut self, character: char, before: &str) {
        if std::mem::take(&mut self.escaped) {
            return;
        }
        match (self.quote, character) {
            (Some('\''), '\'') => self.quote = None,
            (Some('\''), _) => {}
            (_, '\\') => self.escaped = true,
            (Some(quote), _) if quote == character => self.quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => self.quote = Some(character),
            (None, '(') if self.depth > 0 || before.ends_with(['$', '<', '>']) => self.depth += 1,
            (None, ')') => self.depth = self.depth.saturating_sub(1),
            (None, _) => {}
        }
    }
}

/// The commands of a pipeline.
pub(super) fn commands(raw: &str) -> Vec<Simple> {
    let mut found = vec![Simple::default()];
    let mut word = String::new();
    let mut into_target = false;
    let mut state = Nesting::default();
    let mut before = String::new();
    for character in raw.chars() {
        let plain = state.is_plain();
        let was_quoted = state.quote;
        state.step(character, &before);
        let after_redirection = before.ends_with('>');
        before.push(character);
        if plain && (character.is_whitespace() || matches!(character, '|' | '>' | '<' | '&')) {
            let number = character == '>' && word.chars().all(|one| one.is_ascii_digit());
            let word = std::mem::take(&mut word);
            if !word.is_empty() && !number {
                push(&mut found, word, std::mem::take(&mut into_target));
            }
            match character {
                '|' if !after_redirection => {
                    into_target = false;
                    found.push(Simple::default());
                }
                '>' => into_target = true,
                '<' => into_target = false,
                _ => {}
            }
        } else if was_quoted == state.quote && character != '\\' {
            word.push(character);
        }
    }
    if !word.is_empty() {
        push(&mut found, word, into_target);
    }
    found
}

fn push(found: &mut [Simple], word: String, is_target: bool) {
    let Some(simple) = found.last_mut() else {
        return;
    };
    match is_target {
        // Another number of the same command.
        true if word == "-" || word.chars().all(|one| one.is_ascii_digit()) => {}
        true => simple.targets.push(word),
        false => simple.words.push(word),
    }
}
