//! Words that hold sentences together and say nothing about their subject.

use std::collections::HashSet;
use std::sync::LazyLock;

/// English first, question words included; then German, French, Spanish, Italian, Portuguese, Dutch, Russian, Greek.
/// Folded, as terms are before they are stemmed. `table/make.py` reads it too.
const WORDS: &str = include_str!("stop.txt");

static STOP_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| WORDS.split_whitespace().collect());

/// Pairs of characters that are grammar in Chinese, Japanese or Korean.
const PAIRS: &str = "\
    什么 怎么 么样 为什 哪里 哪个 哪些 我们 你们 他们 这个 那个 这些 那些 可以 应该 需要 是否 如何 多少 几个 时候 没有 一个 是什 的是 了吗 请问 \
    です ます した して する ます ませ せん いる ある こと もの から まで どう どこ なに です って ない くだ ださ さい これ それ ので でし まし ょう \
    した たい には では とは のは を何 何で とき にす るか すか ため よう うに うな いて てい いま なる なっ った \
    습니 니다 합니 입니 하는 에서 으로 하고 해요 세요 무엇 어떻 떻게 언제 어디 누가 우리 있는 있습 없습 까요 나요 니까 습니 하나 인가 가요 에는 에게 이다 했다 한다 하기 할까 해야 는지";

static EMPTY_PAIRS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| PAIRS.split_whitespace().collect());

/// Whether a folded word only holds sentences together.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Whether a pair of characters is grammar.
pub(crate) fn is_empty_pair(pair: &str) -> bool {
    EMPTY_PAIRS.contains(pair)
}
