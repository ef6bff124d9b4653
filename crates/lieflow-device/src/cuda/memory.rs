//! Memory of GPUs, and memory of this machine that they reach.
use super::Gpu;
use super::driver::{Driver, OUT_OF_MEMORY, Pointer};
use crate::device::{DeviceError, ReachableMemory};
use std::sync::Arc;

/// Memory of the GPU that grows when more is needed.
#[derive(Default)]
pub struct Memory {
    at: Pointer,
    bytes: usize,
}

impl Memory {
    /// At least so many bytes, of which nothing is known.
    pub fn room(&mut self, driver: &Driver, bytes: usize) -> Result<Pointer, DeviceError> {
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

    pub fn close(&mut self, driver: &Driver) {
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
pub struct Staging {
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
    pub fn room(&mut self, driver: &Driver, bytes: usize) {
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
    pub fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        let first = self.used.next_multiple_of(64);
        if bytes < LARGE || first + bytes > self.bytes {
            return None;
        }
        self.used = first + bytes;
        // SAFETY: inside of what was allocated.
        Some(unsafe { self.at.add(first) })
    }

    pub fn close(&mut self, driver: &Driver) {
        if self.bytes > 0 {
            // SAFETY: allocated, and not in use. What fails here has failed before.
            let _ = unsafe { (driver.free_host)(self.at.cast()) };
        }
        *self = Self::default();
    }
}

/// Numbers in memory that GPUs read and write by themselves.
pub struct Pinned {
    at: *mut f64,
    length: usize,
    gpu: Arc<Gpu>,
}

// SAFETY: it alone has the memory, which any thread may use.
unsafe impl Send for Pinned {}
// SAFETY: as above; shared, it is only read.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// So many zeros, if there is such memory left.
    pub fn new(gpu: Arc<Gpu>, length: usize) -> Option<Self> {
        let bytes = length.checked_mul(size_of::<f64>()).filter(|bytes| *bytes > 0)?;
        gpu.enter().ok()?;
        let mut at = std::ptr::null_mut();
        // SAFETY: the driver writes an address, of memory of whole pages.
        if unsafe { (gpu.driver.allocate_host)(&mut at, bytes) } != 0 || at.is_null() {
            return None;
        }
        let at = at.cast::<f64>();
        // SAFETY: there are so many bytes; as zeros they are numbers.
        unsafe { std::ptr::write_bytes(at, 0, length) };
        Some(Self { at, length, gpu })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: allocated, and no copy is under way: works keep their numbers until they were waited for. What
            // fails here has failed before.
            let _ = unsafe { (self.gpu.driver.free_host)(self.at.cast()) };
        }
    }
}

impl std::fmt::Debug for Pinned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pinned").field("length", &self.length).finish_non_exhaustive()
    }
}

impl AsRef<[f64]> for Pinned {
    fn as_ref(&self) -> &[f64] {
        // SAFETY: so many numbers were allocated, and written once.
        unsafe { std::slice::from_raw_parts(self.at, self.length) }
    }
}

impl AsMut<[f64]> for Pinned {
    fn as_mut(&mut self) -> &mut [f64] {
        // SAFETY: as above, and nothing else has them.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.length) }
    }
}

impl ReachableMemory for Pinned {}
