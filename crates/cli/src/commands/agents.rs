//! `memdir agents`: which agents have a memory of their own.

use std::path::Path;

use clap::Args;
use memdir_memory::INDEX_NAME;
use memdir_store::{AgentIndex, AgentMemory, migrate_agent_index};
use serde::Serialize;

use crate::commands::list::warn_of_skipped;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{GAP, count, one_line, push_padded, widest};
use crate::workplace::Workplace;

/// The agents that have a memory of their own
///
/// In three scopes: `user` for all projects, `project` committed with the project, `local` for the project on this
/// machine. `memdir prompt --agent NAME --scope SCOPE` prints what such an agent is told.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir agents
  memdir agents --migrate

JSON: an array of {agent, scope, memories, index, path}; index is `there`, `missing` or `old_name`, \
and `renamed` where --migrate has just done it.")]
pub(crate) struct Agents {
    /// Rename a `memory.md` to `MEMORY.md` where an agent has none
    #[arg(long)]
    migrate: bool,
    /// With --migrate: rename nothing, only list
    #[arg(long, requires = "migrate")]
    dry_run: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    agent: &'a str,
    scope: &'static str,
    memories: usize,
    index: IndexState,
    path: &'a Path,
}

/// What became of an agent's index.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum IndexState {
    There,
    Missing,
    OldName,
    Renamed,
}

impl Agents {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let agents = workplace.places.agents();
        let mut rows = Vec::new();
        for found in &agents.found {
            let renamed = self.migrate && !self.dry_run && migrate(found, workplace)?;
            rows.push(Row {
                agent: found.agent.as_str(),
                scope: found.scope.as_str(),
                memories: found.memories,
                index: match found.index {
                    _ if renamed => IndexState::Renamed,
                    AgentIndex::There => IndexState::There,
                    AgentIndex::Missing => IndexState::Missing,
                    AgentIndex::OldName => IndexState::OldName,
                },
                path: &found.path,
            });
        }
        if output.json {
            output.json(&rows)?;
        } else if rows.is_empty() {
            output.line(format!(
                "No agent has a memory here yet. One that says `memory: user`, `project` or `local` in its definition \
                 gets a folder:\n  {}",
                workplace.shown(&workplace.places.agents_dir(memdir_memory::AgentScope::User))
            ))?;
        } else {
            print(&rows, workplace, output)?;
        }
        warn_of_skipped(output, &agents.skipped)
    }
}

fn migrate(found: &AgentMemory, workplace: &Workplace) -> Result<bool, Failure> {
    if found.index != AgentIndex::OldName {
        return Ok(false);
    }
    let renamed = migrate_agent_index(&workplace.places, &found.agent, found.scope)?;
    Ok(renamed)
}

fn print(rows: &[Row<'_>], workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    let names: Vec<_> = rows.iter().map(|row| one_line(row.agent)).collect();
    let counts: Vec<String> = rows
        .iter()
        .map(|row| count(row.memories, "memory", "memories"))
        .collect();
    let name_columns = widest(names.iter().map(AsRef::as_ref));
    let scope_columns = widest(rows.iter().map(|row| row.scope));
    let count_columns = widest(counts.iter().map(String::as_str));
    for ((row, name), memories) in rows.iter().zip(&names).zip(&counts) {
        let mut line = format!("{STRONG}");
        push_padded(&mut line, name, name_columns);
        line.push_str(&format!("{STRONG:#}{GAP}"));
        push_padded(&mut line, row.scope, scope_columns);
        line.push_str(GAP);
        push_padded(&mut line, memories, count_columns);
        let path = workplace.shown(row.path);
        line.push_str(&format!("{GAP}{FAINT}{}{FAINT:#}", one_line(&path)));
        match row.index {
            IndexState::Missing => line.push_str(&format!(" {FAINT}(no {INDEX_NAME}){FAINT:#}")),
            IndexState::OldName => line.push_str(&format!(
                " {WARN}(memory.md is not loaded by every client; --migrate renames it){WARN:#}"
            )),
            IndexState::Renamed => {
                line.push_str(&format!(" {GOOD}(renamed to {INDEX_NAME}){GOOD:#}"))
            }
            IndexState::There => {}
        }
        output.line(line)?;
    }
    Ok(())
}
