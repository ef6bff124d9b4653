//! Principal axes of a symmetric matrix, by Jacobi's rotations.
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// Sweeps over the three pairs of axes; convergence is quadratic.
const SWEEPS: usize = 12;

/// The eigenvalues of a symmetric matrix and its principal axes, the columns of a rotation. A
/// diagonal matrix gives its own entries and the identity, bit for bit.
pub(super) fn principal<S: Real>(m: &Mat3<S>) -> (Vec3<S>, Mat3<S>) {
    let mut a = *m;
    let mut axes = Mat3::identity();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (p, q, off) = (a.get(i, i), a.get(j, j), a.get(i, j));
            let apart = ((p.abs() + q.abs()) * 1e-17).lt(off.abs());
            if !apart.any() {
                continue;
            }
            turned = true;
            let zeta = (q - p) / S::select(apart, off * 2.0, S::one());
            let size = S::one() / (zeta.abs() + (S::one() + zeta * zeta).sqrt());
            let t = S::select(zeta.lt(S::zero()), -size, size);
            let t = S::select(apart, t, S::zero());
            let c = S::one() / (S::one() + t * t).sqrt();
            let s = c * t;
            // The rotation that mixes axes i and j, so that the entry between them vanishes.
            let mut g = Mat3::<S>::identity();
            g.rows[i].set(i, c);
            g.rows[j].set(j, c);
            g.rows[i].set(j, s);
            g.rows[j].set(i, -s);
            // A lane that needs no turn keeps its bits, the signs of its zeros too.
            a = Mat3::select(apart, g.transpose().matmul(&a).matmul(&g), a);
            axes = Mat3::select(apart, axes.matmul(&g), axes);
        }
        if !turned {
            break;
        }
    }
    (Vec3 { x: a.get(0, 0), y: a.get(1, 1), z: a.get(2, 2) }, axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lieflow_kernel::{so3, vec3};

    #[test]
    fn a_turned_matrix_is_turned_back() {
        let d = Mat3::diagonal(vec3(0.4, 0.9, 0.35));
        assert_eq!(principal(&d), (vec3(0.4, 0.9, 0.35), Mat3::identity()));
        for u in [vec3(0.3, -0.7, 0.5), vec3(2.0, 0.1, -1.0)] {
            let r = so3::exp(u);
            let m = r.matmul(&d).matmul(&r.transpose());
            let (values, axes) = principal(&m);
            let back = axes.matmul(&Mat3::diagonal(values)).matmul(&axes.transpose());
            assert!((back - m).norm_squared().sqrt() < 1e-15);
            assert!(axes.orthogonality_error() < 1e-15 && axes.determinant() > 0.0);
        }
    }
}
