//! The sweeps themselves, tried on two stand-ins for the program: one that must be caught, and one
//! that must not.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use memdir_testkit::strace::{self, Fault};

use super::verbs::{VERBS, Verb};
use super::{errors, kill};

/// Remembers by writing to the file's final name, and believes that all went well.
const CARELESS: &str = r#"#!/bin/sh
dir=$2 verb=$3 fact=$4
mkdir -p "$dir"
case $verb in
remember) echo "$fact" >"$dir/$(echo "$fact" | tr -c 'a-zA-Z\n' _).md"; echo saved ;;
history) cd "$dir" && printf '['; for file in *.md; do printf '1,'; done; printf '1]' ;;
esac
exit 0
"#;

/// Remembers through a temporary file, clears up after others, and says what went wrong.
const CAREFUL: &str = r#"#!/bin/sh
dir=$2 verb=$3 fact=$4
mkdir -p "$dir" || exit 1
case $verb in
remember)
    rm -f "$dir"/.memdir-*
    name=$(echo "$fact" | tr -c 'a-zA-Z\n' _).md
    echo "$fact" >"$dir/.memdir-$$" || exit 1
    mv "$dir/.memdir-$$" "$dir/$name" || exit 1
    echo saved || exit 1 ;;
history) cd "$dir" && printf '['; for file in *.md; do printf '1,'; done; printf '1]' ;;
esac
exit 0
"#;

struct StandIn {
    folder: tempfile::TempDir,
}

impl StandIn {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stand_in = Self { folder };
        fs::write(stand_in.program(), script).unwrap();
        fs::set_permissions(stand_in.program(), fs::Permissions::from_mode(0o755)).unwrap();
        stand_in
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("memdir")
    }

    fn scene(&self) -> PathBuf {
        self.folder.path().join("scene")
    }
}

fn remember() -> &'static Verb {
    VERBS.iter().find(|verb| verb.name == "remember").unwrap()
}

/// What the sweep complains of, without the places.
fn kinds(broken: &[String]) -> BTreeSet<String> {
    let last = |what: &String| what.rsplit(": ").next().unwrap().to_owned();
    broken.iter().map(last).collect()
}

fn killed(script: &str) -> BTreeSet<String> {
    let stand_in = StandIn::new(script);
    let staged = remember()
        .stage(&stand_in.scene(), &stand_in.program())
        .unwrap();
    kinds(&kill::sweep_call(remember(), &staged, "write").unwrap())
}

fn failing(script: &str) -> BTreeSet<String> {
    let stand_in = StandIn::new(script);
    let staged = remember()
        .stage(&stand_in.scene(), &stand_in.program())
        .unwrap();
    kinds(&errors::sweep_call(remember(), &staged, "write", Fault::Error("ENOSPC")).unwrap())
}

/// Whether the machine cannot run these tests, and says so.
fn without_strace() -> bool {
    let reason = strace::available().err();
    if let Some(reason) = &reason {
        println!("left out: {reason}");
    }
    reason.is_some()
}

#[test]
fn a_writer_that_is_not_atomic_is_caught_by_the_kill_sweep() {
    if without_strace() {
        return;
    }
    insta::assert_debug_snapshot!(killed(CARELESS), @r#"
    {
        "The_staging_database_is_reset_every_Sunday_night.md is neither the old nor the new file",
        "afterwards the operation is half done",
    }
    "#);
    insta::assert_debug_snapshot!(killed(CAREFUL), @"{}");
}

#[test]
fn a_writer_that_ignores_errors_is_caught_by_the_error_sweep() {
    if without_strace() {
        return;
    }
    insta::assert_debug_snapshot!(failing(CARELESS), @r#"
    {
        "The_staging_database_is_reset_every_Sunday_night.md is neither the old nor the new file",
        "afterwards the operation is half done",
        "the change was reported but does not stand in the files",
    }
    "#);
    insta::assert_debug_snapshot!(failing(CAREFUL), @"{}");
}
