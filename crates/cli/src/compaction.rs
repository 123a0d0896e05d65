//! What settings and variables say about making room, as `context` takes it. The only place that knows both.

use memdir_context::{CompactionSwitches, Configured, Percent, Switch};
use memdir_settings::{CompactionDecisions, Decision, Settings, variables};

use crate::workplace::Workplace;

/// What settings and variables say about sizes.
pub(crate) fn configured(workplace: &Workplace) -> Configured {
    let name = variables::AUTOCOMPACT_PERCENT;
    let percent = workplace
        .environment
        .value(name)
        .filter(|_| !workplace.places.ignores_variable(name));
    let percent = percent.and_then(|percent| percent.to_str());
    sizes(&workplace.places.settings.settings(), percent)
}

/// Which compactions are on.
pub(crate) fn switches(workplace: &Workplace) -> CompactionSwitches {
    switched(&workplace.places.compaction)
}

fn sizes(settings: &Settings, percent: Option<&str>) -> Configured {
    Configured {
        compact_at: percent.and_then(Percent::parse),
        warning_tokens: settings.compaction.warning_tokens,
        error_tokens: settings.compaction.error_tokens,
        notes_first: settings.notes.init_tokens,
        notes_growth: settings.notes.update_tokens,
        notes_tool_calls: settings.notes.tool_calls,
    }
}

fn switched(decisions: &CompactionDecisions) -> CompactionSwitches {
    CompactionSwitches {
        automatic: switch(&decisions.automatic),
        manual: switch(&decisions.manual),
        micro: switch(&decisions.micro),
        notes: switch(&decisions.notes),
        full: switch(&decisions.full),
    }
}

fn switch(decision: &Decision) -> Switch {
    match decision.enabled {
        true => Switch::On,
        false => Switch::Off {
            by: decision.reason.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use memdir_settings::{Assignment, Sources, Switches, decide_compaction, resolve};

    use super::*;

    fn set(texts: &[&str]) -> Vec<Assignment> {
        let texts = texts.iter();
        texts.map(|text| Assignment::parse(text).unwrap()).collect()
    }

    #[test]
    fn the_defaults_of_both_sides_agree() {
        let resolved = resolve(Sources::default(), |_| None);
        assert_eq!(sizes(&resolved.settings(), None), Configured::default());
        let decisions = decide_compaction(&Switches::default(), &resolved);
        assert_eq!(switched(&decisions), CompactionSwitches::default());
    }

    #[test]
    fn every_setting_arrives() {
        let flags = set(&[
            "compaction.warning_tokens=1",
            "compaction.error_tokens=2",
            "notes.init_tokens=3",
            "notes.update_tokens=4",
            "notes.tool_calls=5",
            "compaction.auto=false",
            "compaction.micro=false",
            "compaction.notes=false",
            "compaction.full=false",
        ]);
        let sources = Sources {
            flags: &flags,
            ..Sources::default()
        };
        let resolved = resolve(sources, |_| None);
        let configured = Configured {
            compact_at: Percent::parse("50"),
            warning_tokens: 1,
            error_tokens: 2,
            notes_first: 3,
            notes_growth: 4,
            notes_tool_calls: 5,
        };
        assert_eq!(sizes(&resolved.settings(), Some("50")), configured);
        let switches = switched(&decide_compaction(&Switches::default(), &resolved));
        let off = Switch::Off {
            by: Assignment::FLAG.to_owned(),
        };
        assert_eq!(
            switches,
            CompactionSwitches {
                automatic: off.clone(),
                manual: Switch::On,
                micro: off.clone(),
                notes: off.clone(),
                full: off,
            }
        );
    }
}
