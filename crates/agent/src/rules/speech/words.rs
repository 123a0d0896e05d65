//! The words by which a text is known that the user hands over; `;` stands between two.

pub(super) const REASONS: &str = "\
    because ; the reason ; reason:; otherwise ; last time ; 因为; 否则; 不然; 原因";

pub(super) const TEXT_TO_WORK_ON: &str = "\
    translate; summarize; summarise; paraphrase; rewrite; rephrase; proofread; reword; polish; \
    shorten this; grammar; spell check; tl;dr; what does this mean; explain this; review this; \
    here is the; here's the; here is my; here's my; here is an; here's an; the following; below is; \
    i got this; i received; this email; this message; this text; this paragraph; the log says; \
    the output; it says; it printed; he wrote; she wrote; they wrote; the docs say; the readme says; 翻译; \
    总结; 概括; 润色; 改写; 校对; 解释一下; 解释下面; 以下; 如下; 下面; 这段; 这封; 这篇; 文档说; 日志";

pub(super) const TEXT_WORK: &str = "\
    translate; summarize; summarise; paraphrase; proofread; rephrase; reword; 翻译; 总结; 概括; 润色; 校对; 改写";
