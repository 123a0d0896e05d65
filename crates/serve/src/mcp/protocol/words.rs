//! Answers to what is no message of the protocol.

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::TxJsonRpcMessage;
use serde_json::Value;

/// What to say about bytes that are not understood; nothing where an answer is not wanted.
pub(super) fn misunderstood(
    bytes: &[u8],
    error: &serde_json::Error,
) -> Option<TxJsonRpcMessage<RoleServer>> {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return Some(said(
            ErrorCode::PARSE_ERROR,
            format!("not JSON: {error}"),
            None,
        ));
    };
    let id = value
        .get("id")
        .and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let method = value.get("method").and_then(Value::as_str);
    match (method, id) {
        // An answer of theirs, or a notice, wants none from us.
        (None, _) if value.get("result").is_some() || value.get("error").is_some() => None,
        (Some(_), None) if value.get("id").is_none() => None,
        (Some(method), Some(id)) if value.get("jsonrpc").and_then(Value::as_str) == Some("2.0") => {
            let words = format!("the parameters of {method} are not understood");
            Some(said(ErrorCode::INVALID_PARAMS, words, Some(id)))
        }
        (_, id) => {
            let words = "not a message of JSON-RPC 2.0: a method and, for calls, an id are wanted";
            Some(said(ErrorCode::INVALID_REQUEST, words.to_owned(), id))
        }
    }
}

fn said(code: ErrorCode, words: String, id: Option<RequestId>) -> TxJsonRpcMessage<RoleServer> {
    TxJsonRpcMessage::<RoleServer>::error(ErrorData::new(code, words, None), id)
}
