//! Forms that many services share: tokens, headers, addresses with passwords, assignments.

use super::{Class, Matcher, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::token("jwt", "JSON Web Token", &["eyJ"], 36, r"eyJ[A-Za-z0-9_-]{10,}\.(?:eyJ[A-Za-z0-9_/\\-]{10,}\.(?:[A-Za-z0-9_/\\-]{8,}={0,2})?|[A-Za-z0-9_-]{0,700}\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,32})").entropy(38).span(8000),
    Rule::new("kubernetes-secret", "data of a Kubernetes Secret", Class::Structural, &["kind:"], Matcher::Kubernetes),
    Rule::new("database-url", "database address with its password", Class::Structural, &["://"], Matcher::Address { database: true }).entropy(0).weak_allowed(),
    Rule::new("url-password", "address with a user's password", Class::Structural, &["://"], Matcher::Address { database: false }).entropy(10).weak_allowed(),
    Rule::new("database-dsn", "data source name with its password", Class::Structural, &["@tcp(", "@unix(", "@udp(", "@cloudsql("], Matcher::BareAddress).entropy(0).weak_allowed(),
    Rule::named("oracle-password", "Oracle address with its password", &["jdbc:oracle:", "sqlplus "], r"(?i:jdbc:oracle:\w+:|sqlplus (?:-\w+ )*)[\w.$#-]{1,60}/[\x22']?([^\s\x22'/]{3,120})[\x22']?@").entropy(10).weak_allowed(),
    Rule::new("connection-password", "password among the fields of a connection", Class::Named, &["password", "passwd", "pwd"], Matcher::Connection).entropy(10).weak_allowed(),
    Rule::named("authorization-basic", "Basic authorization header", &["basic "], r"(?i:basic) ([A-Za-z0-9+/]{12,2000}={0,2})").entropy(28).span(2100),
    Rule::named("authorization-bearer", "Bearer authorization header", &["bearer "], r"(?i:bearer) ([A-Za-z0-9._~+/@-]{20,4000}={0,2})").entropy(33).span(4100),
    Rule::named("authorization-header", "authorization header", &["authorization"], r"(?i:authorization)[\x22'`\\]{0,4}\s{0,3}(?:=>|[:=,])\s{0,4}[\x22'`\\]{0,4}(?:(?:[A-Za-z][A-Za-z-]{1,20} {1,3}|(?i:bearer|basic|token)\s{1,8})(?:(?i:token|key) ?= ?[\x22']?)?)?([A-Za-z0-9][\w~@.+/=-]{7,4000})").entropy(27).span(4200),
    Rule::named(
        "header-key",
        "key in a header of a request",
        &["-H ", "--header"],
        r"(?:-H|--header)[ =]{1,3}[\x22']?(?i:[a-z][a-z-]{0,24}-)?(?i:api-?key|api-?token|access-?token|auth-?token|secret-?key|key|token|secret)\s{0,3}:\s{0,3}([A-Za-z0-9][\w~@.+/-]{7,400}={0,2})",
    )
    .entropy(27),
    Rule::named(
        "curl-user",
        "user and password of a request",
        &["curl ", "http -a", "https -a"],
        r"(?:curl (?:[^\n]{0,600}?\s)?(?:-[a-zA-Z]{0,6}u|--user|--proxy-user)|https? -a)[ =]{0,5}(?:[\x22']?[^\s:\x22']{1,80}[\x22']?:[\x22']([^\x22'\n]{4,128})[\x22']|\x22[^\s:\x22]{0,80}:([^\x22\s]{4,128})\x22|'[^\s:']{0,80}:([^'\s]{4,128})'|\x22([^\x22\s:]{8,128}):\x22|[^\s:\x22']{0,80}:([^\s\x22']{4,128}))",
    )
    .entropy(20)
    .span(900)
    .weak_allowed(),
    Rule::named("docker-login", "password of a docker login", &["docker login", "podman login", "helm registry login", "oras login"], r"[a-z ]{4,14} login [^\n]{0,160}?\s(?:-p|--password)[ =]?[\x22']?([^\s\x22']{6,128})").entropy(20).weak_allowed(),
    Rule::named("windows-password", "password of a Windows account", &["net user ", "ConvertTo-SecureString"], r"(?i:net user [\w.$-]{1,40} |ConvertTo-SecureString\s+(?:-String\s+)?[\x22'])([^\s\x22'/*][^\s\x22'/]{5,127})").entropy(20).weak_allowed(),
    Rule::named("xml-password", "password in the settings of a program", &["<add key="], r"(?i:<add key=[\x22'](?:cleartext)?password[\x22']\s{0,3}value=[\x22'])([^\x22'\n]{8,128})[\x22']").entropy(20).weak_allowed(),
    Rule::named("netrc-password", "password of a .netrc", &["machine "], r"machine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{4,200})").entropy(20).weak_allowed(),
    Rule::named("sshpass-password", "password of an sshpass call", &["sshpass "], r"sshpass\s+-p\s*[\x22']?([^\s\x22']{4,128})").entropy(20).weak_allowed(),
    Rule::named("mysql-password", "password of a MySQL call", &["mysql ", "mysqldump ", "mariadb "], r"(?:mysql|mysqldump|mariadb) [^\n]{0,120}?\s-p([^\s\x22'-][^\s\x22']{5,128})").entropy(20).weak_allowed(),
    Rule::named("sql-password", "password of a database user", &["identified by", "identified with"], r"(?i:identified (?:by|with \S{1,40} (?:by|as)))\s{1,3}(?:(?i:password)\s{1,3})?[\x22']([^\x22'\n]{6,128})[\x22']").entropy(25),
    Rule::named("command-password", "password among the options of a command", &["redis-cli ", "sqlcmd ", "ldapsearch ", "zip "], r"(?:redis-cli (?:[^\n|]{0,200}?\s)?-a|sqlcmd (?:[^\n|]{0,200}?\s)?-P|ldapsearch (?:[^\n|]{0,200}?\s)?-w|zip (?:[^\n|]{0,200}?\s)?-P)\s{0,3}[\x22']?([^\s\x22']{8,128})").entropy(27),
    Rule::named("session-cookie", "cookie of a session", &["cookie:"], r"(?i:cookie):\s{0,3}(?:[^\n]{0,400}?;\s{0,3})?[\w.-]{0,40}(?i:sess|sid|auth|token|jwt|remember)[\w.-]{0,24}=([\w.%~+/-]{16,2000}={0,2})").entropy(33).span(2600),
    Rule::new("address-password", "address of a database with its password", Class::Named, &[":5432", ":3306", ":6379", ":27017", ":1433", ":5672", ":9200"], Matcher::Around { pattern: r"[\w.-]{1,40}:([^\s:@/\x22'`]{8,80})@[\w.-]{1,80}:[0-9]{4,5}", before: 210 }).entropy(27),
    Rule::named("htpasswd", "password hash of an htpasswd file", &["$apr1$"], r"\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}"),
    Rule::new(
        "generic-secret",
        "value that looks random under a secret's name",
        Class::Generic,
        &[
            "password", "passwd", "passphrase", "passcode", "pass", "pw:", "pw=", "pw =", "pw\"", "pwd", "secret", "token", "api_key", "apikey", "api-key", "api key", "access_key", "accesskey", "access-key",
            "access key", "private_key", "privatekey", "private-key", "auth_key", "authkey", "auth-key", "encryption_key", "encryption-key", "encryption key", "signing_key", "signing-key", "signing key", "master_key",
            "master-key", "master key", "_key", "credential", "creds", "_salt", "密码", "口令", "密钥", "令牌", "пароль", "passwort", "contraseña", "mot de passe", "senha", "パスワード",
        ],
        Matcher::Assignment,
    ),
];
