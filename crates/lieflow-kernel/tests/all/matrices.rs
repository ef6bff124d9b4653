//! Elements of groups and algebras as matrices, and back.
use lieflow_kernel::{se2, se3, se23, sim3, so2, so3, vec3};

/// Numbers of which no two are equal, so that none can stand in for another.
const X: [f64; 9] = [0.7, -1.1, 0.4, 2.3, -0.6, 1.9, -3.1, 0.2, 5.3];

fn first<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| X[i])
}

/// The skew part of a matrix is taken by a difference and a half, both exact.
#[test]
fn algebras() {
    assert_eq!(so2::vee(&so2::hat(X[0])), X[0]);
    assert_eq!(so2::vee(&[[3.0, 1.0], [7.0, 5.0]]), 3.0);
    assert_eq!(se2::vee(&se2::hat(first())), first());
    let (u, w) = (vec3(X[0], X[1], X[2]), vec3(X[3], X[4], X[5]));
    assert_eq!(so3::vee(&so3::hat(u)), u);
    assert_eq!(se3::vee(&se3::hat(u, w)), (u, w));
    assert_eq!(se23::vee(&se23::hat(first())), first());
    assert_eq!(sim3::vee(&sim3::hat(first())), first());
}

#[test]
fn groups() {
    let turn = so2::exp(X[0]);
    assert_eq!(so2::from_matrix(&so2::matrix(turn)), turn);
    let pose = se2::exp(first());
    assert_eq!(se2::from_matrix(&se2::matrix(&pose)), pose);
    let pose = se3::exp(vec3(X[0], X[1], X[2]), vec3(X[3], X[4], X[5]));
    assert_eq!(se3::from_matrix(&se3::matrix(&pose)), pose);
    let pose = se23::exp(first());
    assert_eq!(se23::from_matrix(&se23::matrix(&pose)), pose);
    // The size of the rotation is divided out, with a rounding or two.
    let (one, back) = (sim3::exp(first()), sim3::from_matrix(&sim3::matrix(&sim3::exp(first()))));
    assert_eq!(back.position, one.position);
    let apart = sim3::log(&sim3::compose(&sim3::inverse(&one), &back));
    assert!(apart.iter().all(|x| x.abs() < 1e-14), "{apart:?}");
}
