//! Which project a client works on: the folders that it says it has open.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// The folder to start in: of several roots the one around the current folder, else the first that is a folder here.
pub(crate) fn start_folder(current: &Path, roots: &[String]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = roots.iter().filter_map(|root| folder(root)).collect();
    let around = folders.iter().find(|folder| current.starts_with(folder));
    around.or_else(|| folders.first()).cloned()
}

/// The folder of a `file://` address on this machine.
fn folder(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next()?;
    let bytes = decoded(path)?;
    let path = PathBuf::from(OsString::from_vec(bytes));
    (path.is_absolute() && path.is_dir()).then_some(path)
}

/// The bytes of a percent-encoded path; none where it is not one, or has a NUL in it.
pub(crate) fn decoded(path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            plain => plain,
        };
        bytes.push(byte);
    }
    (!bytes.contains(&0)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_around_the_current_folder_decides_else_the_first_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second one"].map(|name| folder.path().join(name));
        std::fs::create_dir(&first).unwrap();
        std::fs::create_dir(&second).unwrap();
        let address = |path: &Path| format!("file://{}", path.display()).replace(' ', "%20");
        let roots = [address(&first), address(&second)];
        let elsewhere = Path::new("/");
        assert_eq!(start_folder(elsewhere, &roots), Some(first.clone()));
        assert_eq!(start_folder(&second.join("deep"), &roots), Some(second));
        let gone = [address(&folder.path().join("gone")), address(&first)];
        assert_eq!(start_folder(elsewhere, &gone), Some(first));
    }

    #[test]
    fn what_is_no_folder_of_this_machine_is_none() {
        for root in [
            "https://example.org/",
            "file://server/tmp",
            "file://tmp",
            "file:///%00",
            "file:///%zz",
            "file:///%F",
            "/tmp",
            "",
        ] {
            assert_eq!(folder(root), None, "{root}");
        }
        assert_eq!(folder("file://localhost/tmp"), Some("/tmp".into()));
        assert_eq!(folder("file:///tmp?x#y"), Some("/tmp".into()));
    }
}
