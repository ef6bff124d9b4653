//! Rotation groups with one fault each, to see that the law suite finds it; fault 0 is none.
use lieflow::Vec3;
use lieflow::action::{Action, Flat};
use lieflow::chart::Chart;
use lieflow::group::{Coadjoint, CotangentLift, LieGroup, So3};

type V = Vec3<f64>;

#[derive(Clone, Debug)]
pub struct Bent<const FAULT: usize>(So3<f64>);

impl<const FAULT: usize> Flat for Bent<FAULT> {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.0.distance_squared(&other.0)
    }
}

impl<const FAULT: usize> LieGroup for Bent<FAULT> {
    type Algebra = V;
    const HAS_CAYLEY: bool = true;
    fn identity(u: &V) -> Self {
        Self(So3::identity(u))
    }
    fn compose(&self, g: &Self) -> Self {
        // Fault 2: the opposite product, whose bracket has the other sign.
        if FAULT == 2 { Self(g.0.compose(&self.0)) } else { Self(self.0.compose(&g.0)) }
    }
    fn inverse(&self) -> Self {
        if FAULT == 3 { self.clone() } else { Self(self.0.inverse()) }
    }
    fn exp(u: &V) -> Self {
        Self(So3::exp(u))
    }
    fn log(&self) -> V {
        if FAULT == 6 { -self.0.log() } else { self.0.log() }
    }
    fn adjoint(&self, v: &V) -> V {
        match FAULT {
            2 => self.0.inverse().adjoint(v),
            7 => self.0.adjoint(v) * 1.001,
            _ => self.0.adjoint(v),
        }
    }
    fn dexp(u: &V, v: &V) -> V {
        // Fault 5: trivialised on the left.
        if FAULT == 5 { So3::dexp(&-*u, v) } else { So3::dexp(u, v) }
    }
    fn dexpinv(u: &V, v: &V) -> V {
        // Fault 1: the wrong sign of the first bracket.
        if FAULT == 1 { So3::dexpinv(&-*u, v) } else { So3::dexpinv(u, v) }
    }
    fn cay(u: &V) -> Self {
        Self(So3::cay(u))
    }
    fn dcayinv(u: &V, v: &V) -> V {
        // Fault 4: without the second-order term.
        if FAULT == 4 { *v - u.cross(*v) * 0.5 } else { So3::dcayinv(u, v) }
    }
    fn domain(chart: Chart, u: &V) -> Result<(), lieflow::chart::OutOfChart> {
        So3::domain(chart, u)
    }
}

impl<const FAULT: usize> Coadjoint for Bent<FAULT> {
    fn adjoint_transpose(&self, m: &V) -> V {
        self.0.adjoint_transpose(m)
    }
    fn ad_transpose(u: &V, m: &V) -> V {
        So3::ad_transpose(u, m)
    }
    fn dexp_transpose(u: &V, m: &V) -> V {
        // Fault 8: not transposed.
        if FAULT == 8 { So3::dexp(u, m) } else { So3::dexp_transpose(u, m) }
    }
    fn dexpinv_transpose(u: &V, m: &V) -> V {
        So3::dexpinv_transpose(u, m)
    }
}

// Takes the series of the default.
impl<const FAULT: usize> CotangentLift for Bent<FAULT> {}

/// Turning by the inverse, which is an action from the right, with an `advance` that forgets the
/// Cayley chart.
pub struct Backwards;

impl Action for Backwards {
    type Group = So3<f64>;
    type Point = V;
    fn act(g: &So3<f64>, y: &V) -> V {
        g.matrix.apply_transpose(*y)
    }
    fn advance(chart: Chart, u: &V, y: &V, out: &mut V) {
        let chart = if chart == Chart::Cayley { Chart::Exp } else { chart };
        *out = Self::act(&So3::map(chart, u), y);
    }
}
