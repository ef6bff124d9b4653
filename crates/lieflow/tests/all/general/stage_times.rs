//! When stages look at the clock: every evaluation of every method with a table, one by one.
use crate::common::run;
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::commutator_free::{self, ProductMethod};
use lieflow::method::fixed_point::FixedPoint;
use lieflow::method::implicit::Implicit;
use lieflow::method::rkmk::{self, Rkmk};
use lieflow::method::rkmk_gauss::{self, GaussStages};
use lieflow::method::spherical::{Midpoint, SphericalMidpoint};
use lieflow::method::{Method, Step, composition, gl4_sym};
use lieflow::problem::{Generator, Problem};
use lieflow::tableau::{self, Tableau};
use lieflow::{Vec3, vec3};
use std::cell::RefCell;

/// A vector in a field that changes, and the times at which it was asked for.
struct Asked(RefCell<Vec<f64>>);

impl Problem for Asked {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(0.48, -0.6, 0.64)
    }
}
impl Generator for Asked {
    type Space = Turn<f64>;
    fn field(&self, t: f64, y: &Vec3<f64>) -> Vec3<f64> {
        self.0.borrow_mut().push(t);
        vec3((3.0 * t).cos(), y.x + t, 1.5 * (2.0 * t).sin())
    }
}

const T: f64 = 0.7;
const H: f64 = 0.25;

/// The times of one step, as parts of it.
fn asked(method: &mut dyn Method<Asked>) -> Vec<f64> {
    let p = Asked(RefCell::default());
    let (y, mut out) = (p.start(), p.start());
    // The first step also finds out of which shape the field is.
    method.step(Step::new(&p, T, H, &y), &mut out).unwrap();
    method.reset();
    p.0.borrow_mut().clear();
    method.step(Step::new(&p, T, H, &y), &mut out).unwrap();
    p.0.into_inner().iter().map(|t| (t - T) / H).collect()
}

/// A last stage that only the next step or an interpolant uses may be missing.
fn same(id: &str, seen: &[f64], wanted: &[f64]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-14;
    let missing = wanted.len().wrapping_sub(seen.len());
    assert!(missing <= 1, "{id}: {seen:?}, expected {wanted:?}");
    assert!(seen.iter().zip(wanted).all(close), "{id}: {seen:?}, expected {wanted:?}");
}

#[test]
fn explicit_methods_look_at_the_clock_at_the_nodes_of_their_tables() {
    for (card, table) in &rkmk::MEMBERS {
        same(card.id, &asked(&mut Rkmk::new(table, Chart::Exp)), table.c);
    }
    for (card, table) in commutator_free::products() {
        same(card.id, &asked(&mut ProductMethod::new(table)), table.c);
    }
    same("casas-owren", &asked(&mut CasasOwren::default()), &[0.0, 0.5, 0.5, 1.0]);
}

/// The start is the first guess of all stages; every sweep then takes all nodes.
#[test]
fn implicit_methods_look_at_the_clock_at_their_nodes_in_every_sweep() {
    let check = |id: &str, method: &mut dyn Method<Asked>, c: &[f64]| {
        let times = asked(method);
        same(id, &times[..1], &[0.0]);
        assert!(times.len() > c.len());
        times[1..].chunks(c.len()).for_each(|sweep| same(id, sweep, c));
    };
    for (card, table) in &rkmk_gauss::MEMBERS {
        let stages = GaussStages { tableau: table, chart: Chart::Exp };
        check(card.id, &mut Implicit::<_, _, FixedPoint>::new(stages), table.c);
    }
    let centred = gl4_sym::CentredStages { chart: Chart::Exp };
    check("gl4-sym", &mut Implicit::<_, _, FixedPoint>::new(centred), tableau::GAUSS4.c);
}

#[test]
fn midpoint_rules_look_at_the_clock_in_the_middle_of_their_substeps() {
    for scheme in composition::SCHEMES {
        for rule in [Midpoint::Spherical, Midpoint::Collective] {
            let mut times = asked(&mut SphericalMidpoint::new(rule, Some(scheme)));
            times.dedup_by(|a, b| (*a - *b).abs() < 1e-14);
            let mut done = 0.0;
            let mut wanted = Vec::new();
            for g in scheme.weights() {
                // The first guess is the field at the start of the substep.
                wanted.extend([done, done + 0.5 * g]);
                done += g;
            }
            same(scheme.id, &times, &wanted);
        }
    }
}

/// Kutta's method with one wrong time: the third stage is early.
static WRONG: Tableau = Tableau {
    name: "wrong",
    order: 4,
    a: tableau::RK4.a,
    b: tableau::RK4.b,
    embedded: &[],
    dense: None,
    c: &[0.0, 0.5, 0.4, 1.0],
    cite: "",
};

/// One wrong stage time costs a method its order, on a forced problem and nowhere else.
#[test]
fn a_wrong_stage_time_is_seen() {
    let p = Asked(RefCell::default());
    let exact = run(&p, &mut Rkmk::new(&tableau::DOP853, Chart::Exp), 1.0 / 64.0, 64);
    let order = |table: &'static Tableau| {
        let error = |n: usize| {
            let y = run(&p, &mut Rkmk::new(table, Chart::Exp), 1.0 / n as f64, n);
            (y - exact).norm()
        };
        (error(32) / error(64)).log2()
    };
    assert!((order(&tableau::RK4) - 4.0).abs() < 0.15, "{}", order(&tableau::RK4));
    assert!(order(&WRONG) < 1.5, "{}", order(&WRONG));
    assert_ne!(asked(&mut Rkmk::new(&WRONG, Chart::Exp)), tableau::RK4.c.to_vec());
}
