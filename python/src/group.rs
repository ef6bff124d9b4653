//! The maps of the groups and of S² over arrays: the closed forms of the kernel, four at a time.
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};
use lieflow_kernel::{Mat3, Quat, Real, Vec3, se2, se3, se23, sim3, so2, so3, vec3};
use numpy::{PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::marker::PhantomData;

/// The most numbers that a map takes or gives: a matrix of five rows.
const MOST: usize = 25;

/// A map of some numbers to some others.
trait Map: Send + Sync {
    const IN: usize;
    const OUT: usize;
    fn apply<S: Real>(x: &[S; MOST], y: &mut [S; MOST]);
}

/// The vector of the numbers from `i` on.
#[inline(always)]
fn v<S: Real>(x: &[S; MOST], i: usize) -> Vec3<S> {
    vec3(x[i], x[i + 1], x[i + 2])
}
/// The coordinates from `i` on.
#[inline(always)]
fn list<S: Real, const N: usize>(x: &[S; MOST], i: usize) -> [S; N] {
    let mut out = [S::zero(); N];
    let mut k = 0;
    while k < N {
        out[k] = x[i + k];
        k += 1;
    }
    out
}
/// A matrix by rows.
#[inline(always)]
fn rows<S: Real, const N: usize>(x: &[S; MOST]) -> [[S; N]; N] {
    let mut m = [[S::zero(); N]; N];
    let mut i = 0;
    while i < N {
        m[i] = list(x, N * i);
        i += 1;
    }
    m
}
#[inline(always)]
fn rotation<S: Real>(x: &[S; MOST]) -> Mat3<S> {
    Mat3::from_rows(v(x, 0), v(x, 3), v(x, 6))
}
/// What maps give, as numbers one after the other.
#[inline(always)]
fn m<S: Real>(m: Mat3<S>) -> [S; 9] {
    let [a, b, c] = m.rows;
    [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
}
#[inline(always)]
fn pair<S: Real>((a, b): (Vec3<S>, Vec3<S>)) -> [S; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}
/// A chart of motions, backwards.
#[inline(always)]
fn undone<S: Real>(x: &[S; MOST], back: fn(&Mat3<S>, Vec3<S>) -> (Vec3<S>, Vec3<S>)) -> [S; 6] {
    let (r, p) = se3::from_matrix(&rows(x));
    pair(back(&r, p))
}
#[inline(always)]
fn quat<S: Real>(q: Quat<S>) -> [S; 4] {
    [q.w, q.v.x, q.v.y, q.v.z]
}

/// The maps, each with the name that Python calls, how many numbers it takes and gives.
macro_rules! maps {
    ($($name:literal $type:ident $ins:literal => $outs:literal |$x:ident| $body:expr;)+) => {
        $(
            struct $type;
            impl Map for $type {
                const IN: usize = $ins;
                const OUT: usize = $outs;
                #[inline(always)]
                fn apply<S: Real>($x: &[S; MOST], y: &mut [S; MOST]) {
                    y[..$outs].copy_from_slice($body.as_ref());
                }
            }
        )+

        /// The map of this name on all rows, if there is one and the rows have its lengths.
        fn run(name: &str, x: (&[f64], usize), y: (&mut [f64], usize)) -> bool {
            match name {
                $($name => each::<$type>(x, y),)+
                _ => false,
            }
        }
    };
}

maps! {
    "so2.exp" TurnExp 1 => 4 |x| so2::matrix(so2::exp(x[0])).as_flattened();
    "so2.log" TurnLog 4 => 1 |x| [so2::log(so2::from_matrix(&rows(x)))];
    "se2.exp" PlaneExp 3 => 9 |x| se2::matrix(&se2::exp(list(x, 0))).as_flattened();
    "se2.log" PlaneLog 9 => 3 |x| se2::log(&se2::from_matrix(&rows(x)));
    "se2.ad" PlaneAd 6 => 3 |x| se2::ad(list(x, 0), list(x, 3));
    "se2.dexp" PlaneDexp 6 => 3 |x| se2::dexp(list(x, 0), list(x, 3));
    "se2.dexpinv" PlaneDexpinv 6 => 3 |x| se2::dexpinv(list(x, 0), list(x, 3));
    "so3.exp" Exp 3 => 9 |x| m(so3::exp(v(x, 0)));
    "so3.log" Log 9 => 3 |x| so3::log(&rotation(x)).to_array();
    "so3.quaternion" Quaternion 3 => 4 |x| quat(Quat::exp(v(x, 0)));
    "so3.from_quaternion" FromQuaternion 4 => 9 |x| m(Quat { w: x[0], v: v(x, 1) }.to_matrix());
    "so3.to_quaternion" ToQuaternion 9 => 4 |x| quat(Quat::from_matrix(&rotation(x)));
    "so3.cay" Cay 3 => 9 |x| m(so3::cay(v(x, 0)));
    "so3.cayinv" CayInverse 9 => 3 |x| so3::cay_inverse(&rotation(x)).to_array();
    "so3.ad" Ad 6 => 3 |x| so3::ad(v(x, 0), v(x, 3)).to_array();
    "so3.dexp" Dexp 6 => 3 |x| so3::dexp(v(x, 0), v(x, 3)).to_array();
    "so3.dexpinv" Dexpinv 6 => 3 |x| so3::dexpinv(v(x, 0), v(x, 3)).to_array();
    "so3.rotate" Rotate 6 => 3 |x| so3::rotate(v(x, 0), v(x, 3)).to_array();
    "so3.hat" Hat 3 => 9 |x| m(so3::hat(v(x, 0)));
    "so3.project" Project 9 => 9 |x| m(so3::polar_correction(&rotation(x)));
    "se3.exp" MotionExp 6 => 16 |x| se3::matrix(&se3::exp(v(x, 0), v(x, 3))).as_flattened();
    "se3.log" MotionLog 16 => 6 |x| undone(x, se3::log);
    "se3.cay" MotionCay 6 => 16 |x| se3::matrix(&se3::cay(v(x, 0), v(x, 3))).as_flattened();
    "se3.cayinv" MotionCayInverse 16 => 6 |x| undone(x, se3::cay_inverse);
    "se3.ad" MotionAd 12 => 6 |x| pair(se3::ad(v(x, 0), v(x, 3), v(x, 6), v(x, 9)));
    "se3.dexp" MotionDexp 12 => 6 |x| pair(se3::dexp(v(x, 0), v(x, 3), v(x, 6), v(x, 9)));
    "se3.dexpinv" MotionDexpinv 12 => 6 |x| pair(se3::dexpinv(v(x, 0), v(x, 3), v(x, 6), v(x, 9)));
    "se23.exp" PoseExp 9 => 25 |x| se23::matrix(&se23::exp(list(x, 0))).as_flattened();
    "se23.log" PoseLog 25 => 9 |x| se23::log(&se23::from_matrix(&rows(x)));
    "se23.ad" PoseAd 18 => 9 |x| se23::ad(list(x, 0), list(x, 9));
    "se23.dexp" PoseDexp 18 => 9 |x| se23::dexp(list(x, 0), list(x, 9));
    "se23.dexpinv" PoseDexpinv 18 => 9 |x| se23::dexpinv(list(x, 0), list(x, 9));
    "sim3.exp" ScaledExp 7 => 16 |x| sim3::matrix(&sim3::exp(list(x, 0))).as_flattened();
    "sim3.log" ScaledLog 16 => 7 |x| sim3::log(&sim3::from_matrix(&rows(x)));
    "sim3.ad" ScaledAd 14 => 7 |x| sim3::ad(list(x, 0), list(x, 7));
    "sim3.dexp" ScaledDexp 14 => 7 |x| sim3::dexp(list(x, 0), list(x, 7));
    "sim3.dexpinv" ScaledDexpinv 14 => 7 |x| sim3::dexpinv(list(x, 0), list(x, 7));
    // The geodesic from q with the velocity v turns q by the vector q × v.
    "s2.exp" SphereExp 6 => 3 |x| so3::rotate(v(x, 0).cross(v(x, 3)), v(x, 0)).to_array();
}

/// A map on each of many.
struct Each<'a, M> {
    x: &'a [f64],
    y: &'a mut [f64],
    map: PhantomData<M>,
}

impl<M: Map> VectorWork for Each<'_, M> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let wide = if V::WIDTH == 4 { self.x.len() / (4 * M::IN) * 4 } else { 0 };
        let (x, x_rest) = self.x.split_at(wide * M::IN);
        let (y, y_rest) = self.y.split_at_mut(wide * M::OUT);
        for (x, y) in x.chunks_exact(4 * M::IN).zip(y.chunks_exact_mut(4 * M::OUT)) {
            let zero = V::pack([0.0; 4]);
            let (mut a, mut b) = ([zero; MOST], [zero; MOST]);
            for i in 0..M::IN {
                a[i] = V::pack([x[i], x[M::IN + i], x[2 * M::IN + i], x[3 * M::IN + i]]);
            }
            M::apply(&a, &mut b);
            for i in 0..M::OUT {
                let four = V::unpack(b[i]);
                (0..4).for_each(|k| y[k * M::OUT + i] = four[k]);
            }
        }
        for (x, y) in x_rest.chunks_exact(M::IN).zip(y_rest.chunks_exact_mut(M::OUT)) {
            let (mut a, mut b) = ([0.0; MOST], [0.0; MOST]);
            a[..M::IN].copy_from_slice(x);
            M::apply(&a, &mut b);
            y.copy_from_slice(&b[..M::OUT]);
        }
    }
}

fn each<M: Map>((x, ins): (&[f64], usize), (y, outs): (&mut [f64], usize)) -> bool {
    let fits = ins == M::IN && outs == M::OUT && x.len() / ins == y.len() / outs;
    if fits {
        run_vectorised::<f64, _>(Each::<M> { x, y, map: PhantomData });
    }
    fits
}

/// A map of the groups by its name, from the rows of one contiguous array to those of another.
#[pyfunction]
pub fn group(
    py: Python<'_>,
    name: &str,
    x: PyReadonlyArray2<'_, f64>,
    mut y: PyReadwriteArray2<'_, f64>,
) -> PyResult<()> {
    let (ins, outs) = (x.shape()[1], y.shape()[1]);
    let (x, y) = (x.as_slice()?, y.as_slice_mut()?);
    if py.detach(|| run(name, (x, ins), (y, outs))) {
        return Ok(());
    }
    let text = format!("{name}: found rows of {ins} and {outs} numbers, which it does not map");
    Err(pyo3::exceptions::PyValueError::new_err(text))
}
