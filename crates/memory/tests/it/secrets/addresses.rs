//! Passwords in addresses and connections, whatever characters they hold.

use memdir_memory::secrets::{redact, scan};

/// Texts with a password between two `§`, and what is left of them.
const WITH_PASSWORD: &[&str] = &[
    "postgresql://admin:§p@ssw0rd§@host/db",
    "postgres://app:§a@b@c9§@db.acme.io:5432/app",
    "postgres://app:§x9/y@z8§@db.acme.io/app",
    "postgres://app:§x9/y8§@db/app",
    "postgres://app:§x9#y8§@db.acme.io/app",
    "postgres://app:§x9?y8§@db.acme.io/app",
    "postgres://app:§x9:y8§@db.acme.io/app",
    "postgres://app:§x9%40y8§@db.acme.io/app",
    "postgres://app:§it's9§@db.acme.io/app",
    "\"postgres://app:§p@ss9§@db.acme.io/app?user=a@b\"",
    "jdbc:postgresql://app:§p@ss9§@db.acme.io/app",
    "mongodb+srv://svc:§p@ss9§@cluster0.acme.mongodb.net/prod",
    "mongodb://u:§p@ss9§@h1.acme.io:27017,h2.acme.io:27017/db",
    "redis://:§p@ss9§@cache.acme.io:6379/0",
    "amqps://u:§p@ss9§@mq.acme.io/v",
    "smtp://me%40acme.io:§p@ss9§@smtp.acme.io:587",
    "smtps://me:§p@ss9§@smtp.acme.io",
    "mssql+pyodbc://sa:§p@ss9§@db.acme.io/x?driver=y",
    "sftp://deploy:§p@s/s9§@files.acme.io/in",
    "https://deploy:§p@s/s9§@git.acme.io/app.git",
    "https://deploy:§p@ss9§@npm.acme.io/@scope/pkg",
    "nats://a:§p@ss9§@h1:4222,nats://h2:4222",
    "app:§p@ss9§@tcp(db.acme.io:3306)/app?parseTime=true",
    "app:§pass/9x§@unix(/run/mysqld.sock)/app",
    "host=db.acme.io user=app password=§Sommer2024§ dbname=app",
    "Server=sql.acme.io;Database=x;User Id=sa;Password=§p@ss9!x§;",
    "Data Source=sql.acme.io;Uid=sa;Pwd=§Winter2023§;Encrypt=True",
    "jdbc:sqlserver://h:1433;databaseName=x;user=sa;password=§p@ss9x§;",
    "jdbc:mysql://h:3306/x?user=root&password=§hunter22§&useSSL=false",
    "jdbc:oracle:thin:scott/§t1ger9§@//db.acme.io:1521/app",
];

#[test]
fn a_password_with_an_at_sign_leaves_no_tail() {
    for marked in WITH_PASSWORD {
        let text = marked.replace('§', "");
        let mut parts = marked.split('§');
        let (before, after) = (parts.next().unwrap(), parts.nth(1).unwrap());
        let redacted = redact(&text);
        assert_eq!(
            redacted.findings.len(),
            1,
            "{text}: {:?}",
            redacted.findings
        );
        let id = redacted.findings[0].rule.id;
        assert_eq!(
            redacted.text,
            format!("{before}[redacted: {id}]{after}"),
            "{text}"
        );
        let again = format!("Note:\n`{text}`\nand <{text}>");
        assert!(scan(&redact(&again).text).is_empty(), "{again}");
    }
}

#[test]
fn a_password_on_a_line_of_variables_leaves_no_tail() {
    for (text, left) in [
        (
            "DB_PASSWORD=aB3,dE6;gH9!x",
            "DB_PASSWORD=[redacted: generic-secret]",
        ),
        (
            "export DB_PASSWORD=aB3)dE6|gH9!x\nA=1",
            "export DB_PASSWORD=[redacted: generic-secret]\nA=1",
        ),
        (
            "Password=aB3dE6gH9!x;Server=db;",
            "Password=[redacted: connection-password];Server=db;",
        ),
    ] {
        assert_eq!(redact(text).text, left);
    }
}

#[test]
fn full_width_letters_hide_no_password() {
    let text = "see ｐｏｓｔｇｒｅｓ：／／ａｐｐ：ｐ＠ｓｓ９ｗ＠ｄｂ．ａｃｍｅ．ｉｏ／ａｐｐ now";
    let left = redact(text).text.into_owned();
    assert_eq!(
        left,
        "see ｐｏｓｔｇｒｅｓ：／／ａｐｐ：[redacted: database-url]＠ｄｂ．ａｃｍｅ．ｉｏ／ａｐｐ now"
    );
    assert!(scan("ＡＰＩキー：未設定。トークン：なし").is_empty());
}

#[test]
fn an_address_without_a_password_is_clean() {
    for text in [
        "https://acme.io/@user/post",
        "http://localhost:4873/@scope/pkg",
        "http://localhost:8080/users?mail=a@b.io",
        "http://[::1]:8080/a@b.io",
        "https://acme.io/a:b@c",
        "https://registry.acme.io/app:1.2@sha256",
        "git+https://github.com/acme/app.git@v1.2.3",
        "ssh://git@git.acme.io:22/app.git",
        "postgres://app@db.acme.io:5432/app",
        "postgres://user:password@host/db",
        "postgres://postgres:postgres@localhost:5432/app",
        "postgres://user:${PASSWORD}@db.acme.io/app",
        "postgres://user:<password>@db.acme.io/app",
        "postgres://user:[password]@db.acme.io/app",
        "postgres://user:{password}@db.acme.io/app",
        "postgres://user:****@db.acme.io/app",
        "mysql://user:changeme@db.acme.io/app",
        "user:password@tcp(localhost:3306)/db",
        "host=localhost user=app password=postgres dbname=app",
        "connect(host=host, user=user, password=password)",
        "connect(host=args.host, user=args.user, password=args.password2)",
        "Server=sql.acme.io;User Id=sa;Password={password};",
        "https://public@o1.ingest.sentry.io/2",
        "mail me@acme.io about http://acme.io:x",
    ] {
        assert!(scan(text).is_empty(), "{text}: {:?}", scan(text));
    }
}
