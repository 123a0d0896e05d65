//! What is answered to which request.

use std::time::Duration;

use serde_json::{Value, json};

use super::delivery::Outgoing;
use super::events::{self, Unit};
use super::http::Incoming;
use super::refusal::{Api, Refusal};
use super::reply;
use super::script::{Fault, Step};
use super::selection::{self, Asked};
use super::state::{Shared, State};
use super::{anthropic, cache, catalogue, dialects, openai, tokens};
use crate::oracle::anthropic::{Endpoint, check_as};
use crate::oracle::{Traits, Violation};

/// Characters of a delta, if the script does not say.
const DELTA_CHARACTERS: usize = 12;

/// The answer to a request, as the script and the rules will have it.
pub(super) fn answer(shared: &Shared, number: usize, incoming: &Incoming) -> Outgoing {
    let outgoing = match dispatch(shared, number, incoming) {
        Ok(outgoing) => outgoing,
        Err(refusal) => refusal.outgoing(number),
    };
    shared.change(number, |exchange| exchange.status = outgoing.status);
    let mut outgoing = outgoing;
    let everywhere = shared.lock().script.headers.clone();
    outgoing.headers.extend(everywhere);
    outgoing
}

fn dispatch(shared: &Shared, number: usize, incoming: &Incoming) -> Result<Outgoing, Refusal> {
    let path = incoming.path.as_str();
    let api = match path.strip_prefix("/v1").unwrap_or(path) {
        "/chat/completions" => Api::OpenAi,
        // Their refusals are never seen in a test, so that one form will do.
        _ if dialects::of(&incoming.method, path).is_some() => Api::OpenAi,
        // Both have a list of models at one place; only one has a version in its headers.
        "/models" if incoming.header("anthropic-version").is_none() => Api::OpenAi,
        _ => Api::Anthropic,
    };
    if incoming.is_too_large {
        let message = "Request exceeds the maximum allowed number of bytes.";
        return Err(Refusal::new(api, 413, message));
    }
    if incoming.method == "HEAD" {
        // Some clients look whether anybody is there; such an answer has no body.
        return Ok(outgoing(api, number, &Step::default(), Vec::new(), false));
    }
    admitted(shared, api, incoming)?;
    if let Some((dialect, streams)) = dialects::of(&incoming.method, path) {
        return spoken(shared, number, incoming, dialect, streams);
    }
    let place = (incoming.method.as_str(), path);
    match place {
        ("POST", "/v1/messages") => messages(shared, number, incoming),
        ("POST", "/v1/messages/count_tokens") => count(shared, number, incoming),
        ("POST", "/v1/chat/completions" | "/chat/completions") => chat(shared, number, incoming),
        ("GET", path) if path.starts_with("/v1/models") => models(shared, number, api, incoming),
        _ => Err(Refusal::new(api, 404, "Not found")),
    }
}

/// The key and the version.
fn admitted(shared: &Shared, api: Api, incoming: &Incoming) -> Result<(), Refusal> {
    let bearer = incoming
        .header("authorization")
        .and_then(|value| value.strip_prefix("Bearer "));
    let key = match (incoming.header("x-api-key"), bearer) {
        (Some(_), Some(_)) if api == Api::Anthropic => {
            let message = "Both x-api-key and Authorization were sent; only one is allowed.";
            return Err(Refusal::new(api, 401, message));
        }
        (Some(key), None) if api == Api::Anthropic => Some(key),
        (_, bearer) => bearer,
    };
    let keys = shared.lock().script.keys.clone();
    let known = keys.is_empty() || key.is_some_and(|key| keys.iter().any(|known| known == key));
    // A local server of Chat Completions takes anybody; the Messages API never does.
    if !known || (key.is_none() && api == Api::Anthropic) {
        return Err(Refusal::new(api, 401, "invalid x-api-key"));
    }
    if api == Api::Anthropic && incoming.header("anthropic-version").is_none() {
        let message = "anthropic-version: header is required";
        return Err(Refusal::new(api, 400, message));
    }
    Ok(())
}

fn parsed(api: Api, incoming: &Incoming) -> Result<Value, Refusal> {
    serde_json::from_slice(&incoming.body).map_err(|error| {
        let message = format!("The request body is not valid JSON: {error}");
        Refusal::new(api, 400, message)
    })
}

/// The step that answers; its error, if it is one.
fn step(
    state: &mut State,
    number: usize,
    api: Api,
    asked: &Asked<'_>,
    length: u64,
) -> Result<Option<Step>, Refusal> {
    let State {
        script,
        used,
        exchanges,
        ..
    } = state;
    let Some(index) = selection::take(&script.steps, used, asked) else {
        return Ok(None);
    };
    let step = script.steps.get(index).cloned().unwrap_or_default();
    if let Some(exchange) = exchanges.get_mut(number) {
        let name = Some(step.name.clone()).filter(|name| !name.is_empty());
        exchange.step = Some(name.unwrap_or_else(|| index.to_string()));
    }
    if let Some(limit) = step.fault.too_long {
        return Err(Refusal::too_long(api, length.max(limit + 1), limit));
    }
    match step.fault.status {
        Some(status) => Err(Refusal::scripted(api, status, &step)),
        None => Ok(Some(step)),
    }
}

fn unscripted(api: Api) -> Refusal {
    let message = "no step of the script answers this request";
    Refusal::new(api, 500, message).header("x-should-retry", "false")
}

/// Records what is wrong, and refuses by the first of it.
fn judge(
    state: &mut State,
    number: usize,
    api: Api,
    violations: Vec<Violation>,
) -> Result<(), Refusal> {
    let first = violations.first().map(|violation| match api {
        Api::Anthropic => Refusal::new(api, 400, violation.to_string()),
        Api::OpenAi => Refusal::new(api, 400, violation.message.as_str()).param(&violation.path),
    });
    if let Some(exchange) = state.exchanges.get_mut(number) {
        exchange.violations = violations;
    }
    match first.filter(|_| state.script.enforce) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

fn model(request: &Value) -> String {
    let name = request.get("model").and_then(Value::as_str);
    name.unwrap_or_default().to_owned()
}

/// The rules of the Messages API, and the room in the window.
fn admissible(
    state: &mut State,
    number: usize,
    endpoint: Endpoint,
    request: &Value,
) -> Result<(Traits, u64), Refusal> {
    let model = model(request);
    let traits = state.script.traits(&model);
    if let Some(exchange) = state.exchanges.get_mut(number) {
        exchange.model = model;
    }
    let mut violations = check_as(request, endpoint, &traits);
    violations.extend(state.witness.check_as(request, &traits));
    judge(state, number, Api::Anthropic, violations)?;
    let length = cache::whole(request, state.script.token_factor);
    if length > traits.window {
        return Err(Refusal::too_long(Api::Anthropic, length, traits.window));
    }
    Ok((traits, length))
}

fn messages(shared: &Shared, number: usize, incoming: &Incoming) -> Result<Outgoing, Refusal> {
    let api = Api::Anthropic;
    let request = parsed(api, incoming)?;
    let mut guard = shared.lock();
    let state = &mut *guard;
    let (traits, length) = admissible(state, number, Endpoint::Messages, &request)?;
    let body = String::from_utf8_lossy(&incoming.body);
    let asked = Asked {
        endpoint: "messages",
        body: &body,
        request: &request,
    };
    let step = step(state, number, api, &asked, length)?.ok_or_else(|| unscripted(api))?;
    let factor = state.script.token_factor;
    let reply = reply::make(
        &step,
        &request,
        &traits,
        factor,
        "toolu_",
        &mut state.numbers,
    );
    state.witness.sent(&request, &json!(reply.content));
    let now = shared.now(state);
    let mut plan = state
        .cache
        .plan(&request, traits.cache_minimum, factor, now);
    plan.usage.output = reply.output;
    let model = model(&request);
    let envelope = anthropic::Envelope {
        id: state.numbers.next("msg_"),
        model: &model,
        usage: plan.usage,
        extra: &step.extra,
    };
    let streams = request.get("stream").and_then(Value::as_bool) == Some(true);
    let units = if streams {
        let characters = step.delta_characters.unwrap_or(DELTA_CHARACTERS);
        events::units(
            anthropic::stream(&reply, &envelope, characters),
            &step.fault,
        )
    } else {
        whole(
            &anthropic::whole(&reply, &envelope),
            reply.output,
            &step.fault,
        )
    };
    plan.usage.output = 0;
    Ok(Outgoing {
        plan: Some(plan),
        model,
        ..outgoing(api, number, &step, units, streams)
    })
}

fn chat(shared: &Shared, number: usize, incoming: &Incoming) -> Result<Outgoing, Refusal> {
    let api = Api::OpenAi;
    let request = parsed(api, incoming)?;
    let mut guard = shared.lock();
    let state = &mut *guard;
    let model = model(&request);
    let traits = state.script.traits(&model);
    if let Some(exchange) = state.exchanges.get_mut(number) {
        exchange.model.clone_from(&model);
    }
    judge(state, number, api, crate::oracle::openai::check(&request))?;
    let factor = state.script.token_factor;
    let now = shared.now(state);
    let mut plan = state.cache.plan_automatic(&request, factor, now);
    let length = plan.usage.whole_input();
    if length > traits.window {
        return Err(Refusal::too_long(api, length, traits.window));
    }
    let body = String::from_utf8_lossy(&incoming.body);
    let asked = Asked {
        endpoint: "chat",
        body: &body,
        request: &request,
    };
    let step = step(state, number, api, &asked, length)?.ok_or_else(|| unscripted(api))?;
    let reply = reply::make(
        &step,
        &request,
        &traits,
        factor,
        "call_",
        &mut state.numbers,
    );
    plan.usage.output = reply.output;
    let envelope = anthropic::Envelope {
        id: state.numbers.next("chatcmpl-"),
        model: &model,
        usage: plan.usage,
        extra: &step.extra,
    };
    let streams = request.get("stream").and_then(Value::as_bool) == Some(true);
    let units = if streams {
        let characters = step.delta_characters.unwrap_or(DELTA_CHARACTERS);
        let with_usage = request
            .get("stream_options")
            .and_then(|options| options.get("include_usage"))
            .and_then(Value::as_bool)
            == Some(true)
            && !step.fault.no_usage;
        let list = openai::stream(&reply, &envelope, characters, with_usage);
        events::units(list, &step.fault)
    } else {
        whole(&openai::whole(&reply, &envelope), reply.output, &step.fault)
    };
    plan.usage.output = 0;
    Ok(Outgoing {
        plan: Some(plan),
        model,
        ..outgoing(api, number, &step, units, streams)
    })
}

/// An answer in one of the dialects whose rules are not enforced.
fn spoken(
    shared: &Shared,
    number: usize,
    incoming: &Incoming,
    dialect: dialects::Dialect,
    streams: bool,
) -> Result<Outgoing, Refusal> {
    let api = Api::OpenAi;
    let request = parsed(api, incoming)?;
    let mut guard = shared.lock();
    let state = &mut *guard;
    let model = model(&request);
    if let Some(exchange) = state.exchanges.get_mut(number) {
        exchange.model.clone_from(&model);
    }
    let factor = state.script.token_factor;
    let length = cache::scaled(tokens::of_value(&request), factor);
    let body = String::from_utf8_lossy(&incoming.body);
    let asked = Asked {
        endpoint: dialect.endpoint(),
        body: &body,
        request: &request,
    };
    let step = step(state, number, api, &asked, length)?.ok_or_else(|| unscripted(api))?;
    let traits = state.script.traits(&model);
    let reply = reply::make(
        &step,
        &request,
        &traits,
        factor,
        "call_",
        &mut state.numbers,
    );
    let units = match streams {
        true => {
            let id = state.numbers.next("resp_");
            events::units(dialects::stream(dialect, &reply, &id, length), &step.fault)
        }
        false => whole(&dialects::gemini(&reply, length), reply.output, &step.fault),
    };
    Ok(outgoing(api, number, &step, units, streams))
}

fn count(shared: &Shared, number: usize, incoming: &Incoming) -> Result<Outgoing, Refusal> {
    let api = Api::Anthropic;
    let request = parsed(api, incoming)?;
    let mut guard = shared.lock();
    let state = &mut *guard;
    let (_, length) = admissible(state, number, Endpoint::CountTokens, &request)?;
    let asked = Asked {
        endpoint: "count_tokens",
        body: "",
        request: &request,
    };
    let step = step(state, number, api, &asked, length)?.unwrap_or_default();
    let units = whole(&json!({"input_tokens": length}), 0, &step.fault);
    Ok(outgoing(api, number, &step, units, false))
}

fn models(
    shared: &Shared,
    number: usize,
    api: Api,
    incoming: &Incoming,
) -> Result<Outgoing, Refusal> {
    let mut guard = shared.lock();
    let state = &mut *guard;
    let asked = Asked {
        endpoint: "models",
        body: "",
        request: &Value::Null,
    };
    let step = step(state, number, api, &asked, 0)?.unwrap_or_default();
    let name = incoming.path.strip_prefix("/v1/models/");
    let answer = catalogue::answer(&state.script, api, name)
        .ok_or_else(|| Refusal::new(api, 404, format!("model: {}", name.unwrap_or_default())))?;
    Ok(outgoing(
        api,
        number,
        &step,
        whole(&answer, 0, &step.fault),
        false,
    ))
}

/// A body in one piece, with the script's faults.
fn whole(answer: &Value, output: u64, fault: &Fault) -> Vec<Unit> {
    let mut text = answer.to_string();
    if fault.wrong_schema {
        text = json!({"result": {"ok": true}}).to_string();
    }
    if fault.invalid_json {
        text.truncate(text.floor_char_boundary(text.len() / 2));
    }
    let bytes = text.into_bytes();
    vec![Unit { bytes, output }]
}

fn outgoing(api: Api, number: usize, step: &Step, units: Vec<Unit>, is_stream: bool) -> Outgoing {
    let mut headers = api.headers(number);
    let kind = if is_stream {
        "text/event-stream; charset=utf-8"
    } else {
        "application/json"
    };
    headers.push(("content-type".to_owned(), kind.to_owned()));
    if is_stream {
        headers.push(("cache-control".to_owned(), "no-cache".to_owned()));
    }
    headers.extend(step.headers.clone());
    Outgoing {
        status: 200,
        headers,
        units,
        is_stream,
        delay: Duration::from_millis(step.delay_ms),
        fault: step.fault.clone(),
        plan: None,
        model: String::new(),
    }
}
