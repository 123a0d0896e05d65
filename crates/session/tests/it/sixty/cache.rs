//! What came from the provider's cache.

use super::Story;

/// The main thread's requests against the cache, those left out that it cannot know.
struct Cached {
    requests: usize,
    read: u64,
    prompt: u64,
    /// Requests for which something was read anew that the request before had sent.
    misses: Vec<usize>,
}

impl Cached {
    fn of(story: &Story) -> Self {
        let main = story.exchanges.iter().filter(|(_, one)| {
            let step = one.step.as_deref().unwrap_or_default();
            step.starts_with("main")
        });
        let mut cached = Self {
            requests: 0,
            read: 0,
            prompt: 0,
            misses: Vec::new(),
        };
        let mut before = 0;
        let answered = main.filter_map(|(turn, one)| Some((*turn, one.usage?)));
        for (number, (turn, usage)) in answered.enumerate() {
            let written = usage.cache_write_5m + usage.cache_write_1h;
            let prompt = usage.input + usage.cache_read + written;
            if number > 0 && !story.anew.contains(&number) {
                cached.requests += 1;
                cached.read += usage.cache_read;
                cached.prompt += prompt;
                if usage.cache_read < before {
                    cached.misses.push(turn);
                }
            }
            before = prompt;
        }
        cached
    }

    fn percent(&self) -> f64 {
        100.0 * self.read as f64 / self.prompt as f64
    }
}

/// Memory costs no miss, and nine tokens of ten are read from the cache. The figures of both.
pub(super) fn compare(on: &Story, off: &Story) -> String {
    let (on, off) = (Cached::of(on), Cached::of(off));
    let both = [("with memory", &on), ("without", &off)];
    let figures = both.map(|(name, cached)| {
        format!(
            "{name}: {} requests, {:.1} % of {} input tokens from the cache, {} misses",
            cached.requests,
            cached.percent(),
            cached.prompt,
            cached.misses.len()
        )
    });
    assert!(on.percent() >= 90.0 && off.percent() >= 90.0, "{figures:?}");
    assert!(on.misses.is_empty(), "{:?}", on.misses);
    // It was the same conversation: only where memory itself was read or written there is a request more or less.
    assert!(on.requests.abs_diff(off.requests) <= 2, "{figures:?}");
    // Without memory the first prompts are too short for the provider's cache, and are read anew; no others are.
    assert!(
        off.misses.iter().all(|turn| *turn <= 11),
        "{:?}",
        off.misses
    );
    figures.join("\n")
}
