//! A chain of pendulums in formulas: its equations written out link by link.
use super::law_table::{LawTable, definitions};
use super::pendulum_chain::PendulumChain;
use crate::formulas::{Equations, Motion, Values};
use lieflow_formula::Kind;

/// Longer chains are not written out.
const LONGEST: usize = 32;

/// The numbers of a chain by the names that formulas use.
pub(super) fn values<'a>(chain: &PendulumChain<f64>) -> Values<'a> {
    let mut values = Values::default();
    let list = Kind::Number.list(chain.masses().len());
    values.push("masses", list.clone(), None, chain.masses());
    values.push("lengths", list, None, chain.lengths());
    values.push("gravity", Kind::Vector, None, &chain.gravity().to_array());
    values
}

/// The chain in formulas: `x[k]` and `v[k]` are place and velocity of a mass.
pub(super) fn equations(law: &LawTable<'_>, values: &Values<'_>, n: usize) -> Equations {
    let mut equations = law.equations_of_links(values, n);
    if n > LONGEST {
        return equations;
    }
    let extra = law.term("0");
    // Names with a line at their end are not those of a user.
    equations.definitions = definitions([
        ("extra_", &extra),
        ("x_[k_]", "sum(j_, 1, k_, lengths[j_]*q[j_])"),
        ("v_[k_]", "sum(j_, 1, k_, lengths[j_]*cross(w[j_], q[j_]))"),
        ("kinetic_", "sum(k_, 1, n, 0.5*masses[k_]*square(v_[k_]))"),
        ("potential_", "extra_ - sum(k_, 1, n, masses[k_]*dot(gravity, x_[k_]))"),
        ("x[k_]", "x_[k_]"),
        ("v[k_]", "v_[k_]"),
        ("kinetic", "kinetic_"),
        ("potential", "potential_"),
        ("energy", "kinetic_ + potential_"),
        ("L", "sum(k_, 1, n, masses[k_]*cross(x_[k_], v_[k_]))"),
    ]);
    equations.definitions.extend(tensions(n));
    equations.motion = vec![
        ("q".into(), Motion::Turn("w[i]".into())),
        ("w".into(), Motion::Shift("acceleration_[i]".into())),
    ];
    equations
}

/// The tensions of the rods and the accelerations, by elimination from the support (the module
/// `tensions`; `pull` is what the forces beside the rods do).
fn tensions(n: usize) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let mut define = |name: String, text: String| list.push((name, text));
    let force = |i: usize| {
        let rod = |i: usize| format!("(-grad(extra_, q[{i}])/lengths[{i}])");
        if i < n { format!("({} - {})", rod(i), rod(i + 1)) } else { rod(i) }
    };
    for i in 1..=n {
        let before = i - 1;
        define(
            format!("bond_{i}"),
            match i < n {
                true => format!("-dot(q[{i}], q[{}])/masses[{i}]", i + 1),
                false => "0".into(),
            },
        );
        let pull = format!("{}/masses[{i}]", force(i));
        let (pull, light, bond) = match i {
            1 => (format!("{pull} + gravity"), "1/masses[1]".into(), None),
            _ => (
                format!("{pull} - {}/masses[{before}]", force(before)),
                format!("(1/masses[{i}] + 1/masses[{before}])"),
                Some(format!("bond_{before}/pivot_{before}")),
            ),
        };
        define(format!("pull_{i}"), pull);
        let side = format!("lengths[{i}]*square(w[{i}]) + dot(q[{i}], pull_{i})");
        match bond {
            None => {
                define(format!("pivot_{i}"), light);
                define(format!("side_{i}"), side);
            }
            Some(ratio) => {
                define(format!("pivot_{i}"), format!("{light} - bond_{before}*{ratio}"));
                define(format!("side_{i}"), format!("{side} - {ratio}*side_{before}"));
            }
        }
    }
    for i in (1..=n).rev() {
        let below = match i < n {
            true => format!(" - bond_{i}*tension_{}", i + 1),
            false => String::new(),
        };
        define(format!("tension_{i}"), format!("(side_{i}{below})/pivot_{i}"));
    }
    let acceleration = |i: usize| {
        let mut pull = format!("pull_{i}");
        if i > 1 {
            let above = i - 1;
            pull.push_str(&format!(" + tension_{above}/masses[{above}]*q[{above}]"));
        }
        if i < n {
            let below = i + 1;
            pull.push_str(&format!(" + tension_{below}/masses[{i}]*q[{below}]"));
        }
        format!("cross(q[{i}], {pull})/lengths[{i}]")
    };
    let all: Vec<String> = (1..=n).map(acceleration).collect();
    define("acceleration_".into(), format!("[{}]", all.join(", ")));
    list
}
