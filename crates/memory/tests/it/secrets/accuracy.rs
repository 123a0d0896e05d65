//! How good the rules are as a whole: recall, precision, false blocks, and disguises.
//!
//! Run with `--nocapture` to see the figures.

use std::collections::BTreeMap;

use memdir_memory::secrets::{Class, rules, scan};

use super::clean_notes;
use super::fakes::{Random, WEAK_FORMS, fill, forms};

/// Where a secret stands in a note.
const FRAMES: &[&str] = &[
    "@",
    "The key for staging:\n\n@\n",
    "```\n@\n```",
    "- remember: `@`",
    "export THE_VALUE=@",
    "| what | value |\n|---|---|\n| staging | @ |",
    "---\nname: x\ndescription: @\n---\n",
    "it is (@), do not lose it",
    "config:\n  value: \"@\"",
];

/// Secrets made for each form.
const EACH: usize = 20;

#[test]
fn recall_precision_and_false_blocks() {
    let mut random = Random::new(2026);
    let mut totals: BTreeMap<Class, (usize, usize, usize)> = BTreeMap::new();
    let mut missed: BTreeMap<&str, usize> = BTreeMap::new();
    let weak = WEAK_FORMS.iter().map(|form| ("generic-secret", *form));
    for (id, form) in forms().chain(weak) {
        let class = rules()
            .find(|rule| rule.id == id)
            .expect("a known rule")
            .class;
        for _ in 0..EACH {
            let secret = fill(form, &mut random);
            // What spans lines keeps its own lines.
            let frame = if secret.contains('\n') {
                "Note.\n@\n"
            } else {
                random.pick(FRAMES)
            };
            let findings = scan(&frame.replace('@', &secret));
            let (seeded, found, named) = totals.entry(class).or_default();
            *seeded += 1;
            if findings.is_empty() {
                *missed.entry(form).or_default() += 1;
            } else {
                *found += 1;
                *named += usize::from(findings.iter().any(|finding| finding.rule.id == id));
            }
        }
    }

    let notes = 1_000;
    let mut blocked = BTreeMap::new();
    for _ in 0..notes {
        for finding in scan(&clean_notes::note(&mut random)) {
            *blocked.entry(finding.rule.id).or_insert(0) += 1;
        }
    }
    let false_blocks: usize = blocked.values().sum();

    let found: usize = totals.values().map(|(_, found, _)| found).sum();
    let precision = found as f64 / (found + false_blocks) as f64;
    println!("{} rules, {} forms", rules().count(), forms().count());
    for (class, (seeded, found, named)) in &totals {
        let (low, high) = wilson(*found, *seeded);
        println!(
            "{class:?}: recall {:.4} [{low:.4}, {high:.4}] of {seeded}, named by its own rule {:.4}",
            ratio(*found, *seeded),
            ratio(*named, *found)
        );
    }
    println!("precision {precision:.4}, false blocks {false_blocks} in {notes} hard clean notes");
    println!("missed: {missed:?}; blocked: {blocked:?}");

    let recall = |class| {
        totals
            .get(&class)
            .map(|(seeded, found, _)| ratio(*found, *seeded))
            .expect("a class")
    };
    assert!(recall(Class::Structural) >= 0.98);
    assert!(recall(Class::Named) >= 0.95);
    assert!(recall(Class::Generic) >= 0.80);
    assert!(precision >= 0.95);
    assert!(false_blocks <= 2);
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The interval in which the true share lies, with 95 % confidence.
fn wilson(part: usize, whole: usize) -> (f64, f64) {
    let (share, count, z) = (ratio(part, whole), whole as f64, 1.96_f64);
    let centre = share + z * z / (2.0 * count);
    let spread = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z * z / count;
    ((centre - spread) / scale, (centre + spread) / scale)
}

/// What a disguise does to a token.
type Disguise = fn(&str) -> String;

const DISGUISES: &[(&str, Disguise)] = &[
    ("code fence", |token| {
        format!("```sh\nexport X={token}\n```")
    }),
    ("table cell", |token| {
        format!("| name | value |\n|---|---|\n| x | {token} |")
    }),
    ("frontmatter value", |token| {
        format!("---\nname: x\ndescription: {token}\n---\n")
    }),
    ("file name", |token| format!("feedback_{token}.md")),
    ("inside a link", |token| {
        format!("[x](https://acme.io/?k={token}&y=1)")
    }),
    ("in JSON, after an escaped newline", |token| {
        format!("{{\"x\": \"line\\n{token}\\n\"}}")
    }),
    ("zero-width characters inside", |token| {
        interleave(token, "\u{200B}")
    }),
    ("tag characters inside", |token| {
        interleave(token, "\u{E0041}")
    }),
    ("soft hyphens inside", |token| interleave(token, "\u{00AD}")),
    ("full-width letters", |token| {
        token
            .chars()
            .map(|character| match u32::from(character) {
                code @ 0x21..0x7F => char::from_u32(code - 0x21 + 0xFF01).unwrap_or(character),
                _ => character,
            })
            .collect()
    }),
    ("split by backslash and newline", |token| {
        halves(token, "\\\n    ")
    }),
    ("percent-encoded signs", |token| {
        token
            .replace('_', "%5F")
            .replace('-', "%2D")
            .replace('.', "%2E")
    }),
    ("percent-encoded throughout", |token| {
        token.bytes().map(|byte| format!("%{byte:02X}")).collect()
    }),
    ("Base64", |token| base64(token.as_bytes(), false)),
    ("Base64 for addresses", |token| {
        base64(format!("k={token}").as_bytes(), true)
    }),
    ("split by a bare newline", |token| halves(token, "\n")),
    ("split by a space", |token| halves(token, " ")),
    ("reversed", |token| token.chars().rev().collect()),
    ("Base64 twice", |token| {
        base64(base64(token.as_bytes(), false).as_bytes(), false)
    }),
    ("hexadecimal", |token| {
        token.bytes().map(|byte| format!("{byte:02x}")).collect()
    }),
    ("look-alike letters", |token| {
        token.replace('a', "а").replace('o', "о").replace('e', "е")
    }),
];

#[test]
fn disguises() {
    let mut random = Random::new(7);
    let forms: Vec<&str> = forms()
        .filter(|(id, form)| {
            !form.contains(['\n', ' ', '"', '\\', '/'])
                && rules().any(|rule| rule.id == *id && rule.class == Class::Structural)
        })
        .map(|(_, form)| form)
        .collect();
    let mut table = String::new();
    for (name, disguise) in DISGUISES {
        let found = forms
            .iter()
            .filter(|form| {
                let text = disguise(&fill(form, &mut random));
                !scan(&text).is_empty()
            })
            .count();
        table.push_str(&format!("{name}: {} %\n", (100 * found) / forms.len()));
    }
    println!("{} structural forms\n{table}", forms.len());
    insta::assert_snapshot!(table, @r"
    code fence: 100 %
    table cell: 100 %
    frontmatter value: 100 %
    file name: 100 %
    inside a link: 100 %
    in JSON, after an escaped newline: 100 %
    zero-width characters inside: 100 %
    tag characters inside: 100 %
    soft hyphens inside: 100 %
    full-width letters: 100 %
    split by backslash and newline: 100 %
    percent-encoded signs: 100 %
    percent-encoded throughout: 100 %
    Base64: 100 %
    Base64 for addresses: 100 %
    split by a bare newline: 8 %
    split by a space: 8 %
    reversed: 0 %
    Base64 twice: 0 %
    hexadecimal: 0 %
    look-alike letters: 10 %
    ");
}

fn interleave(token: &str, sign: &str) -> String {
    token
        .chars()
        .map(|character| format!("{character}{sign}"))
        .collect()
}

fn halves(token: &str, between: &str) -> String {
    let (left, right) = token.split_at(token.len() / 2);
    format!("{left}{between}{right}")
}

fn base64(bytes: &[u8], for_addresses: bool) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let padded = [
            group[0],
            *group.get(1).unwrap_or(&0),
            *group.get(2).unwrap_or(&0),
        ];
        let bits = u32::from_be_bytes([0, padded[0], padded[1], padded[2]]);
        for place in 0..4 {
            if place <= group.len() {
                out.push(char::from(
                    alphabet[(bits >> (18 - 6 * place) & 63) as usize],
                ));
            } else if !for_addresses {
                out.push('=');
            }
        }
    }
    if for_addresses {
        out.replace('+', "-").replace('/', "_")
    } else {
        out
    }
}
