//! Methods for pendulums on spheres, on a system of the tests' own: what they say when a step has no solution, and
//! measurements where axes of space lie.
use lieflow::action::Link;
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::spheres::{entries, structure};
use lieflow::method::{Options, Step, StepError};
use lieflow::problem::Lift;
use lieflow::problem::spheres::{Coupling, OnSpheres, Se3Coordinates, Slot, SphereSystem};
use lieflow::{Real, Vec3, vec3};

/// Two pendulums of length one, the second hanging at the end of the first (`joined`), or beside it.
#[derive(Clone, Debug)]
struct Two<S> {
    masses: [S; 2],
    joined: bool,
}

impl<S: Real> Two<S> {
    fn weight(&self, i: usize) -> S {
        if self.joined && i == 0 { self.masses[0] + self.masses[1] } else { self.masses[i] }
    }
}

impl<S: Real> SphereSystem for Two<S> {
    type Scalar = S;
    type Over<T: Real> = Two<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Two<T> {
        Two { masses: self.masses.map(embed), joined: self.joined }
    }
    fn count(&self) -> usize {
        2
    }
    fn coupling(&self) -> Coupling {
        if self.joined { Coupling::Dense } else { Coupling::Diagonal }
    }
    fn mass(&self, i: usize, j: usize) -> S {
        match (i == j, self.joined) {
            (true, _) => self.weight(i),
            (false, true) => self.masses[1],
            (false, false) => S::zero(),
        }
    }
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        let determinant = self.mass(0, 0) * self.mass(1, 1) - self.mass(0, 1) * self.mass(1, 0);
        if i == j { self.mass(1 - i, 1 - i) / determinant } else { -self.mass(i, j) / determinant }
    }
    fn potential(&self, y: &[Link<S>]) -> S {
        (y[0].q.z * self.weight(0) + y[1].q.z * self.weight(1)) * 9.81
    }
    fn add_gradient<O: Slot<S>>(&self, _: &[Link<S>], out: &mut [O]) {
        for (i, o) in out.iter_mut().enumerate() {
            o.set_second(o.second() + Vec3::unit(2).times(self.weight(i) * 9.81));
        }
    }
}

type On<C> = OnSpheres<Two<f64>, C>;

fn two<C: lieflow::problem::spheres::Coordinates>(
    joined: bool,
    q: [Vec3<f64>; 2],
    spin: f64,
) -> On<C> {
    let links = q.map(|q| {
        let turn = vec3(0.3, -0.8, 0.5) * spin;
        Link::new(q, turn - q * q.dot(turn))
    });
    OnSpheres::new(Two { masses: [1.3, 0.7], joined }, &links)
}

/// Directions along all axes, where a basis of tangent vectors must not be one of them.
#[test]
fn symplectic_wherever_directions_point() {
    let [x, y, z] = [0, 1, 2].map(Vec3::unit);
    for q in [[x, y], [-x, -z], [y, x], [z, -y], [vec3(0.6, 0.8, 0.0), vec3(0.8, 0.0, 0.6)]] {
        for joined in [true, false] {
            let p = two::<Se3Coordinates>(joined, q, 1.0);
            let lifted = p.lift(Tangent::constant);
            let mut tried = 0;
            for entry in entries::<OnSpheres<Two<Tangent>, Se3Coordinates>>() {
                let id = entry.card.id;
                if !matches!(id, "rattle" | "eln" | "llm") {
                    continue;
                }
                let Ok(mut method) = (entry.make)(&lifted, &Options::default()) else { continue };
                let start = lieflow::problem::Problem::start(&p);
                let at = structure::measured(&lifted, &mut *method, 0.0, 0.05, &start).unwrap();
                // Where masses are coupled, the explicit Lie–Newmark method loses the form, and says so.
                let keeps = id != "eln" || !joined;
                let right = if keeps { at.defect < 1e-12 } else { at.defect > 1e-6 };
                assert!(right, "{id} {joined} {q:?}: {:e}", at.defect);
                tried += 1;
            }
            assert!(tried > 0);
        }
    }
}

/// Steps that are too long end with an error that names what was left, never with a state.
#[test]
fn steps_without_a_solution() {
    let q = [vec3(0.6, 0.0, -0.8), vec3(0.0, 0.6, 0.8)];
    let (mut none, mut open) = (0, 0);
    for joined in [true, false] {
        let p = two::<Se3Coordinates>(joined, q, 5.0);
        let start = lieflow::problem::Problem::start(&p);
        for entry in entries::<On<Se3Coordinates>>() {
            let id = entry.card.id;
            let Ok(mut method) = (entry.make)(&p, &Options::default()) else { continue };
            for h in [0.1, 0.2, 0.3, 0.5, 0.8, 1.5, 4.0] {
                let mut end = start.clone();
                let made = method.step(Step::new(&p, 0.0, h, &start), &mut end);
                method.reset();
                match made {
                    Ok(_) => {
                        let finite = |link: &Link<f64>| link.q.finite() && link.omega.finite();
                        assert!(end.iter().all(finite), "{id} {h}");
                    }
                    Err(StepError::NoSolution { .. }) => none += 1,
                    Err(StepError::NotConverged { residual, .. }) => {
                        // What the last round changed, which is not nothing.
                        assert!(residual > 1e-17 || residual.is_nan(), "{id} {h}: {residual:e}");
                        open += 1;
                    }
                    Err(error) => panic!("{id} {h} {joined}: {error}"),
                }
            }
            // A pendulum that goes farther than its length in a straight line does not come back to its sphere.
            if id == "rattle" && !joined {
                let mut end = start.clone();
                let made = method.step(Step::new(&p, 0.0, 2.0, &start), &mut end);
                assert!(matches!(made, Err(StepError::NoSolution { .. })), "{made:?}");
            }
        }
    }
    println!("{none} without a solution, {open} not converged");
    assert!(none > 0 && open > 0, "{none} {open}");
}
