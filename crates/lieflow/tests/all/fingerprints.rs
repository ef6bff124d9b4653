//! Every public fingerprint of the general methods: the state after a few large steps, which a
//! method either reproduces to rounding or gets wrong.
use crate::common::*;
use lieflow::method::generator::{entries, entries_lifted};
use lieflow::method::{Options, Solver};
use lieflow::problem::Lift;

/// Runs every method of one fingerprint; returns the worst relative error.
fn check<P: Lift<Point: Listed> + 'static>(p: &P, print: &serde_json::Value) -> f64 {
    let (h, n) = (print["h"].as_f64().unwrap(), print["steps"].as_u64().unwrap());
    let states = print["states"].as_object().unwrap();
    assert_eq!(states.len(), 35, "all methods of the specification");
    let mut worst = 0.0f64;
    for (name, want) in states {
        let want = numbers(want);
        let got = run(p, &mut *named(name, p), h, n as usize).list();
        let error = distance(&got, &want) / norm(&want);
        assert!(error < 1e-12, "{} {name}: {error:e}", print["case"]);
        worst = worst.max(error);
        // A pair makes the same steps as the method it contains, and Newton's method solves what
        // fixed-point iteration solves.
        let twins: &[&str] = match name.as_str() {
            "cf3-A" => &["cf32-a"],
            "cf3-B" => &["cf32-b"],
            "cf4" => &["cf43-eq34", "cf43-fsal"],
            _ => &[],
        };
        for id in twins {
            let mut twin = method(&entries(), id, p, &Options::default());
            assert_eq!(run(p, &mut *twin, h, n as usize).list(), got, "{id}");
        }
        if name.starts_with("rkmk-gl") {
            let slow = Options { solver: Solver::FixedPoint, ..Options::default() };
            let mut twin = method(&entries_lifted(), name, p, &slow);
            let error = distance(&run(p, &mut *twin, h, n as usize).list(), &want) / norm(&want);
            assert!(error < 1e-12, "{} {name} by fixed point: {error:e}", print["case"]);
        }
    }
    worst
}

#[test]
fn every_method_on_every_case() {
    let data = reference();
    let mut cases = 0;
    let mut worst = 0.0f64;
    for print in data["fingerprints"].as_array().unwrap() {
        let (case, kind) = (print["case"].as_str().unwrap(), print["kind"].as_str().unwrap());
        let error = match (case, kind) {
            ("generic-se3", "finger") => check(&generic_se3(&input(&data, case)), print),
            ("free-body-seed001" | "free-body-other-axis", "finger") => {
                check(&free_body(&input(&data, case)), print)
            }
            ("kirchhoff", "finger") => check(&kirchhoff(&input(&data, case)), print),
            ("heavy-top-seed" | "mild-top", "finger") => {
                check(&heavy_tso3(&input(&data, case)), print)
            }
            (_, "fingerlp") => check(&heavy_lp(&input(&data, case)), print),
            // Fingerprints of the methods for Hamiltonian systems.
            _ => continue,
        };
        eprintln!("{case} {kind}: worst relative error {error:.1e}");
        worst = worst.max(error);
        cases += 1;
    }
    assert_eq!(cases, 7);
    assert!(worst < 1e-13, "rounding has grown to {worst:e}");
}

/// The values printed in the text of the specification, kirchhoff, first component.
#[test]
fn printed_examples() {
    let p = kirchhoff(&input(&reference(), "kirchhoff"));
    for (id, want) in [
        ("lie-euler", 0.5475856357793024),
        ("rkmk3", 0.4765339824984581),
        ("rkmk4-casas-owren", 0.4766242599618137),
        ("rkmk-gl6", 0.4766263983794999),
        ("cg4", 0.4766111848350099),
        ("cf4", 0.4766269793263005),
    ] {
        let y = run(&p, &mut *named(id, &p), 0.25, 8);
        assert!((y.angular.x - want).abs() < 2e-15, "{id}: {}", y.angular.x);
    }
}
