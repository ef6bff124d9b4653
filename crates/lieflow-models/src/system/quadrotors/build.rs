//! The quadrotors from their problem file.
use super::{Carried, Control, Gains, Parameters, Quadrotors};
use crate::problem_file::{Kind, Node, Reader, SpecError};
use crate::run::{Model, ModelSystem};
use crate::system::on_spheres::{at, read_links};
use crate::system::{Spec, SystemEntry, SystemError};
use lieflow::method::{Entry, Inside, Method, Step, StepError, StepResult, generator};
use lieflow::problem::Problem;
use lieflow::{Mat3, Vec3, vec3};

impl ModelSystem for Quadrotors<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let explained = |entry: Entry<Self>| Entry {
            card: entry.card,
            make: Box::new(move |p, options| {
                Ok(Box::new(Explained((entry.make)(p, options)?)) as Box<dyn Method<Self>>)
            }),
        };
        generator::entries().into_iter().map(explained).collect()
    }
}

/// A method whose field fails only where the controller does, and says so.
struct Explained(Box<dyn Method<Quadrotors<f64>>>);

type Point = <Quadrotors<f64> as Problem>::Point;

fn explain<T>(result: Result<T, StepError>, step: f64) -> Result<T, StepError> {
    result.map_err(|error| match error {
        StepError::NotFinite { .. } => StepError::NoSolution {
            reason: "the controller has no direction for the thrust (the force that it wants at the payload vanishes or is parallel to 'heading'), or the motion has run away; a smaller step or other gains may help",
            step,
        },
        error => error,
    })
}

impl Method<Quadrotors<f64>> for Explained {
    fn step(&mut self, s: Step<'_, Quadrotors<f64>>, out: &mut Point) -> StepResult {
        explain(self.0.step(s, out), s.h)
    }
    lieflow::forwards!(self: Quadrotors<f64> => self.0;
        carries_roundings, accept, reset, set_aside, take_back, archive, cost);
    fn interpolate(
        &mut self,
        at: Inside<'_, Quadrotors<f64>>,
        out: &mut Point,
    ) -> Result<(), StepError> {
        explain(self.0.interpolate(at, out), at.step.h)
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "quadrotors",
    title: "two quadrotors carrying a point mass",
    parameters: "payload, masses, lengths, inertia (or inertia_1, inertia_2), gravity, gains {position, velocity, direction, omega, attitude, body_omega}, formation, heading, trajectory (coefficients of 1, t, t², …), moments, control (published, full)",
    initial: "position, velocity, rotation_1, rotation_2, body_omega_1, body_omega_2, q, omega, project",
    state: "position, velocity, rotation_1, body_omega_1, rotation_2, body_omega_2, q, omega",
    methods: crate::system::cards::<Quadrotors<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let (p, initial) = (&spec.parameters, &spec.initial);
    let control = match p.choice_or("control", &["published", "full"], "published")? {
        "full" => Control::Full,
        _ => Control::Published,
    };
    let parameters = Parameters {
        payload: p.positive("payload")?,
        masses: two_numbers(p, "masses")?,
        lengths: two_numbers(p, "lengths")?,
        gravity: p.optional_positive("gravity")?.unwrap_or(9.81),
        inertias: inertias(p)?,
        gains: gains(p, control)?,
        formation: two_vectors(p.unit_vectors("formation", 2)?),
        heading: p.optional_vector("heading")?.unwrap_or(vec3(0.0, -1.0, 0.0)),
        moments: if p.has("moments") {
            two_vectors(p.vectors("moments", 2)?)
        } else {
            [Vec3::zero(); 2]
        },
        control,
        path: p.any_vectors("trajectory")?,
    };
    let links = read_links(initial, 2)?;
    let rotation = |key| Ok(initial.optional_rotation(key)?.unwrap_or_else(Mat3::identity));
    let spin = |key| Ok(initial.optional_vector(key)?.unwrap_or_else(Vec3::zero));
    let start = Carried {
        position: initial.vector("position")?,
        velocity: initial.optional_vector("velocity")?.unwrap_or_else(Vec3::zero),
        rotations: [rotation("rotation_1")?, rotation("rotation_2")?],
        spins: [spin("body_omega_1")?, spin("body_omega_2")?],
        links: [links[0], links[1]],
    };
    let model = Quadrotors::new(parameters, start).map_err(|error| {
        let key = match error {
            SystemError::Vector { what: "heading", .. } => "heading",
            SystemError::Empty { .. } => "trajectory",
            SystemError::NotPositive { what: "mass", .. } => "masses",
            SystemError::NotPositive { what: "length", .. } => "lengths",
            _ => "formation",
        };
        at(p, key, error)
    })?;
    model.check_thrust(0.0, &start).map_err(|error| match too_large(p, initial) {
        Some(error) => error,
        None => at(initial, "position", error),
    })?;
    Ok(Box::new(model))
}

/// The first number whose square is beyond all numbers, or nearly so.
fn too_large(p: &Reader<'_>, initial: &Reader<'_>) -> Option<SpecError> {
    fn largest(node: &Node) -> f64 {
        match &node.kind {
            Kind::Number(x) => x.abs(),
            Kind::Integer(n) => (*n as f64).abs(),
            Kind::List(items) => items.iter().map(largest).fold(0.0, f64::max),
            Kind::Table(table) => {
                table.entries.iter().map(|(_, _, node)| largest(node)).fold(0.0, f64::max)
            }
            _ => 0.0,
        }
    }
    let parameters = ["payload", "masses", "lengths", "gravity", "gains", "moments", "trajectory"];
    let state = ["position", "velocity", "omega", "body_omega_1", "body_omega_2"];
    let find = |table: &Reader<'_>, keys: &[&'static str]| {
        let large = |key: &&&'static str| table.optional(key).is_some_and(|n| largest(n) > 1e100);
        keys.iter().find(large).map(|key| table.refuse(key, "numbers below 1e100 in size"))
    };
    find(initial, &state).or_else(|| find(p, &parameters))
}

fn two_numbers(p: &Reader<'_>, key: &'static str) -> Result<[f64; 2], SpecError> {
    let list = p.numbers_or_one(key, 2)?;
    Ok([list[0], list[1]])
}

fn two_vectors(list: Vec<Vec3<f64>>) -> [Vec3<f64>; 2] {
    [list[0], list[1]]
}

/// One inertia for both, or two of them.
fn inertias(p: &Reader<'_>) -> Result<[Mat3<f64>; 2], SpecError> {
    if p.has("inertia_1") || p.has("inertia_2") {
        return Ok([p.inertia("inertia_1")?, p.inertia("inertia_2")?]);
    }
    Ok([p.inertia("inertia")?; 2])
}

fn gains(p: &Reader<'_>, control: Control) -> Result<Gains<f64>, SpecError> {
    let table = p.sub("gains")?;
    let attitude = |key| match control {
        Control::Full => table.number(key),
        Control::Published => table.number_or(key, 0.0),
    };
    let gains = Gains {
        position: table.number("position")?,
        velocity: table.number("velocity")?,
        direction: table.number("direction")?,
        spin: table.number("omega")?,
        attitude: attitude("attitude")?,
        body_spin: attitude("body_omega")?,
    };
    table.finish()?;
    Ok(gains)
}
