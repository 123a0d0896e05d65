//! From text to terms.

use memdir_recall::tokens::{LONGEST_TERM, for_each_term};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each_term(text, |term| terms.push(term.to_owned()));
    terms
}

#[test]
fn words_of_many_scripts_and_shapes() {
    let texts = [
        "What did the deployments break?",
        "Don't touch Caroline's branch",
        "parseHTTPRequest user_name kebab-case URLs k8s utf8 v2",
        "Ｆｕｌｌ－ｗｉｄｔｈ Ｌａｔｉｎ",
        "Café naïve Straße łódź",
        "Развёртывание серверов",
        "Αντίγραφα ασφαλείας",
        "数据库迁移",
        "レビューは必ず二人で行う",
        "테스트 없이 병합",
        "好",
        "3.11 and 2026-03-05",
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| format!("{text} -> {}", terms(text).join(" ")))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    What did the deployments break? -> deploy break
    Don't touch Caroline's branch -> touch carolin branch
    parseHTTPRequest user_name kebab-case URLs k8s utf8 v2 -> pars http request parsehttprequest user name usernam kebab case kebabcas url k8s utf utf8 v2
    Ｆｕｌｌ－ｗｉｄｔｈ Ｌａｔｉｎ -> full width fullwidth latin
    Café naïve Straße łódź -> cafe naiv strass lodz
    Развёртывание серверов -> развертыван сервер
    Αντίγραφα ασφαλείας -> αντιγραφ ασφαλει
    数据库迁移 -> 数据 据库 库迁 迁移
    レビューは必ず二人で行う -> レビ ビュ ュー ーは は必 必ず ず二 二人 人で で行 行う
    테스트 없이 병합 -> 테스 스트 없이 병합
    好 -> 好
    3.11 and 2026-03-05 -> 3 11 2026 03 05 20260305
    ");
}

#[test]
fn a_word_is_one_term_however_it_is_written() {
    for (a, b) in [
        ("deploying", "Deployed"),
        ("ｓｅｒｖｅｒ", "server"),
        ("résumé", "re\u{301}sume\u{301}"),
        ("развёртывание", "развертывания"),
        ("ﬁle", "file"),
        ("ΣΟΦΟΣ", "σοφός"),
        ("e-mail", "e-Mail"),
        ("soft\u{AD}hyphen", "softhyphen"),
        ("zero\u{200B}width", "zerowidth"),
    ] {
        assert_eq!(terms(a), terms(b), "{a} and {b}");
    }
}

proptest! {
    #[test]
    fn every_term_is_short_and_not_empty(text in "\\PC{0,200}") {
        for term in terms(&text) {
            prop_assert!(!term.is_empty() && term.len() <= LONGEST_TERM);
        }
    }

    #[test]
    fn compatibility_forms_make_no_difference(text in "\\PC{0,100}") {
        let normal: String = text.nfkc().collect();
        prop_assert_eq!(terms(&text), terms(&normal));
    }

    #[test]
    fn letter_case_of_a_plain_word_makes_no_difference(word in "[a-z]{1,20}") {
        prop_assert_eq!(terms(&word), terms(&word.to_uppercase()));
    }
}

/// Greek words as people and machines make them: endings that a stemmer cuts, accents, final forms, marks without a letter.
fn greek() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(vec![
        "ετε",
        "ητε",
        "αμε",
        "ανε",
        "ουσαν",
        "ηθηκα",
        "ιζω",
        "ισμος",
        "ματος",
        "ότατος",
        "ώτερος",
        "ούνται",
        "ας",
        "ΟΥΣ",
    ]);
    let letters = "[\u{370}-\u{3ff}\u{1f00}-\u{1fff}\u{300}-\u{345}]{0,12}";
    (letters, ending).prop_map(|(word, ending)| word + ending)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_word_of_any_script_panics(
        greek in prop::collection::vec(greek(), 0..4),
        cyrillic in "[\u{400}-\u{52f}\u{300}-\u{36f}]{0,16}",
        latin in "[a-zA-Z'’\u{c0}-\u{24f}\u{1e00}-\u{1eff}_-]{0,80}",
        any in r"\PC{0,40}",
        wild in prop::collection::vec(any::<char>(), 0..40),
    ) {
        let wild: String = wild.into_iter().collect();
        let text = format!("{} {cyrillic} {latin} {any}{wild}", greek.join(" "));
        for term in terms(&text) {
            prop_assert!(!term.is_empty() && term.len() <= LONGEST_TERM);
        }
    }
}

#[test]
fn greek_words_over_which_the_old_stemmer_panicked() {
    assert_eq!(terms("Αγαπητέ αντίθετε συνάδελφε, καλημέρα").len(), 4);
}
