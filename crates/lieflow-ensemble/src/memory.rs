//! How much memory an ensemble takes, told before it starts.
use crate::design::Design;
use crate::statistics::{CAPACITY, LONG, PLACES_BYTES};
use crate::trajectory::observables;
use lieflow_models::problem_file::SpecError;

/// Where the machine does not say what it has left, more than this is refused.
const UNKNOWN: u64 = 32 << 30;
/// Characters of a number in a report.
const WRITTEN: u64 = 80;

/// The bytes that the statistics and the report of an ensemble take, for systems with so many
/// observables.
pub fn needed(design: &Design, observables: usize) -> u64 {
    let capacity = CAPACITY as u64;
    // Each level of a summary stands for twice as many trajectories as the one below it.
    let levels = 1 + u64::from((design.count / capacity).checked_ilog2().map_or(0, |l| l + 1));
    let places = if design.count < LONG { 0 } else { PLACES_BYTES };
    let summary = 8 * design.count.min(capacity) * levels + places + 256;
    let report = WRITTEN * (8 + design.quantiles.len() as u64);
    let cells = (design.times.len() as u64).saturating_mul(observables as u64);
    cells.saturating_mul(summary + report)
}

/// Refuses an ensemble for which this machine has no memory left; the bytes that it takes otherwise.
pub fn check(design: &Design) -> Result<u64, SpecError> {
    let mut template = design.template();
    let mut inputs = Vec::new();
    template.draw(0, &mut inputs);
    let first = template.build(&inputs)?;
    let width = observables(first.as_ref(), design.plan.from).len();
    let (needed, left) = (needed(design, width), left());
    if needed <= left {
        return Ok(needed);
    }
    let gigabytes = |bytes: u64| bytes as f64 / f64::from(1u32 << 30);
    Err(SpecError::Wrong {
        place: design.place.clone(),
        found: format!(
            "{} times, {width} observables and {} quantiles, whose statistics take about {:.1} GiB",
            design.times.len(),
            design.quantiles.len(),
            gigabytes(needed)
        ),
        expected: format!(
            "at most {:.1} GiB, which this machine has left; observe fewer times or quantiles",
            gigabytes(left)
        ),
    })
}

/// The bytes that this machine has left.
fn left() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(UNKNOWN, |k| k.saturating_mul(1024))
}
