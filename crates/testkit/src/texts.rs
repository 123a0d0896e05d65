//! Texts of the sorts that agents read, made from a seed: the same seed, the same text.

mod languages;

use std::fmt::Write as _;

use self::languages::{ARABIC, GREEK, HINDI, JAPANESE, KOREAN, RUSSIAN};

/// A sort of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Prose with headings, lists and code.
    Markdown,
    /// A program.
    Code,
    /// Records.
    Json,
    /// Lines with times and ids.
    Log,
    /// What `ls -l` prints.
    Listing,
    /// What a search prints: paths, line numbers, code.
    Search,
    /// Chinese prose with names of programs in it.
    Chinese,
    /// The same in Russian.
    Russian,
    /// In Greek.
    Greek,
    /// In Arabic.
    Arabic,
    /// In Hindi.
    Hindi,
    /// In Japanese.
    Japanese,
    /// In Korean.
    Korean,
}

impl Sort {
    /// Prose of languages for which tokenisers have very different dictionaries.
    pub const LANGUAGES: [Self; 7] = [
        Self::Chinese,
        Self::Russian,
        Self::Greek,
        Self::Arabic,
        Self::Hindi,
        Self::Japanese,
        Self::Korean,
    ];

    /// All that agents read every day.
    pub const ALL: [Self; 7] = [
        Self::Markdown,
        Self::Code,
        Self::Json,
        Self::Log,
        Self::Listing,
        Self::Search,
        Self::Chinese,
    ];
}

/// Numbers that look random and are the same for the same seed.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number (SplitMix64).
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number().checked_rem(bound).unwrap_or(0)
    }

    /// A number from 0 up to 1.
    pub fn share(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }

    /// One of a list, which is not empty.
    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let place = self.below(list.len() as u64) as usize;
        list.get(place).copied().unwrap_or("")
    }
}

const WORDS: &[&str] = &[
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "is",
    "it",
    "that",
    "for",
    "with",
    "when",
    "not",
    "this",
    "which",
    "file",
    "line",
    "error",
    "value",
    "request",
    "server",
    "deploy",
    "parser",
    "memory",
    "index",
    "because",
    "before",
    "after",
    "should",
    "configuration",
    "timeout",
    "cache",
    "user",
    "release",
    "migration",
    "database",
    "customer",
    "keeps",
    "returns",
    "writes",
    "reads",
    "connection",
    "threshold",
    "directory",
    "session",
    "unfortunately",
    "backwards",
    "compatible",
    "authentication",
    "Thursday",
    "customers",
    "rolled",
    "out",
    "we",
    "always",
    "never",
    "prefer",
];
const NAMES: &[&str] = &[
    "parse", "header", "index", "store", "lock", "open", "read", "write", "line", "token", "count",
    "message", "block", "user", "config", "path", "entry", "result", "state", "buffer", "offset",
    "retry", "client", "handler", "queue", "worker", "session", "frame", "decode", "encode",
];
const TYPES: &[&str] = &[
    "String",
    "u64",
    "Vec<u8>",
    "Option<usize>",
    "PathBuf",
    "Result<(), Error>",
    "&str",
    "bool",
];
const LEVELS: &[&str] = &["INFO", "WARN", "ERROR", "DEBUG"];
const PHRASES: &[&str] = &[
    "请先阅读配置文件",
    "然后重新启动服务",
    "这个错误是由于连接超时引起的",
    "我们每周四发布新版本",
    "数据库迁移已经完成",
    "如果文件不存在就创建一个",
    "用户的偏好保存在记忆目录中",
    "不要修改已经发送的内容",
    "测试没有通过",
    "需要检查日志中的时间",
    "缓存失效之后再试一次",
    "这里使用制表符而不是空格",
    "服务器返回的状态码不正确",
    "请确认路径是否安全",
    "部署之前必须备份",
    "索引可以随时删除并重建",
    "会话太长时会自动压缩",
    "工具的结果被清除后仍可取回",
    "客户希望在下个月上线",
    "代码审查由两个人完成",
];

/// How sentences end.
const ENDS: [&str; 3] = [". ", ", ", ".\n"];

/// A text of this sort with at least so many bytes.
#[must_use]
pub fn text(sort: Sort, bytes: usize, dice: &mut Dice) -> String {
    let mut text = String::with_capacity(bytes + 200);
    while text.len() < bytes {
        let _ = match sort {
            Sort::Markdown => markdown(&mut text, dice),
            Sort::Code => code(&mut text, dice),
            Sort::Json => json(&mut text, dice),
            Sort::Log => log(&mut text, dice),
            Sort::Listing => listing(&mut text, dice),
            Sort::Search => search(&mut text, dice),
            Sort::Chinese => prose(&mut text, PHRASES, &["。", "，", "；", "。\n"], dice),
            Sort::Russian => prose(&mut text, RUSSIAN, &ENDS, dice),
            Sort::Greek => prose(&mut text, GREEK, &ENDS, dice),
            Sort::Arabic => prose(&mut text, ARABIC, &[". ", "، ", ".\n"], dice),
            Sort::Hindi => prose(&mut text, HINDI, &["। ", ", ", "।\n"], dice),
            Sort::Japanese => prose(&mut text, JAPANESE, &["。", "、", "。\n"], dice),
            Sort::Korean => prose(&mut text, KOREAN, &ENDS, dice),
        };
    }
    text
}

fn sentence(dice: &mut Dice) -> String {
    let words = 5 + dice.below(14);
    let mut words: Vec<&str> = (0..words).map(|_| dice.pick(WORDS)).collect();
    words.insert(0, "We");
    format!("{}.", words.join(" "))
}

fn name(dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => dice.pick(NAMES).to_owned(),
        1 => format!("{}_{}", dice.pick(NAMES), dice.pick(NAMES)),
        _ => format!(
            "{}_{}_{}",
            dice.pick(NAMES),
            dice.pick(NAMES),
            dice.pick(NAMES)
        ),
    }
}

fn path(dice: &mut Dice) -> String {
    let (one, two) = (dice.pick(NAMES), name(dice));
    format!("crates/{one}/src/{two}.rs")
}

fn time(dice: &mut Dice) -> String {
    format!(
        "2026-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        1 + dice.below(12),
        1 + dice.below(28),
        dice.below(24),
        dice.below(60),
        dice.below(60),
        dice.below(1_000)
    )
}

fn markdown(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    match dice.below(6) {
        0 => writeln!(to, "\n## {} {}\n", dice.pick(WORDS), name(dice)),
        1 => writeln!(to, "- `{}`: {}", name(dice), sentence(dice)),
        2 => writeln!(
            to,
            "| {} | {} | {} |",
            name(dice),
            dice.below(5_000),
            dice.pick(WORDS)
        ),
        3 => writeln!(
            to,
            "\n```rust\nlet {} = {}({});\n```\n",
            name(dice),
            name(dice),
            dice.below(99)
        ),
        _ => writeln!(
            to,
            "{} {} {}",
            sentence(dice),
            sentence(dice),
            sentence(dice)
        ),
    }
}

fn code(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    writeln!(to, "/// {}", sentence(dice))?;
    writeln!(
        to,
        "pub fn {}(&mut self, {}: {}) -> {} {{",
        name(dice),
        name(dice),
        dice.pick(TYPES),
        dice.pick(TYPES)
    )?;
    for _ in 0..2 + dice.below(6) {
        match dice.below(4) {
            0 => writeln!(
                to,
                "    let {} = self.{}.{}()?;",
                name(dice),
                name(dice),
                name(dice)
            )?,
            1 => writeln!(
                to,
                "    if {} > {} {{\n        return Err(Error::{});\n    }}",
                name(dice),
                dice.below(4_096),
                camel(dice)
            )?,
            2 => writeln!(
                to,
                "    for {} in {}.iter().filter(|item| item.{} != 0) {{\n        {}.push({});\n    }}",
                name(dice),
                name(dice),
                name(dice),
                name(dice),
                name(dice)
            )?,
            _ => writeln!(to, "    // {}", sentence(dice))?,
        }
    }
    writeln!(to, "}}\n")
}

fn camel(dice: &mut Dice) -> String {
    let big = |name: &str| {
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    format!("{}{}", big(dice.pick(NAMES)), big(dice.pick(NAMES)))
}

fn json(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    writeln!(
        to,
        "  {{\n    \"id\": \"{:016x}\",\n    \"{}\": {},\n    \"{}\": \"{}\",\n    \"at\": \"{}\",\n    \"tags\": [\"{}\", \"{}\"],\n    \"ok\": {}\n  }},",
        dice.number(),
        name(dice),
        dice.below(100_000),
        name(dice),
        dice.pick(WORDS),
        time(dice),
        dice.pick(NAMES),
        dice.pick(NAMES),
        dice.below(2) == 0
    )
}

fn log(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    writeln!(
        to,
        "{} {:5} [{:08x}] {}::{}: {} id={:012x} status={} took={}ms",
        time(dice),
        dice.pick(LEVELS),
        dice.below(1 << 32),
        dice.pick(NAMES),
        dice.pick(NAMES),
        sentence(dice),
        dice.below(1 << 48),
        200 + dice.below(4) * 100,
        dice.below(3_000)
    )
}

fn listing(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    writeln!(
        to,
        "-rw-r--r-- 1 dev dev {:>8} Nov {:>2} {:02}:{:02} {}.{}",
        dice.below(3_000_000),
        1 + dice.below(30),
        dice.below(24),
        dice.below(60),
        name(dice),
        dice.pick(&["rs", "md", "json", "toml", "png", "lock"])
    )
}

fn search(to: &mut String, dice: &mut Dice) -> std::fmt::Result {
    writeln!(
        to,
        "{}:{}:    let {} = {}.{}(&{})?;",
        path(dice),
        dice.below(900),
        name(dice),
        name(dice),
        name(dice),
        name(dice)
    )
}

/// Sentences with names of programs in them.
fn prose(to: &mut String, phrases: &[&str], ends: &[&str], dice: &mut Dice) -> std::fmt::Result {
    let end = dice.pick(ends);
    match dice.below(5) {
        0 => write!(
            to,
            "{} `{}` {}{end}",
            dice.pick(phrases),
            name(dice),
            dice.pick(phrases)
        ),
        _ => write!(to, "{}{end}", dice.pick(phrases)),
    }
}
