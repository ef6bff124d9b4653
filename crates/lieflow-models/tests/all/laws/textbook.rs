//! Tops by mass, length and gravity.
use super::{document, numbers, posed, refusal};

fn heavy(strength: &str, axis: &str, direction: &str) -> String {
    format!(
        "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.4, 0.8]\naxis = {axis}\n\
         direction = {direction}\n{strength}\n[initial]\nrotation = {{ vector = [0.3, 0.1, 0.2] }}\n\
         omega = [0.1, 0.5, 0.4]\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n"
    )
}

fn end(text: &str) -> Vec<f64> {
    numbers(&super::run(text).state)
}

#[test]
fn mass_gravity_and_length_make_the_strength() {
    let (axis, up) = ("[0.6, 0.0, 0.8]", "[0.0, 0.0, 1.0]");
    let parts = "mass = 2.0\ngravity = 9.81\nlength = 0.25";
    let strength = format!("strength = {}", 2.0 * 9.81 * 0.25);
    assert_eq!(end(&heavy(parts, axis, up)), end(&heavy(&strength, axis, up)));
    let body = |keys: &str| {
        format!(
            "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 1.4, 0.8]\n\
             potential = {{ kind = \"lagrange-top\", {keys} }}\n[initial]\nomega = [0.1, 0.5, 0.4]\n\
             [solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n"
        )
    };
    let parts = body("mass = 2.0, gravity = 9.81, length = 0.25");
    assert_eq!(end(&parts), end(&body(&strength)));
}

#[test]
fn directions_are_scaled_with_a_warning() {
    let parts = "mass = 2.0\ngravity = 9.81\nlength = 0.25";
    let text = heavy(parts, "[3.0, 0.0, 4.0]", "[0.0, 0.0, 2.0]");
    let document = document(&text, &[]).unwrap();
    document.build().unwrap();
    let warnings: Vec<String> = document.warnings().iter().map(|w| w.to_string()).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("parameters.axis") && warnings[0].contains("5"), "{warnings:?}");
    assert!(warnings[1].contains("parameters.direction"), "{warnings:?}");
    let unit = heavy(parts, "[0.6, 0.0, 0.8]", "[0.0, 0.0, 1.0]");
    let pairs = end(&text).into_iter().zip(end(&unit));
    assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-14);
    assert!(refusal(&heavy(parts, "[0.0, 0.0, 0.0]", "[0, 0, 1]")).contains("not zero"));
}

#[test]
fn a_strength_beside_them_is_refused() {
    let (axis, up) = ("[0.6, 0.0, 0.8]", "[0.0, 0.0, 1.0]");
    let message = refusal(&heavy("strength = 2.0\nmass = 1.0", axis, up));
    assert!(message.contains("strength") && message.contains("mass"), "{message}");
    let message = refusal(&heavy("mass = 1.0\ngravity = 9.81", axis, up));
    assert!(message.contains("length"), "{message}");
    let message = refusal(&heavy("", axis, up));
    assert!(message.contains("'mass', 'gravity' and 'length'"), "{message}");
    // A strength on the command line takes the place of what the file says.
    let parts = heavy("mass = 2.0\ngravity = 9.81\nlength = 0.25", axis, up);
    let set = document(&parts, &[("parameters.strength", "3.0")]).unwrap().build().unwrap();
    let (given, plan) = posed(&heavy("strength = 3.0", axis, up));
    let run = |model: &dyn lieflow_models::run::Model| {
        numbers(&model.run(&plan, &mut lieflow_models::run::NullSink).unwrap().state)
    };
    assert_eq!(run(set.as_ref()), run(given.as_ref()));
}
