//! What all files of an ensemble have in common.
use super::StoreError;
use crate::design::Design;
use crate::statistics::Statistics;
use lieflow_files::{BUILD, Hash};
use lieflow_models::run::Format;
use serde_json::{Value as Json, json};
use std::ops::Range;
use std::path::Path;

/// The problem, the names of all columns and the range of indices: `ensemble.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Which build computes it.
    pub build: String,
    /// The files that the design reads, by name, with their SHA-256 checksums.
    pub files: Vec<(String, String)>,
    /// The problem with the design, as JSON.
    pub problem: Json,
    /// The first index, and the one after the last.
    pub range: (u64, u64),
    /// The number of trajectories of the whole ensemble.
    pub count: u64,
    /// The names of the varied numbers.
    pub inputs: Vec<String>,
    /// The names of the observables.
    pub observables: Vec<String>,
    /// When they are observed.
    pub times: Vec<f64>,
    /// Which quantiles are reported.
    pub quantiles: Vec<f64>,
}

impl Manifest {
    /// The manifest of a part of a design.
    pub fn new(
        design: &Design,
        problem: Json,
        observables: Vec<String>,
        range: &Range<u64>,
    ) -> Self {
        Self {
            build: BUILD.into(),
            files: design.files.clone(),
            problem,
            range: (range.start, range.end),
            count: design.count,
            inputs: design.inputs(),
            observables,
            times: design.times.clone(),
            quantiles: design.quantiles.clone(),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Json {
        let files: serde_json::Map<String, Json> =
            self.files.iter().map(|(name, hash)| (name.clone(), json!(hash))).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "build": self.build,
            "files": files,
            "count": self.count,
            "range": [self.range.0, self.range.1],
            "inputs": self.inputs,
            "observables": self.observables,
            "times": self.times,
            "quantiles": self.quantiles,
            "problem": self.problem,
            "conventions": {
                "index": "trajectories are counted from zero; the range ends before its second number",
                "rotation": "unit quaternions qw,qx,qy,qz with qw >= 0, from body to space coordinates",
                "errors": "NAME_error is the change of the invariant NAME since the start",
                "numbers": match self.format() {
                    Format::Csv => "IEEE double, printed so that reading them back gives the same bits",
                    Format::Npy => "IEEE double, little-endian; NaN where a trajectory did not reach a time",
                },
                "quantiles": "exact up to 2048 trajectories, within 0.1 % of rank for a million",
            },
        })
    }

    /// The text of `ensemble.json`.
    pub(super) fn to_text(&self) -> String {
        format!("{:#}\n", self.to_json())
    }

    /// The checksum of that text.
    pub(super) fn hash(&self) -> Hash {
        Hash::of(self.to_text().as_bytes())
    }

    /// From [`Manifest::to_json`].
    pub fn from_json(json: &Json) -> Option<Self> {
        let texts = |key: &str| -> Option<Vec<String>> {
            json[key].as_array()?.iter().map(|v| v.as_str().map(String::from)).collect()
        };
        let numbers = |key: &str| -> Option<Vec<f64>> {
            json[key].as_array()?.iter().map(Json::as_f64).collect()
        };
        let files = json["files"].as_object()?.iter();
        let files = files.map(|(name, hash)| Some((name.clone(), hash.as_str()?.to_string())));
        Some(Self {
            build: json["build"].as_str()?.into(),
            files: files.collect::<Option<_>>()?,
            problem: json.get("problem")?.clone(),
            range: (json["range"][0].as_u64()?, json["range"][1].as_u64()?),
            count: json["count"].as_u64()?,
            inputs: texts("inputs")?,
            observables: texts("observables")?,
            times: numbers("times")?,
            quantiles: numbers("quantiles")?,
        })
    }

    /// How the tables are written.
    pub fn format(&self) -> Format {
        match self.problem["output"]["format"].as_str() {
            Some("npy") => Format::Npy,
            _ => Format::Csv,
        }
    }

    /// The words that varied numbers stand for, in the order of the inputs; none where they are
    /// numbers.
    pub fn words(&self) -> Vec<Vec<String>> {
        let vary = self.problem["ensemble"]["vary"].as_array();
        let list = |input: &String| -> Option<Vec<String>> {
            let entry = vary?.iter().find(|entry| entry["key"].as_str() == Some(input))?;
            let words = entry["list"].as_array()?.iter().map(Json::as_str);
            words.map(|word| word.map(String::from)).collect()
        };
        self.inputs.iter().map(|input| list(input).unwrap_or_default()).collect()
    }

    /// Empty statistics for these observables.
    pub fn statistics(&self) -> Statistics {
        Statistics::new(self.times.clone(), self.observables.clone(), self.quantiles.clone())
    }

    /// The header lines of `final.csv`, `observed.csv` and `failures.csv`; where the first two are arrays, the names of
    /// their fields.
    pub fn headers(&self) -> [String; 3] {
        let inputs: String = self.inputs.iter().map(|name| format!(",{name}")).collect();
        let names: String = self.observables.iter().map(|name| format!(",{name}")).collect();
        [
            format!("index{inputs},t{names}\n"),
            format!("index,t{names}\n"),
            format!("index{inputs},t,reason\n"),
        ]
    }
}

/// Why what is in a folder is not the ensemble that is wanted: the manifests of both, as JSON text.
pub(super) fn other(dir: &Path, there: &str, wanted: &str) -> StoreError {
    let path = dir.join("ensemble.json");
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
    let formats = [there, wanted].map(|text| Some(Manifest::from_json(&parse(text)?)?.format()));
    let name = |format| if format == Format::Npy { "npy" } else { "csv" };
    match formats {
        [Some(found), Some(expected)] if found != expected => {
            StoreError::Format { path, found: name(found), expected: name(expected) }
        }
        _ => StoreError::Other { path, what: difference(there, wanted) },
    }
}

/// The top-level entry in which two manifests differ, each as JSON text.
fn difference(a: &str, b: &str) -> String {
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
    let (Some(Json::Object(a)), Some(Json::Object(b))) = (parse(a), parse(b)) else {
        return "manifest".into();
    };
    b.iter()
        .find(|(key, value)| a.get(*key) != Some(value))
        .map_or("manifest".into(), |(key, _)| key.clone())
}
