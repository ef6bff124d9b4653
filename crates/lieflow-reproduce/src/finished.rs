//! The results of an experiment.
use crate::claim::Verdict;
use crate::experiment::Source;
use serde_json::{Value as Json, json};

/// What became of an experiment.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its name.
    pub id: String,
    /// Its paper.
    pub paper: String,
    /// The folder of its paper.
    pub folder: String,
    /// What it reproduces.
    pub number: String,
    /// One line.
    pub title: String,
    /// What a reader should know.
    pub note: String,
    /// How long it took.
    pub seconds: f64,
    /// The claims.
    pub claims: Vec<Verdict>,
    /// Files that were written, below the output directory.
    pub files: Vec<String>,
    /// The figures.
    pub figures: Vec<String>,
    /// Why it could not be carried out, if so.
    pub failure: Option<String>,
}

impl Finished {
    /// Whether it ran and all its claims hold.
    pub fn holds(&self) -> bool {
        self.failure.is_none() && self.claims.iter().all(|c| c.holds || c.timing)
    }

    /// As in the document of `reproduce --json`.
    pub fn to_json(&self) -> Json {
        let claims = self.claims.iter().map(|c| {
            json!({
                "text": c.text, "measured": c.measured, "expected": c.expected, "holds": c.holds,
                "paper_says": c.paper_says, "timing": c.timing,
            })
        });
        json!({
            "id": self.id, "paper": self.paper, "number": self.number, "title": self.title,
            "note": self.note, "seconds": self.seconds, "claims": claims.collect::<Vec<_>>(),
            "files": self.files, "failure": self.failure,
        })
    }

    /// Results of an earlier run, as [`Finished::to_json`] wrote them.
    pub(crate) fn from_json(source: &Source, json: &Json, figures: Vec<String>) -> Option<Self> {
        let text = |key: &str| json.get(key)?.as_str().map(String::from);
        let claims = json.get("claims")?.as_array()?.iter().map(|c| {
            Some(Verdict {
                text: c.get("text")?.as_str()?.into(),
                measured: c.get("measured")?.as_f64().unwrap_or(f64::NAN),
                expected: c.get("expected")?.as_str()?.into(),
                holds: c.get("holds")?.as_bool()?,
                paper_says: c.get("paper_says")?.as_str().map(String::from),
                timing: c.get("timing")?.as_bool()?,
            })
        });
        let files = json.get("files")?.as_array()?.iter();
        Some(Self {
            id: source.id.into(),
            paper: text("paper")?,
            folder: source.folder.into(),
            number: text("number")?,
            title: text("title")?,
            note: text("note")?,
            seconds: json.get("seconds")?.as_f64()?,
            claims: claims.collect::<Option<_>>()?,
            files: files.map(|f| f.as_str().map(String::from)).collect::<Option<_>>()?,
            figures,
            failure: None,
        })
    }
}
