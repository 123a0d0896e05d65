//! The words by which a text is known that the user hands over; `;` stands between two.

use crate::rules::phrases::Phrases;

pub(in crate::rules) static REASONS: Phrases = Phrases::of(
    "\
    because; the reason; reason; otherwise; last time; that's because; we got burned; it breaks; 因为; 否则; 不然; 原因; 要不然",
);

pub(in crate::rules) static TEXT_TO_WORK_ON: Phrases = Phrases::of(
    "\
    translate; summarize; summarise; paraphrase; rewrite; rephrase; proofread; reword; polish; shorten this; grammar; \
    spell check; tldr; tl,dr; what does this mean; explain this; review this; here is the; here's the; here is my; here's my; \
    here is an; here's an; here is a; here's a; the following; below is; i got this; i received; this email; this message; this text; \
    this paragraph; the log says; the output; it says; it printed; he wrote; she wrote; they wrote; the docs say; the readme says; \
    this page; this prompt; this ticket; this issue; this comment; this thread; this file; this config; this snippet; this error; \
    got this; from the docs; from the readme; sent me; check this; what about this; does this; is this; the email; my email; my cover letter; cover letter; \
    the ticket; the transcript; transcript; release notes; blog post; 翻译; 总结; 概括; 润色; 改写; 校对; 解释一下; 解释下面; 以下; 如下; 下面; \
    这段; 这封; 这篇; 文档说; 日志; 这个网页; 检查下; 看看这; 原文; 邮件; 聊天记录; 输出; 报错; 提示词",
);

pub(in crate::rules) static TEXT_WORK: Phrases = Phrases::of(
    "\
    translate; summarize; summarise; paraphrase; proofread; rephrase; reword; tldr; tl,dr; 翻译; 总结; 概括; 润色; 校对; 改写",
);

/// Rules that the user gives as a list are theirs.
pub(in crate::rules) static OWN_LISTS: Phrases = Phrases::of(
    "\
    remember; keep in mind; from now on; going forward; these rules; follow these; some rules; a few rules; my preferences; \
    a few things; some things; for future; 记住; 以后; 从现在; 遵守; 规则如下; 几点要求",
);

pub(in crate::rules) static LINES_TO_COME: Phrases = Phrases::of(
    "\
    write; create; add; generate; make; put; insert; implement; build; draft; update; include; document; print; output; \
    render; say; test; return; append; paste; change it to; set it to; use this; replace; can you add; can you write; could you add; \
    please add; please write; please create; please make; now add; also add; 写; 加; 生成; 添加; 把; 改成; 帮我写; 帮我加; 在; 给",
);

/// What a text is that someone else will read or run.
pub(in crate::rules) static PRODUCTS: Phrases = Phrases::of(
    "\
    system prompt; prompt; readme; contributing; contributing.md; readme.md; claude.md; agents.md; comment; docstring; tooltip; \
    banner; label; placeholder; dialog; email; tweet; slide; seed data; fixture; test case; test cases; unit test; error message; \
    help text; copy; headline; faq; corpus; sample; samples; example lines; 系统提示词; 提示词; 注释; 文案; 邮件; 提示语; 说明文档",
);

/// Someone else's words follow.
pub(in crate::rules) static REPORTED: Phrases = Phrases::of(
    "\
    wrote; writes; says; said; reads; sent; replied; replies; posted; got; received; asks; asked; complains; printed; shows; prints; \
    returns; outputs; answered; told me; quoting; quote; excerpt; 写道; 说; 回复; 发来; 打印; 显示; 提示; 收到; 返回; 原话; 摘自; 来自",
);

/// A text is shown.
pub(in crate::rules) static HANDED: Phrases = Phrases::of(
    "here is; here's; this is; below is; look at; have a look at; take; consider; 这是; 下面是; 看看; 看下",
);

/// A text is to be made better.
pub(in crate::rules) static IMPROVED: Phrases = Phrases::of(
    "\
    improve it; improve this; fix it; fix this text; rewrite it; rewrite this; polish it; polish this; shorten it; shorten this; make it shorter; make it better; \
    make it sound; edit this; edit it; correct it; correct this; clean it up; tighten it; tighten this; 改一下; 改得; 优化一下; 润色一下; 改写一下",
);
