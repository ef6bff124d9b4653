//! Numbers side by side where the program is compiled for AVX-512, single ones elsewhere.

#[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
mod wide {
    use lieflow_kernel::scalar::{Machine, Pack, Pair, Whole};

    /// The machine for which the program is compiled.
    pub struct Here;

    // SAFETY: the whole program is compiled for machines with these instructions, and runs on no other.
    unsafe impl Machine for Here {
        type Registers = Pair<Whole>;
    }

    pub type Number = Pack<Here>;
    pub const LANES: usize = 16;

    pub fn number(x: [f64; LANES]) -> Number {
        Number::from_array(x)
    }

    pub fn numbers(x: Number) -> [f64; LANES] {
        x.to_array()
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx512f")))]
mod wide {
    pub type Number = f64;
    pub const LANES: usize = 1;

    pub fn number([x]: [f64; LANES]) -> Number {
        x
    }

    pub fn numbers(x: Number) -> [f64; LANES] {
        [x]
    }
}

pub use wide::{LANES, Number, number, numbers};
