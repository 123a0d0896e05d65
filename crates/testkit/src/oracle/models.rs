//! What differs from model to model, read off its name.

/// The rules and sizes of one model.
///
/// ```
/// use memdir_testkit::oracle::Traits;
///
/// assert!(Traits::of("claude-opus-5-5").binds_thinking);
/// assert!(!Traits::of("claude-opus-4-8").binds_thinking);
/// assert_eq!(Traits::of("claude-haiku-4-5-20251001").window, 200_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Thinking is always on and bound to the exact prefix; `tool_choice` cannot force a tool.
    pub binds_thinking: bool,
    /// `role: "system"` may stand among the messages.
    pub system_messages: bool,
    /// The request may end with the beginning of the assistant's answer.
    pub prefill: bool,
    /// Fewest tokens of a prefix that is cached.
    pub cache_minimum: u64,
    /// Most tokens of a request.
    pub window: u64,
    /// Most tokens of an answer.
    pub longest_output: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Fable and Mythos, which share their rules.
    Fable,
    Opus,
    Sonnet,
    Haiku,
}

const FAMILIES: [(&str, Family); 5] = [
    ("fable", Family::Fable),
    ("mythos", Family::Fable),
    ("opus", Family::Opus),
    ("sonnet", Family::Sonnet),
    ("haiku", Family::Haiku),
];

/// What is assumed of a model with an unknown name: no power that only some have.
const UNKNOWN: Traits = Traits {
    binds_thinking: false,
    system_messages: false,
    prefill: true,
    cache_minimum: 1024,
    window: 200_000,
    longest_output: 64_000,
};

impl Traits {
    /// Those of the model with this name, however the name is written: `claude-opus-5-5`,
    /// `anthropic/claude-opus-5.5`, `claude-haiku-4-5-20251001`.
    pub fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let Some(family) = FAMILIES
            .iter()
            .find_map(|(word, family)| name.contains(word).then_some(*family))
        else {
            return UNKNOWN;
        };
        let version = version(&name);
        let small = family == Family::Haiku && version < (5, 0);
        Self {
            binds_thinking: match family {
                Family::Fable => version >= (5, 1),
                _ => version >= (5, 5),
            },
            // "Opus 4.8 and later": of the other families, those that came after it.
            system_messages: version >= (5, 0) || (family == Family::Opus && version >= (4, 8)),
            prefill: version < (4, 6),
            cache_minimum: cache_minimum(family, version),
            window: if small || version < (4, 6) {
                200_000
            } else {
                1_000_000
            },
            longest_output: if small || version < (4, 6) {
                64_000
            } else {
                128_000
            },
        }
    }
}

/// By the list of October 2026; sources differ by date, so a script of the test server can say
/// otherwise.
fn cache_minimum(family: Family, version: (u32, u32)) -> u64 {
    match (family, version) {
        (Family::Opus | Family::Fable, (5.., _)) => 512,
        (Family::Opus, (4, 7)) => 2048,
        (Family::Opus, (4, 5 | 6)) | (Family::Haiku, (..=4, _)) => 4096,
        _ => 1024,
    }
}

/// The first two numbers of one or two digits; longer ones are dates.
fn version(name: &str) -> (u32, u32) {
    let mut numbers = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| (1..=2).contains(&digits.len()))
        .filter_map(|digits| digits.parse().ok());
    (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_what_a_model_takes() {
        let rows: Vec<String> = [
            "claude-fable-5-2",
            "claude-mythos-5",
            "claude-opus-5-5",
            "anthropic/claude-opus-5.5",
            "claude-opus-5",
            "claude-opus-4-8",
            "claude-opus-4-7",
            "claude-sonnet-5",
            "claude-sonnet-4-6",
            "claude-haiku-5-5",
            "claude-haiku-4-5-20251001",
            "claude-3-5-sonnet-20241022",
            "gpt-5.6",
        ]
        .iter()
        .map(|name| {
            let traits = Traits::of(name);
            let powers: String = [
                ('b', traits.binds_thinking),
                ('s', traits.system_messages),
                ('p', traits.prefill),
            ]
            .iter()
            .map(|(letter, on)| if *on { *letter } else { '-' })
            .collect();
            format!(
                "{name:28} {powers} {:5} {:8} {:7}",
                traits.cache_minimum, traits.window, traits.longest_output
            )
        })
        .collect();
        insta::assert_snapshot!(rows.join("\n"), @"
        claude-fable-5-2             bs-   512  1000000  128000
        claude-mythos-5              -s-   512  1000000  128000
        claude-opus-5-5              bs-   512  1000000  128000
        anthropic/claude-opus-5.5    bs-   512  1000000  128000
        claude-opus-5                -s-   512  1000000  128000
        claude-opus-4-8              -s-  1024  1000000  128000
        claude-opus-4-7              ---  2048  1000000  128000
        claude-sonnet-5              -s-  1024  1000000  128000
        claude-sonnet-4-6            ---  1024  1000000  128000
        claude-haiku-5-5             bs-  1024  1000000  128000
        claude-haiku-4-5-20251001    --p  4096   200000   64000
        claude-3-5-sonnet-20241022   --p  1024   200000   64000
        gpt-5.6                      --p  1024   200000   64000
        ");
    }
}
