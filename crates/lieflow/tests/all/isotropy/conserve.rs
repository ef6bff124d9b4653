//! Conservation of the energy of a free body by the choice of isotropy.
use super::data::*;
use super::tables;
use lieflow::Vec3;
use lieflow::chart::Chart;
use lieflow::method::isotropy::{Conserve, Conserving, Exponential, OnSphere, sphere};
use lieflow::method::{Method, OptionError, Step, StepResult, rkmk::Rkmk};
use lieflow::problem::{Generator, Problem};
use lieflow::vec3;

const MAPS: [Exponential; 2] = [Exponential::Exp, Exponential::Cayley];

fn conserving(p: &Body<f64>, name: &str, map: Exponential, linear: bool) -> Conserving<Body<f64>> {
    let mut wanted = Conserve::exactly(&["energy"]);
    wanted.linear = linear;
    Conserving::new(p, Box::new(method(name, map)), wanted).unwrap()
}

#[test]
fn multipliers_and_steps() {
    let data = reference();
    let rows = data["rigid_body"]["conserve"].as_array().unwrap();
    assert_eq!(rows.len(), 30);
    let (mut worst, mut worst_z) = (0.0f64, 0.0f64);
    for row in rows {
        let p = Body::of(row, "m");
        let (base, map, h) =
            (row["base"].as_str().unwrap(), exponential(&row["Exp"]), number(&row["h"]));
        for (linear, z, m1) in
            [(false, "multiplier_exact", "m1_exact"), (true, "multiplier_linear", "m1_linear")]
        {
            let mut m = conserving(&p, base, map, linear);
            let mut out = p.start;
            m.step(Step::new(&p, 0.0, h, &p.start), &mut out).unwrap();
            worst_z = worst_z.max((m.multipliers().z[0] - number(&row[z])).abs());
            worst = worst.max(distance(out, vector(&row[m1])));
            let dh = p.energy_change(p.start, out);
            if linear {
                assert!((dh - number(&row["dH_linear"])).abs() < 1e-13, "{base}");
            } else {
                assert!(dh.abs() < 2e-16, "{base} {dh:e}");
            }
            assert_eq!(m.corrections().unwrap().skipped, 0);
        }
    }
    println!("conserve: multipliers {worst_z:e}, states {worst:e}");
    assert!(worst_z < 1e-12 && worst < 1e-14);
}

#[test]
fn energy_is_kept_over_twenty_thousand_steps() {
    let p = tables::triaxial(20011009)[1];
    let first = p.energy(p.start);
    let mut worst = 0.0f64;
    for name in ["Eul_o", "RK2_o", "RK4_o", "RK4_b"] {
        for map in MAPS {
            let mut m = conserving(&p, name, map, false);
            run(&p, &mut m, 0.1, 20_000, |y| {
                worst = worst.max((p.energy(*y) / first - 1.0).abs());
            });
            let count = m.corrections().unwrap();
            assert_eq!((count.made, count.skipped), (20_000, 0), "{name}");
        }
    }
    println!("energy over 2e4 steps: {worst:e}");
    assert!(worst < 1e-14);
}

/// State error and largest energy error of a run to `t = 10`.
fn errors(
    p: &Body<f64>,
    m: &mut dyn Method<Body<f64>>,
    steps: usize,
    exact: Vec3<f64>,
) -> (f64, f64) {
    let mut dh = 0.0f64;
    let end = run(p, m, 10.0 / steps as f64, steps, |y| {
        dh = dh.max(p.energy_change(p.start, *y).abs());
    });
    (distance(end, exact), dh)
}

#[test]
fn the_order_of_the_state_stays_and_that_of_the_energy_rises() {
    let p = Body::new(vec3(0.5, 0.9, 1.7), vec3(0.48, -0.6, 0.64));
    let exact = run(&p, &mut method("RK4_io", Exponential::Exp), 1e-3, 10_000, |_| {});
    for map in MAPS {
        // Base, state order, global energy order when linearised.
        for (name, state, energy, steps) in [
            ("Eul_o", 1.0, 2.0, 800),
            ("RK2_o", 2.0, 4.0, 400),
            ("RK2_b", 2.0, 4.0, 400),
            ("RK4_o", 4.0, 5.0, 200),
        ] {
            for linear in [false, true] {
                let pair = [steps, 2 * steps]
                    .map(|n| errors(&p, &mut conserving(&p, name, map, linear), n, exact));
                let order = (pair[0].0 / pair[1].0).log2();
                assert!((order - state).abs() < 0.25, "{name} {map:?} {linear}: state {order}");
                if linear {
                    let order = (pair[0].1 / pair[1].1).log2();
                    println!("{name} {map:?}: linearised energy order {order}");
                    assert!(order > energy - 0.35, "{name} {map:?}: energy {order} {pair:?}");
                }
            }
        }
    }
}

/// A method that does not say how it moved.
struct Closed(OnSphere<f64>);
impl Method<Body<f64>> for Closed {
    fn step(&mut self, s: Step<'_, Body<f64>>, out: &mut Vec3<f64>) -> StepResult {
        self.0.step(s, out)
    }
    fn cost(&self) -> lieflow::method::Cost {
        Method::<Body<f64>>::cost(&self.0)
    }
}

#[test]
fn methods_without_coordinates_are_corrected_from_the_left() {
    let p = Body::new(vec3(0.5, 0.9, 1.7), vec3(0.48, -0.6, 0.64));
    let exact = run(&p, &mut method("RK4_io", Exponential::Exp), 1e-3, 10_000, |_| {});
    for (name, state, steps) in [("Eul_o", 1.0, 800), ("RK2_o", 2.0, 400), ("RK4_o", 4.0, 200)] {
        for linear in [false, true] {
            let pair = [steps, 2 * steps].map(|n| {
                let mut wanted = Conserve::exactly(&["energy"]);
                wanted.linear = linear;
                let inner = Box::new(Closed(method(name, Exponential::Exp)));
                let mut m = Conserving::new(&p, inner, wanted).unwrap();
                let found = errors(&p, &mut m, n, exact);
                assert_eq!(m.corrections().unwrap().skipped, 0);
                found
            });
            let order = (pair[0].0 / pair[1].0).log2();
            assert!((order - state).abs() < 0.25, "{name} {linear}: state {order}");
            if !linear {
                assert!(pair[1].1 < 1e-14, "{:e}", pair[1].1);
            } else {
                let order = (pair[0].1 / pair[1].1).log2();
                assert!(order > state + 0.65, "{name}: energy {order}");
            }
        }
    }
}

#[test]
fn large_steps_never_jump_to_spurious_roots() {
    // Without the acceptance test, Newton's method finds y = m or turns by many radians here.
    let bodies = tables::triaxial(20011009);
    for (name, h) in [("RK2_b", 5.0), ("RK2_b", 10.0), ("RK4_b", 10.0), ("Eul_o", 10.0)] {
        for map in MAPS {
            let mut skipped = 0;
            for p in &bodies {
                let mut m = conserving(p, name, map, false);
                let mut before = p.start;
                run(p, &mut m, h, 200, |y| {
                    assert!(y.finite() && (y.norm() - 1.0).abs() < 1e-12);
                    let mut plain = before;
                    method(name, map).step(Step::new(p, 0.0, h, &before), &mut plain).unwrap();
                    let (way, want) = (distance(*y, before), distance(plain, before));
                    assert!(way >= 0.0999 * want, "{name} h = {h}: {way:e} of {want:e}");
                    before = *y;
                });
                skipped += m.corrections().unwrap().skipped;
            }
            println!("{name} {map:?} h = {h}: skipped {skipped} of 2000");
            if name == "RK2_b" {
                assert!(skipped > 0);
            }
        }
    }
    for name in ["Eul_o", "RK2_o", "RK4_o", "RK2_b"] {
        for p in &bodies {
            let mut m = conserving(p, name, Exponential::Cayley, false);
            run(p, &mut m, 2.0, 200, |_| {});
            assert_eq!(m.corrections().unwrap().skipped, 0, "{name}");
        }
    }
}

#[test]
fn equilibria_and_integrals_out_of_reach_are_safe() {
    for start in [vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, -2.0), Vec3::zero()] {
        let p = Body::new(vec3(1.5, 2.0, 3.0), start);
        for name in ["Eul_o", "RK4_b"] {
            for linear in [false, true] {
                let mut m = conserving(&p, name, Exponential::Exp, linear);
                assert_eq!(run(&p, &mut m, 0.5, 20, |_| {}), start);
                assert_eq!(m.corrections().unwrap().skipped, 0);
            }
        }
    }
    // Turning about m does not change a function of <m, axis> when X is along the level: ask for
    // the height of a field whose orbits climb.
    let p = Climb { start: vec3(0.6, 0.0, 0.8) };
    for linear in [false, true] {
        let mut wanted = Conserve::exactly(&["height"]);
        wanted.linear = linear;
        let inner = Box::new(Rkmk::new(&lieflow::tableau::EULER, Chart::Exp));
        let mut m = Conserving::new(&p, inner, wanted).unwrap();
        let end = run(&p, &mut m, 0.01, 50, |_| {});
        let plain = run(&p, &mut Rkmk::new(&lieflow::tableau::EULER, Chart::Exp), 0.01, 50, |_| {});
        let count = m.corrections().unwrap();
        assert_eq!((count.made, count.skipped), (0, 50));
        assert_eq!(end, plain);
    }
}

/// A field along meridians, towards the pole; `height` is not conserved by it.
struct Climb {
    start: Vec3<f64>,
}
impl Problem for Climb {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        self.start
    }
}
impl Generator for Climb {
    type Space = lieflow::action::Turn<f64>;
    fn field(&self, _: f64, m: &Vec3<f64>) -> Vec3<f64> {
        m.cross(vec3(0.0, 0.0, 1.0))
    }
}
impl lieflow::problem::FirstIntegrals for Climb {
    fn integrals(&self) -> Vec<lieflow::problem::Integral<Self>> {
        vec![lieflow::problem::Integral {
            name: "height",
            eval: |_, m| m.z,
            gradient: |_, _, out| out.copy_from_slice(&[0.0, 0.0, 1.0]),
            change: None,
        }]
    }
}

#[test]
fn unknown_integrals_are_named() {
    let p = Body::new(vec3(1.5, 2.0, 3.0), vec3(0.6, 0.0, 0.8));
    let inner = Box::new(method("Eul_o", Exponential::Exp));
    let error = Conserving::new(&p, inner, Conserve::exactly(&["momentum_norm"])).err().unwrap();
    assert_eq!(error, OptionError::NotConservable { name: "momentum_norm", known: vec!["energy"] });
    // Through the registry.
    let entries = lieflow::method::isotropy::with_conservation(sphere::entries::<Body<f64>>());
    let entry = entries.iter().find(|e| e.card.id == "rk4-o").unwrap();
    let options = lieflow::method::Options {
        conserve: Some(Conserve::exactly(&["energy"])),
        ..Default::default()
    };
    let mut m = (entry.make)(&p, &options).unwrap();
    let first = p.energy(p.start);
    run(&p, &mut *m, 0.3, 100, |y| assert!((p.energy(*y) / first - 1.0).abs() < 3e-15));
    assert_eq!(m.corrections().unwrap().made, 100);
}
