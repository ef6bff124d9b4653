//! Isotropy: the part of the algebra that leaves a point where it is.
//!
//! On a homogeneous manifold many elements of the algebra give the same velocity at a point `y`;
//! they differ by the isotropy algebra `g_y = { z : gamma(z)(y) = 0 }`. Methods may choose among
//! them (see [`method::isotropy`](crate::method::isotropy)); here is what they ask of an action.
//!
//! Actions here are linear or affine in a vector space around the manifold, so that velocities and
//! their derivatives are lists of coordinates.
use super::Action;
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup, ScalarOf};
use lieflow_kernel::{Mask, Real};

mod fullness;
mod least_squares;
mod motions;
mod product;
mod rotations;
mod spaces;

pub use fullness::{Fullness, fullness, is_full};
pub(crate) use least_squares::dot;
use least_squares::null_space;
pub use least_squares::{MOST_ROWS, least_norm, least_squares};

/// Squares of lengths below this count as zero: there, quotients have no digits left.
pub(crate) const TINY: f64 = f64::MIN_POSITIVE;

/// A velocity `u q` of a rotation counts as zero when its square is below this fraction of
/// `|u|² |q|²`: it is the rounding of products that cancel.
pub(crate) const NOISE: f64 = 16.0 * f64::EPSILON * f64::EPSILON;

/// Singular values below this fraction of the largest count as zero.
pub const CUT: f64 = 1e-9;

/// The scalar of an action.
type Scalar<A> = ScalarOf<<A as Action>::Group>;
/// The algebra of an action.
type Algebra<A> = AlgebraOf<<A as Action>::Group>;

/// An action, linear or affine in a space around the manifold, whose isotropy is known.
pub trait Isotropy: Action {
    /// Number of coordinates of the space around the manifold.
    fn ambient(y: &Self::Point) -> usize;
    /// The coordinates of a point.
    fn read(y: &Self::Point, out: &mut [Scalar<Self>]);
    /// Moves a point to these coordinates.
    fn write(x: &[Scalar<Self>], y: &mut Self::Point);

    /// `gamma(u)(y)`: the velocity of `y` under the one-parameter group of `u`.
    fn velocity(u: &Algebra<Self>, y: &Self::Point, out: &mut [Scalar<Self>]);
    /// The derivative of `gamma(u)` in the direction `w`, which has the coordinates of a velocity.
    /// The point `y` only says what shape things have.
    fn linear(u: &Algebra<Self>, y: &Self::Point, w: &[Scalar<Self>], out: &mut [Scalar<Self>]);

    /// Number of directions that [`Isotropy::isotropy`] gives at `y`.
    fn isotropy_dim(y: &Self::Point) -> usize;
    /// Direction `i` of an orthonormal basis of the isotropy algebra at `y`. At points where the
    /// algebra is larger than elsewhere, directions of a part of it, or zero.
    fn isotropy(y: &Self::Point, i: usize, out: &mut Algebra<Self>);

    /// `out += sum_i z_i Z_i`.
    fn add_isotropy(y: &Self::Point, z: &[Scalar<Self>], out: &mut Algebra<Self>) {
        let mut direction = out.zero_like();
        for (i, z) in z.iter().enumerate().take(Self::isotropy_dim(y)) {
            Self::isotropy(y, i, &mut direction);
            add(out, *z, &direction);
        }
    }

    /// Takes the isotropy part off a generator. Where what is left is only rounding, nothing is:
    /// a point that rests should not be moved about by noise.
    fn orthogonalise(y: &Self::Point, out: &mut Algebra<Self>) {
        let mut direction = out.zero_like();
        for i in 0..Self::isotropy_dim(y) {
            Self::isotropy(y, i, &mut direction);
            let along = out.dot(&direction);
            add(out, -along, &direction);
        }
    }

    /// Adds to `out` the smallest isotropy element `z` for which `linear(z, x)` is as close as it
    /// can be to `b`, up to a multiple of `x`; `x` and `b` have the coordinates of velocities.
    /// On a product this is done for every factor. Returns in how many factors nothing could be
    /// done because `x` vanishes there (in a pack of lanes: in some lane).
    ///
    /// This is the equation behind every correction of an orbit (Lewis and Olver 2001, sections 3
    /// and 6): where it has an exact solution, the isotropy is full and the orbit gains an order.
    fn align(
        y: &Self::Point,
        x: &[Scalar<Self>],
        b: &[Scalar<Self>],
        out: &mut Algebra<Self>,
    ) -> usize {
        let (n, r) = (x.len(), Self::isotropy_dim(y));
        let zero = Scalar::<Self>::zero();
        let speed2 = dot(x, x);
        let moving = Scalar::<Self>::lift(TINY).lt(speed2);
        if !moving.any() {
            return 1;
        }
        let over =
            Scalar::<Self>::one() / Scalar::<Self>::select(moving, speed2, Scalar::<Self>::one());
        // Everything is taken orthogonal to x: an error along the orbit does no harm.
        let across = |v: &mut [Scalar<Self>]| {
            let along = dot(v, x) * over;
            for (v, x) in v.iter_mut().zip(x) {
                *v -= along * *x;
            }
        };
        let mut columns = vec![zero; n * r];
        let mut direction = out.zero_like();
        for (i, column) in columns.chunks_mut(n).enumerate() {
            Self::isotropy(y, i, &mut direction);
            Self::linear(&direction, y, x, column);
            across(column);
        }
        let mut side = b.to_vec();
        across(&mut side);
        let mut z = vec![zero; r];
        least_squares(n, &mut columns, &side, CUT, &mut z);
        for z in &mut z {
            *z = Scalar::<Self>::select(moving, *z, zero);
        }
        Self::add_isotropy(y, &z, out);
        usize::from(!moving.all())
    }

    /// `out_i = <gradient, d/dz_i phi(u + sum z_j Z_j)·from>` at `z = 0`, for the basis at `y`;
    /// `end = phi(u)·from` and `gradient` is a covector at `end`.
    fn slopes(
        chart: Chart,
        u: &Algebra<Self>,
        y: &Self::Point,
        end: &Self::Point,
        gradient: &[Scalar<Self>],
        out: &mut [Scalar<Self>],
    ) {
        let mut direction = u.zero_like();
        let mut velocity = vec![Scalar::<Self>::zero(); gradient.len()];
        for (i, slope) in out.iter_mut().enumerate().take(Self::isotropy_dim(y)) {
            Self::isotropy(y, i, &mut direction);
            Self::Group::push(chart, u, &mut direction);
            Self::velocity(&direction, end, &mut velocity);
            *slope = dot(gradient, &velocity);
        }
    }

    /// `out_i = <gradient, linear(Z_i, x)>` for the basis at `y` and a velocity `x`.
    fn linear_slopes(
        y: &Self::Point,
        like: &Algebra<Self>,
        x: &[Scalar<Self>],
        gradient: &[Scalar<Self>],
        out: &mut [Scalar<Self>],
    ) {
        let mut direction = like.zero_like();
        let mut bent = vec![Scalar::<Self>::zero(); gradient.len()];
        for (i, slope) in out.iter_mut().enumerate().take(Self::isotropy_dim(y)) {
            Self::isotropy(y, i, &mut direction);
            Self::linear(&direction, y, x, &mut bent);
            *slope = dot(gradient, &bent);
        }
    }
}

/// `out += z x`, with a number of the algebra's own scalar.
#[inline(always)]
pub(crate) fn add<A: LieAlgebra>(out: &mut A, z: A::Scalar, x: &A) {
    for i in 0..out.dim() {
        out.set_coord(i, out.coord(i) + z * x.coord(i));
    }
}
