//! Taking a value out of a text, with what was made for it.

use super::{Kind, Notes, Piece, Problem, Step, Tree, pieces, word};

/// The text without the value at the end of a way, and without what was made around it and is now empty. `None` is that
/// nothing is left of it.
pub(in crate::clients) fn without(
    text: &str,
    path: &[Step],
    notes: &Notes,
) -> Result<Option<String>, Problem> {
    let tree = Tree::parse(text)?;
    let mut path = path;
    while let Some((_, way)) = path.split_last() {
        if !notes.made.contains(&word(way)) || !tree.is_alone(way) {
            return tree.without_child(path, notes).map(Some);
        }
        path = way;
    }
    Ok(tree.without_root(notes))
}

impl Tree<'_> {
    /// Whether there is one value in it, and not a comment beside.
    fn is_alone(&self, way: &[Step]) -> bool {
        let Some((container, start)) = self.find(way) else {
            return false;
        };
        let inside = pieces(&container, start);
        let children = inside.iter().filter(|piece| piece.is_child()).count();
        children == 1
            && !inside
                .iter()
                .any(|piece| matches!(piece.kind, Kind::Comment))
    }

    fn without_root(&self, notes: &Notes) -> Option<String> {
        let (root, start) = self.find(&[])?;
        let end = start + root.to_string().len();
        let (before, after) = (self.text.get(..start)?, self.text.get(end..)?);
        let before = before.strip_suffix(notes.before.as_str()).unwrap_or(before);
        let gap = notes.gaps.get("").map(String::as_str).unwrap_or_default();
        let after = after.strip_prefix(gap).unwrap_or(after);
        let left = format!("{}{before}{after}", self.mark);
        Some(left).filter(|left| notes.existed || !left.is_empty())
    }

    fn without_child(&self, path: &[Step], notes: &Notes) -> Result<String, Problem> {
        let shape = || Problem::Shape(word(path));
        let (step, way) = path.split_last().ok_or_else(shape)?;
        let (container, start) = self.find(way).ok_or_else(shape)?;
        let inside = pieces(&container, start);
        let numbers = inside
            .iter()
            .enumerate()
            .filter(|(_, piece)| piece.is_child());
        let children: Vec<usize> = numbers.map(|(number, _)| number).collect();
        let place = match step {
            Step::Index(number) => children.get(*number).copied(),
            Step::Key(name) => inside
                .iter()
                .rposition(|piece| super::name_of(piece).as_ref() == Some(name)),
        };
        let place = place.ok_or_else(shape)?;
        let child = inside.get(place).ok_or_else(shape)?;
        let earlier = inside.get(..place).unwrap_or_default();
        let later = inside.get(place + 1..).unwrap_or_default();
        let is_first = !earlier.iter().any(Piece::is_child);
        let is_last = !later.iter().any(Piece::is_child);

        let before = earlier.iter().rev().find(|piece| !piece.is_blank());
        let begin = before.map_or(child.start, |piece| piece.end);
        let comma = later
            .iter()
            .take_while(|piece| !piece.is_child())
            .find(|piece| piece.is_comma());
        let nothing = String::new;
        let mut changes = Vec::new();
        match comma {
            // On one line the blank that goes is the one behind.
            Some(comma) if is_first && !is_last && !self.has_line_end(&inside) => {
                let next = later.iter().find(|piece| piece.is_child());
                let end = next.map_or(comma.end, |next| next.start);
                changes.push((child.start, end, nothing()));
            }
            Some(comma) => {
                changes.push((begin, child.end, nothing()));
                changes.push((comma.start, comma.end, nothing()));
            }
            None => {
                let gap = notes.gaps.get(&word(way)).filter(|_| is_first);
                let rest = self.text.get(child.end..).unwrap_or_default();
                let gap = gap.filter(|gap| rest.starts_with(gap.as_str()));
                let end = child.end + gap.map_or(0, String::len);
                changes.push((begin, end, nothing()));
                // What stood before it is now the last.
                let of_earlier = earlier.iter().rev().take_while(|piece| !piece.is_child());
                let comma = of_earlier.filter(|piece| piece.is_comma()).last();
                if let Some(comma) = comma.filter(|_| !is_first) {
                    changes.push((comma.start, comma.end, nothing()));
                }
            }
        }
        let changes = changes.into_iter().filter(|(start, end, _)| start < end);
        Ok(self.spliced(merged(changes.collect())))
    }
}

/// The same stretches without overlaps.
fn merged(mut changes: Vec<(usize, usize, String)>) -> Vec<(usize, usize, String)> {
    changes.sort_by_key(|(start, _, _)| *start);
    let mut merged: Vec<(usize, usize, String)> = Vec::new();
    for (start, end, new) in changes {
        match merged.last_mut() {
            Some((_, last, _)) if start < *last => *last = end.max(*last),
            _ => merged.push((start, end, new)),
        }
    }
    merged
}
