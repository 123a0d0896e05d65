//! Memories about tools that the agent is using: how to use them it knows, what is wrong with them it may not.

use memdir_memory::MemoryType;

use crate::{Found, tokens};

/// Terms by which a memory that is no reference is documentation all the same.
const USAGE: [&str; 14] = [
    "argument",
    "cheatsheet",
    "cheat",
    "command",
    "document",
    "example",
    "flag",
    "guid",
    "invok",
    "option",
    "paramet",
    "syntax",
    "tutori",
    "usag",
];
/// Terms by which a memory about a tool is more than how to use it.
const WARNING: [&str; 39] = [
    "avoid",
    "beware",
    "break",
    "broke",
    "broken",
    "bug",
    "care",
    "caution",
    "corrupt",
    "crash",
    "danger",
    "deadlock",
    "delet",
    "destroy",
    "fail",
    "failur",
    "flaki",
    "gotcha",
    "hang",
    "leak",
    "limit",
    "lose",
    "lost",
    "never",
    "pitfal",
    "problem",
    "regress",
    "slow",
    "stuck",
    "unsaf",
    "unstabl",
    "warn",
    "workaround",
    "wrong",
    "achtung",
    "warnung",
    "fehler",
    "erreur",
    "cuidado",
];
/// The same where no single term says it, or in scripts whose words are not told apart by spaces.
const WARNING_PHRASES: [&str; 16] = [
    "don't",
    "don’t",
    "do not",
    "must not",
    "cannot",
    "can't",
    "can’t",
    "does not work",
    "known issue",
    "осторожно",
    "ошибк",
    "нельзя",
    "注意",
    "警告",
    "不具合",
    "주의",
];

/// Whether a memory only explains a tool that is in use. Warnings and known problems are another matter, and so are
/// rules: what the user wants done holds whatever the agent is using.
pub(super) fn explains(found: &Found, tools: &[String]) -> bool {
    if tools.is_empty() {
        return false;
    }
    let header = &found.header;
    let about = [&header.name, &header.description];
    let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
    let about = about.join("\n");
    let subject = terms(&about);
    let is_usage = match found.kind() {
        Some(MemoryType::Reference) => true,
        Some(MemoryType::User | MemoryType::Feedback) => false,
        _ => {
            about.to_lowercase().contains("how to")
                || USAGE
                    .iter()
                    .any(|term| subject.iter().any(|one| one == term))
        }
    };
    is_usage && tools.iter().any(|tool| names(&about, tool)) && !warns(&found.text)
}

/// Whether a subject names a tool: as it is written, or by the words of its name. Not by their stems: bashing is not Bash.
fn names(subject: &str, tool: &str) -> bool {
    // Tools of servers are called mcp__server__tool: a memory is about the one or the other, or has all of it.
    let Some(rest) = tool.strip_prefix("mcp__") else {
        return is_named(subject, tool);
    };
    let (server, own) = rest.split_once("__").unwrap_or((rest, ""));
    // A server that comes with a plugin is called after both.
    let server = server.strip_prefix("plugin_").unwrap_or(server);
    // `search` is a word like any other, `create_issue` is a name.
    let is_name = own.contains(|sign: char| sign.is_uppercase() || !sign.is_alphanumeric());
    is_named(subject, server) || (is_name && is_named(subject, own)) || is_named(subject, tool)
}

fn is_named(subject: &str, tool: &str) -> bool {
    let has = |name: &str| {
        let mut words = subject.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        words.any(|word| word.eq_ignore_ascii_case(name))
    };
    let mut spaced = String::new();
    for character in tool.chars() {
        if character.is_uppercase() || !character.is_alphanumeric() {
            spaced.push(' ');
        }
        if character.is_alphanumeric() {
            spaced.push(character);
        }
    }
    let mut pieces = spaced.split_whitespace().peekable();
    has(tool) || (pieces.peek().is_some() && pieces.all(has))
}

fn warns(text: &str) -> bool {
    let lower = text.to_lowercase();
    terms(text)
        .iter()
        .any(|term| WARNING.contains(&term.as_str()))
        || WARNING_PHRASES.iter().any(|phrase| lower.contains(phrase))
}

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    tokens::for_each_term(text, |term| terms.push(term.to_owned()));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use jiff::Timestamp;
    use memdir_memory::{Header, MemoryPath};

    fn found(kind: Option<MemoryType>, description: &str, text: &str) -> Found {
        Found {
            scope: Scope::Project,
            path: MemoryPath::new("a.md").unwrap(),
            score: 1.0,
            reasons: Vec::new(),
            modified: Timestamp::UNIX_EPOCH,
            days: 0,
            header: Header {
                description: Some(description.to_owned()),
                memory_type: kind,
                ..Header::default()
            },
            text: text.to_owned(),
        }
    }

    #[test]
    fn how_to_use_a_tool_in_use_is_noise_and_its_problems_are_not() {
        use MemoryType::{Feedback, Project, Reference, User};
        let mut shown = Vec::new();
        for (kind, description, text, tool) in [
            (
                Some(Reference),
                "How to call Bash",
                "Bash takes a command.",
                "Bash",
            ),
            (
                Some(Reference),
                "How to call Bash",
                "Bash takes a command.",
                "Grep",
            ),
            (
                Some(Reference),
                "Where bashing is discussed",
                "A page.",
                "Bash",
            ),
            (
                Some(Reference),
                "Web fetch takes a prompt",
                "Give it an address.",
                "WebFetch",
            ),
            (
                Some(Reference),
                "The GitHub server lists pulls",
                "By number.",
                "mcp__github__pulls",
            ),
            (
                Some(Reference),
                "The GitLab server lists pulls",
                "By number.",
                "mcp__github__pulls",
            ),
            (
                Some(Reference),
                "create_issue takes a title",
                "And a body.",
                "mcp__github__create_issue",
            ),
            (
                Some(Reference),
                "How to create an issue",
                "Title first.",
                "mcp__plugin_forge_hub__createIssue",
            ),
            (
                Some(Reference),
                "Arguments of mcp__tracker__search",
                "A query.",
                "mcp__tracker__search",
            ),
            (
                Some(Reference),
                "Where the search of the shop is described",
                "A page.",
                "mcp__tracker__search",
            ),
            (
                Some(Reference),
                "What the hub of the forge can do",
                "Issues.",
                "mcp__plugin_forge_hub__list",
            ),
            (
                Some(Project),
                "Flags of kubectl",
                "Use -n for the namespace.",
                "kubectl",
            ),
            (
                None,
                "kubectl cheat sheet",
                "Use -n for the namespace.",
                "kubectl",
            ),
            (
                Some(Project),
                "kubectl moves to the new cluster",
                "In May.",
                "kubectl",
            ),
            (
                Some(Reference),
                "Bash",
                "Known problem: it hangs on pipes.",
                "Bash",
            ),
            (
                Some(Reference),
                "Bash",
                "Crashed twice on long output.",
                "Bash",
            ),
            (Some(Reference), "Bash", "Don't pipe into it.", "Bash"),
            (Some(Reference), "Bash の使い方", "長い出力に注意。", "Bash"),
            (
                Some(Feedback),
                "How to use Bash here",
                "Quote every path.",
                "Bash",
            ),
            (Some(User), "Learns Bash commands", "Explain each.", "Bash"),
        ] {
            let explains = explains(&found(kind, description, text), &[tool.to_owned()]);
            let verdict = if explains { "held back" } else { "shown" };
            shown.push(format!("{verdict}: {description} / {text} ({tool})"));
        }
        insta::assert_snapshot!(shown.join("\n"), @r"
        held back: How to call Bash / Bash takes a command. (Bash)
        shown: How to call Bash / Bash takes a command. (Grep)
        shown: Where bashing is discussed / A page. (Bash)
        held back: Web fetch takes a prompt / Give it an address. (WebFetch)
        held back: The GitHub server lists pulls / By number. (mcp__github__pulls)
        shown: The GitLab server lists pulls / By number. (mcp__github__pulls)
        held back: create_issue takes a title / And a body. (mcp__github__create_issue)
        held back: How to create an issue / Title first. (mcp__plugin_forge_hub__createIssue)
        held back: Arguments of mcp__tracker__search / A query. (mcp__tracker__search)
        shown: Where the search of the shop is described / A page. (mcp__tracker__search)
        held back: What the hub of the forge can do / Issues. (mcp__plugin_forge_hub__list)
        held back: Flags of kubectl / Use -n for the namespace. (kubectl)
        held back: kubectl cheat sheet / Use -n for the namespace. (kubectl)
        shown: kubectl moves to the new cluster / In May. (kubectl)
        shown: Bash / Known problem: it hangs on pipes. (Bash)
        shown: Bash / Crashed twice on long output. (Bash)
        shown: Bash / Don't pipe into it. (Bash)
        shown: Bash の使い方 / 長い出力に注意。 (Bash)
        shown: How to use Bash here / Quote every path. (Bash)
        shown: Learns Bash commands / Explain each. (Bash)
        ");
    }

    #[test]
    fn without_tools_nothing_is_held_back() {
        let usage = found(Some(MemoryType::Reference), "How to call Bash", "Run it.");
        assert!(!explains(&usage, &[]));
    }
}
