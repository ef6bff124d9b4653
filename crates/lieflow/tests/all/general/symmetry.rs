//! What the cards say about symmetry and about what is conserved, measured.
use crate::common::*;
use lieflow::method::generator::entries_lifted;
use lieflow::method::{Options, Solver, Step};
use lieflow::problem::Problem;

/// `step(-h)` undoes `step(h)` for the methods that say so, and only for them.
#[test]
fn symmetric_methods_and_only_they_can_go_back() {
    let p = heavy_tso3(&input(&reference(), "mild-top"));
    let mut symmetric = Vec::new();
    for entry in entries_lifted() {
        let defect = |h: f64| {
            let mut m = (entry.make)(&p, &Options::default()).unwrap();
            let y = p.start();
            let (mut there, mut back) = (y, y);
            m.step(Step::new(&p, 0.0, h, &y), &mut there).unwrap();
            m.reset();
            m.step(Step::new(&p, h, -h, &there), &mut back).unwrap();
            distance(&back.list(), &y.list())
        };
        let id = entry.card.id;
        if id == "rkmk-gl4" {
            let small = defect(0.2);
            assert!(small > 3e-8 && small < 9e-8, "{id}: {small:e}");
        }
        let defect = defect(0.5);
        if entry.card.symmetric {
            symmetric.push(id);
            assert!(defect < 1e-14, "{id}: {defect:e}");
        } else {
            assert!(defect > 1e-11, "{id}: {defect:e}");
        }
    }
    assert_eq!(symmetric, ["rkmk-gl2", "gl4-sym"]);
}

/// The centred method agrees with Gauss RKMK to about a percent of the error, and Newton's method
/// with fixed-point iteration to rounding.
#[test]
fn centred_gauss_is_as_accurate_as_gauss() {
    let p = heavy_tso3(&input(&reference(), "mild-top"));
    let exact =
        run(&p, &mut *method(&entries_lifted(), "rkmk-gl6", &p, &Options::default()), 0.002, 1000)
            .list();
    let end = |id: &str, solver| {
        let options = Options { solver, ..Options::default() };
        run(&p, &mut *method(&entries_lifted(), id, &p, &options), 0.05, 40).list()
    };
    let error = |id: &str| distance(&end(id, Solver::Newton), &exact);
    let (gauss, centred) = (error("rkmk-gl4"), error("gl4-sym"));
    assert!((centred / gauss - 1.0).abs() < 0.1, "{gauss:e} {centred:e}");
    let twin = end("gl4-sym", Solver::FixedPoint);
    assert!(distance(&twin, &end("gl4-sym", Solver::Newton)) < 1e-14);
}
