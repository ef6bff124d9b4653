//! Crouch–Grossman methods: one exponential for each field, the first field acts first.
use crate::tableau::{CommutatorFree, Move};
use crate::tableaux;

tableaux! {
    /// Three stages, order three. Crouch and Grossman, 1993.
    CG3: CommutatorFree = CommutatorFree {
        name: "cg3",
        order: 3,
        moves: &[
            Move::exp(0, &[3.0 / 4.0]),
            Move::exp(0, &[119.0 / 216.0]),
            Move::exp(2, &[0.0, 17.0 / 108.0]),
            Move::exp(0, &[13.0 / 51.0]),
            Move::exp(4, &[0.0, -2.0 / 3.0]),
            Move::exp(5, &[0.0, 0.0, 24.0 / 17.0]),
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
            Move::exp(0, &[0.8177227988124852]),
            Move::exp(0, &[0.3199876375476427]),
            Move::exp(2, &[0.0, 0.0659864263556022]),
            Move::exp(0, &[0.9214417194464946]),
            Move::exp(4, &[0.0, 0.4997857776773573]),
            Move::exp(5, &[0.0, 0.0, -1.0969984448371582]),
            Move::exp(0, &[0.3552358559023322]),
            Move::exp(7, &[0.0, 0.2390958372307326]),
            Move::exp(8, &[0.0, 0.0, 1.3918565724203246]),
            Move::exp(9, &[0.0, 0.0, 0.0, -1.1092979392113465]),
            Move::exp(0, &[0.1370831520630755]),
            Move::exp(11, &[0.0, -0.0183698531564020]),
            Move::exp(12, &[0.0, 0.0, 0.7397813985370780]),
            Move::exp(13, &[0.0, 0.0, 0.0, -0.1907142565505889]),
            Move::exp(14, &[0.0, 0.0, 0.0, 0.0, 0.3322195591068374]),
        ],
        at: &[0, 1, 3, 6, 10],
        c: &[0.0, 0.8177227988124852, 0.3859740639032449, 0.3242290522866937, 0.8768903263420429],
        end: 15,
        embedded: None,
        cite: "jackiewicz2000",
    };
}
