//! Bodies with their types, for tests that take single steps.
use lieflow::action::BodyState;
use lieflow::kernel::{rigid::Inertia, so3};
use lieflow::method::{Entry, Method, Options, Step};
use lieflow::{Vec3, vec3};
use lieflow_models::run::ModelSystem;
use lieflow_models::system::rigid_body::{Field, RigidBody};

pub type Body<S> = RigidBody<S, Field<S>>;

pub fn attractor() -> Field<f64> {
    let x = 2.5 / 2f64.sqrt();
    Field::Attractor { alpha: 0.3, center: so3::exp(vec3(x, 0.0, x)) }
}

pub fn soft_wall(printed: bool) -> Field<f64> {
    let (attraction, repulsion, offset, power) = (1.0, 0.001, 1.1, 10);
    Field::SoftWall { attraction, repulsion, offset, power, printed }
}

pub fn body(j: [f64; 3], field: Field<f64>, rotation: [f64; 3], momentum: [f64; 3]) -> Body<f64> {
    RigidBody {
        inertia: Inertia::principal(Vec3::from(j)),
        potential: field,
        start: BodyState::new(so3::exp(Vec3::from(rotation)), Vec3::from(momentum)),
    }
}

pub fn probe() -> Body<f64> {
    body([1.2, 2.0, 2.7], attractor(), [0.3, -0.2, 0.5], [0.7, -1.1, 0.9])
}

/// A body with three different products of inertia in the field of the probe.
pub fn full_probe() -> Body<f64> {
    let turn = so3::exp(vec3(0.4, 1.1, -0.7));
    let moments = lieflow::Mat3::diagonal(vec3(1.2, 2.0, 2.7));
    let matrix = turn.matmul(&moments).matmul(&turn.transpose());
    RigidBody { inertia: Inertia::full(&matrix), ..probe() }
}

/// The rigid-body methods, without those of other families.
pub fn entries() -> Vec<Entry<Body<f64>>> {
    Body::entries().into_iter().filter(|entry| entry.card.family == "rigid body").collect()
}

pub fn method(p: &Body<f64>, id: &str) -> Box<dyn Method<Body<f64>>> {
    let list = entries();
    let entry = list.iter().find(|e| e.card.id == id).unwrap_or_else(|| panic!("no {id}"));
    (entry.make)(p, &Options::default()).unwrap()
}

/// The state after steps of these sizes.
pub fn steps(p: &Body<f64>, id: &str, y: &BodyState<f64>, hs: &[f64]) -> BodyState<f64> {
    let mut method = method(p, id);
    let mut y = *y;
    let mut t = 0.0;
    for h in hs {
        let mut out = y;
        method.step(Step::new(p, t, *h, &y), &mut out).unwrap();
        method.accept();
        y = out;
        t += h;
    }
    y
}
