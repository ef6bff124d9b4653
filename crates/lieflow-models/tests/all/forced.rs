//! Fields that depend on time: every method of the registry has the order of its card there too.
//!
//! A stage that looks at the clock at a wrong time is silent on autonomous problems and costs a
//! method its order on these.
use lieflow::method::{Card, gyro, taylor};
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, Plan};
use lieflow_models::study::fitting;
use lieflow_models::study::order::{Ladder, OrderStudy, Reference, Unseen};
use lieflow_models::system::SYSTEMS;
use std::collections::BTreeMap;

/// A top whose pivot shakes: a potential that depends on time, without any symmetry.
const TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [2.0, 3.0, 1.5]
potential = { formula = "(3 + 2*cos(4*t))*R33 + 1.5*sin(3*t + 0.4)*R12 + R21*t" }
[initial]
rotation = { vector = [0.4, -0.3, 0.8] }
omega = [0.5, 0.9, 1.2]
"#;

/// Another one, so that no accident of one motion decides.
const OTHER_TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [1.0, 1.6, 2.2]
potential = { formula = "(2 + cos(3*t))*R33 + 1.2*sin(2*t + 0.4)*R13 + 0.8*R22*cos(t)" }
[initial]
rotation = { vector = [-0.7, 0.5, 0.2] }
omega = [1.4, -0.6, 0.8]
"#;

/// The same in another space: the cheaper one, or nine numbers without geometry.
fn top_in(space: &str) -> String {
    TOP.replace("[initial]", &format!("space = \"{space}\"\n[initial]"))
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
"#;

const RING: &str = r#"
system = "spin-ring"
[parameters]
J = 1.2
D = [0.4, 0.0, -1.1]
field = { formula = "[cos(4*t), sin(3*t), 0.5*t]" }
[initial]
m = [[0.48, -0.6, 0.64], [0.6, 0.0, 0.8], [0.0, 0.28, -0.96]]
"#;

const VORTICES: &str = r#"
system = "vortices"
[parameters]
strengths = [3.0, -2.0, 4.0]
law = { formula = "-(1 + 0.5*cos(4*t))*log(2.2 - 2*c)/(4*pi)" }
[initial]
q = [[0.48, -0.6, 0.64], [0.6, 0.0, 0.8], [0.0, 0.28, -0.96]]
"#;

const PARTICLE: &str = r#"
system = "euclidean"
[parameters]
potential = { formula = "(1 + 0.5*cos(4*t))*q[1]^2 + q[1]^2*q[2] - q[2]^3/3 + q[2]^2 + sin(3*t)*q[2]" }
[initial]
q = [0.3, 0.4]
p = [0.5, -0.2]
"#;

const VEHICLE: &str = r#"
system = "kirchhoff"
[parameters]
energy = { formula = "0.5*dot(m, diag([1, 0.7, 0.4])*m) + 0.5*(1 + 0.5*cos(4*t))*dot(p, diag([0.3, 0.6, 0.9])*p)" }
[initial]
momentum = [0.5, 0.9, 1.2]
impulse = [0.8, -0.4, 0.6]
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
"#;

/// A spin in a chirped field at which it does not look.
const CHIRP: &str = r#"
system = "bloch"
[parameters]
larmor = 3.0
rabi = 2.0
drive = 2.5
chirp = 1.5
[initial]
m = [0.48, -0.6, 0.64]
"#;

/// Two levels that cross.
const CROSSING: &str = r#"
system = "landau-zener"
[parameters]
sweep = 6.0
gap = 4.0
"#;

/// A body of four dimensions that changes its shape.
const SWINGING: &str = r#"
system = "so-n-body"
[parameters]
moments = [1.0, 1.7, 2.6, 3.8]
swing = [0.3, -0.25, 0.4, 0.15]
rate = 3.0
[initial]
omega = [1.0, -0.6, 0.8, 1.3, -0.7, 1.2]
"#;

/// A problem over a unit of time. What crosses something at zero begins before it.
fn posed(text: &str) -> (Box<dyn Model>, Plan) {
    let method = if text.contains("space = \"euclidean\"") { "rk4" } else { "rkmk4" };
    let (from, until) = if [BLOCH, CROSSING].contains(&text) { (-0.4, 0.6) } else { (0.3, 1.3) };
    let solve =
        format!("[solve]\nmethod = \"{method}\"\nstep = 0.05\nfrom = {from}\nuntil = {until}\n");
    let document = Document::parse(&format!("{text}{solve}"), "forced.toml", &[])
        .unwrap_or_else(|e| panic!("{e}"));
    let model = document.build().unwrap_or_else(|e| panic!("{e}"));
    (model, document.plan().unwrap_or_else(|e| panic!("{e}")))
}

/// Numbers of steps with errors well above rounding, and small ones: ladders for a method of this order.
fn ladders(order: u8) -> &'static [&'static [f64]] {
    match order {
        0..=2 => &[&[32.0, 64.0, 128.0, 256.0]],
        3..=4 => &[&[12.0, 24.0, 48.0, 96.0]],
        5 => &[&[16.0, 32.0, 64.0, 128.0]],
        6 => &[&[6.0, 12.0, 24.0, 48.0], &[10.0, 20.0, 40.0, 80.0]],
        _ => &[&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0], &[6.0, 8.0, 10.0, 12.0, 14.0]],
    }
}

/// By how much a ladder is at odds with the card: the whole is within this of it, and no part below by
/// more, since parts may be better. Nothing if no order is seen because errors are rounding.
fn odds(ladder: &Ladder) -> Option<f64> {
    let stated = f64::from(ladder.stated);
    let Some(order) = ladder.order else {
        let rounding = matches!(ladder.unseen, Some(Unseen::Rounding | Unseen::TooFew));
        return (!rounding).then_some(f64::INFINITY);
    };
    let parts = ladder.part_orders.iter().filter_map(|(_, order)| *order);
    Some(parts.fold((order - stated).abs(), |odds, part| odds.max(stated - part)))
}

/// What cards say of methods that are not for forced problems: free motion, closed forms of the free
/// body, chains and dipoles.
const REFUSED: &str = "refused";
/// Near enough to the card.
const NEAR: f64 = 0.15;
/// A wrong time costs at least one order; leading errors that are small by design, as those of the pairs
/// of Dormand and Prince, cost or gain less at steps that rounding allows.
const HALF: f64 = 0.5;
/// Methods of lower order with such errors: six stages, made for waves.
const SMALL: [&str; 1] = ["cf2n4-6"];

#[test]
fn every_method_has_its_order_on_forced_problems() {
    let (lifted, flat) = (top_in("lift"), top_in("euclidean"));
    let problems = [
        TOP, OTHER_TOP, &lifted, &flat, CONTROLLED, BLOCH, SPIN, RING, VORTICES, PARTICLE, VEHICLE,
        BOTH, CHIRP, CROSSING, SWINGING,
    ];
    // The least odds of each method.
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    let mut complaints = Vec::new();
    for text in problems {
        let (model, plan) = posed(text);
        let ids = fitting(model.as_ref(), &plan);
        let fine = [0.02, 0.01, 0.005];
        let first = OrderStudy::new(model.as_ref(), &plan, &ids[..1], &fine).unwrap();
        for card in model.methods() {
            if card.when_forced() == REFUSED || !ids.iter().any(|id| id == card.id) {
                continue;
            }
            for numbers in ladders(card.order) {
                let steps: Vec<f64> = numbers.iter().map(|n| 1.0 / n).collect();
                let known: Reference = first.reference().clone();
                let one = [card.id.to_string()];
                let study =
                    OrderStudy::against(model.as_ref(), &plan, &one, &steps, known).unwrap();
                for ladder in study.run(&mut |_| {}).unwrap() {
                    let Some(odds) = odds(&ladder) else { continue };
                    let least = best.entry(card.id).or_insert(f64::INFINITY);
                    *least = least.min(odds);
                    let small = card.order > 4 || SMALL.contains(&card.id);
                    let allowed = if small { HALF } else { NEAR };
                    let low = ladder.order.is_none_or(|o| o < f64::from(card.order));
                    if odds > allowed && (low || card.order <= 4) {
                        let seen = (ladder.order, ladder.part_orders);
                        complaints.push(format!("{} on {}: {seen:?}", card.id, model.system()));
                    }
                }
            }
        }
    }
    complaints.extend(best.iter().filter(|(_, odds)| **odds > NEAR).map(|(id, odds)| {
        format!("{id}: not nearer than {odds} to the order of its card on any problem")
    }));
    let every = SYSTEMS.iter().flat_map(|system| (system.methods)());
    // The steps of a log are its samples: orders in their distance are measured in `rates.rs`.
    // `taylor` has the order that a tolerance asks for; its members have those of their names.
    let measured = |card: &Card| card.family != gyro::FAMILY && card.id != taylor::CARD.id;
    let forced = every.filter(|card| card.when_forced() != REFUSED && measured(card));
    let missing = forced.filter(|card| !best.contains_key(card.id));
    complaints.extend(missing.map(|card| format!("{}: no forced problem", card.id)));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
