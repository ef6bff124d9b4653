//! Time per step, as a ratio to the first method of the list.
//!
//! Timing is reported and never fails: machines differ. Runs are interleaved, and the smallest
//! time of several rounds counts. Keys: `rounds = 3`.
use super::{DataTable, ExperimentError, Outcome, exact, failed, need_steps, problem};
use crate::experiment::StudyTable;
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{NullSink, Pace};

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 1)?;
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let rounds = reader.optional_integer("rounds")?.unwrap_or(3).max(1);
    reader.finish()?;
    let (step_name, step) = &table.steps[0];
    let mut best = vec![f64::INFINITY; table.methods.len()];
    for _ in 0..rounds {
        for (k, choice) in table.methods.iter().enumerate() {
            let (model, mut plan) = problem(table, Some(choice), &[], quick)?;
            plan.pace = Pace::Fixed { step: *step };
            plan.every = u64::MAX;
            // Only the method is timed, not the watching.
            plan.watch = false;
            let record = model
                .run(&plan, &mut NullSink)
                .map_err(|f| failed(table, &choice.label, step_name, f))?;
            best[k] = best[k].min(record.seconds / record.steps.max(1) as f64);
        }
    }
    let mut outcome = Outcome::default();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "microseconds", "ratio"].map(String::from).into();
    for (choice, seconds) in table.methods.iter().zip(&best) {
        let ratio = seconds / best[0];
        outcome.measured.put(format!("{}/{}/ratio", table.name, choice.label), ratio);
        outcome
            .measured
            .put(format!("{}/{}/microseconds", table.name, choice.label), seconds * 1e6);
        data.rows.push(vec![choice.label.clone(), exact(seconds * 1e6), exact(ratio)]);
    }
    outcome.data.push(data);
    Ok(outcome)
}
