//! JSON in what a model says, whatever stands around it.

use serde_json::Value;

/// The first JSON object or list of a text, whatever stands around it. Where that one is broken nothing in it is taken for
/// the answer: it would be one of many, and the others would be lost.
pub(crate) fn json_in(text: &str) -> Result<Value, &'static str> {
    let starts = text.char_indices().filter(|(_, c)| matches!(c, '{' | '['));
    for (start, _) in starts {
        let rest = text.get(start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value @ Value::Object(_))) => return Ok(value),
            Some(Ok(Value::Array(list)))
                if list.is_empty() || list.iter().any(Value::is_object) =>
            {
                return Ok(Value::Array(list));
            }
            Some(Err(_)) if begins_like_json(rest) => return Err("its JSON is not whole"),
            _ => {}
        }
    }
    Err("there is no JSON in it")
}

/// Whether a bracket opens JSON and not an aside in a sentence.
fn begins_like_json(text: &str) -> bool {
    let inside = |rest: &str, sign: char| rest.trim_start().starts_with(sign);
    let object = text.strip_prefix('{');
    let list = text.strip_prefix('[');
    object.is_some_and(|rest| inside(rest, '"')) || list.is_some_and(|rest| inside(rest, '{'))
}

/// The objects of the first list of a text that broke off, up to the one that is not whole.
pub(crate) fn whole_objects(text: &str) -> Vec<Value> {
    let lists = text.match_indices('[').map(|(at, _)| at + 1);
    let mut lists = lists.filter_map(|at| text.get(at..).map(str::trim_start));
    let list = lists.find(|items| items.starts_with('{'));
    let mut items = list.unwrap_or_default();
    let mut objects = Vec::new();
    loop {
        let mut values = serde_json::Deserializer::from_str(items).into_iter::<Value>();
        let Some(Ok(object @ Value::Object(_))) = values.next() else {
            return objects;
        };
        objects.push(object);
        let rest = items.get(values.byte_offset()..).unwrap_or_default();
        items = rest.trim_start_matches(|sign: char| sign.is_whitespace() || sign == ',');
    }
}
