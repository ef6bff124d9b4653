//! Runge–Kutta methods of Williamson's form as products of exponentials.
//!
//! ```text
//! D_i = A_i D_{i-1} + F_i     F_i = f(t + c_i h, Y_{i-1})     Y_i = exp(h B_i D_i)·Y_{i-1}
//! ```
//!
//! Each point is the last one moved on, so that one sum of fields and one point are all that has to be
//! stored, and every exponential is used by all later stages. Williamson, 1980, for vector spaces;
//! Bazavov, 2022, found that such methods keep their orders up to four where fields do not commute, and
//! proved it for three stages. The conditions of [`planar`](crate::tableau::planar) hold for each table
//! here, which the tests compute.
use crate::tableau::{CommutatorFree, Move};
use crate::tableaux;

/// Row `i`: the weights of all fields in exponential `i`, of which `i + 1` are not zero.
const fn rows<const S: usize>(a: &[f64; S], b: &[f64; S]) -> [[f64; S]; S] {
    let mut rows = [[0.0; S]; S];
    let mut sum = [0.0; S];
    let mut i = 0;
    while i < S {
        let mut j = 0;
        while j <= i {
            sum[j] = if j == i { 1.0 } else { a[i] * sum[j] };
            rows[i][j] = b[i] * sum[j];
            j += 1;
        }
        i += 1;
    }
    rows
}

/// The sum of the weights of all fields before each one.
const fn nodes<const S: usize>(rows: &[[f64; S]; S]) -> [f64; S] {
    let mut total = [0.0; S];
    let mut c = [0.0; S];
    let mut i = 0;
    while i + 1 < S {
        let mut sum = 0.0;
        let mut j = 0;
        while j < S {
            total[j] += rows[i][j];
            sum += total[j];
            j += 1;
        }
        c[i + 1] = sum;
        i += 1;
    }
    c
}

/// Exponential `i` of rows.
const fn factor<const S: usize>(rows: &'static [[f64; S]; S], i: usize) -> Move {
    Move::exp(i, rows[i].split_at(i + 1).0)
}

/// `√2`.
const ROOT: f64 = core::f64::consts::SQRT_2;

static WILLIAMSON: [[f64; 3]; 3] =
    rows(&[0.0, -5.0 / 9.0, -153.0 / 128.0], &[1.0 / 3.0, 15.0 / 16.0, 8.0 / 15.0]);
static WILLIAMSON_NODES: [f64; 3] = nodes(&WILLIAMSON);

static CARPENTER_KENNEDY: [[f64; 5]; 5] = rows(
    &[
        0.0,
        -567301805773.0 / 1357537059087.0,
        -2404267990393.0 / 2016746695238.0,
        -3550918686646.0 / 2091501179385.0,
        -1275806237668.0 / 842570457699.0,
    ],
    &[
        1432997174477.0 / 9575080441755.0,
        5161836677717.0 / 13612068292357.0,
        1720146321549.0 / 2090206949498.0,
        3134564353537.0 / 4481467310338.0,
        2277821191437.0 / 14882151754819.0,
    ],
);
static CARPENTER_KENNEDY_NODES: [f64; 5] = nodes(&CARPENTER_KENNEDY);

// Printed with twelve digits; these solve the conditions to forty, as near to the printed ones as
// possible.
static BERLAND: [[f64; 6]; 6] = rows(
    &[
        0.0,
        -0.73710139279604379865,
        -1.6347407943415754323,
        -0.74473900377998989264,
        -1.4698973515219238867,
        -2.8139713880352731372,
    ],
    &[
        0.032918605145582560325,
        0.8232569981992839952,
        0.38153094890022688012,
        0.20009221318400907166,
        1.7185810427147758849,
        0.26999999999998925576,
    ],
);
static BERLAND_NODES: [f64; 6] = nodes(&BERLAND);

static NEARLY_5: [[f64; 3]; 3] =
    rows(&[0.0, -7.0 / 15.0, -35.0 / 32.0], &[1.0 / 3.0, 15.0 / 16.0, 2.0 / 5.0]);
static NEARLY_5_NODES: [f64; 3] = nodes(&NEARLY_5);

static NEARLY_7: [[f64; 4]; 4] = rows(
    &[0.0, (4.0 * ROOT - 7.0) / 3.0, -(4.0 + 5.0 * ROOT) / 12.0, 3.0 * (8.0 * ROOT - 31.0) / 49.0],
    &[(2.0 - ROOT) / 3.0, (4.0 + ROOT) / 8.0, 3.0 * (3.0 - ROOT) / 7.0, (9.0 - 4.0 * ROOT) / 14.0],
);
static NEARLY_7_NODES: [f64; 4] = nodes(&NEARLY_7);

tableaux! {
    /// Williamson's method of order three.
    CF2N3: CommutatorFree = CommutatorFree {
        name: "cf2n3",
        order: 3,
        moves: &[factor(&WILLIAMSON, 0), factor(&WILLIAMSON, 1), factor(&WILLIAMSON, 2)],
        at: &[0, 1, 2],
        c: &WILLIAMSON_NODES,
        end: 3,
        embedded: None,
        cite: "bazavov2022",
    };
    /// The method of order four with five stages of Carpenter and Kennedy, 1994.
    CF2N4: CommutatorFree = CommutatorFree {
        name: "cf2n4",
        order: 4,
        moves: &[
            factor(&CARPENTER_KENNEDY, 0),
            factor(&CARPENTER_KENNEDY, 1),
            factor(&CARPENTER_KENNEDY, 2),
            factor(&CARPENTER_KENNEDY, 3),
            factor(&CARPENTER_KENNEDY, 4),
        ],
        at: &[0, 1, 2, 3, 4],
        c: &CARPENTER_KENNEDY_NODES,
        end: 5,
        embedded: None,
        cite: "carpenterkennedy1994",
    };
    /// The method of order four with six stages of Berland, Bogey and Bailly, 2006.
    CF2N4_6: CommutatorFree = CommutatorFree {
        name: "cf2n4-6",
        order: 4,
        moves: &[
            factor(&BERLAND, 0),
            factor(&BERLAND, 1),
            factor(&BERLAND, 2),
            factor(&BERLAND, 3),
            factor(&BERLAND, 4),
            factor(&BERLAND, 5),
        ],
        at: &[0, 1, 2, 3, 4, 5],
        c: &BERLAND_NODES,
        end: 6,
        embedded: None,
        cite: "berland2006",
    };
    /// Order two, and `step(-h)` undoes `step(h)` up to `h⁶`: of the methods of this form with three
    /// stages, which are a family with one parameter, the one with `sum b c² = 1/3`.
    EES25: CommutatorFree = CommutatorFree {
        name: "ees25",
        order: 2,
        moves: &[factor(&NEARLY_5, 0), factor(&NEARLY_5, 1), factor(&NEARLY_5, 2)],
        at: &[0, 1, 2],
        c: &NEARLY_5_NODES,
        end: 3,
        embedded: None,
        cite: "shmelev2025",
    };
    /// Order two, and `step(-h)` undoes `step(h)` up to `h⁸`: of those with four stages the one with
    /// `sum b c² = 1/3`.
    EES27: CommutatorFree = CommutatorFree {
        name: "ees27",
        order: 2,
        moves: &[
            factor(&NEARLY_7, 0),
            factor(&NEARLY_7, 1),
            factor(&NEARLY_7, 2),
            factor(&NEARLY_7, 3),
        ],
        at: &[0, 1, 2, 3],
        c: &NEARLY_7_NODES,
        end: 4,
        embedded: None,
        cite: "shmelev2025",
    };
}
