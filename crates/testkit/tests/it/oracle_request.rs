//! The fields around the messages, and who may speak when.

use memdir_testkit::oracle::anthropic::{self, Endpoint};
use serde_json::{Value, json};

use crate::listed;

/// Each case is a request that holds only what the case is about; the rest is filled in.
fn judge(cases: &[(&str, Value)]) -> String {
    cases
        .iter()
        .map(|(name, part)| {
            let mut request = json!({
                "model": "claude-opus-4-8",
                "max_tokens": 4096,
                "messages": [{"role": "user", "content": "hello"}]
            });
            for (key, value) in part.as_object().unwrap() {
                if value.is_null() {
                    request.as_object_mut().unwrap().shift_remove(key);
                } else {
                    request[key] = value.clone();
                }
            }
            listed(name, &anthropic::check(&request))
        })
        .collect()
}

fn turns(roles: &str) -> Value {
    let messages: Vec<Value> = roles
        .chars()
        .map(|role| match role {
            'u' => json!({"role": "user", "content": "go"}),
            'a' => json!({"role": "assistant", "content": "done"}),
            's' => json!({"role": "system", "content": "be brief"}),
            'w' => json!({"role": "assistant", "content": [
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
            ]}),
            other => json!({"role": other.to_string(), "content": "?"}),
        })
        .collect();
    json!(messages)
}

#[test]
fn what_a_request_must_have() {
    insta::assert_snapshot!(judge(&[
        ("whole", json!({})),
        ("no model", json!({"model": null})),
        ("no messages", json!({"messages": null})),
        ("empty messages", json!({"messages": []})),
        ("messages of another type", json!({"messages": "hello"})),
    ]), @"
    whole
      ok
    no model
      Missing | model: Field required
    no messages
      Missing | messages: Field required
    empty messages
      EmptyContent | messages: at least one message is required
    messages of another type
      Shape | messages: Input should be a valid list
    ");
    let not_an_object = anthropic::check(&json!([]));
    insta::assert_snapshot!(listed("a list", &not_an_object), @"
    a list
      Shape | Input should be an object
    ");
}

#[test]
fn the_limit_of_output() {
    insta::assert_snapshot!(judge(&[
        ("none", json!({"max_tokens": null})),
        ("text", json!({"max_tokens": "100"})),
        ("zero warms the cache", json!({"max_tokens": 0})),
        ("zero cannot stream", json!({"max_tokens": 0, "stream": true})),
        ("as much as the model gives", json!({"max_tokens": 128_000})),
        ("more than that", json!({"max_tokens": 128_001})),
        ("less than the thinking", json!({
            "max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 2000}
        })),
    ]), @"
    none
      Missing | max_tokens: Field required
    text
      MaxTokens | max_tokens: Input should be a valid integer
    zero warms the cache
      ok
    zero cannot stream
      MaxTokens | max_tokens: Input should be greater than or equal to 1
    as much as the model gives
      ok
    more than that
      MaxTokens | max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-8
    less than the thinking
      MaxTokens | `max_tokens` must be greater than `thinking.budget_tokens`.
    ");
}

#[test]
fn counting_tokens_takes_the_same_body_without_a_limit() {
    let request = json!({
        "model": "claude-opus-4-8", "messages": [{"role": "assistant", "content": "hello"}]
    });
    let traits = anthropic::traits(&request);
    let violations = anthropic::check_as(&request, Endpoint::CountTokens, &traits);
    insta::assert_snapshot!(listed("count", &violations), @r#"
    count
      FirstRole | messages: first message must use the "user" role
      Prefill | This model does not support assistant message prefill. The conversation must end with a user message.
    "#);
}

#[test]
fn tools_and_the_choice_among_them() {
    let tool = |name: &str| json!({"name": name, "input_schema": {"type": "object"}});
    insta::assert_snapshot!(judge(&[
        ("two", json!({"tools": [tool("Read"), tool("mcp__memory__search")]})),
        ("one that the API defines", json!({"tools": [{"type": "memory_20250818", "name": "memory"}]})),
        ("one name twice", json!({"tools": [tool("Read"), tool("Read")]})),
        ("a name with a dot", json!({"tools": [tool("memory.search")]})),
        ("no schema", json!({"tools": [{"name": "Read"}]})),
        ("a choice", json!({"tools": [tool("Read")], "tool_choice": {"type": "tool", "name": "Read"}})),
        ("a choice of none", json!({"tools": [tool("Read")], "tool_choice": {"type": "tool", "name": "Write"}})),
        ("a choice without tools", json!({"tool_choice": {"type": "auto"}})),
        ("forced while thinking", json!({
            "tools": [tool("Read")], "tool_choice": {"type": "any"}, "thinking": {"type": "adaptive"}
        })),
        ("forced on a model that always thinks", json!({
            "model": "claude-sonnet-5-5", "tools": [tool("Read")], "tool_choice": {"type": "any"}
        })),
    ]), @"
    two
      ok
    one that the API defines
      ok
    one name twice
      ToolName | tools: Tool names must be unique.
    a name with a dot
      ToolName | tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'
    no schema
      Missing | tools.0.input_schema: Field required
    a choice
      ok
    a choice of none
      ToolChoice | tool_choice: Tool 'Write' not found in provided tools
    a choice without tools
      ToolChoice | tool_choice: `tool_choice` may only be specified while providing `tools`.
    forced while thinking
      ToolChoice | tool_choice: Thinking may not be enabled when tool_choice forces tool use.
    forced on a model that always thinks
      ToolChoice | tool_choice: Thinking may not be enabled when tool_choice forces tool use.
    ");
}

#[test]
fn thinking_modes() {
    insta::assert_snapshot!(judge(&[
        ("off", json!({"thinking": {"type": "disabled"}})),
        ("off on a model that always thinks", json!({
            "model": "claude-haiku-5-5", "thinking": {"type": "disabled"}
        })),
        ("a budget", json!({"thinking": {"type": "enabled", "budget_tokens": 1024}})),
        ("no budget", json!({"thinking": {"type": "enabled"}})),
        ("too small a budget", json!({"thinking": {"type": "enabled", "budget_tokens": 1000}})),
        ("an unknown mode", json!({"thinking": {"type": "sometimes"}})),
    ]), @"
    off
      ok
    off on a model that always thinks
      ThinkingMode | thinking.type: thinking cannot be disabled on this model
    a budget
      ok
    no budget
      Missing | thinking.enabled.budget_tokens: Field required
    too small a budget
      ThinkingMode | thinking.enabled.budget_tokens: Input should be greater than or equal to 1024
    an unknown mode
      ThinkingMode | thinking.type: Input should be 'enabled', 'disabled' or 'adaptive'
    ");
}

#[test]
fn roles_and_their_order() {
    insta::assert_snapshot!(judge(&[
        ("in turns", json!({"messages": turns("uau")})),
        ("neighbours of one role are merged", json!({"messages": turns("uuaau")})),
        ("the assistant first", json!({"messages": turns("au")})),
        ("a role of another API", json!({"messages": turns("ux")})),
        ("no role", json!({"messages": [{"content": "hello"}]})),
        ("prefill where it is taken", json!({"model": "claude-haiku-4-5", "messages": turns("ua")})),
        ("prefill where it is not", json!({"messages": turns("ua")})),
        ("prefill that ends in a space", json!({
            "model": "claude-haiku-4-5",
            "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "It is "}]
        })),
        ("a pause in the middle of a server's tool", json!({"messages": turns("uw")})),
    ]), @r#"
    in turns
      ok
    neighbours of one role are merged
      ok
    the assistant first
      FirstRole | messages: first message must use the "user" role
    a role of another API
      Role | messages.1.role: Unexpected role "x". Allowed roles are "user" or "assistant".
    no role
      Missing | messages.0.role: Field required
    prefill where it is taken
      ok
    prefill where it is not
      Prefill | This model does not support assistant message prefill. The conversation must end with a user message.
    prefill that ends in a space
      Prefill | messages: final assistant content cannot end with trailing whitespace
    a pause in the middle of a server's tool
      ok
    "#);
}

#[test]
fn system_messages_by_model_and_place() {
    insta::assert_snapshot!(judge(&[
        ("last", json!({"messages": turns("uaus")})),
        ("before an answer", json!({"messages": turns("usau")})),
        ("after a server's tool", json!({"messages": turns("uws")})),
        ("on an older model", json!({"model": "claude-opus-4-7", "messages": turns("us")})),
        ("on a later model of another family", json!({"model": "claude-sonnet-5", "messages": turns("us")})),
        ("first", json!({"messages": turns("su")})),
        ("after an answer", json!({"messages": turns("uas")})),
        ("before the user", json!({"messages": turns("usu")})),
        ("with an image", json!({"messages": [
            {"role": "user", "content": "hello"},
            {"role": "system", "content": [
                {"type": "text", "text": "look"},
                {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
            ]}
        ]})),
    ]), @r#"
    last
      ok
    before an answer
      ok
    after a server's tool
      ok
    on an older model
      Role | messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.
    on a later model of another family
      ok
    first
      SystemPlace | messages.0: a "system" message must follow a "user" message, or an "assistant" message that ends in server tool use
      SystemPlace | messages.0: a "system" message must be last or be followed by an "assistant" message
    after an answer
      SystemPlace | messages.2: a "system" message must follow a "user" message, or an "assistant" message that ends in server tool use
    before the user
      SystemPlace | messages.1: a "system" message must be last or be followed by an "assistant" message
    with an image
      SystemPlace | messages.1.content.1: "system" messages may only contain text
    "#);
}
