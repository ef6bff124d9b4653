//! The published experiments that can be run again.

/// A figure or table of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub id: &'static str,
    /// The paper, by its key in `references.bib`.
    pub paper: &'static str,
    /// One line for a listing.
    pub title: &'static str,
}

/// All of them.
pub static EXPERIMENTS: &[Experiment] = &[];
