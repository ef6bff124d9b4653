//! All trajectories have the columns of the first one.
use crate::open;
use lieflow_ensemble::run::{Outcome, Settings, run};
use lieflow_models::problem_file::Setting;

fn go(text: &str, settings: &[Setting], alone: bool) -> Outcome {
    let (document, design) = open(text, settings);
    let how = Settings { lanes: alone.then_some(1), ..Settings::default() };
    run(&design, document.to_json(), how, None, &|_| {}).unwrap_or_else(|e| panic!("{e}"))
}

const TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { kind = "lagrange-top", strength = 20.0 }
[initial]
rotation = { vector = [0.3, 0.1, 0.0] }
omega = [1.0, 0.0, 5.0]
[solve]
method = "liemid-ea"
step = 0.05
until = 0.5
[ensemble]
[[ensemble.vary]]
"#;

/// The spin is conserved only where the body is symmetric. Where the first body is, the others
/// cannot have its columns; where it is not, a symmetric one has one invariant more than needed.
#[test]
fn invariants_of_special_cases() {
    for alone in [true, false] {
        let vary = "key = \"parameters.inertia[1]\"\nlist = [5.0, 5.5, 5.0, 6.0]\n";
        let outcome = go(&format!("{TOP}{vary}"), &[], alone);
        assert_eq!(outcome.failures.iter().map(|f| f.0).collect::<Vec<_>>(), [1, 3]);
        let reason = &outcome.failures[0].2;
        assert_eq!(
            reason,
            "found the invariants energy, axial_momentum, expected those of the first trajectory, \
             energy, axial_momentum, spin"
        );
        let spin = outcome.statistics.at(0).find(|(name, _)| *name == "spin").unwrap();
        assert_eq!((spin.1.moments.count, spin.1.moments.mean()), (2, 5.0));

        let vary = "key = \"parameters.inertia[1]\"\nlist = [5.5, 5.0, 5.0, 6.0]\n";
        let outcome = go(&format!("{TOP}{vary}"), &[], alone);
        assert_eq!(outcome.failed, 0);
        let names: Vec<&str> = outcome.statistics.at(0).map(|(name, _)| name).collect();
        assert!(names.ends_with(&["axial_momentum", "energy_error", "axial_momentum_error"]));
        // The method conserves it but for rounding; another column would not be so small.
        let (_, error) = outcome.statistics.at(0).last().unwrap();
        assert!(error.moments.count == 4 && error.moments.max < 1e-12, "{}", error.moments.max);
    }
}

/// A key of the command line takes the place of one in the file. If that one varies, it does so in
/// vain: nothing reads it.
#[test]
fn a_varied_key_that_nothing_reads() {
    let vary = "key = \"initial.omega\"\nlist = [[1, 0, 5], [2, 0, 5], [3, 0, 5]]\n";
    let typed = Setting::parse("--set", "initial.momentum=[5.0, 0.0, 5.0]").unwrap();
    for alone in [true, false] {
        let outcome = go(&format!("{TOP}{vary}"), std::slice::from_ref(&typed), alone);
        assert!(outcome.statistics.at(0).all(|(_, c)| c.moments.min == c.moments.max));
        let outcome = go(&format!("{TOP}{vary}"), &[], alone);
        assert!(outcome.statistics.at(0).any(|(_, c)| c.moments.min != c.moments.max));
    }
}
