//! The entries of the GPU on this machine, thread by thread: for tests, where there is none.
use crate::device::{Answer, Device, DeviceError, Running, Work};
use crate::kernel::{Arguments, TILE};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What goes wrong on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mishap {
    /// Nothing.
    #[default]
    Nothing,
    /// No more than so many bytes fit.
    Memory(usize),
    /// The device fails at the work with this number, and from then on.
    Lost(usize),
}

/// A device that is this machine.
#[derive(Debug, Default)]
pub struct Emulated {
    mishap: Mishap,
    begun: AtomicUsize,
}

impl Emulated {
    /// A device with which this goes wrong.
    pub fn with(mishap: Mishap) -> Self {
        Self { mishap, begun: AtomicUsize::new(0) }
    }
    /// How much work was begun.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::Relaxed)
    }
}

struct Done(Result<Answer, DeviceError>);

impl Running for Done {
    fn wait(self: Box<Self>) -> Result<Answer, DeviceError> {
        self.0
    }
}

impl Device for Emulated {
    fn name(&self) -> String {
        "emulated".into()
    }

    fn begin(&self, mut work: Work) -> Result<Box<dyn Running>, DeviceError> {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        match self.mishap {
            Mishap::Memory(most) if work.bytes() > most => {
                return Err(DeviceError::OutOfMemory { bytes: work.bytes() });
            }
            Mishap::Lost(at) if number >= at => {
                let lost = DeviceError::Lost("it has left, as it was told to".into());
                return Ok(Box::new(Done(Err(lost))));
            }
            _ => {}
        }
        let (mut states, mut ends) = std::mem::take(&mut work.room);
        // What is not written must be noticed.
        states.clear();
        states.resize(work.state_numbers(), f64::NAN);
        ends.clear();
        ends.resize(work.tiles() * TILE, 0);
        let arguments = Arguments {
            count: work.count as u64,
            shared: u64::from(work.shared),
            parameters: work.parameters.as_ptr(),
            parameter_count: work.parameter_count as u64,
            program: work.program.as_ptr(),
            starts: work.starts.as_ptr(),
            legs: work.legs.as_ptr(),
            leg_count: work.legs.len() as u64,
            states: states.as_mut_ptr(),
            rows: work.rows as u64,
            ends: ends.as_mut_ptr(),
        };
        let clock = Instant::now();
        // As many threads as a launch has, some of them beyond the last trajectory.
        for launch in work.pair.run {
            for i in 0..ends.len() as u64 {
                // SAFETY: the vectors have as many numbers as the work says, and threads come one
                // after the other.
                unsafe { launch(&arguments, i) };
            }
        }
        let seconds = clock.elapsed().as_secs_f64();
        Ok(Box::new(Done(Ok(Answer { work, states, ends, seconds }))))
    }
}
