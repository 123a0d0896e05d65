//! A question with an account of what it was not answered with. Only what is taken is read from disk.

use std::collections::HashSet;

use jiff::civil::Date;
use memdir_memory::MemoryPath;

use super::{Answering, OpenFinder, Question, ROUNDS, sought};
use crate::rank::Sought;
use crate::{Error, Found, Hit, Scope};

/// What came of a question.
#[derive(Default)]
pub(crate) struct Weighed {
    /// The best that were taken.
    pub(crate) found: Vec<Found>,
    /// The best that were not, and why.
    pub(crate) passed: Vec<(Named, Passed)>,
    /// The best of all, whether or not they were wanted.
    pub(crate) all: Vec<Named>,
    /// Where nothing is relevant enough: what comes nearest.
    pub(crate) nearest: Vec<Named>,
    /// How many memories were searched, and how many are not in the index yet.
    pub(crate) searched: (u32, u32),
}

/// A memory that was found and not read.
pub(crate) struct Named {
    pub(crate) scope: Scope,
    pub(crate) path: MemoryPath,
    pub(crate) score: f32,
    /// Its last day, where it has one.
    pub(crate) expires: Option<Date>,
}

/// Why a memory was not taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Whoever asks did not take it.
    Refused,
    /// There were enough.
    Beyond,
}

impl OpenFinder {
    /// Answers a question with at most so many memories that `takes` takes, and names as many others as the question
    /// has left.
    pub(crate) fn weigh(
        &mut self,
        question: &Question<'_>,
        others: usize,
        takes: &dyn Fn(&Found) -> bool,
    ) -> Result<Weighed, Error> {
        self.asked(|open| open.try_weigh(question, others, takes))
    }

    fn try_weigh(
        &mut self,
        question: &Question<'_>,
        others: usize,
        takes: &dyn Fn(&Found) -> bool,
    ) -> Result<Weighed, Error> {
        let mut suspects = HashSet::new();
        let mut round = 0;
        loop {
            self.refresh(&suspects)?;
            suspects.clear();
            round += 1;
            let mut sought = sought(question);
            let wide = Question {
                limit: question.limit.saturating_add(others),
                ..*question
            };
            let (hits, silent) = self.best(&mut sought, &wide)?;
            let mut weighed = Weighed::default();
            let mut answering = Answering::default();
            for hit in &hits {
                if weighed.found.len() >= question.limit {
                    weighed.passed.push((self.named(hit)?, Passed::Beyond));
                    continue;
                }
                match self.read(hit, question, &mut answering)? {
                    Ok(found) if takes(&found) => weighed.found.push(found),
                    Ok(_) => weighed.passed.push((self.named(hit)?, Passed::Refused)),
                    Err(suspect) => _ = suspects.insert(suspect),
                }
            }
            if !suspects.is_empty() && round < ROUNDS {
                continue;
            }
            let narrow = Question {
                limit: others,
                ..*question
            };
            let all = Question {
                without: &[],
                is_over: &|_| false,
                ..narrow
            };
            weighed.searched = (self.index.totals().files, self.index.pending());
            weighed.all = self.names(&mut sought, &all)?;
            if weighed.found.is_empty() && silent {
                let nearest = Question {
                    silence: false,
                    ..narrow
                };
                weighed.nearest = self.names(&mut sought, &nearest)?;
            }
            return Ok(weighed);
        }
    }

    /// The best files, and whether there is silence instead.
    fn best(
        &mut self,
        sought: &mut Sought,
        question: &Question<'_>,
    ) -> Result<(Vec<Hit>, bool), Error> {
        let ranked = self.order(sought, question)?;
        #[cfg(feature = "minilm")]
        let ranked = self.reordered(question, ranked)?;
        Ok((ranked.hits, ranked.silence.is_some()))
    }

    fn names(&mut self, sought: &mut Sought, question: &Question<'_>) -> Result<Vec<Named>, Error> {
        let (hits, _) = self.best(sought, question)?;
        hits.iter().map(|hit| self.named(hit)).collect()
    }

    fn named(&self, hit: &Hit) -> Result<Named, Error> {
        let (scope, path) = self.place_of(hit)?;
        Ok(Named {
            scope,
            path,
            score: hit.score,
            expires: self.index.facts(hit.file)?.expires,
        })
    }
}
