//! Maps of rows: the bits of one row at a time, and no answer where lengths do not fit.
use crate::common::Draw;
use lieflow_kernel::wide::rows::{MOST, RowMap, map_rows};
use lieflow_kernel::{Real, Vec3, so3};

/// A rotation vector and a vector to the vector turned, and to what it was.
struct Turned;
impl RowMap for Turned {
    const IN: usize = 6;
    const OUT: usize = 4;
    #[inline(always)]
    fn apply<S: Real>(x: &[S; MOST], y: &mut [S; MOST]) {
        let v = so3::rotate(Vec3::from([x[0], x[1], x[2]]), Vec3::from([x[3], x[4], x[5]]));
        (y[0], y[1], y[2], y[3]) = (v.x, v.y, v.z, x[3]);
    }
}

#[test]
fn rows_have_the_bits_of_one_at_a_time() {
    let mut draw = Draw::new(9);
    for rows in [0, 1, 3, 4, 5, 11] {
        let x: Vec<f64> = (0..6 * rows).map(|_| 3.0 * draw.number()).collect();
        let mut y = vec![0.0; 4 * rows];
        assert!(map_rows::<Turned>((&x, 6), (&mut y, 4)));
        for (x, y) in x.chunks_exact(6).zip(y.chunks_exact(4)) {
            let mut alone = vec![0.0; 4];
            assert!(map_rows::<Turned>((x, 6), (&mut alone, 4)));
            assert_eq!(alone, y);
            let want = so3::rotate(Vec3::from([x[0], x[1], x[2]]), Vec3::from([x[3], x[4], x[5]]));
            assert_eq!([want.x, want.y, want.z, x[3]], alone[..]);
        }
    }
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let (x, mut y) = ([1.0; 12], [0.0; 8]);
    assert!(!map_rows::<Turned>((&x, 4), (&mut y, 4)));
    assert!(!map_rows::<Turned>((&x, 0), (&mut y, 4)));
    assert!(!map_rows::<Turned>((&x, 6), (&mut y, 2)));
    assert!(!map_rows::<Turned>((&x[..6], 6), (&mut y, 4)));
    assert_eq!(y, [0.0; 8]);
}
