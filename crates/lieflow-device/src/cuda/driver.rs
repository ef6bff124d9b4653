//! The functions of NVIDIA's driver that are needed, found at run time.
use crate::device::DeviceError;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// What functions return: zero, or the number of an error.
pub type Code = c_uint;
/// A place in the memory of a GPU.
pub type Pointer = u64;
/// A context, a module, a function or a stream.
pub type Handle = *mut c_void;

/// `CUDA_ERROR_OUT_OF_MEMORY`.
pub const OUT_OF_MEMORY: Code = 2;
/// `CU_STREAM_NON_BLOCKING`.
pub const NON_BLOCKING: c_uint = 1;
/// `CU_CTX_SCHED_BLOCKING_SYNC`.
pub const BLOCKING_SYNC: c_uint = 4;
/// `CU_JIT_ERROR_LOG_BUFFER` and its size in bytes.
pub const ERROR_LOG: [c_uint; 2] = [5, 6];

macro_rules! driver {
    ($($field:ident = $name:literal($($argument:ty),*);)*) => {
        /// The functions, by the names of the driver's interface.
        pub struct Driver {
            $(pub $field: unsafe extern "C" fn($($argument),*) -> Code,)*
            _library: Library,
        }

        impl Driver {
            fn load(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the names and types are those of the driver's interface, which does not
                // change under these names, and the library stays as long as they do.
                unsafe {
                    Ok(Self { $($field: *library.get(concat!($name, "\0").as_bytes())?,)* _library: library })
                }
            }
        }
    };
}

driver! {
    init = "cuInit"(c_uint);
    error_text = "cuGetErrorString"(Code, *mut *const c_char);
    device_count = "cuDeviceGetCount"(*mut c_int);
    device = "cuDeviceGet"(*mut c_int, c_int);
    device_name = "cuDeviceGetName"(*mut c_char, c_int, c_int);
    set_context_flags = "cuDevicePrimaryCtxSetFlags_v2"(c_int, c_uint);
    context = "cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    release = "cuDevicePrimaryCtxRelease_v2"(c_int);
    use_context = "cuCtxSetCurrent"(Handle);
    allocate = "cuMemAlloc_v2"(*mut Pointer, usize);
    free = "cuMemFree_v2"(Pointer);
    allocate_host = "cuMemAllocHost_v2"(*mut *mut c_void, usize);
    free_host = "cuMemFreeHost"(*mut c_void);
    to_device = "cuMemcpyHtoDAsync_v2"(Pointer, *const c_void, usize, Handle);
    from_device = "cuMemcpyDtoHAsync_v2"(*mut c_void, Pointer, usize, Handle);
    load_module = "cuModuleLoadDataEx"(*mut Handle, *const c_void, c_uint, *mut c_uint, *mut *mut c_void);
    function = "cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    launch = "cuLaunchKernel"(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    new_stream = "cuStreamCreate"(*mut Handle, c_uint);
    wait = "cuStreamSynchronize"(Handle);
    drop_stream = "cuStreamDestroy_v2"(Handle);
}

impl Driver {
    /// The driver of this machine, found once.
    pub fn get() -> Result<&'static Self, DeviceError> {
        static FOUND: OnceLock<Result<Driver, DeviceError>> = OnceLock::new();
        FOUND.get_or_init(Self::find).as_ref().map_err(Clone::clone)
    }

    fn find() -> Result<Self, DeviceError> {
        let names = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];
        let mut reason = String::new();
        for name in names {
            // SAFETY: the driver's library has no more to do when it is loaded than other libraries.
            match unsafe { Library::new(name) } {
                Ok(library) => {
                    let driver = Self::load(library)
                        .map_err(|error| DeviceError::NoDriver(error.to_string()))?;
                    // SAFETY: the first function to be called.
                    let code = unsafe { (driver.init)(0) };
                    if code != 0 {
                        return Err(DeviceError::NoDevice(driver.text(code)));
                    }
                    return Ok(driver);
                }
                Err(error) if reason.is_empty() => reason = error.to_string(),
                Err(_) => {}
            }
        }
        Err(DeviceError::NoDriver(reason))
    }

    /// An error in words.
    pub fn text(&self, code: Code) -> String {
        let mut text = std::ptr::null();
        // SAFETY: the driver writes the address of a text that it keeps, or nothing.
        let words = unsafe {
            if (self.error_text)(code, &mut text) == 0 && !text.is_null() {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            } else {
                "an unknown error".into()
            }
        };
        format!("{words}, number {code}")
    }

    /// Nothing, or an error of the device.
    pub fn check(&self, code: Code) -> Result<(), DeviceError> {
        match code {
            0 => Ok(()),
            code => Err(DeviceError::Lost(self.text(code))),
        }
    }
}
