//! Lanes give the bits of single runs, whatever the graph.
use crate::chance::{Draw, count, grow};
use lieflow_formula::graph::Id;
use lieflow_formula::{Formula, Kind, Names, Program, Sheet, Value};
use lieflow_kernel::{Lanes, Real};

const INPUTS: usize = 9;
const OUTPUTS: usize = 3;

/// A random program: nine inputs, four parameters, three results.
fn program(draw: &mut Draw) -> Program {
    let names = Names::new().state("x", Kind::Number.list(INPUTS)).unwrap();
    let names = names.parameter("p", Kind::Number.list(4)).unwrap();
    let mut sheet = Sheet::new(names).unwrap();
    let mut leaves = sheet.get("x").unwrap().ids();
    leaves.extend(sheet.get("p").unwrap().ids());
    leaves.push(sheet.graph().number(0.5));
    let (size, calls) = (5 + draw.below(90), draw.below(3) == 0);
    let ids = grow(draw, sheet.graph(), &leaves, size, calls);
    let results: Vec<Id> = ids[ids.len() - OUTPUTS..].to_vec();
    let results = Value::Vector([results[0], results[1], results[2]]);
    sheet.program(&[("results", &results)]).unwrap()
}

/// Not-a-number has many bits and one meaning.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

struct Case {
    one: Formula<f64>,
    /// Sixteen states.
    states: Vec<[f64; INPUTS]>,
    want: Vec<[f64; OUTPUTS]>,
}

fn case(draw: &mut Draw) -> Case {
    let program = program(draw);
    // Small whole numbers among the others, so that zeros and equal numbers meet.
    let mut number = |n: f64| {
        let x = draw.number(-n, n);
        if draw.below(4) == 0 { x.round() } else { x }
    };
    let numbers = (0..4).map(|_| number(2.0)).collect();
    let states: Vec<_> = (0..16).map(|_| [0; INPUTS].map(|_| number(2.0))).collect();
    let one = Formula::new(program, numbers).unwrap();
    let want = states.iter().map(|x| one.call::<OUTPUTS>(0, x)).collect();
    Case { one, states, want }
}

/// Every lane of `S` against the single run.
fn check<S: Real<Lane = f64>>(case: &Case) {
    let wide = case.one.lift(S::lift);
    let mut inputs = [S::zero(); INPUTS];
    for (k, input) in inputs.iter_mut().enumerate() {
        for lane in 0..S::LANES {
            input.set_lane(lane, case.states[lane][k]);
        }
    }
    let got = wide.call::<OUTPUTS>(0, &inputs);
    for lane in 0..S::LANES {
        for (got, want) in got.iter().zip(case.want[lane]) {
            let got = got.lane(lane);
            assert!(same(got, want), "{} lanes: {got:e} {want:e}", S::LANES);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod packs {
    use lieflow_testing::packs::{Eight, Sixteen};
    pub fn check(case: &super::Case) {
        if std::arch::is_x86_feature_detected!("avx2") {
            super::check::<Eight>(case);
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            super::check::<Sixteen>(case);
        }
    }
}

fn compare(graphs: usize) {
    let mut draw = Draw::new(7);
    let mut broken = 0;
    for k in 0..graphs {
        let case = case(&mut draw);
        broken += usize::from(case.want.iter().flatten().any(|x| !x.is_finite()));
        #[cfg(target_arch = "x86_64")]
        packs::check(&case);
        // Arrays of lanes are slow, and the same code everywhere.
        if k % 16 == 0 {
            check::<Lanes<8>>(&case);
            check::<Lanes<16>>(&case);
        }
    }
    // Infinities and numbers that are none must have been met.
    assert!(broken * 20 > graphs, "only {broken} of {graphs} left the finite numbers");
}

#[test]
fn lanes_have_the_bits_of_single_runs() {
    compare(count("LIEFLOW_GRAPHS", 3000));
}

/// Minutes.
#[test]
#[ignore = "a million graphs"]
fn lanes_have_the_bits_of_single_runs_on_a_million_graphs() {
    compare(count("LIEFLOW_GRAPHS", 1_000_000));
}

#[test]
fn formulas_are_gathered_into_lanes_and_taken_apart() {
    let names =
        Names::new().state("x", Kind::Number).unwrap().parameter("p", Kind::Number).unwrap();
    let mut sheet = Sheet::new(names).unwrap();
    let value = sheet.formula("f", "exp(p)*x").unwrap();
    let program = sheet.program(&[("f", &value)]).unwrap();
    let make = |p: f64| Formula::new(program.clone(), vec![p]).unwrap();
    let list = [make(0.1), make(0.2), make(0.3)];
    let wide = Formula::<Lanes<4>>::gather(&[&list[0], &list[1], &list[2]]).unwrap();
    let [got] = wide.call(0, &[Lanes([2.0; 4])]);
    for lane in 0..4 {
        let one = &list[lane.min(2)];
        assert_eq!(got.0[lane], one.call::<1>(0, &[2.0])[0]);
        assert_eq!(wide.lane(lane).numbers(), one.numbers());
    }
    let other = Formula::new(sheet.program(&[("f", &value)]).unwrap(), vec![1.0]).unwrap();
    assert!(Formula::<Lanes<4>>::gather(&[&list[0], &other]).is_none());
    assert!(Formula::<Lanes<4>>::gather(&[]).is_none());
}

#[test]
fn many_registers_use_the_buffer_and_nothing_else_changes() {
    let names = Names::new().state("x", Kind::Number.list(900)).unwrap();
    let mut sheet = Sheet::new(names).unwrap();
    let value = sheet.formula("f", "sum(i, 1, 900, x[i]*x[cyc(i+450)])").unwrap();
    let slopes = sheet.gradient(&value, &sheet.get("x").unwrap()).unwrap();
    let program = sheet.program(&[("value", &value), ("slopes", &slopes)]).unwrap();
    assert!(program.cost(1).unwrap().registers > 256);
    let formula = Formula::new(program, Vec::new()).unwrap();
    let x: Vec<f64> = (0..900).map(|k| f64::from(k) * 0.01).collect();
    let (mut out, mut scratch) = (vec![0.0; 900], Vec::new());
    formula.eval(1, &x, &mut out, &mut scratch);
    for k in 0..900 {
        assert_eq!(out[k], 2.0 * x[(k + 450) % 900]);
    }
    let room = scratch.capacity();
    formula.eval(1, &x, &mut out, &mut scratch);
    assert_eq!(scratch.capacity(), room);
}
