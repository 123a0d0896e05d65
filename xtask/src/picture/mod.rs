//! `cargo xtask picture [try|chat]`: what these commands show on a terminal, as pictures for the documents.

mod chat;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// How wide the terminal is.
const COLUMNS: usize = 100;
/// The size of a letter, and of what is around them.
const WIDE: f64 = 7.8;
const HIGH: f64 = 17.0;
const MARGIN: f64 = 14.0;
/// The pictures, each with the heading that it begins with.
const PARTS: [(&str, &str); 3] = [
    ("try.svg", "Three days with an agent"),
    ("try-memory.svg", "What it knows now"),
    ("try-dream.svg", "A dream tidies up"),
];

/// How letters look.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Look {
    bold: bool,
    faint: bool,
    colour: Option<&'static str>,
}

/// Draws what both commands show, or one of them.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    let root = workspace::root()?;
    let mut build = workspace::cargo();
    build.args(["build", "-p", "memdir-cli"]);
    workspace::check(build.current_dir(&root))?;
    let program = workspace::target_folder(&root).join("debug/memdir");
    if wanted("try") {
        sample(&root, &program)?;
    }
    if wanted("chat") {
        for (name, lines) in chat::scenes(&program)? {
            write(&root, name, &lines.join("\n"))?;
        }
    }
    Ok(())
}

/// Plays the sample in a terminal of its own and draws what it shows.
fn sample(root: &Path, program: &Path) -> Result<()> {
    let command = format!("stty cols {COLUMNS}; exec {} try", program.display());
    let played = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("TERM", "xterm-256color")
        .output()
        .context("`script` is needed, of util-linux")?;
    ensure!(played.status.success(), "memdir try failed");
    let text = String::from_utf8_lossy(&played.stdout).replace('\r', "");
    let begin = |heading: &str| {
        let at = text.find(heading)?;
        let before = text.get(..at)?.rfind('\n');
        Some(before.map_or(0, |before| before + 1))
    };
    let mut end = text.len();
    for (name, heading) in PARTS.into_iter().rev() {
        let start = begin(heading).with_context(|| format!("nothing says {heading:?}"))?;
        let part = text.get(start..end).unwrap_or_default();
        write(root, name, part.trim_matches('\n'))?;
        end = start;
    }
    Ok(())
}

fn write(root: &Path, name: &str, text: &str) -> Result<()> {
    let path = root.join("docs").join(name);
    fs::write(&path, drawn(text))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// A text with colours as a picture.
fn drawn(text: &str) -> String {
    let lines: Vec<String> = text.lines().flat_map(folded).collect();
    let width = COLUMNS as f64 * WIDE + 2.0 * MARGIN;
    let height = lines.len() as f64 * HIGH + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, \
         Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#161b22\"/>\n"
    );
    let mut look = Look::default();
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + (number as f64 + 0.75) * HIGH;
        let mut column = 0;
        for (part, next) in pieces(line, look) {
            let (text, own) = part;
            if !text.trim().is_empty() {
                let x = MARGIN + column as f64 * WIDE;
                let length = text.chars().count() as f64 * WIDE;
                let _ = writeln!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" xml:space=\"preserve\"{}>{}</text>",
                    own.attributes(),
                    escaped(text)
                );
            }
            column += text.chars().count();
            look = next;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A line as a terminal shows it: what is too long goes on in the next.
fn folded(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut column, mut in_code) = (0, false);
    for character in line.chars() {
        in_code |= character == '\u{1b}';
        if !in_code {
            if column == COLUMNS {
                lines.push(String::new());
                column = 0;
            }
            column += 1;
        }
        if let Some(last) = lines.last_mut() {
            last.push(character);
        }
        in_code &= character != 'm';
    }
    lines
}

/// The stretches of a line, each with its look and the look of what follows.
fn pieces(line: &str, mut look: Look) -> Vec<((&str, Look), Look)> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[") {
        let (text, code) = rest.split_at(at);
        let end = code.find('m').unwrap_or(code.len() - 1);
        let (code, after) = code.split_at(end + 1);
        let before = look;
        look = look.after(code.trim_start_matches("\u{1b}[").trim_end_matches('m'));
        pieces.push(((text, before), look));
        rest = after;
    }
    pieces.push(((rest, look), look));
    pieces
}

impl Look {
    fn after(self, codes: &str) -> Self {
        let mut look = self;
        for code in codes.split(';') {
            match code {
                "" | "0" => look = Self::default(),
                "1" => look.bold = true,
                "2" => look.faint = true,
                "31" => look.colour = Some("#ff7b72"),
                "32" => look.colour = Some("#7ee787"),
                "33" => look.colour = Some("#e3b341"),
                "34" | "94" => look.colour = Some("#79c0ff"),
                "35" | "95" => look.colour = Some("#d2a8ff"),
                "36" => look.colour = Some("#76e3ea"),
                "90" => look.colour = Some("#8b949e"),
                _ => {}
            }
        }
        look
    }

    fn attributes(self) -> String {
        let colour = match (self.colour, self.faint) {
            (Some(colour), _) => colour,
            (None, true) => "#8b949e",
            (None, false) => "#e6edf3",
        };
        let weight = if self.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        format!(" fill=\"{colour}\"{weight}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
