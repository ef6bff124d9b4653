//! Quadrature rules on [0, 1], as data that are checked when the program is built.

/// A rule `sum_i weights_i f(nodes_i)`.
#[derive(Debug, PartialEq)]
pub struct Quadrature {
    /// Short name, with the number of points.
    pub name: &'static str,
    /// It integrates polynomials of degree `order - 1` exactly.
    pub order: u8,
    /// The nodes, increasing.
    pub nodes: &'static [f64],
    /// The weights.
    pub weights: &'static [f64],
}

impl Quadrature {
    /// Number of points.
    pub const fn points(&self) -> usize {
        self.nodes.len()
    }
    /// The Gauss rule with so many points, 1 to 5.
    pub fn gauss(points: usize) -> Option<&'static Self> {
        GAUSS.get(points.checked_sub(1)?)
    }
    /// The Lobatto rule with so many points, 2 to 6.
    pub fn lobatto(points: usize) -> Option<&'static Self> {
        LOBATTO.get(points.checked_sub(2)?)
    }
    /// The rule called `gauss2`, `lobatto3`, ….
    pub fn named(name: &str) -> Option<&'static Self> {
        GAUSS.iter().chain(&LOBATTO).find(|rule| rule.name == name)
    }
    /// All rules.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GAUSS.iter().chain(&LOBATTO)
    }

    /// The same rule, if it is symmetric and integrates every power up to its order.
    ///
    /// # Panics
    /// While compiling, when the table is wrong.
    #[allow(clippy::panic)]
    const fn checked(self) -> Self {
        let n = self.nodes.len();
        assert!(self.weights.len() == n, "one weight for each node");
        let mut i = 0;
        while i < n {
            assert!(i == 0 || self.nodes[i - 1] < self.nodes[i], "the nodes do not increase");
            assert!(close(self.nodes[i] + self.nodes[n - 1 - i], 1.0), "the nodes lie askew");
            assert!(self.weights[i] == self.weights[n - 1 - i], "the weights lie askew");
            i += 1;
        }
        let mut degree = 0;
        while degree < self.order {
            let mut sum = 0.0;
            let mut i = 0;
            while i < n {
                let mut term = self.weights[i];
                let mut k = 0;
                while k < degree {
                    term *= self.nodes[i];
                    k += 1;
                }
                sum += term;
                i += 1;
            }
            assert!(close(sum * (degree as f64 + 1.0), 1.0), "a power is not integrated exactly");
            degree += 1;
        }
        self
    }
}

const fn close(a: f64, b: f64) -> bool {
    let d = a - b;
    d < 2e-15 && d > -2e-15
}

static GAUSS: [Quadrature; 5] = [
    Quadrature { name: "gauss1", order: 2, nodes: &[0.5], weights: &[1.0] }.checked(),
    Quadrature {
        name: "gauss2",
        order: 4,
        nodes: &[0.211324865405187118, 0.788675134594812882],
        weights: &[0.5, 0.5],
    }
    .checked(),
    Quadrature {
        name: "gauss3",
        order: 6,
        nodes: &[0.112701665379258311, 0.5, 0.887298334620741689],
        weights: &[5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
    }
    .checked(),
    Quadrature {
        name: "gauss4",
        order: 8,
        nodes: &[
            0.0694318442029737124,
            0.330009478207571868,
            0.669990521792428132,
            0.930568155797026288,
        ],
        weights: &[
            0.173927422568726929,
            0.326072577431273071,
            0.326072577431273071,
            0.173927422568726929,
        ],
    }
    .checked(),
    Quadrature {
        name: "gauss5",
        order: 10,
        nodes: &[
            0.0469100770306680036,
            0.230765344947158454,
            0.5,
            0.769234655052841546,
            0.953089922969331996,
        ],
        weights: &[
            0.118463442528094544,
            0.239314335249683234,
            64.0 / 225.0,
            0.239314335249683234,
            0.118463442528094544,
        ],
    }
    .checked(),
];

static LOBATTO: [Quadrature; 5] = [
    Quadrature { name: "lobatto2", order: 2, nodes: &[0.0, 1.0], weights: &[0.5, 0.5] }.checked(),
    Quadrature {
        name: "lobatto3",
        order: 4,
        nodes: &[0.0, 0.5, 1.0],
        weights: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    }
    .checked(),
    Quadrature {
        name: "lobatto4",
        order: 6,
        nodes: &[0.0, 0.276393202250021030, 0.723606797749978970, 1.0],
        weights: &[1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0],
    }
    .checked(),
    Quadrature {
        name: "lobatto5",
        order: 8,
        nodes: &[0.0, 0.172673164646011428, 0.5, 0.827326835353988572, 1.0],
        weights: &[0.05, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 0.05],
    }
    .checked(),
    Quadrature {
        name: "lobatto6",
        order: 10,
        nodes: &[
            0.0,
            0.117472338035267654,
            0.357384241759677452,
            0.642615758240322548,
            0.882527661964732346,
            1.0,
        ],
        weights: &[
            1.0 / 30.0,
            0.189237478148923490,
            0.277429188517743177,
            0.277429188517743177,
            0.189237478148923490,
            1.0 / 30.0,
        ],
    }
    .checked(),
];
