//! Messages of commits: full of tokens, keys, hashes and addresses, and without a secret.

use memdir_memory::secrets::scan;

use super::fakes::{Random, fill};

const SUBJECTS: &[&str] = &[
    "Fix token refresh after {d2} minutes",
    "Bump tokio from 1.{d2}.0 to 1.{d2}.1",
    "auth: rotate the API key when the server says so (#{d4})",
    "Revert \"Cache the secret key per region\"",
    "feat(login): password must have 12+ characters",
    "Rename API_KEY to ACME_API_KEY",
    "chore: read TWITTER_TOKEN from the environment",
    "heroku: set the token by `heroku config:set KEY=...`",
    "Use secrets.GITHUB_TOKEN instead of secrets.PAT_{d2}",
    "Merge branch 'fix-token-{d4}' into main",
    "deps: update jsonwebtoken to v{d1}.{d1}.{d1}",
    "Docs: how to pass --token and --password-file",
    "Store the jira key PROJ-{d4} with the branch",
    "ci: password=$DB_PASSWORD in the test job",
    "Parse postgres://user:pass@host/db in the tests",
    "Parser: Token::Ident => Token::Key",
    "Linear search: key = table[i].key; token = next()",
    "sentry: drop events whose key is null",
];

const BODIES: &[&str] = &[
    "",
    "This reverts commit {x40}.",
    "(cherry picked from commit {x40})",
    "Change-Id: I{x40}",
    "Fixes: {x12} (\"crypto: free the key on error\")",
    "Signed-off-by: Ada Lovelace <ada@acme.io>\nCo-authored-by: Bob <bob+{d7}@users.noreply.acme.io>",
    "Link: https://lore.acme.io/r/{d14}.{d5}-1-ada@acme.io",
    "git-svn-id: https://svn.acme.io/repo/trunk@{d5} {g0}",
    "The token was kept in the session {g0}; now it is dropped.",
    "sha256 of the archive: {x64}",
    "Before: key={d3} token={d4}; after: key={d3} token={d5}.",
    "See https://acme.io/pull/{d4}#discussion_r{d9} and docs/secrets.md.",
    "Set `password: {{ .Values.password }}` or `password: ${DB_PASSWORD}`.",
    "Authorization: Bearer <token> is now required; basic authentication is gone.",
    "curl -u user:password https://acme.io still works, so does curl -u $USER:$PASS.",
    "api_key = os.environ[\"API_KEY\"]; client_secret = getSecretFromVault()",
    "| key | value |\n|---|---|\n| token | the one of the service |",
    "Tested-by: CI run {d10}, job {g0}",
];

#[test]
fn of_three_thousand_commit_messages_none_is_flagged() {
    let mut random = Random::new(12);
    let mut flagged = Vec::new();
    for _ in 0..3_000 {
        let form = format!("{}\n\n{}", random.pick(SUBJECTS), random.pick(BODIES));
        let message = fill(&form, &mut random);
        if !scan(&message).is_empty() {
            flagged.push((scan(&message), message));
        }
    }
    println!("{} of 3000 commit messages flagged", flagged.len());
    assert!(flagged.is_empty(), "{flagged:#?}");
}
