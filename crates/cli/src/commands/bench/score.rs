//! Measures of a ranking, and of time.

use std::time::Duration;

use serde::Serialize;

/// How well questions were answered, averaged over them.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Quality {
    pub(super) r1: f64,
    pub(super) r5: f64,
    pub(super) r10: f64,
    pub(super) mrr: f64,
}

/// How long questions took.
#[derive(Debug, Serialize)]
pub(super) struct Speed {
    pub(super) index_ms: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
}

impl Quality {
    /// Of each question which answers were right, and how many documents were.
    pub(super) fn of(answers: &[(Vec<bool>, usize)]) -> Quality {
        let mean = |measure: &dyn Fn(&[bool], usize) -> f64| {
            let sum: f64 = answers
                .iter()
                .map(|(places, relevant)| measure(places, *relevant))
                .sum();
            sum / answers.len().max(1) as f64
        };
        let recall = |first: usize| {
            mean(&|places, relevant| {
                let right = places.iter().take(first).filter(|right| **right).count();
                right as f64 / relevant.max(1) as f64
            })
        };
        Quality {
            r1: recall(1),
            r5: recall(5),
            r10: recall(10),
            mrr: mean(&|places, _| {
                let first = places.iter().position(|right| *right);
                first.map_or(0.0, |place| 1.0 / (place + 1) as f64)
            }),
        }
    }
}

impl Speed {
    pub(super) fn of(mut times: Vec<Duration>, index_ms: f64) -> Speed {
        times.sort_unstable();
        let at = |percent: usize| {
            let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
            times
                .get(place)
                .map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        Speed {
            index_ms,
            p50_ms: at(50),
            p99_ms: at(99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_shares_averaged_over_questions() {
        let answers = [
            // Both right documents found, at places 1 and 6.
            (vec![true, false, false, false, false, true], 2),
            // The only one found at place 2.
            (vec![false, true], 1),
            // Silence.
            (vec![], 1),
        ];
        let Quality { r1, r5, r10, mrr } = Quality::of(&answers);
        let shown = [r1, r5, r10, mrr].map(|value| format!("{value:.3}"));
        assert_eq!(shown, ["0.167", "0.500", "0.667", "0.500"]);
    }

    #[test]
    fn without_questions_there_is_nothing() {
        let quality = Quality::of(&[]);
        assert_eq!((quality.r5, quality.mrr), (0.0, 0.0));
        assert_eq!(Speed::of(Vec::new(), 1.0).p99_ms, 0.0);
    }
}
