//! What holds for everything that is shown again after compaction.

use memdir_context::RestoredLimits;
use memdir_context::restore::{Host, Plan, ReadFile, Skill};
use proptest::prelude::*;

use crate::notes::count;
use crate::restore::{Disk, limits, read, restore, text};

proptest! {
    #[test]
    fn every_limit_holds(
        whens in prop::collection::vec((0..12_usize, 0..20_u64, prop::bool::weighted(0.2)), 0..20),
        sizes in prop::collection::vec(0..6_000_usize, 12),
        line in 1..400_usize,
        plan in 0..3_000_usize,
        skills in prop::collection::vec((0..3_000_usize, any::<u64>()), 0..6),
        file in 0..500_u64, total in 0..2_000_u64, all_skills in 0..1_000_u64, room in 0..3_000_u64,
    ) {
        let limits = RestoredLimits { file, total, skills: all_skills, ..limits() };
        let paths: Vec<String> = (0..12).map(|at| format!("/p/{at}")).collect();
        let files: Vec<ReadFile> = whens
            .iter()
            .map(|(at, when, kept)| ReadFile { kept: *kept, ..read(&paths[*at], *when) })
            .collect();
        let content = |bytes: usize| format!("{}\n", "é".repeat(line)).repeat(bytes / line);
        let disk: Disk<'_> = paths
            .iter()
            .zip(&sizes)
            .map(|(path, bytes)| (path.as_str(), text(content(*bytes))))
            .collect();
        let plan = content(plan);
        let skills: Vec<(String, u64)> = skills.iter().map(|(bytes, when)| (content(*bytes), *when)).collect();
        let skills: Vec<Skill<'_>> = skills
            .iter()
            .map(|(text, when)| Skill { name: "a skill", text, when: *when })
            .collect();
        let host = Host {
            plan: Some(Plan { path: "/plan.md", text: &plan }),
            skills: &skills,
            ..Host::default()
        };
        let (restored, asked) = restore(&files, &host, limits, room, &disk);

        let tokens: u64 = restored.reminders.iter().map(|block| count(block.body())).sum();
        prop_assert_eq!(tokens, restored.tokens);
        prop_assert!(tokens <= room);
        prop_assert!(restored.reminders.iter().all(|block| count(block.body()) <= file));
        prop_assert!(restored.files.len() <= limits.files);
        prop_assert!(restored.files.iter().map(|file| file.tokens).sum::<u64>() <= total);
        // Each file is shown or left out, once; none is asked for twice.
        let mut named: Vec<&str> = restored.files.iter().map(|file| file.path.as_str()).collect();
        named.extend(restored.left_out.iter().map(|(path, _)| path.as_str()));
        named.sort_unstable();
        let mut read: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        read.sort_unstable();
        read.dedup();
        prop_assert_eq!(named, read);
        let mut once = asked.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), asked.len());
    }
}
