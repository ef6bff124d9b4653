//! Derived gradients, torques and their derivatives against dual numbers with thirty-one digits.
use crate::chance::{Draw, count, formula};
use lieflow_formula::body::{self, BodyPotential};
use lieflow_formula::{Formula, Kind, Names, Rate, Sheet, Value};
use lieflow_kernel::{DoubleDouble as D, Dual, Mat3, Real, Vec3, so3, vec3};

fn names() -> Names {
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("v", Kind::Vector).unwrap();
    let names = names.state("x", Kind::Number).unwrap().time().unwrap();
    names.parameter("k", Kind::Number).unwrap()
}

fn state(draw: &mut Draw) -> [f64; 14] {
    let mut number = || draw.number(-2.0, 2.0);
    let r = so3::exp(vec3(number(), number(), number()));
    let mut x = [0.0; 14];
    for (row, out) in r.rows.iter().zip(x.chunks_mut(3)) {
        out.copy_from_slice(&row.to_array());
    }
    x[9..].iter_mut().for_each(|x| *x = number());
    x
}

/// Gradients by one sweep back and rates by one sweep forward.
#[test]
fn gradients_equal_those_of_dual_double_doubles() {
    let mut draw = Draw::new(3);
    let mut worst: f64 = 0.0;
    for _ in 0..count("LIEFLOW_FORMULAS", 10_000) {
        let depth = 1 + draw.below(4);
        let text = formula(&mut draw, depth);
        let mut sheet = Sheet::new(names()).unwrap();
        let value = sheet.formula("f", &text).unwrap_or_else(|e| panic!("{}", e.render()));
        let all = ["R", "v", "x", "t"].map(|name| sheet.get(name).unwrap());
        let by = Value::List(all.iter().flat_map(Value::ids).map(Value::Number).collect());
        let slopes = sheet.gradient(&value, &by).unwrap();
        // The derivative along a direction, forward: of x and t.
        let one = sheet.graph().number(1.0);
        let Value::Number(id) = value else { panic!("no number: {text}") };
        let rates = [(all[2].ids()[0], one), (all[3].ids()[0], one)];
        let forward = Value::Number(sheet.graph().along(&[id], &rates)[0]);
        let program = sheet.program(&[("f", &value), ("g", &slopes), ("d", &forward)]).unwrap();
        let one = Formula::new(program, vec![draw.number(-2.0, 2.0)]).unwrap();
        let x = state(&mut draw);
        let got: [f64; 14] = one.call(1, &x);
        let [along] = one.call(2, &x);
        let mut duals = [Dual::<D, 14>::zero(); 14];
        for (k, dual) in duals.iter_mut().enumerate() {
            *dual = Dual::variable(D::lift(x[k]), k);
        }
        let [want] = one.lift(|x| Dual::<D, 14>::constant(D::lift(x))).call(0, &duals);
        let largest =
            want.eps.iter().fold(want.re.magnitude().max(1.0), |m, e| m.max(e.magnitude()));
        let mut compare = |got: f64, want: D| {
            let error = (D::lift(got) - want).magnitude() / largest;
            worst = worst.max(error);
            assert!(error < 1e-13, "{text} at {x:?}: {got:e} {want:?}");
        };
        for (got, want) in got.iter().zip(want.eps) {
            compare(*got, want);
        }
        compare(along, want.eps[12] + want.eps[13]);
    }
    println!("largest error {worst:.1e} of the largest term");
}

/// `R exp(ξ)` to first order.
fn varied<S: Real>(r: &Mat3<S>) -> Mat3<Dual<S, 3>> {
    let row = |r: Vec3<S>| {
        let o = S::zero();
        vec3(
            Dual { re: r.x, eps: [o, -r.z, r.y] },
            Dual { re: r.y, eps: [r.z, o, -r.x] },
            Dual { re: r.z, eps: [-r.y, r.x, o] },
        )
    };
    let [a, b, c] = r.rows;
    Mat3::from_rows(row(a), row(b), row(c))
}

#[test]
fn torques_and_their_derivatives_equal_those_of_duals() {
    let mut draw = Draw::new(5);
    for _ in 0..count("LIEFLOW_FORMULAS", 10_000) / 5 {
        let depth = 1 + draw.below(4);
        let text = formula(&mut draw, depth);
        let names = body::names().unwrap().parameter("k", Kind::Number).unwrap();
        let names = names.parameter("v", Kind::Vector).unwrap();
        let names = names.parameter("x", Kind::Number).unwrap();
        let program =
            body::potential(names, "U", &text).unwrap_or_else(|e| panic!("{}", e.render()));
        let numbers = (0..14).map(|_| draw.number(-2.0, 2.0)).collect();
        let u = BodyPotential::new(program, numbers).unwrap();
        let r = so3::exp(vec3(draw.number(-2.0, 2.0), draw.number(-2.0, 2.0), 0.4));
        let t = draw.number(0.0, 2.0);
        let high = u.lift(D::lift);
        let rd = r.map(D::lift);
        let by_energy = high.lift(Dual::<D, 3>::constant).energy(t, &varied(&rd));
        let by_torque = high.lift(Dual::<D, 3>::constant).torque(t, &varied(&rd));
        let size = |list: &[D]| list.iter().fold(1.0, |m: f64, x| m.max(x.magnitude()));
        let scale = size(&by_energy.eps).max(by_energy.re.magnitude());
        for (got, want) in u.torque(t, &r).to_array().iter().zip(by_energy.eps) {
            assert!((D::lift(*got) + want).magnitude() < 1e-13 * scale, "{text}: {got:e} {want:?}");
        }
        let slope = u.torque_derivative(t, &r);
        for (row, want) in slope.rows.iter().zip(by_torque.to_array()) {
            let scale = scale.max(size(&want.eps));
            for (got, want) in row.to_array().iter().zip(want.eps) {
                assert!(
                    (D::lift(*got) - want).magnitude() < 1e-13 * scale,
                    "{text}: {got:e} {want:?}"
                );
            }
        }
    }
}

#[test]
fn a_value_that_is_not_taken_does_no_harm() {
    let value = |text: &str, x: f64| {
        let mut sheet = Sheet::new(Names::new().state("x", Kind::Number).unwrap()).unwrap();
        let value = sheet.formula("f", text).unwrap();
        let slope = sheet.gradient(&value, &sheet.get("x").unwrap()).unwrap();
        let program = sheet.program(&[("f", &value), ("g", &slope)]).unwrap();
        let f = Formula::new(program, Vec::new()).unwrap();
        (f.call::<1>(0, &[x])[0], f.call::<1>(1, &[x])[0])
    };
    // The root, its slope, and products with it are not numbers at minus one.
    assert_eq!(value("if(x > 0, x*sqrt(x)*log(x), 2*x)", -1.0), (-2.0, 2.0));
    assert_eq!(value("if(x > 0, sqrt(x), 0) + if(x > 0, 2*sqrt(x), 1)", -1.0), (1.0, 0.0));
    assert_eq!(value("if(x > 0, sqrt(x), 0) + if(x > 1, 3*sqrt(x), x)", -1.0), (-1.0, 1.0));
    assert_eq!(value("if(x < 0, if(x < -5, sqrt(x), x^2), 1/x)", -1.0), (1.0, -2.0));
    // The slope of a root at zero is zero, that of a logarithm that does not exist is no number.
    assert_eq!(value("sqrt(x)", 0.0), (0.0, 0.0));
    assert!(value("log(x)", -1.0).1.is_nan());
    assert!(value("sqrt(x)", -1.0).1.is_nan());
    assert!(value("asin(x)", 1.5).1.is_nan());
    assert!(value("x^0.3", -1.0).1.is_nan());
}

#[test]
fn jacobians_are_the_same_by_either_sweep() {
    let names = Names::new().state("x", Kind::Vector).unwrap().state("y", Kind::Number).unwrap();
    for (text, many) in [("[x1*y, sin(x2), x3^2]", "x"), ("[x1*x2*x3, norm(x)*y, y]", "y")] {
        let mut sheet = Sheet::new(names.clone()).unwrap();
        let value = sheet.formula("f", text).unwrap();
        let by = sheet.get(many).unwrap();
        let jacobian = sheet.jacobian(&value, &by).unwrap();
        let program = sheet.program(&[("f", &value), ("J", &jacobian)]).unwrap();
        let f = Formula::new(program, Vec::new()).unwrap();
        let x = [0.3, -0.7, 1.1, 0.9];
        let mut duals = x.map(Dual::<f64, 4>::constant);
        for (k, dual) in duals.iter_mut().enumerate() {
            dual.eps[k] = 1.0;
        }
        let want = f.lift(Dual::<f64, 4>::constant).call::<3>(0, &duals);
        let first = if many == "x" { 0 } else { 3 };
        let n = by.ids().len();
        let got: [f64; 9] = f.call(1, &x);
        for i in 0..3 {
            for j in 0..n {
                assert!((got[i * n + j] - want[i].eps[first + j]).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn rates_along_a_motion_are_those_of_the_motion() {
    // d/dt of R33 and of q·R e1 where R' = R hat(w), q' = u × q.
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("q", Kind::Vector).unwrap();
    let names = names.state("w", Kind::Vector).unwrap().time().unwrap();
    let mut sheet = Sheet::new(names).unwrap();
    let of = sheet.formula("f", "R33 + dot(q, R*e1)*t").unwrap();
    let want = sheet.formula(
        "g",
        "(R*hat(w))[3,3] + dot(cross(w, q), R*e1)*t + dot(q, R*hat(w)*e1)*t + dot(q, R*e1)",
    );
    let want = want.unwrap();
    let [r, q, w] = ["R", "q", "w"].map(|name| sheet.get(name).unwrap());
    let motion = [(r, Rate::Body(w.clone())), (q, Rate::Turn(w))];
    let change = sheet.rate(&of, &motion).unwrap();
    let program =
        sheet.program(&[("got", &change.rate), ("want", &want), ("terms", &change.terms)]);
    let f = Formula::new(program.unwrap(), Vec::new()).unwrap();
    let mut draw = Draw::new(1);
    let x = [0; 16].map(|_| draw.number(-1.0, 1.0));
    let ([got], [want]) = (f.call(0, &x), f.call(1, &x));
    assert!((got - want).abs() < 1e-14, "{got} {want}");
    assert!(f.program().kind(2).unwrap().size() > 3);
}
