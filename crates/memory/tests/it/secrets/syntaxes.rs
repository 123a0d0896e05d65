//! The ways in which settings, code, markup, commands and prose give a value to a name.

use std::collections::BTreeMap;

use memdir_memory::secrets::{Class, redact, scan};

use super::fakes::{Random, fill};

/// `@` is the name of a service in small letters, `%` in capitals, `$` the value.
const SYNTAXES: &[&str] = &[
    // Settings.
    "@Token=$",
    "@Token = \"$\"",
    "@_api_key: $",
    "@_api_key: '$'",
    "\"@_token\": \"$\",",
    "\\\"@_token\\\": \\\"$\\\"",
    "@_token: |\n  $",
    "@_token: >-\n    $",
    "- name: %_TOKEN\n  value: $",
    "{\"name\": \"%_TOKEN\", \"value\": \"$\"}",
    "@.token=$",
    // Markup.
    "<@Token>$</@Token>",
    "<@Token>\n    $\n</@Token>",
    "<add key=\"@Token\" value=\"$\" />",
    "<key>@Token</key>\n<string>$</string>",
    "| @ token | $ |",
    "@Token,$,",
    // Code.
    "var @Token string = \"$\"",
    "@Token := `$`",
    "@Token: string = \"$\"",
    "private @Token?: string = '$';",
    "let @_secret: &str = \"$\";",
    "'@_secret' => '$',",
    "$@Token .= \"$\"",
    "@_token ||= \"$\"",
    "System.setProperty(\"@.token\", \"$\")",
    ".@Token(\"$\")",
    "os.environ[\"%_TOKEN\"] = \"$\"",
    // Build files and shells.
    "%_TOKEN ::= \"$\"",
    "%_TOKEN :::= \"$\"",
    "%_TOKEN ?= $",
    "%_TOKEN += $",
    "export %_API_KEY=\"$\"",
    "ENV %_TOKEN $",
    "--@-token $",
    "-D@.token=$",
    // Prose.
    "the @ token is $",
    "- @ API key: `$`",
];

/// Services whose tokens are bare values, and the form of such a value.
const SERVICES: &[(&str, &str)] = &[
    ("heroku", "{g0}"),
    ("sendbird", "{g0}"),
    ("algolia", "{x32}"),
    ("sonar", "{w40}"),
    ("dropbox", "{l15}"),
    ("twitter", "{a50}"),
    ("vault", "s.{a24}"),
    ("kraken", "{w80}"),
    ("telegram", "{d9}:A{w34}"),
    ("new_relic", "{l64}"),
];

#[test]
fn a_service_is_known_in_every_syntax() {
    let mut random = Random::new(9);
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut all, mut by_service, mut by_name) = (0, 0, 0);
    for syntax in SYNTAXES {
        for (service, form) in SERVICES {
            for _ in 0..5 {
                let value = fill(form, &mut random);
                let (head, tail) = syntax.rsplit_once('$').expect("a place for the value");
                let name = |part: &str| {
                    part.replace('@', service)
                        .replace('%', &service.to_ascii_uppercase())
                };
                let text = format!("{}{value}{}", name(head), name(tail));
                let found = scan(&text);
                all += 1;
                if found.iter().any(|found| found.rule.class != Class::Generic) {
                    by_service += 1;
                } else if !found.is_empty() {
                    by_name += 1;
                } else {
                    missed.entry(syntax).or_default().push(text.clone());
                }
                let left = redact(&text).text.into_owned();
                assert!(found.is_empty() || !left.contains(&value), "{left}");
            }
        }
    }
    println!(
        "{all} values of services: {by_service} by the service's rule, {by_name} only by the \
         generic one; missed: {missed:?}"
    );
    assert!(by_service * 100 >= all * 99, "{missed:#?}");
}

#[test]
fn a_key_that_is_a_uuid_is_one_only_beside_its_name() {
    let uuid = fill("{g0}", &mut Random::new(11));
    for text in [
        format!("const HEROKU_KEY = \"{uuid}\""),
        format!("snyk_token: {uuid}"),
        format!("apikey: {uuid}"),
        format!("curl -H 'Authorization: {uuid}' https://api.acme.io"),
        format!("curl -H \"X-Octopus-ApiKey: {uuid}\" https://octopus.acme.io"),
    ] {
        assert_eq!(scan(&text).len(), 1, "{text}");
    }
    for text in [
        uuid.clone(),
        format!("The heroku app {uuid} was renamed."),
        format!("trace id {uuid}"),
        format!("token_id: {uuid}"),
        format!("the token of request {uuid} had expired"),
        format!("https://acme.io/items/{uuid}"),
    ] {
        assert!(scan(&text).is_empty(), "{text}");
    }
}
