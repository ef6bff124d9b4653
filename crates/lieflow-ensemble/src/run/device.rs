//! Trajectories on devices: chunks of tiles, several under way.
//!
//! ```text
//! draw and build (all cores) ─▶ device: steps ─▶ rows, invariants (all cores) ─▶ statistics, keeper
//! ```
//!
//! Each stage works on another chunk at the same time (`pipeline`). Whatever a device leaves, because a step failed or
//! a system is of another kind, is run alone by this machine, which says why. A device that fails ends
//! this; all chunks that were complete are kept, and the rest is run without it.
use super::chunk::{self, Computed, Tile};
use super::pipeline::Pipeline;
use super::setup::Setup;
use super::windows::Windows;
use super::{Block, EnsembleError, Settings, Tally};
use crate::design::Design;
use crate::keeper::Keeper;
use crate::wide::{self, TileWays};
use lieflow_device::catalogue::{self, Pair, Refusal};
use lieflow_device::kernel::{AsNumbers, Leg};
use lieflow_device::schedule::Schedule;
use lieflow_device::{Device, DeviceError, Running, Work, tiles};
use lieflow_models::run::{Model, ModelSystem};
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::{LiftedBody, RigidBody};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The systems of chunks are not put side by side here.
const ALONE: Settings = Settings { threads: 0, lanes: Some(1), shard: None };

/// What was computed on devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OnDevice {
    /// What they are called.
    pub names: Vec<String>,
    /// The trajectories whose steps they made.
    pub trajectories: u64,
    /// Those of their chunks that were run alone by this machine.
    pub alone: u64,
    /// The time that they worked, summed.
    pub seconds: f64,
    /// What they failed with, if they did.
    pub lost: Option<DeviceError>,
}

/// Whether the ensembles of a design run on devices; if not, why.
pub fn check_device(design: &Design) -> Result<(), EnsembleError> {
    let setup = Setup::new(design, ALONE, true)?;
    Plans::new(&setup, &NoDevice).map(|_| ())
}

/// Whether something could be run is asked without a device.
struct NoDevice;

impl Device for NoDevice {
    fn name(&self) -> String {
        "none".into()
    }
    fn begin(&self, _: Work) -> Result<Box<dyn Running>, DeviceError> {
        Err(DeviceError::NoDevice("there is none".into()))
    }
}

/// What all chunks share.
pub(super) struct Plans<'a> {
    pub design: &'a Design,
    pub pair: &'static Pair,
    pub schedule: Schedule,
    pub legs: Arc<[Leg]>,
    /// The functions for the type of the system.
    pub typed: Typed,
    /// Parameters and initial state of the first trajectory, for all and to fill gaps.
    pub parameters: Vec<f64>,
    /// The formulas, the same for all.
    pub program: Arc<[u128]>,
    /// Whether another trajectory has another number there, for each parameter.
    varied: Vec<AtomicBool>,
    pub first: Box<dyn Model>,
    pub shared: bool,
    /// How tiles are begun and become rows in lanes, where systems differ in numbers that can be put into one that is
    /// there.
    pub together: Option<TileWays>,
    /// Whose memory holds the numbers of chunks.
    pub memory: &'a dyn Device,
}

/// Functions for one type of system.
#[derive(Clone, Copy)]
pub(super) struct Typed {
    /// Writes the initial state of a model into a tile; `false` if it is of another type.
    pub start: fn(&dyn Model, &mut [f64], usize) -> bool,
    /// Makes rows of the states of a tile; counts what was run alone.
    pub rows: fn(&Plans<'_>, &Tile, &mut Block, &Computed<'_>) -> u64,
}

impl<'a> Plans<'a> {
    fn new(setup: &Setup<'a>, memory: &'a dyn Device) -> Result<Self, EnsembleError> {
        let design = setup.design;
        if design.varies_plan() {
            let found = "a key of [solve] that varies";
            return Err(Refusal::new(found, "the same steps for all on a GPU").into());
        }
        let mut template = design.template();
        let mut inputs = Vec::new();
        template.draw(0, &mut inputs);
        let first = template.build(&inputs)?;
        let pair = catalogue::find(first.as_ref(), &design.plan)?;
        let schedule = Schedule::new(&design.plan, pair.looks_inside)?;
        let typed = TYPES.iter().find_map(|typed| typed(first.as_ref())).ok_or_else(|| {
            let found = format!("the system {}", first.system());
            Refusal::new(found, "one whose rows are made from the states of a GPU")
        })?;
        let mut parameters = Vec::new();
        (pair.parameters)(first.as_any(), &mut parameters);
        let program = (pair.program)(first.as_any()).into();
        let (legs, shared) = (schedule.legs.clone().into(), setup.shape.alike);
        let keys = || design.vary.iter().map(|v| (v.key.as_str(), v.draw.width()));
        let ways = || wide::tile_ways(first.as_ref(), &keys().collect::<Vec<_>>());
        let together = (shared && design.in_place()).then(ways).flatten();
        let varied = parameters.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(Self {
            design,
            pair,
            schedule,
            legs,
            typed,
            parameters,
            program,
            varied,
            first,
            shared,
            together,
            memory,
        })
    }
}

impl Plans<'_> {
    /// The parameters of another system, if it is of the same kind and has the same formulas.
    pub fn reads(&self, model: &dyn Model, parameters: &mut Vec<f64>) -> bool {
        let known = (self.pair.parameters)(model.as_any(), parameters);
        let same = || {
            (self.pair.same_program)(model.as_any(), self.first.as_any())
                || (self.pair.program)(model.as_any()) == *self.program
        };
        known && parameters.len() == self.parameters.len() && (self.program.is_empty() || same())
    }

    /// Takes note of which parameters vary, where formulas make use of it.
    pub fn compare(&self, parameters: &[f64]) {
        if self.program.is_empty() {
            return;
        }
        for ((varied, first), x) in self.varied.iter().zip(&self.parameters).zip(parameters) {
            // Written once: cores that write to the same place wait for each other.
            if first.to_bits() != x.to_bits() && !varied.load(Ordering::Relaxed) {
                varied.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The parameters that do not vary, as far as trajectories were drawn.
    pub fn same(&self) -> Vec<Option<f64>> {
        let same =
            |(varied, x): (&AtomicBool, &f64)| (!varied.load(Ordering::Relaxed)).then_some(*x);
        self.varied.iter().zip(&self.parameters).map(same).collect()
    }
}

/// The types of systems that [`catalogue::find`] may find a pair for.
const TYPES: &[fn(&dyn Model) -> Option<Typed>] = &[
    typed::<RigidBody<f64>>,
    typed::<LiftedBody<f64>>,
    typed::<ReducedBody<f64>>,
    typed::<Macrospin<f64>>,
];

fn typed<P: ModelSystem + AsNumbers>(model: &dyn Model) -> Option<Typed> {
    model.as_any().downcast_ref::<P>()?;
    Some(Typed { start: write_start::<P>, rows: chunk::write_rows::<P> })
}

fn write_start<P: ModelSystem + AsNumbers>(
    model: &dyn Model,
    tile: &mut [f64],
    lane: usize,
) -> bool {
    let Some(system) = model.as_any().downcast_ref::<P>() else { return false };
    tiles::write_state::<P>(tile, lane, &system.start());
    true
}

/// Computes on devices from this index on; the index that was reached, and what they did.
pub fn run(
    windows: &Windows<'_>,
    devices: &[Box<dyn Device>],
    begin: u64,
    keeper: &mut dyn Keeper,
    tally: &mut Tally,
) -> Result<(u64, OnDevice), EnsembleError> {
    let setup = Setup::new(windows.setup.design, ALONE, true)?;
    let memory = devices.first().map_or(&NoDevice as &dyn Device, |device| device.as_ref());
    let plans = Plans::new(&setup, memory)?;
    let names = devices.iter().map(|device| device.name()).collect();
    let report = OnDevice { names, ..OnDevice::default() };
    let pipeline = Pipeline { windows, setup: &setup, plans: &plans, devices };
    pipeline.run(begin, keeper, tally, report)
}
