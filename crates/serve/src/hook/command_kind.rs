//! What a program does with the files that it is given.

use super::command_line::Simple;

/// Programs that only look, or bring nothing along, as long as their output goes elsewhere.
const LOOKS: [&str; 44] = [
    "cat",
    "ls",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "head",
    "tail",
    "wc",
    "less",
    "more",
    "stat",
    "file",
    "diff",
    "cmp",
    "du",
    "tree",
    "test",
    "[",
    "[[",
    "cd",
    "pushd",
    "popd",
    "echo",
    "printf",
    "uniq",
    "cut",
    "tr",
    "jq",
    "md5sum",
    "sha256sum",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "pwd",
    "rm",
    "rmdir",
    "chmod",
    "export",
    "true",
    "bat",
    "nl",
    "memdir",
];
/// Programs that do what a text says, or by which what follows goes elsewhere: the line counts whole.
const OPAQUE: [&str; 24] = [
    "eval", "exec", "source", ".", "trap", "alias", "ln", "xargs", "sh", "bash", "zsh", "dash",
    "fish", "python", "python3", "perl", "ruby", "node", "php", "awk", "}", "done", "fi", "esac",
];
/// Words before the program.
const BEFORE: [&str; 14] = [
    "sudo", "env", "command", "time", "nohup", "do", "then", "else", "if", "while", "until", "!",
    "{", "builtin",
];

/// What a command does with a memory that it names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// It only looks.
    Looks,
    /// Nobody knows.
    Unknown,
    /// It writes there.
    Writes,
    /// It does what a text says.
    Opaque,
}

/// The name of the program that a command runs.
pub(super) fn program(simple: &Simple) -> &str {
    let is_before = |word: &&String| {
        BEFORE.contains(&word.as_str())
            || word
                .split_once('=')
                .is_some_and(|(name, _)| !name.contains(['/', '-']))
    };
    let word = simple.words.iter().find(|word| !is_before(word));
    let word = word.map_or("", String::as_str);
    word.rsplit('/').next().unwrap_or(word)
}

/// What a command does, given what is memory.
pub(super) fn kind(simple: &Simple, is_memory: &impl Fn(&str) -> bool) -> Kind {
    let program = program(simple);
    let to_memory = simple.targets.iter().any(|target| is_memory(target));
    let has = |options: &[&str]| {
        let mut words = simple.words.iter();
        words.any(|word| options.iter().any(|option| word.starts_with(option)))
    };
    match program {
        _ if OPAQUE.contains(&program) => Kind::Opaque,
        "" if to_memory => Kind::Opaque,
        "git" if has(&["--work-tree"]) => Kind::Opaque,
        _ if to_memory => Kind::Writes,
        "" => Kind::Looks,
        "cp" | "mv" | "rsync" | "scp" | "install" => {
            let last = simple.words.last().is_some_and(|word| is_memory(word));
            match last || has(&["-t", "--target"]) {
                true => Kind::Writes,
                false => Kind::Looks,
            }
        }
        "sed" if !has(&["-i", "--in-place", "-ni", "-Ei", "-ri"]) => Kind::Looks,
        "sort" if !has(&["-o", "--output"]) => Kind::Looks,
        "find" if !has(&["-exec", "-ok", "-fprint", "-fls"]) => Kind::Looks,
        "curl" if !has(&["-o", "-O", "--output", "--remote", "-s"]) => Kind::Looks,
        _ if LOOKS.contains(&program) => Kind::Looks,
        _ => Kind::Unknown,
    }
}

/// Whether a command does what a text says.
pub(super) fn runs_text(simple: &Simple) -> bool {
    OPAQUE.contains(&program(simple))
}
