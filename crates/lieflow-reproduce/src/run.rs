//! Carrying experiments out: in parallel, with results on disk, resuming where a run stopped.
use crate::claim::judge;
use crate::experiment::{Experiment, Source};
use crate::finished::Finished;
use crate::measure::Measured;
use crate::stored::{fingerprint, resume, write};
use crate::study::{DataTable, ExperimentError, carry_out};
use lieflow_files::FileError;
use lieflow_models::run::Stop;
use lieflow_report::figure::render_sheet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How experiments are carried out.
#[derive(Clone, Debug)]
pub struct Options {
    /// Shorter horizons, and only the claims that still make sense.
    pub quick: bool,
    /// Where files go, a folder that the caller has locked; nothing is written without it.
    pub out: Option<PathBuf>,
    /// Experiments at a time.
    pub threads: usize,
    /// What may stop them. Experiments that are not complete then are left out.
    pub stop: Stop,
}

/// Carries out all sources, so many at a time; `progress` hears of each that is finished. The
/// results are in the order of the sources, whatever the number of threads.
pub fn carry_out_all(
    sources: &[Source],
    options: &Options,
    progress: &(dyn Fn(&Finished) + Sync),
) -> Result<Vec<Finished>, FileError> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<Finished, FileError>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, sources.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(k) else { break };
                    let Some(result) = resume_or_run(source, options).transpose() else { break };
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

fn resume_or_run(source: &Source, options: &Options) -> Result<Option<Finished>, FileError> {
    let unless_stopped = |finished| (!options.stop.asked()).then_some(finished);
    let Some(out) = &options.out else { return Ok(unless_stopped(run(source, options).0)) };
    let folder = out.join(source.folder).join(source.id);
    let mark = fingerprint(source, options.quick);
    if let Some(finished) = resume(source, &folder, &mark) {
        return Ok(Some(finished));
    }
    let (finished, data) = run(source, options);
    // What was cut short is no result.
    let Some(mut finished) = unless_stopped(finished) else { return Ok(None) };
    write(out, &folder, &mut finished, &data, &mark)?;
    Ok(Some(finished))
}

/// Runs one experiment; what fails is part of the result.
fn run(source: &Source, options: &Options) -> (Finished, Vec<DataTable>) {
    let (clock, quick) = (Instant::now(), options.quick);
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
        |mut experiment| {
            for study in &mut experiment.studies {
                study.stop = options.stop.clone();
            }
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
