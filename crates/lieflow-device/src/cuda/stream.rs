//! A stream with its memory.
use super::driver::{Driver, Handle, NON_BLOCKING, OUT_OF_MEMORY, Pointer};
use crate::device::{DeviceError, Work};
use crate::kernel::{Arguments, LEFT, TILE};
use std::ffi::{c_uint, c_void};

/// The threads of a block; tiles are whole numbers of blocks.
const BLOCK: usize = 128;

/// Memory of the GPU that grows when more is needed.
#[derive(Default)]
struct Memory {
    at: Pointer,
    bytes: usize,
}

impl Memory {
    /// At least so many bytes, of which nothing is known.
    fn room(&mut self, driver: &Driver, bytes: usize) -> Result<Pointer, DeviceError> {
        if self.bytes < bytes {
            self.close(driver);
            // SAFETY: the driver writes an address.
            match unsafe { (driver.allocate)(&mut self.at, bytes) } {
                0 => self.bytes = bytes,
                OUT_OF_MEMORY => return Err(DeviceError::OutOfMemory { bytes }),
                code => return Err(DeviceError::Lost(driver.text(code))),
            }
        }
        Ok(self.at)
    }

    fn close(&mut self, driver: &Driver) {
        if self.bytes > 0 {
            // SAFETY: allocated, and not in use. What fails here has failed before.
            let _ = unsafe { (driver.free)(self.at) };
        }
        *self = Self::default();
    }
}

/// Lists of fewer bytes are copied from where they are.
const LARGE: usize = 1 << 16;

/// Memory of this machine that the GPU reads and writes by itself: copies by way of it overlap with those of other
/// streams, where the driver would make one after the other.
struct Staging {
    at: *mut u8,
    bytes: usize,
    used: usize,
}

impl Default for Staging {
    fn default() -> Self {
        Self { at: std::ptr::null_mut(), bytes: 0, used: 0 }
    }
}

impl Staging {
    /// At least so many bytes, none of them in use; none at all, if there is no such memory left.
    fn room(&mut self, driver: &Driver, bytes: usize) {
        self.used = 0;
        if self.bytes < bytes {
            self.close(driver);
            let mut at = std::ptr::null_mut();
            // SAFETY: the driver writes an address.
            if unsafe { (driver.allocate_host)(&mut at, bytes) } == 0 {
                *self = Self { at: at.cast(), bytes, used: 0 };
            }
        }
    }

    /// A place for so many bytes that nothing else has, if that is worth while and there is one.
    fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        let first = self.used.next_multiple_of(64);
        if bytes < LARGE || first + bytes > self.bytes {
            return None;
        }
        self.used = first + bytes;
        // SAFETY: inside of what was allocated.
        Some(unsafe { self.at.add(first) })
    }

    fn close(&mut self, driver: &Driver) {
        if self.bytes > 0 {
            // SAFETY: allocated, and not in use. What fails here has failed before.
            let _ = unsafe { (driver.free_host)(self.at.cast()) };
        }
        *self = Self::default();
    }
}

/// What is launched.
pub struct Launches<'l> {
    /// The entry.
    pub usual: Handle,
    /// The one for what it leaves, loaded when it is needed.
    pub patient: &'l dyn Fn() -> Result<Handle, DeviceError>,
}

/// A stream with its memory: arguments, parameters, initial states, stretches, states, ends, formulas.
pub struct Stream {
    handle: Handle,
    memory: [Memory; 7],
    staging: Staging,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Stream {}

impl Stream {
    pub fn new(driver: &Driver) -> Result<Self, DeviceError> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: the driver writes a handle.
        driver.check(unsafe { (driver.new_stream)(&mut handle, NON_BLOCKING) })?;
        Ok(Self { handle, memory: Default::default(), staging: Staging::default() })
    }

    pub fn close(mut self, driver: &Driver) {
        // SAFETY: made once, and waited for. What has failed before may fail again.
        unsafe {
            let _ = (driver.wait)(self.handle);
            self.memory.iter_mut().for_each(|memory| memory.close(driver));
            self.staging.close(driver);
            let _ = (driver.drop_stream)(self.handle);
        }
    }

    /// Does the work and waits for its end.
    pub fn run(
        &mut self,
        driver: &Driver,
        launches: Launches<'_>,
        work: &Work,
        states: &mut Vec<f64>,
        ends: &mut Vec<u32>,
    ) -> Result<(), DeviceError> {
        let threads = work.tiles() * TILE;
        states.resize(work.state_numbers(), 0.0);
        ends.clear();
        ends.resize(threads, 0);
        let numbers = work.parameters.len() + work.starts.len() + states.len();
        // Ends go there and come back, perhaps twice; each list begins at a multiple of 64.
        let staged = 8 * numbers + 3 * size_of_val(ends.as_slice()) + 64 * 8;
        self.staging.room(driver, staged);
        let parameters = self.send(driver, 1, &work.parameters)?;
        let starts = self.send(driver, 2, &work.starts)?;
        let legs = self.send(driver, 3, &work.legs)?;
        let program = self.send(driver, 6, &work.program)?;
        let states_at = self.memory[4].room(driver, size_of_val(states.as_slice()).max(8))?;
        let ends_at = self.send(driver, 5, ends.as_slice())?;
        let arguments = [Arguments {
            count: work.count as u64,
            shared: u64::from(work.shared),
            parameters: parameters as *const f64,
            parameter_count: work.parameter_count as u64,
            program: program as *const u128,
            starts: starts as *const f64,
            legs: legs as *const _,
            leg_count: work.legs.len() as u64,
            states: states_at as *mut f64,
            rows: work.rows as u64,
            ends: ends_at as *mut u32,
        }];
        let arguments = self.send(driver, 0, &arguments)?;
        self.launch(driver, launches.usual, arguments, threads)?;
        self.fetch(driver, ends, ends_at)?;
        if ends[..work.count].contains(&LEFT) {
            self.launch(driver, (launches.patient)()?, arguments, threads)?;
            self.fetch(driver, ends, ends_at)?;
        }
        self.fetch(driver, states, states_at)
    }

    fn launch(
        &self,
        driver: &Driver,
        function: Handle,
        mut arguments: Pointer,
        threads: usize,
    ) -> Result<(), DeviceError> {
        let mut list = [(&raw mut arguments).cast::<c_void>()];
        let blocks = (threads / BLOCK) as c_uint;
        // SAFETY: the entry takes one address, of arguments that point to memory of the sizes that the work
        // says, which lives until the stream has come to its end.
        driver.check(unsafe {
            (driver.launch)(
                function,
                blocks,
                1,
                1,
                BLOCK as c_uint,
                1,
                1,
                0,
                self.handle,
                list.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        })
    }

    fn wait(&self, driver: &Driver) -> Result<(), DeviceError> {
        // SAFETY: the stream was made, and lives.
        driver.check(unsafe { (driver.wait)(self.handle) })
    }

    /// Copies from the device, when all that was begun before has ended.
    fn fetch<T: Copy>(
        &mut self,
        driver: &Driver,
        list: &mut [T],
        from: Pointer,
    ) -> Result<(), DeviceError> {
        let bytes = size_of_val(list);
        if bytes == 0 {
            return self.wait(driver);
        }
        let own: *mut u8 = list.as_mut_ptr().cast();
        let staged = self.staging.take(bytes);
        // SAFETY: all have so many bytes.
        let code =
            unsafe { (driver.from_device)(staged.unwrap_or(own).cast(), from, bytes, self.handle) };
        driver.check(code)?;
        self.wait(driver)?;
        if let Some(staged) = staged {
            // SAFETY: both have so many bytes, of a type that any bytes of the device are; they do not overlap, and the
            // copy to the first has ended.
            unsafe { std::ptr::copy_nonoverlapping(staged, own, bytes) };
        }
        Ok(())
    }

    /// Copies a list into one of the memories.
    fn send<T: Copy>(
        &mut self,
        driver: &Driver,
        which: usize,
        list: &[T],
    ) -> Result<Pointer, DeviceError> {
        let bytes = size_of_val(list);
        let at = self.memory[which].room(driver, bytes.max(8))?;
        if bytes > 0 {
            let mut from: *const u8 = list.as_ptr().cast();
            if let Some(staged) = self.staging.take(bytes) {
                // SAFETY: both have so many bytes and do not overlap; nothing else has this place until the stream was
                // waited for.
                unsafe { std::ptr::copy_nonoverlapping(from, staged, bytes) };
                from = staged;
            }
            // SAFETY: the list has so many bytes, and so has the memory.
            let code = unsafe { (driver.to_device)(at, from.cast(), bytes, self.handle) };
            driver.check(code)?;
        }
        Ok(at)
    }
}
