//! What is asked for.
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The options of a call.
pub struct Options {
    /// One in so many of all mutants is tried.
    pub one_in: u64,
    /// So many mutants of constants at most: each is built alone.
    pub constants: usize,
    /// Where the copy of the tree is, and what is known of it.
    pub work: PathBuf,
    /// What the names of mutants must contain.
    pub only: String,
    /// Which of how many parts of the mutants, from one.
    pub part: (usize, usize),
    /// The crates whose tests judge, if not all: some take long to build.
    pub judges: Option<String>,
    /// What the names of tests that judge contain, one of these, if not all judge.
    pub tests: Option<String>,
    /// How many tests run at a time.
    pub threads: usize,
    /// Tests that take longer do not judge.
    pub slowest: Duration,
    /// Tests of so many seconds are given a mutant at most; it then counts as alive.
    pub patience: Duration,
    /// Whether only those are tried that no test noticed the last time.
    pub again: bool,
    /// Whether the mutants are only listed.
    pub list: bool,
}

const NAMES: &str = "--one-in, --constants, --part, --only, --judges, --tests, --threads, --slowest, --patience, --again, --list, --work";

fn number<T: FromStr>(word: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{word}: found {text}, expected a number"))
}

impl Options {
    /// Reads the words of a command line.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            one_in: 8,
            constants: 40,
            work: std::env::temp_dir().join("lieflow-mutants"),
            only: String::new(),
            part: (1, 1),
            judges: None,
            tests: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            slowest: Duration::from_secs(60),
            patience: Duration::MAX,
            again: false,
            list: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--one-in" => options.one_in = number::<u64>(&word, &value()?)?.max(1),
                "--constants" => options.constants = number(&word, &value()?)?,
                "--threads" => options.threads = number(&word, &value()?)?,
                "--slowest" => options.slowest = Duration::from_secs(number(&word, &value()?)?),
                "--patience" => options.patience = Duration::from_secs(number(&word, &value()?)?),
                "--work" => options.work = value()?.into(),
                "--only" => options.only = value()?,
                "--judges" => options.judges = Some(value()?),
                "--tests" => options.tests = Some(value()?),
                "--again" => options.again = true,
                "--list" => options.list = true,
                "--part" => {
                    let text = value()?;
                    let part = text.split_once('/');
                    let part = part.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
                    options.part = part
                        .filter(|(k, n)| 1 <= *k && k <= n)
                        .ok_or(format!("--part: found {text}, expected K/N"))?;
                }
                _ => return Err(format!("there is no option {word}: {NAMES}")),
            }
        }
        Ok(options)
    }

    /// Whether the tests of a crate judge.
    pub fn judging(&self, name: &str) -> bool {
        self.judges.as_ref().is_none_or(|list| list.split(',').any(|judge| judge == name))
    }

    /// Whether a test judges, by its name.
    pub fn wants(&self, test: &str) -> bool {
        self.tests.as_ref().is_none_or(|list| list.split(',').any(|text| test.contains(text)))
    }

    /// Whether all mutants are tried, by all tests.
    pub fn everything(&self) -> bool {
        let all_judge = self.judges.is_none() && self.tests.is_none();
        self.only.is_empty() && self.part == (1, 1) && all_judge
    }
}
