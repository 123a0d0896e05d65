//! Chat services and their webhooks.

use super::Rule;

/// How the first part of a Discord token begins: Base64 of a number of at least three digits.
const DISCORD_STARTS: &[&str] = &[
    "MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI",
    "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk", "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU",
    "MzY", "Mzc", "Mzg", "Mzk", "MDA", "MDE", "MDI", "MDM", "MDQ", "MDU", "MDY", "MDc", "MDg",
    "MDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk", "NjA", "NjE",
    "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ",
    "NzU", "NzY", "Nzc", "Nzg", "Nzk", "NDA", "NDE", "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc",
    "NDg", "NDk", "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk", "OjA",
    "OjE", "OjI", "OjM", "OjQ", "OjU", "OjY", "Ojc", "Ojg", "Ojk", "OzA", "OzE", "OzI", "OzM",
    "OzQ", "OzU", "OzY", "Ozc", "Ozg", "Ozk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY",
    "ODc", "ODg", "ODk",
];

pub(super) const RULES: &[Rule] = &[
    Rule::token("slack-bot-token", "Slack bot token", &["xoxb-"], 32, "xoxb-[0-9]{8,14}-[0-9A-Za-z-]{18,80}").entropy(28),
    Rule::token("slack-config-token", "Slack configuration token", &["xoxe.", "xoxe-"], 50, r"xoxe(?:\.xox[bp])?-[0-9]-[A-Za-z0-9]{100,200}").entropy(35),
    Rule::token("slack-app-token", "Slack app-level token", &["xapp-"], 50, "xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,14}-[0-9a-z]{40,70}"),
    Rule::token("slack-user-token", "Slack user token", &["xoxp-", "xoxc-", "xoxd-", "xoxe-"], 40, "(?:xox[pcd]-[0-9A-Za-z%/+=-]{36,250}|xoxe(?:-[0-9]{10,13}){3}-[0-9a-zA-Z-]{28,34})").entropy(28),
    Rule::token("slack-legacy-token", "Slack legacy token", &["xoxo-", "xoxs-", "xoxa-", "xoxr-"], 17, "xox[osar]-(?:[0-9]-)?[0-9A-Za-z-]{12,160}").entropy(28),
    Rule::token("slack-webhook", "Slack webhook address", &["hooks.slack.com/"], 50, r"hooks\.slack\.com/((?:services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{18,28})|(?:services|workflows|triggers)/[A-Za-z0-9+/]{36,90})").entropy(30),
    Rule::token("discord-bot-token", "Discord bot token", DISCORD_STARTS, 60, r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}").entropy(38),
    Rule::around("discord-webhook", "Discord webhook address", &["/api/webhooks/"], 24, r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,80})").entropy(35),
    Rule::around("telegram-bot-token", "Telegram bot token", &[":AA"], 13, r"(?:\bbot)?([0-9]{8,10}:AA[A-Za-z0-9_-]{33})").least(36).entropy(35),
    Rule::around("teams-webhook", "Microsoft Teams webhook address", &[".webhook.office.com/", "outlook.office"], 60, r"(?:[a-z0-9-]+\.webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)/([0-9a-z-]{36}@[0-9a-z-]{36}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36})").span(300),
    Rule::around("mattermost-webhook", "chat webhook address", &["/hooks/"], 80, r"https?://[\w.:-]{4,70}/hooks/([a-z0-9]{26})").least(33).entropy(33),
    Rule::token("chat-robot-webhook", "chat webhook address", &["open.feishu.cn/", "open.larksuite.com/", "oapi.dingtalk.com/", "qyapi.weixin.qq.com/"], 40, r"[a-z.]+/[\w./?-]{4,60}(?:hook/|access_token=|key=)([0-9a-f-]{32,64})").entropy(28),
    Rule::token("google-chat-webhook", "Google Chat webhook address", &["chat.googleapis.com/"], 60, r"chat\.googleapis\.com/v1/spaces/[\w-]+/messages\?[^\s\x22']{0,80}token=([\w%=-]{36,60})").entropy(33),
    Rule::token("automation-webhook", "webhook address", &["maker.ifttt.com/", "hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/", "hook.us2.make.com/", "hooks.airtable.com/"], 30, r"[a-z0-9.]+/(?:trigger/[\w-]+/(?:json/)?with/key/|workflows/v1/genericWebhook/app\w+/wfl\w+/)?([\w-]{17,60})").entropy(30),
    Rule::token("zapier-webhook", "Zapier webhook address", &["hooks.zapier.com/"], 36, r"hooks\.zapier\.com/hooks/catch/([0-9]{5,9}/[A-Za-z0-9]{6,12})").entropy(28),
];
