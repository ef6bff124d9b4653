//! The distance of two states, part by part.
use lieflow::kernel::so3;
use lieflow::problem::Value;
use lieflow::{Vec3, vec3};
use lieflow_models::run::State;
use lieflow_models::study::difference;

#[test]
fn attitudes_differ_by_twice_the_sine_of_half_the_angle() {
    let rotation = |u| Value::Rotation(so3::exp::<f64>(u).rows.map(Vec3::to_array));
    let axis = vec3(0.6, 0.0, 0.8);
    let state = |angle: f64, z| {
        let omega = Value::Vector([0.0, 0.0, z]);
        State::new(0.0, vec![("rotation", rotation(axis * angle)), ("omega", omega)])
    };
    let parts: &[(&str, &[&str])] = &[("attitude", &["rotation"]), ("velocity", &["omega"])];
    let d = difference(parts, &state(0.2, 1.0), &state(0.7, 3.0));
    let chord = 2.0 * 0.25f64.sin();
    assert!((d.parts[0].1 - chord).abs() < 1e-15);
    assert_eq!(d.parts[1], ("velocity", 2.0));
    assert!((d.total - (2.0 * chord * chord + 4.0).sqrt()).abs() < 1e-15);
}

#[test]
fn states_of_different_shape_have_no_distance() {
    let state = |n| State::new(0.0, vec![("q", Value::Numbers(vec![1.0; n]))]);
    assert!(difference(&[("position", &["q"])], &state(2), &state(3)).total.is_nan());
    assert!(difference(&[("position", &["p"])], &state(2), &state(2)).total.is_nan());
}
