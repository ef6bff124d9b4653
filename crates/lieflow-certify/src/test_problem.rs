//! The problems on which methods are certified unless another one is asked for.

/// A problem for certificates: where the map is differentiated, with which step, over which time
/// and steps the order is seen, and where momenta are watched. The step is so large that what a
/// method of order six does not keep stands out from rounding.
pub(crate) struct TestProblem {
    pub problem: &'static str,
    pub step: f64,
    pub until: f64,
    pub ladder: [f64; 5],
    pub momentum: &'static [(&'static str, f64, f64, &'static [&'static str])],
}

pub(crate) const TEST_PROBLEMS: &[TestProblem] = &[
    TestProblem {
        problem: "probe",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[
            (
                "free",
                0.5,
                100.0,
                &["spatial_momentum_x", "spatial_momentum_y", "spatial_momentum_z"],
            ),
            ("slow-top", 0.0625, 20.0, &["axial_momentum"]),
            // Not linear in the attitude, which some methods need to conserve the momentum.
            ("soft-wall-printed", 0.1, 30.0, &["axial_momentum"]),
        ],
    },
    TestProblem {
        problem: "mild-top",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[("mild-top", 0.1, 100.0, &["momentum_dot_direction"])],
    },
    TestProblem {
        problem: "henon-heiles",
        step: 0.2,
        until: 2.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[("kepler", 0.02, 10.0, &["angular_momentum"])],
    },
    TestProblem {
        problem: "double-spherical-pendulum",
        step: 0.05,
        until: 0.5,
        ladder: [0.02, 0.01, 0.005, 0.0025, 0.00125],
        momentum: &[("double-spherical-pendulum", 0.01, 10.0, &["axial_momentum"])],
    },
    TestProblem {
        problem: "vortices",
        step: 0.1,
        until: 1.0,
        ladder: [0.05, 0.025, 0.0125, 0.00625, 0.003125],
        momentum: &[("vortices", 0.05, 50.0, &["moment_x", "moment_y", "moment_z"])],
    },
    TestProblem {
        problem: "macrospin-biaxial",
        step: 0.5,
        until: 4.0,
        ladder: [0.4, 0.2, 0.1, 0.05, 0.025],
        momentum: &[],
    },
    TestProblem {
        problem: "bloch",
        step: 0.3,
        until: 4.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[],
    },
    TestProblem {
        problem: "so4-body",
        step: 0.5,
        until: 4.0,
        ladder: [0.4, 0.2, 0.1, 0.05, 0.025],
        momentum: &[],
    },
    TestProblem {
        problem: "reduced-body",
        step: 0.5,
        until: 4.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[],
    },
    TestProblem {
        problem: "kirchhoff",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[],
    },
    TestProblem {
        problem: "dipoles-4x4",
        step: 0.02,
        until: 0.2,
        ladder: [0.01, 0.005, 0.0025, 0.00125, 0.000625],
        momentum: &[],
    },
    TestProblem {
        problem: "spherical-pendulum",
        step: 0.1,
        until: 0.5,
        ladder: [0.04, 0.02, 0.01, 0.005, 0.0025],
        momentum: &[("spherical-pendulum", 0.04, 10.0, &["axial_momentum"])],
    },
];
