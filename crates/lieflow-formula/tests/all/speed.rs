//! Bounds on the time of the front end, with room for slow machines.
use lieflow_formula::body::{self, BodyPotential};
use lieflow_formula::{Kind, Names, Program, Sheet};
use std::hint::black_box;
use std::time::Instant;

const TEN: &str = "k*R33 + 0.5*c*(1 - dot(e3, R*a))^2 + m1*sin(2*R11 + R22) + m2*exp(-b*R13^2) \
    + m3/(2 + R12) + m4*sqrt(1 + R23^2) + m5*R21*R32 + m6*cos(R31) + m7*(trace(R) - 1)^2 + m8*R12^4";

fn ten() -> Program {
    let mut names = body::names().unwrap();
    for name in ["k", "c", "a", "b", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"] {
        let kind = if name == "a" { Kind::Vector } else { Kind::Number };
        names = names.parameter(name, kind).unwrap();
    }
    body::potential(names, "potential", TEN).unwrap()
}

/// The smallest of several times, in seconds: others use the machine too.
fn least(times: usize, repeat: u32, mut f: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..times {
        let clock = Instant::now();
        for _ in 0..repeat {
            f();
        }
        best = best.min(clock.elapsed().as_secs_f64() / f64::from(repeat));
    }
    best
}

#[test]
fn ten_terms_are_read_and_differentiated_twice_within_two_milliseconds() {
    let took = least(30, 1, || drop(black_box(ten())));
    println!("ten terms: {:.2} ms", took * 1e3);
    assert!(took < 2e-3, "{took}");
}

#[test]
fn other_parameters_take_three_microseconds() {
    let program = ten();
    let numbers = vec![0.5; 23];
    let took = least(30, 1000, || {
        drop(black_box(BodyPotential::new(program.clone(), numbers.clone()).unwrap()));
    });
    println!("other parameters: {:.2} µs", took * 1e6);
    assert!(took < 3e-6, "{took}");
}

#[test]
fn a_hundred_thousand_nodes_take_a_second() {
    let took = least(3, 1, || {
        let names = Names::new().state("s", Kind::Vector.list(4000)).unwrap();
        let mut sheet = Sheet::new(names).unwrap();
        let text = "sum(i, 1, 4000, -dot(s[i], s[cyc(i+1)]) + sin(s[i][1])*s[i][2]^2 + sqrt(1 + s[i][3]^2))";
        let energy = sheet.formula("H", text).unwrap();
        let slopes = sheet.gradient(&energy, &sheet.get("s").unwrap()).unwrap();
        assert!(sheet.graph().nodes().len() > 100_000);
        drop(black_box(sheet.program(&[("H", &energy), ("field", &slopes)]).unwrap()));
    });
    println!("hundred thousand nodes: {took:.3} s");
    assert!(took < 1.0, "{took}");
}
