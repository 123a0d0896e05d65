//! Code forges and build services.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "github-personal-token",
        "GitHub personal access token",
        &["ghp_"],
        40,
        "ghp_[A-Za-z0-9]{36,251}",
    )
    .entropy(30),
    Rule::token(
        "github-fine-grained-token",
        "GitHub fine-grained token",
        &["github_pat_"],
        60,
        "github_pat_[A-Za-z0-9_]{50,250}",
    )
    .entropy(35),
    Rule::token(
        "github-oauth-token",
        "GitHub OAuth token",
        &["gho_"],
        40,
        "gho_[A-Za-z0-9]{36,251}",
    )
    .entropy(30),
    Rule::token(
        "github-app-token",
        "GitHub app token",
        &["ghu_", "ghs_"],
        40,
        "gh[us]_[A-Za-z0-9]{36,251}",
    )
    .entropy(30),
    Rule::token(
        "github-refresh-token",
        "GitHub refresh token",
        &["ghr_"],
        40,
        "ghr_[A-Za-z0-9]{36,251}",
    )
    .entropy(30),
    Rule::token(
        "gitlab-personal-token",
        "GitLab access token",
        &["glpat-"],
        26,
        r"glpat-[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?",
    )
    .entropy(30),
    Rule::token(
        "gitlab-deploy-token",
        "GitLab deploy token",
        &["gldt-"],
        25,
        "gldt-[A-Za-z0-9_-]{20,64}",
    )
    .entropy(30),
    Rule::token(
        "gitlab-runner-token",
        "GitLab runner token",
        &["glrt-", "glrtr-", "GR1348941"],
        25,
        r"(?:glrtr?-[A-Za-z0-9_.-]{20,80}|GR1348941[A-Za-z0-9_-]{20})",
    )
    .entropy(30),
    Rule::token(
        "gitlab-job-token",
        "GitLab CI job token",
        &["glcbt-"],
        26,
        "glcbt-[0-9a-zA-Z]{1,5}_[A-Za-z0-9_-]{20,64}",
    )
    .entropy(30),
    Rule::token(
        "gitlab-trigger-token",
        "GitLab pipeline trigger token",
        &["glptt-"],
        46,
        "glptt-[0-9a-f]{40}",
    ),
    Rule::token(
        "gitlab-feed-token",
        "GitLab feed or mail token",
        &["glft-", "glimt-"],
        25,
        "gl(?:ft|imt)-[A-Za-z0-9_-]{20,70}",
    )
    .entropy(30),
    Rule::token(
        "gitlab-session",
        "GitLab session cookie",
        &["_gitlab_session="],
        48,
        "_gitlab_session=([0-9a-z]{32})",
    ),
    Rule::token(
        "gitlab-agent-token",
        "GitLab agent, OAuth or SCIM token",
        &["glagent-", "gloas-", "glsoat-", "glffct-"],
        26,
        "gl(?:agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,70}",
    )
    .entropy(30),
    Rule::token(
        "atlassian-token",
        "Atlassian API token",
        &["ATATT3"],
        100,
        "ATATT3[A-Za-z0-9_=-]{100,300}",
    )
    .entropy(35),
    Rule::token(
        "bitbucket-token",
        "Bitbucket access token",
        &["ATCTT3xFf", "ATBB"],
        36,
        "(?:ATCTT3xFf[A-Za-z0-9_=-]{100,300}|ATBB[A-Za-z0-9]{32})",
    )
    .entropy(33),
    Rule::token(
        "sourcegraph-token",
        "Sourcegraph token",
        &["sgp_", "slk_"],
        44,
        "(?i:sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}|slk_[0-9a-f]{64})",
    ),
    Rule::token(
        "buildkite-token",
        "Buildkite token",
        &["bkua_", "bkat_", "bkct_"],
        40,
        "bk(?:ua|at|ct)_[A-Za-z0-9]{36,64}",
    )
    .entropy(28),
    Rule::token(
        "circleci-token",
        "CircleCI personal token",
        &["CCIPAT_", "CCIPRJ_"],
        60,
        "CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}",
    ),
    Rule::token(
        "sonar-token",
        "SonarQube token",
        &["squ_", "sqp_", "sqa_"],
        44,
        "sq[upa]_[0-9a-f]{40}",
    ),
];
