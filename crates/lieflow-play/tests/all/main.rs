//! The live viewer below its page: lanes and sliders.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod lanes;
mod sliders;

use lieflow_models::problem_file::Document;
use lieflow_models::problems;
use lieflow_models::system::Registry;
use lieflow_play::Show;
use std::sync::Arc;

/// A built-in problem, to be shown.
fn show(name: &str) -> Arc<Show> {
    shown(problems::find(name).unwrap().text)
}

/// A problem file, to be shown.
fn shown(text: &str) -> Arc<Show> {
    let document = Document::parse(text, "test", &[]).unwrap();
    let systems = Registry::default();
    Arc::new(Show { systems, text: document.to_toml(), name: "test".into(), beside: None })
}
