//! The same steps on lanes, with forces, and where there is no momentum to a velocity.
use super::mechanics::*;
use lieflow::group::family::{Rotations, Translations};
use lieflow::group::{Rn, So3};
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::variational::{
    FromLagrangian, Variational, lagrangian_entries, names, vector_entries,
};
use lieflow::method::{Method, OptionError, Options, Step, StepError};
use lieflow::problem::{Cotangent, Lagrangian, LegendreError, Problem, lagrangian};
use lieflow::{Lanes, Real, Vec3, vec3};

/// A lane has the bits of the run that is alone.
#[test]
fn lanes_equal_scalar_runs() {
    let tops: [Top<f64>; 4] = std::array::from_fn(|i| {
        let mut top = Top::named("mild-top");
        let x = i as f64;
        top.inertia.x += 0.1 * x;
        top.mu = vec3(0.4 + 0.3 * x, -0.7, 1.2 - 0.5 * x);
        top
    });
    let gather = |f: &dyn Fn(&Top<f64>) -> f64| Lanes(std::array::from_fn(|i| f(&tops[i])));
    let vector = |f: &dyn Fn(&Top<f64>) -> Vec3<f64>| {
        vec3(gather(&|t| f(t).x), gather(&|t| f(t).y), gather(&|t| f(t).z))
    };
    let row = |k: usize| vector(&|t| t.g.rows[k]);
    let pack = Top {
        inertia: vector(&|t| t.inertia),
        chi: vector(&|t| t.chi),
        up: vector(&|t| t.up),
        k: gather(&|t| t.k),
        g: lieflow::Mat3::from_rows(row(0), row(1), row(2)),
        mu: vector(&|t| t.mu),
    };
    for id in ["slgi-theta0.5", "chart-cay-truemid", "liegalerkin-exp-s2-gauss2"] {
        let scheme = || names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<Top<Lanes<4>>, FromLagrangian>::new(scheme());
        let all = integrate(&pack, &mut method, 0.2, 20, |_, _| ());
        for (i, top) in tops.iter().enumerate() {
            let mut method = Variational::<Top<f64>, FromLagrangian>::new(scheme());
            let one = integrate(top, &mut method, 0.2, 20, |_, _| ());
            let lane = all.mu.to_array().map(|x| x.0[i]);
            assert_eq!(lane, one.mu.to_array(), "{id} lane {i}");
            for k in 0..3 {
                let lane = all.g.matrix.rows[k].to_array().map(|x| x.0[i]);
                assert_eq!(lane, one.g.matrix.rows[k].to_array(), "{id} lane {i}");
            }
        }
    }
}

/// A body that turns in a fluid: friction `-c w` in the body, and a steady push in space.
#[derive(Clone, Copy, Debug)]
struct Stirred<S> {
    top: Top<S>,
    friction: f64,
}
impl<S: Real> Problem for Stirred<S> {
    type Point = Cotangent<So3<S>>;
    fn start(&self) -> Self::Point {
        self.top.start()
    }
}
impl<S: Real> Lagrangian for Stirred<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = Stirred<T>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Stirred<T> {
        Stirred { top: self.top.cast(f), friction: self.friction }
    }
    fn lagrangian(&self, t: f64, g: &So3<S>, w: &Vec3<S>) -> S {
        self.top.lagrangian(t, g, w)
    }
    fn external(&self, t: f64, g: &So3<S>, w: &Vec3<S>) -> Option<Vec3<S>> {
        let push = Vec3::lift(vec3(0.0, 0.1 * t.cos(), 0.2));
        Some(g.matrix.apply(*w) * -self.friction + push)
    }
}

/// The forced equations have the order of the method: against Euler's equation, integrated by the
/// classical Runge–Kutta method with small steps.
#[test]
fn forced_motion() {
    let body = Stirred { top: Top::named("mild-top"), friction: 0.4 };
    let top = body.top;
    // (g as three rows, P): g' = g hat(w), P' = P × w + gᵀ(torque + external).
    let slope = |t: f64, g: &lieflow::Mat3<f64>, p: Vec3<f64>| {
        let w = p.divided_by(top.inertia);
        let so3 = So3 { matrix: *g };
        let force = Lagrangian::force(&top, t, &so3, &w) + body.external(t, &so3, &w).unwrap();
        (g.matmul(&lieflow::Mat3::hat(w)), p.cross(w) + g.apply_transpose(force))
    };
    let (mut g, mut p) = (top.g, top.g.apply_transpose(top.mu));
    let n = 4000;
    let h = 1.0 / n as f64;
    for i in 0..n {
        let t = i as f64 * h;
        let (a1, b1) = slope(t, &g, p);
        let (a2, b2) = slope(t + h / 2.0, &(g + a1 * (h / 2.0)), p + b1 * (h / 2.0));
        let (a3, b3) = slope(t + h / 2.0, &(g + a2 * (h / 2.0)), p + b2 * (h / 2.0));
        let (a4, b4) = slope(t + h, &(g + a3 * h), p + b3 * h);
        g = g + (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
        p += (b1 + b2 * 2.0 + b3 * 2.0 + b4) * (h / 6.0);
    }
    let exact = [g.rows[0].to_array(), g.rows[1].to_array(), g.rows[2].to_array()].concat();
    let spatial = g.apply(p).to_array();
    for (id, order) in [
        ("slgi-theta0", 1.0),
        ("chart-exp-midpoint", 2.0),
        ("chart-cay-trapezoid", 2.0),
        ("liegalerkin-exp-s2-gauss2", 4.0),
        ("liegalerkin-cay-s3-lobatto4", 6.0),
    ] {
        let error = |n: usize| {
            let scheme = names::scheme(id).unwrap().unwrap();
            let mut method = Variational::<_, FromLagrangian>::new(scheme);
            let y = integrate(&body, &mut method, 1.0 / n as f64, n, |_, _| ());
            let got = flat(&y);
            relative(&got[..9], &exact) + relative(&got[9..], &spatial)
        };
        let steps = if order > 4.0 { 6 } else { 20 };
        let observed = (error(steps) / error(2 * steps)).log2();
        assert!((observed - order).abs() < 0.15, "{id}: {observed}");
    }
}

/// Steps over dual numbers end where those over numbers end, and their derivatives are those of differences, also
/// where forces depend on the time.
#[test]
fn derivatives_of_forced_steps() {
    let body = Stirred { top: Top::named("mild-top"), friction: 0.4 };
    let dual = body.over(Tangent::constant);
    let (t, h) = (0.7, 0.2);
    for id in
        ["slgi-theta0", "chart-exp-midpoint", "chart-cay-truemid", "liegalerkin-exp-s2-gauss2"]
    {
        let scheme = || names::scheme(id).unwrap().unwrap();
        let step = |mu: Vec3<f64>| {
            let (y, mut out) = (Cotangent { mu, ..body.start() }, body.start());
            let mut method = Variational::<_, FromLagrangian>::new(scheme());
            method.step(Step::new(&body, t, h, &y), &mut out).unwrap();
            flat(&out)
        };
        for k in 0..2 {
            let mut start = dual.start();
            let at = start.mu.get(k);
            start.mu.set(k, at + Tangent::variable(0.0));
            let mut out = start.clone();
            let mut method = Variational::<_, FromLagrangian>::new(scheme());
            method.step(Step::new(&dual, t, h, &start), &mut out).unwrap();
            let mut found: Vec<Tangent> =
                out.g.matrix.rows.iter().flat_map(|row| row.to_array()).collect();
            found.extend(out.mu.to_array());
            let by = Vec3::unit(k) * 1e-5;
            let (more, less) = (step(body.start().mu + by), step(body.start().mu - by));
            for (i, (found, want)) in found.iter().zip(step(body.start().mu)).enumerate() {
                assert!((found.re - want).abs() < 1e-14, "{id}: {:e} {want:e}", found.re);
                let slope = (more[i] - less[i]) / 2e-5;
                assert!((found.slope - slope).abs() < 1e-8, "{id}: {:e} {slope:e}", found.slope);
            }
        }
    }
}

/// A Lagrangian that is linear in one velocity.
#[derive(Clone, Copy, Debug)]
struct Degenerate<S>(S);
impl<S: Real> Problem for Degenerate<S> {
    type Point = Cotangent<Rn<S, 2>>;
    fn start(&self) -> Self::Point {
        Cotangent { g: Rn([S::one(), S::zero()]), mu: Rn([S::one(), S::one()]) }
    }
}
impl<S: Real> Lagrangian for Degenerate<S> {
    type Scalar = S;
    type Family = Translations<2>;
    type Over<T: Real> = Degenerate<T>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Degenerate<T> {
        Degenerate(f(self.0))
    }
    fn lagrangian(&self, _: f64, q: &Rn<S, 2>, v: &Rn<S, 2>) -> S {
        v.0[0] * v.0[0] * 0.5 + q.0[0] * v.0[1] - q.0[1] * q.0[1] * 0.5
    }
}

#[test]
fn a_singular_legendre_transform_is_refused() {
    let p = Degenerate(0.0);
    let error = lagrangian::check_legendre(&p, 0.0).unwrap_err();
    assert!(matches!(error, LegendreError::Singular { pivot, .. } if pivot == 0.0), "{error}");
    assert!(error.to_string().contains("Legendre transform is singular"));
    for entry in vector_entries::<Degenerate<f64>>() {
        let refused = (entry.make)(&p, &Options::default()).err().unwrap();
        assert_eq!(refused, OptionError::Legendre(error.clone()), "{}", entry.card.id);
    }
    // And by the step itself, should it get that far.
    let scheme = names::scheme("galerkin-s2-gauss2").unwrap().unwrap();
    let mut method = Variational::<_, FromLagrangian>::new(scheme);
    let y = p.start();
    let failed = method.step(Step::new(&p, 0.0, 0.1, &y), &mut y.clone()).unwrap_err();
    assert_eq!(failed, StepError::Legendre(error));
}

#[test]
fn a_step_without_a_solution_is_an_error() {
    let body = Top::named("free-body-seed001");
    // The exponential has a solution up to a rotation of about 2.7 rad: h = 5 but not h = 6.
    let step = |id: &str, h: f64| {
        let mut method = Variational::<_, FromLagrangian>::new(names::scheme(id).unwrap().unwrap());
        let y = body.start();
        method.step(Step::new(&body, 0.0, h, &y), &mut y.clone())
    };
    assert!(step("chart-exp-left", 5.0).is_ok());
    let Err(StepError::NotConverged { equation, residual, step: h, iterations }) =
        step("chart-exp-left", 6.0)
    else {
        panic!("a step of 6 was accepted");
    };
    assert_eq!((equation, h), ("the discrete Euler–Lagrange equation", 6.0));
    assert!(residual > 1e-3 && iterations > 3);
    assert!(step("chart-cay-left", 6.0).is_ok());
    assert!(step("chart-exp-left", f64::NAN).is_err());
}

/// What the lists say is unique and in the form that people type.
#[test]
fn names_are_in_order() {
    let entries = lagrangian_entries::<Top<f64>>();
    let mut ids: Vec<_> = entries.iter().map(|e| e.card.id).collect();
    assert_eq!((ids.len(), rotation_ids().len()), (34, 34));
    assert!(rotation_ids().iter().all(|id| ids.contains(&id.as_str())));
    ids.extend(vector_entries::<Degenerate<f64>>().iter().map(|e| e.card.id));
    for id in ids {
        assert!(names::scheme(id).unwrap().is_ok(), "{id}");
        assert!(
            id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
        );
    }
}
