//! First values: numbers, formulas, and what is moved to the space.
use super::{error, numbers, run};

fn start(text: &str) -> Vec<f64> {
    numbers(&run(text, "rkmk4", 1e-9, 1).1)
}

#[test]
fn formulas_with_an_index_give_lists() {
    let text = "system = 'custom'\nstate.q = { space = 'S2', count = 3 }\nmotion.q = { turn = '0*e1' }\n\
         parameters.a = 0.5\ninitial.q = { formula = 'normalise([a, i, 1])' }\n";
    let y = start(text);
    for i in 1..=3 {
        let (a, b) = (0.5, f64::from(i));
        let length = (a * a + b * b + 1.0f64).sqrt();
        let k = 3 * (i as usize - 1);
        assert!((y[k] - a / length).abs() < 1e-15 && (y[k + 1] - b / length).abs() < 1e-15);
    }
    // Parameters change what formulas give.
    let other = start(&text.replace("parameters.a = 0.5", "parameters.a = 1.5"));
    assert!((other[0] - 1.5 / (1.5f64 * 1.5 + 2.0).sqrt()).abs() < 1e-15);
    // A constant of [definitions] is a parameter like any other.
    let defined = text.replace("parameters.a = 0.5", "definitions.a = 0.5");
    assert_eq!(start(&defined), y);
}

#[test]
fn values_are_moved_to_the_space_on_request_only() {
    let text = |value: &str| {
        format!(
            "system = 'custom'\nstate.q = 'S2'\nmotion.q = {{ turn = '0*e1' }}\ninitial.q = {value}\n"
        )
    };
    let wanted = [0.6, 0.0, 0.8];
    for value in [
        "{ vector = [3.0, 0.0, 4.0], project = true }",
        "{ formula = '[3, 0, 4]', project = true }",
        "{ formula = '[0.6, 0, 0.8]' }",
    ] {
        let y = start(&text(value));
        assert!(y.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-15), "{value}: {y:?}");
    }
    for value in ["[3.0, 0.0, 4.0]", "{ formula = '[3, 0, 4]' }"] {
        let message = error(&text(value)).to_string();
        assert!(message.contains("length 5") && message.contains("project = true"), "{message}");
    }
    let turned = "system = 'custom'\nstate.R = 'SO(3)'\nmotion.R = { body = '0*e1' }\n\
         initial.R = { formula = 'columns(e2, e3, e1)' }\n";
    assert_eq!(start(turned), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let message = error(&turned.replace("columns(e2, e3, e1)", "diag([1, 2, 1])")).to_string();
    assert!(message.contains("expected a rotation"), "{message}");
}

#[test]
fn velocities_on_spheres_are_tangent() {
    let text = |velocity: &str| {
        format!(
            "system = 'custom'\nstate.q = 'S2'\nmotion.mass = 1\ninitial.q = [0.0, 0.0, 1.0]\n\
             initial.dq = {velocity}\n"
        )
    };
    let y = start(&text("{ vector = [0.3, 0.0, 5.0], project = true }"));
    assert!((y[3] - 0.3).abs() < 1e-8 && y[5].abs() < 1e-8, "{y:?}");
    let message = error(&text("[0.3, 0.0, 5.0]")).to_string();
    assert!(message.contains("initial.dq") && message.contains("q·v = 5"), "{message}");
}
