//! The correction from Taylor series against the closed forms, and the order that it gains.
use super::data::*;
use super::fields::both;
use super::tables;
use lieflow::action::{Action, Turn};
use lieflow::chart::Chart;
use lieflow::method::isotropy::orbit::{Coordinates, Explicit, orbit_correction};
use lieflow::method::isotropy::{Choice, ChosenGenerator, Exponential, Local, Part};
use lieflow::problem::{Lift, Problem};
use lieflow::tableau::{EULER, HEUN2, RK4};
use lieflow::{Jet, Real, Vec3, vec3};

const N: usize = 7;
type J = Jet<f64, N>;

fn update(order: u8, chart: Chart) -> Explicit {
    match order {
        1 => Explicit { tableau: &EULER, chart, pulled: true },
        2 => Explicit { tableau: &HEUN2, chart, pulled: false },
        _ => Explicit { tableau: &RK4, chart, pulled: true },
    }
}

const CHARTS: [(Chart, Exponential); 2] =
    [(Chart::Exp, Exponential::Exp), (Chart::Cayley, Exponential::Cayley)];

#[test]
fn the_closed_forms_of_the_free_body_follow() {
    let mut worst = 0.0f64;
    for p in tables::triaxial(20011009) {
        let l = Local::at(p.a, p.start);
        for (chart, map) in CHARTS {
            let mut near = |order, power, want: f64| {
                let found =
                    orbit_correction::<_, _, N>(&p, 0.0, &p.start, &update(order, chart), power);
                worst = worst.max((found.element.dot(p.start) - want).abs());
                assert!(found.residual < 1e-15 && found.skipped == 0);
            };
            // With the basic generator, Euler's coefficient includes the a of w_b = w_o - a m.
            near(1, 2, l.curvature() + l.a);
            near(2, 4, l.heun(Choice::Basic));
            near(4, 5, l.rkmk4(Choice::Basic, map));
        }
    }
    println!("sigmas from series: {worst:e}");
    assert!(worst < 2e-15);
}

#[test]
fn alpha_two_of_heun() {
    let mut worst = 0.0f64;
    for (p, row) in both() {
        let (m, h) = (p.start(), number(&row["h"]));
        for (word, chart) in [("exp", Chart::Exp), ("cay", Chart::Cayley)] {
            // The reference is for the orthogonal generator.
            let o = OrthogonalOf(p.clone());
            let heun = update(2, chart);
            let found = orbit_correction::<_, _, N>(&o, 0.0, &m, &heun, 3);
            let alpha2 = 2.0 * found.element.dot(m);
            worst = worst.max((alpha2 - number(&row["alpha2_heun"])).abs());
            let mut u =
                heun.coordinates(&ChosenGenerator::new(p.clone(), Part::Orthogonal), 0.0, &m, h);
            u += found.element * (h * h);
            let mut out = m;
            Turn::advance(chart, &u, &m, &mut out);
            let error = distance(out, vector(&row["steps"][word]["Heun_o_alpha2"]));
            assert!(error < 1e-15, "{error:e}");
        }
    }
    println!("alpha2: {worst:e}");
    assert!(worst < 1e-14);
}

/// A field with its isotropy part taken off, over any numbers.
#[derive(Clone)]
struct OrthogonalOf<S>(super::fields::Sphere<S>);

impl<S: Real> Problem for OrthogonalOf<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.0.start()
    }
}
impl<S: Real> lieflow::problem::Generator for OrthogonalOf<S> {
    type Space = Turn<S>;
    fn field(&self, t: f64, m: &Vec3<S>) -> Vec3<S> {
        let mut w = self.0.field(t, m);
        <Turn<S> as lieflow::action::Isotropy>::orthogonalise(m, &mut w);
        w
    }
}
impl<S: Real> Lift for OrthogonalOf<S> {
    type Scalar = S;
    type Over<T: Real> = OrthogonalOf<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> OrthogonalOf<T> {
        OrthogonalOf(self.0.lift(f))
    }
    fn lift_point<T: Real>(&self, y: &Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
        cast(*y, f)
    }
}

#[test]
fn the_energy_of_a_general_hamiltonian_field_gains_an_order() {
    let [(p, _), _] = both();
    let m = vec3(0.48, -0.6, 0.64);
    for (chart, _) in CHARTS {
        for order in [1u8, 2, 4] {
            let power = order as usize + 1;
            let scheme = update(order, chart);
            let correction = orbit_correction::<_, _, N>(&p, 0.0, &m, &scheme, power).element;
            // The step as a series, without and with the correction.
            let q = p.lift(J::constant);
            let y = cast(m, J::constant);
            let h = J::variable();
            let energy = |corrected: bool| {
                let mut u = scheme.coordinates(&q, 0.0, &y, h);
                if corrected {
                    u += cast(correction, J::constant).times(h.powi(i32::from(order)));
                }
                let mut out = y;
                Turn::advance(chart, &u, &y, &mut out);
                (q.energy(out) - q.energy(y)).c
            };
            let (plain, better) = (energy(false), energy(true));
            for k in 0..power {
                assert!(plain[k].abs() < 1e-15 && better[k].abs() < 1e-15);
            }
            assert!(plain[power].abs() > 1e-6, "{order} {plain:?}");
            assert!(better[power].abs() < 1e-15, "{order} {better:?}");
        }
    }
}
