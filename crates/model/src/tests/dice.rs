//! JSON of every odd form, made up from a seed.

/// Numbers that look random and are the same every time.
pub(super) struct Dice(u64);

/// An object whose fields can be looked at and replaced before it is written.
#[derive(Clone)]
pub(super) struct Object {
    /// Names and values as they are written.
    pub(super) fields: Vec<(String, String)>,
    /// What stands between the parts.
    space: &'static str,
}

const NUMBERS: [&str; 9] = [
    "0",
    "-0",
    "1.0",
    "1e5",
    "1E+2",
    "-1.50e-3",
    "12345678901234567890123",
    "0.10",
    "7",
];
/// Parts of strings as they may be written; the two halves of one character are parts of their own.
const PARTS: [&str; 12] = [
    "a",
    "é",
    "😀",
    r"\n",
    r"\u00e9",
    r"\ud83d\ude00",
    r"\/",
    r"\\",
    "\\\"",
    "\u{2028}",
    r"\u0000",
    " word",
];
const SPACES: [&str; 4] = ["", "", " ", "\t "];

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap() % most.max(1)
    }

    pub(super) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(super) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// The parts of a string, still escaped.
    pub(super) fn parts(&mut self) -> Vec<&'static str> {
        let mut parts = vec!["x"];
        for _ in 0..self.below(9) {
            match *self.of(&PARTS) {
                r"\ud83d\ude00" => parts.extend([r"\ud83d", r"\ude00"]),
                part => parts.push(part),
            }
        }
        parts
    }

    pub(super) fn string(&mut self) -> String {
        format!("\"{}\"", self.parts().concat())
    }

    /// Any value.
    pub(super) fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => (*self.of(&NUMBERS)).to_owned(),
            1 => self.string(),
            2 => (*self.of(&["null", "true", "false"])).to_owned(),
            3 => {
                let space = *self.of(&SPACES);
                let items: Vec<String> =
                    (0..self.below(3)).map(|_| self.value(depth - 1)).collect();
                format!("[{space}{}{space}]", items.join(&format!(",{space}")))
            }
            _ => self.object(&[], depth - 1).text(),
        }
    }

    /// An object with these fields and others, in any order.
    pub(super) fn object(&mut self, known: &[(&str, &str)], depth: usize) -> Object {
        let mut fields: Vec<(String, String)> = known
            .iter()
            .map(|(name, value)| (format!("\"{name}\""), (*value).to_owned()))
            .collect();
        for number in 0..self.below(3) {
            let name = format!("\"{}_{number}\"", self.of(&["x", r"\u0078y", "é", "z-z"]));
            let value = self.value(depth);
            let place = self.below(fields.len() + 1);
            fields.insert(place, (name, value));
        }
        for place in 0..fields.len() {
            let other = self.below(fields.len());
            fields.swap(place, other);
        }
        Object {
            fields,
            space: self.of::<&str>(&SPACES),
        }
    }

    /// A list cut into pieces, none of them empty.
    pub(super) fn pieces<T: Clone>(&mut self, all: &[T]) -> Vec<Vec<T>> {
        let mut pieces: Vec<Vec<T>> = Vec::new();
        for item in all {
            match pieces.last_mut() {
                Some(piece) if !self.one_in(2) => piece.push(item.clone()),
                _ => pieces.push(vec![item.clone()]),
            }
        }
        pieces
    }
}

impl Object {
    /// As it is written.
    pub(super) fn text(&self) -> String {
        let space = self.space;
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|(name, value)| format!("{name}{space}:{space}{value}"))
            .collect();
        format!("{{{space}{}{space}}}", fields.join(&format!("{space},")))
    }

    /// The same with a field replaced.
    pub(super) fn with(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        for (own, standing) in &mut other.fields {
            if own.trim_matches('"') == name {
                value.clone_into(standing);
            }
        }
        other
    }
}
