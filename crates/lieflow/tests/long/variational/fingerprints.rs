//! Every fingerprint of the variational methods, on T*SO(3) and on Rⁿ.
use super::mechanics::*;
use lieflow::method::variational::{FromHamiltonian, FromLagrangian, Variational, names};

#[test]
fn on_rotations() {
    let data = reference();
    let mut count = 0;
    let mut worst = 0.0;
    for f in data["public"]["fingerprints"].as_array().unwrap() {
        if f["kind"] != "fingersym" {
            continue;
        }
        let case = f["case"].as_str().unwrap();
        let top = Top::named(case);
        let (h, steps) = (f["h"].as_f64().unwrap(), f["steps"].as_u64().unwrap() as usize);
        for (id, want) in f["states"].as_object().unwrap() {
            let want = &numbers(want)[..12];
            let scheme = names::scheme(id).unwrap().unwrap();
            let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
            let got = flat(&integrate(&top, &mut method, h, steps, |_, _| ()));
            let error = relative(&got, want);
            worst = f64::max(worst, error);
            assert!(error < 1e-12, "{case} {id}: {error:e}");
            let mut method = Variational::<_, FromHamiltonian>::new(scheme);
            let got = flat(&integrate(&top, &mut method, h, steps, |_, _| ()));
            let error = relative(&got, want);
            assert!(error < 1e-12, "{case} {id} by the Hamiltonian: {error:e}");
            count += 1;
        }
    }
    println!("worst relative error {worst:e}");
    assert_eq!(count, 3 * 34);
}

fn euclidean<V: Potential<N>, const N: usize>(potential: V, case: &str) {
    let data = reference();
    let system = Newtonian::named(potential, case);
    let mut count = 0;
    for f in data["public"]["fingerprints"].as_array().unwrap() {
        if f["case"] != case {
            continue;
        }
        let (h, steps) = (f["h"].as_f64().unwrap(), f["steps"].as_u64().unwrap() as usize);
        for (id, want) in f["states"].as_object().unwrap() {
            let scheme = names::scheme(id).unwrap().unwrap();
            let mut method = Variational::<_, FromLagrangian>::new(scheme);
            let got = flat_rn(&integrate(&system, &mut method, h, steps, |_, _| ()));
            let error = relative(&got, &numbers(want));
            let bound = if id.contains("s4") { 1e-11 } else { 1e-12 };
            assert!(error < bound, "{case} {id}: {error:e}");
            count += 1;
        }
    }
    assert_eq!(count, 12);
}

#[test]
fn on_vector_spaces() {
    euclidean(Pendulum, "pendulum");
    euclidean(DoubleWell, "double-well");
    euclidean(Kepler, "kepler");
    euclidean(HenonHeiles, "henon-heiles");
}
