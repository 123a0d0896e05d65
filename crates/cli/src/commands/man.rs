//! `memdir man`: the manual page, made from the same words as the help.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man as Page;

use crate::arguments;
use crate::failure::Failure;
use crate::output::Output;

/// The manual page
///
/// Prints one page for the whole program in the form that `man` reads. With --dir, writes one page
/// per command instead.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir man | man -l -
  memdir man --dir ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write a page per command into this folder, which is made if it is missing
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut program = arguments::program();
        program.build();
        match &self.dir {
            None => Ok(output.raw(&whole_page(program)?)?),
            Some(folder) => write_pages(folder, program, output),
        }
    }
}

/// The program's page with a section for each command.
fn whole_page(program: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let main = Page::new(program.clone());
    main.render_title(&mut page)?;
    main.render_name_section(&mut page)?;
    main.render_synopsis_section(&mut page)?;
    main.render_description_section(&mut page)?;
    main.render_options_section(&mut page)?;
    for command in commands(&program) {
        let title = command.get_bin_name().unwrap_or_default().to_uppercase();
        // What every command takes stands at the top, once.
        let command = command.mut_args(|argument| {
            let is_global = argument.is_global_set();
            argument.hide(is_global)
        });
        page.extend_from_slice(format!(".SH \"{title}\"\n").as_bytes());
        let part = Page::new(command);
        let mut text = Vec::new();
        part.render_synopsis_section(&mut text)?;
        part.render_description_section(&mut text)?;
        part.render_options_section(&mut text)?;
        part.render_extra_section(&mut text)?;
        // The sections of a command are beneath its own.
        for line in String::from_utf8_lossy(&text).lines() {
            let line = line
                .strip_prefix(".SH ")
                .map_or(line.to_owned(), |name| format!(".SS {name}"));
            page.extend_from_slice(line.as_bytes());
            page.push(b'\n');
        }
    }
    main.render_extra_section(&mut page)?;
    main.render_version_section(&mut page)?;
    Ok(with_examples(&page))
}

/// The examples of a help text are called that, and not "extra".
fn with_examples(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    page.replace(".SH EXTRA\n", ".SH EXAMPLES\n")
        .replace(".SS EXTRA\n", ".SS EXAMPLES\n")
        .into_bytes()
}

fn commands(program: &Command) -> impl Iterator<Item = Command> + '_ {
    program
        .get_subcommands()
        .filter(|command| command.get_name() != "help" && !command.is_hide_set())
        .cloned()
}

fn write_pages(folder: &Path, program: Command, output: &mut Output) -> Result<(), Failure> {
    let failed = |path: &Path, error: io::Error| {
        Failure::new(format!("could not write {}: {error}", path.display()), "")
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let pages: Vec<Command> = commands(&program).collect();
    for command in std::iter::once(program).chain(pages) {
        let name = command.get_bin_name().unwrap_or("memdir").replace(' ', "-");
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        Page::new(command.display_name(&name).bin_name(&name)).render(&mut page)?;
        fs::write(&path, with_examples(&page)).map_err(|error| failed(&path, error))?;
        output.line(path.display().to_string())?;
    }
    Ok(())
}
