//! Passwords as people mention and paste them, and what only looks so.

use memdir_memory::secrets::{redact, scan};

use super::fakes::{Random, fill};

/// Each with a place for a random value.
const MENTIONS: &[&str] = &[
    "password:\n  {p14}",
    "Password:\n\n{a20}\n",
    "- user: bob\n- pass: {p14}",
    "pass = \"{p14}\"",
    "pw: {p14}",
    "ADMIN_PW={p14}",
    "the root password is now {p14}",
    "I changed the db password to {p14}, always use it",
    "use {p14} as the password for staging",
    "\"{p14}\" is the password for root",
    "staging admin (password {p14})",
    "admin password - {p14}",
    "we set the db password as {p14} yesterday",
    "log in as bob with the password `{p14}`",
    "| user | password |\n|---|---|\n| bob | {p14} |",
    "| user | password | host |\n|:--|---|---|\n| bob | secret | a |\n| eve | `{p14}` | b |",
    "user,password\nbob,{p14}",
    "user,password,role\nbob,{a16},admin\n",
    "ALTER USER app WITH PASSWORD '{p14}';",
    "CREATE USER app IDENTIFIED BY '{p14}'",
    "curl -su bob:{p14} https://x.acme.io",
    "aws configure set aws_secret_access_key {b40}",
    "set -x GITHUB_TOKEN {a40}",
    "set -gx DB_PASSWORD {p14}",
    "redis-cli -h cache -a {a20} ping",
    "sqlcmd -S srv -U sa -P {p14}",
    "Cookie: session={a40}",
    "Cookie: theme=dark; sessionid={a32}; lang=en",
    "Authorization: Bearer\n  {a40}",
    "bob:{a14}@db.acme.io:5432/x",
];

#[test]
fn passwords_mentioned_in_prose_tables_and_commands_were_kept() {
    let mut random = Random::new(31);
    let mut missed = Vec::new();
    for form in MENTIONS {
        let (head, tail) = form.split_once('{').expect("a place");
        let (place, tail) = tail.split_once('}').expect("its end");
        let mut lost = 0;
        for _ in 0..20 {
            let value = fill(&format!("{{{place}}}"), &mut random);
            let text = format!("Note.\n\n{head}{value}{tail}");
            let left = redact(&text).text.into_owned();
            lost += usize::from(left.contains(&value));
        }
        // By chance a value looks like a word, an expression or a placeholder.
        if lost > 2 {
            missed.push((form, lost));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn code_addresses_and_paths_were_taken_for_secrets() {
    for text in [
        "tokenizer = AutoTokenizer.from_pretrained(\"sentence-transformers/all-MiniLM-L6-v2\")",
        "tokenizer_name: meta-llama/Llama-3.1-8B-Instruct",
        "TOKEN_CONTRACT=0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "token: 0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "S3 key: uploads/2026/11/18/8f14e45fceea167a5a36dedd4bea2543.png",
        "pass: 42, fail: 3, skipped: 7 was the result of the nightly",
        "pass the --no-verify2 flag; bypass: Cloudflare-2026-Q4x",
        "password:\n  secretKeyRef:\n    name: db-2026",
        "passwords:\n\nRotate them every 90 days.",
        "we changed the password to be 12+ characters",
        "use argon2id as the password hash",
        "use Bitwarden2026 as the password manager",
        "| token | meaning |\n|---|---|\n| IDENT_2 | a name |",
        "| user | password |\n|---|---|\n| bob | see vault/prod-2026 |",
        "cookie: we set session, csrftoken and theme; SameSite=Lax",
        "Authorization: Bearer\n\nThe token comes from the vault.",
        "postgres://localhost:5432/app and user:password@localhost:5432/app",
        "mail ada@example.com:5432, see a:b@c:5432",
        "ALTER ROLE app PASSWORD NULL is what we ran",
        "set -x GITHUB_TOKEN (gh auth token)",
        "curl -su $USER:$PASS https://x.acme.io",
    ] {
        assert!(scan(text).is_empty(), "{text}: {:?}", scan(text));
    }
}
