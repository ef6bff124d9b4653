//! The isotropy of every space against its action, and which spaces are full.
use lieflow::action::isotropy::{fullness, is_full};
use lieflow::action::{
    Action, CoadjointAction, Conjugate, Embedded, Isotropy, Lifted, Link, PlaneMotion, Rotate,
    SpaceMotion, Symmetric, TangentSphere, Turn,
};
use lieflow::chart::Chart;
use lieflow::group::{AlgebraOf, LieAlgebra, LieGroup, PlanarTwist, Rn, Se3, Skew, So3, Twist};
use lieflow::kernel::so3;
use lieflow::{Vec3, vec3};

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Basis orthonormal, and its velocities zero; velocities, their derivatives and slopes against
/// differences of the action.
fn check<A: Isotropy>(y: &A::Point, u: &AlgebraOf<A::Group>)
where
    A::Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>,
{
    let n = A::ambient(y);
    let read = |y: &A::Point| {
        let mut x = vec![0.0; n];
        A::read(y, &mut x);
        x
    };
    let r = A::isotropy_dim(y);
    let mut basis = vec![u.zero_like(); r];
    let mut v = vec![0.0; n];
    for i in 0..r {
        A::isotropy(y, i, &mut basis[i]);
        A::velocity(&basis[i], y, &mut v);
        assert!(v.iter().all(|x| x.abs() < 2e-15), "{v:?}");
        for j in 0..=i {
            let want = if i == j { 1.0 } else { 0.0 };
            assert!((basis[i].dot(&basis[j]) - want).abs() < 2e-15);
        }
    }
    let moved = |e: f64, y: &A::Point| {
        let mut eu = u.zero_like();
        eu.assign(e, u);
        let mut out = y.clone();
        A::advance(Chart::Exp, &eu, y, &mut out);
        out
    };
    let e = 1e-4;
    let (ahead, behind) = (read(&moved(e, y)), read(&moved(-e, y)));
    A::velocity(u, y, &mut v);
    for k in 0..n {
        let slope = (ahead[k] - behind[k]) / (2.0 * e);
        assert!((slope - v[k]).abs() < 1e-7, "{k}: {slope} {}", v[k]);
    }
    // Second derivative: gamma(u) along gamma(u)(y).
    let mut w = vec![0.0; n];
    A::linear(u, y, &v, &mut w);
    let here = read(y);
    for k in 0..n {
        let second = (ahead[k] - 2.0 * here[k] + behind[k]) / (e * e);
        assert!((second - w[k]).abs() < 1e-6, "{k}: {second} {}", w[k]);
    }
    let mut copy = moved(0.3, y);
    A::write(&here, &mut copy);
    assert_eq!(read(&copy), here);
    // Without its isotropy part a generator has the same velocity.
    let mut plain = u.clone();
    A::orthogonalise(y, &mut plain);
    let mut same = vec![0.0; n];
    A::velocity(&plain, y, &mut same);
    assert!(v.iter().zip(&same).all(|(a, b)| (a - b).abs() < 3e-15));
    for z in &basis {
        assert!(z.dot(&plain).abs() < 3e-15);
    }
    let gradient: Vec<f64> = (0..n).map(|k| 0.3 + 0.2 * k as f64).collect();
    let mut bends = vec![0.0; r];
    A::linear_slopes(y, u, &v, &gradient, &mut bends);
    for (z, bend) in basis.iter().zip(bends) {
        A::linear(z, y, &v, &mut same);
        assert!((dot(&gradient, &same) - bend).abs() < 1e-14);
    }
    for chart in [Chart::Exp, Chart::Cayley, Chart::SecondKind] {
        let mut end = y.clone();
        A::advance(chart, u, y, &mut end);
        let mut slopes = vec![0.0; r];
        A::slopes(chart, u, y, &end, &gradient, &mut slopes);
        for i in 0..r {
            let value = |e: f64| {
                let mut z = vec![0.0; r];
                z[i] = e;
                let mut shifted = u.clone();
                A::add_isotropy(y, &z, &mut shifted);
                let mut out = y.clone();
                A::advance(chart, &shifted, y, &mut out);
                dot(&gradient, &read(&out))
            };
            let slope = (value(e) - value(-e)) / (2.0 * e);
            assert!((slope - slopes[i]).abs() < 1e-7, "{chart:?}: {slope} {}", slopes[i]);
        }
    }
}

fn skew<const N: usize>(seed: f64) -> Skew<f64, N> {
    let mut u = Skew::zero();
    for i in 0..u.dim() {
        u.set_coord(i, 0.4 * (seed + 2.1 * i as f64).sin());
    }
    u
}

fn point<const N: usize>(seed: f64) -> Rn<f64, N> {
    Rn(std::array::from_fn(|i| (seed + 1.7 * i as f64).cos()))
}

/// A symmetric matrix with these eigenvalues, turned.
fn symmetric<const N: usize>(values: [f64; N]) -> Symmetric<f64, N> {
    let mut m = [[0.0; N]; N];
    for i in 0..N {
        m[i][i] = values[i];
    }
    let mut out = Symmetric::from_matrix(&m);
    Conjugate::advance(Chart::Exp, &skew(0.9), &Symmetric::from_matrix(&m), &mut out);
    out
}

#[test]
fn every_space_agrees_with_its_action() {
    let (a, b) = (vec3(0.4, -0.7, 0.5), vec3(-0.3, 0.2, 0.6));
    let m = vec3(0.48, -0.6, 0.64) * 1.7;
    check::<Turn<f64>>(&m, &a);
    check::<CoadjointAction<So3<f64>>>(&m, &a);
    check::<CoadjointAction<Se3<f64>>>(&Twist::new(m, b), &Twist::new(a, b));
    let q = vec3(0.48, -0.6, 0.64);
    let link = Link::new(q, q.cross(b));
    check::<TangentSphere<f64>>(&link, &Twist::new(a, b));
    check::<Lifted<f64>>(&link, &(a, Rn([0.1, 0.2, -0.3])));
    check::<Embedded<f64>>(&link, &Rn([0.1, 0.2, -0.3, 0.4, 0.5, -0.6]));
    check::<(Turn<f64>, TangentSphere<f64>)>(&(m, link), &(b, Twist::new(a, b)));
    check::<[Turn<f64>; 3]>(&[m, q, a], &[a, b, q]);
    check::<Vec<Turn<f64>>>(&vec![m, q, a], &vec![a, b, q]);
    check::<PlaneMotion<f64>>(&Rn([0.7, -1.2]), &PlanarTwist::new(0.3, [0.5, -0.4]));
    for x in [m, -m, Vec3::zero(), vec3(0.0, 0.0, -2.0)] {
        check::<SpaceMotion<f64>>(&x, &Twist::new(a, b));
    }
    check::<Rotate<f64, 3>>(&point(0.3), &skew(0.2));
    check::<Rotate<f64, 4>>(&point(2.9), &skew(0.2));
    check::<Rotate<f64, 5>>(&point(0.3), &skew(1.2));
    check::<Rotate<f64, 4>>(&Rn([-2.0, 0.0, 0.0, 0.0]), &skew(1.2));
    check::<Conjugate<f64, 3>>(&symmetric([2.0, 0.5, 0.5]), &skew(0.2));
    check::<Conjugate<f64, 4>>(&symmetric([2.0, 0.5, 0.5, 0.5]), &skew(0.2));
    check::<Conjugate<f64, 4>>(&symmetric([2.0, 2.0, 0.5, 0.5]), &skew(0.4));
    check::<Conjugate<f64, 3>>(&symmetric([2.0, 0.5, 1.5]), &skew(0.2));
}

#[test]
fn points_without_a_direction_give_zero_and_no_nan() {
    let zero = Vec3::<f64>::zero();
    let mut out = vec3(1.0, 2.0, 3.0);
    Turn::isotropy(&zero, 0, &mut out);
    assert_eq!(out, zero);
    let mut out = Twist::new(zero, zero);
    for i in 0..2 {
        CoadjointAction::<Se3<f64>>::isotropy(&Twist::new(zero, zero), i, &mut out);
        assert_eq!((out.angular, out.linear), (zero, zero));
    }
    let mut out = vec3(1.0, 2.0, 3.0);
    assert_eq!(Turn::align(&zero, &[0.0; 3], &[1.0; 3], &mut out), 1);
    assert_eq!(out, vec3(1.0, 2.0, 3.0));
    let mut out = skew::<4>(0.3);
    let before = out;
    assert_eq!(Rotate::align(&point::<4>(0.3), &[0.0; 4], &[1.0; 4], &mut out), 1);
    assert_eq!(out, before);
    let y = symmetric([2.0, 0.5, 0.5]);
    let mut out = skew::<3>(0.3);
    let before = out;
    assert_eq!(Conjugate::align(&y, &[0.0; 9], &[1.0; 9], &mut out), 1);
    assert_eq!(out, before);
    // A frame at a vanishing vector.
    let mut out = skew::<4>(0.3);
    Rotate::isotropy(&Rn([0.0; 4]), 0, &mut out);
    assert!(out.finite());
}

/// su(n): traceless antihermitian matrices, over an orthonormal basis of real and imaginary parts.
#[derive(Clone, Debug)]
struct Su<const N: usize> {
    re: [[f64; N]; N],
    im: [[f64; N]; N],
}

impl<const N: usize> Su<N> {
    fn zero() -> Self {
        Self { re: [[0.0; N]; N], im: [[0.0; N]; N] }
    }
    /// The planes `i < j` in order.
    fn plane(k: usize) -> (usize, usize) {
        let mut left = k;
        for i in 0..N {
            if left < N - 1 - i {
                return (i, i + 1 + left);
            }
            left -= N - 1 - i;
        }
        panic!("no such plane");
    }
    const PLANES: usize = N * (N - 1) / 2;
}

impl<const N: usize> LieAlgebra for Su<N> {
    type Scalar = f64;
    fn dim(&self) -> usize {
        N * N - 1
    }
    fn coord(&self, k: usize) -> f64 {
        if k < 2 * Self::PLANES {
            let (i, j) = Self::plane(k / 2);
            if k.is_multiple_of(2) { self.re[i][j] } else { self.im[i][j] }
        } else {
            // i diag(1, …, 1, -l, 0, …) normalised.
            let l = k - 2 * Self::PLANES + 1;
            let scale = 1.0 / ((l * (l + 1)) as f64).sqrt();
            let sum: f64 = (0..l).map(|i| self.im[i][i]).sum();
            (sum - l as f64 * self.im[l][l]) * scale
        }
    }
    fn set_coord(&mut self, k: usize, value: f64) {
        let change = value - self.coord(k);
        if k < 2 * Self::PLANES {
            let (i, j) = Self::plane(k / 2);
            if k.is_multiple_of(2) {
                self.re[i][j] += change;
                self.re[j][i] -= change;
            } else {
                self.im[i][j] += change;
                self.im[j][i] += change;
            }
        } else {
            let l = k - 2 * Self::PLANES + 1;
            let scale = 1.0 / ((l * (l + 1)) as f64).sqrt();
            for i in 0..l {
                self.im[i][i] += change * scale;
            }
            self.im[l][l] -= change * scale * l as f64;
        }
    }
    fn zero_like(&self) -> Self {
        Self::zero()
    }
    fn assign(&mut self, a: f64, x: &Self) {
        *self = Self::zero();
        self.axpy(a, x);
    }
    fn axpy(&mut self, a: f64, x: &Self) {
        for i in 0..N {
            for j in 0..N {
                self.re[i][j] += a * x.re[i][j];
                self.im[i][j] += a * x.im[i][j];
            }
        }
    }
    fn bracket(&self, x: &Self) -> Self {
        let mut out = Self::zero();
        for i in 0..N {
            for j in 0..N {
                for k in 0..N {
                    let (a, b, p, q) = (self.re[i][k], self.im[i][k], x.re[k][j], x.im[k][j]);
                    out.re[i][j] += a * p - b * q;
                    out.im[i][j] += a * q + b * p;
                    let (a, b, p, q) = (x.re[i][k], x.im[i][k], self.re[k][j], self.im[k][j]);
                    out.re[i][j] -= a * p - b * q;
                    out.im[i][j] -= a * q + b * p;
                }
            }
        }
        out
    }
}

/// The isotropy of the first axis in CP^(N-1): s(u(1) + u(N-1)), all planes that avoid it.
fn projective<const N: usize>() -> (usize, usize, bool) {
    let like = Su::<N>::zero();
    let mut basis = Vec::new();
    for k in 0..like.dim() {
        if k >= 2 * Su::<N>::PLANES || Su::<N>::plane(k / 2).0 > 0 {
            let mut z = Su::zero();
            z.set_coord(k, 1.0);
            basis.push(z);
        }
    }
    let found = fullness(&like, &basis);
    (found.algebra, found.isotropy, found.full)
}

/// The isotropy of a pair of orthonormal vectors of R⁴ under SO(4): turns of the other two axes.
fn stiefel() -> (usize, usize, bool) {
    let mut m = [[0.0; 4]; 4];
    (m[2][3], m[3][2]) = (-1.0, 1.0);
    let z = Skew::<f64, 4>::from_matrix(&m);
    let found = fullness(&z, &[z]);
    (found.algebra, found.isotropy, found.full)
}

#[test]
fn fullness_of_the_known_spaces() {
    fn of<A: Isotropy>(y: &A::Point, u: &AlgebraOf<A::Group>) -> (usize, usize, bool)
    where
        A::Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>,
    {
        let found = is_full::<A>(y, u);
        assert_eq!(found.full, found.smallest == found.algebra);
        (found.algebra, found.isotropy, found.full)
    }
    let q = vec3(0.48, -0.6, 0.64);
    assert_eq!(of::<Turn<f64>>(&q, &q), (3, 1, true));
    assert_eq!(of::<Rotate<f64, 3>>(&point(0.3), &skew(0.0)), (3, 1, true));
    assert_eq!(of::<Rotate<f64, 4>>(&point(0.3), &skew(0.0)), (6, 3, true));
    assert_eq!(of::<Rotate<f64, 5>>(&point(0.3), &skew(0.0)), (10, 6, true));
    assert_eq!(of::<Rotate<f64, 6>>(&point(0.3), &skew(0.0)), (15, 10, true));
    assert_eq!(of::<Conjugate<f64, 3>>(&symmetric([2.0, 0.5, 0.5]), &skew(0.0)), (3, 1, true));
    assert_eq!(of::<Conjugate<f64, 4>>(&symmetric([2.0, 0.5, 0.5, 0.5]), &skew(0.0)), (6, 3, true));
    assert_eq!(
        of::<Conjugate<f64, 5>>(&symmetric([2.0, 0.5, 0.5, 0.5, 0.5]), &skew(0.0)),
        (10, 6, true)
    );
    assert_eq!(
        of::<Conjugate<f64, 4>>(&symmetric([2.0, 2.0, 0.5, 0.5]), &skew(0.0)),
        (6, 2, false)
    );
    assert_eq!(of::<Conjugate<f64, 3>>(&symmetric([2.0, 0.5, 1.5]), &skew(0.0)), (3, 0, false));
    assert_eq!(
        of::<Conjugate<f64, 4>>(&symmetric([2.0, 1.1, 0.5, 0.5]), &skew(0.0)),
        (6, 1, false)
    );
    assert_eq!(stiefel(), (6, 1, false));
    let twist = PlanarTwist::new(0.0, [0.0, 0.0]);
    assert_eq!(of::<PlaneMotion<f64>>(&Rn([0.7, -1.2]), &twist), (3, 1, true));
    let twist = Twist::new(q, q);
    assert_eq!(of::<SpaceMotion<f64>>(&q, &twist), (6, 3, true));
    assert_eq!(projective::<2>(), (3, 1, true));
    assert_eq!(projective::<3>(), (8, 4, true));
    assert_eq!(projective::<4>(), (15, 9, true));
    let p = so3::rotate(vec3(0.3, 0.9, -0.2), q);
    assert_eq!(of::<[Turn<f64>; 2]>(&[q, p], &[q, p]), (6, 2, false));
    assert_eq!(of::<Vec<Turn<f64>>>(&vec![q, p, q], &vec![q, p, q]), (9, 3, false));
}
