//! Tapes over power series: the sum of the terms is the formula along the curve.
use crate::chance::{Draw, formula};
use lieflow_formula::{Formula, Kind, Names, SeriesTape, Sheet};
use lieflow_kernel::{DoubleDouble as D, Real};

const ORDER: usize = 24;

fn sheet(text: &str) -> Formula<f64> {
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("v", Kind::Vector).unwrap();
    let names = names.state("x", Kind::Number).unwrap().time().unwrap();
    let names = names.parameter("k", Kind::Number).unwrap();
    let mut sheet = Sheet::new(names).unwrap();
    let value = sheet.formula("f", text).unwrap_or_else(|e| panic!("{}", e.render()));
    Formula::new(sheet.program(&[("f", &value)]).unwrap(), vec![0.7]).unwrap()
}

/// The inputs are cubics in time; the formula at the time `h` against the sum of its terms.
fn compare(text: &str, draw: &mut Draw, h: f64) -> (f64, f64) {
    let one = sheet(text);
    let mut series = SeriesTape::new(&one, 0, ORDER).unwrap();
    let curves: Vec<[f64; 4]> = (0..14)
        .map(|_| [0.2, 0.1, 0.05, 0.02].map(|size| draw.number(0.4, 1.4) * size + size))
        .collect();
    let mut terms = [0.0; ORDER + 1];
    for (k, term) in terms.iter_mut().enumerate() {
        let input = |i: usize| curves[i].get(k).copied().unwrap_or(0.0);
        let mut out = [0.0];
        series.order(k, input, &mut out);
        *term = out[0];
    }
    let at = |c: &[f64; 4]| c.iter().rev().fold(D::zero(), |sum, x| sum * h + D::lift(*x));
    let inputs: Vec<D> = curves.iter().map(at).collect();
    let [want] = one.lift(D::lift).call(0, &inputs);
    let got = terms.iter().rev().fold(0.0, |sum, x| sum * h + x);
    let size = terms.iter().zip(0..).fold(0.0, |m: f64, (x, k)| m.max(x.abs() * h.powi(k)));
    ((D::lift(got) - want).magnitude() / size.max(1e-3), size)
}

#[test]
fn every_function_is_the_sum_of_its_terms() {
    let mut draw = Draw::new(5);
    for text in [
        "x + t - k*x",
        "x*t",
        "x/(1 + t)",
        "sqrt(x + t)",
        "sin(2*x + t)",
        "cos(x*t)",
        "tan(x)",
        "exp(x - t)",
        "log(1 + x)",
        "abs(x - 3)",
        "atan2(x, t)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x + t)",
        "floor(x) + x",
        "if(x < 10, x^2, t)",
        "if(x > 10, x^2, t)",
        "x^5",
        "x^(-2)",
        "x^1.5",
        "asin(x)",
        "acos(x*t)",
        "norm(v)",
        "angle(v, e1)",
        "det(R)",
        "trace(R*R)",
        "max(x, -t)",
        "smoothstep(0, 2, x)",
        "dot(R*v, cross(v, e2))",
        "x*x*x + t*t*x + k",
        "mod(x, 7)",
        "clamp(x, -9, 9)",
    ] {
        let (error, size) = compare(text, &mut draw, 0.05);
        assert!(error < 2e-14 && size > 0.0, "{text}: {error:e}");
    }
}

#[test]
fn so_is_any_formula() {
    let mut draw = Draw::new(6);
    let mut worst: f64 = 0.0;
    let mut seen = 0;
    for _ in 0..2000 {
        let depth = 1 + draw.below(3);
        let text = formula(&mut draw, depth);
        // Far below the radius of convergence; poles that are nearer are not meant.
        let (error, size) = compare(&text, &mut draw, 0.004);
        if error.is_finite() && size < 1e6 {
            worst = worst.max(error);
            seen += 1;
            assert!(error < 1e-12, "{text}: {error:e}");
        }
    }
    println!("{seen} formulas, largest error {worst:.1e}");
    assert!(seen > 1800);
}
