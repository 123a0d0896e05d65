//! `memdir completions`: what a shell needs to complete commands and flags.

use clap::Args;
use clap_complete::Shell;

use crate::arguments;
use crate::failure::Failure;
use crate::output::Output;

/// Completions for your shell
///
/// Prints a script for your shell to standard output. Put it where the shell looks for completions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir completions bash > ~/.local/share/bash-completion/completions/memdir
  memdir completions zsh > ~/.zfunc/_memdir
  memdir completions fish > ~/.config/fish/completions/memdir.fish")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut script = Vec::new();
        let mut program = arguments::program();
        let name = program.get_name().to_owned();
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        Ok(output.raw(&script)?)
    }
}
