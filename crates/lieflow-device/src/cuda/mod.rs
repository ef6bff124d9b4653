//! GPUs by NVIDIA.
//!
//! Each work has a thread and a stream of its own, so that copies of one overlap with the steps of another.
//! The memory is kept from work to work.
mod driver;
mod memory;
mod stream;

use crate::catalogue::{PAIRS, Pair};
use crate::device::{Answer, Device, DeviceError, Numbers, Running, Work};
use crate::kernel::formula::PROGRAM_HEAD;
use crate::ptx;
use crate::ptx::formula::Formulas;
use driver::{BLOCKING_SYNC, Driver, ERROR_LOG, Handle};
use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use stream::{Launches, Stream};

/// Room for what the driver has to say about a text.
const LOG: usize = 1 << 14;

/// What the driver compiles: an entry, with its formulas if it has some.
type Compiled = (String, Option<Formulas>);

/// A GPU.
#[derive(Clone)]
pub struct Cuda(Arc<Gpu>);

struct Gpu {
    driver: &'static Driver,
    device: c_int,
    name: String,
    context: Handle,
    functions: Mutex<HashMap<Compiled, Handle>>,
    /// Streams that are not in use.
    streams: Mutex<Vec<Stream>>,
}

// SAFETY: handles of the driver may be used by any thread, after it has been told the context.
unsafe impl Send for Gpu {}
// SAFETY: as above.
unsafe impl Sync for Gpu {}

impl Cuda {
    /// All GPUs of this machine; at least one.
    pub fn all() -> Result<Vec<Self>, DeviceError> {
        let driver = Driver::get()?;
        let mut count = 0;
        // SAFETY: the driver writes a number.
        driver.check(unsafe { (driver.device_count)(&mut count) })?;
        if count <= 0 {
            return Err(DeviceError::NoDevice("it counts none".into()));
        }
        (0..count).map(|ordinal| Self::new(driver, ordinal)).collect()
    }

    fn new(driver: &'static Driver, ordinal: c_int) -> Result<Self, DeviceError> {
        let (mut device, mut context) = (0, std::ptr::null_mut());
        let mut name = [0u8; 128];
        // SAFETY: the driver writes a number, a name of at most so many bytes, and a handle.
        unsafe {
            driver.check((driver.device)(&mut device, ordinal))?;
            driver.check((driver.device_name)(name.as_mut_ptr().cast(), 127, device))?;
            // Threads that wait must not take cores from those that draw. If it is not granted, they wait busily.
            let _ = (driver.set_context_flags)(device, BLOCKING_SYNC);
            driver.check((driver.context)(&mut context, device))?;
        }
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(0);
        Ok(Self(Arc::new(Gpu {
            driver,
            device,
            name: String::from_utf8_lossy(&name[..end]).into_owned(),
            context,
            functions: Mutex::default(),
            streams: Mutex::default(),
        })))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.enter().is_ok() {
            open(&self.streams).drain(..).for_each(|stream| stream.close(self.driver));
        }
        // SAFETY: the context was taken once, and nothing uses it any more. What has failed before may
        // fail again.
        let _ = unsafe { (self.driver.release)(self.device) };
    }
}

/// What is behind a lock, also after a panic elsewhere.
fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Tells this thread the context.
    fn enter(&self) -> Result<(), DeviceError> {
        // SAFETY: the context lives as long as this.
        self.driver.check(unsafe { (self.driver.use_context)(self.context) })
    }

    /// The function of an entry with these formulas, or of the one for what it leaves, compiled by the driver at
    /// its first use.
    fn function(
        &self,
        pair: &Pair,
        formulas: Option<&Formulas>,
        patient: bool,
    ) -> Result<Handle, DeviceError> {
        let entry = format!("{}{}", pair.entry, if patient { "_patient" } else { "" });
        let key = (entry.clone(), formulas.cloned());
        let mut functions = open(&self.functions);
        if let Some(function) = functions.get(&key) {
            return Ok(*function);
        }
        let refused = |reason: String| DeviceError::Program { entry: entry.clone(), reason };
        let text = match formulas {
            Some(formulas) => ptx::entry_with(&entry, formulas),
            None => ptx::entry(&entry),
        };
        let text = text.ok_or_else(|| refused("it is not in the text".into()))?;
        let text = CString::new(text).map_err(|error| refused(error.to_string()))?;
        let name = CString::new(entry.as_str()).map_err(|error| refused(error.to_string()))?;
        let mut log = vec![0u8; LOG];
        let mut options = ERROR_LOG;
        // A number goes in the place of an address.
        let mut values = [log.as_mut_ptr().cast(), LOG as *mut c_void];
        let (mut module, mut function) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: both texts end with a zero, and the log has room for as many bytes as said.
        let code = unsafe {
            (self.driver.load_module)(
                &mut module,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if code != 0 {
            let end = log.iter().position(|byte| *byte == 0).unwrap_or(0);
            let log = String::from_utf8_lossy(&log[..end]).trim().to_string();
            return Err(refused(format!("{} {log}", self.driver.text(code)).trim_end().into()));
        }
        // SAFETY: the module was loaded, and the name ends with a zero.
        self.driver
            .check(unsafe { (self.driver.function)(&mut function, module, name.as_ptr()) })?;
        functions.insert(key, function);
        Ok(function)
    }

    fn run(&self, mut work: Work) -> Result<Answer, DeviceError> {
        self.enter()?;
        let formulas = work.formulas();
        let usual = self.function(work.pair, formulas.as_ref(), false)?;
        let free = open(&self.streams).pop();
        let mut stream = match free {
            Some(stream) => stream,
            None => Stream::new(self.driver)?,
        };
        let (mut states, mut ends) = work.take_room();
        let clock = Instant::now();
        let patient = || self.function(work.pair, formulas.as_ref(), true);
        let launches = Launches { usual, patient: &patient };
        if let Err(error) = stream.run(self.driver, launches, &work, &mut states, &mut ends) {
            // Copies may still be under way, and others may need the memory.
            stream.close(self.driver);
            return Err(error);
        }
        let seconds = clock.elapsed().as_secs_f64();
        open(&self.streams).push(stream);
        Ok(Answer { work, states, ends, seconds })
    }
}

struct Thread(JoinHandle<Result<Answer, DeviceError>>);

impl Running for Thread {
    fn wait(self: Box<Self>) -> Result<Answer, DeviceError> {
        let panicked =
            |_| Err(DeviceError::Lost("the thread that waited for it has failed".into()));
        self.0.join().unwrap_or_else(panicked)
    }
}

impl Device for Cuda {
    fn name(&self) -> String {
        self.0.name.clone()
    }

    fn numbers(&self, length: usize) -> Numbers {
        match memory::Pinned::new(self.0.clone(), length) {
            Some(memory) => Numbers::reachable(Box::new(memory)),
            None => Numbers::zeros(length),
        }
    }

    fn begin(&self, work: Work) -> Result<Box<dyn Running>, DeviceError> {
        let gpu = self.0.clone();
        let thread = std::thread::Builder::new().name("gpu".into());
        let handle = thread
            .spawn(move || gpu.run(work))
            .map_err(|error| DeviceError::Lost(error.to_string()))?;
        Ok(Box::new(Thread(handle)))
    }
}

/// Loads all entries of every pair: what the driver says, or how many seconds it took. Formulas say that there is no
/// torque.
pub fn load_all(gpu: &Cuda) -> Vec<(&'static str, Result<f64, DeviceError>)> {
    let nothing = Formulas::new([0; PROGRAM_HEAD].into(), &[]);
    let load = |pair: &'static Pair| {
        let clock = Instant::now();
        gpu.0.enter()?;
        gpu.0.function(pair, Some(&nothing), false)?;
        gpu.0.function(pair, Some(&nothing), true).map(|_| clock.elapsed().as_secs_f64())
    };
    PAIRS.iter().map(|pair| (pair.entry, load(pair))).collect()
}
