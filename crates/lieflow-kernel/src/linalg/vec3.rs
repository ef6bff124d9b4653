//! Vectors of R³, which are also the coordinates of so(3).
use crate::scalar::Real;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A formula: where vectors are [called](Real::VECTORS_CALLED), in a function of its own.
macro_rules! formula {
    (($($x:ident: $type:ty $(= $value:expr)?),*) -> $out:ty { $($body:tt)* }) => {{
        $($(let $x = $value;)?)*
        if const { S::VECTORS_CALLED } {
            #[inline(never)]
            fn called<S: Real>($($x: $type),*) -> $out { $($body)* }
            called($($x),*)
        } else {
            $($body)*
        }
    }};
}
pub(super) use formula;

/// A vector with three components.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Vec3<S> {
    /// First component.
    pub x: S,
    /// Second component.
    pub y: S,
    /// Third component.
    pub z: S,
}

/// The vector `(x, y, z)`.
#[inline(always)]
pub const fn vec3<S>(x: S, y: S, z: S) -> Vec3<S> {
    Vec3 { x, y, z }
}

impl<S: Real> Vec3<S> {
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        vec3(S::zero(), S::zero(), S::zero())
    }
    /// A vector of `f64` in this scalar.
    #[inline(always)]
    pub fn lift(v: Vec3<f64>) -> Self {
        vec3(S::lift(v.x), S::lift(v.y), S::lift(v.z))
    }
    /// The unit vector along axis `i` (0, 1 or 2; anything else gives axis 2).
    #[inline(always)]
    pub fn unit(i: usize) -> Self {
        let mut v = Self::zero();
        v.set(i, S::one());
        v
    }
    /// Component `i`; anything beyond 1 gives the third.
    #[inline(always)]
    pub fn get(&self, i: usize) -> S {
        match i {
            0 => self.x,
            1 => self.y,
            _ => self.z,
        }
    }
    /// Replaces component `i`; anything beyond 1 replaces the third.
    #[inline(always)]
    pub fn set(&mut self, i: usize, value: S) {
        match i {
            0 => self.x = value,
            1 => self.y = value,
            _ => self.z = value,
        }
    }
    /// The vector with `f` of each component.
    #[inline(always)]
    pub fn map<T: Real>(self, f: fn(S) -> T) -> Vec3<T> {
        vec3(f(self.x), f(self.y), f(self.z))
    }
    /// The components as an array.
    #[inline(always)]
    pub fn to_array(self) -> [S; 3] {
        [self.x, self.y, self.z]
    }
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> S {
        formula!((v: Vec3<S> = self, o: Vec3<S>) -> S { v.x * o.x + v.y * o.y + v.z * o.z })
    }
    /// Vector product, the bracket of so(3).
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        #[inline(never)]
        fn called<S: Real>(a: Vec3<S>, b: Vec3<S>) -> Vec3<S> {
            a.cross_inline(b)
        }
        if const { S::CALLED } { called(self, o) } else { self.cross_inline(o) }
    }
    #[inline(always)]
    fn cross_inline(self, o: Self) -> Self {
        vec3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
    /// Square of the Euclidean norm.
    #[inline(always)]
    pub fn norm_squared(self) -> S {
        self.dot(self)
    }
    /// Euclidean norm.
    #[inline(always)]
    pub fn norm(self) -> S {
        self.norm_squared().sqrt()
    }
    /// Product component by component.
    #[inline(always)]
    pub fn scaled_by(self, o: Self) -> Self {
        vec3(self.x * o.x, self.y * o.y, self.z * o.z)
    }
    /// Quotient component by component.
    #[inline(always)]
    pub fn divided_by(self, o: Self) -> Self {
        vec3(self.x / o.x, self.y / o.y, self.z / o.z)
    }
    /// This vector times a number of its own scalar.
    #[inline(always)]
    pub fn times(self, a: S) -> Self {
        formula!((v: Vec3<S> = self, a: S) -> Vec3<S> { vec3(v.x * a, v.y * a, v.z * a) })
    }
    /// Whether every component is finite, per lane.
    #[inline(always)]
    pub fn finite(self) -> S::Mask {
        use crate::scalar::Mask;
        self.x.finite().and(self.y.finite()).and(self.z.finite())
    }
    /// `a` where the mask is true, `b` elsewhere.
    #[inline(always)]
    pub fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        formula!((mask: S::Mask, a: Vec3<S>, b: Vec3<S>) -> Vec3<S> {
            vec3(S::select(mask, a.x, b.x), S::select(mask, a.y, b.y), S::select(mask, a.z, b.z))
        })
    }
    /// Lane number `i`.
    #[inline(always)]
    pub fn lane(self, i: usize) -> Vec3<S::Lane> {
        vec3(self.x.lane(i), self.y.lane(i), self.z.lane(i))
    }
    /// Replaces lane number `i`.
    #[inline(always)]
    pub fn set_lane(&mut self, i: usize, v: Vec3<S::Lane>) {
        self.x.set_lane(i, v.x);
        self.y.set_lane(i, v.y);
        self.z.set_lane(i, v.z);
    }
    /// Euclidean norm over the largest lanes, for tolerances and messages.
    #[inline]
    pub fn magnitude(self) -> f64 {
        self.norm().magnitude()
    }
}

impl<S: Copy> From<[S; 3]> for Vec3<S> {
    #[inline(always)]
    fn from(v: [S; 3]) -> Self {
        vec3(v[0], v[1], v[2])
    }
}
impl<S: Real> Add for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        formula!((v: Vec3<S> = self, o: Vec3<S>) -> Vec3<S> { vec3(v.x + o.x, v.y + o.y, v.z + o.z) })
    }
}
impl<S: Real> Sub for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        formula!((v: Vec3<S> = self, o: Vec3<S>) -> Vec3<S> { vec3(v.x - o.x, v.y - o.y, v.z - o.z) })
    }
}
impl<S: Real> Neg for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        formula!((v: Vec3<S> = self) -> Vec3<S> { vec3(-v.x, -v.y, -v.z) })
    }
}
impl<S: Real> Mul<f64> for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, a: f64) -> Self {
        formula!((v: Vec3<S> = self, a: f64) -> Vec3<S> { vec3(v.x * a, v.y * a, v.z * a) })
    }
}
impl<S: Real> AddAssign for Vec3<S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<S: Real> SubAssign for Vec3<S> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
