//! Which lines are the conversation. Each names the one before it; a prompt that was taken back leaves a branch behind.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek};

use super::boundary;
use super::index::{Index, Place, Sort};
use crate::transcript::lines::Lines;
use crate::transcript::{ReadError, Report, Span, Trouble};

/// The lines of a conversation, in order.
pub(super) struct Chain {
    pub(super) order: Vec<Place>,
    /// Lines that some boundary names.
    pub(super) named: HashSet<Place>,
    /// What each boundary keeps.
    kept: HashMap<Place, Vec<Place>>,
    /// Lines of replies by their reply, in order.
    replies: Vec<(u64, Place)>,
}

impl Chain {
    pub(super) fn of<R: Read + Seek>(
        index: &Index,
        lines: &mut Lines<R>,
        span: Span,
        side: bool,
        report: &mut Report,
    ) -> Result<Self, ReadError> {
        let mut chain = Self {
            order: Vec::new(),
            named: HashSet::new(),
            kept: HashMap::new(),
            replies: Vec::new(),
        };
        chain.find_kept(index, lines, side)?;
        let mut included = Included::none(index);
        let spine = match side && !index.only_side() {
            // Each of them has a beginning of its own.
            true => index
                .places()
                .filter(|place| is_on(index, *place, true))
                .collect(),
            false => chain.spine(index, span, side, report),
        };
        for place in &spine {
            included.add(*place);
        }
        if span == Span::Visible
            && let Some(boundary) = spine.first().filter(|first| is_boundary(index, **first))
        {
            for kept in chain.kept(*boundary) {
                included.add(*kept);
            }
        }
        included.spread(index, spine.last().copied(), side);
        report.sidechain = match side {
            true => 0,
            false => index.entries().iter().filter(|entry| entry.side).count() as u64,
        };
        report.abandoned = match span {
            Span::Visible => 0,
            Span::Whole => {
                let all = index
                    .entries()
                    .iter()
                    .filter(|entry| entry.side == side)
                    .count();
                all.saturating_sub(included.count) as u64
            }
        };
        chain.order = included.order(&spine);
        chain.replies = chain
            .order
            .iter()
            .filter_map(|place| Some((index.entry(*place)?.reply, *place)))
            .filter(|(reply, _)| *reply != 0)
            .collect();
        // Stable: lines of a reply stay in the order of the conversation.
        chain.replies.sort_by_key(|(reply, _)| *reply);
        Ok(chain)
    }

    /// What each boundary keeps, read from its line.
    fn find_kept<R: Read + Seek>(
        &mut self,
        index: &Index,
        lines: &mut Lines<R>,
        side: bool,
    ) -> Result<(), ReadError> {
        for (entry, place) in index.entries().iter().zip(0..) {
            if entry.kind != Sort::Boundary || entry.side != side {
                continue;
            }
            let bytes = lines.at(entry.offset, entry.length)?;
            let kept: Vec<Place> = boundary::kept(bytes, index)
                .into_iter()
                .filter(|kept| *kept < place)
                .collect();
            self.named.extend(&kept);
            self.kept.insert(place, kept);
        }
        Ok(())
    }

    /// From the last line of the conversation back to its beginning, or to the last boundary; first line first.
    fn spine(&self, index: &Index, span: Span, side: bool, report: &mut Report) -> Vec<Place> {
        let leaf = leaf(index, side);
        let mut seen = HashSet::new();
        let mut spine = Vec::new();
        let mut next = leaf;
        while let Some(place) = next {
            let Some(entry) = index.entry(place) else {
                break;
            };
            if !seen.insert(place) {
                report.problem(u64::from(entry.line), Trouble::Circle);
                break;
            }
            spine.push(place);
            if entry.kind == Sort::Boundary && span == Span::Visible {
                break;
            }
            next = self.before(index, place);
            if entry.orphan {
                report.problem(u64::from(entry.line), Trouble::NoParent);
                next = earlier(index, place, side);
            }
        }
        spine.reverse();
        spine
    }

    /// The line before this one. A line behind a boundary that follows one which the boundary kept stands behind the
    /// boundary: that is where the kept ones are put.
    fn before(&self, index: &Index, place: Place) -> Option<Place> {
        let parent = index.parent(place)?;
        let entry = index.entry(place)?;
        if entry.kind == Sort::Boundary || !self.named.contains(&parent) {
            return Some(parent);
        }
        let over = self
            .kept
            .iter()
            .filter(|(boundary, kept)| {
                parent < **boundary && **boundary < place && kept.contains(&parent)
            })
            .map(|(boundary, _)| *boundary)
            .max();
        let Some(boundary) = over else {
            return Some(parent);
        };
        // The summary follows the boundary; without one the boundary itself is meant.
        let summary = (boundary + 1..place).find(|place| index.parent(*place) == Some(boundary));
        Some(summary.unwrap_or(boundary))
    }

    /// The lines that a boundary keeps.
    pub(super) fn kept(&self, boundary: Place) -> &[Place] {
        self.kept.get(&boundary).map_or(&[], Vec::as_slice)
    }

    /// The lines of the reply that this line is part of; none for a line that is all of its message.
    pub(super) fn members(&self, index: &Index, place: Place) -> Vec<Place> {
        let reply = index.entry(place).map_or(0, |entry| entry.reply);
        if reply == 0 {
            return Vec::new();
        }
        let from = self.replies.partition_point(|(other, _)| *other < reply);
        let lines = self.replies.iter().skip(from);
        lines
            .take_while(|(other, _)| *other == reply)
            .map(|(_, place)| *place)
            .collect()
    }

    /// The line whose id is the message's, which may be outside of what is read.
    pub(super) fn first_of(&self, index: &Index, place: Place) -> Place {
        let reply = index.entry(place).map_or(0, |entry| entry.reply);
        let mut first = place;
        while let Some(parent) = index.parent(first) {
            let same = index
                .entry(parent)
                .is_some_and(|entry| entry.reply == reply);
            if reply == 0 || !same || parent >= first {
                break;
            }
            first = parent;
        }
        first
    }
}

/// The last thing that someone said. What stands behind it belongs to it, whichever line that names.
fn leaf(index: &Index, side: bool) -> Option<Place> {
    let on = |place: &Place| is_on(index, *place, side);
    let all = || index.places().rev().filter(on);
    all()
        .find(|place| {
            index
                .entry(*place)
                .is_some_and(|entry| entry.kind != Sort::Beside)
        })
        .or_else(|| all().next())
}

fn earlier(index: &Index, place: Place, side: bool) -> Option<Place> {
    (0..place).rev().find(|place| is_on(index, *place, side))
}

fn is_on(index: &Index, place: Place, side: bool) -> bool {
    index.entry(place).is_some_and(|entry| entry.side == side)
}

fn is_boundary(index: &Index, place: Place) -> bool {
    index
        .entry(place)
        .is_some_and(|entry| entry.kind == Sort::Boundary)
}

/// The lines that are part of the conversation so far.
struct Included {
    on: Vec<bool>,
    count: usize,
}

impl Included {
    fn none(index: &Index) -> Self {
        Self {
            on: vec![false; index.entries().len()],
            count: 0,
        }
    }

    fn has(&self, place: Place) -> bool {
        self.on.get(place as usize).copied().unwrap_or_default()
    }

    fn add(&mut self, place: Place) {
        if let Some(on) = self.on.get_mut(place as usize)
            && !*on
        {
            *on = true;
            self.count += 1;
        }
    }

    /// Tools that ran at once leave a fork: each result names the line of its own call, and what hooks said hangs on
    /// the side. They are part of the conversation as much as the branch that goes on.
    fn spread(&mut self, index: &Index, leaf: Option<Place>, side: bool) {
        let spine = self.on.clone();
        let on_spine = |place: Place| spine.get(place as usize).copied().unwrap_or_default();
        let replies: HashSet<u64> = index
            .entries()
            .iter()
            .zip(&self.on)
            .filter(|(entry, on)| **on && entry.reply != 0)
            .map(|(entry, _)| entry.reply)
            .collect();
        for (entry, place) in index.entries().iter().zip(0..) {
            if self.has(place) || entry.side != side {
                continue;
            }
            let belongs = match entry.kind {
                Sort::Assistant => replies.contains(&entry.reply),
                Sort::User | Sort::Boundary => false,
                Sort::Result | Sort::Beside => index.parent(place).is_some_and(|parent| {
                    let said = index.entry(parent).map(|parent| parent.kind);
                    self.has(parent)
                        && (!on_spine(parent)
                            || matches!(said, Some(Sort::Assistant | Sort::Result))
                            || (Some(parent) == leaf && entry.kind == Sort::Beside))
                }),
            };
            if belongs {
                self.add(place);
            }
        }
    }

    /// In the order of the file, unless the conversation itself has another.
    fn order(&self, spine: &[Place]) -> Vec<Place> {
        let mut keyed: Vec<(Place, bool, Place)> = Vec::with_capacity(self.count);
        let mut latest = 0;
        let mut along = HashSet::new();
        let straight = spine.is_sorted();
        for place in spine.iter().filter(|_| !straight) {
            latest = latest.max(*place);
            keyed.push((latest, false, *place));
            along.insert(*place);
        }
        for (on, place) in self.on.iter().zip(0..) {
            if *on && !along.contains(&place) {
                keyed.push((place, true, place));
            }
        }
        // Stable, so that lines of the conversation stay in its order.
        keyed.sort_by_key(|(key, beside, _)| (*key, *beside));
        keyed.into_iter().map(|(_, _, place)| place).collect()
    }
}
