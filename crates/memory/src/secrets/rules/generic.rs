//! Forms that many services share: tokens, headers, addresses with passwords, assignments.

use super::{Class, Matcher, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::token("jwt", "JSON Web Token", &["eyJ"], 40, r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}").entropy(38).span(8000),
    Rule::token(
        "kubernetes-secret",
        "data of a Kubernetes Secret",
        &["kind: Secret", "kind: \"Secret\""],
        5,
        r#"kind:\s*"?Secret"?\s[^\x00]{0,400}?\n(?:data|stringData):[ \t]*\r?\n((?:[ \t]+[\w.\-]+:[ \t]*[^\s<$#{][^\n]{7,}\n?)+)"#,
    )
    .span(4000),
    Rule::around(
        "database-url",
        "database address with its password",
        &["://"],
        24,
        r"\b(?i:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|valkey|amqps?|clickhouse|cockroachdb|mssql|sqlserver|oracle|neo4j|bolt|cassandra|couchbase|influxdb|snowflake|trino|presto|nats|kafka|ldaps?|smtps?|imaps?)(?:\+[\w]{1,16})?://[^\s/@:\x22'<>`]{0,80}:([^\s/@\x22'<>`]{3,160})@[\w\[]",
    )
    .needs(b'@')
    .entropy(0)
    .weak_allowed(),
    Rule::around("url-password", "address with a user's password", &["://"], 16, r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s/@:\x22'<>`()]{0,80}:([^\s/@\x22'<>`()\[\]]{3,200})@[\w\[]").needs(b'@').entropy(10).weak_allowed(),
    Rule::named("authorization-basic", "Basic authorization header", &["basic "], r"(?i:basic) ([A-Za-z0-9+/]{12,200}={0,2})").entropy(30),
    Rule::named("authorization-bearer", "Bearer authorization header", &["bearer "], r"(?i:bearer) ([A-Za-z0-9._~+/-]{20,2000}={0,2})").entropy(35).span(2100),
    Rule::named("curl-user", "user and password of a curl call", &["curl "], r"curl [^\n]{0,200}?(?:-u|--user|--proxy-user)[ =]?[\x22']?[^\s:\x22']{1,64}:([^\s\x22']{4,128})").entropy(20).weak_allowed(),
    Rule::named("netrc-password", "password of a .netrc", &["machine "], r"machine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{4,200})").entropy(20).weak_allowed(),
    Rule::named("sshpass-password", "password of an sshpass call", &["sshpass "], r"sshpass\s+-p\s*[\x22']?([^\s\x22']{4,128})").entropy(20).weak_allowed(),
    Rule::named("mysql-password", "password of a MySQL call", &["mysql ", "mysqldump ", "mariadb "], r"(?:mysql|mysqldump|mariadb) [^\n]{0,120}?\s-p([^\s\x22'-][^\s\x22']{5,128})").entropy(20).weak_allowed(),
    Rule::named("htpasswd", "password hash of an htpasswd file", &["$apr1$"], r"\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}"),
    Rule::new(
        "generic-secret",
        "value that looks random under a secret's name",
        Class::Generic,
        &[
            "password", "passwd", "passphrase", "passcode", "_pass", "-pass", "pwd", "secret", "token", "api_key", "apikey", "api-key", "api key", "access_key", "accesskey", "access-key",
            "access key", "private_key", "privatekey", "private-key", "auth_key", "authkey", "auth-key", "encryption_key", "encryption-key", "encryption key", "signing_key", "signing-key", "signing key", "master_key",
            "master-key", "master key", "credential", "密码", "口令", "密钥", "令牌", "пароль", "passwort", "contraseña", "mot de passe", "senha", "パスワード",
        ],
        Matcher::Assignment,
    ),
];
