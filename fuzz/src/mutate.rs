//! Mutations of texts.

/// Repeatable random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next sixty-four bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A whole number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// Bytes of the longest texts.
pub const LONGEST: usize = 100_000;

/// Numbers and words at which readers stumble.
const HOSTILE: [&str; 40] = [
    "0",
    "-0.0",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-308",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e309",
    "0x7fffffffffffffff",
    "1_000",
    "1e-300",
    "true",
    "\"\"",
    "\"\\u0000\"",
    "[]",
    "{}",
    "[[]]",
    "[1, 2",
    "}",
    "]]",
    "1979-05-27",
    "'''",
    "\\",
    "\u{202e}",
    "\u{1b}[31m",
    "é",
    "=",
    ",,",
    "\n",
    "\r\n",
    "\u{feff}",
    "(((((((((",
    "^^",
    "/0",
    "[0]",
];

/// Makes new texts out of seeds.
#[derive(Clone, Debug)]
pub struct Mutator<'a> {
    random: Random,
    seeds: &'a [String],
}

impl<'a> Mutator<'a> {
    /// Texts that depend on this number and the seeds alone.
    pub fn new(seed: u64, seeds: &'a [String]) -> Self {
        Self { random: Random(seed), seeds }
    }

    fn pick(&mut self) -> &'a str {
        let k = self.random.below(self.seeds.len());
        self.seeds.get(k).map_or("", String::as_str)
    }

    /// The next text.
    pub fn next(&mut self, text: &mut String) {
        text.clear();
        text.push_str(self.pick());
        for _ in 0..1 + self.random.below(4) {
            self.mutate(text);
        }
        text.truncate(floor(text, LONGEST));
    }

    fn mutate(&mut self, text: &mut String) {
        let (a, b) = (self.place(text), self.place(text));
        let (a, b) = (a.min(b), a.max(b));
        match self.random.below(9) {
            0 => drop(text.drain(a..b.min(floor(text, a + 40)).max(a))),
            1 => {
                let part = text[a..floor(text, b.min(a + 200)).max(a)].to_string();
                text.insert_str(a, &part);
            }
            2 => text.insert_str(a, HOSTILE[self.random.below(HOSTILE.len())]),
            3 | 4 => self.replace_word(text, a),
            5 => {
                // A line of another text.
                let other = self.pick();
                let lines: Vec<&str> = other.lines().collect();
                let line = lines.get(self.random.below(lines.len())).copied().unwrap_or("");
                let start = text[..a].rfind('\n').map_or(0, |i| i + 1);
                text.insert_str(start, &format!("{line}\n"));
            }
            6 => {
                // Without a line.
                let start = text[..a].rfind('\n').map_or(0, |i| i + 1);
                let end = text[a..].find('\n').map_or(text.len(), |i| a + i + 1);
                drop(text.drain(start..end));
            }
            7 => {
                // Any character in place of another.
                let c = char::from_u32(self.random.bits() as u32 % 0x300).unwrap_or('?');
                let end = floor(text, a + 1).max(a);
                let end = if end == a {
                    text[a..].chars().next().map_or(a, |c| a + c.len_utf8())
                } else {
                    end
                };
                text.replace_range(a..end, c.encode_utf8(&mut [0; 4]));
            }
            _ => {
                let times = 1 + self.random.below(60);
                let what =
                    ["[", "{a=", "(", "-", "a.", "1,", "\n", "\"", "#"][self.random.below(9)];
                text.insert_str(a, &what.repeat(times));
            }
        }
    }

    /// Another number or word where one stands.
    fn replace_word(&mut self, text: &mut String, near: usize) {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
        let start = text[..near].rfind(|c| !inside(c)).map_or(0, |i| i + 1);
        let start = floor(text, start);
        let end = text[near..].find(|c| !inside(c)).map_or(text.len(), |i| near + i);
        let word = match self.random.below(3) {
            0 => HOSTILE[self.random.below(16)].to_string(),
            1 => {
                let other = self.pick();
                let words: Vec<&str> =
                    other.split(|c| !inside(c)).filter(|w| !w.is_empty()).collect();
                words.get(self.random.below(words.len())).copied().unwrap_or("0").to_string()
            }
            _ => format!("{:?}", f64::from_bits(self.random.bits())),
        };
        if start <= end {
            text.replace_range(start..end, &word);
        }
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        floor(text, self.random.below(text.len() + 1))
    }
}

/// The nearest place between two characters that is not above.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
