//! Whether two statements say the same.

use memdir_memory::words::{already_says, negation_differs, normalise, similarity};

#[test]
fn normalising() {
    let table: String = [
        "Don't use *Tabs*!",
        "don’t   use tabs",
        "C, C++, C# and F#",
        "Python 3.11, not 3 11",
        "`snake_case` and __bold__",
        "limit < 5 ≠ limit > 5",
        "50 % of “everything”",
        "ＦＵＬＬ　ｗｉｄｔｈ，ｈａｌｆ",
        "ﬁne Straße ΣΊΣΥΦΟΣ İstanbul",
        "हिन्दी में लिखो।",
        "می‌خواهم",
        "use\u{200B} tabs\u{E0041}",
        "✅ done",
        "",
        "...",
    ]
    .iter()
    .map(|text| format!("{text:?} → {:?}\n", normalise(text)))
    .collect();
    insta::assert_snapshot!(table, @r#"
    "Don't use *Tabs*!" → "dont use tabs"
    "don’t   use tabs" → "dont use tabs"
    "C, C++, C# and F#" → "c c++ c# and f#"
    "Python 3.11, not 3 11" → "python 3.11 not 3 11"
    "`snake_case` and __bold__" → "snake_case and bold"
    "limit < 5 ≠ limit > 5" → "limit < 5 ≠ limit > 5"
    "50 % of “everything”" → "50 % of everything"
    "ＦＵＬＬ\u{3000}ｗｉｄｔｈ，ｈａｌｆ" → "full width half"
    "ﬁne Straße ΣΊΣΥΦΟΣ İstanbul" → "fine straße σίσυφοσ i\u{307}stanbul"
    "हिन\u{94d}दी म\u{947}\u{902} लिखो।" → "हिन\u{94d}दी म\u{947}\u{902} लिखो"
    "می\u{200c}خواهم" → "می\u{200c}خواهم"
    "use\u{200b} tabs\u{e0041}" → "use tabs"
    "✅ done" → "✅ done"
    "" → ""
    "..." → ""
    "#);
}

#[test]
fn saying_it_already() {
    let table: String = [
        ("Use tabs. Nothing else.", "use tabs"),
        ("use tabs", "Use TABS!"),
        ("use tabs", "use tabs in Makefiles"),
        ("use tabs in Makefiles", "use tabs"),
        ("never use tabs", "use tabs"),
        ("use tabs is forbidden", "use tabs"),
        ("use tabs. Never commit on Friday.", "use tabs"),
        ("do not ever use tabs. But here use tabs.", "use tabs"),
        ("reuse tabs", "use tabs"),
        ("use C++", "use C"),
        ("limit > 5", "limit < 5"),
        ("请使用制表符缩进", "使用制表符"),
        ("不要使用制表符", "使用制表符"),
        ("rather than use tabs", "use tabs"),
        ("anything", ""),
        ("", "anything"),
    ]
    .iter()
    .map(|(existing, new)| {
        format!(
            "{:<6}{existing:?} ∋ {new:?}\n",
            already_says(existing, new).to_string()
        )
    })
    .collect();
    insta::assert_snapshot!(table, @r#"
    true  "Use tabs. Nothing else." ∋ "use tabs"
    true  "use tabs" ∋ "Use TABS!"
    false "use tabs" ∋ "use tabs in Makefiles"
    true  "use tabs in Makefiles" ∋ "use tabs"
    false "never use tabs" ∋ "use tabs"
    false "use tabs is forbidden" ∋ "use tabs"
    true  "use tabs. Never commit on Friday." ∋ "use tabs"
    true  "do not ever use tabs. But here use tabs." ∋ "use tabs"
    false "reuse tabs" ∋ "use tabs"
    false "use C++" ∋ "use C"
    false "limit > 5" ∋ "limit < 5"
    true  "请使用制表符缩进" ∋ "使用制表符"
    false "不要使用制表符" ∋ "使用制表符"
    false "rather than use tabs" ∋ "use tabs"
    false "anything" ∋ ""
    false "" ∋ "anything"
    "#);
}

#[test]
fn likeness() {
    let table: String = [
        ("use tabs", "never use tabs"),
        ("Runs tests with pnpm", "run the test with pnpm"),
        ("Prefer pnpm over npm", "pnpm is preferred"),
        ("The release is on Friday", "deploy the billing service"),
        ("使用制表符缩进", "请用制表符缩进"),
        ("使用制表符缩进", "发布在周五"),
        ("the", "the"),
        ("", ""),
        ("", "x"),
    ]
    .iter()
    .map(|(a, b)| format!("{:.2} {a:?} ~ {b:?}\n", similarity(a, b)))
    .collect();
    insta::assert_snapshot!(table, @r#"
    0.80 "use tabs" ~ "never use tabs"
    1.00 "Runs tests with pnpm" ~ "run the test with pnpm"
    0.67 "Prefer pnpm over npm" ~ "pnpm is preferred"
    0.00 "The release is on Friday" ~ "deploy the billing service"
    0.83 "使用制表符缩进" ~ "请用制表符缩进"
    0.00 "使用制表符缩进" ~ "发布在周五"
    1.00 "the" ~ "the"
    1.00 "" ~ ""
    0.00 "" ~ "x"
    "#);
}

#[test]
fn opposites() {
    let table: String = [
        ("use tabs", "never use tabs"),
        ("use tabs", "don't use tabs"),
        ("use tabs", "do not use tabs"),
        ("use tabs", "stop using tabs"),
        ("use tabs", "avoid tabs"),
        ("use tabs", "no tabs"),
        ("use tabs", "use tabs, not spaces"),
        ("use tabs, not spaces", "use spaces, not tabs"),
        ("use spaces instead of tabs", "use tabs"),
        ("mock the database", "test without mocking the database"),
        ("tabs are forbidden", "tabs are fine"),
        ("Tabs? Never.", "use tabs"),
        ("never use tabs", "don't use tabs"),
        ("never not test", "test"),
        ("use tabs", "deploy on Friday"),
        ("使用制表符", "不要使用制表符"),
        ("使用制表符", "禁止使用制表符"),
        ("特别注意缩进", "注意缩进"),
        ("タブを使う", "タブを使わない"),
        ("использовать табы", "не использовать табы"),
    ]
    .iter()
    .map(|(a, b)| format!("{:<6}{a:?} ≠ {b:?}\n", negation_differs(a, b).to_string()))
    .collect();
    insta::assert_snapshot!(table, @r#"
    true  "use tabs" ≠ "never use tabs"
    true  "use tabs" ≠ "don't use tabs"
    true  "use tabs" ≠ "do not use tabs"
    true  "use tabs" ≠ "stop using tabs"
    true  "use tabs" ≠ "avoid tabs"
    true  "use tabs" ≠ "no tabs"
    false "use tabs" ≠ "use tabs, not spaces"
    true  "use tabs, not spaces" ≠ "use spaces, not tabs"
    true  "use spaces instead of tabs" ≠ "use tabs"
    true  "mock the database" ≠ "test without mocking the database"
    true  "tabs are forbidden" ≠ "tabs are fine"
    true  "Tabs? Never." ≠ "use tabs"
    false "never use tabs" ≠ "don't use tabs"
    false "never not test" ≠ "test"
    false "use tabs" ≠ "deploy on Friday"
    true  "使用制表符" ≠ "不要使用制表符"
    true  "使用制表符" ≠ "禁止使用制表符"
    false "特别注意缩进" ≠ "注意缩进"
    true  "タブを使う" ≠ "タブを使わない"
    true  "использовать табы" ≠ "не использовать табы"
    "#);
}

proptest::proptest! {
    #[test]
    fn normalising_twice_is_normalising_once(text in "\\PC{0,60}") {
        let once = normalise(&text);
        proptest::prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn likeness_is_a_symmetric_share(a in "[a-z 制表符不]{0,30}", b in "[a-z 制表符不]{0,30}") {
        let share = similarity(&a, &b);
        proptest::prop_assert!((0.0..=1.0).contains(&share));
        proptest::prop_assert!((share - similarity(&b, &a)).abs() < 1e-12);
        proptest::prop_assert!((similarity(&a, &a) - 1.0).abs() < 1e-12);
        proptest::prop_assert_eq!(negation_differs(&a, &b), negation_differs(&b, &a));
        proptest::prop_assert!(!negation_differs(&a, &a));
    }
}
