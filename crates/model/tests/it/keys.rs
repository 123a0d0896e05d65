//! Where keys come from, and where they do not go.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use memdir_model::{Anthropic, Catalogue, Key};

use crate::scene::{KEY, Scene, ask, times};

#[test]
fn a_file_counts_only_if_it_is_the_users_alone() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let file = |name: &str, mode: u32, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    };
    let good = file("good", 0o600, "sk-good\n");
    symlink(&good, folder.path().join("link")).unwrap();
    let cases = [
        good.clone(),
        file("read-only", 0o400, "sk-good"),
        file("group", 0o640, "sk-good"),
        file("everybody", 0o644, "sk-good"),
        file("empty", 0o600, " \n"),
        file("two-lines", 0o600, "sk-a\nsk-b"),
        folder.path().join("link"),
        folder.path().join("missing"),
        folder.path().to_owned(),
    ];
    let shown: Vec<String> = cases
        .iter()
        .map(|path| match Key::from_file(path) {
            Ok(key) => format!("{key:?}"),
            Err(error) => error.to_string(),
        })
        .map(|text| text.replace(&*folder.path().to_string_lossy(), "[folder]"))
        .collect();
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "Key(the file [folder]/good)",
        "Key(the file [folder]/read-only)",
        "the key file [folder]/group is open to others (mode 0640); run `chmod 600` on it",
        "the key file [folder]/everybody is open to others (mode 0644); run `chmod 600` on it",
        "the file [folder]/empty holds no key: it has to be one line of printable characters",
        "the file [folder]/two-lines holds no key: it has to be one line of printable characters",
        "the key file [folder]/link is not a plain file",
        "the key file [folder]/missing cannot be read: No such file or directory (os error 2)",
        "the key file [folder] is not a plain file",
    ]
    "#);
}

#[test]
fn a_key_goes_only_where_nobody_listens() {
    let key = Key::from_variable("ANTHROPIC_API_KEY", KEY).unwrap();
    let shown: Vec<String> = [
        "https://api.anthropic.com",
        "http://127.0.0.1:8080",
        "http://[::1]:8080/",
        "http://localhost",
        "http://models.example",
        "http://127.0.0.1.example",
        "ftp://models.example",
        "https://me:secret@models.example",
        "models.example",
    ]
    .into_iter()
    .map(|address| {
        let facts = Catalogue::built_in().facts("x");
        match Anthropic::new("x", address, Some(&key), facts, times()) {
            Ok(_) => format!("{address}: fine"),
            Err(error) => format!("{address}: {error}"),
        }
    })
    .collect();
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "https://api.anthropic.com: fine",
        "http://127.0.0.1:8080: fine",
        "http://[::1]:8080/: fine",
        "http://localhost: fine",
        "http://models.example: the address cannot be used: a key is sent only over https, or to this machine",
        "http://127.0.0.1.example: the address cannot be used: a key is sent only over https, or to this machine",
        "ftp://models.example: the address cannot be used: it has to begin with https:// or http://",
        "https://me:secret@models.example: the address cannot be used: it must not hold a name or a password",
        "models.example: the address cannot be used: it is not one",
    ]
    "#);
}

#[test]
fn it_is_sent_as_each_provider_wants_it() {
    let scene = Scene::new(&[serde_json::json!({"reply": [{"text": "Yes."}]})]);
    for model in scene.both() {
        ask(&*model).unwrap();
    }
    let exchanges = scene.server.exchanges();
    assert_eq!(exchanges[0].header("x-api-key"), Some(KEY));
    assert_eq!(exchanges[0].header("authorization"), None);
    let bearer = format!("Bearer {KEY}");
    assert_eq!(exchanges[1].header("authorization"), Some(bearer.as_str()));
}
