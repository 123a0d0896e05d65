use memdir_tools::Program;

fn refusals(lines: &[&str]) -> String {
    let refused = lines.iter().map(|line| match Program::parse(line) {
        Ok(_) => format!("{line:?} runs"),
        Err(reason) => format!("{line:?}: {reason}"),
    });
    refused.collect::<Vec<_>>().join("\n")
}

#[test]
fn programs_that_only_look() {
    insta::assert_snapshot!(refusals(&[
        "ls",
        "ls -la /tmp",
        "cat 'a file.md' \"b.md\"",
        "find . -name 'MEMORY.md' -newer x",
        "wc -l a.md",
        "head -n 5 a.md",
        "tail -n 5 a.md",
        "stat a.md",
    ]), @r#"
    "ls" runs
    "ls -la /tmp" runs
    "cat 'a file.md' \"b.md\"" runs
    "find . -name 'MEMORY.md' -newer x" runs
    "wc -l a.md" runs
    "head -n 5 a.md" runs
    "tail -n 5 a.md" runs
    "stat a.md" runs
    "#);
}

#[test]
fn ways_to_write_or_to_run_something() {
    insta::assert_snapshot!(refusals(&[
        "",
        "rm a.md",
        "/bin/ls",
        "ls; rm a.md",
        "ls && rm a.md",
        "ls | tee b",
        "cat a > b",
        "cat a >> b",
        "cat <<EOF",
        "cat $(rm a)",
        "cat `rm a`",
        "cat \"$(rm a)\"",
        "ls\nrm a",
        "find . -exec rm {} +",
        "find . -delete",
        "find . -execdir rm x",
        "find . -ok rm x",
        "find . -fprintf out x",
        "find . -fprint0 out",
        "find . -files0-from list",
        "tail -f log",
        "tail -5f log",
        "tail --follow=name log",
        "tail --fol log",
        "tail --retry log",
        "wc --files0-from=-",
        "sed -i s/a/b/ x",
        "git -c core.pager=sh log",
        "FOO=1 ls",
        "ls *",
        "cat 'a",
        "env ls",
        "ls ~",
    ]), @r#"
    "": the command is empty
    "rm a.md": `rm` is none of them
    "/bin/ls": `/bin/ls` is none of them
    "ls; rm a.md": `;` is not allowed: one program, no shell
    "ls && rm a.md": `&` is not allowed: one program, no shell
    "ls | tee b": `|` is not allowed: one program, no shell
    "cat a > b": `>` is not allowed: one program, no shell
    "cat a >> b": `>` is not allowed: one program, no shell
    "cat <<EOF": `<` is not allowed: one program, no shell
    "cat $(rm a)": `$` is not allowed: one program, no shell
    "cat `rm a`": ``` is not allowed: one program, no shell
    "cat \"$(rm a)\"": `$` is not allowed
    "ls\nrm a": it has more than one line
    "find . -exec rm {} +": `{` is not allowed: one program, no shell
    "find . -delete": find -delete is not allowed
    "find . -execdir rm x": find -execdir is not allowed
    "find . -ok rm x": find -ok is not allowed
    "find . -fprintf out x": find -fprintf is not allowed
    "find . -fprint0 out": find -fprint0 is not allowed
    "find . -files0-from list": find -files0-from is not allowed
    "tail -f log": tail -f is not allowed
    "tail -5f log": tail -5f is not allowed
    "tail --follow=name log": tail --follow=name is not allowed
    "tail --fol log": tail --fol is not allowed
    "tail --retry log": tail --retry is not allowed
    "wc --files0-from=-": wc --files0-from=- is not allowed
    "sed -i s/a/b/ x": `sed` is none of them
    "git -c core.pager=sh log": `git` is none of them
    "FOO=1 ls": `FOO=1` is none of them
    "ls *": `*` is not expanded here: use Glob
    "cat 'a": a quote is not closed
    "env ls": `env` is none of them
    "ls ~": `~` is not allowed: one program, no shell
    "#);
}

#[test]
fn a_program_that_prints_for_ever_is_cut_off() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let program = Program::parse("cat /dev/zero").unwrap();
    let answer = program.run(folder.path());
    assert!(answer.text.ends_with("[cut here]\n"));
    assert!(answer.text.len() < 80 * 1024);
}

#[test]
fn what_a_program_prints() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    std::fs::write(folder.path().join("a.md"), "one\ntwo\n").unwrap();
    let run = |line: &str| Program::parse(line).unwrap().run(folder.path());
    assert_eq!(run("wc -l a.md").text, "2 a.md\n");
    let missing = run("cat b.md");
    assert!(
        missing.error && missing.text.contains("No such file"),
        "{missing:?}"
    );
}
