//! The inertia of a body about its fixed point.
use crate::linalg::{Mat3, Vec3, vec3};
use crate::scalar::{Mask, Real};

/// Whether two principal moments are equal, down to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// In no lane.
    Nowhere,
    /// In every lane, those across the principal axis of this number.
    About(usize),
    /// In some lanes, or about different axes.
    Somewhere,
}

/// The symmetry of a body with two equal moments.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry<S: Real> {
    /// The lanes with two equal moments.
    pub round: S::Mask,
    /// The unit vector of the axis, in the principal frame.
    pub axis: Vec3<S>,
    /// The inverse of the moment across the axis.
    pub across: S,
    /// By how much the inverse of the moment about the axis is larger.
    pub excess: S,
}

/// A symmetric positive definite inertia matrix, with its inverse and its principal frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<S> {
    round: Round,
    matrix: Mat3<S>,
    inverse: Mat3<S>,
    moments: Vec3<S>,
    inverse_moments: Vec3<S>,
    frame: Mat3<S>,
    diagonal: bool,
}

impl<S: Real> Inertia<S> {
    /// The body whose axes are principal axes, with these moments.
    #[inline]
    pub fn principal(moments: Vec3<S>) -> Self {
        let one = S::one();
        let inverse_moments = vec3(one / moments.x, one / moments.y, one / moments.z);
        Self {
            round: roundness(moments),
            matrix: Mat3::diagonal(moments),
            inverse: Mat3::diagonal(inverse_moments),
            moments,
            inverse_moments,
            frame: Mat3::identity(),
            diagonal: true,
        }
    }

    /// A body with this symmetric matrix (only its symmetric part is used).
    #[inline]
    pub fn full(matrix: &Mat3<S>) -> Self {
        Self::full_inline(matrix)
    }

    /// The same, always inlined.
    #[inline(always)]
    pub fn full_inline(matrix: &Mat3<S>) -> Self {
        let matrix = (*matrix + matrix.transpose()) * 0.5;
        let (moments, frame) = principal_frame(matrix);
        let one = S::one();
        Self {
            round: roundness(moments),
            matrix,
            inverse: matrix.inverse(),
            moments,
            inverse_moments: vec3(one / moments.x, one / moments.y, one / moments.z),
            frame,
            diagonal: false,
        }
    }

    /// The lanes in which the matrix is positive definite.
    #[inline]
    pub fn positive(&self) -> S::Mask {
        let zero = S::zero();
        let m = self.moments;
        zero.lt(m.x).and(zero.lt(m.y)).and(zero.lt(m.z)).and(m.finite())
    }
    /// `J`.
    #[inline(always)]
    pub fn matrix(&self) -> &Mat3<S> {
        &self.matrix
    }
    /// The principal moments, in the order of the axes of [`Inertia::frame`].
    #[inline(always)]
    pub fn moments(&self) -> Vec3<S> {
        self.moments
    }
    /// The inverses of the principal moments.
    #[inline(always)]
    pub fn inverse_moments(&self) -> Vec3<S> {
        self.inverse_moments
    }
    /// The rotation `Q` whose columns are the principal axes: `J = Q diag(moments) Qᵀ`.
    #[inline(always)]
    pub fn frame(&self) -> &Mat3<S> {
        &self.frame
    }
    /// Whether the axes of the body are principal axes.
    #[inline(always)]
    pub fn is_diagonal(&self) -> bool {
        self.diagonal
    }
    /// Whether two moments are equal.
    #[inline(always)]
    pub fn round(&self) -> Round {
        self.round
    }
    /// The symmetry; of no use in lanes without one.
    #[inline(always)]
    pub fn symmetry(&self) -> Symmetry<S> {
        if let Round::About(a) = self.round {
            return self.symmetry_about(a, S::Mask::splat(true));
        }
        let [about_x, about_y, about_z] = equalities(self.moments);
        let mut symmetry = self.symmetry_about(2, about_z);
        symmetry.with(about_z.not().and(about_y), self.symmetry_about(1, about_y));
        symmetry.with(symmetry.round.not().and(about_x), self.symmetry_about(0, about_x));
        symmetry
    }
    #[inline(always)]
    fn symmetry_about(&self, a: usize, round: S::Mask) -> Symmetry<S> {
        let i = self.inverse_moments;
        let across = i.get(if a == 0 { 1 } else { 0 });
        Symmetry { round, axis: Vec3::unit(a), across, excess: i.get(a) - across }
    }
    /// The momentum `J ω`.
    #[inline(always)]
    pub fn momentum(&self, omega: Vec3<S>) -> Vec3<S> {
        if self.diagonal { self.moments.scaled_by(omega) } else { self.matrix.apply(omega) }
    }
    /// The angular velocity `J⁻¹ Π`.
    #[inline(always)]
    pub fn velocity(&self, momentum: Vec3<S>) -> Vec3<S> {
        if self.diagonal {
            self.inverse_moments.scaled_by(momentum)
        } else {
            self.inverse.apply(momentum)
        }
    }
    /// The kinetic energy `Π·J⁻¹Π/2`.
    #[inline(always)]
    pub fn kinetic_energy(&self, momentum: Vec3<S>) -> S {
        momentum.dot(self.velocity(momentum)) * 0.5
    }
    /// `J + m`.
    #[inline(always)]
    pub fn plus(&self, m: &Mat3<S>) -> Mat3<S> {
        if !self.diagonal {
            return self.matrix + *m;
        }
        let mut sum = *m;
        sum.rows[0].x += self.moments.x;
        sum.rows[1].y += self.moments.y;
        sum.rows[2].z += self.moments.z;
        sum
    }
    /// `hat(a) J`.
    #[inline(always)]
    pub fn hat_times(&self, a: Vec3<S>) -> Mat3<S> {
        if self.diagonal {
            let (o, m) = (S::zero(), self.moments);
            Mat3::from_rows(
                vec3(o, -(a.z * m.y), a.y * m.z),
                vec3(a.z * m.x, o, -(a.x * m.z)),
                vec3(-(a.y * m.x), a.x * m.y, o),
            )
        } else {
            Mat3::hat(a).matmul(&self.matrix)
        }
    }
    /// The same body with every number replaced by `embed` of it.
    #[inline]
    pub fn lift<T: Real>(&self, embed: fn(S) -> T) -> Inertia<T> {
        let moments = self.moments.map(embed);
        Inertia {
            round: roundness(moments),
            matrix: self.matrix.map(embed),
            inverse: self.inverse.map(embed),
            moments,
            inverse_moments: self.inverse_moments.map(embed),
            frame: self.frame.map(embed),
            diagonal: self.diagonal,
        }
    }
}

impl<S: Real> Symmetry<S> {
    /// Replaces it in some lanes.
    #[inline(always)]
    fn with(&mut self, lanes: S::Mask, other: Self) {
        self.round = self.round.or(lanes);
        self.axis = Vec3::select(lanes, other.axis, self.axis);
        self.across = S::select(lanes, other.across, self.across);
        self.excess = S::select(lanes, other.excess, self.excess);
    }
}

/// Where the two moments other than the first, the second, the third are equal.
#[inline(always)]
fn equalities<S: Real>(m: Vec3<S>) -> [S::Mask; 3] {
    [equal(m.y, m.z), equal(m.x, m.z), equal(m.x, m.y)]
}

#[inline(always)]
fn equal<S: Real>(a: S, b: S) -> S::Mask {
    a.lt(b).or(b.lt(a)).not()
}

#[inline(always)]
fn roundness<S: Real>(moments: Vec3<S>) -> Round {
    let [x, y, z] = equalities(moments);
    if z.all() {
        Round::About(2)
    } else if y.all() {
        Round::About(1)
    } else if x.all() {
        Round::About(0)
    } else if x.or(y).or(z).any() {
        Round::Somewhere
    } else {
        Round::Nowhere
    }
}

/// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations, eight sweeps of which
/// reach rounding level for any 3×3 matrix. The frame is a rotation.
#[inline(always)]
fn principal_frame<S: Real>(matrix: Mat3<S>) -> (Vec3<S>, Mat3<S>) {
    let mut a = [matrix.rows[0].to_array(), matrix.rows[1].to_array(), matrix.rows[2].to_array()];
    let (o, e) = (S::zero(), S::one());
    let mut q = [[e, o, o], [o, e, o], [o, o, e]];
    let mut sweep = 0;
    while sweep < 8 {
        let mut k = 0;
        while k < 3 {
            let (i, j, l) = [(0, 1, 2), (0, 2, 1), (1, 2, 0)][k];
            let (t, c, s) = rotation(a[i][i], a[j][j], a[i][j]);
            let shift = t * a[i][j];
            a[i][i] -= shift;
            a[j][j] += shift;
            a[i][j] = o;
            a[j][i] = o;
            let (p, r) = (a[i][l], a[j][l]);
            a[i][l] = c * p - s * r;
            a[j][l] = s * p + c * r;
            a[l][i] = a[i][l];
            a[l][j] = a[j][l];
            let mut row = 0;
            while row < 3 {
                let (p, r) = (q[row][i], q[row][j]);
                q[row][i] = c * p - s * r;
                q[row][j] = s * p + c * r;
                row += 1;
            }
            k += 1;
        }
        sweep += 1;
    }
    let frame = Mat3::from_rows(q[0].into(), q[1].into(), q[2].into());
    (vec3(a[0][0], a[1][1], a[2][2]), frame)
}

/// Tangent, cosine and sine of the rotation that makes the entry `off` vanish.
#[inline(always)]
fn rotation<S: Real>(first: S, second: S, off: S) -> (S, S, S) {
    let nothing = S::zero().lt(off.abs()).not();
    let divisor = S::select(nothing, S::one(), off);
    let theta = (second - first) / (divisor * 2.0);
    let size = theta.abs() + (theta * theta + S::one()).sqrt();
    let t = S::select(theta.lt(S::zero()), -S::one(), S::one()) / size;
    let t = S::select(nothing, S::zero(), t);
    let c = S::one() / (t * t + S::one()).sqrt();
    (t, c, t * c)
}
