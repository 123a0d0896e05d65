//! Cloud providers and hosting.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token("aws-access-key", "AWS access key id", &["AKIA", "ASIA", "ABIA", "ACCA", "A3T"], 20, "(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}").entropy(25),
    Rule::beside("aws-secret-key", "AWS secret access key", &["secret_access_key", "secretaccesskey", "secret access key", "aws_secret", "aws secret", "secret-access-key"], &["{b40}"]).entropy(35),
    Rule::named(
        "aws-session-token",
        "AWS session token",
        &["session_token", "sessiontoken", "security_token"],
        r"(?i:aws[\w.-]{0,8})?(?i:session_?token|security_token)[\x22'`*]{0,3}\s{0,3}(?:=>|[=:|])\s{0,3}[\x22'`*]{0,3}([A-Za-z0-9/+=]{100,1200})",
    )
    .entropy(40)
    .span(1400),
    Rule::token("aws-bedrock-key", "Amazon Bedrock API key", &["ABSK", "bedrock-api-key-"], 60, "(?:ABSK[A-Za-z0-9+/]{100,300}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{40,})").entropy(35),
    Rule::token("gcp-api-key", "Google API key (Cloud, Maps, Gemini)", &["AIza"], 39, "AIza[A-Za-z0-9_-]{35}").entropy(35),
    Rule::token("gcp-oauth-token", "Google OAuth access token", &["ya29."], 30, "ya29\\.[A-Za-z0-9_-]{25,}").entropy(35),
    Rule::token("gcp-oauth-client-secret", "Google OAuth client secret", &["GOCSPX-"], 35, "GOCSPX-[A-Za-z0-9_-]{28}"),
    Rule::token("gcp-refresh-token", "Google OAuth refresh token", &["1//0"], 60, "1//0[A-Za-z0-9_-]{55,}").entropy(35),
    Rule::token("gcp-service-account", "Google service-account key", &["\"private_key_id\""], 0, r#""private_key_id"\s*:\s*"([0-9a-f]{40})""#),
    Rule::around("firebase-messaging-key", "Firebase messaging server key", &[":APA91b"], 12, r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{134}"),
    Rule::around("azure-client-secret", "Microsoft Entra client secret", &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"], 3, r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}").entropy(33),
    Rule::token("azure-storage-key", "Azure storage account key", &["AccountKey=", "SharedAccessKey="], 50, "(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,88}={1,2})").entropy(35),
    Rule::around("azure-sas", "Azure shared-access signature", &["&sig=", "?sig=", ";sig="], 400, r"\bs[vrse][a-z]{0,2}=[^\s\x22']{4,400}?sig=([A-Za-z0-9%+/]{40,80}(?:%3D|=){0,2})").entropy(35),
    Rule::around("azure-devops-token", "Azure DevOps personal access token", &["AZDO"], 80, "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}").entropy(35),
    Rule::token("digitalocean-token", "DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], 71, "do[opr]_v1_[0-9a-f]{64}"),
    Rule::token("alibaba-access-key", "Alibaba Cloud access key id", &["LTAI"], 20, "LTAI[A-Za-z0-9]{12,30}").entropy(30),
    Rule::token("tencent-secret-id", "Tencent Cloud secret id", &["AKID"], 36, "AKID[A-Za-z0-9]{32}").entropy(35),
    Rule::named("alibaba-secret-key", "Alibaba Cloud access key secret", &["accesskeysecret", "access_key_secret", "access-key-secret"], r"(?i:access[_-]?key[_-]?secret)[\x22'`*]{0,3}\s{0,3}[=:|]\s{0,3}[\x22'`*]{0,3}([A-Za-z0-9]{30})").entropy(35),
    Rule::named("cloudflare-global-key", "Cloudflare global API key", &["cloudflare", "x-auth-key"], r"(?i:(?:cloudflare[\w .-]{0,30}|x-auth-)key)[\x22'`*]{0,3}\s{0,3}[=:|]\s{0,3}[\x22'`*]{0,3}([0-9a-f]{37})"),
    Rule::token("cloudflare-origin-key", "Cloudflare origin CA key", &["v1.0-"], 150, "v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    Rule::token("fly-token", "Fly.io access token", &["FlyV1 ", "fo1_", "fm1r_", "fm2_", "fm1a_"], 5, "(?:FlyV1 fm[0-9][a-z]?_[A-Za-z0-9+/=,_]{60,}|fo1_[A-Za-z0-9_-]{43}|fm[0-9][a-z]?_[A-Za-z0-9+/=]{80,})").entropy(35).span(2000),
    Rule::token("heroku-token", "Heroku API key", &["HRKU-"], 40, "HRKU-(?:AA[A-Za-z0-9_-]{58}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"),
    Rule::token("vercel-token", "Vercel token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], 28, "vc[piark]_[A-Za-z0-9]{24,80}").entropy(33),
    Rule::token("netlify-token", "Netlify token", &["nfp_", "nfc_", "nfo_", "nfu_"], 40, "nf[pcou]_[A-Za-z0-9]{36,60}").entropy(33),
    Rule::token("databricks-token", "Databricks token", &["dapi", "dose", "dsapi", "dkea"], 36, "(?:dapi|dose|dsapi|dkea)[0-9a-f]{32}(?:-[0-9]{1,2})?"),
    Rule::token("planetscale-token", "PlanetScale token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], 40, r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}").entropy(33),
    Rule::token("supabase-token", "Supabase access token or secret key", &["sbp_", "sb_secret_"], 30, "(?:sbp_(?:oauth_)?[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60})"),
    Rule::token("neon-token", "Neon API key", &["napi_"], 60, "napi_[a-z0-9]{60,80}"),
    Rule::token("scaleway-key", "Scaleway access key", &["SCW"], 20, "SCW[A-Z0-9]{17}").entropy(28),
    Rule::token("render-key", "Render API key", &["rnd_"], 32, "rnd_[A-Za-z0-9]{28,40}").entropy(33),
    Rule::token("upstash-token", "Upstash token", &["ups_"], 36, "ups_[A-Za-z0-9]{32,64}").entropy(33),
    Rule::token("cockroach-key", "CockroachDB Cloud key", &["CCDB1_"], 60, "CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
];
