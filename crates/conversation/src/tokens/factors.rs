//! How much more, or less, a model's provider bills than was estimated.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// So many responses of a model are seen before what they teach is believed.
pub const NEEDED: u64 = 5;

/// Tokens that what was learnt must rest on, and at most how many count when more is learnt: a provider may change.
const LEAST_TOKENS: u64 = 200;
const MOST_TOKENS: u64 = 50_000;
/// Observations farther from their median than this are of something else: a prompt that was cut, a host that added to it.
const NEAR: f64 = 1.6;
/// No tokeniser is that far from another.
const POSSIBLE: std::ops::RangeInclusive<f64> = 0.25..=4.0;
/// Observations that are kept, and conversations whose end is remembered.
const KEPT: usize = 64;
const CONVERSATIONS: usize = 8;

/// What has been learnt about models, by estimator and model. A host keeps it from one conversation to the next.
///
/// ```
/// use memdir_conversation::tokens::Factors;
///
/// let saved = r#"{"pairs":{"a-model":{"ratio":1.21,"responses":9,"tokens":12000,"ends":["m9"]}}}"#;
/// let factors: Factors = serde_json::from_str(saved).unwrap();
/// assert_eq!(factors.get("pairs", "a-model").unwrap().learnt(), Some(1.21));
/// assert_eq!(serde_json::to_string(&factors).unwrap(), saved);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Factors(BTreeMap<String, BTreeMap<String, Factor>>);

/// What has been learnt about one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Billed tokens for each estimated one.
    pub ratio: f64,
    /// How many responses have been seen.
    pub responses: u64,
    /// How many estimated tokens the ratio rests on.
    pub tokens: u64,
    /// The last response seen in each of the last conversations: up to there nothing is learnt twice.
    #[serde(default)]
    pub ends: Vec<String>,
}

impl Factors {
    /// What is known of a model.
    #[must_use]
    pub fn get(&self, estimator: &str, model: &str) -> Option<&Factor> {
        self.0.get(estimator)?.get(model)
    }

    /// Replaces what is known of a model.
    pub fn set(&mut self, estimator: &str, model: &str, factor: Factor) {
        let models = self.0.entry(estimator.to_owned()).or_default();
        models.insert(model.to_owned(), factor);
    }

    /// Every model of an estimator.
    pub fn models(&self, estimator: &str) -> impl Iterator<Item = (&str, &Factor)> {
        let models = self.0.get(estimator).into_iter().flatten();
        models.map(|(model, factor)| (model.as_str(), factor))
    }
}

impl Factor {
    /// The ratio, once enough has been seen.
    #[must_use]
    pub fn learnt(&self) -> Option<f64> {
        let enough = self.responses >= NEEDED && self.tokens >= LEAST_TOKENS;
        (enough && POSSIBLE.contains(&self.ratio)).then_some(self.ratio)
    }
}

/// What one conversation teaches about one model.
#[derive(Debug, Clone, Default)]
pub(super) struct Lesson {
    known: Factor,
    responses: u64,
    last: Option<String>,
    observations: Vec<(u64, u64)>,
}

impl Lesson {
    /// With what was known before.
    pub(super) fn new(known: Option<&Factor>) -> Self {
        Self {
            known: known.cloned().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// A response.
    pub(super) fn saw(&mut self, response: &str) {
        self.responses += 1;
        if let Some(place) = self.known.ends.iter().position(|end| end == response) {
            // All of it up to here has been learnt before.
            self.known.ends.remove(place);
            self.responses = 0;
            self.observations.clear();
        }
        self.last = Some(response.to_owned());
    }

    /// So many estimated tokens were billed as so many.
    pub(super) fn observe(&mut self, estimated: u64, billed: u64) {
        if self.observations.len() == KEPT {
            self.observations.remove(0);
        }
        self.observations.push((estimated, billed));
    }

    /// What is known now.
    pub(super) fn factor(&self) -> Factor {
        let mut ends = self.known.ends.clone();
        ends.extend(self.last.clone());
        let old = ends.len().saturating_sub(CONVERSATIONS);
        ends.drain(..old);
        let (estimated, billed) = near_median(&self.observations);
        let trusted = if POSSIBLE.contains(&self.known.ratio) {
            self.known.tokens.min(MOST_TOKENS)
        } else {
            0
        };
        let tokens = trusted + estimated;
        let ratio = if tokens == 0 {
            0.0
        } else {
            (self.known.ratio * trusted as f64 + billed as f64) / tokens as f64
        };
        Factor {
            ratio,
            responses: self.known.responses + self.responses,
            tokens,
            ends,
        }
    }
}

/// The sums of the observations near their median, which is weighed by their tokens.
fn near_median(observations: &[(u64, u64)]) -> (u64, u64) {
    let mut ratios: Vec<(f64, u64, u64)> = observations
        .iter()
        .filter(|(estimated, _)| *estimated > 0)
        .map(|(estimated, billed)| (*billed as f64 / *estimated as f64, *estimated, *billed))
        .filter(|(ratio, ..)| POSSIBLE.contains(ratio))
        .collect();
    ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = ratios
        .iter()
        .map(|(_, estimated, _)| estimated)
        .sum::<u64>()
        / 2;
    let mut passed = 0;
    let median = ratios.iter().find(|(_, estimated, _)| {
        passed += estimated;
        passed > half
    });
    let median = median.map_or(1.0, |(ratio, ..)| *ratio);
    let near = ratios
        .iter()
        .filter(|(ratio, ..)| (median / NEAR..=median * NEAR).contains(ratio));
    near.fold((0, 0), |(estimates, bills), (_, estimated, billed)| {
        (estimates + estimated, bills + billed)
    })
}
