//! Systems that are written in Rust, once more by formulas: the same states.
use super::{aligned, run};
use lieflow_models::problems;

/// Runs both for a hundred steps and compares all numbers, relative to the size of the state.
#[track_caller]
fn same(problem: &str, custom: &str, step: f64, methods: &[&str]) {
    let text = problems::find(problem).map_or(problem, |p| p.text);
    for method in methods {
        let (_, rust) = run(text, method, step, 100);
        let (_, file) = run(custom, method, step, 100);
        let (a, b) = aligned(&rust, &file);
        let size = a.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let gap = a.iter().zip(&b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(gap < 1e-13 * size, "{problem} by {method}: {gap:e} of {size}");
        assert!(file.manifold_error < 1e-13, "{problem} by {method}: {:e}", file.manifold_error);
    }
}

const ALL: [&str; 7] = ["rkmk4", "rkmk-dp54", "cf4", "cg3", "rkmk-gl4", "rkmk-gl6", "gl4-sym"];

#[test]
fn a_body_in_a_fluid() {
    let text = r#"
        system = "custom"
        [state]
        momentum = "so(3)*"
        impulse = { advected = "momentum" }
        [parameters]
        J = { diagonal = [1.0, 1.5, 2.2] }
        M = { diagonal = [1.0, 1.8, 2.5] }
        [motion]
        hamiltonian = "0.5*momentum·(inv(J)*momentum) + 0.5*impulse·(inv(M)*impulse)"
        [initial]
        momentum = [0.4, -0.3, 0.8]
        impulse = [0.9, 0.2, -0.5]
    "#;
    same("kirchhoff", text, 0.05, &ALL);
    // The same as one part in se(3)*.
    let text = r#"
        system = "custom"
        state.m = "se(3)*"
        parameters.J = { diagonal = [1.0, 1.5, 2.2] }
        parameters.M = { diagonal = [1.0, 1.8, 2.5] }
        motion.hamiltonian = "0.5*m.w·(inv(J)*m.w) + 0.5*m.v·(inv(M)*m.v)"
        initial.m = { w = [0.4, -0.3, 0.8], v = [0.9, 0.2, -0.5] }
    "#;
    same("kirchhoff", text, 0.05, &ALL);
}

#[test]
fn a_spin_in_a_field() {
    let text = r#"
        system = "custom"
        [state]
        m = "S2"
        [parameters]
        gamma = 1.7
        alpha = 0.15
        b = [0.0, 0.0, 0.9]
        [motion]
        m = { turn = "gamma/(1 + alpha^2)*(b + alpha*m × b)" }
        [initial]
        m = [0.6853164493328192, 0.21199322023239764, 0.6967067093471654]
    "#;
    same("macrospin", text, 0.05, &ALL);
}

#[test]
fn a_ring_of_spins() {
    let text = r#"
        system = "custom"
        [state]
        m = { space = "S2", count = 4 }
        [parameters]
        C = 0.8
        gamma = 1.3
        alpha = 0.05
        b = [0.1, 0.0, 0.4]
        D = [0.5, 0.2, -0.3]
        [definitions]
        "h[i]" = "b - diag(D)*m[i] + C*(m[cyc(i+1)] + m[cyc(i-1)])"
        [motion]
        m = { turn = "gamma/(1 + alpha^2)*(h[i] + alpha*m[i] × h[i])" }
        [initial]
        m = [
          [0.9407208683835973, 0.18814417367671946, 0.28221626051507914],
          [-0.3368607684266076, 0.8421519210665189, 0.42107596053325946],
          [0.22808577638091165, -0.6082287370157645, 0.7602859212697056],
          [0.7049344049891616, 0.7049344049891616, -0.07832604499879574],
        ]
    "#;
    same("spin-ring", text, 0.01, &ALL);
    // Without damping it follows from the energy, with the other sign of time.
    let energy = text.replace("alpha = 0.05", "alpha = 0.0").replace(
        "m = { turn = \"gamma/(1 + alpha^2)*(h[i] + alpha*m[i] × h[i])\" }",
        "hamiltonian = \"gamma*sum(i, 1, 4, 0.5*m[i]·(diag(D)*m[i]) - b·m[i] - C*m[i]·m[cyc(i+1)])\"",
    );
    let ring = problems::find("spin-ring").unwrap().text.replace("alpha = 0.05", "alpha = 0.0");
    same(&ring, &energy, 0.01, &["rkmk4", "cf4"]);
}

#[test]
fn point_vortices() {
    let text = r#"
        system = "custom"
        [state]
        q = { space = "S2", count = 4 }
        [parameters]
        G = [3.0, -2.0, 4.0, 2.5]
        [definitions]
        U = "-sum(i, 2, 4, sum(j, 1, i-1, G[i]*G[j]*log(2 - 2*q[i]·q[j])))/(4*pi)"
        [motion]
        q = { turn = "grad(U, q[i])/G[i]" }
        [initial]
        q = [
          [0.477030407851843, 0.047862689546603394, 0.8775825618903728],
          [0.3491527803753924, 0.8980738904124796, 0.26749882862458735],
          [-0.9085110211945838, 0.03780918935629833, -0.4161468365471424],
          [-0.09995115745400927, -0.885584736064978, 0.4535961214255773],
        ]
    "#;
    same("vortices", text, 0.01, &ALL);
}

#[test]
fn particles_in_the_plane() {
    for (problem, potential, q, p) in [
        ("kepler", "-1/norm(q)", "[0.4, 0.0]", "[0.0, 2.0]"),
        ("henon-heiles", "0.5*q·q + q1^2*q2 - q2^3/3", "[0.1, -0.2]", "[0.3, 0.15]"),
    ] {
        let text = format!(
            "system = 'custom'\nstate.q = 'R2'\nstate.p = {{ momentum = 'q' }}\n\
             motion.hamiltonian = '0.5*dot(p, p) + {potential}'\ninitial.q = {q}\ninitial.p = {p}\n"
        );
        same(problem, &text, 0.01, &ALL);
        // By velocities instead.
        let text = format!(
            "system = 'custom'\nstate.q = 'R2'\nstate.p = {{ velocity = 'q' }}\n\
             motion.kinetic = '0.5*dot(p, p)'\nmotion.potential = '{potential}'\n\
             initial.q = {q}\ninitial.p = {p}\n"
        );
        same(problem, &text, 0.01, &["rkmk4", "rkmk-gl4"]);
    }
}

#[test]
fn tops() {
    let rust = r#"
        system = "rigid-body"
        [parameters]
        inertia = [5.0, 4.0, 2.5]
        potential = { kind = "lagrange-top", strength = 20.0 }
        [initial]
        rotation = { vector = [0.3, 0.1, -0.2] }
        momentum = [1.0, -2.0, 12.5]
    "#;
    let text = r#"
        system = "custom"
        [state]
        rotation = "SO(3)"
        momentum = { momentum = "rotation" }
        [parameters]
        J = { diagonal = [5.0, 4.0, 2.5] }
        k = 20.0
        [motion]
        hamiltonian = "0.5*momentum·(inv(J)*momentum) + k*rotation33"
        [initial]
        rotation = { vector = [0.3, 0.1, -0.2] }
        momentum = [1.0, -2.0, 12.5]
    "#;
    same(rust, text, 0.01, &ALL);
    // On the dual of SE(3): momentum, and the vertical as the body sees it.
    let rust = r#"
        system = "heavy-top"
        [parameters]
        inertia = [1.0, 1.2, 0.7]
        axis = [0.6, 0.0, 0.8]
        direction = [0.0, 0.0, 1.0]
        strength = 3.0
        formulation = "se3-dual"
        [initial]
        rotation = { vector = [0.0, 0.0, 0.0] }
        momentum = [0.4, -0.5, 1.1]
    "#;
    let text = r#"
        system = "custom"
        [state]
        u = { advected = "m" }
        m = "so(3)*"
        [parameters]
        J = { diagonal = [1.0, 1.2, 0.7] }
        a = [0.6, 0.0, 0.8]
        [motion]
        hamiltonian = "0.5*m·(inv(J)*m) + 3*u·a"
        [initial]
        m = [0.4, -0.5, 1.1]
        u = [0.0, 0.0, 1.0]
    "#;
    same(rust, text, 0.01, &ALL);
}

#[test]
fn a_field_on_se3() {
    let text = r#"
        system = "custom"
        [state]
        X = "SE(3)"
        [definitions]
        R = "X.R"
        r = "X.x"
        a = "[0.3*r[2] + R[1,2], 0.5 - r[1]*R[3,3], 0.7*R[2,1] - 0.2*r[3]]"
        b = "[R[3,1] + 0.4*r[2], -0.6*r[1] + R[2,2], 0.8*R[1,3]*r[2] + 0.1]"
        [motion]
        X = { space = { w = "a", v = "b" } }
        [initial]
        X = { rotation = ROTATION, position = POSITION }
    "#;
    let rust = r#"
        system = "se3-test"
        [initial]
        rotation = { vector = [0.3, -0.4, 0.5] }
        position = [0.2, -0.1, 0.4]
    "#;
    let text = text.replace("ROTATION", "{ vector = [0.3, -0.4, 0.5] }");
    same(rust, &text.replace("POSITION", "[0.2, -0.1, 0.4]"), 0.01, &ALL);
}
