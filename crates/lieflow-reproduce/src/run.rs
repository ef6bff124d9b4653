//! Carrying experiments out: in parallel, with results on disk, resuming where a run stopped.
use crate::experiment::{Claim, Expect, Experiment, Source};
use crate::measure::Measured;
use crate::study::{DataTable, ExperimentError, carry_out};
use lieflow_report::figure::render_sheet;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{fs, io};

/// How experiments are carried out.
#[derive(Clone, Debug)]
pub struct Order {
    /// Shorter horizons, and only the claims that still make sense.
    pub quick: bool,
    /// Where files go; nothing is written without it.
    pub out: Option<PathBuf>,
    /// Experiments at a time.
    pub threads: usize,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The sentence.
    pub text: String,
    /// What was measured.
    pub measured: f64,
    /// What it should be, in words.
    pub expected: String,
    /// Whether it holds.
    pub holds: bool,
    /// What the paper says, where measurement contradicts it.
    pub paper_says: Option<String>,
    /// Whether it is about time, which never fails.
    pub timing: bool,
}

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

    fn from_json(source: &Source, json: &Json, figures: Vec<String>) -> Option<Self> {
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

/// Carries out all sources, so many at a time; `told` hears of each that is finished. The results
/// are in the order of the sources, whatever the number of threads.
pub fn carry_out_all(
    sources: &[Source],
    order: &Order,
    told: &(dyn Fn(&Finished) + Sync),
) -> io::Result<Vec<Finished>> {
    if let Some(out) = &order.out {
        fs::create_dir_all(out)?;
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, io::Result<Finished>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..order.threads.clamp(1, sources.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(k) else { break };
                    let result = resume_or_run(source, order);
                    if let Ok(finished) = &result {
                        told(finished);
                    }
                    if let Ok(mut done) = done.lock() {
                        done.push((k, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A short name for what determines a result: the file, the mode and the version.
fn fingerprint(source: &Source, quick: bool) -> String {
    // FNV-1a: only to notice a change, not to resist one.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in
        source.text.bytes().chain([u8::from(quick)]).chain(env!("CARGO_PKG_VERSION").bytes())
    {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

fn resume_or_run(source: &Source, order: &Order) -> io::Result<Finished> {
    let Some(out) = &order.out else { return Ok(run(source, order.quick).0) };
    let folder = out.join(source.folder).join(source.id);
    let mark = fingerprint(source, order.quick);
    if let Some(finished) = resume(source, &folder, &mark) {
        return Ok(finished);
    }
    let (mut finished, data) = run(source, order.quick);
    write(out, &folder, &mut finished, &data, &mark)?;
    Ok(finished)
}

fn resume(source: &Source, folder: &Path, mark: &str) -> Option<Finished> {
    let text = fs::read_to_string(folder.join("result.json")).ok()?;
    let json: Json = serde_json::from_str(&text).ok()?;
    if json.get("fingerprint")?.as_str()? != mark {
        return None;
    }
    let figures =
        (1..).map_while(|k| fs::read_to_string(folder.join(format!("figure-{k}.svg"))).ok());
    Finished::from_json(source, &json, figures.collect())
}

fn write(
    out: &Path,
    folder: &Path,
    finished: &mut Finished,
    data: &[DataTable],
    mark: &str,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    let mut put = |name: String, text: &str| -> io::Result<()> {
        let path = folder.join(name);
        fs::write(&path, text)?;
        files.push(path.strip_prefix(out).unwrap_or(&path).to_string_lossy().into_owned());
        Ok(())
    };
    for (k, figure) in finished.figures.iter().enumerate() {
        put(format!("figure-{}.svg", k + 1), figure)?;
    }
    for table in data {
        let mut text = table.head.join(",");
        for row in &table.rows {
            text.push('\n');
            let cell =
                |c: &String| if c.contains([',', '"']) { format!("{c:?}") } else { c.clone() };
            text.push_str(&row.iter().map(cell).collect::<Vec<_>>().join(","));
        }
        text.push('\n');
        put(format!("{}.csv", table.name), &text)?;
    }
    finished.files = files;
    if finished.failure.is_none() {
        let mut json = finished.to_json();
        json["fingerprint"] = mark.into();
        let text = serde_json::to_string_pretty(&json).unwrap_or_default();
        fs::write(folder.join("result.json"), text)?;
    }
    Ok(())
}

/// Runs one experiment; what fails is part of the result.
fn run(source: &Source, quick: bool) -> (Finished, Vec<DataTable>) {
    let clock = Instant::now();
    let mut finished = Finished {
        id: source.id.into(),
        paper: String::new(),
        folder: source.folder.into(),
        number: String::new(),
        title: String::new(),
        note: String::new(),
        seconds: 0.0,
        claims: Vec::new(),
        files: Vec::new(),
        figures: Vec::new(),
        failure: None,
    };
    let mut data = Vec::new();
    let result = Experiment::parse(source.id, source.text).map_err(ExperimentError::from).and_then(
        |experiment| {
            finished.paper.clone_from(&experiment.paper);
            finished.number.clone_from(&experiment.number);
            finished.title.clone_from(&experiment.title);
            finished.note.clone_from(&experiment.note);
            let mut measured = Measured::default();
            for study in &experiment.studies {
                let outcome = carry_out(study, quick)?;
                measured.0.extend(outcome.measured.0);
                if !outcome.figures.is_empty() {
                    let head = if outcome.figures.len() > 1 { study.title.as_str() } else { "" };
                    finished.figures.push(render_sheet(head, &outcome.figures));
                }
                data.extend(outcome.data);
            }
            for claim in experiment.claims.iter().filter(|c| !quick || c.quick) {
                finished.claims.push(judge(claim, &measured).map_err(|reason| {
                    ExperimentError::Kind { study: format!("claim '{}'", claim.text), reason }
                })?);
            }
            Ok(())
        },
    );
    finished.failure = result.err().map(|error| error.to_string());
    finished.seconds = clock.elapsed().as_secs_f64();
    (finished, data)
}

fn judge(claim: &Claim, measured: &Measured) -> Result<Verdict, String> {
    let value = measured.evaluate(&claim.measure).map_err(|e| e.to_string())?;
    let (expected, holds) = match &claim.expect {
        Expect::Near { value: target, distance } => (
            format!("{} ± {}", short(*target), short(*distance)),
            (value - target).abs() <= *distance,
        ),
        Expect::Between { min, max } => {
            let bound = |formula: &Option<String>| {
                formula
                    .as_ref()
                    .map(|f| measured.evaluate(f).map_err(|e| e.to_string()))
                    .transpose()
            };
            match (bound(min)?, bound(max)?) {
                (Some(a), Some(b)) => {
                    (format!("{} to {}", short(a), short(b)), a <= value && value <= b)
                }
                (Some(a), None) => (format!("at least {}", short(a)), a <= value),
                (None, Some(b)) => (format!("at most {}", short(b)), value <= b),
                (None, None) => ("anything".into(), true),
            }
        }
    };
    Ok(Verdict {
        text: claim.text.clone(),
        measured: value,
        expected,
        holds,
        paper_says: claim.paper_says.clone(),
        timing: claim.timing,
    })
}

/// A number for people: four significant digits.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-3..1e5).contains(&size) {
        let text =
            format!("{:.*}", (3 - size.max(1e-3).log10().floor() as i32).clamp(0, 6) as usize, x);
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_string();
        }
        return text;
    }
    format!("{x:.3e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in
            [(0.0, "0"), (2.0, "2"), (0.12345, "0.1235"), (1234.5, "1234"), (-3e-7, "-3.000e-7")]
        {
            assert_eq!(short(x), text);
        }
    }

    #[test]
    fn a_claim_that_does_not_hold_is_seen() {
        let mut measured = Measured::default();
        measured.put("a", 2.5);
        let claim = |expect| Claim {
            text: String::new(),
            measure: "[a]".into(),
            expect,
            paper_says: None,
            quick: true,
            timing: false,
        };
        let holds = |e| judge(&claim(e), &measured).map(|v| v.holds);
        assert_eq!(holds(Expect::Near { value: 2.4, distance: 0.2 }), Ok(true));
        assert_eq!(holds(Expect::Near { value: 2.0, distance: 0.2 }), Ok(false));
        assert_eq!(
            holds(Expect::Between { min: Some("1".into()), max: Some("[a] * 2".into()) }),
            Ok(true)
        );
        assert_eq!(holds(Expect::Between { min: Some("3".into()), max: None }), Ok(false));
        measured.put("a", f64::NAN);
        assert_eq!(
            judge(&claim(Expect::Near { value: 2.4, distance: 0.2 }), &measured).map(|v| v.holds),
            Ok(false)
        );
    }
}
