//! What can run many trajectories at a time.
use crate::catalogue::Pair;
use crate::kernel::{Leg, TILE};
use crate::ptx::formula::Formulas;
use std::sync::Arc;

/// Trajectories to be run.
#[derive(Clone, Debug)]
pub struct Work {
    /// The system and the method.
    pub pair: &'static Pair,
    /// How many trajectories.
    pub count: usize,
    /// The program of the formulas, which may be empty.
    pub program: Arc<[u128]>,
    /// How many parameters there are.
    pub parameter_count: usize,
    /// The parameters, in tiles; once, if all trajectories [share](Work::shared) them.
    pub parameters: Vec<f64>,
    /// Whether all have the same parameters.
    pub shared: bool,
    /// Each parameter, if all have the same number there; only asked for where there are formulas.
    pub same: Vec<Option<f64>>,
    /// The initial states, in tiles.
    pub starts: Vec<f64>,
    /// The steps.
    pub legs: Arc<[Leg]>,
    /// How many states of each trajectory are wanted.
    pub rows: usize,
    /// Room for the answer, which may be empty.
    pub room: (Vec<f64>, Vec<u32>),
}

impl Work {
    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.count.div_ceil(TILE)
    }
    /// How many numbers the states are.
    pub fn state_numbers(&self) -> usize {
        self.tiles() * TILE * self.rows * self.pair.state
    }
    /// Its formulas, if it has some.
    pub fn formulas(&self) -> Option<Formulas> {
        let program = (!self.program.is_empty()).then(|| self.program.clone())?;
        Some(Formulas::new(program, &self.same))
    }
    /// The bytes that it takes on the device.
    pub fn bytes(&self) -> usize {
        let numbers = self.parameters.len() + self.starts.len() + self.state_numbers();
        8 * numbers
            + 4 * self.tiles() * TILE
            + size_of_val(&*self.legs)
            + size_of_val(&*self.program)
            + 4096
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The work; its vectors can be used again.
    pub work: Work,
    /// The states, in tiles: one row after the other in each.
    pub states: Vec<f64>,
    /// For each trajectory [`DONE`](crate::kernel::DONE) or [`LEFT`](crate::kernel::LEFT).
    pub ends: Vec<u32>,
    /// The time that the steps took on the device.
    pub seconds: f64,
}

/// Work that was begun.
pub trait Running: Send {
    /// Waits for the end.
    fn wait(self: Box<Self>) -> Result<Answer, DeviceError>;
}

/// Something that runs many trajectories at a time. Several works may be under way.
pub trait Device: Send + Sync {
    /// What it is called.
    fn name(&self) -> String;
    /// Begins some work.
    fn begin(&self, work: Work) -> Result<Box<dyn Running>, DeviceError>;
}

/// Why a device did not do its work.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no driver.
    #[error("no NVIDIA driver was found ({0}); --device cpu needs none")]
    NoDriver(String),
    /// The driver knows no GPU.
    #[error("the NVIDIA driver has found no GPU ({0})")]
    NoDevice(String),
    /// This build has no support for it.
    #[error("this lieflow was built without its feature `cuda`")]
    NotBuilt,
    /// The text of an entry was not accepted.
    #[error("the driver did not accept the program '{entry}': {reason}")]
    Program {
        /// The entry.
        entry: String,
        /// Why.
        reason: String,
    },
    /// There is too little memory.
    #[error("the GPU has not the memory for {bytes} bytes")]
    OutOfMemory {
        /// How much was asked for.
        bytes: usize,
    },
    /// The device has failed, and may not answer any more.
    #[error("the GPU failed: {0}")]
    Lost(String),
}
