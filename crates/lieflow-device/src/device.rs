//! What can run many trajectories at a time.
use crate::catalogue::Pair;
use crate::kernel::{Leg, TILE};
use crate::ptx::formula::Formulas;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Numbers that a device reads or writes.
#[derive(Debug)]
pub struct Numbers(Kept);

#[derive(Debug)]
enum Kept {
    Here(Vec<f64>),
    Reachable(Box<dyn ReachableMemory>),
}

/// Memory of this machine that a device reads and writes by itself, so that copies need no core and overlap.
pub trait ReachableMemory: AsRef<[f64]> + AsMut<[f64]> + std::fmt::Debug + Send + Sync {}

impl Numbers {
    /// As many zeros, in memory as everything has it.
    pub fn zeros(length: usize) -> Self {
        Self(Kept::Here(vec![0.0; length]))
    }
    /// The numbers of such memory.
    pub fn reachable(memory: Box<dyn ReachableMemory>) -> Self {
        Self(Kept::Reachable(memory))
    }
    /// Whether a device reads and writes them by itself.
    pub fn is_reachable(&self) -> bool {
        matches!(self.0, Kept::Reachable(_))
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::zeros(0)
    }
}

impl Clone for Numbers {
    fn clone(&self) -> Self {
        Self(Kept::Here(self.to_vec()))
    }
}

impl Deref for Numbers {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        match &self.0 {
            Kept::Here(numbers) => numbers,
            Kept::Reachable(memory) => (**memory).as_ref(),
        }
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f64] {
        match &mut self.0 {
            Kept::Here(numbers) => numbers,
            Kept::Reachable(memory) => (**memory).as_mut(),
        }
    }
}

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
    /// The initial states, in tiles, and perhaps more room than they take.
    pub starts: Numbers,
    /// The steps.
    pub legs: Arc<[Leg]>,
    /// How many states of each trajectory are wanted.
    pub rows: usize,
    /// Room for the answer, which may be empty.
    pub room: (Numbers, Vec<u32>),
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
    /// How many numbers the initial states are.
    pub fn start_numbers(&self) -> usize {
        self.tiles() * TILE * self.pair.state
    }
    /// The initial states.
    pub fn initial_states(&self) -> Result<&[f64], DeviceError> {
        let missing =
            || DeviceError::Lost("it was given fewer initial states than trajectories".into());
        self.starts.get(..self.start_numbers()).ok_or_else(missing)
    }
    /// Takes the room for the answer, which is made large enough.
    pub fn take_room(&mut self) -> (Numbers, Vec<u32>) {
        let (mut states, mut ends) = std::mem::take(&mut self.room);
        if states.len() < self.state_numbers() {
            states = Numbers::zeros(self.state_numbers());
        }
        ends.clear();
        ends.resize(self.tiles() * TILE, 0);
        (states, ends)
    }
    /// Its formulas, if it has some.
    pub fn formulas(&self) -> Option<Formulas> {
        let program = (!self.program.is_empty()).then(|| self.program.clone())?;
        Some(Formulas::new(program, &self.same))
    }
    /// The bytes that it takes on the device.
    pub fn bytes(&self) -> usize {
        let numbers = self.parameters.len() + self.start_numbers() + self.state_numbers();
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
    /// The states, in tiles: one row after the other in each; what follows the last tile means nothing.
    pub states: Numbers,
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
    /// So many numbers, of which nothing is known, in memory that suits it best.
    fn numbers(&self, length: usize) -> Numbers {
        Numbers::zeros(length)
    }
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
