//! Crouch–Grossman methods: one exponential for each field, the first field acts first.
use crate::tableau::{CommutatorFree, Move};
use crate::tableaux;

/// The exponential of one field: field number `field` of a row with the rest left out.
const fn exp(from: usize, weights: &'static [f64]) -> Move {
    Move { from, weights }
}

tableaux! {
    /// Three stages, order three. Crouch and Grossman, 1993.
    CG3: CommutatorFree = CommutatorFree {
        name: "cg3",
        order: 3,
        moves: &[
            exp(0, &[3.0 / 4.0]),
            exp(0, &[119.0 / 216.0]),
            exp(2, &[0.0, 17.0 / 108.0]),
            exp(0, &[13.0 / 51.0]),
            exp(4, &[0.0, -2.0 / 3.0]),
            exp(5, &[0.0, 0.0, 24.0 / 17.0]),
        ],
        at: &[0, 1, 3],
        c: &[0.0, 3.0 / 4.0, 17.0 / 24.0],
        end: 6,
        embedded: None,
        cite: "crouchgrossman1993",
    };
    /// Five stages, order four. Jackiewicz, Marthinsen and Owren, 2000.
    CG4: CommutatorFree = CommutatorFree {
        name: "cg4",
        order: 4,
        moves: &[
            exp(0, &[0.8177227988124852]),
            exp(0, &[0.3199876375476427]),
            exp(2, &[0.0, 0.0659864263556022]),
            exp(0, &[0.9214417194464946]),
            exp(4, &[0.0, 0.4997857776773573]),
            exp(5, &[0.0, 0.0, -1.0969984448371582]),
            exp(0, &[0.3552358559023322]),
            exp(7, &[0.0, 0.2390958372307326]),
            exp(8, &[0.0, 0.0, 1.3918565724203246]),
            exp(9, &[0.0, 0.0, 0.0, -1.1092979392113465]),
            exp(0, &[0.1370831520630755]),
            exp(11, &[0.0, -0.0183698531564020]),
            exp(12, &[0.0, 0.0, 0.7397813985370780]),
            exp(13, &[0.0, 0.0, 0.0, -0.1907142565505889]),
            exp(14, &[0.0, 0.0, 0.0, 0.0, 0.3322195591068374]),
        ],
        at: &[0, 1, 3, 6, 10],
        c: &[0.0, 0.8177227988124852, 0.3859740639032449, 0.3242290522866937, 0.8768903263420429],
        end: 15,
        embedded: None,
        cite: "jackiewicz2000",
    };
}
