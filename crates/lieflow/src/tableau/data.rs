//! The tables.
use super::Tableau;
use crate::tableaux;

tableaux! {
    /// Kutta's classical method of order four.
    RK4 = Tableau {
        name: "rk4",
        order: 4,
        a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
        b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        embedded: None,
        c: &[0.0, 0.5, 0.5, 1.0],
        cite: "kutta1901",
    };
}
