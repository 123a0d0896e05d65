//! Paths as text: what an include means, and whether a name is that of a text.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// Folders whose files are no texts of a person, whatever they are called.
const SYSTEM: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The endings of files that hold text. A name without an ending may be a text: `README`, `Makefile`.
const TEXT_ENDINGS: &[&str] = &[
    "adoc",
    "asciidoc",
    "astro",
    "awk",
    "bash",
    "bat",
    "bazel",
    "bib",
    "bzl",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cljs",
    "cmake",
    "coffee",
    "conf",
    "cpp",
    "cr",
    "cs",
    "css",
    "csv",
    "cts",
    "cue",
    "cxx",
    "d",
    "dart",
    "diff",
    "edn",
    "ejs",
    "el",
    "elm",
    "erb",
    "erl",
    "ex",
    "exs",
    "fish",
    "fs",
    "fsx",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "haml",
    "handlebars",
    "hbs",
    "hcl",
    "hh",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "ipynb",
    "java",
    "jinja",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "just",
    "kt",
    "kts",
    "less",
    "lhs",
    "lisp",
    "lock",
    "log",
    "lua",
    "m",
    "make",
    "markdown",
    "md",
    "mdc",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mli",
    "mm",
    "mts",
    "nim",
    "nix",
    "org",
    "patch",
    "php",
    "pl",
    "plist",
    "pm",
    "properties",
    "proto",
    "ps1",
    "pug",
    "py",
    "pyi",
    "r",
    "rake",
    "rb",
    "rkt",
    "rs",
    "rst",
    "sass",
    "scala",
    "scm",
    "scss",
    "sh",
    "sol",
    "sql",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "text",
    "textile",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "typ",
    "v",
    "vb",
    "vim",
    "vue",
    "wast",
    "wat",
    "xml",
    "xsd",
    "xsl",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Whether a file of this name is taken for a text.
pub(super) fn is_text_name(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return false;
    };
    // `.env` has the ending `env`: names that hide are not taken for names without one.
    match name.rsplit_once('.') {
        None => true,
        Some((_, ending)) => TEXT_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()),
    }
}

/// Whether a path leads to where the system keeps devices and its own state.
pub(super) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Whether a path leads into git's own data.
pub(super) fn is_git_data(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}

/// What an include means: relative to the folder of the file that has it, `~` for the home directory. `None` where
/// there is no home.
pub(super) fn meant(mention: &str, file: &Path, user_home: Option<&Path>) -> Option<PathBuf> {
    let joined = match mention.strip_prefix("~/") {
        Some(rest) => user_home?.join(rest),
        None => file.parent().unwrap_or(Path::new("/")).join(mention),
    };
    Some(normal(&joined))
}

/// The path without `.` and `..`. Where a symbolic link makes `..` mean something else, the real place tells.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}
