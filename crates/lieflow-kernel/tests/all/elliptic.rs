//! Carlson's integrals against the same in double-double arithmetic, which stops later and sums more
//! terms, and against what is known of them.
use lieflow_kernel::rigid::elliptic::{carlson_rf, carlson_rj};
use lieflow_kernel::{DoubleDouble as D, Real};

/// Far apart, zero, and so near to each other that the series begins at once.
const ROOTS: [f64; 8] = [0.0, 1e-8, 0.03, 0.5, 0.9996, 1.0, 1.0003, 40.0];
const WEIGHTS: [f64; 5] = [1.0, 1.0012, 1.3, 7.0, 1e5];

fn close(name: &str, got: f64, want: D) {
    let error = ((D::lift(got) - want) / want).magnitude();
    assert!(error < 1e-15, "{name}: {error:e}");
}

#[test]
fn integrals_have_all_their_digits() {
    for p in ROOTS {
        for q in ROOTS.into_iter().filter(|q| p + q > 0.0) {
            close(&format!("RF {p} {q}"), carlson_rf(p, q), carlson_rf(D::lift(p), D::lift(q)));
            for w in WEIGHTS {
                let want = carlson_rj(D::lift(p), D::lift(q), D::lift(w));
                close(&format!("RJ {p} {q} {w}"), carlson_rj(p, q, w), want);
            }
        }
    }
}

/// `RF(x, x, x) = x^(-1/2)`, `RJ(x, x, x, x) = x^(-3/2)`, and `RF(0, 1, 1) = pi/2`.
#[test]
fn integrals_have_their_known_values() {
    assert_eq!(carlson_rf(1.0, 1.0), 1.0);
    assert_eq!(carlson_rj(1.0, 1.0, 1.0), 1.0);
    let quarter = carlson_rf(D::zero(), D::one());
    assert!((quarter * 2.0 - D::PI).magnitude() < 1e-30);
}
