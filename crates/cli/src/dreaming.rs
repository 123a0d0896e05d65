//! Dreams as this program has them: by the model that the user has named for it, or by the rules.

use std::sync::Arc;

use memdir_session::Background;
use memdir_settings::Purpose;

use crate::asking::named_for;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// Who dreams: the model that is named for it, unless the rules alone are wanted; and why there is none although one is
/// named.
pub(crate) fn dreamers(
    workplace: &Workplace,
    spending: Spending,
    rules: bool,
) -> Result<(Background, Option<String>), String> {
    let mut background = Background {
        meter: Some(spending.meter(workplace)),
        ..Background::default()
    };
    if rules {
        return Ok((background, None));
    }
    let Some(model) = named_for(workplace, Purpose::Dream, None)? else {
        return Ok((background, None));
    };
    if model.api().is_none() {
        let why = format!(
            "the model {} is a program, which cannot use the tools of a dream; the rules did it",
            model.name()
        );
        return Ok((background, Some(why)));
    }
    background.dream = Some(Arc::from(model));
    Ok((background, None))
}
