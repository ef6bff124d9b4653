//! The page of a run shows the motion of every system.
use crate::Ran;
use lieflow_models::problems::PROBLEMS;
use lieflow_report::page::{Columns, render};

/// Too large for a test.
const LARGE: [&str; 2] = ["dipoles-64x64", "top-ensemble"];

#[test]
fn every_built_in_problem_has_a_film_and_curves() {
    for problem in PROBLEMS.iter().filter(|problem| !LARGE.contains(&problem.id)) {
        let id = problem.id;
        let page = Ran::problem(id, &[]).page();
        let scene = page.scene.as_ref().unwrap_or_else(|| panic!("{id} has no film"));
        assert!(!scene.objects.is_empty() && scene.times.len() > 100, "{id}");
        assert!(scene.radius > 0.0 && scene.radius.is_finite(), "{id}: {:?}", scene.bounds);
        assert!(!page.plots.is_empty() && !page.columns.is_empty(), "{id} has no curves");
        for figure in page.plots.iter().chain(page.sections.iter().flat_map(|s| &s.plots)) {
            let drawn = figure.series.iter().any(|s| s.y.iter().any(|y| y.is_finite()));
            assert!(drawn, "{id}: nothing in {}", figure.title);
        }
        assert_ne!(page.title, "problem", "{id}: the title is not that of the file");
        assert!(render(&page).len() < 2_000_000, "{id}");
    }
}

/// A column by name.
pub fn column<'a>(columns: &'a Columns, name: &str) -> &'a [f64] {
    let found = columns.columns.iter().find(|column| column.name == name);
    &found.unwrap_or_else(|| panic!("no column {name}")).values
}

#[test]
fn the_potential_energy_of_a_chain_is_its_height() {
    let page = Ran::problem("chain-generic-n5", &[]).page();
    let columns = &page.columns[0];
    let masses = [1.0, 0.5, 1.5, 0.8, 1.2];
    let potential = column(columns, "potential energy");
    for row in (0..potential.len()).step_by(37) {
        let height = |k: usize| column(columns, &format!("link_{}_z", k + 1))[row];
        let expected: f64 = masses.iter().enumerate().map(|(k, m)| 9.81 * m * height(k)).sum();
        assert!((potential[row] - expected).abs() < 1e-10 * 50.0, "{} {expected}", potential[row]);
    }
}

#[test]
fn energies_of_a_top_add_up_and_quaternions_do_not_jump() {
    let page = Ran::problem("fast-top", &[]).page();
    let columns = &page.columns[0];
    let (kinetic, potential) =
        (column(columns, "kinetic energy"), column(columns, "potential energy"));
    let (total, tilt) = (column(columns, "energy"), column(columns, "tilt"));
    for row in 0..total.len() {
        assert!((kinetic[row] + potential[row] - total[row]).abs() < 1e-9);
        // V = 20 cos(tilt) for this top.
        assert!((potential[row] - 20.0 * tilt[row].to_radians().cos()).abs() < 1e-7);
    }
    let q = &page.attitudes[0].quaternions;
    for pair in q.chunks(4).collect::<Vec<_>>().windows(2) {
        let along: f64 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
        assert!(along > 0.0, "{pair:?}");
    }
}
