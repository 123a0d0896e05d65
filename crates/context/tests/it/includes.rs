//! `@path`: what is an include, and what becomes of it.

use insta::assert_snapshot;

use crate::disk::{Disk, sources};

/// The files that a text in `/p/CLAUDE.md` asks for.
fn asked(text: &str) -> String {
    let (found, _) = Disk::new().file("/p/CLAUDE.md", text).search(sources());
    let refused = found.refused.iter().map(|refusal| {
        let memdir_context::instructions::Asker::Include { line, .. } = refusal.asker else {
            panic!("{refusal:?}");
        };
        format!("{line}: {}", refusal.path.display())
    });
    refused.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_form() {
    let disk = Disk::new()
        .file(
            "/p/CLAUDE.md",
            "@./a.md\n@b.md\nand @sub/c.md, too\n@~/d.md @/e.md\n@../f.md @README",
        )
        .file("/p/a.md", "")
        .file("/p/b.md", "")
        .file("/p/sub/c.md", "relative to itself: @d.md")
        .file("/p/sub/d.md", "")
        .file("/home/ada/d.md", "")
        .file("/e.md", "")
        .file("/f.md", "")
        .file("/p/README", "");
    assert_snapshot!(disk.tell(sources()), @"
    Project /p/CLAUDE.md
    Project /p/a.md < /p/CLAUDE.md:1
    Project /p/b.md < /p/CLAUDE.md:2
    Project /p/sub/c.md < /p/CLAUDE.md:3
    Project /p/sub/d.md < /p/sub/c.md:1
    Project /p/README < /p/CLAUDE.md:5
    - /home/ada/d.md < /p/CLAUDE.md:4: it is outside of the project, and claudeMd.allowExternalIncludes is not set
    - /e.md < /p/CLAUDE.md:4: it is outside of the project, and claudeMd.allowExternalIncludes is not set
    - /f.md < /p/CLAUDE.md:5: it is outside of the project, and claudeMd.allowExternalIncludes is not set
    ");
    let mut allowed = sources();
    allowed.allow_external_includes = true;
    assert_snapshot!(disk.tell(allowed), @"
    Project /p/CLAUDE.md
    Project /p/a.md < /p/CLAUDE.md:1
    Project /p/b.md < /p/CLAUDE.md:2
    Project /p/sub/c.md < /p/CLAUDE.md:3
    Project /p/sub/d.md < /p/sub/c.md:1
    Project /home/ada/d.md < /p/CLAUDE.md:4
    Project /e.md < /p/CLAUDE.md:4
    Project /f.md < /p/CLAUDE.md:5
    Project /p/README < /p/CLAUDE.md:5
    ");
}

#[test]
fn the_text_around_an_include_is_not_part_of_it() {
    assert_snapshot!(asked("See @a.md. Or @b.md, (@not.md) **@c.md** \"@not.md\"\n@d\\ e.md @f.md#part @g.md!"), @"
    1: /p/a.md
    1: /p/b.md
    1: /p/c.md
    2: /p/d e.md
    2: /p/f.md
    2: /p/g.md
    ");
}

#[test]
fn what_is_no_include() {
    assert_eq!(
        asked("ada@example.com \\@a.md https://x.org/@ada @ @@x @# @. @.. @/ @~ @~ada/x @(x)"),
        ""
    );
}

#[test]
fn code_is_no_include() {
    let text = "\
`@span.md` ``a ` @span.md`` @a.md `@span.md` @b.md

```
@fence.md
```

~~~~ text
@fence.md
~~~
@fence.md
~~~~

    @indented.md

> ```
> @quoted-fence.md
> ```
> @c.md

- item
  ```
  @list-fence.md
  ```
  @d.md

`not closed @e.md

```
@never-closed.md
";
    assert_snapshot!(asked(text), @"
    1: /p/a.md
    1: /p/b.md
    18: /p/c.md
    24: /p/d.md
    26: /p/e.md
    ");
}

#[test]
fn a_comment_is_no_include() {
    assert_snapshot!(asked("<!-- @a.md -->\n\n@b.md <!-- @c.md --> @d.md\n\n<div>\n@e.md <!--\n@f.md -->\n</div>"), @"
    3: /p/b.md
    3: /p/d.md
    6: /p/e.md
    ");
}

#[test]
fn lines_are_those_of_the_file() {
    assert_snapshot!(asked("\u{feff}\r\n\r\n@a.md\r\né @b.md @c.md\n\n\n@d.md"), @"
    3: /p/a.md
    4: /p/b.md
    4: /p/c.md
    7: /p/d.md
    ");
}

#[test]
fn only_texts_by_their_ending() {
    let text = "@a.PNG @b.pdf @c.md @d.Rs @.env @.env.local @Makefile @e.so @f.tar.gz @g.json";
    let disk = Disk::new()
        .file("/p/CLAUDE.md", text)
        .file("/p/Makefile", "all:\0");
    assert_snapshot!(disk.tell(sources()), @"
    Project /p/CLAUDE.md
    - /p/a.PNG < /p/CLAUDE.md:1: it is not a text file
    - /p/b.pdf < /p/CLAUDE.md:1: it is not a text file
    - /p/c.md < /p/CLAUDE.md:1: there is no such file
    - /p/d.Rs < /p/CLAUDE.md:1: there is no such file
    - /p/.env < /p/CLAUDE.md:1: it is not a text file
    - /p/.env.local < /p/CLAUDE.md:1: it is not a text file
    - /p/Makefile < /p/CLAUDE.md:1: it is not a text file
    - /p/e.so < /p/CLAUDE.md:1: it is not a text file
    - /p/f.tar.gz < /p/CLAUDE.md:1: it is not a text file
    - /p/g.json < /p/CLAUDE.md:1: there is no such file
    ");
}

#[test]
fn at_most_five_deep() {
    let chain = |first: usize| {
        (first..9).fold(Disk::new().file("/p/CLAUDE.md", "@1.md"), |disk, n| {
            disk.file(format!("/p/{n}.md"), format!("@{}.md", n + 1))
        })
    };
    assert_snapshot!(chain(1).tell(sources()), @"
    Project /p/CLAUDE.md
    Project /p/1.md < /p/CLAUDE.md:1
    Project /p/2.md < /p/1.md:1
    Project /p/3.md < /p/2.md:1
    Project /p/4.md < /p/3.md:1
    Project /p/5.md < /p/4.md:1
    - /p/6.md < /p/5.md:1: includes go at most 5 deep
    ");
}

#[test]
fn what_was_too_deep_once_is_loaded_where_it_is_not() {
    let disk = (1..6).fold(
        Disk::new().file("/p/CLAUDE.md", "@1.md @6.md"),
        |disk, n| disk.file(format!("/p/{n}.md"), format!("@{}.md", n + 1)),
    );
    let disk = disk.file("/p/6.md", "");
    let told = disk.tell(sources());
    assert!(told.contains("Project /p/6.md < /p/CLAUDE.md:1"), "{told}");
}

#[test]
fn cycles_are_harmless_and_told() {
    let disk = Disk::new()
        .file("/p/CLAUDE.md", "@CLAUDE.md\n@a.md")
        .file("/p/a.md", "@b.md")
        .file("/p/b.md", "\n\n@./a.md @../p/CLAUDE.md");
    assert_snapshot!(disk.tell(sources()), @"
    Project /p/CLAUDE.md
    Project /p/a.md < /p/CLAUDE.md:2
    Project /p/b.md < /p/a.md:1
    - /p/CLAUDE.md < /p/CLAUDE.md:1: it includes itself; it is loaded once
    - /p/a.md < /p/b.md:3: it includes itself; it is loaded once
    - /p/CLAUDE.md < /p/b.md:3: it includes itself; it is loaded once
    ");
}

#[test]
fn a_diamond_is_loaded_once_and_is_nothing_to_tell() {
    let disk = Disk::new()
        .file("/p/CLAUDE.md", "@a.md @b.md @a.md")
        .file("/p/a.md", "@c.md")
        .file("/p/b.md", "@c.md @./sub/../c.md")
        .file("/p/c.md", "");
    assert_snapshot!(disk.tell(sources()), @"
    Project /p/CLAUDE.md
    Project /p/a.md < /p/CLAUDE.md:1
    Project /p/c.md < /p/a.md:1
    Project /p/b.md < /p/CLAUDE.md:1
    ");
}

#[test]
fn a_file_of_the_user_may_include_anything_but_does_not_lend_that_to_the_project() {
    let disk = Disk::new()
        .file("/home/ada/.claude/CLAUDE.md", "@/opt/notes.md @/p/RULES.md")
        .file("/opt/notes.md", "@/opt/more.md")
        .file("/opt/more.md", "")
        .file("/p/RULES.md", "@~/.netrc.txt @docs/x.md")
        .file("/home/ada/.netrc.txt", "secret")
        .file("/p/docs/x.md", "");
    assert_snapshot!(disk.tell(sources()), @"
    User /home/ada/.claude/CLAUDE.md
    User /opt/notes.md < /home/ada/.claude/CLAUDE.md:1
    User /opt/more.md < /opt/notes.md:1
    User /p/RULES.md < /home/ada/.claude/CLAUDE.md:1
    User /p/docs/x.md < /p/RULES.md:1
    - /home/ada/.netrc.txt < /p/RULES.md:1: it is outside of the project, and claudeMd.allowExternalIncludes is not set
    ");
}

#[test]
fn without_a_home_there_is_no_tilde() {
    let mut sources = sources();
    sources.user_home = None;
    let disk = Disk::new().file("/p/CLAUDE.md", "@~/x.md");
    assert_snapshot!(disk.tell(sources), @"
    Project /p/CLAUDE.md
    - ~/x.md < /p/CLAUDE.md:1: there is no home directory for `~`
    ");
}

#[test]
fn more_includes_than_can_be_meant_end_with_one_word_and_silence_nobody_else() {
    let text: String = (0..20_000).map(|n| format!("@{n}.md\n")).collect();
    let disk = Disk::new()
        .file("/p/CLAUDE.md", text)
        .file("/p/CLAUDE.local.md", "the user's own");
    let (found, asked) = disk.search(sources());
    assert!(asked.len() < 5_100, "{}", asked.len());
    assert_eq!(found.files.len(), 2);
    let told: Vec<_> = (found.refused.iter())
        .filter(|refusal| !refusal.reason.is_ordinary())
        .collect();
    assert_eq!(told.len(), 1);
    assert_snapshot!(told[0].reason, @"5000 includes or rules have been looked at; the rest is left alone");
}

#[test]
fn more_rules_than_can_be_meant_end_with_one_word_and_silence_nobody_else() {
    let disk = (0..6_000).fold(Disk::new(), |disk, n| {
        disk.file(format!("/p/.claude/rules/{n}.md"), "x")
    });
    let (found, _) = disk.file("/p/CLAUDE.local.md", "x").search(sources());
    assert_eq!((found.refused.len(), found.files.len()), (1, 5_001));
    assert!(
        found
            .files
            .last()
            .unwrap()
            .path
            .ends_with("CLAUDE.local.md")
    );
}
