//! What a line of notes is.

/// Where code blocks begin and end, line by line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fences {
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line; whether it stands in a code block or bounds one.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let trimmed = line.trim_start();
        let marker = ['`', '~'].into_iter().find_map(|sign| {
            let length = trimmed.chars().take_while(|c| *c == sign).count();
            (length >= 3).then_some((sign, length))
        });
        match (self.open, marker) {
            (None, None) => false,
            (None, Some(marker)) => {
                self.open = Some(marker);
                true
            }
            (Some((sign, length)), Some((other, longer))) => {
                let bare = trimmed.trim_start_matches(other).trim().is_empty();
                if sign == other && longer >= length && bare {
                    self.open = None;
                }
                true
            }
            (Some(_), None) => true,
        }
    }

    /// The line that would end the code block that is open.
    pub(super) fn closing(self) -> Option<String> {
        let (sign, length) = self.open?;
        Some(String::from(sign).repeat(length))
    }
}

/// The title of a line that is a heading of a section.
pub(super) fn section_title(line: &str) -> Option<&str> {
    let title = line.strip_prefix("# ")?.trim();
    (!title.is_empty()).then_some(title)
}

/// The title of a line that might have been meant as a heading: of any level, or in bold.
pub(super) fn likely_title(line: &str) -> Option<&str> {
    let line = line.trim();
    let title = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches('#'),
        None => line.strip_prefix("**")?.strip_suffix("**")?,
    };
    let title = title.trim();
    (!title.is_empty()).then_some(title)
}

/// Whether the whole line is in italics.
pub(super) fn is_italic(line: &str) -> bool {
    let line = line.trim();
    let within = |sign: char| {
        let inner = line.strip_prefix(sign)?.strip_suffix(sign)?;
        let plain = !inner.trim().is_empty() && !inner.starts_with(sign) && !inner.ends_with(sign);
        plain.then_some(())
    };
    within('_').or_else(|| within('*')).is_some()
}

/// Lines without the blank ones before and after them.
pub(super) fn trimmed(lines: &[&str]) -> String {
    let is_blank = |line: &&&str| line.trim().is_empty();
    let before = lines.iter().take_while(is_blank).count();
    let after = lines.iter().rev().take_while(is_blank).count();
    let kept = lines.len().saturating_sub(before + after);
    let lines: Vec<&str> = lines
        .iter()
        .skip(before)
        .take(kept)
        .map(|line| line.trim_end())
        .collect();
    lines.join("\n")
}
