//! A zero of a function of one variable between two points of opposite sign.
//!
//! Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse quadratic
//! interpolation where the three last points make it trustworthy, bisection elsewhere.

/// More halvings than a bracket of two `f64` can take.
const ITERATIONS: u32 = 2200;

/// A zero of `f` between `a.0` and `b.0`, where `f` has the values `a.1` and `b.1` of opposite sign.
/// The bracket shrinks below `tolerance`, or to neighbouring numbers; of its ends the one with the
/// smaller value is returned, with that value.
pub fn find_root<E>(
    mut f: impl FnMut(f64) -> Result<f64, E>,
    mut a: (f64, f64),
    mut b: (f64, f64),
    tolerance: f64,
) -> Result<(f64, f64), E> {
    let mut fraction: f64 = 0.5;
    for _ in 0..ITERATIONS {
        let best = if a.1.abs() <= b.1.abs() { a } else { b };
        let width = (b.0 - a.0).abs();
        let fine = 0.5 * tolerance + f64::EPSILON * best.0.abs();
        if best.1 == 0.0 || width <= 2.0 * fine {
            return Ok(best);
        }
        let limit = fine / width;
        let x = a.0 + (b.0 - a.0) * fraction.clamp(limit, 1.0 - limit);
        let new = (x, f(x)?);
        // `a` is the newest point, `b` the other end of the bracket, `c` the one given up.
        let c;
        if (new.1 > 0.0) == (a.1 > 0.0) {
            c = a;
        } else {
            (c, b) = (b, a);
        }
        a = new;
        let xi = (a.0 - b.0) / (c.0 - b.0);
        let phi = (a.1 - b.1) / (c.1 - b.1);
        fraction = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            a.1 / (b.1 - a.1) * (c.1 / (b.1 - c.1))
                + (c.0 - a.0) / (b.0 - a.0) * (a.1 / (c.1 - a.1)) * (b.1 / (c.1 - b.1))
        } else {
            0.5
        };
    }
    Ok(if a.1.abs() <= b.1.abs() { a } else { b })
}
