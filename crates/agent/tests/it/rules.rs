use memdir_agent::rules::{Act, wishes};

const LABELLED: &str = include_str!("../data/wishes.tsv");

/// What a message is labelled as, and what the rules make of it.
fn found(text: &str) -> Vec<String> {
    let today = "2026-11-16".parse().unwrap();
    wishes(text, today)
        .iter()
        .map(|wish| match wish.act {
            Act::Keep(kind) => kind.to_string(),
            Act::Forget => "forget".to_owned(),
        })
        .collect()
}

/// Of the messages that got something saved, how many should; of those that should, how many did.
#[test]
fn precise_first_and_then_complete() {
    let (mut right, mut wrong, mut missed, mut silent) = (0u32, 0u32, 0u32, 0u32);
    let mut mistakes = Vec::new();
    for line in LABELLED.lines() {
        let (label, text) = line.split_once('\t').unwrap();
        let text = text.replace("\\n", "\n");
        let found = found(&text);
        let expected: Vec<String> = match label {
            "-" => Vec::new(),
            label => vec![label.to_owned()],
        };
        match (found.is_empty(), expected.is_empty()) {
            (true, true) => silent += 1,
            (true, false) => {
                missed += 1;
                mistakes.push(format!("missed {label}: {text}"));
            }
            (false, _) if found == expected => right += 1,
            (false, _) => {
                wrong += 1;
                mistakes.push(format!("{found:?} for {label}: {text}"));
            }
        }
    }
    let precision = f64::from(right) / f64::from(right + wrong);
    let recall = f64::from(right) / f64::from(right + wrong + missed);
    println!(
        "right {right}, wrong {wrong}, missed {missed}, silent {silent}: precision {precision:.3}, recall {recall:.3}"
    );
    println!("{}", mistakes.join("\n"));
    assert!(precision >= 0.95 && recall >= 0.6, "{precision} {recall}");
}
