//! The most tokens that a request may be billed for, before anybody has counted them.
//!
//! No tokeniser in use makes more tokens than there are bytes. Of text that people and programs write it makes far fewer, and a
//! budget that reckons with bytes would refuse most of what it could pay for. So ASCII counts as twice what the estimate
//! without a table says (the newest tokenisers make a third more than the one it was fitted to), all else as its bytes, and
//! no text as more than its bytes.

use memdir_conversation::tokens::{Classes, Estimate};
use memdir_model::Body;
use serde_json::Value;

/// What a provider puts around a request: its own words about tools and thinking.
const FRAME: u64 = 1_000;
/// What stands around a part: quotes, commas, the roles of messages.
const PART: u64 = 4;
/// More than any picture is known to cost.
const PICTURE: u64 = 5_000;

/// The worst case of a request's input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Worst {
    /// How many tokens.
    pub(crate) tokens: u64,
    /// Whether some of them are to stay in the cache for an hour, which costs more.
    pub(crate) hour: bool,
}

impl Worst {
    pub(crate) fn of(body: &Body) -> Self {
        let mut worst = Self {
            tokens: FRAME,
            hour: false,
        };
        match serde_json::from_str(&body.json) {
            Ok(value) => worst.add(&value),
            // The input of a program: plain text.
            Err(_) => worst.text(&body.json),
        }
        worst
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(fields) => {
                let kind = fields.get("type").and_then(Value::as_str);
                if matches!(kind, Some("image" | "image_url" | "input_image")) {
                    // Its size in bytes says nothing.
                    self.tokens += PICTURE;
                    fields
                        .get("cache_control")
                        .iter()
                        .for_each(|mark| self.add(mark));
                    return;
                }
                for (name, value) in fields {
                    if name == "ttl" && value == "1h" {
                        self.hour = true;
                    }
                    self.text(name);
                    self.add(value);
                }
            }
            other => self.text(&other.to_string()),
        }
    }

    fn text(&mut self, text: &str) {
        let bytes = text.len() as u64;
        let others: usize = text.bytes().filter(|byte| !byte.is_ascii()).count();
        let estimate = 2 * Classes.text(text) + others as u64;
        self.tokens += PART + estimate.min(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_conversation::tokens::Pairs;
    use proptest::prelude::*;

    fn of(text: &str) -> u64 {
        let mut worst = Worst::default();
        worst.text(text);
        worst.tokens - PART
    }

    /// Texts of each kind that agents send, and some that nobody would.
    fn kinds() -> Vec<(&'static str, String)> {
        let mixed = |seed: u64, letters: &str, length: usize| -> String {
            let letters: Vec<char> = letters.chars().collect();
            let mut state = seed;
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                letters[usize::try_from(state >> 33).unwrap() % letters.len()]
            };
            (0..length).map(|_| next()).collect()
        };
        let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        vec![
            (
                "prose",
                "The release went out late because nobody had looked at the queue. ".repeat(40),
            ),
            ("code", include_str!("worst.rs").to_owned()),
            (
                "data",
                r#"{"id":1,"x":[0.25,-3,null],"ok":true},"#.repeat(60),
            ),
            ("base64", mixed(1, base64, 3000)),
            ("hex", mixed(2, "0123456789abcdef", 3000)),
            ("digits", mixed(3, "0123456789", 3000)),
            ("marks", mixed(4, "{}[]()<>;:,.!?#$%&*+-=/|~^", 3000)),
            ("capitals", mixed(5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 3000)),
            (
                "Chinese",
                "我们每周四发布新版本，除非测试没有通过；数据库的备份在另一台机器上。".repeat(40),
            ),
            (
                "Japanese",
                "毎週木曜日にリリースします。テストが通らない場合は延期です。".repeat(40),
            ),
            (
                "Korean",
                "매주 목요일에 배포합니다. 테스트가 실패하면 미룹니다.".repeat(40),
            ),
            (
                "Russian",
                "Мы выпускаем новую версию каждый четверг, если тесты прошли. ".repeat(40),
            ),
            (
                "Greek",
                "Κυκλοφορούμε νέα έκδοση κάθε Πέμπτη, αν περάσουν οι δοκιμές. ".repeat(40),
            ),
            (
                "German",
                "Wir veröffentlichen donnerstags, außer die Prüfungen schlagen fehl. ".repeat(40),
            ),
            (
                "Vietnamese",
                "Chúng tôi phát hành vào thứ Năm nếu các bài kiểm tra đều đạt. ".repeat(40),
            ),
            (
                "Arabic",
                "نصدر نسخة جديدة كل يوم خميس إذا نجحت الاختبارات. ".repeat(40),
            ),
            ("Hindi", "हम हर गुरुवार को नया संस्करण जारी करते हैं। ".repeat(40)),
            ("Thai", "เราออกเวอร์ชันใหม่ทุกวันพฤหัสบดีถ้าการทดสอบผ่าน ".repeat(40)),
            ("emoji", "🚀🧪👩‍💻🇯🇵✅⚠️🫠".repeat(60)),
            (
                "rare ideographs",
                mixed(6, "龘靐齉爩麤灪龖厵滟爨癵驫讟钃鱻", 800),
            ),
            ("hieroglyphs", mixed(7, "𓀀𓁐𓂋𓃭𓄿𓅓𓆑𓇋𓈖𓉔", 800)),
        ]
    }

    /// What is reserved for each kind, against the tokeniser's count with a third more, as the newest make.
    #[test]
    fn no_kind_of_text_is_under_what_is_billed() {
        let pairs = Pairs;
        for (kind, text) in kinds() {
            // No tokeniser makes more tokens than bytes, however much more than this one it makes.
            let billed = (pairs.text(&text) * 135 / 100).min(text.len() as u64);
            let (reserved, bytes) = (of(&text), text.len());
            println!("{kind:16} {bytes:6} bytes, {billed:6} billed, {reserved:6} reserved");
            assert!(reserved >= billed, "{kind}: {reserved} of {billed}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_more_than_its_bytes_and_none_is_nothing(text in "\\PC{0,200}") {
            prop_assert!(of(&text) <= text.len() as u64);
            prop_assert!(text.trim().is_empty() || of(&text) > 0);
        }
    }

    #[test]
    fn a_picture_counts_as_one_and_an_hour_is_noticed() {
        let data = "A".repeat(100_000);
        let json = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"what is it"}},
            {{"type":"image","source":{{"type":"base64","data":"{data}"}},"cache_control":{{"type":"ephemeral","ttl":"1h"}}}}]}}]}}"#
        );
        let worst = Worst::of(&Body::raw(json.as_str().into(), Vec::new(), 1));
        assert!(
            worst.hour && worst.tokens < PICTURE + 2 * FRAME,
            "{worst:?}"
        );
        let plain = json.replace(r#","ttl":"1h""#, "");
        assert!(!Worst::of(&Body::raw(plain.as_str().into(), Vec::new(), 1)).hour);
    }
}
