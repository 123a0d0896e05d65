//! Providers of models and of tools around them.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "anthropic-api-key",
        "Anthropic API key",
        &["sk-ant-api"],
        80,
        "sk-ant-api[0-9]{2}-[A-Za-z0-9_-]{80,120}",
    )
    .entropy(38),
    Rule::token(
        "anthropic-admin-key",
        "Anthropic admin key",
        &["sk-ant-admin"],
        80,
        "sk-ant-admin[0-9]{2}-[A-Za-z0-9_-]{80,120}",
    )
    .entropy(38),
    Rule::token(
        "anthropic-oauth-token",
        "Anthropic OAuth or session token",
        &["sk-ant-oat", "sk-ant-ort", "sk-ant-sid"],
        60,
        "sk-ant-(?:oat|ort|sid)[0-9]{2}-[A-Za-z0-9_-]{50,140}",
    )
    .entropy(38),
    Rule::token(
        "openai-project-key",
        "OpenAI project key",
        &["sk-proj-"],
        48,
        "sk-proj-[A-Za-z0-9_-]{40,200}",
    )
    .entropy(35),
    Rule::token(
        "openai-service-key",
        "OpenAI service-account key",
        &["sk-svcacct-", "sk-service-"],
        48,
        "sk-(?:svcacct|service)-[A-Za-z0-9_-]{36,200}",
    )
    .entropy(35),
    Rule::token(
        "openai-admin-key",
        "OpenAI admin key",
        &["sk-admin-"],
        48,
        "sk-admin-[A-Za-z0-9_-]{36,200}",
    )
    .entropy(35),
    Rule::token(
        "openrouter-key",
        "OpenRouter key",
        &["sk-or-"],
        60,
        "sk-or-(?:v[0-9]-)?[0-9a-f]{64}",
    ),
    Rule::token(
        "langfuse-key",
        "Langfuse secret key",
        &["sk-lf-"],
        42,
        "sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    Rule::token(
        "openai-key",
        "OpenAI or compatible API key",
        &["sk-"],
        35,
        "sk-(?:[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[0-9a-f]{32,64}|[A-Za-z0-9]{40,64})",
    )
    .entropy(30),
    Rule::token(
        "huggingface-token",
        "Hugging Face token",
        &["hf_", "api_org_"],
        37,
        "(?:hf|api_org)_[A-Za-z0-9]{34,40}",
    )
    .entropy(33),
    Rule::token(
        "replicate-token",
        "Replicate token",
        &["r8_"],
        40,
        "r8_[A-Za-z0-9]{37,40}",
    )
    .entropy(33),
    Rule::token(
        "groq-key",
        "Groq key",
        &["gsk_"],
        50,
        "gsk_[A-Za-z0-9]{48,60}",
    )
    .entropy(35),
    Rule::token(
        "perplexity-key",
        "Perplexity key",
        &["pplx-"],
        50,
        "pplx-[A-Za-z0-9]{48,56}",
    )
    .entropy(35),
    Rule::token(
        "xai-key",
        "xAI key",
        &["xai-"],
        74,
        "xai-[A-Za-z0-9]{70,90}",
    )
    .entropy(35),
    Rule::token(
        "cerebras-key",
        "Cerebras key",
        &["csk-"],
        44,
        "csk-[a-z0-9]{40,64}",
    )
    .entropy(33),
    Rule::token(
        "fireworks-key",
        "Fireworks key",
        &["fw_"],
        25,
        "fw_[A-Za-z0-9]{22,40}",
    )
    .entropy(33),
    Rule::token(
        "together-key",
        "Together key",
        &["tgp_v1_"],
        45,
        "tgp_v1_[A-Za-z0-9_-]{40,60}",
    )
    .entropy(35),
    Rule::token(
        "nvidia-key",
        "NVIDIA API key",
        &["nvapi-"],
        60,
        "nvapi-[A-Za-z0-9_-]{60,75}",
    )
    .entropy(35),
    Rule::token(
        "voyage-key",
        "Voyage key",
        &["pa-"],
        44,
        "pa-[A-Za-z0-9_-]{43}",
    )
    .entropy(40),
    Rule::token(
        "langsmith-key",
        "LangSmith key",
        &["lsv2_pt_", "lsv2_sk_", "ls__"],
        36,
        "(?:lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|ls__[0-9a-f]{32})",
    ),
    Rule::token(
        "pinecone-key",
        "Pinecone key",
        &["pcsk_"],
        60,
        "pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{55,70}",
    )
    .entropy(35),
    Rule::token(
        "elevenlabs-key",
        "ElevenLabs key",
        &["sk_"],
        50,
        "sk_[0-9a-f]{48}",
    ),
    Rule::token(
        "tavily-key",
        "Tavily key",
        &["tvly-"],
        36,
        "tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}",
    )
    .entropy(33),
    Rule::token(
        "jina-key",
        "Jina key",
        &["jina_"],
        60,
        "jina_[A-Za-z0-9_-]{56,68}",
    )
    .entropy(33),
    Rule::token(
        "firecrawl-key",
        "Firecrawl key",
        &["fc-"],
        35,
        "fc-[0-9a-f]{32}",
    ),
    Rule::token(
        "wandb-key",
        "Weights & Biases key",
        &["wandb_v1_"],
        40,
        "wandb_v1_[A-Za-z0-9_]{60,90}",
    )
    .entropy(33),
];
