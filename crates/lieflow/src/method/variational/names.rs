//! The names of the variational methods and what each stands for.
//!
//! Several names are one map, and then share their coefficients:
//!
//! ```text
//! slgi-theta0, -theta0.5, -theta1   = chart-exp-left, -midpoint, -right
//! vrkmk-gauss2, -gauss4, -gauss6    = liegalerkin-exp-s1-gauss1, -s2-gauss2, -s3-gauss3
//! chart-exp-trapezoid               = liegalerkin-exp-s1-lobatto2
//! midpoint-variational              = galerkin-s1-gauss1
//! ```
use super::scheme::{Scheme, SchemeError};
use crate::group::family::NaturalChart;
use crate::tableau::Quadrature;

/// The coefficients of the method with this name; `None` if no method of this folder is called so.
pub fn scheme(id: &str) -> Option<Result<Scheme, SchemeError>> {
    if id == "midpoint-variational" {
        return Some(Ok(Scheme::natural(NaturalChart::Exp, &[(0.5, 1.0)])));
    }
    if let Some(theta) = id.strip_prefix("slgi-theta") {
        return Some(Scheme::theta(theta.parse().ok()?));
    }
    if let Some(order) = id.strip_prefix("vrkmk-gauss") {
        let order: usize = order.parse().ok()?;
        if order % 2 == 1 {
            return None;
        }
        let rule = Quadrature::gauss(order / 2)?;
        return Some(Scheme::galerkin(NaturalChart::Exp, order / 2, rule));
    }
    if let Some(rest) = id.strip_prefix("chart-") {
        let (chart, rule) = chart(rest)?;
        let points: &[(f64, f64)] = match rule {
            "left" => &[(0.0, 1.0)],
            "right" => &[(1.0, 1.0)],
            "midpoint" => &[(0.5, 1.0)],
            "trapezoid" => &[(0.0, 0.5), (1.0, 0.5)],
            "truemid" => return Some(Ok(Scheme::true_midpoint(chart))),
            _ => return None,
        };
        return Some(Ok(Scheme::natural(chart, points)));
    }
    if let Some(rest) = id.strip_prefix("liegalerkin-") {
        let (chart, rest) = chart(rest)?;
        return galerkin(chart, rest);
    }
    galerkin(NaturalChart::Exp, id.strip_prefix("galerkin-")?)
}

/// `exp-…` or `cay-…`.
fn chart(text: &str) -> Option<(NaturalChart, &str)> {
    let (name, rest) = text.split_once('-')?;
    match name {
        "exp" => Some((NaturalChart::Exp, rest)),
        "cay" => Some((NaturalChart::Cayley, rest)),
        _ => None,
    }
}

/// `s2-gauss2`.
fn galerkin(chart: NaturalChart, text: &str) -> Option<Result<Scheme, SchemeError>> {
    let (degree, rule) = text.strip_prefix('s')?.split_once('-')?;
    Some(Scheme::galerkin(chart, degree.parse().ok()?, Quadrature::named(rule)?))
}
