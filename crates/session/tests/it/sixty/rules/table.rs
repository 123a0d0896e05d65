//! The table: each rule by its number, what it is about, and where it shows.

use super::At::{Count, Sent, Step, Test};
use super::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "3.1",
        "what the memory prompt conveys",
        &[
            Sent(1, "main", "# auto memory"),
            Test(
                "crates/context/tests/it/prompt.rs",
                "private_memory_with_its_index",
            ),
        ],
    ),
    (
        "3.2",
        "how the past is searched",
        &[Sent(1, "main", "# Searching the past")],
    ),
    (
        "3.3",
        "guidelines of others, and no index",
        &[Test(
            "crates/context/tests/it/prompt.rs",
            "without_the_index_and_with_extra_guidelines",
        )],
    ),
    (
        "3.4",
        "made once, and again after a compaction",
        &[
            // The index has a line more then, which was no reason to change the prompt before.
            Sent(44, "main", "](feedback_commits.md)"),
            Test(
                "crates/session/tests/it/turns.rs",
                "a_memory_is_recalled_beside_the_message_and_the_next_request_repeats_the_first",
            ),
        ],
    ),
    (
        "3.5",
        "off, nothing of memory appears",
        &[Test(
            "crates/session/tests/it/turns.rs",
            "with_memory_off_nothing_of_it_appears",
        )],
    ),
    (
        "3.6",
        "the index is sent once, last of the instruction files",
        &[
            Sent(1, "main", "MEMORY.md"),
            Test(
                "crates/cli/tests/it/prompt_settings.rs",
                "the_index_goes_where_it_is_wanted",
            ),
        ],
    ),
    (
        "5.1",
        "looked up before the first request; when it is not",
        &[
            Step(1, "recalled feedback_friday.md"),
            Step(2, "not looked up: the message has fewer than two words"),
            Step(
                11,
                "not looked up: this conversation has been given 60,000 bytes",
            ),
        ],
    ),
    (
        "5.2",
        "neither what is shown nor what was read; compaction lets it come again",
        &[
            Step(3, "feedback_friday.md: in the conversation already"),
            Step(7, "user_role.md: the agent read it itself"),
            Step(36, "recalled feedback_commits.md"),
            Step(45, "recalled feedback_friday.md"),
        ],
    ),
    (
        "5.3",
        "at most five; how to use a tool in use is noise; a model that selects",
        &[
            Step(8, "project_0_4.md"),
            Step(5, "reference_grep.md: how to use a tool that is in use"),
            Test(
                "crates/session/tests/it/selecting.rs",
                "what_a_model_selects_comes_when_it_is_ready_and_nothing_waits_for_it",
            ),
            Test(
                "crates/agent/tests/it/selector.rs",
                "without_an_answer_the_embedded_ranker_chooses",
            ),
        ],
    ),
    (
        "5.4",
        "beside the message, with its age and caveat, cut with a note",
        &[
            Sent(1, "main", "Memory (saved 5 days ago)"),
            Sent(1, "main", "Written 5 days ago"),
            Sent(8, "main", "[Cut after "),
        ],
    ),
    (
        "5.5",
        "memory of agents is never shown this way",
        &[Test(
            "crates/cli/tests/it/prompt.rs",
            "an_agent_gets_its_own_index_under_its_own_heading",
        )],
    ),
    (
        "5.6",
        "the embedded ranker keeps silent where nothing helps",
        &[Test(
            "crates/recall/tests/it/silence.rs",
            "silence_where_no_number_was_chosen",
        )],
    ),
    (
        "6.1",
        "after a reply without calls a fork looks",
        &[
            Step(12, "Saved 1 memory: feedback_commits.md"),
            Count(12, "extraction", 2),
            Test(
                "crates/agent/tests/it/turns.rs",
                "which_turns_are_looked_at",
            ),
        ],
    ),
    (
        "6.2",
        "what failed is looked at again, also over a compaction",
        &[
            Step(16, "extraction failed"),
            Sent(17, "extraction", "the last 4 messages above"),
            // From where it was left: what was said, and what was shown again.
            Step(43, "extraction failed"),
            Sent(44, "extraction", "the last 10 messages above"),
        ],
    ),
    (
        "6.3",
        "what the agent saved itself is left to it",
        &[
            Step(18, "extraction skipped: the agent saved something itself"),
            Count(18, "extraction", 0),
        ],
    ),
    (
        "6.4",
        "turns that end while a run is under way have one trailing run",
        &[
            Count(13, "extraction", 0),
            Count(14, "extraction", 0),
            Count(15, "extraction", 2),
            Sent(15, "extraction", "the last 4 messages above"),
        ],
    ),
    (
        "6.5",
        "the fork has the tools of its parent and not its powers",
        &[
            Sent(12, "extraction", "/etc/motd"),
            Test(
                "crates/agent/tests/it/extract.rs",
                "what_a_fork_may_not_do_is_denied_and_it_goes_on",
            ),
        ],
    ),
    (
        "6.6",
        "few turns, the manifest in the prompt, writes end it",
        &[
            Sent(
                12,
                "extraction",
                "feedback_friday.md (2026-11-11T08:00:00Z): Never push to main on a Friday",
            ),
            Count(61, "extraction", 1),
            Test(
                "crates/agent/tests/it/extract.rs",
                "the_standard_script_takes_two_requests",
            ),
        ],
    ),
    (
        "6.7",
        "what was saved is told",
        &[Step(12, "Saved 1 memory: feedback_commits.md")],
    ),
    (
        "6.8",
        "on exit a run gets its time",
        &[Step(61, "Saved 1 memory: feedback_rivers.md")],
    ),
    (
        "6.9",
        "what each run cost",
        &[Test(
            "crates/agent/tests/it/extract.rs",
            "the_standard_script_takes_two_requests",
        )],
    ),
    (
        "6.10",
        "without a model fixed rules save what was said outright",
        &[Test(
            "crates/session/tests/it/turns.rs",
            "what_the_user_said_outright_is_saved_after_the_turn_without_a_model",
        )],
    ),
    (
        "7.1",
        "after five other conversations",
        &[
            Step(50, "dream: "),
            Test(
                "crates/agent/tests/it/dream/gates.rs",
                "hours_first_then_conversations",
            ),
        ],
    ),
    (
        "7.2",
        "one at a time, and failure leaves no trace",
        &[
            Test(
                "crates/agent/tests/it/dream/gates.rs",
                "two_at_once_have_one_winner",
            ),
            Test(
                "crates/agent/tests/it/dream.rs",
                "success_is_noted_failure_leaves_no_trace",
            ),
        ],
    ),
    (
        "7.3",
        "four phases",
        &[
            Sent(50, "dream", "## Four phases"),
            Step(50, "dream: changed"),
        ],
    ),
    (
        "7.4",
        "a fork of the conversation that set it off, on a copy",
        &[
            Sent(
                50,
                "dream writes",
                "What you see and change there is a copy",
            ),
            Test(
                "crates/agent/tests/it/dream.rs",
                "a_fork_repeats_the_conversation_that_set_it_off",
            ),
        ],
    ),
    (
        "7.5",
        "progress that a host shows",
        &[
            Test(
                "crates/cli/tests/it/dream.rs",
                "whoever_stops_it_finds_everything_as_it_was",
            ),
            Test(
                "crates/cli/tests/it/dream.rs",
                "a_model_tidies_up_and_undo_takes_it_back",
            ),
        ],
    ),
    (
        "7.6",
        "without a model the rules tidy up",
        &[Test(
            "crates/cli/tests/it/dream.rs",
            "by_itself_after_a_day_and_five_conversations",
        )],
    ),
    (
        "9.1",
        "ten sections",
        &[
            Sent(9, "notes", "# Worklog"),
            Test(
                "crates/context/tests/it/notes.rs",
                "the_form_has_ten_sections",
            ),
        ],
    ),
    (
        "9.2",
        "first at 10,000 tokens, again as it grows",
        &[
            Step(9, "notes are up to date"),
            Test(
                "crates/agent/tests/it/notes.rs",
                "notes_are_due_by_tokens_and_calls_since_they_were_looked_after_or_it_was_compacted",
            ),
        ],
    ),
    (
        "9.3",
        "a fork that may edit one file; compaction waits for it",
        &[
            Test(
                "crates/agent/tests/it/notes.rs",
                "whatever_else_a_fork_tries_is_denied_and_it_goes_on",
            ),
            Test(
                "crates/agent/tests/it/notes.rs",
                "compaction_waits_for_an_update_that_began_within_a_minute_and_whose_process_lives",
            ),
        ],
    ),
    (
        "9.4",
        "template and prompt of the user's own",
        &[Test(
            "crates/agent/tests/it/notes.rs",
            "own_template_and_prompt_are_used_and_other_notes_are_kept_beside",
        )],
    ),
    (
        "9.5",
        "only where room is made by itself",
        &[Test(
            "crates/context/tests/it/thresholds.rs",
            "notes_are_kept_only_where_compaction_happens_by_itself",
        )],
    ),
    (
        "10.1",
        "counting: the provider's figures, and an estimate of what came after",
        &[
            Test(
                "crates/conversation/tests/it/tokens.rs",
                "what_is_billed_is_learnt_from_five_responses",
            ),
            Test(
                "crates/session/tests/it/long.rs",
                "what_is_told_is_what_is_left",
            ),
        ],
    ),
    (
        "10.2",
        "thresholds; at the last one no message is taken",
        &[
            Step(34, "results cleared"),
            Test(
                "crates/context/tests/it/thresholds.rs",
                "states_change_exactly_at_their_thresholds",
            ),
            Test(
                "crates/session/tests/it/long.rs",
                "a_full_window_takes_no_message",
            ),
        ],
    ),
    (
        "10.3",
        "old results are cleared into files, recalled memories fade",
        &[
            Step(34, "results cleared"),
            Step(34, "reminders faded"),
            Sent(34, "main", "tool-results/"),
            Sent(34, "main", "were taken out to make room"),
        ],
    ),
    (
        "10.4",
        "context in one leading reminder",
        &[
            Sent(1, "main", "Use tabs."),
            Test(
                "crates/context/tests/it/reminder.rs",
                "context_goes_into_one_leading_block",
            ),
        ],
    ),
    (
        "10.5",
        "notes stand in, without a model",
        &[
            Step(44, "compacted by notes (Auto), 0 requests"),
            Sent(44, "main", "Reading part after part."),
        ],
    ),
    (
        "10.6",
        "a summary by a model, tried again, with the user's wish",
        &[
            Sent(46, "summary", "Keep the names of all files."),
            Step(
                46,
                "compacted by summary (Manual), 3 requests, the oldest dropped",
            ),
            Step(48, "compacted by summary (TooLong), 1 requests"),
            Step(59, "compacted by summary (Auto), 1 requests"),
            Sent(48, "main", "The user reads a program part by part"),
        ],
    ),
    (
        "10.7",
        "files read last are shown again",
        &[
            Step(
                46,
                "shown again: part_35.rs, part_34.rs, part_33.rs, part_32.rs, part_31.rs",
            ),
            // What was read since comes before what was only shown again.
            Step(
                59,
                "shown again: part_57.rs, part_54.rs, part_51.rs, part_35.rs, part_34.rs",
            ),
        ],
    ),
    (
        "10.8",
        "what is sent is whole, whatever happened",
        &[
            // Every request of this conversation: the server refuses anything else.
            Test(
                "crates/conversation/tests/it/flatten.rs",
                "orphans_on_both_sides",
            ),
        ],
    ),
    (
        "10.9",
        "clearing, then notes, then a summary",
        &[Test(
            "crates/context/tests/it/compaction/order.rs",
            "clearing_then_notes_then_a_summary",
        )],
    ),
    (
        "10.10",
        "each step, done or not, leaves an event",
        &[
            Step(16, "extraction failed"),
            Step(18, "extraction skipped"),
            Step(46, "compacted by summary"),
            Test(
                "crates/context/tests/it/compaction/order.rs",
                "what_is_switched_off_is_skipped_and_says_by_whom",
            ),
        ],
    ),
];
