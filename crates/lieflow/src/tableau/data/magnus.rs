//! Tables for linear problems, on the nodes of Gauss.
//!
//! Moments are the coefficients of the polynomial through the fields in powers of the time from the
//! middle of the step, times the step.
use crate::tableau::{Bracket, MagnusTable};
use crate::tableaux;

const SQRT_3: f64 = 1.7320508075688772;
const SQRT_15: f64 = 3.872983346207417;
const NODES_4: [f64; 2] = [0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0];
const NODES_6: [f64; 3] = [0.5 - SQRT_15 / 10.0, 0.5, 0.5 + SQRT_15 / 10.0];
const NODES_8: [f64; 4] =
    [0.069431844202973712, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629];

tableaux! {
    /// One bracket. Iserles and Nørsett; Blanes, Casas and Ros, 2000.
    MAGNUS4: MagnusTable = MagnusTable {
        name: "magnus4",
        order: 4,
        c: &NODES_4,
        moments: &[&[0.5, 0.5], &[-SQRT_3, SQRT_3]],
        brackets: &[Bracket::of(&[1.0], &[0.0, 1.0])],
        factors: &[&[1.0, 0.0, -1.0 / 12.0]],
        cite: "blanes2000",
    };
    /// Three brackets. Blanes, Casas and Ros, 2000.
    MAGNUS6: MagnusTable = MagnusTable {
        name: "magnus6",
        order: 6,
        c: &NODES_6,
        moments: &[
            &[0.0, 1.0, 0.0],
            &[-SQRT_15 / 3.0, 0.0, SQRT_15 / 3.0],
            &[10.0 / 3.0, -20.0 / 3.0, 10.0 / 3.0],
        ],
        brackets: &[
            Bracket::of(&[1.0], &[0.0, 1.0]),
            Bracket::of(&[-1.0 / 60.0], &[0.0, 0.0, 2.0, 1.0]),
            Bracket::of(&[-20.0, 0.0, -1.0, 1.0], &[0.0, 1.0, 0.0, 0.0, 1.0]),
        ],
        factors: &[&[1.0, 0.0, 1.0 / 12.0, 0.0, 0.0, 1.0 / 240.0]],
        cite: "blanes2000",
    };
    /// Six brackets. Blanes, Casas and Ros, 2002; the numbers were found again from the conditions.
    MAGNUS8: MagnusTable = MagnusTable {
        name: "magnus8",
        order: 8,
        c: &NODES_8,
        moments: &[
            &[-0.092326598440728821, 0.59232659844072882, 0.59232659844072882, -0.092326598440728821],
            &[0.21442969527047981, -3.4844683820901875, 3.4844683820901875, -0.21442969527047981],
            &[3.1950482521134690, -3.1950482521134690, -3.1950482521134690, 3.1950482521134690],
            &[-7.4205400680389461, 18.795449407555061, -18.795449407555061, 7.4205400680389461],
        ],
        brackets: &[
            Bracket::of(&[1.0, 0.0, 1.0 / 28.0], &[0.0, 1.0, 0.0, 3.0 / 28.0]),
            Bracket::of(&[-1.0 / 84.0], &[0.0, 0.0, 2.0, 0.0, 1.0]),
            Bracket::of(
                &[1.0, 0.0, 1.0 / 28.0, 0.0, -1.0 / 28.0],
                &[0.0, 1.0, 0.0, 3.0 / 28.0, 0.0, 1.0],
            ),
            Bracket::of(&[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, 1.0]),
            Bracket::of(
                &[1.0, 0.0, 0.0, 0.0, -5.0 / 112.0],
                &[0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, -1.0 / 56.0],
            ),
            Bracket::of(
                &[1.0, 0.0, 1.0 / 12.0, 0.0, 1.0 / 12.0, 0.0, -1.0 / 6.0],
                &[0.0, -9.0, 0.0, -2.25, 0.0, 63.0, 0.0, 0.0, 1.0],
            ),
        ],
        factors: &[&[
            1.0, 0.0, 1.0 / 12.0, 0.0, 0.0, 0.0, -7.0 / 120.0, 0.0, 0.0, 1.0 / 360.0,
        ]],
        cite: "blanes2002",
    };
    /// Two exponentials. Blanes and Moan, 2006; Thalhammer, 2006.
    CF_MAGNUS4: MagnusTable = MagnusTable {
        name: "cf-magnus4",
        order: 4,
        c: &NODES_4,
        moments: &[&[1.0, 0.0], &[0.0, 1.0]],
        brackets: &[],
        factors: &[
            &[0.25 + SQRT_3 / 6.0, 0.25 - SQRT_3 / 6.0],
            &[0.25 - SQRT_3 / 6.0, 0.25 + SQRT_3 / 6.0],
        ],
        cite: "blanes2006",
    };
    /// Five exponentials, the one with small errors of Alvermann and Fehske, 2011, whose first
    /// exponent holds 0.16 of the mean; the other numbers follow from the conditions.
    CF_MAGNUS6: MagnusTable = MagnusTable {
        name: "cf-magnus6",
        order: 6,
        c: &NODES_6,
        moments: &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]],
        brackets: &[],
        factors: &[
            &[0.20395257871632297, -0.059581898090477952, 0.015629319374154986],
            &[0.13390606954489772, 0.31451153322250577, -0.060893550742091628],
            &[-0.014816639115506271, -0.065414825819611190, -0.014816639115506271],
            &[-0.060893550742091628, 0.31451153322250577, 0.13390606954489772],
            &[0.015629319374154986, -0.059581898090477952, 0.20395257871632297],
        ],
        cite: "alvermann2011",
    };
}
