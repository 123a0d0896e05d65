//! `memdir dream`: memories tidied up, by a model or by the rules.

mod live;
mod report;

use clap::Args;
use memdir_agent::dream::{DreamError, Progress, Proposal, apply};
use memdir_model::Cancel;
use memdir_session::{Wanted, dream};
use memdir_store::{Author, Reason};

use crate::dreaming::dreamers;
use crate::failure::Failure;
use crate::output::Output;
use crate::signals;
use crate::spending::Spending;
use crate::warning::Warnings;
use crate::workplace::Workplace;
use live::Live;
use report::Report;

/// Tidy up the memories: merge, mend, thin out
///
/// By the model that you have named for it (`memdir models`), within the budget of the day, or by fixed rules where there is
/// none. It works on a copy. The result is applied as one change only if few memories are lost by it, each keeps its
/// origin, the index fits and nobody changed a file meanwhile; otherwise it waits as a proposal. `memdir undo`
/// takes all of it back. Ctrl-C stops it, and nothing has changed.
///
/// It also happens by itself, a day and five conversations after the last time: dream.mode, dream.min_hours and
/// dream.min_sessions. docs/dream.md says more.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir dream
  memdir dream --dry-run --rules
  memdir dream --logs
  memdir dream --show
  memdir dream --apply

JSON: {fate, operation, because, merged, removed, lost, mended, inbox, denied, files, requests, calls, cost_usd,
warnings}; `fate` is nothing, applied, proposed, told, discarded or none; `merged` have {path, into}, `files` are as in
`memdir diff --json`.")]
pub(crate) struct Dream {
    /// Only show what would change; a model is asked all the same
    #[arg(long)]
    dry_run: bool,
    /// Apply also what would wait as a proposal
    #[arg(long)]
    force: bool,
    /// Dream of the daily logs since the last dream
    #[arg(long)]
    logs: bool,
    /// By the rules, even where a model is named
    #[arg(long)]
    rules: bool,
    /// Show the proposal that waits
    #[arg(long, conflicts_with_all = ["dry_run", "force", "logs", "rules", "apply", "discard"])]
    show: bool,
    /// Apply the proposal that waits
    #[arg(long, conflicts_with_all = ["dry_run", "force", "logs", "rules", "discard"])]
    apply: bool,
    /// Let the proposal go that waits
    #[arg(long, conflicts_with_all = ["dry_run", "force", "logs", "rules"])]
    discard: bool,
    #[command(flatten)]
    spending: Spending,
}

impl Dream {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if self.show || self.apply || self.discard {
            return self.proposal(workplace, output);
        }
        let mut warnings = Warnings::default();
        let rules = self.rules || self.spending.is_off();
        let (background, without) = dreamers(workplace, self.spending, rules)
            .map_err(|why| Failure::new(why, "see `memdir models`; --rules needs no model"))?;
        if let Some(why) = without {
            warnings.add(why);
        }
        // The rules take no time: a signal waits for their end, and the lock is put back in order.
        let cancel = match background.dream.is_some() {
            true => signals::until_a_signal()?,
            false => {
                signals::noted()?;
                Cancel::new()
            }
        };
        let wanted = Wanted {
            conversation: None,
            logs: self.logs,
            force: self.force,
            dry_run: self.dry_run,
        };
        let live = Live::new();
        let tell = |progress: &Progress| live.show(progress);
        let home = workplace.home();
        let dreamt = dream(&home, &background, &wanted, None, &tell, &cancel);
        drop(live);
        let dreamt = dreamt.map_err(|error| failure(workplace, error))?;
        // For which project the directory is; without it only a second one is not noticed.
        if !self.dry_run {
            let _ = workplace.record_root();
        }
        Report::of(&dreamt, warnings).print(workplace, output)
    }

    /// Looks at the proposal that waits, applies it or lets it go.
    fn proposal(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let store = &workplace.store;
        let failed = |error: DreamError| failure(workplace, error);
        let waiting = Proposal::waiting(store).map_err(|error| failed(error.into()))?;
        let Some(proposal) = waiting else {
            return Report::none("none").print(workplace, output);
        };
        if self.discard {
            Proposal::discard(store).map_err(|error| failed(error.into()))?;
            return Report::none("discarded").print(workplace, output);
        }
        let changes = proposal.changes(store).map_err(failed)?;
        let mut operation = None;
        if self.apply {
            let reason = Reason::new(Author::Dream, memdir_agent::dream::PURPOSE);
            operation = apply(store, &changes, &reason, workplace.secret_policy())?;
            Proposal::discard(store).map_err(|error| failed(error.into()))?;
        }
        Report::waiting(&proposal, &changes, operation).print(workplace, output)
    }
}

fn failure(workplace: &Workplace, error: DreamError) -> Failure {
    let hint = match &error {
        DreamError::Busy(_) => "try again when it has ended".to_owned(),
        DreamError::Stale(_) => format!(
            "{} makes a new one, {} lets it go",
            workplace.command("dream"),
            workplace.command("dream --discard")
        ),
        DreamError::Meter(_) => {
            format!("{} needs no model", workplace.command("dream --rules"))
        }
        _ => String::new(),
    };
    match error {
        DreamError::Store(error) => error.into(),
        error => Failure::new(error.to_string(), hint),
    }
}
