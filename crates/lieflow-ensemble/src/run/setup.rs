//! What all trajectories of a run share, learnt from the first one.
use super::{EnsembleError, Settings};
use crate::design::{Design, Template};
use crate::table::Shape;
use crate::trajectory::observables;
use crate::wide::{self, LaneRunner, VectorInstructions};
use lieflow_device::kernel::TILE;
use lieflow_models::run::{Pace, Plan};
use lieflow_models::system::rigid_body::MotionKey;
use std::sync::Arc;

/// Blocks have this many trajectories at least: the overhead of each is then small.
const BLOCK: usize = 8;

/// Blocks in which a lane that has ended takes up another trajectory have so many for each lane at most: few lanes idle
/// at their end then.
const QUEUE: usize = 16;

/// So few steps that the beginning of a block counts.
const FEW: f64 = 1e4;

/// Such blocks are short enough for each core to have some; one core needs one.
const SHARE: u64 = 4;

/// How the trajectories of a design are computed.
pub struct Setup<'a> {
    pub design: &'a Design,
    /// How several run side by side, if they do.
    pub lane_runner: Option<LaneRunner>,
    /// So many side by side.
    pub lanes: usize,
    /// The names of the observables.
    pub observables: Vec<String>,
    /// What varies, if that are motions of a body and nothing else.
    pub motions: Option<Vec<MotionKey>>,
    pub shape: Arc<Shape>,
}

impl<'a> Setup<'a> {
    /// Checks the plan on the first trajectory, and finds the widest lanes that it can have.
    /// On a device, blocks are tiles of it.
    pub fn new(
        design: &'a Design,
        settings: Settings,
        on_device: bool,
    ) -> Result<Self, EnsembleError> {
        let mut template = design.template();
        let mut inputs = Vec::new();
        template.draw(0, &mut inputs);
        let first = template.build(&inputs)?;
        first.check(&design.plan)?;
        // A key that can never work fails here, not in every trajectory.
        if let Some(plan) = template.plan()? {
            first.check(&plan)?;
        }
        check_words(design, &mut template, &inputs)?;
        let observables = observables(first.as_ref(), design.plan.from);
        let mut vectors = VectorInstructions::detect();
        vectors.retain(|v| settings.lanes.is_none_or(|n| v.lanes() == n) && !design.varies_plan());
        let wide = vectors.into_iter().find_map(|vectors| {
            Some((wide::lane_runner(first.as_ref(), &design.plan, vectors)?, vectors.lanes()))
        });
        let (lane_runner, lanes) = wide.map_or((None, 1), |(how, lanes)| (Some(how), lanes));
        let keys = design.vary.iter().map(|v| (v.key.as_str(), v.draw.width()));
        let keys: Vec<_> = keys.filter(|_| design.in_place()).collect();
        let motions = wide::motions(&keys).filter(|motions| !motions.is_empty() && lanes > 1);
        // What a block takes to begin counts where its steps are few.
        let quick = motions.is_some() && steps_of(&design.plan) <= FEW;
        let long = quick || lane_runner.as_ref().is_some_and(|how| how.refills);
        let shape = Arc::new(Shape {
            invariants: first.invariants(),
            events: first.watchlist().events().iter().map(|event| event.name).collect(),
            width: observables.len(),
            times: design.times.len(),
            block: match (on_device, long) {
                (true, _) => TILE,
                (false, true) => long_block(&settings, design.count, lanes),
                (false, false) => lanes.max(BLOCK),
            },
            alike: design.varies_only("initial"),
        });
        Ok(Self { design, lane_runner, lanes, observables, motions, shape })
    }
}

/// The steps of a trajectory, if they are fixed.
fn steps_of(plan: &Plan) -> f64 {
    match plan.pace {
        Pace::Fixed { step } => ((plan.until - plan.from) / step).abs(),
        _ => f64::INFINITY,
    }
}

/// The trajectories of a block with lanes that are filled again.
fn long_block(settings: &Settings, count: u64, lanes: usize) -> usize {
    let range = settings.range(count);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if settings.threads == 0 { cores() } else { settings.threads };
    let shares = if threads == 1 { 1 } else { SHARE * threads as u64 };
    let share = (range.end - range.start) / shares;
    usize::try_from(share).unwrap_or(usize::MAX).clamp(lanes, QUEUE * lanes) / lanes * lanes
}

/// Checks every word that a key takes, such as a method, with the numbers of the first trajectory.
fn check_words(
    design: &Design,
    template: &mut Template<'_>,
    first: &[f64],
) -> Result<(), EnsembleError> {
    let mut place = 0;
    for v in &design.vary {
        for word in 1..v.words.len() {
            let mut inputs = first.to_vec();
            inputs[place] = word as f64;
            let model = template.build(&inputs)?;
            let plan = template.plan()?;
            model.check(plan.as_deref().unwrap_or(&design.plan))?;
        }
        place += v.draw.width();
    }
    Ok(())
}
