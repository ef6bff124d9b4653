//! Gauss tables: implicit, of the highest order for their number of stages.
use crate::tableau::Tableau;
use crate::tableaux;

const SQRT_3: f64 = 1.7320508075688772;
const SQRT_15: f64 = 3.872983346207417;

tableaux! {
    /// The implicit midpoint rule.
    GAUSS2 = Tableau {
        name: "gauss2",
        order: 2,
        a: &[&[0.5]],
        b: &[1.0],
        embedded: &[],
        dense: None,
        c: &[0.5],
        cite: "hairer2006",
    };
    /// Two stages, order four.
    GAUSS4 = Tableau {
        name: "gauss4",
        order: 4,
        a: &[&[0.25, 0.25 - SQRT_3 / 6.0], &[0.25 + SQRT_3 / 6.0, 0.25]],
        b: &[0.5, 0.5],
        embedded: &[],
        dense: None,
        c: &[0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0],
        cite: "hairer2006",
    };
    /// Three stages, order six.
    GAUSS6 = Tableau {
        name: "gauss6",
        order: 6,
        a: &[
            &[5.0 / 36.0, 2.0 / 9.0 - SQRT_15 / 15.0, 5.0 / 36.0 - SQRT_15 / 30.0],
            &[5.0 / 36.0 + SQRT_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - SQRT_15 / 24.0],
            &[5.0 / 36.0 + SQRT_15 / 30.0, 2.0 / 9.0 + SQRT_15 / 15.0, 5.0 / 36.0],
        ],
        b: &[5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
        embedded: &[],
        dense: None,
        c: &[0.5 - SQRT_15 / 10.0, 0.5, 0.5 + SQRT_15 / 10.0],
        cite: "hairer2006",
    };
}
