//! Methods with two descriptions: ours against the other one, written out here by itself.
use super::mechanics::*;
use lieflow::group::So3;
use lieflow::kernel::linalg::solve_in_place;
use lieflow::kernel::scalar::stumpff::stumpff;
use lieflow::kernel::so3;
use lieflow::method::variational::{FromLagrangian, Scheme, Variational, names};
use lieflow::method::{Method, Step};
use lieflow::problem::{Cotangent, Phase, Problem};
use lieflow::tableau::{self, Tableau};
use lieflow::{Mat3, Vec3, vec3};

type State = Cotangent<So3<f64>>;
type V = Vec3<f64>;

fn one_step(top: &Top<f64>, scheme: Scheme, h: f64) -> State {
    let mut method = Variational::<_, FromLagrangian>::new(scheme);
    let y = top.start();
    let mut out = y.clone();
    method.step(Step::new(top, 0.0, h, &y), &mut out).unwrap();
    out
}

/// The torque in space and the momentum of a velocity in space.
fn torque(top: &Top<f64>, g: &Mat3<f64>) -> V {
    top.up.cross(g.apply(top.chi)) * top.k
}
fn momentum(top: &Top<f64>, g: &Mat3<f64>, v: V) -> V {
    g.apply(g.apply_transpose(v).scaled_by(top.inertia))
}
/// Transposes of dexp on so(3) are dexp at minus the argument.
fn dexp_t(u: V, m: V) -> V {
    so3::dexp(-u, m)
}

/// Celledoni et al., equations 15 to 17, with the group law corrected: the equations of the theta
/// family in space, at what our method returns.
#[test]
fn theta_family_solves_the_equations_in_space() {
    for (case, h) in [("mild-top", 0.3), ("heavy-top-seed", 0.01), ("free-body-seed001", 0.9)] {
        let top = Top::named(case);
        for theta in [0.0, 0.5, 1.0, 0.3, -0.2] {
            let out = one_step(&top, Scheme::theta(theta).unwrap(), h);
            let xi = so3::log(&out.g.matrix.matmul(&top.g.transpose()));
            let e = so3::exp(xi * theta);
            let g = e.matmul(&top.g);
            let m = momentum(&top, &g, xi * (1.0 / h));
            let n = torque(&top, &g) * h - xi.cross(m);
            let kicked = top.mu + e.apply_transpose(n);
            let rest = m + dexp_t(xi * theta, n) * theta - dexp_t(-xi, kicked);
            let end = so3::exp(xi).apply(kicked) - out.mu;
            let size = top.mu.norm();
            assert!(rest.norm() < 1e-13 * size, "{case} {theta}: {:e}", rest.norm() / size);
            assert!(end.norm() < 1e-13 * size, "{case} {theta}: {:e}", end.norm() / size);
        }
    }
}

/// `[D_u(dexp_u k)]^T m` on so(3).
fn dexp_gradient(u: V, k: V, m: V) -> V {
    let [_, _, f1, f2, c4, c5] = stumpff(u.norm_squared());
    let (f1t, f2t) = (c4 * 2.0 - f2, c5 * 3.0 - c4);
    let uk = u.cross(k);
    k.cross(m) * f1
        + u * (f1t * m.dot(uk) + f2t * m.dot(u.cross(uk)))
        + (uk.cross(m) + k.cross(m.cross(u))) * f2
}

/// Variational RKMK in space, with stage derivatives as unknowns, solved by Newton's method with
/// difference quotients.
fn variational_rkmk(top: &Top<f64>, table: &Tableau, h: f64) -> State {
    let s = table.stages();
    let a = |i: usize, j: usize| table.a[i].get(j).copied().unwrap_or(0.0);
    let b = table.b;
    let evaluate = |k: &[V]| -> (Vec<V>, V, V) {
        let sigma: Vec<V> =
            (0..s).map(|i| (0..s).fold(V::zero(), |u, j| u + k[j] * (h * a(i, j)))).collect();
        let mut stages = Vec::new();
        let mut total = top.mu;
        let mut xi = V::zero();
        for i in 0..s {
            let e = so3::exp(sigma[i]);
            let g = e.matmul(&top.g);
            let v = so3::dexp(sigma[i], k[i]);
            let m = momentum(top, &g, v);
            let n = torque(top, &g) - v.cross(m);
            total += e.apply_transpose(n) * (h * b[i]);
            xi += k[i] * (h * b[i]);
            let z = dexp_t(sigma[i], n) + dexp_gradient(sigma[i], k[i], m);
            stages.push((dexp_t(sigma[i], m), z));
        }
        let lambda = dexp_t(-xi, total);
        let rest = (0..s)
            .map(|i| {
                let mut r = stages[i].0 - lambda;
                for j in 0..s {
                    r += stages[j].1 * (h * b[j] * a(j, i) / b[i]);
                }
                r
            })
            .collect();
        (rest, xi, total)
    };
    let v0 = top.g.apply(top.g.apply_transpose(top.mu).divided_by(top.inertia));
    let mut k = vec![v0; s];
    let n = 3 * s;
    for _ in 0..20 {
        let (r, ..) = evaluate(&k);
        let mut rest: Vec<f64> = r.iter().flat_map(|v| v.to_array()).collect();
        let mut matrix = vec![0.0; n * n];
        let size = v0.norm() * 1e-6;
        for c in 0..n {
            let shifted = |by: f64| {
                let mut k = k.clone();
                let x = k[c / 3].get(c % 3);
                k[c / 3].set(c % 3, x + by);
                evaluate(&k).0
            };
            let (up, down) = (shifted(size), shifted(-size));
            for row in 0..n {
                let d = up[row / 3].get(row % 3) - down[row / 3].get(row % 3);
                matrix[row * n + c] = d / (2.0 * size);
            }
        }
        assert!(solve_in_place(n, &mut matrix, &mut rest));
        for (i, k) in k.iter_mut().enumerate() {
            *k -= vec3(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]);
        }
    }
    let (rest, xi, total) = evaluate(&k);
    assert!(rest.iter().all(|r| r.norm() < 1e-12 * top.mu.norm()));
    let e = so3::exp(xi);
    Cotangent { g: So3 { matrix: e.matmul(&top.g) }, mu: e.apply(total) }
}

#[test]
fn lie_galerkin_is_variational_rkmk() {
    for (case, h) in [("mild-top", 0.3), ("heavy-top-seed", 0.004)] {
        let top = Top::named(case);
        for (id, table) in [
            ("vrkmk-gauss2", &tableau::GAUSS2),
            ("liegalerkin-exp-s2-gauss2", &tableau::GAUSS4),
            ("liegalerkin-exp-s3-gauss3", &tableau::GAUSS6),
        ] {
            let other = flat(&variational_rkmk(&top, table, h));
            let galerkin = flat(&one_step(&top, names::scheme(id).unwrap().unwrap(), h));
            let stages = flat(&one_step(&top, Scheme::runge_kutta(table).unwrap(), h));
            assert!(relative(&galerkin, &other) < 1e-13, "{case} {id}");
            assert!(relative(&stages, &other) < 1e-13, "{case} {id} as a table");
        }
        let other = flat(&variational_rkmk(&top, &tableau::RK4, h));
        let stages = flat(&one_step(&top, Scheme::runge_kutta(&tableau::RK4).unwrap(), h));
        assert!(relative(&stages, &other) < 1e-13, "{case} RK4");
    }
}

/// The natural-chart equations in the body frame, with Cayley's map and its closed forms.
#[test]
fn cayley_charts_solve_the_equations_in_the_body() {
    for (case, h) in [("mild-top", 0.3), ("heavy-top-seed", 0.005)] {
        let top = Top::named(case);
        let p = top.start().body_momentum();
        let gradient = |g: &Mat3<f64>| top.chi.cross(g.apply_transpose(top.up)) * top.k;
        let dcayinv_t = |x: V, m: V| m + x.cross(m) * 0.5 + x * (x.dot(m) * 0.25);
        for rule in ["left", "right", "trapezoid", "midpoint", "truemid"] {
            let scheme = names::scheme(&format!("chart-cay-{rule}")).unwrap().unwrap();
            let out = one_step(&top, scheme, h);
            let xi = so3::cay_inverse(&top.g.transpose().matmul(&out.g.matrix));
            let tau = so3::cay(xi);
            let kinetic = xi.scaled_by(top.inertia) * (1.0 / h);
            let f = dcayinv_t(xi, kinetic);
            let (here, there) = (gradient(&top.g) * h, gradient(&out.g.matrix) * h);
            let (rest, end) = match rule {
                "left" => (f - p + here, tau.apply_transpose(f)),
                "right" => (f - p, tau.apply_transpose(f) - there),
                "trapezoid" => (f - p + here * 0.5, tau.apply_transpose(f) - there * 0.5),
                _ => {
                    let r = (1.0 + xi.norm_squared() * 0.25).sqrt();
                    let c = 1.0 / (1.0 + r);
                    let z = if rule == "midpoint" { xi * 0.5 } else { xi * c };
                    let t = so3::cay(z);
                    let y = gradient(&top.g.matmul(&t));
                    // The transpose of dcay at -z is dcay at z.
                    let pulled = so3::dcay(z, y);
                    let shift = if rule == "midpoint" {
                        pulled * (0.5 * h)
                    } else {
                        (pulled * c - xi * (c * c / (4.0 * r) * xi.dot(pulled))) * h
                    };
                    let f = dcayinv_t(xi, kinetic - shift);
                    (f + t.apply(y) * h - p, tau.apply_transpose(f))
                }
            };
            let miss = end - out.body_momentum();
            let size = p.norm();
            assert!(rest.norm() < 2e-13 * size, "{case} {rule}: {:e}", rest.norm() / size);
            assert!(miss.norm() < 2e-13 * size, "{case} {rule}: {:e}", miss.norm() / size);
        }
    }
}

/// Discrete Euler–Poincaré for the free body: all rules coincide, and the body momentum turns.
#[test]
fn rules_coincide_on_the_free_body() {
    let body = Top::named("free-body-seed001");
    for chart in ["exp", "cay"] {
        let step = |rule: &str| {
            flat(&one_step(
                &body,
                names::scheme(&format!("chart-{chart}-{rule}")).unwrap().unwrap(),
                0.9,
            ))
        };
        for rule in ["right", "trapezoid", "midpoint", "truemid"] {
            assert!(relative(&step(rule), &step("left")) < 1e-15, "{chart} {rule}");
        }
    }
}
