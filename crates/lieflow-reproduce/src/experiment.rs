//! The format of an experiment file.
//!
//! ```toml
//! paper = "krysl2004"             # key in references.bib
//! number = "Figure 9"             # what it reproduces
//! title = "Convergence on the fast top"
//! note = "Steps are ours."        # optional
//!
//! [[study]]                       # what runs, see the module `study`
//! name = "fast"                   # first part of the names of its measurements
//! kind = "convergence"
//! problem = "fast-top"            # a built-in problem
//! set = ["solve.until=10"]        # laid over it, as by --set
//! methods = ["liemid-ea", { id = "rkmk4", label = "RKMK4, q=2", set = ["solve.dexpinv=2"] }]
//! steps = ["2^-6", "2^-8"]
//! quick = ["solve.until=1"]       # laid over it with --quick
//!
//! [[claim]]
//! text = "LIEMID[EA] is second order in the momentum"
//! measure = "[fast/liemid-ea/order/momentum]"
//! expect = { value = 2.0, within = 0.05 }   # relative; or tolerance (absolute), min, max
//! paper_says = "…"                # for a statement that measurement contradicts
//! quick = false                   # not checked with --quick
//! timing = true                   # reported, never failing
//! ```
use lieflow_models::problem_file::{Kind, Node, Place, Reader, SpecError, Warnings, parse_toml};
use lieflow_models::run::Stop;

/// An experiment file that the program carries.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The name of the experiment.
    pub id: &'static str,
    /// The folder of its paper.
    pub folder: &'static str,
    /// The file.
    pub text: &'static str,
}

static SOURCES: &[Source] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// All experiments, by paper and number.
pub fn sources() -> &'static [Source] {
    SOURCES
}

/// The experiments that a name stands for: one, those of a paper, or `all`.
pub fn chosen(what: &str) -> Result<Vec<Source>, SpecError> {
    let fits = |s: &&Source| what == "all" || s.folder == what || s.id == what;
    let chosen: Vec<Source> = sources().iter().filter(fits).copied().collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let mut known: Vec<&str> = sources().iter().flat_map(|s| [s.id, s.folder]).collect();
    known.push("all");
    known.sort_unstable();
    known.dedup();
    let place = Place::whole("argument");
    Err(SpecError::unknown_name(place, "experiment or paper", what, known))
}

/// An experiment, read.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name.
    pub id: String,
    /// The paper, by its key in `references.bib`.
    pub paper: String,
    /// What it reproduces, such as "Figure 9".
    pub number: String,
    /// One line.
    pub title: String,
    /// What a reader should know.
    pub note: String,
    /// What runs, each a table for the module [`study`](crate::study).
    pub studies: Vec<StudyTable>,
    /// What is claimed.
    pub claims: Vec<Claim>,
}

/// A study as written, with what all kinds have in common already read.
#[derive(Clone, Debug)]
pub struct StudyTable {
    /// First part of the names of its measurements.
    pub name: String,
    /// What kind of study.
    pub kind: String,
    /// The heading of its figures.
    pub title: String,
    /// The built-in problem.
    pub problem: String,
    /// Settings laid over the problem.
    pub settings: Vec<String>,
    /// Settings laid over it in a quick run.
    pub quick: Vec<String>,
    /// The methods.
    pub methods: Vec<MethodChoice>,
    /// The steps, largest first, with the names that they have in measurements.
    pub steps: Vec<(String, f64)>,
    /// The whole table, for the keys of its kind.
    pub node: Node,
    /// What may stop it.
    pub stop: Stop,
}

/// A method with settings of its own.
#[derive(Clone, Debug)]
pub struct MethodChoice {
    /// The method.
    pub id: String,
    /// Its name in legends and measurements.
    pub label: String,
    /// Settings laid over the problem for this method.
    pub settings: Vec<String>,
}

/// A claim: a sentence, what is measured, and what it should be.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The sentence, in our words.
    pub text: String,
    /// A formula over measurements.
    pub measure: String,
    /// What it should be.
    pub expect: Expect,
    /// What the paper says, where measurement contradicts it.
    pub paper_says: Option<String>,
    /// Whether it is checked in a quick run.
    pub quick: bool,
    /// Whether it is about time, which is reported and never fails.
    pub timing: bool,
}

/// What a measured value should be.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// A value, to a distance.
    Near {
        /// The value.
        value: f64,
        /// How far from it.
        distance: f64,
    },
    /// Between bounds, which may be formulas.
    Between {
        /// From here.
        min: Option<String>,
        /// To here.
        max: Option<String>,
    },
}

impl Experiment {
    /// Reads a file.
    pub fn parse(id: &str, text: &str) -> Result<Self, SpecError> {
        let root = parse_toml(text, &format!("{id}.toml"))?;
        let warnings = Warnings::default();
        let reader = Reader::new(&root, &warnings)?;
        let owned = |key| reader.text(key).map(String::from);
        let (paper, number, title) = (owned("paper")?, owned("number")?, owned("title")?);
        let note = reader.optional_text("note")?.unwrap_or_default().to_string();
        let studies = reader.subs("study")?;
        let nodes = match reader.optional("study").map(|n| &n.kind) {
            Some(Kind::List(nodes)) => nodes.as_slice(),
            _ => &[],
        };
        let studies = studies.iter().zip(nodes).map(|(r, n)| StudyTable::read(r, n));
        let studies = studies.collect::<Result<_, _>>()?;
        let claims = reader.subs("claim")?.iter().map(Claim::read).collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(Self { id: id.into(), paper, number, title, note, studies, claims })
    }
}

pub(crate) fn texts(reader: &Reader<'_>, key: &'static str) -> Result<Vec<String>, SpecError> {
    let Some(node) = reader.optional(key) else { return Ok(Vec::new()) };
    let Kind::List(items) = &node.kind else { return Err(reader.refuse(key, "a list of texts")) };
    let text = |item: &Node| match &item.kind {
        Kind::Text(text) => Ok(text.clone()),
        _ => Err(reader.refuse(key, "a list of texts")),
    };
    items.iter().map(text).collect()
}

impl StudyTable {
    fn read(reader: &Reader<'_>, node: &Node) -> Result<Self, SpecError> {
        let name = reader.text("name")?.to_string();
        let title = reader.optional_text("title")?.unwrap_or(&name).to_string();
        Ok(Self {
            title,
            kind: reader.text("kind")?.into(),
            problem: reader.optional_text("problem")?.unwrap_or_default().into(),
            settings: texts(reader, "set")?,
            quick: texts(reader, "quick")?,
            methods: methods(reader)?,
            steps: steps(reader, "steps")?,
            node: node.clone(),
            stop: Stop::default(),
            name,
        })
    }

    /// A reader of the whole table, in which the common keys count as read.
    pub fn reader<'a>(&'a self, warnings: &'a Warnings) -> Result<Reader<'a>, SpecError> {
        let reader = Reader::new(&self.node, warnings)?;
        for key in ["name", "title", "kind", "problem", "set", "quick", "methods", "steps"] {
            reader.optional(key);
        }
        Ok(reader)
    }
}

fn methods(reader: &Reader<'_>) -> Result<Vec<MethodChoice>, SpecError> {
    let expected = "a list of names, or of tables with id, label and set";
    let Some(node) = reader.optional("methods") else { return Ok(Vec::new()) };
    let Kind::List(items) = &node.kind else { return Err(reader.refuse("methods", expected)) };
    let warnings = Warnings::default();
    let mut choices = Vec::new();
    for item in items {
        choices.push(match &item.kind {
            Kind::Text(id) => {
                MethodChoice { id: id.clone(), label: id.clone(), settings: Vec::new() }
            }
            Kind::Table(_) => {
                let r = Reader::new(item, &warnings)?;
                let id = r.text("id")?.to_string();
                let label = r.optional_text("label")?.unwrap_or(&id).to_string();
                let choice = MethodChoice { label, settings: texts(&r, "set")?, id };
                r.finish()?;
                choice
            }
            _ => return Err(reader.refuse("methods", expected)),
        });
    }
    Ok(choices)
}

/// Numbers, or powers such as "2^-6" or fractions such as "1/64"; the name of a step is what was
/// written.
pub fn steps(reader: &Reader<'_>, key: &'static str) -> Result<Vec<(String, f64)>, SpecError> {
    let expected = "a list of steps above zero: numbers, or texts such as \"2^-6\" or \"1/64\"";
    let Some(node) = reader.optional(key) else { return Ok(Vec::new()) };
    let Kind::List(items) = &node.kind else { return Err(reader.refuse(key, expected)) };
    let value = |item: &Node| -> Option<(String, f64)> {
        let (name, value) = match &item.kind {
            Kind::Number(x) => (x.to_string(), *x),
            Kind::Integer(n) => (n.to_string(), *n as f64),
            Kind::Text(text) => {
                let value = if let Some((base, power)) = text.split_once('^') {
                    base.parse::<f64>().ok()?.powi(power.parse().ok()?)
                } else if let Some((a, b)) = text.split_once('/') {
                    a.parse::<f64>().ok()? / b.parse::<f64>().ok()?
                } else {
                    text.parse().ok()?
                };
                (text.clone(), value)
            }
            _ => return None,
        };
        (value > 0.0 && value.is_finite()).then_some((name, value))
    };
    items.iter().map(|item| value(item).ok_or_else(|| reader.refuse(key, expected))).collect()
}

impl Claim {
    fn read(reader: &Reader<'_>) -> Result<Self, SpecError> {
        let expect = reader.sub("expect")?;
        let bound = |key: &'static str| -> Result<Option<String>, SpecError> {
            Ok(match expect.optional(key).map(|n| &n.kind) {
                None => None,
                Some(Kind::Number(x)) => Some(format!("{x:e}")),
                Some(Kind::Integer(n)) => Some(n.to_string()),
                Some(Kind::Text(t)) => Some(t.clone()),
                Some(_) => return Err(expect.refuse(key, "a number or a formula")),
            })
        };
        let rule = if expect.has("value") {
            let value = expect.number("value")?;
            let relative = expect.optional_positive("within")?.map(|w| w * value.abs());
            let absolute = expect.optional_number("tolerance")?;
            let Some(distance) = absolute.or(relative) else {
                return Err(expect.missing("within", "a relative distance, or tolerance"));
            };
            Expect::Near { value, distance }
        } else {
            let (min, max) = (bound("min")?, bound("max")?);
            if min.is_none() && max.is_none() {
                return Err(
                    expect.missing("value", "value with within or tolerance, or min, or max")
                );
            }
            Expect::Between { min, max }
        };
        expect.finish()?;
        let claim = Self {
            text: reader.text("text")?.into(),
            measure: reader.text("measure")?.into(),
            expect: rule,
            paper_says: reader.optional_text("paper_says")?.map(String::from),
            quick: reader.boolean_or("quick", true)?,
            timing: reader.boolean_or("timing", false)?,
        };
        reader.finish()?;
        Ok(claim)
    }
}
