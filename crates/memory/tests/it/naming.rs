//! What a bare sentence is called.

use memdir_memory::MemoryType;
use memdir_memory::naming::{MAX_DESCRIPTION, MAX_STEM, MAX_TITLE, file_stem, guess, numbered};

#[test]
fn guessing() {
    let table: String = [
        "Always run the tests with pnpm. It is faster.",
        "never deploy on Friday",
        "Don't mock the database in integration tests",
        "use tabs, not spaces",
        "please keep answers short",
        "I prefer short answers",
        "I am a backend engineer with ten years of Go",
        "I'm learning Rust",
        "My role is staff engineer for payments",
        "call me Sam",
        "Bugs are tracked in Linear project INGEST",
        "The latency board is at https://grafana.acme.io/d/api",
        "Questions about billing go to #team-billing",
        "The runbook lives in Confluence under SRE",
        "Merge freeze begins 2026-12-18 because legal wants the audit first",
        "We are rewriting the auth middleware for compliance",
        "The team chose Postgres over MySQL",
        "Anna owns the migration; never page Ben for it",
        "不要在周五发布",
        "我是后端工程师",
        "文档在 https://wiki.acme.io",
        "下个月停用旧接口",
        "- **List item** with `code`",
        "# Heading\n\nBody",
        "",
    ]
    .iter()
    .map(|text| {
        let guess = guess(text);
        format!(
            "{text:?}\n  {} | {} | {} | {}\n",
            guess.memory_type.as_str(),
            guess.name,
            guess.title,
            file_stem(guess.memory_type, &guess.title),
        )
    })
    .collect();
    insta::assert_snapshot!(table, @r##"
    "Always run the tests with pnpm. It is faster."
      feedback | always-run-tests-pnpm | Always run the tests with pnpm | feedback_always_run_tests_pnpm
    "never deploy on Friday"
      feedback | never-deploy-friday | never deploy on Friday | feedback_never_deploy_friday
    "Don't mock the database in integration tests"
      feedback | dont-mock-database-integration-tests | Don't mock the database in integration tests | feedback_dont_mock_database_integration_tests
    "use tabs, not spaces"
      feedback | use-tabs-not-spaces | use tabs, not spaces | feedback_use_tabs_not_spaces
    "please keep answers short"
      feedback | keep-answers-short | please keep answers short | feedback_keep_answers_short
    "I prefer short answers"
      feedback | prefer-short-answers | I prefer short answers | feedback_prefer_short_answers
    "I am a backend engineer with ten years of Go"
      user | backend-engineer-ten-years-go | I am a backend engineer with ten years of Go | user_backend_engineer_ten_years_go
    "I'm learning Rust"
      user | learning-rust | I'm learning Rust | user_learning_rust
    "My role is staff engineer for payments"
      user | role-staff-engineer-payments | My role is staff engineer for payments | user_role_staff_engineer_payments
    "call me Sam"
      user | call-sam | call me Sam | user_call_sam
    "Bugs are tracked in Linear project INGEST"
      reference | bugs-tracked-linear-project-ingest | Bugs are tracked in Linear project INGEST | reference_bugs_tracked_linear_project_ingest
    "The latency board is at https://grafana.acme.io/d/api"
      reference | latency-board | The latency board is at https://grafana.acme.io/d/api | reference_latency_board
    "Questions about billing go to #team-billing"
      reference | questions-billing-go-team-billing | Questions about billing go to #team-billing | reference_questions_billing_go_team_billing
    "The runbook lives in Confluence under SRE"
      reference | runbook-lives-confluence-under-sre | The runbook lives in Confluence under SRE | reference_runbook_lives_confluence_under_sre
    "Merge freeze begins 2026-12-18 because legal wants the audit first"
      project | merge-freeze-begins-legal-wants | Merge freeze begins 2026-12-18 because legal wants the… | project_merge_freeze_begins_legal_wants
    "We are rewriting the auth middleware for compliance"
      project | rewriting-auth-middleware-compliance | We are rewriting the auth middleware for compliance | project_rewriting_auth_middleware_compliance
    "The team chose Postgres over MySQL"
      project | team-chose-postgres-over-mysql | The team chose Postgres over MySQL | project_team_chose_postgres_over_mysql
    "Anna owns the migration; never page Ben for it"
      feedback | anna-owns-migration | Anna owns the migration; never page Ben for it | feedback_anna_owns_migration_never_page_ben
    "不要在周五发布"
      feedback | 不要在周五发布 | 不要在周五发布 | feedback_note
    "我是后端工程师"
      user | 我是后端工程师 | 我是后端工程师 | user_note
    "文档在 https://wiki.acme.io"
      reference | 文档在 https://wiki.acme.io | 文档在 https://wiki.acme.io | reference_note
    "下个月停用旧接口"
      project | 下个月停用旧接口 | 下个月停用旧接口 | project_note
    "- **List item** with `code`"
      project | list-item-code | List item with `code` | project_list_item_code
    "# Heading\n\nBody"
      project | heading | Heading | project_heading
    ""
      project |  |  | project_note
    "##);
}

#[test]
fn stems() {
    let table: String = [
        (MemoryType::Feedback, "Don't mock the database"),
        (MemoryType::Project, "Crème brûlée für die Straße, Łódź"),
        (MemoryType::User, "я люблю чай"),
        (MemoryType::User, "чай и Kubernetes"),
        (MemoryType::Reference, "../../etc/passwd"),
        (MemoryType::Reference, "CON"),
        (MemoryType::Feedback, "a the of"),
        (MemoryType::Feedback, "ＦＵＬＬ ｗｉｄｔｈ"),
        (
            MemoryType::Project,
            "one two three four five six seven eight nine ten eleven twelve thirteen",
        ),
        (
            MemoryType::Project,
            "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        ),
    ]
    .iter()
    .map(|(memory_type, words)| format!("{}\n", file_stem(*memory_type, words)))
    .collect();
    insta::assert_snapshot!(table, @"
    feedback_dont_mock_database
    project_creme_brulee_fur_die_strasse_lodz
    user_note
    user_kubernetes
    reference_etc_passwd
    reference_con
    feedback_a_the_of
    feedback_full_width
    project_one_two_three_four_five_six_seven_eight
    project_donaudampfschifffahrtselektrizitatenhauptb
    ");
    insta::assert_snapshot!([1, 2, 10].map(|n| numbered("user_tea", n)).join(" "), @"user_tea user_tea-2 user_tea-10");
}

#[test]
fn long_texts_are_cut_at_a_word() {
    let long = "The quarterly planning document for the payments platform ".repeat(6);
    let english = guess(&long);
    insta::assert_snapshot!(format!("{}\n{}", english.title, english.description), @"
    The quarterly planning document for the payments platform…
    The quarterly planning document for the payments platform The quarterly planning document for the payments platform The quarterly planning document…
    ");
    let chinese = guess(&"季度规划文档说明了支付平台的目标和时间表".repeat(12));
    insta::assert_snapshot!(format!("{}\n{}", chinese.title, chinese.description), @"
    季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间…
    季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了支付平台的目标和时间表季度规划文档说明了…
    ");
}

proptest::proptest! {
    #[test]
    fn every_guess_fits(text in "\\PC{0,200}|[a-z .\n]{0,300}") {
        let guess = guess(&text);
        proptest::prop_assert!(guess.title.chars().count() <= MAX_TITLE);
        proptest::prop_assert!(guess.description.chars().count() <= MAX_DESCRIPTION);
        proptest::prop_assert!(!guess.title.contains('\n') && !guess.description.contains('\n'));
        let stem = file_stem(guess.memory_type, &guess.title);
        proptest::prop_assert!(stem.len() <= MAX_STEM);
        proptest::prop_assert!(stem.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'));
    }
}
