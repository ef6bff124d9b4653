//! What a one-step map on products of spheres keeps, measured: the symplectic form.
//!
//! ```text
//! W = sum_i dq_i ∧ dp_i        p_i = sum_j M_ij q_j'   from (q, w), the Lagrangian form on T(S²)ⁿ
//!                              p_i = pi_i × q_i        from (q, pi), the canonical form of T*(S²)ⁿ
//! ```
//!
//! The part of `p_i` along `q_i` does not matter, because `q_i·dq_i = 0`: both are one form. Tangent
//! vectors at a state are rotations of the pair `(q_i, w_i)` about axes orthogonal to `q_i`, and
//! changes of `w_i` orthogonal to `q_i`; what a step makes of them comes from dual numbers. States
//! that a method takes off the spheres still have these `q` and `p`, so the form can be asked for
//! everywhere; such a method does not keep it.
use crate::action::Link;
use crate::method::cotangent::structure::{Measured, Tangent};
use crate::method::{Method, Step, StepError};
use crate::problem::spheres::{SphereProblem, SphereSystem};
use lieflow_kernel::{Vec3, so3};

/// With more directions than this, so many of them are chosen.
pub(crate) const MOST_DIRECTIONS: usize = 128;

/// What a tangent vector does to the directions and the momenta.
type Column = Vec<(Vec3<f64>, Vec3<f64>)>;

/// `|W1(J a, J b) - W0(a, b)|` over all pairs of a basis of tangent vectors, relative to `|W0|`, for
/// a step from the state `y`. `lifted` is the system over dual numbers, and `method` a method for it.
pub fn symplectic_defect<Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    t: f64,
    h: f64,
    y: &[Link<f64>],
) -> Result<f64, StepError>
where
    Q: SphereProblem<System: SphereSystem<Scalar = Tangent>>,
{
    measured(lifted, method, t, h, y).map(|measured| measured.defect)
}

/// The same with its rounding.
pub fn measured<Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    t: f64,
    h: f64,
    y: &[Link<f64>],
) -> Result<Measured, StepError>
where
    Q: SphereProblem<System: SphereSystem<Scalar = Tangent>>,
{
    let all = 4 * y.len();
    let count = all.min(MOST_DIRECTIONS);
    let (mut before, mut after): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
    for k in 0..count {
        let mut start: Vec<Link<Tangent>> =
            y.iter().map(|l| Link::new(Vec3::lift(l.q), Vec3::lift(l.omega))).collect();
        // Spread over all links if not all directions are taken.
        let (i, kind) = (k * all / count / 4, k * all / count % 4);
        // Momenta have the size of masses.
        let size = if Q::MOMENTA { lifted.system().mass(i, i).re } else { 1.0 };
        start[i] = varied(y[i].q, start[i], kind, size);
        let mut end = start.clone();
        method.reset();
        method.step(Step::new(lifted, t, h, &start), &mut end)?;
        before.push(read(lifted, &start));
        after.push(read(lifted, &end));
    }
    method.reset();
    let (mut change, mut size) = (0.0, 0.0);
    for a in 0..count {
        for b in 0..count {
            let old = form(&before[a], &before[b]);
            change += (form(&after[a], &after[b]) - old).powi(2);
            size += old.powi(2);
        }
    }
    let stretch = |(q, p): &(Vec3<f64>, Vec3<f64>)| q.norm_squared() + p.norm_squared();
    let stretch: f64 = after.iter().flatten().map(stretch).sum();
    let rounding = f64::EPSILON * stretch / size.sqrt();
    Ok(Measured { defect: (change / size).sqrt(), rounding })
}

/// The link with its variation number `kind`: two rotations, then two changes of the second vector, of this size.
fn varied(q: Vec3<f64>, link: Link<Tangent>, kind: usize, size: f64) -> Link<Tangent> {
    let axis = across(q, kind % 2).times(if kind < 2 { 1.0 } else { size });
    let small = Vec3 {
        x: Tangent::variable(0.0) * axis.x,
        y: Tangent::variable(0.0) * axis.y,
        z: Tangent::variable(0.0) * axis.z,
    };
    if kind < 2 {
        Link::new(so3::rotate(small, link.q), so3::rotate(small, link.omega))
    } else {
        Link::new(link.q, link.omega + small)
    }
}

/// One of two unit vectors orthogonal to `q` and to each other.
pub(crate) fn across(q: Vec3<f64>, which: usize) -> Vec3<f64> {
    let away = if q.x.abs() < 0.7 { Vec3::unit(0) } else { Vec3::unit(1) };
    let first = q.cross(away);
    let first = first.times(1.0 / first.norm());
    if which == 0 { first } else { q.cross(first) }
}

/// The changes of `q` and `p`.
fn read<Q>(lifted: &Q, y: &[Link<Tangent>]) -> Column
where
    Q: SphereProblem<System: SphereSystem<Scalar = Tangent>>,
{
    let mut momenta = y.to_vec();
    if Q::MOMENTA {
        momenta.iter_mut().for_each(|l| l.omega = l.omega.cross(l.q));
    } else {
        lifted.system().momentum(y, &mut momenta);
    }
    let part = |v: Vec3<Tangent>| Vec3 { x: v.x.slope, y: v.y.slope, z: v.z.slope };
    y.iter().zip(&momenta).map(|(y, p)| (part(y.q), part(p.omega))).collect()
}

/// `sum_i dq_i ∧ dp_i` of two tangent vectors.
fn form(a: &[(Vec3<f64>, Vec3<f64>)], b: &[(Vec3<f64>, Vec3<f64>)]) -> f64 {
    a.iter().zip(b).map(|((q, p), (r, s))| q.dot(*s) - r.dot(*p)).sum()
}
