//! Carrying experiments out: in parallel, with results on disk, resuming where a run stopped.
use crate::claim::judge;
use crate::experiment::{Experiment, Source};
use crate::finished::Finished;
use crate::measure::Measured;
use crate::study::{DataTable, ExperimentError, carry_out};
use lieflow_report::figure::render_sheet;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{fs, io};

/// How experiments are carried out.
#[derive(Clone, Debug)]
pub struct Options {
    /// Shorter horizons, and only the claims that still make sense.
    pub quick: bool,
    /// Where files go; nothing is written without it.
    pub out: Option<PathBuf>,
    /// Experiments at a time.
    pub threads: usize,
}

/// Carries out all sources, so many at a time; `progress` hears of each that is finished. The
/// results are in the order of the sources, whatever the number of threads.
pub fn carry_out_all(
    sources: &[Source],
    options: &Options,
    progress: &(dyn Fn(&Finished) + Sync),
) -> io::Result<Vec<Finished>> {
    if let Some(out) = &options.out {
        fs::create_dir_all(out)?;
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, io::Result<Finished>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, sources.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(k) else { break };
                    let result = resume_or_run(source, options);
                    if let Ok(finished) = &result {
                        progress(finished);
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

fn resume_or_run(source: &Source, options: &Options) -> io::Result<Finished> {
    let Some(out) = &options.out else { return Ok(run(source, options.quick).0) };
    let folder = out.join(source.folder).join(source.id);
    let mark = fingerprint(source, options.quick);
    if let Some(finished) = resume(source, &folder, &mark) {
        return Ok(finished);
    }
    let (mut finished, data) = run(source, options.quick);
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
