//! Hidden characters: what goes, what stays.

use memdir_memory::hidden::{Kind, clean, find};

/// Texts in which invisible characters do honest work: they stay byte for byte.
const HONEST: &[(&str, &str)] = &[
    ("plain", "Use tabs.\r\n\tNever spaces.\n"),
    (
        "family",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
    ),
    (
        "skin tone and profession",
        "\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}",
    ),
    ("rainbow flag", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"),
    ("pirate flag", "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}"),
    ("heart on fire", "\u{2764}\u{FE0F}\u{200D}\u{1F525}"),
    ("gender sign", "\u{1F3C3}\u{200D}\u{2640}\u{FE0F}"),
    (
        "England",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} won",
    ),
    (
        "Texas",
        "\u{1F3F4}\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}",
    ),
    ("keycap", "1\u{FE0F}\u{20E3} first"),
    (
        "text style",
        "\u{2714}\u{FE0E} \u{2122}\u{FE0F} \u{00A9}\u{FE0F}",
    ),
    ("Hindi", "क्‍ष और र्‍य, हिन्दी में लिखो"),
    ("Malayalam", "അവന്‍ പറഞ്ഞു"),
    ("Sinhala", "ශ්‍රී ලංකා"),
    ("Bengali", "র‍্যাব"),
    ("Persian", "می‌خواهم کتاب‌ها را بخوانم"),
    ("Persian plural of a Latin word", "PDF‌ها"),
    ("Arabic with marks", "مرحبا \u{200F}(C++)\u{200F} هنا"),
    ("Hebrew with a mark", "שלום C++\u{200E} עולם"),
    ("Khmer", "ភាសា\u{200B}ខ្មែរ"),
    ("Thai", "ภาษา\u{200B}ไทย"),
    ("Mongolian", "ᠮᠣᠩᠭᠣᠯ\u{180E}ᠠ"),
    ("Japanese name variant", "葛\u{E0100}城市"),
    ("CJK compatibility variant", "神\u{FE00}"),
    ("file with a byte order mark", "\u{FEFF}# Title\n"),
    ("wide spaces", "a\u{00A0}b\u{3000}c\u{2009}d"),
];

/// Texts that carry something unseen.
const HIDDEN: &[(&str, &str)] = &[
    ("tag letters", "hi\u{E0068}\u{E0069}"),
    (
        "tag letters after a flag without a close",
        "\u{1F3F4}\u{E0067}\u{E0062}",
    ),
    (
        "seven tag letters after a flag",
        "\u{1F3F4}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E007F}",
    ),
    (
        "capital tag letters after a flag",
        "\u{1F3F4}\u{E0041}\u{E0042}\u{E007F}",
    ),
    ("language tag", "\u{E0001}x"),
    ("override", "abc\u{202E}def\u{202C}"),
    ("isolates", "\u{2066}x\u{2069}"),
    ("isolates in Hebrew", "שלום \u{2067}x\u{2069}"),
    ("mark in Latin text", "a\u{200F}b"),
    ("two marks in Hebrew", "שלום\u{200F}\u{200F}"),
    ("zero-width spaces", "pass\u{200B}\u{200B}word"),
    ("one zero-width space", "to\u{200B}ken"),
    ("word joiner, soft hyphen", "a\u{2060}b\u{00AD}c"),
    ("byte order mark inside", "a\u{FEFF}b"),
    ("joiner in Latin", "a\u{200D}b\u{200C}c"),
    ("joiners in a row", "\u{1F468}\u{200D}\u{200D}\u{1F469}"),
    ("joiner at the end", "\u{1F468}\u{200D}"),
    (
        "selectors in a row",
        "\u{1F600}\u{FE0F}\u{FE01}\u{E0101}\u{E0102}",
    ),
    ("selector after a letter", "a\u{FE0F}b\u{E0110}"),
    ("keycap without its cap", "1\u{FE0F}2"),
    ("escape sequence", "\u{1B}[31mred\u{7}\u{0}"),
    ("C1 control", "a\u{9B}b"),
    ("line separators", "one\u{2028}two\u{2029}three\u{85}four"),
    ("annotation", "\u{FFF9}base\u{FFFA}note\u{FFFB}"),
    ("Hangul filler", "a\u{3164}b\u{115F}\u{FFA0}"),
    ("invisible times", "a\u{2062}b"),
    ("deprecated format", "a\u{206A}b"),
    (
        "hidden between emoji and joiner",
        "\u{1F468}\u{200D}\u{202E}\u{1F469}",
    ),
];

#[test]
fn honest_text_survives_byte_for_byte() {
    for (name, text) in HONEST {
        assert_eq!(find(text), [], "{name}");
        assert_eq!(clean(text).text, *text, "{name}");
        assert!(clean(text).notice().is_none(), "{name}");
    }
}

#[test]
fn hidden_text_goes() {
    let table: String = HIDDEN
        .iter()
        .map(|(name, text)| {
            let cleaned = clean(text);
            format!(
                "{name}: {:?} ({})\n",
                cleaned.text,
                cleaned.notice().unwrap_or_default()
            )
        })
        .collect();
    insta::assert_snapshot!(table, @r#"
    tag letters: "hi" (2 tag characters)
    tag letters after a flag without a close: "🏴" (2 tag characters)
    seven tag letters after a flag: "🏴" (8 tag characters)
    capital tag letters after a flag: "🏴" (3 tag characters)
    language tag: "x" (1 tag character)
    override: "abcdef" (2 direction controls)
    isolates: "x" (2 direction controls)
    isolates in Hebrew: "שלום x" (2 direction controls)
    mark in Latin text: "ab" (1 direction control)
    two marks in Hebrew: "שלום\u{200f}" (1 direction control)
    zero-width spaces: "password" (2 zero-width characters)
    one zero-width space: "token" (1 zero-width character)
    word joiner, soft hyphen: "abc" (2 zero-width characters)
    byte order mark inside: "ab" (1 zero-width character)
    joiner in Latin: "abc" (2 stray joiners)
    joiners in a row: "👨\u{200d}👩" (1 stray joiner)
    joiner at the end: "👨" (1 stray joiner)
    selectors in a row: "😀\u{fe0f}" (3 variation selectors)
    selector after a letter: "ab" (2 variation selectors)
    keycap without its cap: "12" (1 variation selector)
    escape sequence: "[31mred" (3 control characters)
    C1 control: "ab" (1 control character)
    line separators: "one two three four" (3 line separators)
    annotation: "basenote" (3 formatting marks)
    Hangul filler: "ab" (3 invisible letters)
    invisible times: "ab" (1 invisible operator)
    deprecated format: "ab" (1 formatting mark)
    hidden between emoji and joiner: "👨\u{200d}👩" (1 direction control)
    "#);
}

#[test]
fn places_are_lines_and_characters() {
    let found: Vec<String> = find("a\nüb\u{200B}\u{202E}\n\u{E0041}")
        .iter()
        .map(|hidden| {
            format!(
                "{}:{} {:?} {}",
                hidden.line, hidden.column, hidden.range, hidden.kind
            )
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"), @"
    2:3 5..8 zero-width character
    2:4 8..11 direction control
    3:1 12..16 tag character
    ");
}

#[test]
fn a_payload_of_any_length_is_quick_and_gone() {
    let payload: String = ["\u{E0041}", "\u{200B}", "\u{200D}", "\u{FE0F}", "\u{200F}"]
        .concat()
        .repeat(50_000);
    let cleaned = clean(&payload);
    assert!(cleaned.text.is_empty());
    assert_eq!(cleaned.removed, 250_000);
    assert_eq!(cleaned.kinds.len(), 5);
    assert_eq!(cleaned.kinds[0], (Kind::Tag, 50_000));
}

/// Characters that meet in every order: candidates and those that speak for them.
const MIXED: &str = "[a1 \n\u{05D0}\u{0645}\u{0915}\u{094D}\u{0E01}\u{1820}\u{845B}\u{1F468}\u{1F3F4}\u{20E3}\
\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{202E}\u{2066}\u{2060}\u{FEFF}\u{00AD}\u{034F}\u{180E}\u{180B}\u{FE0F}\u{FE00}\u{E0100}\
\u{E0067}\u{E0062}\u{E007F}\u{2028}\u{0007}\u{3164}\u{2062}\u{FFF9}]{0,24}";

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(4_000))]

    #[test]
    fn cleaning_twice_is_cleaning_once(text in MIXED) {
        let once = clean(&text).text.into_owned();
        proptest::prop_assert_eq!(find(&once), []);
        proptest::prop_assert_eq!(clean(&once).text, once.as_str());
    }

    #[test]
    fn what_is_visible_stays(text in "\\PC{0,40}") {
        let visible = |text: &str| text.chars().filter(|character| character.is_alphanumeric() && !matches!(character, '\u{3164}' | '\u{FFA0}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}')).collect::<String>();
        proptest::prop_assert_eq!(visible(&clean(&text).text), visible(&text));
    }
}

/// Texts are looked at many bytes at a time; wherever in such a piece it stands, nothing slips through.
#[test]
fn a_hidden_character_is_found_at_every_offset() {
    for hidden in ["\u{1}", "\u{7f}", "\u{ad}", "\u{200b}", "\u{e0041}"] {
        for at in 0..70 {
            let text = format!("{}{hidden}{}", "a".repeat(at), "b".repeat(70 - at));
            let found = memdir_memory::hidden::find(&text);
            assert_eq!(found.len(), 1, "{hidden:?} at {at}");
            assert_eq!(found[0].range.start, at, "{hidden:?} at {at}");
        }
    }
    let plain = "é — 漢字\ttab\r\n".repeat(20);
    assert_eq!(memdir_memory::hidden::find(&plain), []);
}
