//! What people of a trade look at: particles, populations, frames that turn; and sizes of invariants.
use crate::Ran;
use crate::run::column;
use lieflow_models::run::Scale;
use lieflow_report::page::Object;

/// The slope of a column at a row, from its neighbours.
fn slope(times: &[f64], values: &[f64], row: usize) -> f64 {
    (values[row + 1] - values[row - 1]) / (times[row + 1] - times[row - 1])
}

#[test]
fn particles_of_a_lattice_move_with_their_momenta() {
    let open = ["initial.momenta=[1.0,0.5,-0.3]", "initial.gaps=[0.4,1.0]", "solve.step=0.01"];
    for (settings, n) in [(&open[..], 3), (&["solve.step=0.01"], 5)] {
        let page = Ran::problem("toda", settings).page();
        let columns = &page.columns[0];
        for k in 1..=n {
            let position = column(columns, &format!("position_{k}"));
            let momentum = column(columns, &format!("momenta_{k}"));
            for row in (1..position.len() - 1).step_by(23) {
                let speed = slope(&columns.times, position, row);
                assert!((speed - momentum[row]).abs() < 1e-3, "{k}: {speed} {}", momentum[row]);
            }
        }
        let scene = page.scene.unwrap();
        let particles = scene.objects.iter().filter(|o| matches!(o, Object::Trail { .. })).count();
        assert_eq!(particles, n);
    }
}

#[test]
fn an_open_lattice_is_drawn_where_it_is() {
    let settings = ["initial.momenta=[-0.5,0.0,0.5]", "initial.gaps=[2.0,3.0]"];
    let scene = Ran::problem("toda", &settings).page().scene.unwrap();
    let places = scene.objects.iter().filter_map(|object| match object {
        Object::Trail { positions, .. } => Some(positions[0]),
        _ => None,
    });
    let places: Vec<f64> = places.collect();
    assert!(
        (places[1] - places[0] - 2.0).abs() < 1e-12 && (places[2] - places[1] - 3.0).abs() < 1e-12
    );
}

#[test]
fn a_driven_spin_turns_about_the_drive_in_its_frame() {
    let page = Ran::problem("bloch", &["parameters.drive=5.0", "solve.step=0.005"]).page();
    let columns = &page.columns[0];
    let [x, y, z] = ["x", "y", "z"].map(|axis| column(columns, &format!("turning_{axis}")));
    let upper = column(columns, "population");
    for row in 0..x.len() {
        // At resonance, with the Rabi frequency 1.
        let t = columns.times[row];
        assert!(x[row].abs() < 1e-6, "{}", x[row]);
        assert!((y[row] + t.sin()).abs() < 1e-6 && (z[row] - t.cos()).abs() < 1e-6);
        assert!((upper[row] - 0.5 * (1.0 + z[row])).abs() < 1e-12);
    }
}

#[test]
fn halves_of_a_momentum_keep_their_lengths() {
    let page = Ran::problem("so4-body", &[]).page();
    let columns = &page.columns[0];
    for half in 1..=2 {
        let parts = ["x", "y", "z"].map(|axis| column(columns, &format!("half_{half}_{axis}")));
        let length = |row: usize| parts.iter().map(|p| p[row] * p[row]).sum::<f64>().sqrt();
        // Between steps the momentum is interpolated.
        for row in (0..parts[0].len()).step_by(31) {
            assert!((length(row) - length(0)).abs() < 1e-3 * length(0));
        }
    }
}

#[test]
fn what_is_zero_has_no_relative_error() {
    let ran = Ran::problem("toda", &[]);
    let size = |name: &str| {
        let place = ran.record.invariants.iter().position(|q| q.name == name).unwrap();
        ran.record.scales[place].size()
    };
    assert_eq!(size("momentum"), None);
    assert!((size("energy").unwrap() - 6.798_678_9).abs() < 1e-6);
    assert!((size("eigenvalue_3").unwrap() - 0.002_771_33).abs() < 1e-8);
    let json = ran.record.to_json();
    assert!(json["invariants"]["momentum"]["size"].is_null());
    let page = ran.page();
    assert!(page.chips.iter().any(|chip| chip.text == "momentum kept to rounding"));
    let errors =
        page.plots.iter().find(|f| f.title == "Relative errors of the invariants").unwrap();
    assert!(errors.series.iter().all(|series| series.name != "momentum"));
    assert!(errors.note.contains("momentum"), "{}", errors.note);
}

#[test]
fn small_units_are_not_zero() {
    let inertia = ["parameters.inertia=[1e-40,2e-40,3e-40]"];
    let ran = Ran::problem("free", &inertia);
    for (q, scale) in ran.record.invariants.iter().zip(&ran.record.scales) {
        let size = Scale::size(scale).unwrap_or_else(|| panic!("{} has no size", q.name));
        assert!(size < 1e-30 && !scale.is_rounding(0.1 * size), "{}", q.name);
    }
}
