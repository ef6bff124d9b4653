//! Toda's particles: where they are, from the forces between them.
use crate::parts::list;
use lieflow_models::run::State;

/// Forces below this would be of particles that are nowhere near each other.
const LEAST: f64 = 1e-300;

/// Particles on a line or in a ring, over time.
pub(crate) struct Lattice {
    /// The distances of neighbours; in a ring the last one is that of the last to the first.
    pub gaps: Vec<Vec<f64>>,
    /// Where they are, about their common centre at the start.
    pub positions: Vec<Vec<f64>>,
    /// Whether they are in a ring.
    pub ring: bool,
}

impl Lattice {
    /// Neighbours repel each other by `exp(-gap)`, and the centre moves evenly.
    pub(crate) fn of(states: &[State]) -> Option<Self> {
        let first = states.first()?;
        let momenta = list(first, "momenta")?;
        let n = momenta.len();
        let speed = momenta.iter().sum::<f64>() / n.max(1) as f64;
        let gaps: Option<Vec<Vec<f64>>> = states
            .iter()
            .map(|state| Some(list(state, "forces")?.iter().map(|f| -f.max(LEAST).ln()).collect()))
            .collect();
        let gaps = gaps?;
        let position = |(state, gaps): (&State, &Vec<f64>)| {
            let mut at = 0.0;
            let mut row = vec![0.0];
            row.extend(gaps.iter().take(n - 1).map(|gap| {
                at += gap;
                at
            }));
            let centre = row.iter().sum::<f64>() / n as f64 - speed * (state.t - first.t);
            row.iter_mut().for_each(|q| *q -= centre);
            row
        };
        let positions = states.iter().zip(&gaps).map(position).collect();
        Some(Self { ring: gaps.first()?.len() == n, gaps, positions })
    }
}
