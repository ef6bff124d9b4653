//! Explicit tables of order one to five.
use crate::tableau::Tableau;
use crate::tableaux;

tableaux! {
    /// Euler's method.
    EULER = Tableau {
        name: "euler",
        order: 1,
        a: &[&[]],
        b: &[1.0],
        embedded: &[],
        dense: None,
        c: &[0.0],
        cite: "hairer1993",
    };
    /// Heun's method of order two, the explicit trapezoidal rule.
    HEUN2 = Tableau {
        name: "heun2",
        order: 2,
        a: &[&[], &[1.0]],
        b: &[0.5, 0.5],
        embedded: &[],
        dense: None,
        c: &[0.0, 1.0],
        cite: "hairer1993",
    };
    /// Runge's method of order two, the explicit midpoint rule.
    MIDPOINT2 = Tableau {
        name: "midpoint2",
        order: 2,
        a: &[&[], &[0.5]],
        b: &[0.0, 1.0],
        embedded: &[],
        dense: None,
        c: &[0.0, 0.5],
        cite: "hairer1993",
    };
    /// Kutta's method of order three.
    KUTTA3 = Tableau {
        name: "kutta3",
        order: 3,
        a: &[&[], &[0.5], &[-1.0, 2.0]],
        b: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
        embedded: &[],
        dense: None,
        c: &[0.0, 0.5, 1.0],
        cite: "kutta1901",
    };
    /// Kutta's classical method of order four.
    RK4 = Tableau {
        name: "rk4",
        order: 4,
        a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
        b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        embedded: &[],
        dense: None,
        c: &[0.0, 0.5, 0.5, 1.0],
        cite: "kutta1901",
    };
    /// The pair of Bogacki and Shampine, 3(2).
    BS32 = Tableau {
        name: "bs32",
        order: 3,
        a: &[&[], &[0.5], &[0.0, 0.75], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]],
        b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0],
        embedded: &[(&[7.0 / 24.0, 0.25, 1.0 / 3.0, 0.125], 2)],
        dense: None,
        c: &[0.0, 0.5, 0.75, 1.0],
        cite: "bogacki1989",
    };
    /// Fehlberg's pair 4(5); the weights of order five propagate.
    RKF45 = Tableau {
        name: "rkf45",
        order: 5,
        a: &[
            &[],
            &[1.0 / 4.0],
            &[3.0 / 32.0, 9.0 / 32.0],
            &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
            &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
            &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
        ],
        b: &[16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0],
        embedded: &[(
            &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0],
            4,
        )],
        dense: None,
        c: &[0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0],
        cite: "fehlberg1969",
    };
    /// The pair of Dormand and Prince, 5(4), with Shampine's continuous extension of order four
    /// in the form of Hairer, Nørsett and Wanner, equation II.6.12.
    DP54 = Tableau {
        name: "dp54",
        order: 5,
        a: &[
            &[],
            &[1.0 / 5.0],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
            &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
            &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
        ],
        b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
        embedded: &[(
            &[
                5179.0 / 57600.0,
                0.0,
                7571.0 / 16695.0,
                393.0 / 640.0,
                -92097.0 / 339200.0,
                187.0 / 2100.0,
                1.0 / 40.0,
            ],
            4,
        )],
        dense: Some(&[
            (-5.0 * 2558722523.0 / 11282082432.0, 5.0 * 31403016.0 / 11282082432.0),
            (0.0, 0.0),
            (100.0 * 882725551.0 / 32700410799.0, -100.0 * 15701508.0 / 32700410799.0),
            (-25.0 * 443332067.0 / 1880347072.0, 25.0 * 31403016.0 / 1880347072.0),
            (32805.0 * 23143187.0 / 199316789632.0, -32805.0 * 3489224.0 / 199316789632.0),
            (-55.0 * 29972135.0 / 822651844.0, 55.0 * 7076736.0 / 822651844.0),
            (10.0 * 7414447.0 / 29380423.0, -10.0 * 829305.0 / 29380423.0),
        ]),
        c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
        cite: "dormandprince1980",
    };
}
