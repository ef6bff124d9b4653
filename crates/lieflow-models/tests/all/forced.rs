//! Fields that depend on time: every method of the registry has the order of its card there too.
//!
//! A stage that looks at the clock at a wrong time is silent on autonomous problems and costs a
//! method its order on these.
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, Plan};
use lieflow_models::study::fitting;
use lieflow_models::study::order::{Ladder, OrderStudy, Reference, Unseen};
use lieflow_models::system::SYSTEMS;
use std::collections::BTreeSet;

/// A top whose pivot shakes: a potential that depends on time, without any symmetry.
const TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [2.0, 3.0, 1.5]
potential = { formula = "(3 + 2*cos(4*t))*R33 + 1.5*sin(3*t + 0.4)*R12 + R21*t" }
[initial]
rotation = { vector = [0.4, -0.3, 0.8] }
omega = [0.5, 0.9, 1.2]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

/// The same in the cheaper space.
fn lifted_top() -> String {
    TOP.replace("[initial]", "space = \"lift\"\n[initial]")
}

/// A body under a control law with a command that changes.
const CONTROLLED: &str = r#"
system = "rigid-body"
[parameters]
inertia = [2.0, 3.0, 1.5]
torque = { formula = "-2*axial(wanted'*R - R'*wanted)/2 - 0.7*w + [cos(3*t), 0, sin(2*t)]", wanted = { euler = "zyx", degrees = [70, 20, 0] } }
[initial]
rotation = { vector = [0.4, -0.3, 0.8] }
omega = [0.5, 0.9, 1.2]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

/// A two-level system under a chirped pulse.
const BLOCH: &str = r#"
system = "custom"
[state]
r = "S2"
[motion]
r = { turn = "[3*exp(-t^2), 0.5*sin(t), 2.5*t + r3]" }
[initial]
r = [0.48, -0.6, 0.64]
[solve]
method = "rkmk4"
step = 0.05
from = -0.4
until = 0.6
"#;

const SPIN: &str = r#"
system = "macrospin"
[parameters]
b = [0.3, 0.1, 0.8]
D = [0.4, 0.0, -1.1]
alpha = 0.1
field = { formula = "1.5*[cos(4*t), sin(4*t), t]" }
[initial]
m = [0.48, -0.6, 0.64]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

const RING: &str = r#"
system = "spin-ring"
[parameters]
J = 1.2
D = [0.4, 0.0, -1.1]
field = { formula = "[cos(4*t), sin(3*t), 0.5*t]" }
[initial]
m = [[0.48, -0.6, 0.64], [0.6, 0.0, 0.8], [0.0, 0.28, -0.96]]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

const VORTICES: &str = r#"
system = "vortices"
[parameters]
strengths = [3.0, -2.0, 4.0]
law = { formula = "-(1 + 0.5*cos(4*t))*log(2.2 - 2*c)/(4*pi)" }
[initial]
q = [[0.48, -0.6, 0.64], [0.6, 0.0, 0.8], [0.0, 0.28, -0.96]]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

const PARTICLE: &str = r#"
system = "euclidean"
[parameters]
potential = { formula = "(1 + 0.5*cos(4*t))*q[1]^2 + q[1]^2*q[2] - q[2]^3/3 + q[2]^2 + sin(3*t)*q[2]" }
[initial]
q = [0.3, 0.4]
p = [0.5, -0.2]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

const VEHICLE: &str = r#"
system = "kirchhoff"
[parameters]
energy = { formula = "0.5*dot(Pi, diag([1, 0.7, 0.4])*Pi) + 0.5*(1 + 0.5*cos(4*t))*dot(P, diag([0.3, 0.6, 0.9])*P)" }
[initial]
momentum = [0.5, 0.9, 1.2]
impulse = [0.8, -0.4, 0.6]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

/// A body and a particle by one energy.
const BOTH: &str = r#"
system = "custom"
[state]
R = "SO(3)"
P = { momentum = "R" }
x = "R3"
p = { momentum = "x" }
[parameters]
J = { diagonal = [2.0, 3.0, 1.5] }
[motion]
hamiltonian = "0.5*dot(P, inv(J)*P) + 0.5*square(p) + (1 + 0.5*cos(4*t))*square(x) + sin(3*t)*dot(R*e3, x) + 2*R33"
[initial]
R = { vector = [0.4, -0.3, 0.8] }
P = [1.0, 2.7, 1.8]
x = [0.5, 0.2, -0.4]
p = [0.1, 0.4, 0.3]
[solve]
method = "rkmk4"
step = 0.05
from = 0.3
until = 1.3
"#;

/// Methods that are no good for forcing, each family with the reason.
fn autonomous(family: &str, id: &str) -> bool {
    // Free motion; closed forms of the free body; chains and dipoles, whose methods look at no clock.
    id == "liemid" || family == "isotropy" || family == "spheres"
}

fn posed(text: &str) -> (Box<dyn Model>, Plan) {
    let document = Document::parse(text, "forced.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    let model = document.build().unwrap_or_else(|e| panic!("{e}"));
    (model, document.plan().unwrap_or_else(|e| panic!("{e}")))
}

/// Steps at which a method of this order has errors well above rounding, and small ones.
fn steps(order: u8) -> [f64; 4] {
    let coarse = match order {
        0..=2 => 1.0 / 32.0,
        3..=4 => 1.0 / 12.0,
        5..=6 => 1.0 / 6.0,
        _ => 1.0 / 3.0,
    };
    [coarse, coarse / 2.0, coarse / 4.0, coarse / 8.0]
}

/// What a ladder has against the card; nothing if it agrees. Parts may be better than the whole.
fn complaint(ladder: &Ladder) -> Option<String> {
    let stated = f64::from(ladder.stated);
    let Some(order) = ladder.order else {
        let fine = ladder.unseen == Some(Unseen::Rounding);
        return (!fine).then(|| format!("{}: no order, {:?}", ladder.method, ladder.unseen));
    };
    let low = ladder.part_orders.iter().find(|(_, o)| o.is_some_and(|o| o < stated - 0.15));
    if let Some((part, seen)) = low {
        return Some(format!("{}: order {seen:?} of {part}, card {stated}", ladder.method));
    }
    ((order - stated).abs() > 0.15).then(|| format!("{}: {order}, card {stated}", ladder.method))
}

#[test]
fn every_method_has_its_order_on_forced_problems() {
    let lifted = lifted_top();
    let problems = [TOP, &lifted, CONTROLLED, BLOCH, SPIN, RING, VORTICES, PARTICLE, VEHICLE, BOTH];
    let mut seen = BTreeSet::new();
    let mut complaints = Vec::new();
    for text in problems {
        let (model, plan) = posed(text);
        let ids = fitting(model.as_ref(), &plan);
        let first = OrderStudy::new(model.as_ref(), &plan, &ids[..1], &steps(8)).unwrap();
        let reference: Reference = first.reference().clone();
        for id in ids {
            let cards = model.methods();
            let Some(card) = cards.iter().find(|card| card.id == id) else { continue };
            if autonomous(card.family, card.id) {
                continue;
            }
            let one = [id.clone()];
            let steps = steps(card.order);
            let study = OrderStudy::against(model.as_ref(), &plan, &one, &steps, reference.clone())
                .unwrap();
            let ladders = study.run(&mut |_| {}).unwrap();
            complaints.extend(
                ladders.iter().filter_map(complaint).map(|c| format!("{}: {c}", model.system())),
            );
            seen.insert(id);
        }
    }
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    let missing: Vec<&str> = SYSTEMS
        .iter()
        .flat_map(|system| (system.methods)())
        .filter(|card| !autonomous(card.family, card.id) && !seen.contains(card.id))
        .map(|card| card.id)
        .collect();
    assert!(missing.is_empty(), "methods without a forced problem: {missing:?}");
}
