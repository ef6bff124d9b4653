//! A stream with its memory.
use super::driver::{Driver, Handle, NON_BLOCKING, Pointer};
use super::memory::{Memory, Staging};
use crate::device::{DeviceError, Numbers, Work};
use crate::kernel::{Arguments, LEFT, TILE};
use std::ffi::{c_uint, c_void};

/// The threads of a block; tiles are whole numbers of blocks.
const BLOCK: usize = 128;

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
        states: &mut Numbers,
        ends: &mut [u32],
    ) -> Result<(), DeviceError> {
        let threads = work.tiles() * TILE;
        let (first, direct) = (work.initial_states()?, states.is_reachable());
        let states = states.get_mut(..work.state_numbers()).unwrap_or_default();
        let numbers = work.parameters.len()
            + if work.starts.is_reachable() { 0 } else { first.len() }
            + if direct { 0 } else { states.len() };
        // Ends go there and come back, perhaps twice; each list begins at a multiple of 64.
        self.staging.room(driver, 8 * numbers + 3 * size_of_val(ends) + 64 * 8);
        let parameters = self.send(driver, 1, &work.parameters, false)?;
        let starts = self.send(driver, 2, first, work.starts.is_reachable())?;
        let legs = self.send(driver, 3, &work.legs, false)?;
        let program = self.send(driver, 6, &work.program, false)?;
        let states_at = self.memory[4].room(driver, size_of_val(states).max(8))?;
        let ends_at = self.send(driver, 5, ends, false)?;
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
        let arguments = self.send(driver, 0, &arguments, false)?;
        self.launch(driver, launches.usual, arguments, threads)?;
        self.fetch(driver, ends, ends_at, false)?;
        if ends[..work.count].contains(&LEFT) {
            self.launch(driver, (launches.patient)()?, arguments, threads)?;
            self.fetch(driver, ends, ends_at, false)?;
        }
        self.fetch(driver, states, states_at, direct)
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

    /// Copies from the device, `direct` if it reaches the list by itself, when all that was begun before has ended.
    fn fetch<T: Copy>(
        &mut self,
        driver: &Driver,
        list: &mut [T],
        from: Pointer,
        direct: bool,
    ) -> Result<(), DeviceError> {
        let bytes = size_of_val(list);
        if bytes == 0 {
            return self.wait(driver);
        }
        let own: *mut u8 = list.as_mut_ptr().cast();
        let staged = if direct { None } else { self.staging.take(bytes) };
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

    /// Copies a list into one of the memories, `direct` if the device reaches it by itself.
    fn send<T: Copy>(
        &mut self,
        driver: &Driver,
        which: usize,
        list: &[T],
        direct: bool,
    ) -> Result<Pointer, DeviceError> {
        let bytes = size_of_val(list);
        let at = self.memory[which].room(driver, bytes.max(8))?;
        if bytes > 0 {
            let mut from: *const u8 = list.as_ptr().cast();
            if let Some(staged) = if direct { None } else { self.staging.take(bytes) } {
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
