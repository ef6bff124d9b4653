//! Systems of problem files written as the numbers that threads read.
mod bodies;
mod fields;
mod formula;
mod vectors;

/// A kind of systems, as this machine has them.
pub trait Written {
    /// The type of those systems, and of others that look like them.
    type Source: 'static;
    /// The kind in words.
    const NAME: &'static str;
    /// Adds the parameters; `false` if the system is not of this kind.
    fn parameters(source: &Self::Source, out: &mut Vec<f64>) -> bool;
    /// The program of its formulas.
    fn program(source: &Self::Source) -> Vec<u128> {
        let _ = source;
        Vec::new()
    }
    /// Whether two systems surely have the same program, without looking at all of it.
    fn same_program(first: &Self::Source, second: &Self::Source) -> bool {
        let _ = (first, second);
        false
    }
}
