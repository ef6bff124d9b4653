//! The symplectic theta methods: those of the built-in systems, on any product.
use super::{aligned, run};
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::study::order::OrderStudy;

const THETAS: [&str; 4] = ["slgi-theta0", "slgi-theta0.5", "slgi-theta1", "slgi-theta0.3"];

#[track_caller]
fn same(rust: &str, file: &str) {
    for method in THETAS {
        let ((_, a), (_, b)) = (run(rust, method, 0.01, 100), run(file, method, 0.01, 100));
        let (a, b) = aligned(&a, &b);
        let size = a.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let gap = a.iter().zip(&b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(gap < 1e-12 * size, "{method}: {gap:e} of {size}");
    }
}

#[test]
fn tops_and_particles_have_the_steps_of_the_built_in_ones() {
    let rust = "system = 'rigid-body'\nparameters.inertia = [5.0, 4.0, 2.5]\n\
         parameters.potential = { kind = 'lagrange-top', strength = 20.0 }\n\
         initial.rotation = { vector = [0.3, 0.1, -0.2] }\ninitial.momentum = [1.0, -2.0, 12.5]\n";
    let file = "system = 'custom'\nstate.rotation = 'SO(3)'\nstate.momentum = { momentum = 'rotation' }\n\
         definitions = { P = 'momentum' }\n\
         motion.hamiltonian = '0.5*P·(inv(diag([5, 4, 2.5]))*P) + 20*rotation33'\n\
         initial.rotation = { vector = [0.3, 0.1, -0.2] }\ninitial.momentum = [1.0, -2.0, 12.5]\n";
    same(rust, file);
    let rust = "system = 'euclidean'\nparameters.problem = 'henon-heiles'\n\
         initial.q = [0.1, -0.2]\ninitial.p = [0.3, 0.15]\n";
    let file = "system = 'custom'\nstate.q = 'R2'\nstate.p = { momentum = 'q' }\n\
         motion.hamiltonian = '0.5*p·p + 0.5*q·q + q1^2*q2 - q2^3/3'\n\
         initial.q = [0.1, -0.2]\ninitial.p = [0.3, 0.15]\n";
    same(rust, file);
}

/// A body on SE(3) and a particle, coupled.
const COUPLED: &str = "system = 'custom'\nstate.X = 'SE(3)'\nstate.P = { momentum = 'X' }\n\
     state.y = 'R3'\nstate.p = { momentum = 'y' }\n\
     motion.hamiltonian = '0.5*square(P.v) + 0.5*P.w·(diag([1, 0.5, 2])*P.w) + p·p + 0.5*square(X.x + X.R*e1 - y)'\n\
     initial.X = { rotation = { vector = [0.3, 0.5, -0.2] }, position = [0.4, -0.3, 1.0] }\n\
     initial.P = { w = [0.5, -1.0, 0.7], v = [0.2, 0.4, -0.3] }\ninitial.y = [0.0, 0.5, 0.0]\n\
     initial.p = [0.1, 0.0, -0.2]\n";

#[test]
fn momenta_stay_and_the_energy_does_not_drift() {
    for (text, step) in [(problems::find("coupled-bodies").unwrap().text, 0.02), (COUPLED, 0.05)] {
        let (_, record) = run(text, "slgi-theta0.5", step, 1000);
        assert!(record.manifold_error < 1e-12, "{:e}", record.manifold_error);
        let (mut energies, mut momenta) = (0, 0);
        for q in &record.invariants {
            if q.name == "energy" {
                energies += 1;
                assert!(q.max_error < 0.02, "{:e}", q.max_error);
                let drift = (q.slope() * step * 1000.0).abs();
                assert!(drift < 0.2 * q.max_error, "{drift:e} beside {:e}", q.max_error);
            } else {
                momenta += 1;
                assert!(q.max_error < 1e-11, "{} moves by {:e}", q.name, q.max_error);
            }
        }
        assert!(energies == 1 && momenta > 0);
    }
}

#[test]
fn orders_are_those_of_the_cards() {
    let coupled = format!("{COUPLED}[solve]\nmethod = 'rkmk4'\nstep = 0.1\nuntil = 1.0\n");
    for text in [problems::find("coupled-bodies").unwrap().text, &coupled] {
        let until = Setting::value("--until", "solve.until", "0.5").unwrap();
        let document = Document::parse(text, "test", &[until]).unwrap();
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        let methods = ["slgi-theta0", "slgi-theta0.5"].map(String::from);
        let steps = [0.02, 0.01, 0.005, 0.0025];
        let study = OrderStudy::new(model.as_ref(), &plan, &methods, &steps).unwrap();
        for (ladder, stated) in study.run(&mut |_| {}).unwrap().iter().zip([1.0, 2.0]) {
            let order = ladder.order.unwrap_or(f64::NAN);
            assert!((order - stated).abs() < 0.15, "{}: {order}", ladder.method);
        }
    }
}

#[test]
fn other_laws_refuse_them() {
    let settings = [Setting::value("--method", "solve.method", "'slgi-theta0.5'").unwrap()];
    let text = problems::find("buoyant-body").unwrap().text;
    let document = Document::parse(text, "test", &settings).unwrap();
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let message = model.check(&plan).unwrap_err().to_string();
    assert!(message.contains("needs a `hamiltonian` and a momentum"), "{message}");
    assert!(model.methods().iter().all(|card| card.family != "theta"));
}
