//! The file from which a run goes on.
//!
//! ```text
//! one line of JSON: what it belongs to, and how many words follow
//! words of 64 bits, the lowest byte first: the end of the interval, the run now, the run before its end
//! the SHA-256 checksum of all this
//! ```
use lieflow_files::{BUILD, Hash};
use lieflow_models::problem_file::Document;
use lieflow_models::run::Plan;
use serde_json::{Value as Json, json};

/// The file in a folder that is complete.
pub const NAME: &str = "checkpoint.bin";
/// The file while the run goes on. It has the ending of drafts: what does not go on removes it.
pub const RUNNING: &str = "checkpoint.running.lieflow-draft";
/// The first key of the header, and the version of this format.
const FORMAT: u64 = 1;
/// Bytes of the checksum.
const SUM: usize = 32;

/// Where a run was, in the words of an [`Archive`](lieflow::archive::Archive).
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    pub t: f64,
    pub words: Vec<u64>,
}

/// What a run was, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The problem without its end, as text.
    pub problem: String,
    /// The end.
    pub until: f64,
    /// The build that computed it.
    pub build: String,
    /// Whether the run has come to its end.
    pub complete: bool,
    /// How long it took, if it is not complete.
    pub seconds: f64,
    /// Where it was.
    pub now: Option<Moment>,
    /// Where it was before the first step that depends on where it ends. To a later end it goes on
    /// from here.
    pub before_end: Option<Moment>,
}

impl Checkpoint {
    /// For a run that has not begun.
    pub fn of(document: &Document, plan: &Plan) -> Self {
        let mut problem = document.to_json();
        if let Some(solve) = problem.get_mut("solve").and_then(Json::as_object_mut) {
            solve.remove("until");
        }
        Self {
            problem: problem.to_string(),
            until: plan.until,
            build: BUILD.into(),
            complete: false,
            seconds: 0.0,
            now: None,
            before_end: None,
        }
    }

    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = |moment: &Option<Moment>| moment.as_ref().map(|moment| moment.words.len());
        let header = json!({
            "lieflow_checkpoint": FORMAT, "build": self.build, "complete": self.complete,
            "seconds": self.seconds.to_bits(), "now": count(&self.now),
            "before_end": count(&self.before_end), "problem": self.problem,
        });
        let mut bytes = format!("{header}\n").into_bytes();
        let mut word = |word: u64| bytes.extend(word.to_le_bytes());
        word(self.until.to_bits());
        for moment in [&self.now, &self.before_end].into_iter().flatten() {
            word(moment.t.to_bits());
            moment.words.iter().for_each(|bits| word(*bits));
        }
        let sum = Hash::of(&bytes).words();
        sum.iter().for_each(|word| bytes.extend(word.to_be_bytes()));
        bytes
    }

    /// From a file, if it is what was written.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_at_checked(bytes.len().checked_sub(SUM)?)?;
        let written = Hash::of(content).words().map(u64::to_be_bytes);
        if written.as_flattened() != sum {
            return None;
        }
        let line = content.iter().position(|byte| *byte == b'\n')?;
        let (header, words) = content.split_at(line);
        let header: Json = serde_json::from_slice(header).ok()?;
        if header["lieflow_checkpoint"].as_u64()? != FORMAT {
            return None;
        }
        let mut words = words.get(1..)?.chunks_exact(8).map(|chunk| {
            chunk.iter().rev().fold(0, |word: u64, byte| (word << 8) | u64::from(*byte))
        });
        let until = f64::from_bits(words.next()?);
        let mut moment = |key: &str| -> Option<Option<Moment>> {
            let Some(count) = header[key].as_u64() else { return Some(None) };
            let t = f64::from_bits(words.next()?);
            let words: Vec<u64> = words.by_ref().take(usize::try_from(count).ok()?).collect();
            (words.len() as u64 == count).then_some(Some(Moment { t, words }))
        };
        let (now, before_end) = (moment("now")?, moment("before_end")?);
        Some(Self {
            problem: header["problem"].as_str()?.into(),
            until,
            build: header["build"].as_str()?.into(),
            complete: header["complete"].as_bool()?,
            seconds: f64::from_bits(header["seconds"].as_u64()?),
            now,
            before_end,
        })
    }

    /// Where another run, the same but perhaps for its end, can go on.
    pub fn moment_for(&self, until: f64) -> Option<&Moment> {
        match self.until == until {
            true => self.now.as_ref().or(self.before_end.as_ref()),
            false => self.before_end.as_ref().or(self.now.as_ref()),
        }
    }

    /// The first key in which the problems differ, if they do.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.problem == other.problem {
            return None;
        }
        let read = |text: &str| serde_json::from_str::<Json>(text).unwrap_or_default();
        let found = differing(&read(&self.problem), &read(&other.problem));
        Some(found.unwrap_or_else(|| "the problem".into()))
    }
}

/// The path to the first value that two documents do not share.
fn differing(a: &Json, b: &Json) -> Option<String> {
    let (Json::Object(a), Json::Object(b)) = (a, b) else { return None };
    let missing = b.keys().filter(|key| !a.contains_key(*key));
    for key in a.keys().chain(missing) {
        let (one, other) = (a.get(key), b.get(key));
        if one == other {
            continue;
        }
        let below = one.zip(other).and_then(|(one, other)| differing(one, other));
        return Some(below.map_or_else(|| key.clone(), |below| format!("{key}.{below}")));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        Checkpoint {
            problem: r#"{"system":"x","solve":{"step":0.1}}"#.into(),
            until: 0.1 + 0.2,
            build: "1".into(),
            complete: false,
            seconds: 1.5,
            now: Some(Moment { t: 0.1, words: vec![1, u64::MAX, f64::NAN.to_bits()] }),
            before_end: None,
        }
    }

    #[test]
    fn comes_back_whole_or_not_at_all() {
        let both = Checkpoint {
            before_end: Some(Moment { t: 0.05, words: vec![] }),
            complete: true,
            ..example()
        };
        let none = Checkpoint { now: None, ..example() };
        for checkpoint in [example(), both, none] {
            let bytes = checkpoint.to_bytes();
            assert_eq!(Checkpoint::from_bytes(&bytes), Some(checkpoint));
            for i in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[i] ^= 16;
                assert_eq!(Checkpoint::from_bytes(&changed), None, "byte {i}");
                assert_eq!(Checkpoint::from_bytes(&bytes[..i]), None, "{i} bytes");
            }
        }
    }

    #[test]
    fn says_what_differs() {
        let other = |problem: &str| Checkpoint { problem: problem.into(), ..example() };
        let from = example();
        assert_eq!(from.difference(&example()), None);
        let step = other(r#"{"system":"x","solve":{"step":0.2}}"#);
        assert_eq!(from.difference(&step).as_deref(), Some("solve.step"));
        let key = other(r#"{"system":"x","solve":{"step":0.1,"polar":3}}"#);
        assert_eq!(from.difference(&key).as_deref(), Some("solve.polar"));
    }
}
