//! What a scheme says of itself, against what follows from its nodes and its curve.
use lieflow::group::family::NaturalChart::{Cayley, Exp};
use lieflow::method::variational::{Place, Scheme, Velocity};
use lieflow::tableau::{self, Quadrature};

/// A straight piece: of order two just when its nodes lie about the middle, symmetric when they mirror each other and
/// the chart passes the same places back and forth.
#[test]
fn straight_pieces() {
    let (half, ends) = (&[(0.5, 1.0)][..], &[(0.0, 0.5), (1.0, 0.5)][..]);
    let two = &[(0.25, 0.5), (0.75, 0.5)][..];
    let aside = &[(0.25, 0.5), (0.5, 0.5)][..];
    for (points, order, mirrored) in [
        (half, 2, true),
        (ends, 2, true),
        (two, 2, true),
        (aside, 1, false),
        (&[(0.4, 1.0)], 1, false),
    ] {
        let scheme = Scheme::natural(Exp, points);
        assert_eq!((scheme.order, scheme.symmetric), (Some(order), mirrored), "{points:?}");
        assert_eq!(scheme.mirrored(), mirrored, "{points:?}");
        // Cayley's curve has the same places at the same times only at its ends.
        let scheme = Scheme::natural(Cayley, points);
        assert_eq!((scheme.order, scheme.symmetric), (Some(order), points == ends), "{points:?}");
        assert_eq!(scheme.mirrored(), mirrored, "{points:?}");
        assert_eq!(scheme.velocity, Velocity::OfChart);
    }
    // Equal places with other weights mirror nothing.
    let uneven = Scheme::natural(Exp, &[(0.25, 0.4), (0.75, 0.6)]);
    assert!(!uneven.symmetric && !uneven.mirrored() && uneven.order == Some(1));
    // One end is not both.
    assert!(!Scheme::natural(Cayley, &[(0.0, 1.0)]).symmetric);
}

#[test]
fn the_true_midpoint_is_symmetric_in_both_charts() {
    for chart in [Exp, Cayley] {
        let scheme = Scheme::true_midpoint(chart);
        assert!(scheme.symmetric && scheme.order == Some(2) && scheme.chart == chart);
        assert_eq!(scheme.place == Place::Halfway, chart == Cayley);
    }
    assert!(Scheme::theta(0.5).unwrap().symmetric && !Scheme::theta(0.3).unwrap().symmetric);
}

#[test]
fn polynomials() {
    let two = Quadrature::lobatto(2).unwrap();
    assert_eq!(two.nodes, [0.0, 1.0]);
    let gauss = Quadrature::gauss(2).unwrap();
    for (chart, s, rule, symmetric, velocity) in [
        (Exp, 1, two, true, Velocity::OfChart),
        (Exp, 1, gauss, true, Velocity::OfChart),
        // A straight piece of Cayley's curve meets the same points both ways at its ends alone.
        (Cayley, 1, two, true, Velocity::OfCurve),
        (Cayley, 1, gauss, false, Velocity::OfCurve),
        (Exp, 2, gauss, false, Velocity::OfCurve),
        (Cayley, 2, gauss, false, Velocity::OfCurve),
    ] {
        let scheme = Scheme::galerkin(chart, s, rule).unwrap();
        assert_eq!((scheme.symmetric, scheme.velocity), (symmetric, velocity), "{chart:?} {s}");
        assert!(scheme.mirrored(), "{chart:?} {s}");
        assert_eq!(scheme.order, Some(rule.order.min(2 * s as u8)));
    }
    let stages = Scheme::runge_kutta(&tableau::GAUSS4).unwrap();
    assert!(stages.mirrored() && !stages.symmetric && stages.order.is_none());
}
