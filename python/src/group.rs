//! The maps of SO(3), SE(3) and S² over arrays: the closed forms of the kernel, four at a time.
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};
use lieflow_kernel::{Mat3, Quat, Real, Vec3, se3, so3, vec3};
use numpy::{PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::marker::PhantomData;

/// The most numbers that a map takes or gives.
const MOST: usize = 16;

/// A map of some numbers to some others.
trait Map: Send + Sync {
    const IN: usize;
    const OUT: usize;
    fn apply<S: Real>(x: &[S; MOST], y: &mut [S; MOST]);
}

#[inline(always)]
fn vector<S: Real>(x: &[S; MOST], i: usize) -> Vec3<S> {
    vec3(x[i], x[i + 1], x[i + 2])
}

/// The rotation in a matrix with rows of this length.
#[inline(always)]
fn matrix<S: Real>(x: &[S; MOST], row: usize) -> Mat3<S> {
    Mat3::from_rows(vector(x, 0), vector(x, row), vector(x, 2 * row))
}

#[inline(always)]
fn put<S: Real>(y: &mut [S; MOST], i: usize, v: Vec3<S>) {
    (y[i], y[i + 1], y[i + 2]) = (v.x, v.y, v.z);
}

#[inline(always)]
fn put_matrix<S: Real>(y: &mut [S; MOST], row: usize, m: &Mat3<S>) {
    let [a, b, c] = m.rows;
    put(y, 0, a);
    put(y, row, b);
    put(y, 2 * row, c);
}

/// A motion as a homogeneous matrix.
#[inline(always)]
fn put_motion<S: Real>(y: &mut [S; MOST], (r, p): (Mat3<S>, Vec3<S>)) {
    put_matrix(y, 4, &r);
    (y[3], y[7], y[11]) = (p.x, p.y, p.z);
    put(y, 12, vec3(S::zero(), S::zero(), S::zero()));
    y[15] = S::one();
}

#[inline(always)]
fn motion<S: Real>(x: &[S; MOST]) -> (Mat3<S>, Vec3<S>) {
    (matrix(x, 4), vec3(x[3], x[7], x[11]))
}

#[inline(always)]
fn put_pair<S: Real>(y: &mut [S; MOST], (a, b): (Vec3<S>, Vec3<S>)) {
    put(y, 0, a);
    put(y, 3, b);
}

/// The maps, each with the name that Python calls, how many numbers it takes and gives.
macro_rules! maps {
    ($($name:literal $type:ident $ins:literal => $outs:literal |$x:ident, $y:ident| $body:expr;)+) => {
        $(
            struct $type;
            impl Map for $type {
                const IN: usize = $ins;
                const OUT: usize = $outs;
                #[inline(always)]
                fn apply<S: Real>($x: &[S; MOST], $y: &mut [S; MOST]) {
                    $body
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
    "so3.exp" Exp 3 => 9 |x, y| put_matrix(y, 3, &so3::exp(vector(x, 0)));
    "so3.log" Log 9 => 3 |x, y| put(y, 0, so3::log(&matrix(x, 3)));
    "so3.quaternion" Quaternion 3 => 4 |x, y| {
        let q = Quat::exp(vector(x, 0));
        y[0] = q.w;
        put(y, 1, q.v);
    };
    "so3.from_quaternion" FromQuaternion 4 => 9 |x, y| {
        put_matrix(y, 3, &Quat { w: x[0], v: vector(x, 1) }.to_matrix());
    };
    "so3.to_quaternion" ToQuaternion 9 => 4 |x, y| {
        let q = Quat::from_matrix(&matrix(x, 3));
        y[0] = q.w;
        put(y, 1, q.v);
    };
    "so3.cay" Cay 3 => 9 |x, y| put_matrix(y, 3, &so3::cay(vector(x, 0)));
    "so3.cayinv" CayInverse 9 => 3 |x, y| put(y, 0, so3::cay_inverse(&matrix(x, 3)));
    "so3.dexp" Dexp 6 => 3 |x, y| put(y, 0, so3::dexp(vector(x, 0), vector(x, 3)));
    "so3.dexpinv" Dexpinv 6 => 3 |x, y| put(y, 0, so3::dexpinv(vector(x, 0), vector(x, 3)));
    "so3.rotate" Rotate 6 => 3 |x, y| put(y, 0, so3::rotate(vector(x, 0), vector(x, 3)));
    "so3.hat" Hat 3 => 9 |x, y| {
        let (zero, u) = (S::zero(), vector(x, 0));
        put(y, 0, vec3(zero, zero - u.z, u.y));
        put(y, 3, vec3(u.z, zero, zero - u.x));
        put(y, 6, vec3(zero - u.y, u.x, zero));
    };
    "so3.project" Project 9 => 9 |x, y| put_matrix(y, 3, &so3::polar_correction(&matrix(x, 3)));
    "se3.exp" MotionExp 6 => 16 |x, y| put_motion(y, se3::exp(vector(x, 0), vector(x, 3)));
    "se3.log" MotionLog 16 => 6 |x, y| {
        let (r, p) = motion(x);
        put_pair(y, se3::log(&r, p));
    };
    "se3.cay" MotionCay 6 => 16 |x, y| put_motion(y, se3::cay(vector(x, 0), vector(x, 3)));
    "se3.cayinv" MotionCayInverse 16 => 6 |x, y| {
        let (r, p) = motion(x);
        put_pair(y, se3::cay_inverse(&r, p));
    };
    "se3.ad" MotionAd 12 => 6 |x, y| {
        put_pair(y, se3::ad(vector(x, 0), vector(x, 3), vector(x, 6), vector(x, 9)));
    };
    "se3.dexp" MotionDexp 12 => 6 |x, y| {
        put_pair(y, se3::dexp(vector(x, 0), vector(x, 3), vector(x, 6), vector(x, 9)));
    };
    "se3.dexpinv" MotionDexpinv 12 => 6 |x, y| {
        put_pair(y, se3::dexpinv(vector(x, 0), vector(x, 3), vector(x, 6), vector(x, 9)));
    };
    "s2.exp" SphereExp 6 => 3 |x, y| {
        // The geodesic from q with the velocity v turns q by the vector q × v.
        let (q, v) = (vector(x, 0), vector(x, 3));
        put(y, 0, so3::rotate(q.cross(v), q));
    };
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
fn group(
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

/// Adds the maps to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(group, m)?)
}
