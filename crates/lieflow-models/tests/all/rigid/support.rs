//! Reference data and built-in problems for the tests of the rigid body.
use lieflow::action::BodyState;
use lieflow::problem::Value;
use lieflow::{Mat3, Vec3};
use lieflow_models::problem_file::Document;
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan, RunFailure, State};
use lieflow_testing::reference::vector;
use serde_json::Value as Json;

pub fn reference() -> Json {
    lieflow_testing::reference::file("rigid")
}

/// A built-in problem by the name of the reference file.
pub fn model(name: &str) -> Box<dyn Model> {
    let builtin = problems::find(&name.replace('_', "-")).unwrap();
    Document::parse(builtin.text, builtin.id, &[]).unwrap().build().unwrap()
}

/// The id of a method from its name in the papers.
pub fn id(name: &str) -> String {
    name.to_lowercase().replace('[', "-").replace(']', "")
}

pub fn body_state(state: &State) -> BodyState<f64> {
    let Some(Value::Rotation(r)) = state.part("rotation") else { panic!("no rotation") };
    let Some(Value::Vector(m)) = state.part("momentum") else { panic!("no momentum") };
    BodyState::new(Mat3::lift(*r), Vec3::from(*m))
}

pub fn run(
    model: &dyn Model,
    method: &str,
    h: f64,
    until: f64,
) -> Result<BodyState<f64>, RunFailure> {
    let mut plan = Plan::fixed(method, h, 0.0, until);
    plan.watch = false;
    Ok(body_state(&model.run(&plan, &mut NullSink)?.state))
}

pub fn matrix(json: &Json) -> Mat3<f64> {
    Mat3::from_rows(vector(&json[0]), vector(&json[1]), vector(&json[2]))
}

pub fn state(json: &Json) -> BodyState<f64> {
    BodyState::new(matrix(&json["R"]), vector(&json["Pi"]))
}

/// Attitude error (spectral norm) and momentum error.
pub fn errors(a: &BodyState<f64>, b: &BodyState<f64>) -> (f64, f64) {
    let r = (a.rotation - b.rotation).norm_squared().sqrt() * std::f64::consts::FRAC_1_SQRT_2;
    (r, (a.momentum - b.momentum).norm())
}

/// The reference state of a problem at a time.
pub fn reference_state(data: &Json, problem: &str, t: f64) -> BodyState<f64> {
    let states = data["problems"][problem]["states"].as_array().unwrap();
    state(states.iter().find(|s| s["t"].as_f64() == Some(t)).unwrap())
}
