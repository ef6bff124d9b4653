//! `lieflow bench`: times fixed workloads.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{DeviceOption, Show};
use clap::Args;
use lieflow_bench::{Effort, Row, WORKLOADS, Workload};
use lieflow_models::problem_file::{Place, SpecError};
use lieflow_report::table::Table;
use serde_json::json;

/// Time fixed workloads, each with its error
#[derive(Args, Debug)]
pub struct Bench {
    /// w1, w2, w3, w4, w5 or all; several may be given
    #[arg(required = true)]
    workloads: Vec<String>,
    /// Rounds at least; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// Leave out what takes long
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    device: DeviceOption,
    #[command(flatten)]
    show: Show,
}

impl Execute for Bench {
    fn execute(self, _: &Context<'_>) -> Result<(), Failure> {
        let mut chosen: Vec<&Workload> = Vec::new();
        for name in &self.workloads {
            let found: Vec<_> =
                WORKLOADS.iter().filter(|w| name == "all" || w.id == name.as_str()).collect();
            if found.is_empty() {
                let known = WORKLOADS.iter().map(|w| w.id).chain(["all"]);
                let place = Place::whole("argument");
                return Err(SpecError::unknown_name(place, "workload", name, known).into());
            }
            chosen.extend(found);
        }
        let effort = Effort { rounds: self.rounds.max(1), quick: self.quick, ..Effort::default() };
        let mut rows: Vec<Row> = Vec::new();
        let devices = self.device.find(|| Ok(()), self.show)?;
        for workload in chosen {
            self.show.say(&format!("{}: {}", workload.id, workload.title));
            let mut emit = |row| rows.push(row);
            match (workload.run_on, devices.as_slice()) {
                (Some(run_on), devices @ [_, ..]) => run_on(&effort, devices, &mut emit)?,
                (None, [_, ..]) => self.show.say("  not on a GPU"),
                _ => (workload.run)(&effort, &mut emit)?,
            }
        }
        let json = json!({ "workloads": rows.iter().map(Row::to_json).collect::<Vec<_>>() });
        self.show.print(&json, || report(&rows))
    }
}

fn report(rows: &[Row]) -> String {
    let mut table = Table::new(["id", "method", "case", ">value", "unit", "metric", ">error"]);
    for row in rows {
        table.row([
            row.id.to_string(),
            row.method.clone(),
            row.case.clone(),
            format!("{:.4}", row.value),
            row.unit.to_string(),
            row.metric.to_string(),
            format!("{:.1e}", row.error),
        ]);
    }
    format!("{}\nthe best of several rounds; compare ratios within one run\n", table.to_text(0))
}
