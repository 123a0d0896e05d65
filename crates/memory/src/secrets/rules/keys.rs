//! Private keys and keys of encryption tools.

use super::{Class, Matcher, Rule};

const fn armoured(
    id: &'static str,
    description: &'static str,
    keywords: &'static [&'static str],
) -> Rule {
    Rule::new(
        id,
        description,
        Class::Structural,
        keywords,
        Matcher::PrivateKey,
    )
}

pub(super) const RULES: &[Rule] = &[
    armoured(
        "private-key-rsa",
        "RSA private key",
        &["-----BEGIN RSA PRIVATE KEY"],
    ),
    armoured(
        "private-key-ec",
        "elliptic-curve private key",
        &["-----BEGIN EC PRIVATE KEY"],
    ),
    armoured(
        "private-key-dsa",
        "DSA private key",
        &["-----BEGIN DSA PRIVATE KEY"],
    ),
    armoured(
        "private-key-openssh",
        "OpenSSH private key",
        &["-----BEGIN OPENSSH PRIVATE KEY"],
    ),
    armoured(
        "private-key-pgp",
        "PGP private key",
        &["-----BEGIN PGP PRIVATE KEY"],
    ),
    armoured(
        "private-key-encrypted",
        "encrypted private key",
        &["-----BEGIN ENCRYPTED PRIVATE KEY"],
    ),
    armoured("private-key", "private key", &["-----BEGIN "]),
    Rule::token(
        "putty-private-key",
        "PuTTY private key",
        &["Private-Lines:"],
        14,
        r"Private-Lines:\s*\d+\s+([A-Za-z0-9+/=]{40,}(?:\s+[A-Za-z0-9+/=]{20,})*)",
    )
    .span(4096),
    Rule::token(
        "age-secret-key",
        "age identity",
        &["AGE-SECRET-KEY-"],
        60,
        r"AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,}",
    ),
    Rule::named(
        "wireguard-private-key",
        "WireGuard private key",
        &["PrivateKey", "PresharedKey"],
        r"(?:PrivateKey|PresharedKey)\s*=\s*([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)",
    ),
    Rule::token(
        "jwk-private-key",
        "JSON Web Key with its private part",
        &["\"kty\""],
        0,
        r#""kty"\s*:\s*"(?:RSA|EC|OKP)"[^{}]{0,1500}?"d"\s*:\s*"([A-Za-z0-9_-]{22,})""#,
    )
    .span(3000),
];
