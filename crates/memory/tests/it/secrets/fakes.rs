//! Secrets of every rule's format, made from a seed, so that none stands in the repository.
//!
//! A form is text with places: `{a36}` is 36 letters and digits. Classes: `a` letters and digits,
//! `l` small letters and digits, `U` capitals and digits, `u` Base32, `x` hexadecimal, `X` capital
//! hexadecimal, `d` digits, `w` letters, digits, `_` and `-`, `b` Base64, `q` Bech32, `p` a
//! password with signs, `g` a UUID (the number is ignored).

/// A small generator of the same numbers on every machine (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub(super) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet = alphabet.as_bytes();
        (0..length)
            .map(|_| char::from(alphabet[self.below(alphabet.len())]))
            .collect()
    }
}

const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
const CAPITAL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
pub(super) const HEX: &str = "0123456789abcdef";

/// Fills the places of a form.
pub(super) fn fill(form: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = form;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open + 1..];
        let close = rest.find('}').unwrap_or(0);
        // A brace of the text itself is followed by something else.
        match rest.get(1..close).and_then(|length| length.parse().ok()) {
            Some(length) => {
                out.push_str(&place(
                    rest.chars().next().expect("a class"),
                    length,
                    random,
                ));
                rest = &rest[close + 1..];
            }
            None => out.push('{'),
        }
    }
    out + rest
}

fn place(class: char, length: usize, random: &mut Random) -> String {
    let alphanumeric = format!("{SMALL}{CAPITAL}{DIGITS}");
    match class {
        'a' => random.text(&alphanumeric, length),
        'l' => random.text(&format!("{SMALL}{DIGITS}"), length),
        'U' => random.text(&format!("{CAPITAL}{DIGITS}"), length),
        'u' => random.text(&format!("{CAPITAL}234567"), length),
        'x' => random.text(HEX, length),
        'X' => random.text("0123456789ABCDEF", length),
        'd' => random.text("123456789", 1) + &random.text(DIGITS, length - 1),
        'w' => {
            random.text(&format!("{alphanumeric}_-"), length - 1) + &random.text(&alphanumeric, 1)
        }
        'b' => random.text(&format!("{alphanumeric}+/"), length),
        'q' => random.text("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", length),
        'p' => password(length, random),
        'g' => [8, 4, 4, 4, 12]
            .map(|length| random.text(HEX, length))
            .join("-"),
        _ => panic!("no class {class}"),
    }
}

/// What a password manager makes: all four kinds of characters.
fn password(length: usize, random: &mut Random) -> String {
    random.text(CAPITAL, 1)
        + &random.text(DIGITS, 1)
        + &random.text("!#$%^&*", 1)
        + &random.text(SMALL, 1)
        + &random.text(&format!("{SMALL}{CAPITAL}{DIGITS}!#%^&*"), length - 5)
        + &random.text(SMALL, 1)
}

/// Each rule's id and the form of one of its secrets.
pub(super) fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORMS.iter().chain(super::services::FORMS).copied()
}

/// A rule's id and the form of one of its secrets.
const FORMS: &[(&str, &str)] = &[
    (
        "private-key-rsa",
        "-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b50}==\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "private-key-ec",
        "-----BEGIN EC PRIVATE KEY-----\n{b64}\n{b64}\n{b30}=\n-----END EC PRIVATE KEY-----",
    ),
    (
        "private-key-dsa",
        "-----BEGIN DSA PRIVATE KEY-----\n{b64}\n{b64}\n{b30}=\n-----END DSA PRIVATE KEY-----",
    ),
    (
        "private-key-openssh",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA{b46}\n{b70}\n{b12}\n-----END OPENSSH PRIVATE KEY-----",
    ),
    (
        "private-key-pgp",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{b64}\n{b64}\n={b4}\n-----END PGP PRIVATE KEY BLOCK-----",
    ),
    (
        "private-key-encrypted",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\n{b64}\n{b64}\n-----END ENCRYPTED PRIVATE KEY-----",
    ),
    (
        "private-key",
        "-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n-----END PRIVATE KEY-----\\n",
    ),
    (
        "private-key",
        "-----BEGIN PRIVATE KEY-----\n{b64}\n{b64}\n{b40}",
    ),
    ("putty-private-key", "Private-Lines: 2\n{b64}\n{b64}"),
    ("age-secret-key", "AGE-SECRET-KEY-1{q58}"),
    ("wireguard-private-key", "PrivateKey = {b42}A="),
    (
        "jwk-private-key",
        "{ \"kty\": \"EC\", \"crv\": \"P-256\", \"d\": \"{w43}\" }",
    ),
    ("aws-access-key", "AKIA{u16}"),
    ("aws-access-key", "ASIA{u16}"),
    ("aws-secret-key", "aws_secret_access_key = {b40}"),
    ("aws-secret-key", "\"SecretAccessKey\": \"{b40}\""),
    ("aws-session-token", "AWS_SESSION_TOKEN={b360}"),
    ("aws-bedrock-key", "ABSK{b128}="),
    ("gcp-api-key", "AIza{w35}"),
    ("gcp-oauth-token", "ya29.a0{w160}"),
    ("gcp-oauth-client-secret", "GOCSPX-{w28}"),
    ("gcp-refresh-token", "1//0{w99}"),
    ("gcp-service-account", "\"private_key_id\": \"{x40}\""),
    ("firebase-messaging-key", "AAAA{w7}:APA91b{w134}"),
    ("azure-client-secret", "{a3}8Q~{a34}"),
    ("azure-storage-key", "AccountKey={b86}=="),
    (
        "azure-sas",
        "https://acme.blob.core.windows.net/c?sv=2024-08-04&ss=b&sp=rl&sig={a43}%3D",
    ),
    ("azure-devops-token", "{a76}AZDO{a4}"),
    ("digitalocean-token", "dop_v1_{x64}"),
    ("alibaba-access-key", "LTAI{a20}"),
    ("tencent-secret-id", "AKID{a32}"),
    ("alibaba-secret-key", "accessKeySecret: {a30}"),
    ("cloudflare-token", "CLOUDFLARE_API_TOKEN={w40}"),
    ("cloudflare-global-key", "X-Auth-Key: {x37}"),
    ("cloudflare-origin-key", "v1.0-{x24}-{x146}"),
    ("fly-token", "FlyV1 fm2_{b120}"),
    ("fly-token", "fo1_{w43}"),
    ("heroku-token", "HRKU-{g0}"),
    ("heroku-key", "heroku api key: {g0}"),
    ("vercel-token", "vcp_{a56}"),
    ("vercel-key", "VERCEL_TOKEN={a24}"),
    ("netlify-token", "nfp_{a36}"),
    ("databricks-token", "dapi{x32}"),
    ("planetscale-token", "pscale_tkn_{w43}"),
    ("planetscale-token", "pscale_pw_{w43}"),
    ("supabase-token", "sbp_{x40}"),
    ("supabase-token", "sb_secret_{w31}"),
    ("neon-token", "napi_{l64}"),
    ("scaleway-key", "SCW{U17}"),
    ("linode-token", "LINODE_TOKEN={x64}"),
    ("hetzner-token", "HCLOUD_TOKEN={a64}"),
    ("render-key", "rnd_{a28}"),
    ("upstash-token", "ups_{a40}"),
    ("cockroach-key", "CCDB1_{a22}_{a40}"),
    ("github-personal-token", "ghp_{a36}"),
    ("github-fine-grained-token", "github_pat_{a22}_{a59}"),
    ("github-oauth-token", "gho_{a36}"),
    ("github-app-token", "ghs_{a36}"),
    ("github-app-token", "ghu_{a36}"),
    ("github-refresh-token", "ghr_{a76}"),
    ("gitlab-personal-token", "glpat-{w20}"),
    ("gitlab-deploy-token", "gldt-{w20}"),
    ("gitlab-runner-token", "glrt-{w20}"),
    ("gitlab-job-token", "glcbt-{a2}_{w20}"),
    ("gitlab-trigger-token", "glptt-{x40}"),
    ("gitlab-feed-token", "glft-{w20}"),
    ("gitlab-agent-token", "glagent-{w50}"),
    ("gitlab-agent-token", "gloas-{x64}"),
    ("atlassian-token", "ATATT3xFf{w180}={X8}"),
    ("bitbucket-token", "ATCTT3xFf{w180}={X8}"),
    ("bitbucket-token", "ATBB{a32}"),
    ("gitea-token", "gitea token: {x40}"),
    ("sourcegraph-token", "sgp_{x16}_{x40}"),
    ("buildkite-token", "bkua_{x40}"),
    ("circleci-token", "CCIPAT_{a22}_{x40}"),
    ("travis-token", "TRAVIS_TOKEN={a22}"),
    ("codecov-token", "CODECOV_TOKEN: {g0}"),
    ("sonar-token", "squ_{x40}"),
    ("anthropic-api-key", "sk-ant-api03-{w93}AA"),
    ("anthropic-admin-key", "sk-ant-admin01-{w93}AA"),
    ("anthropic-oauth-token", "sk-ant-oat01-{w93}AA"),
    ("openai-project-key", "sk-proj-{w74}T3BlbkFJ{w74}"),
    ("openai-service-key", "sk-svcacct-{w74}T3BlbkFJ{w74}"),
    ("openai-admin-key", "sk-admin-{w58}T3BlbkFJ{w58}"),
    ("openrouter-key", "sk-or-v1-{x64}"),
    ("langfuse-key", "sk-lf-{g0}"),
    ("openai-key", "sk-{a20}T3BlbkFJ{a20}"),
    ("openai-key", "sk-{x32}"),
    ("huggingface-token", "hf_{a34}"),
    ("replicate-token", "r8_{a37}"),
    ("groq-key", "gsk_{a52}"),
    ("perplexity-key", "pplx-{a48}"),
    ("xai-key", "xai-{a80}"),
    ("cerebras-key", "csk-{l48}"),
    ("fireworks-key", "fw_{a24}"),
    ("together-key", "tgp_v1_{w43}"),
    ("nvidia-key", "nvapi-{w64}"),
    ("voyage-key", "pa-{w43}"),
    ("langsmith-key", "lsv2_pt_{x32}_{x10}"),
    ("pinecone-key", "pcsk_{a6}_{a63}"),
    ("elevenlabs-key", "sk_{x48}"),
    ("tavily-key", "tvly-dev-{a32}"),
    ("jina-key", "jina_{x32}{w28}"),
    ("firecrawl-key", "fc-{x32}"),
    ("wandb-key", "wandb_v1_{a72}"),
    ("wandb-bare-key", "WANDB_API_KEY={x40}"),
    ("cohere-key", "COHERE_API_KEY={a40}"),
    ("mistral-key", "MISTRAL_API_KEY: {a32}"),
    ("deepgram-key", "DEEPGRAM_API_KEY={x40}"),
    ("assemblyai-key", "assemblyai key is {x32}"),
    ("slack-bot-token", "xoxb-{d12}-{d13}-{a24}"),
    ("slack-user-token", "xoxp-{d12}-{d12}-{d13}-{x32}"),
    ("slack-app-token", "xapp-1-A{U10}-{d13}-{x64}"),
    ("slack-config-token", "xoxe.xoxp-1-{a160}"),
    ("slack-legacy-token", "xoxa-2-{d12}-{d12}-{x32}"),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/T{U10}/B{U10}/{a24}",
    ),
    ("discord-bot-token", "MTE{a23}.G{w5}.{w38}"),
    (
        "discord-webhook",
        "https://discord.com/api/webhooks/{d19}/{w68}",
    ),
    ("telegram-bot-token", "{d10}:AA{w33}"),
    (
        "teams-webhook",
        "https://acme.webhook.office.com/webhookb2/{g0}@{g0}/IncomingWebhook/{x32}/{g0}",
    ),
    ("mattermost-webhook", "https://chat.acme.io/hooks/{l26}"),
    (
        "zapier-webhook",
        "https://hooks.zapier.com/hooks/catch/{d7}/{a7}/",
    ),
    ("stripe-live-key", "sk_live_{a24}"),
    ("stripe-live-key", "sk_live_51{a97}"),
    ("stripe-test-key", "sk_test_{a24}"),
    ("stripe-restricted-key", "rk_live_{a24}"),
    ("webhook-secret", "whsec_{a32}"),
    ("square-token", "sq0atp-{w22}"),
    ("square-token", "EAAA{w60}"),
    ("braintree-token", "access_token$production${l16}${x32}"),
    ("paypal-secret", "PAYPAL_SECRET=E{w79}"),
    ("shopify-access-token", "shpat_{x32}"),
    ("shopify-custom-token", "shpca_{x32}"),
    ("shopify-private-token", "shppa_{x32}"),
    ("shopify-shared-secret", "shpss_{x32}"),
    ("razorpay-key", "rzp_live_{a14}"),
    ("razorpay-secret", "razorpay secret: {a24}"),
    ("adyen-key", "AQEy{b100}-{b60}=-{a20}"),
    ("plaid-token", "access-production-{g0}"),
    ("flutterwave-key", "FLWSECK-{x32}-X"),
    ("paddle-key", "pdl_live_apikey_{l26}_{a22}_{a3}"),
    ("shippo-token", "shippo_live_{x40}"),
    ("duffel-token", "duffel_live_{w43}"),
    ("easypost-key", "EZAK{a54}"),
    ("npm-token", "npm_{a36}"),
    ("npm-auth", "//npm.acme.io/:_authToken={a40}"),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc{w150}"),
    ("rubygems-key", "rubygems_{x48}"),
    ("crates-token", "cio{a32}"),
    ("nuget-key", "oy2{l43}"),
    ("docker-token", "dckr_pat_{w27}"),
    (
        "docker-auth",
        "\"registry.acme.io\": { \"auth\": \"{b48}\" }",
    ),
    ("artifactory-key", "AKCp{a69}"),
    ("clojars-token", "CLOJARS_{x60}"),
    ("jsr-token", "jsrp_{a40}"),
    ("hex-key", "hexpm_{x32}"),
    ("terraform-token", "{a14}.atlasv1.{w67}"),
    ("sendgrid-key", "SG.{w22}.{w43}"),
    ("mailgun-key", "key-{x32}"),
    ("mailgun-api-key", "MAILGUN_API_KEY={x32}-{x8}-{x8}"),
    ("mailchimp-key", "{x32}-us12"),
    ("brevo-key", "xkeysib-{x64}-{a16}"),
    ("resend-key", "re_{a8}_{a24}"),
    ("postmark-token", "POSTMARK_SERVER_TOKEN={g0}"),
    ("twilio-key", "SK{x32}"),
    ("twilio-auth-token", "TWILIO_AUTH_TOKEN={x32}"),
    ("messagebird-key", "MESSAGEBIRD_API_KEY={a25}"),
    ("customerio-key", "dG9rO{b55}="),
    ("vault-token", "hvs.{w90}"),
    ("vault-legacy-token", "VAULT_TOKEN=s.{a24}"),
    ("doppler-token", "dp.pt.{a43}"),
    ("onepassword-token", "ops_eyJ{b400}"),
    ("onepassword-secret-key", "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}"),
    ("infisical-token", "st.{x24}.{x32}.{x32}"),
    ("grafana-service-token", "glsa_{a32}_{x8}"),
    ("grafana-cloud-token", "glc_{b120}="),
    ("grafana-api-key", "eyJrIjoi{b80}="),
    ("sentry-token", "sntryu_{x64}"),
    ("sentry-token", "sntrys_eyJ{b150}"),
    ("datadog-key", "DD_API_KEY={x32}"),
    ("datadog-key", "Datadog app key: {x40}"),
    ("newrelic-key", "NRAK-{U27}"),
    ("newrelic-license", "{x32}FFFFNRAL"),
    ("dynatrace-token", "dt0c01.{u24}.{u64}"),
    ("honeycomb-key", "hcaik_{l58}"),
    ("posthog-key", "phx_{a43}"),
    ("linear-key", "lin_api_{a40}"),
    ("notion-token", "ntn_{d11}{a35}"),
    ("notion-token", "secret_{a43}"),
    ("airtable-token", "pat{a14}.{x64}"),
    ("figma-token", "figd_{w40}"),
    ("postman-key", "PMAK-{x24}-{x34}"),
    ("pulumi-token", "pul-{x40}"),
    ("tailscale-key", "tskey-auth-{a17}-{a32}"),
    ("ngrok-token", "cr_{a46}"),
    ("launchdarkly-key", "sdk-{g0}"),
    ("mapbox-token", "sk.eyJ{w80}.{w22}"),
    ("contentful-token", "CFPAT-{w43}"),
    ("typeform-token", "tfp_{w59}"),
    ("prefect-key", "pnu_{a36}"),
    ("readme-key", "rdme_{l70}"),
    ("infracost-key", "ico-{a32}"),
    ("dropbox-token", "sl.u.{w140}"),
    ("facebook-token", "EAAC{a120}"),
    ("asana-token", "ASANA_TOKEN=1/{d16}:{x32}"),
    ("clickup-token", "pk_{d8}_{U32}"),
    ("okta-token", "Authorization: SSWS 00{w40}"),
    ("auth0-secret", "AUTH0_CLIENT_SECRET={w64}"),
    ("snyk-token", "SNYK_TOKEN={g0}"),
    ("algolia-key", "ALGOLIA_ADMIN_KEY={x32}"),
    ("pagerduty-key", "PAGERDUTY_TOKEN={a20}"),
    ("jenkins-token", "jenkins api token: 11{x32}"),
    ("confluent-secret", "CONFLUENT_API_SECRET={b64}"),
    ("elastic-key", "Authorization: ApiKey {a60}=="),
    ("jwt", "eyJ{w33}.eyJ{w80}.{w43}"),
    (
        "kubernetes-secret",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: {b24}\n  user: {b12}\n",
    ),
    ("database-url", "postgres://app:{a16}@db.acme.io:5432/app"),
    (
        "database-url",
        "mongodb+srv://svc:{a20}@cluster0.acme.mongodb.net/prod",
    ),
    ("database-url", "redis://:{a24}@cache.acme.io:6379/0"),
    ("url-password", "https://deploy:{a18}@git.acme.io/app.git"),
    ("authorization-basic", "Authorization: Basic {b32}"),
    ("authorization-bearer", "Authorization: Bearer {w48}"),
    ("curl-user", "curl -s -u admin:{a14} https://api.acme.io/v1"),
    (
        "netrc-password",
        "machine git.acme.io login bot password {a20}",
    ),
    ("sshpass-password", "sshpass -p {a14} ssh root@10.0.0.4"),
    ("mysql-password", "mysql -h db.acme.io -u root -p{a14} app"),
    ("sql-password", "CREATE USER app IDENTIFIED BY '{p14}';"),
    ("command-password", "redis-cli -h cache -a {a20} ping"),
    ("command-password", "sqlcmd -S srv -U sa -P {a14}"),
    ("session-cookie", "Cookie: theme=dark; session={a40}"),
    ("address-password", "bob:{a14}@db.acme.io:5432/x"),
    ("htpasswd", "admin:$apr1${a8}${a22}"),
    ("generic-secret", "password = \"{p16}\""),
    ("generic-secret", "DB_PASSWORD={a20}"),
    ("generic-secret", "The admin password is {p14}."),
    ("generic-secret", "api_key: {a32}"),
    ("generic-secret", "client_secret: '{w40}'"),
    ("generic-secret", "--password {p12}"),
    ("generic-secret", "token: {x40}"),
    ("generic-secret", "| service token | `{a28}` |"),
    (
        "generic-secret",
        "the token for the staging gateway is {a24}",
    ),
    ("generic-secret", "{ \"accessKey\": \"{w32}\" }"),
    ("generic-secret", "secret={l24}"),
    ("generic-secret", "密码：{p12}"),
    ("generic-secret", "encryption_key => \"{b43}=\""),
];

/// Passwords as people make and mention them; not all of them can be told from words.
pub(super) const WEAK_FORMS: &[&str] = &[
    "Passphrase: {a10}",
    "pwd={l10}",
    "wifi password is {a12}",
    "password: Summer{d4}!",
    "root password = Berlin#{d2}",
    "password: hunter{d1}",
    "login with admin / {a12}",
    "DB_PASS={a10}",
    "the vpn token: {l16}",
    "Passwort: {p10}",
];
