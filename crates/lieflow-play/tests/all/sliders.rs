//! Every built-in problem has numbers to be moved, and each of them goes back into the file.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems::PROBLEMS;
use lieflow_play::sliders;

#[test]
fn numbers_go_back_where_they_came_from() {
    for problem in PROBLEMS {
        let (_, document) = problem.open().unwrap();
        let list = sliders(&document);
        assert!(list.iter().map(|s| s.numbers.len()).sum::<usize>() <= 40, "{}", problem.id);
        for slider in &list {
            let value = slider.value(&slider.numbers).unwrap();
            let setting = Setting::value("slider", &slider.key, &value).unwrap();
            let again = Document::parse(problem.text, "p", &[setting]).unwrap();
            let same = sliders(&again).into_iter().find(|s| s.key == slider.key).unwrap();
            assert_eq!(same.numbers, slider.numbers, "{} {}", problem.id, slider.key);
            again.build().unwrap();
            for (x, [low, high]) in slider.numbers.iter().zip(&slider.ranges) {
                assert!(low <= x && x <= high && low < high, "{} {}", problem.id, slider.key);
            }
            assert!(slider.value(&[f64::NAN]).is_none());
        }
    }
}

#[test]
fn parameters_formulas_and_initial_data_have_sliders() {
    let keys = |name: &str| -> Vec<String> {
        let (_, document) = lieflow_models::problems::find(name).unwrap().open().unwrap();
        sliders(&document).into_iter().map(|slider| slider.key).collect()
    };
    assert_eq!(keys("racket"), ["parameters.inertia", "initial.rotation.vector", "initial.omega"]);
    let satellite = keys("satellite");
    for key in ["parameters.potential.n", "parameters.potential.magnet", "definitions.tilt"] {
        assert!(satellite.iter().any(|k| k == key), "{satellite:?}");
    }
    assert!(keys("coupled-bodies").contains(&"parameters.k".to_string()));
}
