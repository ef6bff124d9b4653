//! Orders, read off the Taylor series of a step: the step is evaluated with the step size as the
//! variable of a jet.
use super::data::*;
use super::tables;
use lieflow::method::isotropy::{Exponential, Local, Scheme, body, sphere};
use lieflow::{Jet, Vec3, vec3};

const N: usize = 8;
type J = Jet<f64, N>;

fn constant(v: Vec3<f64>) -> Vec3<J> {
    vec3(J::constant(v.x), J::constant(v.y), J::constant(v.z))
}

/// The step as a series in the step size. For the implicit ones the fixed point is iterated, which
/// gains one order each time.
fn series(p: &Body<f64>, id: &str, map: Exponential) -> (Body<J>, Vec3<J>) {
    let q = Body { a: constant(p.a), start: constant(p.start) };
    let update = sphere::update(id).unwrap();
    let h = J::variable();
    let xi = if update.scheme == Scheme::BackwardEuler {
        (0..N).fold(Vec3::zero(), |xi, _| update.backward_side(map, q.a, q.start, xi, h))
    } else {
        update.coordinates(map, q.a, q.start, h).xi
    };
    (q, map.turn(xi, q.start))
}

/// Taylor coefficients of the exact flow.
fn flow(q: &Body<J>) -> Vec3<J> {
    let mut y = q.start;
    for k in 0..N - 1 {
        let x = body::field(q.a, y);
        let over = 1.0 / (k + 1) as f64;
        y.x.c[k + 1] = x.x.c[k] * over;
        y.y.c[k + 1] = x.y.c[k] * over;
        y.z.c[k + 1] = x.z.c[k] * over;
    }
    y
}

/// One less than the first power whose coefficient is not zero.
fn order(c: [f64; N]) -> usize {
    (0..N).find(|&k| c[k].abs() > 1e-13).map_or(N - 1, |k| k.saturating_sub(1))
}

/// State order, local energy order for triaxial and for axisymmetric bodies (`None`: exact).
fn expected(id: &str) -> (usize, usize, Option<usize>) {
    match id {
        "eul-b" | "eul-o" | "beu-b" | "beu-o" => (1, 1, Some(1)),
        "eul-i" | "beu-i" | "beu-adj" => (1, 2, None),
        "rk2-b" | "rk2-o" => (2, 3, Some(3)),
        "rk2-ib" | "rk2-io" => (2, 4, Some(5)),
        "sy4-b" | "sy4-o" | "rk4-b" | "rk4-o" => (4, 4, Some(5)),
        "sy4-ib" | "sy4-io" | "rk4-ib" | "rk4-io" => (4, 5, Some(5)),
        other => panic!("no expectation for {other}"),
    }
}

#[test]
fn orders_of_state_and_energy() {
    // Far from special: large coefficients, so that zero and not zero are well apart.
    let triaxial = Body::new(vec3(0.5, 0.9, 1.7), vec3(0.48, -0.6, 0.64));
    let axisymmetric = Body::new(vec3(0.6, 0.6, 1.7), vec3(0.48, -0.6, 0.64));
    for entry in sphere::entries::<Body<f64>>() {
        let id = entry.card.id;
        let (state, energy, symmetric) = expected(id);
        assert_eq!(entry.card.order as usize, state, "{id}");
        for map in [Exponential::Exp, Exponential::Cayley] {
            let (q, y) = series(&triaxial, id, map);
            let exact = flow(&q);
            let e = y - exact;
            let found = [e.x, e.y, e.z].map(|x| order(x.c)).into_iter().min().unwrap();
            assert_eq!(found, state, "{id} {map:?}: state");
            let dh = q.energy_change(q.start, y);
            assert_eq!(order(dh.c), energy, "{id} {map:?}: energy {:?}", dh.c);
            let (q, y) = series(&axisymmetric, id, map);
            let dh = q.energy_change(q.start, y);
            let want = symmetric.unwrap_or(N - 1);
            assert_eq!(order(dh.c), want, "{id} {map:?}: axisymmetric {:?}", dh.c);
        }
    }
}

#[test]
fn leading_energy_coefficients() {
    for p in tables::triaxial(20011009) {
        let l = Local::at(p.a, p.start);
        let (v2, s, a) = (l.v2, l.s, l.a);
        let sigma = l.curvature();
        let w = lieflow::method::isotropy::Choice::Orthogonal.generator(p.a, p.start);
        let q = w.scaled_by(p.a).dot(w) / v2;
        for map in [Exponential::Exp, Exponential::Cayley] {
            let near = |id: &str, power: usize, want: f64| {
                let (b, y) = series(&p, id, map);
                let c = b.energy_change(b.start, y).c;
                for k in 0..power {
                    assert!(c[k].abs() < 2e-15, "{id} {map:?} h^{k}: {}", c[k]);
                }
                assert!((c[power] - want).abs() < 2e-15, "{id} {map:?}: {} {want}", c[power]);
                c
            };
            near("eul-b", 2, 0.5 * s * v2);
            near("eul-o", 2, 0.5 * sigma * v2);
            let c = near("eul-i", 3, -0.5 * l.d * sigma);
            let fourth = v2 * sigma * ((q - s) * sigma + v2) / 8.0;
            assert!((c[4] - fourth).abs() < 1e-15, "{} {fourth}", c[4]);
            // Backward Euler with w_o + sigma m has -(sigma_i + sigma) v^2/2; the basic generator is
            // w_o - a y, with sigma y: (sigma - sigma_i) v^2/2 at sigma = -a.
            near("beu-o", 2, -0.5 * sigma * v2);
            near("beu-b", 2, 0.5 * (-a - sigma) * v2);
            for choice in ["b", "o"] {
                for scheme in [Scheme::Heun, Scheme::Taylor4, Scheme::Rkmk4] {
                    let (word, power) = match scheme {
                        Scheme::Heun => ("rk2", 4),
                        Scheme::Taylor4 => ("sy4", 5),
                        _ => ("rk4", 5),
                    };
                    let id = format!("{word}-{choice}");
                    let c = sphere::update(&id).unwrap().choice;
                    let coefficient = match scheme {
                        Scheme::Heun => l.heun(c),
                        Scheme::Taylor4 => l.taylor4(c, map),
                        _ => l.rkmk4(c, map),
                    };
                    near(&id, power, 0.5 * v2 * coefficient);
                    near(&format!("{word}-i{choice}"), power, 0.0);
                }
            }
        }
    }
}
