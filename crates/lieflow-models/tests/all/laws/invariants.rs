//! What is conserved is accepted as an invariant, and what is not is refused, on every system.
use super::build;

/// A problem, what it conserves, and what it does not.
struct Case {
    problem: &'static str,
    conserved: &'static [&'static str],
    changing: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        problem: "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 2.0, 2.5]\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["energy", "R*P", "dot(P, P)", "dot(R*P, e2)", "det(R)", "kinetic^2"],
        changing: &["P1", "w", "R33", "dot(P, e3)", "R11*P1"],
    },
    Case {
        problem: "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 1.0, 0.5]\npotential = { kind = \"lagrange-top\", strength = 2.0 }\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["energy", "dot(R*P, e3)", "P3", "energy - P3^2"],
        changing: &["R*P", "P1", "kinetic", "potential", "dot(P, P)"],
    },
    Case {
        problem: "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 2.0, 2.5]\npotential = { formula = \"k*R33^2\", k = 1.5 }\ntorque = { formula = \"-c*w\", c = 0.1 }\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["trace(R*transpose(R))"],
        changing: &["energy", "dot(R*P, e3)", "kinetic + potential"],
    },
    Case {
        problem: "system = \"reduced-body\"\n[parameters]\ninertia = [1.0, 2.0, 2.5]\n[initial]\nmomentum = [0.3, -0.4, 1.1]",
        conserved: &["energy", "square(P)", "energy*norm(P)"],
        changing: &["P1", "P2 + P3", "dot(P, e1)^2"],
    },
    Case {
        problem: "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.0, 0.5]\naxis = [0.0, 0.0, 1.0]\ndirection = [0.0, 0.0, 1.0]\nstrength = 2.0\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["energy", "dot(R*P, direction)", "norm(Gamma)", "dot(P, axis)"],
        changing: &["dot(P, P)", "kinetic", "Gamma3"],
    },
    Case {
        problem: "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.4, 0.8]\naxis = [0.6, 0.0, 0.8]\ndirection = [0.0, 0.0, 1.0]\nstrength = 2.0\nformulation = \"se3-dual\"\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["energy", "square(Gamma)", "dot(P, Gamma)"],
        changing: &["dot(P, P)", "Gamma1", "potential", "dot(P, axis)"],
    },
    Case {
        problem: "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.4, 0.8]\naxis = [0.6, 0.0, 0.8]\ndirection = [0.0, 0.0, 1.0]\nstrength = 2.0\nformulation = \"quadratic\"\n[initial]\nomega = [0.3, -0.4, 1.1]",
        conserved: &["energy", "p", "dot(R*P, direction)"],
        changing: &["q", "dot(P, P)", "kinetic"],
    },
    Case {
        problem: "system = \"kirchhoff\"\n[parameters]\ninertia = [1.0, 1.5, 2.2, 1.2, 1.8, 2.5]\n[initial]\nmomentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]",
        conserved: &["energy", "dot(p, p)", "dot(m, p)", "dot(m, w) + dot(p, v)"],
        changing: &["dot(m, m)", "m1", "p1", "dot(m, w)"],
    },
    Case {
        problem: "system = \"kirchhoff\"\n[parameters]\nenergy = { formula = \"0.5*square(m) + 0.25*square(p)^2 + a*m1*p2\", a = 0.3 }\n[initial]\nmomentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]",
        conserved: &["energy", "norm(p)", "dot(m, p)"],
        changing: &["dot(m, m)", "m"],
    },
    Case {
        problem: "system = \"kirchhoff\"\n[parameters]\nenergy = { formula = \"0.5*square(m) + cos(t)*p3^2\" }\n[initial]\nmomentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]",
        conserved: &["square(p)"],
        changing: &["energy", "0.5*square(m)"],
    },
    Case {
        problem: "system = \"euclidean\"\n[parameters]\nproblem = \"kepler\"\n[initial]\nq = [0.8, 0.1]\np = [-0.1, 1.2]",
        conserved: &["energy", "L", "[p2*L - q1/norm(q), -p1*L - q2/norm(q), 0]"],
        changing: &["kinetic", "dot(q, p)", "p1", "norm(q)"],
    },
    Case {
        problem: "system = \"euclidean\"\n[parameters]\nproblem = \"henon-heiles\"\n[initial]\nq = [0.1, 0.2]\np = [0.3, -0.1]",
        conserved: &["energy"],
        changing: &["L", "p1^2 + q1^2"],
    },
    Case {
        problem: "system = \"euclidean\"\n[parameters]\nproblem = \"pendulum\"\n[initial]\nq = [0.1]\np = [0.3]",
        conserved: &["p^2/2 - cos(q)"],
        changing: &["p", "energy + 0.01*p"],
    },
    Case {
        problem: "system = \"euclidean\"\n[parameters]\nmass = 2.0\npotential = { formula = \"0.5*(q1^2 + q2^2 + k*q3^2)\", k = 4.0 }\n[initial]\nq = [0.1, 0.2, -0.3]\np = [0.3, -0.1, 0.2]",
        conserved: &["energy", "L3", "p3^2/mass + k*q3^2", "p1*p2/mass + q1*q2"],
        changing: &["L1", "L", "p1^2 + p2^2"],
    },
    Case {
        problem: "system = \"euclidean\"\n[parameters]\npotential = { formula = \"0.5*square(q)\" }\n[initial]\nq = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6]\np = [0.3, -0.1, 0.2, 0.5, 0.1, -0.7]",
        conserved: &["energy", "q1*p4 - q4*p1", "p6^2 + q[6]^2"],
        changing: &["q1*p4", "force[2]"],
    },
    Case {
        problem: "system = \"macrospin\"\n[parameters]\ngamma = 1.3\nb = [0.0, 0.0, 0.4]\nD = [0.2, 0.2, 0.9]\n[initial]\nm = [0.48, -0.6, 0.64]",
        conserved: &["energy", "m3", "norm(m)"],
        changing: &["m1", "dot(h, h)*m1"],
    },
    Case {
        problem: "system = \"macrospin\"\n[parameters]\nalpha = 0.1\nb = [0.0, 0.0, 0.4]\nfield = { formula = \"-k*grad(m1^4, m)\", k = 0.3 }\n[initial]\nm = [0.48, -0.6, 0.64]",
        conserved: &["square(m)"],
        changing: &["k*m1^4 - dot(b, m)", "m3"],
    },
    Case {
        problem: "system = \"macrospin\"\n[parameters]\nb = [0.0, 0.0, 0.4]\nfield = { formula = \"-k*grad(m1^4, m)\", k = 0.3 }\n[initial]\nm = [0.48, -0.6, 0.64]",
        conserved: &["k*m1^4 - dot(b, m)"],
        changing: &["m3"],
    },
    Case {
        problem: "system = \"spin-ring\"\n[parameters]\nJ = 0.7\n[initial]\nm = [[0.48, -0.6, 0.64], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6]]",
        // Three spins are all neighbours: they turn about their sum.
        conserved: &["energy", "total", "sum(i, 1, n, square(m[i]))", "dot(m[1], m[2])"],
        changing: &["m[1]", "dot(m[1], e3)"],
    },
    Case {
        problem: "system = \"spin-ring\"\n[parameters]\nJ = 0.7\nb = [0.0, 0.0, 0.4]\nfield = { formula = \"k*(m[cyc(i+2)] + m[cyc(i-2)])\", k = 0.2 }\n[initial]\nm = [[0.48, -0.6, 0.64], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]",
        conserved: &["total3"],
        changing: &["total", "h[1]"],
    },
    Case {
        problem: "system = \"vortices\"\n[parameters]\nstrengths = [1.0, -0.5, 0.8]\n[initial]\nq = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-0.6, 0.0, 0.8]]",
        conserved: &["energy", "moment", "norm(moment)"],
        changing: &["dot(x[1], x[2])", "x[1]"],
    },
    Case {
        problem: "system = \"vortices\"\n[parameters]\nstrengths = [1.0, -0.5]\nlaw = { formula = \"exp(-k*(1 - c))\", k = 0.5 }\n[initial]\nq = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]",
        conserved: &["energy", "moment", "dot(x[1], x[2])"],
        changing: &["x[2]"],
    },
    Case {
        problem: "system = \"pendulum-chain\"\n[parameters]\nmasses = [1.0, 0.7]\nlengths = [0.5, 0.8]\n[initial]\nproject = true\nq = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7]]\nomega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2]]",
        conserved: &["energy", "dot(L, e3)"],
        changing: &["L", "kinetic", "dot(q[1], q[2])", "potential"],
    },
    Case {
        problem: "system = \"pendulum-chain\"\n[parameters]\nmasses = [1.0, 0.7, 1.1, 0.4]\nlengths = [0.5, 0.8, 0.3, 0.6]\ngravity = [0.0, 0.0, 0.0]\npotential = { formula = \"k*dot(q[1], q[4])\", k = 0.4 }\nspace = \"hamiltonian\"\n[initial]\nproject = true\nq = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7], [0.0, 0.0, 1.0], [0.0, 1.0, 0.3]]\nomega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2], [0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]",
        conserved: &["energy", "L"],
        changing: &["kinetic", "masses[1]*square(v[1])"],
    },
    Case {
        problem: "system = \"dipoles\"\n[parameters]\nmass = 1.0\nlength = 3.0\nmoment = 1000.0\npositions = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.4, 1.1, 0.2]]\npotential = { formula = \"-b*sum(k, 1, n, dot(q[k], e3))\", b = 0.2 }\n[initial]\nproject = true\nq = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7], [0.1, -0.4, -0.9]]\nomega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2], [0.5, 0.2, -0.3]]",
        conserved: &["energy", "square(q[2])"],
        changing: &["kinetic", "potential", "sum(k, 1, n, w[k])"],
    },
];

fn declared(problem: &str, formula: &str) -> String {
    format!("{problem}\n[[invariants]]\nname = \"I\"\nformula = \"{formula}\"\n")
}

#[test]
fn true_ones_are_accepted() {
    let mut count = 0;
    for case in CASES {
        for formula in case.conserved {
            if let Err(error) = build(&declared(case.problem, formula)) {
                panic!("{error}\n{}\n{formula}", case.problem);
            }
            count += 1;
        }
    }
    println!("{count} true invariants accepted");
    assert!(count >= 50, "{count}");
}

#[test]
fn false_ones_are_refused() {
    let mut count = 0;
    for case in CASES {
        for formula in case.changing {
            match build(&declared(case.problem, formula)) {
                Ok(_) => panic!("accepted '{formula}' of\n{}", case.problem),
                Err(error) => {
                    let message = error.to_string();
                    let said = ["is no invariant", "depends on the time"];
                    assert!(said.iter().any(|text| message.contains(text)), "{message}");
                }
            }
            count += 1;
        }
    }
    println!("{count} false invariants refused");
    assert!(count >= 50, "{count}");
}

#[test]
fn a_false_one_can_be_believed() {
    let case = &CASES[0];
    let text = format!("{}believe = true\n", declared(case.problem, "P1"));
    assert!(build(&text).is_ok());
}
