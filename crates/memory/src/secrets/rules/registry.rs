//! Package registries.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "npm-token",
        "npm access token",
        &["npm_"],
        40,
        "npm_[A-Za-z0-9]{36,64}",
    )
    .entropy(33),
    Rule::token(
        "npm-auth",
        "npm credential in an .npmrc",
        &["_authToken=", "_auth=", "_password="],
        24,
        r"_(?:authToken|auth|password)=[\x22']?([A-Za-z0-9+/=_.-]{16,400})",
    )
    .entropy(33),
    Rule::token(
        "pypi-token",
        "PyPI upload token",
        &["pypi-AgE", "pypi-AgN"],
        70,
        "pypi-Ag[EN][A-Za-z0-9_-]{60,1000}",
    )
    .entropy(33)
    .span(1200),
    Rule::token(
        "rubygems-key",
        "RubyGems key",
        &["rubygems_"],
        57,
        "rubygems_[0-9a-f]{48}",
    ),
    Rule::token(
        "crates-token",
        "crates.io token",
        &["cio"],
        35,
        "cio[A-Za-z0-9]{32}",
    )
    .entropy(36),
    Rule::token("nuget-key", "NuGet key", &["oy2"], 46, "oy2[a-z0-9]{43}").entropy(35),
    Rule::token(
        "docker-token",
        "Docker Hub token",
        &["dckr_pat_", "dckr_oat_"],
        36,
        "dckr_[po]at_[A-Za-z0-9_-]{27,60}",
    )
    .entropy(33),
    Rule::token(
        "docker-auth",
        "Docker registry credential",
        &["\"auth\""],
        0,
        r#""auth"\s*:\s*"([A-Za-z0-9+/]{16,400}={0,2})""#,
    )
    .entropy(33),
    Rule::token(
        "artifactory-key",
        "Artifactory key or token",
        &["AKCp", "cmVmd"],
        60,
        "(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})",
    )
    .entropy(35),
    Rule::token(
        "clojars-token",
        "Clojars token",
        &["CLOJARS_"],
        68,
        "(?i:CLOJARS_)[0-9a-zA-Z]{60}",
    ),
    Rule::token(
        "jsr-token",
        "JSR token",
        &["jsrp_", "jsrd_"],
        40,
        "jsr[pd]_[A-Za-z0-9]{36,64}",
    )
    .entropy(33),
    Rule::token(
        "hex-key",
        "Hex.pm key",
        &["hexpm_"],
        36,
        "hexpm_[0-9a-f]{32}",
    ),
    Rule::around(
        "terraform-token",
        "Terraform Cloud token",
        &[".atlasv1."],
        14,
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
    )
    .entropy(35),
];
