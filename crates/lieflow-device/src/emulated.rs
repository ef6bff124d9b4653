//! The entries of the GPU on this machine, thread by thread: for tests, where there is none.
use crate::device::{Answer, Device, DeviceError, Running, Work};
use crate::kernel::Arguments;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
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

/// The bytes of the stack of an entry.
const STACK: usize = 64 << 20;

struct Lost;

impl Running for Lost {
    fn wait(self: Box<Self>) -> Result<Answer, DeviceError> {
        Err(DeviceError::Lost("it has left, as it was told to".into()))
    }
}

struct Thread(JoinHandle<Result<Answer, DeviceError>>);

impl Running for Thread {
    fn wait(self: Box<Self>) -> Result<Answer, DeviceError> {
        let panicked = |_| Err(DeviceError::Lost("an entry has panicked".into()));
        self.0.join().unwrap_or_else(panicked)
    }
}

/// Runs the entry of each thread, those beyond the last trajectory too.
fn launch(mut work: Work) -> Result<Answer, DeviceError> {
    let (mut states, mut ends) = work.take_room();
    // What is not written must be noticed.
    states.fill(f64::NAN);
    let arguments = Arguments {
        count: work.count as u64,
        shared: u64::from(work.shared),
        parameters: work.parameters.as_ptr(),
        parameter_count: work.parameter_count as u64,
        program: work.program.as_ptr(),
        starts: work.initial_states()?.as_ptr(),
        legs: work.legs.as_ptr(),
        leg_count: work.legs.len() as u64,
        states: states.as_mut_ptr(),
        rows: work.rows as u64,
        ends: ends.as_mut_ptr(),
    };
    let clock = Instant::now();
    for entry in work.pair.run {
        for i in 0..ends.len() as u64 {
            // SAFETY: the vectors have as many numbers as the work says, and threads come one
            // after the other.
            unsafe { entry(&arguments, i) };
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    Ok(Answer { work, states, ends, seconds })
}

impl Device for Emulated {
    fn name(&self) -> String {
        "emulated".into()
    }

    fn begin(&self, work: Work) -> Result<Box<dyn Running>, DeviceError> {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        match self.mishap {
            Mishap::Memory(most) if work.bytes() > most => {
                return Err(DeviceError::OutOfMemory { bytes: work.bytes() });
            }
            Mishap::Lost(at) if number >= at => return Ok(Box::new(Lost)),
            _ => {}
        }
        // Unoptimised, an entry with all that is inlined takes much of a stack.
        let thread = std::thread::Builder::new().stack_size(STACK);
        let running = thread.spawn(move || launch(work));
        Ok(Box::new(Thread(running.map_err(|error| DeviceError::Lost(error.to_string()))?)))
    }
}
