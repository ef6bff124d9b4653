//! The maps of the groups and of S² over arrays: the closed forms of the kernel, four at a time.
use lieflow_kernel::wide::rows::numbers::{list, m, pair, quat, rotation, rows, undone, v};
use lieflow_kernel::wide::rows::{MOST, RowMap, map_rows};
use lieflow_kernel::{Quat, Real, se2, se3, se23, sim3, so2, so3};
use numpy::{PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The maps, each with the name that Python calls, how many numbers it takes and gives.
macro_rules! maps {
    ($($name:literal $type:ident $ins:literal => $outs:literal |$x:ident| $body:expr;)+) => {
        $(
            struct $type;
            impl RowMap for $type {
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
                $($name => map_rows::<$type>(x, y),)+
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
