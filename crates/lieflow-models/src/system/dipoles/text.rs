//! An array of magnets in formulas.
use super::super::law_table::{LawTable, definitions};
use super::{Dipoles, MAGNETIC_CONSTANT};
use crate::formulas::{Equations, Motion, Values};
use lieflow_formula::Kind;

/// Larger arrays are not written out: they have too many pairs.
const LARGEST: usize = 64;

/// The numbers of an array by the names that formulas use.
pub(super) fn values<'a>(array: &Dipoles<f64>, moment: f64) -> Values<'a> {
    let mut values = Values::default();
    let positions: Vec<f64> = array.positions.iter().flat_map(|p| p.to_array()).collect();
    values.push("positions", Kind::Vector.list(array.positions.len()), None, &positions);
    values.push("moment", Kind::Number, None, &[moment]);
    values.push("inertia", Kind::Number, None, &array.inertias[..1]);
    values
}

/// The array in formulas.
pub(super) fn equations(law: &LawTable<'_>, values: &Values<'_>, n: usize) -> Equations {
    let mut equations = law.equations_of_links(values, n);
    if n > LARGEST {
        return equations;
    }
    let r = "(positions[j_] - positions[i_])";
    let strength = format!("{MAGNETIC_CONSTANT:e}*moment^2/norm{r}^3");
    let pair =
        format!("{strength}*(dot(q[i_], q[j_]) - 3*dot(q[i_], {r})*dot(q[j_], {r})/square({r}))");
    let pairs = format!("sum(i_, 1, n - 1, sum(j_, i_ + 1, n, {pair}))");
    // Names with a line at their end are not those of a user.
    equations.definitions = definitions([
        ("potential_", &format!("{} + {pairs}", law.term("0"))),
        ("kinetic_", "sum(k_, 1, n, 0.5*inertia*square(cross(w[k_], q[k_])))"),
        ("potential", "potential_"),
        ("kinetic", "kinetic_"),
        ("energy", "kinetic_ + potential_"),
    ]);
    equations.motion = vec![
        ("q".into(), Motion::Turn("w[i]".into())),
        ("w".into(), Motion::Shift("cross(grad(potential_, q[i]), q[i])/inertia".into())),
    ];
    equations
}
