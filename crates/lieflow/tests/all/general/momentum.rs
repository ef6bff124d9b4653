//! Momentum and Casimirs over five hundred steps, of every general method.
use crate::common::*;
use lieflow::method::Options;
use lieflow::method::generator::entries_lifted;

/// Every method keeps the spatial momentum of the free body and the Casimirs of the coadjoint
/// action to rounding, over five hundred steps.
#[test]
fn momentum_and_casimirs_are_kept() {
    let data = reference();
    let (body, fluid) = (input(&data, "free-body-seed001"), input(&data, "kirchhoff"));
    let (p, q) = (free_body(&body), kirchhoff(&fluid));
    for (a, b) in entries_lifted().into_iter().zip(entries_lifted()) {
        let id = a.card.id;
        let momentum = |y: &(lieflow::group::So3<f64>, lieflow::Vec3<f64>)| y.0.matrix.apply(y.1);
        let end = run(&p, &mut *(a.make)(&p, &Options::default()).unwrap(), 0.1, 500);
        let drift = (momentum(&end) - momentum(&p.start)).norm();
        assert!(drift < 1e-12, "{id}: {drift:e}");
        let end = run(&q, &mut *(b.make)(&q, &Options::default()).unwrap(), 0.1, 500);
        for casimir in [
            |y: &lieflow::group::Twist<f64>| y.linear.norm_squared(),
            |y: &lieflow::group::Twist<f64>| y.linear.dot(y.angular),
        ] {
            let drift = (casimir(&end) - casimir(&q.start)).abs();
            assert!(drift < 1e-12, "{id}: {drift:e}");
        }
    }
}
