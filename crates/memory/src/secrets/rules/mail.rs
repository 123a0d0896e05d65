//! Mail, messages and telephony.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "sendgrid-key",
        "SendGrid key",
        &["SG."],
        66,
        r"SG\.[A-Za-z0-9_=.-]{64,70}",
    )
    .entropy(38),
    Rule::token(
        "mailgun-key",
        "Mailgun key",
        &["key-"],
        36,
        "key-[0-9a-f]{32}",
    ),
    Rule::around(
        "mailchimp-key",
        "Mailchimp key",
        &["-us"],
        32,
        r"\b[0-9a-f]{32}-us[0-9]{1,2}",
    ),
    Rule::token(
        "brevo-key",
        "Brevo key",
        &["xkeysib-", "xsmtpsib-"],
        80,
        "x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
    ),
    Rule::token(
        "resend-key",
        "Resend key",
        &["re_"],
        30,
        "re_[A-Za-z0-9]{8,10}_[A-Za-z0-9]{20,28}",
    )
    .entropy(35),
    Rule::token(
        "twilio-key",
        "Twilio API key",
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb",
            "SKc", "SKd", "SKe", "SKf",
        ],
        34,
        "SK[0-9a-fA-F]{32}",
    ),
    Rule::token(
        "customerio-key",
        "Intercom or Customer.io token",
        &["dG9rO"],
        60,
        "dG9rO[A-Za-z0-9+/]{50,70}={0,2}",
    )
    .entropy(33),
];
