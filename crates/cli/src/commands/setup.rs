//! `memdir setup`: connecting a client.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::clients::{
    Background, Change, Client, ClientPlaces, Connection, Installed, Ours, Plan, Reach, Trouble,
    apply, ask, choose, install, targets,
};
use crate::clock::Clock;
use crate::confirm::confirm;
use crate::difference::{Kind, print_unified, unified};
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Connect an agent: its hooks and its MCP server call memdir from then on
///
/// Shows what would change in the settings of the agent, asks, and changes nothing else: comments, order and every other
/// byte stay. It can be repeated; `memdir uninstall` takes it back. No file of a project is touched, unless you name one
/// with --project: its AGENTS.md then gets one marked block (Codex, opencode).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir setup claude-code
  memdir setup codex --dry-run
  memdir setup gemini --no-mcp --yes
  memdir setup codex --project .
  memdir setup claude-code --program /opt/memdir/bin/memdir

Whether it works is seen once the agent has been used: `memdir doctor`. docs/setup.md says what is written where.

JSON, with --yes or --dry-run: {client, dry_run, changed, program, copied, files, remarks}; each file has \
{path, change, diff}.")]
pub(crate) struct Setup {
    /// The agent
    #[arg(value_enum)]
    client: Client,
    /// Do not ask; no model is named then, unless --model does
    #[arg(long)]
    yes: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
    /// The memdir that the agent is to start, instead of this one
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// With the MCP server, by which the agent can look things up and save them; this is the default
    #[arg(long, overrides_with = "no_mcp")]
    mcp: bool,
    /// Hooks alone, without the MCP server
    #[arg(long)]
    no_mcp: bool,
    /// The model that may do background work, instead of being asked: claude, codex, one of Anthropic's by its name, or fork (Claude Code's own, with the plugin)
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// What that model may cost in a day
    #[arg(long, value_name = "DOLLARS", requires = "model")]
    daily_usd: Option<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    client: &'static str,
    dry_run: bool,
    changed: bool,
    program: &'a str,
    copied: bool,
    files: Vec<FileAnswer>,
    remarks: &'a [String],
}

/// What becomes of one file.
#[derive(Serialize)]
pub(super) struct FileAnswer {
    path: PathBuf,
    change: Kind,
    diff: String,
}

impl Setup {
    pub(crate) fn run(mut self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        refuse_silent(output, self.yes, self.dry_run)?;
        let told = self.told(workplace)?;
        let project = self.project(workplace)?;
        let own = workplace.places.own_dir();
        let places = ClientPlaces::find(self.client, workplace)?;
        let connection = known(workplace, self.client)?;
        let is_first = connection.since.is_none();
        let server = match (self.mcp, self.no_mcp) {
            (false, false) => is_first || connection.server,
            (_, no) => !no,
        };
        let program = choose(self.program.as_deref(), workplace)?;
        let path = program.path.to_str().map(str::to_owned);
        let path = path.ok_or_else(|| {
            let path = program.path.display();
            Failure::new(
                format!("{path} is not UTF-8"),
                "copy memdir elsewhere: `--program PATH`",
            )
        })?;
        let ours = Ours {
            client: self.client,
            program: path,
            written: connection.written.clone(),
        };
        let reach = Reach::of(workplace, &connection, &[]);
        let targets = targets(self.client, &places, &connection, &reach, project);
        let connection = connection.without_foreign(&reach, &targets);
        let mut plan = Plan::connect(&ours, &targets, connection, server)
            .map_err(|trouble| explain(workplace, trouble))?;
        if is_first || plan.is_any() {
            plan.connection.since = Some(Clock::new().now());
        }
        plan.connection.home.clone_from(&workplace.places.user_home);
        let remarks = plan.remarks.iter();
        let remarks = remarks.map(|(file, remark)| format!("{}: {remark}", workplace.shown(file)));
        let remarks: Vec<String> = remarks
            .map(|remark| one_line(&remark).into_owned())
            .collect();
        let changed = plan.is_any() || program.copy_from.is_some();
        if output.json {
            output.json(&Answer {
                client: self.client.word(),
                dry_run: self.dry_run,
                changed,
                program: &ours.program,
                copied: program.copy_from.is_some(),
                files: answers(workplace, &plan.changes),
                remarks: &remarks,
            })?;
        } else {
            show(workplace, &plan.changes, output)?;
            if let Some(from) = &program.copy_from {
                let (from, to) = (workplace.shown(from), workplace.shown(&program.path));
                output.line(format!(
                    "{STRONG}{to}{STRONG:#} becomes a copy of {from}, which cargo built"
                ))?;
            }
            output.flush()?;
            for remark in &remarks {
                output.warn(remark);
            }
        }
        if self.dry_run {
            return Ok(());
        }
        if changed && !confirm("Write this?", self.yes)? {
            return Ok(output.line("Nothing was changed.")?);
        }
        // Asked before anything is written: whoever ends it here has changed nothing.
        let background = match told {
            Some(background) => Some(background),
            None if self.declined()
                || self.yes
                || output.json
                || Background::is_named(workplace) =>
            {
                None
            }
            None => {
                output.flush()?;
                ask(workplace)?
            }
        };
        install(&program, &own)?;
        apply(&own, self.client, plan, false).map_err(|error| {
            Failure::new(error.to_string(), "run it again to go on; nothing was lost")
        })?;
        let named = background.as_ref().map(Background::afterwards);
        let lack = background.as_ref().and_then(|it| it.lack(workplace));
        if let Some(background) = background {
            background.write(workplace)?;
        }
        if let Some(lack) = lack {
            output.flush()?;
            output.warn(format!(
                "the model cannot be asked yet ({lack}); until it can, the rules do its work"
            ));
        }
        match output.json {
            true => Ok(()),
            false => self.report(workplace, changed, &program, named, output),
        }
    }

    /// The project whose `AGENTS.md` is meant, where the user named one.
    fn project(&self, workplace: &Workplace) -> Result<Option<PathBuf>, Failure> {
        if !workplace.named_project {
            return Ok(None);
        }
        match self.client {
            Client::Codex | Client::OpenCode => Ok(Some(workplace.places.start_folder.clone())),
            Client::ClaudeCode | Client::Gemini => Err(Failure::usage(format!(
                "{} is told by its hooks alone; leave `--project` out",
                self.client.title()
            ))),
        }
    }

    /// Whether the user has said that no model is to be asked.
    fn declined(&self) -> bool {
        self.model.as_deref() == Some("none")
    }

    /// The model that was named with the command, looked at before anything is written.
    fn told(&mut self, workplace: &Workplace) -> Result<Option<Background>, Failure> {
        if self.declined() {
            return Ok(None);
        }
        let Some(model) = self.model.take() else {
            return Ok(None);
        };
        let background = Background {
            model,
            daily_usd: self.daily_usd.take(),
        };
        background.check()?;
        match Background::is_named(workplace) {
            true => Err(Failure::new(
                "you have named models already; they stay as they are, and nothing was changed",
                "`memdir models` shows them; leave `--model` out",
            )),
            false => Ok(Some(background)),
        }
    }

    fn report(
        &self,
        workplace: &Workplace,
        changed: bool,
        program: &Installed,
        named: Option<&str>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let title = self.client.title();
        output.line(match changed {
            true => format!(
                "{GOOD}{title} is connected{GOOD:#} to {}",
                workplace.shown(&program.path)
            ),
            false => format!("{title} was connected already; nothing had to be changed"),
        })?;
        if self.client == Client::Codex {
            output.line("Codex runs no hook before you have trusted it: start `codex`, and look at /hooks. Until then they stay silent.")?;
        }
        if let Some(afterwards) = named {
            output.line(afterwards)?;
        } else if !Background::is_named(workplace) {
            output.line(format!(
                "{FAINT}Background work is done by rules; no model is asked. `memdir help models` says how to name one.{FAINT:#}"
            ))?;
        }
        Ok(output.line(format!(
            "Talk to {title} once, then `memdir doctor` says whether it arrived. `memdir uninstall {}` takes it back.",
            self.client.word()
        ))?)
    }
}

/// JSON cannot ask before it has shown.
pub(super) fn refuse_silent(output: &Output, yes: bool, dry_run: bool) -> Result<(), Failure> {
    match output.json && !yes && !dry_run {
        true => Err(Failure::usage(
            "`--json` shows nothing before it asks; add `--dry-run` to look, then `--yes`",
        )),
        false => Ok(()),
    }
}

/// What was written for a client before.
pub(super) fn known(workplace: &Workplace, client: Client) -> Result<Connection, Failure> {
    let read = Connection::read(&workplace.places.own_dir(), client);
    let read = read.map_err(|error| Failure::new(error.to_string(), "nothing was changed"))?;
    Ok(read.map(|(connection, _)| connection).unwrap_or_default())
}

/// Why nothing could be planned.
pub(super) fn explain(workplace: &Workplace, trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Store(error) => error.into(),
        Trouble::File { file, problem } => Failure::new(
            format!("{}: {}", workplace.shown(&file), one_line(&problem)),
            "mend the file first; nothing was changed",
        ),
    }
}

pub(super) fn answers(workplace: &Workplace, changes: &[Change]) -> Vec<FileAnswer> {
    let changes = changes.iter().filter(|change| change.is_any());
    changes
        .map(|change| FileAnswer {
            path: change.file.clone(),
            change: Kind::of(change.before.is_some(), change.after.is_some()),
            diff: difference(workplace, change),
        })
        .collect()
}

pub(super) fn show(
    workplace: &Workplace,
    changes: &[Change],
    output: &mut Output,
) -> Result<(), Failure> {
    for change in changes.iter().filter(|change| change.is_any()) {
        print_unified(&difference(workplace, change), output)?;
    }
    Ok(())
}

fn difference(workplace: &Workplace, change: &Change) -> String {
    let name = workplace.shown(&change.file);
    unified(&name, change.before.as_deref(), change.after.as_deref())
}
