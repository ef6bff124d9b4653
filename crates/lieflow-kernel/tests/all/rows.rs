//! Maps of rows: the bits of one row at a time, and no answer where lengths do not fit.
use crate::common::Draw;
use lieflow_kernel::tape::{attitude, one_row};
use lieflow_kernel::wide::rows::{MOST, RowMap, map_rows};
use lieflow_kernel::wide::{VectorWork, Vectors, pack_two, run_scalar, run_vectorised, unpack_two};
use lieflow_kernel::{Mat3, Real, Vec3, so3, vec3};

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

/// Two vectors of four bodies go into packs and come back in their places.
struct ThereAndBack([(Vec3<f64>, Vec3<f64>); 4]);

impl VectorWork for ThereAndBack {
    type Output = [(Vec3<f64>, Vec3<f64>); 4];
    #[inline(always)]
    fn run<V: Vectors>(self) -> Self::Output {
        let (u, v) = pack_two::<f64, V>(self.0);
        // Each number is scaled by its own factor, so that none can be taken for another.
        let scale = |x: Vec3<V::Pack>, k: f64| vec3(x.x * k, x.y * (k + 1.0), x.z * (k + 2.0));
        unpack_two::<f64, V>((scale(u, 2.0), scale(v, 5.0)))
    }
}

#[test]
fn pairs_of_vectors_come_back_from_packs_in_their_places() {
    let body = |i: f64| (vec3(i + 0.1, i + 0.2, i + 0.3), vec3(i + 0.4, i + 0.5, i + 0.6));
    let four = [body(1.0), body(2.0), body(3.0), body(4.0)];
    let want = four.map(|(u, v)| {
        (vec3(u.x * 2.0, u.y * 3.0, u.z * 4.0), vec3(v.x * 5.0, v.y * 6.0, v.z * 7.0))
    });
    // Where one makes a pack, all are the first.
    assert_eq!(run_scalar::<f64, _>(ThereAndBack(four)), [want[0]; 4]);
    let got = run_vectorised::<f64, _>(ThereAndBack(four));
    assert!(got == want || got == [want[0]; 4], "{got:?}");
}

/// What formulas are given: a row of the attitude, or all of them, and the time.
#[test]
fn inputs_of_formulas_have_their_places() {
    let r = Mat3::from_rows(vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0), vec3(7.0, 8.0, 9.0));
    let all = attitude(2.5, &r);
    assert_eq!(all, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 2.5]);
    for row in 0..3 {
        let one: [f64; 10] = one_row(2.5, row, r.rows[row]);
        for (k, x) in one.into_iter().enumerate() {
            let known = k == 9 || k / 3 == row;
            assert_eq!(x, if known { all[k] } else { 0.0 }, "row {row}, input {k}");
        }
    }
}
