//! Compiled code at an address.
use super::Foreign;
use std::any::Any;

/// What the code at an address takes: the time, the numbers of the state, those of the problem, and
/// where its own go. In C: `void f(double t, const double *state, const double *parameters, double *out)`.
pub type CSignature = unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64);

/// A function by its address, as C, Fortran, Julia or numba have compiled it.
pub struct CFunction {
    function: CSignature,
    name: String,
    /// What keeps the code in memory.
    owner: Box<dyn Any + Send + Sync>,
}

impl CFunction {
    /// The function at an address, if that is not zero.
    ///
    /// # Safety
    /// At the address stands code with the signature [`CSignature`] that stays there as long as `owner`
    /// lives. Called with `n` readable numbers of a state, as many of the problem as it was promised, and
    /// `m` writable ones, it reads and writes no other memory of this process, comes back without
    /// unwinding, and may be called by several threads at a time.
    pub unsafe fn new(
        address: usize,
        name: &str,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Option<Self> {
        if address == 0 {
            return None;
        }
        // SAFETY: an address that is not zero is a value of this type, which has no other niche, and
        // the caller promises that the code there has this signature.
        let function = unsafe { std::mem::transmute::<usize, CSignature>(address) };
        Some(Self { function, name: name.into(), owner })
    }

    /// What keeps the code in memory.
    pub fn owner(&self) -> &(dyn Any + Send + Sync) {
        &*self.owner
    }
}

impl Foreign for CFunction {
    fn call(&self, t: f64, state: &[f64], parameters: &[f64], out: &mut [f64]) -> bool {
        // SAFETY: whoever made this has promised that the code reads no more than the state and the
        // parameters, which are shared slices that nobody writes to while they are borrowed here,
        // writes no more than `out`, which is borrowed by us alone, and can be called by any thread.
        unsafe { (self.function)(t, state.as_ptr(), parameters.as_ptr(), out.as_mut_ptr()) };
        true
    }
    fn name(&self) -> String {
        self.name.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
