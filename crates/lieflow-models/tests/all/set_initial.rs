//! Initial numbers set in a system give the system that a file with these numbers gives.
use lieflow_models::problem_file::Document;
use lieflow_models::run::Model;
use lieflow_models::system::heavy_top::{DualHeavyTop, HeavyTop};
use lieflow_models::system::kirchhoff::Kirchhoff;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::RigidBody;

fn build(text: &str) -> Box<dyn Model> {
    Document::parse(text, "test", &[]).and_then(|d| d.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// Everything that a system is. Numbers are printed such that different bits have different texts.
fn all_of(model: &dyn Model) -> String {
    let any = model.as_any();
    let texts = [
        any.downcast_ref::<RigidBody<f64>>().map(|m| format!("{m:?}")),
        any.downcast_ref::<ReducedBody<f64>>().map(|m| format!("{m:?}")),
        any.downcast_ref::<HeavyTop<f64>>().map(|m| format!("{m:?}")),
        any.downcast_ref::<DualHeavyTop<f64>>().map(|m| format!("{m:?}")),
        any.downcast_ref::<Kirchhoff<f64>>().map(|m| format!("{m:?}")),
    ];
    texts.into_iter().flatten().next().unwrap()
}

/// Problems with an initial vector under each of its names; `@` is where it stands.
fn problems() -> Vec<(String, String)> {
    let top = |formulation: &str| {
        format!(
            "system = \"heavy-top\"\n[parameters]\ninertia = [[1.0, 0.1, 0.2], [0.1, 1.2, 0.3], \
             [0.2, 0.3, 0.7]]\naxis = [0.6, 0.0, 0.8]\ndirection = [0.1, 0, 1]\nstrength = 3.0\n\
             formulation = \"{formulation}\"\n[initial]\n\
             rotation = {{ vector = [0.4, 0.2, 0.1] }}\n@\n"
        )
    };
    let body = |inertia: &str| {
        format!(
            "system = \"rigid-body\"\n[parameters]\ninertia = {inertia}\n\
             potential = {{ kind = \"lagrange-top\", strength = 2.0 }}\n[initial]\n\
             rotation = {{ vector = [0.4, 0.2, 0.1] }}\n@\n"
        )
    };
    let reduced =
        "system = \"reduced-body\"\n[parameters]\ninertia = [1.0, 2.0, 3.0]\n[initial]\n@\n";
    let fluid = "system = \"kirchhoff\"\n[parameters]\ninertia = [1.0, 2.0, 3.0, 1.5, 2.5, 0.8]\n[initial]\n";
    let mut list = Vec::new();
    for (text, keys) in [
        (body("[1.0, 2.0, 2.5]"), &["omega", "momentum", "spatial_momentum"][..]),
        (
            body("[[5.0, 0.2, 0.1], [0.2, 4.0, 0.3], [0.1, 0.3, 2.0]]"),
            &["omega", "momentum", "spatial_momentum"],
        ),
        (top("t-so3"), &["omega", "momentum", "spatial_momentum"]),
        (top("se3-dual"), &["omega", "momentum"]),
        (reduced.into(), &["momentum"]),
        (format!("{fluid}impulse = [0.3, -0.2, 0.4]\n@\n"), &["momentum"]),
        (format!("{fluid}momentum = [0.3, -0.2, 0.4]\n@\n"), &["impulse"]),
    ] {
        list.extend(keys.iter().map(|key| (text.clone(), (*key).to_string())));
    }
    list
}

#[test]
fn same_as_from_the_file() {
    let numbers = [[0.1, -0.7, 3.3], [1e-300, 0.0, -0.0], [1.0 / 3.0, 7e10, -12.3456789]];
    for (text, key) in problems() {
        let file = |v: [f64; 3]| build(&text.replace('@', &format!("{key} = {v:?}")));
        let mut model = file([9.0, 8.0, -7.0]);
        for v in numbers {
            assert!(model.set_initial(&format!("initial.{key}"), &v), "{key}: {text}");
            assert_eq!(all_of(model.as_ref()), all_of(file(v).as_ref()), "{key}: {text}");
        }
    }
}

/// What a file may not have is left to the reader of files, and so is what takes more than a
/// number.
#[test]
fn declined() {
    for (text, key) in problems() {
        let mut model = build(&text.replace('@', &format!("{key} = [1.0, 2.0, 3.0]")));
        let name = format!("initial.{key}");
        assert!(!model.set_initial(&name, &[1.0, f64::NAN, 0.0]));
        assert!(!model.set_initial(&name, &[1.0, f64::INFINITY, 0.0]));
        assert!(!model.set_initial(&name, &[1.0, 2.0]));
        assert!(!model.set_initial(&format!("parameters.{key}"), &[1.0, 2.0, 3.0]));
        assert!(!model.set_initial("initial.rotation.vector", &[1.0, 2.0, 3.0]));
        assert!(!model.set_initial("initial.nothing", &[1.0, 2.0, 3.0]));
    }
}
