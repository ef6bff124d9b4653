//! Whole systems: what follows from an energy, and which declared invariants are none.
use crate::chance::Draw;
use lieflow_formula::{Error, Formula, Kind, Names, Rate, Sheet, Value};

/// The rate of a number along a motion, and its largest term, at random states.
fn worst(sheet: &mut Sheet, of: &Value, motion: &[(Value, Rate)]) -> f64 {
    let change = sheet.rate(of, motion).unwrap();
    let program = sheet.program(&[("rate", &change.rate), ("terms", &change.terms)]).unwrap();
    let terms = program.kind(1).unwrap().size();
    let mut draw = Draw::new(2);
    let numbers = (0..program.parameters()).map(|_| draw.number(0.5, 1.5)).collect();
    let formula = Formula::new(program, numbers).unwrap();
    let mut largest: f64 = 0.0;
    for _ in 0..8 {
        let x: Vec<f64> = (0..formula.program().inputs()).map(|_| draw.number(-1.0, 1.0)).collect();
        let (mut rate, mut parts) = ([0.0], vec![0.0; terms]);
        formula.eval(0, &x, &mut rate, &mut Vec::new());
        formula.eval(1, &x, &mut parts, &mut Vec::new());
        let scale = parts.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
        assert!(rate[0].is_finite());
        largest = largest.max(rate[0].abs() / scale);
    }
    largest
}

#[track_caller]
fn invariant(sheet: &mut Sheet, text: &str, motion: &[(Value, Rate)], kept: bool) {
    let of = sheet.formula("invariants", text).unwrap_or_else(|e| panic!("{}", e.render()));
    let components = of.ids();
    let worst = components.iter().map(|id| worst(sheet, &Value::Number(*id), motion));
    let worst = worst.fold(0.0, f64::max);
    assert_eq!(worst < 1e-12, kept, "{text}: {worst:e}");
}

/// `s' = s × ∂H/∂s`, which is a turn by `-∂H/∂s`.
#[test]
fn spins_from_their_energy() -> Result<(), Error> {
    let names = Names::new().state("s", Kind::Vector.list(12))?.parameter("A", Kind::Number)?;
    let names = names.parameter("D", Kind::Vector)?.parameter("K", Kind::Number)?.whole("n", 12)?;
    for (text, spin) in [
        ("sum(i, 1, n, -A*dot(s[i], s[cyc(i+1)]))", true),
        (
            "sum(i, 1, n, -A*dot(s[i], s[cyc(i+1)]) + dot(D, s[i] × s[cyc(i+1)]) - K*s[i][3]^2)",
            false,
        ),
    ] {
        let mut sheet = Sheet::new(names.clone())?;
        let energy = sheet.formula("hamiltonian", text)?;
        let s = sheet.get("s").unwrap();
        let slopes = sheet.gradient(&energy, &s).unwrap();
        let turn = slopes.map(&mut |id| sheet.graph().neg(id));
        sheet.name("H", energy)?;
        let motion = [(s, Rate::Turn(turn))];
        invariant(&mut sheet, "H", &motion, true);
        invariant(&mut sheet, "square(s[5])", &motion, true);
        invariant(&mut sheet, "sum(i, 1, n, s[i])", &motion, spin);
        invariant(&mut sheet, "s[1][3]", &motion, false);
    }
    Ok(())
}

#[test]
fn vortices_with_a_law_of_their_own() -> Result<(), Error> {
    let names =
        Names::new().state("x", Kind::Vector.list(6))?.parameter("G", Kind::Number.list(6))?;
    let names = names.parameter("L", Kind::Number)?;
    let law = "G[i]*G[j]*exp(-sqrt(2 - 2*dot(x[i], x[j]) + 9)/L)/(4*pi)";
    let names = names.define("U", "U", &format!("sum(i, 2, 6, sum(j, 1, i-1, {law}))"))?;
    let mut sheet = Sheet::new(names)?;
    let turns: Result<Vec<Value>, Error> =
        (1..=6).map(|i| sheet.formula_at("motion", "grad(U, x[i])/G[i]", &[("i", i)])).collect();
    let motion = [(sheet.get("x").unwrap(), Rate::Turn(Value::List(turns?.into())))];
    invariant(&mut sheet, "U", &motion, true);
    invariant(&mut sheet, "sum(i, 1, 6, G[i]*x[i])", &motion, true);
    invariant(&mut sheet, "sum(i, 1, 6, x[i])", &motion, false);
    invariant(&mut sheet, "sum(i, 1, 6, G[i]^2*x[i][1])", &motion, false);
    Ok(())
}

/// Lie–Poisson with advected vectors: `m' = m × ∂H/∂m + Σ p × ∂H/∂p`, `p' = p × ∂H/∂m`.
#[test]
fn a_body_in_a_fluid() -> Result<(), Error> {
    let names = Names::new().state("m", Kind::Vector)?.state("p", Kind::Vector)?;
    let names = names.state("u", Kind::Vector)?.parameter("J", Kind::Matrix)?;
    let names = names.parameter("M", Kind::Matrix)?.parameter("b", Kind::Vector)?;
    let energy = "0.5*dot(m, inv(J'*J)*m) + 0.5*dot(p, (M' + M)*p) + 0.7*dot(u, b)";
    let mut sheet = Sheet::new(names.define("H", "hamiltonian", energy)?)?;
    let rate = sheet.formula("m'", "m × grad(H, m) + p × grad(H, p) + u × grad(H, u)")?;
    let (dp, du) = (sheet.formula("p'", "p × grad(H, m)")?, sheet.formula("u'", "u × grad(H, m)")?);
    let mut motion = Vec::new();
    for (name, rate) in [("m", rate), ("p", dp), ("u", du)] {
        motion.push((sheet.get(name).unwrap(), Rate::Shift(rate)));
    }
    for (text, kept) in
        [("H", true), ("p·p", true), ("p·u", true), ("u·u", true), ("m·p", false), ("m·m", false)]
    {
        invariant(&mut sheet, text, &motion, kept);
    }
    Ok(())
}

/// A canonical Hamiltonian on rotations: `R' = R hat(∂H/∂P)`, `P' = P × ∂H/∂P + T`.
#[test]
fn bodies_and_springs() -> Result<(), Error> {
    let names = Names::new().state("R", Kind::Matrix.list(3))?.state("P", Kind::Vector.list(3))?;
    let names = names.parameter("k", Kind::Number)?.parameter("a", Kind::Vector)?;
    let names = names.parameter("d", Kind::Vector)?.time()?;
    let text = "sum(i, 1, 3, 0.5*dot(P[i], diag([1, 2, 3])*P[i])) \
        + sum(i, 1, 2, 0.5*k*(norm(d + R[i+1]*a - R[i]*a) - 0.5)^2)";
    let mut sheet = Sheet::new(names.define("H", "hamiltonian", text)?)?;
    let energy = sheet.formula("H", "H")?;
    let (r, p) = (sheet.get("R").unwrap(), sheet.get("P").unwrap());
    let Value::List(velocities) = sheet.gradient(&energy, &p).unwrap() else { panic!() };
    let (Value::List(places), Value::List(momenta)) = (r.clone(), p.clone()) else { panic!() };
    let mut forces = Vec::new();
    for i in 0..3 {
        let Some(Value::Vector(torque)) = sheet.torque(&energy, &places[i]) else { panic!() };
        let (Value::Vector(p), Value::Vector(w)) = (&momenta[i], &velocities[i]) else { panic!() };
        let across = sheet.graph().cross(*p, *w);
        forces.push(Value::Vector(sheet.graph().plus(across, torque)));
    }
    let motion =
        [(r, Rate::Body(Value::List(velocities))), (p, Rate::Shift(Value::List(forces.into())))];
    invariant(&mut sheet, "H", &motion, true);
    invariant(&mut sheet, "H + 0.001*t", &motion, false);
    invariant(&mut sheet, "R[1]*P[1]", &motion, false);
    Ok(())
}

#[test]
fn a_quadrotor_with_derivatives_of_its_path() -> Result<(), Error> {
    let mut names = Names::new();
    for name in ["R", "w", "x", "v"] {
        let kind = if name == "R" { Kind::Matrix } else { Kind::Vector };
        names = names.state(name, kind)?;
    }
    names = names.time()?.parameter("J", Kind::Matrix)?;
    for name in ["m", "g", "kx", "kv", "kR", "kw"] {
        names = names.parameter(name, Kind::Number)?;
    }
    for (name, text) in [
        ("xd", "[cos(t), sin(t), 0.2*t]"),
        ("vd", "ddt(xd)"),
        ("ad", "ddt(vd)"),
        ("A", "-kx*(x - xd) - kv*(v - vd) + m*g*e3 + m*ad"),
        ("f", "dot(A, R*e3)"),
        ("b3", "A/norm(A)"),
        ("b2", "normalise(cross(b3, e1))"),
        ("Rd", "columns(cross(b2, b3), b2, b3)"),
        ("eR", "axial(Rd'*R - R'*Rd)/2"),
    ] {
        names = names.define(name, name, text)?;
    }
    let mut sheet = Sheet::new(names)?;
    sheet.check_definitions()?;
    let turn = sheet.formula_of("w'", "inv(J)*(cross(J*w, w) - kR*eR - kw*w)", &Kind::Vector)?;
    let push = sheet.formula_of("v'", "f/m*(R*e3) - g*e3", &Kind::Vector)?;
    let program = sheet.program(&[("w", &turn), ("v", &push)])?;
    assert!(program.reads(0, "t") && program.reads(1, "x") && !program.reads(1, "w"));
    let cost = program.cost(0).unwrap();
    assert!(cost.operations < 200, "{cost:?}");
    Ok(())
}

/// The mean is shared: the work grows with the number of bodies, not with its square.
#[test]
fn oscillators_that_share_their_mean() -> Result<(), Error> {
    let names = Names::new().state("x", Kind::Vector.list(40))?.parameter("k", Kind::Number)?;
    let names = names.define("w[i]", "w", "[0.3*sin(3*i), 0.3*cos(5*i), 0.5*sin(7*i)]")?;
    let names = names.define("mean", "mean", "sum(j, 1, 40, x[j])/40")?;
    let mut sheet = Sheet::new(names)?;
    let turns: Result<Vec<Value>, Error> = (1..=40)
        .map(|i| sheet.formula_at("turn", "w[i] + k*cross(x[i], mean)", &[("i", i)]))
        .collect();
    let program = sheet.program(&[("turn", &Value::List(turns?.into()))])?;
    let cost = program.cost(0).unwrap();
    assert!(cost.operations < 900, "{cost:?}");
    Ok(())
}

/// A body in a potential with a torque that does no work, and with one that does.
#[test]
fn energy_of_a_charged_body() -> Result<(), Error> {
    let names = Names::new().state("R", Kind::Matrix)?.state("P", Kind::Vector)?;
    let names = names.parameter("q", Kind::Number)?.parameter("a", Kind::Vector)?;
    let names = names.parameter("B", Kind::Vector)?.time()?;
    let names = names.define("w", "w", "diag([1, 0.5, 0.25])*P")?;
    let mut sheet =
        Sheet::new(names.define("energy", "energy", "0.5*dot(P, w) - q*dot(e3, R*a)")?)?;
    let u = sheet.formula("U", "-q*dot(e3, R*a)")?;
    let r = sheet.get("R").unwrap();
    let torque = sheet.torque(&u, &r).unwrap();
    sheet.name("T", torque)?;
    let w = sheet.formula("w", "w")?;
    for (text, kept) in [
        ("cross(a, cross(cross(w, a), R'*B))", true),
        ("-0.01*w", false),
        ("0.01*sin(t)*e1", false),
    ] {
        let rate = sheet.formula("P'", &format!("cross(P, w) + T + {text}"))?;
        let motion =
            [(r.clone(), Rate::Body(w.clone())), (sheet.get("P").unwrap(), Rate::Shift(rate))];
        invariant(&mut sheet, "energy", &motion, kept);
    }
    Ok(())
}
