//! What formulas mean.
use lieflow_formula::{Fault, Formula, Kind, Names, Sheet, Value};
use lieflow_kernel::{DoubleDouble as D, Mat3, Real, so3, vec3};

/// `R`, `w`, a list `s` of four vectors, a point `y` of R⁵, a record, parameters.
fn names() -> Names {
    let pose = Kind::Record(vec![("R".into(), Kind::Matrix), ("x".into(), Kind::Vector)]);
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("w", Kind::Vector).unwrap();
    let names = names.state("s", Kind::Vector.list(4)).unwrap().state("y", Kind::Number.list(5));
    let names = names.unwrap().state("X", pose).unwrap().time().unwrap();
    let names = names.parameter("k", Kind::Number).unwrap().parameter("a", Kind::Vector).unwrap();
    let names = names.parameter("J", Kind::Matrix).unwrap().whole("n", 4).unwrap();
    let names = names.define("energy", "definitions.energy", "k*height + 0.5*dot(w, J*w)").unwrap();
    let names = names.define("height", "definitions.height", "R33").unwrap();
    names.define("link[i, j]", "definitions.link", "dot(s[i], s[j])*i").unwrap()
}

fn rotation() -> Mat3<f64> {
    so3::exp(vec3(0.3, -0.8, 0.5))
}

fn inputs() -> Vec<f64> {
    let mut x: Vec<f64> = rotation().rows.iter().flat_map(|row| row.to_array()).collect();
    x.extend([0.1, 0.2, -0.4]);
    x.extend((0..12).map(|k| f64::from(k) * 0.1));
    x.extend([1.0, 2.0, 3.0, 4.0, 5.0]);
    x.extend(rotation().transpose().rows.iter().flat_map(|row| row.to_array()));
    x.extend([7.0, 8.0, 9.0, 0.75]);
    x
}

fn numbers() -> Vec<f64> {
    vec![3.0, 0.2, -0.3, 0.5, 2.0, 0.1, 0.0, 0.1, 3.0, 0.2, 0.0, 0.2, 4.0]
}

fn eval(text: &str) -> Vec<f64> {
    let mut sheet = Sheet::new(names()).unwrap();
    let value = sheet.formula("f", text).unwrap_or_else(|e| panic!("{}", e.render()));
    let size = value.ids().len();
    let program = sheet.program(&[("f", &value)]).unwrap();
    let formula = Formula::new(program, numbers()).unwrap();
    let mut out = vec![f64::NAN; size];
    formula.eval(0, &inputs(), &mut out, &mut Vec::new());
    out
}

#[track_caller]
fn is(text: &str, want: &[f64]) {
    let got = eval(text);
    assert_eq!(got.len(), want.len(), "{text}: {got:?}");
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= 2e-15 * want.abs().max(1.0), "{text}: {got:?} {want:?}");
    }
}

#[test]
fn operators_bind_as_in_mathematics() {
    is("1 + 2*3", &[7.0]);
    is("8 - 3 - 2", &[3.0]);
    is("8/4/2", &[1.0]);
    is("-2^2", &[-4.0]);
    is("2^3^2", &[512.0]);
    is("2**-1", &[0.5]);
    is("2*-3", &[-6.0]);
    is("+4 - -4", &[8.0]);
    is("(1 + 2)*3", &[9.0]);
    is("1.5e2 + .5", &[150.5]);
    is("4^0.5 + 4^(3/2) + 4^-1.5", &[10.125]);
    is("2^0.3", &[2f64.powf(0.3)]);
    is("if(1 < 2, 3, 4) + if(1 > 2, 30, 40)", &[43.0]);
    is("2 − 1 + 2⋅3", &[7.0]);
}

#[test]
fn names_components_and_indices() {
    let r = rotation();
    is("R33", &[r.rows[2].z]);
    is("R[1, 2] + R[1][2]", &[2.0 * r.rows[0].y]);
    is("R[2]", &r.rows[1].to_array());
    is("w2 + w[3]", &[-0.2]);
    is("y4 + y[5]", &[9.0]);
    is("s[2]", &[0.3, 0.4, 0.5]);
    is("s[2, 3] + s[2][3]", &[1.0]);
    is("s[cyc(5)][1] + s[cyc(0)][1]", &[0.9]);
    is("X.x + X.R*e1 - X.R*e1", &[7.0, 8.0, 9.0]);
    is("t + pi", &[0.75 + std::f64::consts::PI]);
    is("e2", &[0.0, 1.0, 0.0]);
    is("[[1, 2, 3], [4, 5, 6], [7, 8, 9]]*e3", &[3.0, 6.0, 9.0]);
    is("[1, 2]", &[1.0, 2.0]);
    is("sum(i, 1, n, i)", &[10.0]);
}

#[test]
fn definitions_in_any_order() {
    let omega = vec3(0.1, 0.2, -0.4);
    let kinetic = 0.5 * (2.0 * 0.01 + 3.0 * 0.04 + 4.0 * 0.16 + 2.0 * (0.1 * 0.02 - 0.2 * 0.08));
    is("energy", &[3.0 * rotation().rows[2].z + kinetic]);
    is("link[2, 3]", &[2.0 * (0.3 * 0.6 + 0.4 * 0.7 + 0.5 * 0.8)]);
    is("sum(i, 1, 2, link[i, i+1])", &[0.14 + 2.0 * 0.86]);
    is("norm(w)", &[omega.norm()]);
}

#[test]
fn functions_of_vectors_and_matrices() {
    let r = rotation();
    is("dot(w, a) - w·a", &[0.0]);
    is("cross(e1, e2) + e1 × e2", &[0.0, 0.0, 2.0]);
    is("square(w) + square(3)", &[9.21]);
    is("norm(y)", &[55f64.sqrt()]);
    is("dot(y, y)", &[55.0]);
    is("normalise([3, 0, 4])", &[0.6, 0.0, 0.8]);
    is("angle(e1, e1 + e2)", &[std::f64::consts::FRAC_PI_4]);
    is("angle(R)", &[so3::log(&r).norm()]);
    is("trace(R)", &[r.trace()]);
    is("transpose(R)*w - R'*w", &[0.0; 3]);
    is("axial(hat(w))", &[0.2, 0.4, -0.8]);
    is("det(R)", &[1.0]);
    is("inv(J)*(J*w)", &[0.1, 0.2, -0.4]);
    is("diag(a)*[1, 1, 1]", &[0.2, -0.3, 0.5]);
    is("columns(e1, e3, e2)*[1, 2, 3]", &[1.0, 3.0, 2.0]);
    is("(R*R')[1]", &[1.0, 0.0, 0.0]);
    is("sum(i, 1, 4, s[i])/4", &[0.45, 0.55, 0.65]);
    is("sum(i, 2, 1, s[i]) + w", &[0.1, 0.2, -0.4]);
    is("prod(i, 1, 5, y[i])", &[120.0]);
    is("sum(i, 1, 4, sum(j, 1, i-1, s[j]))", &[1.2, 1.8, 2.4]);
}

#[test]
fn functions_of_numbers() {
    let x: f64 = 0.75;
    is("sin(t)^2 + cos(t)^2", &[1.0]);
    is("tan(t)", &[x.tan()]);
    is("asin(t) + acos(t)", &[std::f64::consts::FRAC_PI_2]);
    is("asin(t)", &[x.asin()]);
    is("atan2(-1, -1)", &[(-1f64).atan2(-1.0)]);
    is("sinh(t) + cosh(t)", &[x.exp()]);
    is("tanh(t)", &[x.tanh()]);
    is("exp(log(t))", &[x]);
    is("sqrt(t)", &[x.sqrt()]);
    is("pow(t, 2) + pow(t, k)", &[x * x + x.powi(3)]);
    is("abs(-t) + min(t, 1, -2) + max(1, t, 3)", &[0.75 - 2.0 + 3.0]);
    is("sign(t) + sign(-t) + sign(0)", &[0.0]);
    is("floor(2.7) + floor(-2.7)", &[-1.0]);
    is("mod(7, 3) + mod(-1, 3)", &[3.0]);
    is("clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(t, 0, 1)", &[1.75]);
    is("smoothstep(0, 1, t) + smoothstep(0, 1, 2)", &[3.0 * x * x - 2.0 * x * x * x + 1.0]);
}

#[test]
fn derivatives_in_formulas() {
    is("grad(dot(w, J*w)/2, w)", &[0.22, 0.53, -1.56]);
    is("grad(norm(w)^3, w)/norm(w)", &[0.3, 0.6, -1.2]);
    is("grad(R33*k, R)*e3", &[0.0, 0.0, 3.0]);
    is("grad(sum(i, 1, 4, square(s[i])), s[2])", &[0.6, 0.8, 1.0]);
    is("grad(y[1]*y[5], y)", &[5.0, 0.0, 0.0, 0.0, 1.0]);
    is("grad(k^2*t, k)", &[4.5]);
    is("ddt([cos(t), sin(t), t^2])", &[-0.75f64.sin(), 0.75f64.cos(), 1.5]);
    is("ddt(ddt(t^3))", &[4.5]);
    is("ddt(k*w)", &[0.0; 3]);
    is("grad(grad(w1^2*w2, w)[1], w)", &[0.4, 0.2, 0.0]);
}

#[test]
fn what_is_read_and_where_it_bends() {
    let mut sheet = Sheet::new(names()).unwrap();
    let text = "k*R33 + abs(w1) + if(t < 1, 0, a2*R31) + sqrt(1 + R32) - R11 + R11";
    let value = sheet.formula("f", text).unwrap();
    let top = sheet.formula("g", "k*R33^2 + norm(R'*e3)").unwrap();
    let program = sheet.program(&[("f", &value), ("g", &top)]).unwrap();
    assert_eq!(program.names_read(0), ["R", "w", "t", "k", "a"]);
    assert!(program.reads(0, "t") && !program.reads(0, "J") && !program.reads(1, "t"));
    assert_eq!((program.row(0, "R"), program.row(1, "R")), (None, Some(2)));
    let kinks: Vec<_> =
        program.kinks(0).iter().map(|k| (k.function.clone(), k.place.column())).collect();
    assert_eq!(kinks, [("abs".to_string(), 9), ("if".to_string(), 19)]);
    assert!(program.kinks(1).is_empty());
    assert_eq!(program.variable("w").unwrap().range, 9..12);
    assert_eq!(program.variable("a").unwrap().range, 1..4);
}

#[test]
fn equations_in_symbols() {
    let mut sheet = Sheet::new(names()).unwrap();
    let value = sheet.formula("f", "k*R33 - 2*(w1 + w2)^2/(t - 1)").unwrap();
    let slope = sheet.gradient(&value, &sheet.get("w").unwrap()).unwrap();
    let program = sheet.program(&[("U", &value), ("g", &slope)]).unwrap();
    assert_eq!(program.explain(0), ["U = R33*k - 2*(w1 + w2)^2/(t - 1)"]);
    let lines = program.explain(1);
    assert_eq!(lines.last().unwrap(), "g3 = 0");
    assert!(lines[0].ends_with("*2*(w1 + w2)"), "{lines:?}");
    let cost = program.cost(0).unwrap();
    assert_eq!((cost.operations, cost.once), (7, 0));
}

#[test]
fn broken_numbers_have_a_place() {
    let locate = |text: &str, derivative: bool| {
        let mut sheet = Sheet::new(names()).unwrap();
        let value = sheet.formula("potential", text).unwrap();
        let value = match derivative {
            true => sheet.gradient(&value, &sheet.get("w").unwrap()).unwrap(),
            false => value,
        };
        let program = sheet.program(&[("f", &value)]).unwrap();
        let formula = Formula::new(program, numbers()).unwrap();
        formula.locate(0, &inputs()).map(|b| b.to_string())
    };
    let is = |text: &str, derivative: bool, want: &str| {
        assert_eq!(locate(text, derivative).as_deref(), Some(want), "{text}");
    };
    is("k + log(w1 - 1)", false, "log of -0.9 in potential, column 5: log(w1 - 1)");
    is("k + log(w1 - 1)", true, "log of -0.9 in potential, column 5: log(w1 - 1)");
    is("1/(w1 - w1*1)", false, "division of 1 by zero in potential, column 1: 1/(w1 - w1*1)");
    is("sqrt(w3)", true, "sqrt of -0.4 in potential, column 1: sqrt(w3)");
    is("acos(w1 + 1)", true, "acos of a number beyond one in potential, column 1: acos(w1 + 1)");
    is("exp(9000*w1)", false, "exp of 900 in potential, column 1: exp(9000*w1)");
    let power = "a power of -0.4 whose exponent is no whole number in potential, column 1: w3^t";
    is("w3^t", false, power);
    assert_eq!(locate("if(w1 < 1, w1, log(w1 - 1))", true), None);
    assert_eq!(locate("k*w1", true), None);
}

#[test]
fn more_digits_are_kept() {
    let mut sheet = Sheet::new(names()).unwrap();
    let value = sheet.formula("f", "1/3 + sinh(1/7)*k/9 + t").unwrap();
    let program = sheet.program(&[("f", &value)]).unwrap();
    let formula = Formula::new(program, numbers()).unwrap().lift(D::lift);
    let x: Vec<D> = inputs().into_iter().map(D::lift).collect();
    let [got] = formula.call(0, &x);
    let e = D::ratio(1.0, 7.0).exp();
    let want = D::ratio(1.0, 3.0) + (e - D::one() / e) * D::ratio(1.0, 6.0) + D::lift(0.75);
    assert!((got - want).magnitude() < 1e-30);
}

#[test]
fn parameters_can_be_replaced() {
    let mut sheet = Sheet::new(names()).unwrap();
    let value = sheet.formula("f", "k^2 + a2*t").unwrap();
    let program = sheet.program(&[("f", &value)]).unwrap();
    let mut formula = Formula::new(program.clone(), numbers()).unwrap();
    formula.set(program.variable("k").unwrap().range.start, &[5.0, 0.0, 4.0]);
    assert_eq!(formula.call::<1>(0, &inputs()), [28.0]);
    let error = Formula::new(program, vec![1.0]).unwrap_err();
    assert_eq!((error.found, error.expected), (1, 13));
}

#[test]
fn names_that_hide_something_are_refused() {
    let hides = |name: &str| {
        let error = names().parameter(name, Kind::Number).unwrap_err();
        (error.fault, error.to_string())
    };
    let cases = [
        ("norm", "'norm' is a function of formulas; choose another name"),
        ("pi", "'pi' is a constant of formulas; choose another name"),
        ("e", "'e' could be read as Euler's number, which is exp(1); choose another name"),
        ("t", "the name 't' is given twice"),
        ("k", "the name 'k' is given twice"),
        ("energy", "the name 'energy' is given twice"),
        ("R12", "'R12' is already a component of 'R'"),
        ("w3", "'w3' is already a component of 'w'"),
        ("y5", "'y5' is already a component of 'y'"),
    ];
    for (name, want) in cases {
        assert_eq!(hides(name), (Fault::Shadow, want.into()));
    }
    for name in ["R44", "w4", "y6", "m1", "e4", "ω", "_x"] {
        names().parameter(name, Kind::Number).unwrap();
    }
    let after = Names::new().parameter("m1", Kind::Number).unwrap().state("m", Kind::Vector);
    assert_eq!(after.unwrap_err().to_string(), "'m1' would be a component of 'm' too");
    for (name, fault) in [("2x", Fault::Syntax), ("", Fault::Syntax), ("a b", Fault::Syntax)] {
        assert_eq!(names().parameter(name, Kind::Number).unwrap_err().fault, fault);
    }
    for key in ["x[", "x[i", "x[i,i]", "x[]", "x[sin]"] {
        assert!(Names::new().define(key, "definitions", "1").is_err(), "{key}");
    }
}

#[test]
fn derived_values_can_be_named() {
    let mut sheet = Sheet::new(names()).unwrap();
    let value = sheet.formula("U", "k*R33").unwrap();
    let torque = sheet.torque(&value, &sheet.get("R").unwrap()).unwrap();
    sheet.name("torque", torque).unwrap();
    let power = sheet.formula("power", "dot(w, torque)").unwrap();
    assert_eq!(power.kind(), Kind::Number);
    assert!(sheet.name("torque", Value::Zero).is_err());
    assert!(sheet.name("norm", Value::Zero).is_err());
    sheet.check_definitions().unwrap();
}

#[test]
fn programs_and_formulas_cross_threads() {
    fn free<T: Send + Sync + Clone>() {}
    free::<lieflow_formula::Program>();
    free::<Formula<f64>>();
}
