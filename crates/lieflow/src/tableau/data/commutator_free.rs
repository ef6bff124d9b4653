//! Commutator-free methods and pairs. The rightmost exponential of a product acts first.
use crate::tableau::{CommutatorFree, Move};
use crate::tableaux;

/// The moves of the method of order four, and those that a pair adds to them.
const fn order_4_and<const MORE: usize, const ALL: usize>(more: [Move; MORE]) -> [Move; ALL] {
    let mut moves = [Move::exp(0, &[0.5]); ALL];
    moves[1] = Move::exp(0, &[0.0, 0.5]);
    moves[2] = Move::exp(1, &[-0.5, 0.0, 1.0]);
    moves[3] = Move::exp(0, &[1.0 / 4.0, 1.0 / 6.0, 1.0 / 6.0, -1.0 / 12.0]);
    moves[4] = Move::exp(4, &[-1.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 4.0]);
    let mut k = 0;
    while k < MORE {
        moves[5 + k] = more[k];
        k += 1;
    }
    moves
}

tableaux! {
    /// Heun's method with one exponential a stage.
    CF2_HEUN: CommutatorFree = CommutatorFree {
        name: "cf2-heun",
        order: 2,
        moves: &[Move::exp(0, &[1.0]), Move::exp(0, &[0.5, 0.5])],
        at: &[0, 1],
        c: &[0.0, 1.0],
        end: 2,
        embedded: None,
        cite: "celledoni2003",
    };
    /// The explicit midpoint rule with one exponential a stage.
    CF2_MIDPOINT: CommutatorFree = CommutatorFree {
        name: "cf2-midpoint",
        order: 2,
        moves: &[Move::exp(0, &[0.5]), Move::exp(0, &[0.0, 1.0])],
        at: &[0, 1],
        c: &[0.0, 0.5],
        end: 2,
        embedded: None,
        cite: "celledoni2003",
    };
    /// The first pair 3(2) of Celledoni et al., section 4.2.
    CF32_A: CommutatorFree = CommutatorFree {
        name: "cf32-a",
        order: 3,
        moves: &[
            Move::exp(0, &[1.0 / 3.0]),
            Move::exp(0, &[0.0, 2.0 / 3.0]),
            Move::exp(1, &[-1.0 / 12.0, 0.0, 3.0 / 4.0]),
            Move::exp(0, &[0.0, 0.5, 0.5]),
        ],
        at: &[0, 1, 2],
        c: &[0.0, 1.0 / 3.0, 2.0 / 3.0],
        end: 3,
        embedded: Some((4, 2)),
        cite: "celledoni2021",
    };
    /// Its method of order three.
    CF3_A: CommutatorFree = CF32_A.without_pair("cf3-a");
    /// The second pair 3(2) of Celledoni et al., section 4.2.
    CF32_B: CommutatorFree = CommutatorFree {
        name: "cf32-b",
        order: 3,
        moves: &[
            Move::exp(0, &[2.0 / 3.0]),
            Move::exp(0, &[5.0 / 12.0, 1.0 / 4.0]),
            Move::exp(2, &[-1.0 / 6.0, -1.0 / 2.0, 1.0]),
            Move::exp(0, &[1.0 / 4.0, 0.0, 3.0 / 4.0]),
        ],
        at: &[0, 1, 2],
        c: &[0.0, 2.0 / 3.0, 2.0 / 3.0],
        end: 3,
        embedded: Some((4, 2)),
        cite: "celledoni2021",
    };
    /// Its method of order three.
    CF3_B: CommutatorFree = CF32_B.without_pair("cf3-b");
    /// The method of order four with the comparison solution of order three of Celledoni et al.,
    /// equation 34, which needs a field of its own.
    CF43_EQ34: CommutatorFree = CommutatorFree {
        name: "cf43-eq34",
        order: 4,
        moves: &order_4_and::<3, 8>([
            Move::exp(0, &[0.0, 3.0 / 4.0]),
            Move::exp(0, &[1.0 / 3.0]),
            Move::exp(7, &[-1.0 / 9.0, 1.0 / 3.0, 0.0, 0.0, 4.0 / 9.0]),
        ]),
        at: &[0, 1, 2, 3, 6],
        c: &[0.0, 0.5, 0.5, 1.0, 0.75],
        end: 5,
        embedded: Some((8, 3)),
        cite: "celledoni2021",
    };
    /// The method of order four alone; Celledoni, Marthinsen and Owren, 2003.
    CF4: CommutatorFree = CF43_EQ34.without_pair("cf4");
    /// The method of order four with a comparison solution of order three that takes the field at
    /// the end, which the next step needs anyway. Not from the literature: the first exponential
    /// is kept (weights that sum to 1/2, first moment 1/12, so that the non-commutative condition
    /// 1/4 - 1/12 = 1/6 holds), and the weights (1/6, 1/3, 1/3, 1/6 - b, b) have the classical
    /// order three for every b; b = 1/4.
    CF43_FSAL: CommutatorFree = CommutatorFree {
        name: "cf43-fsal",
        order: 4,
        moves: &order_4_and::<1, 6>([Move::exp(
            4,
            &[-1.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 0.0, 1.0 / 4.0],
        )]),
        at: &[0, 1, 2, 3, 5],
        c: &[0.0, 0.5, 0.5, 1.0, 1.0],
        end: 5,
        embedded: Some((6, 3)),
        cite: "celledoni2003",
    };
}
