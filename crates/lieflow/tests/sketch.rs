//! First contact of the pieces.
use lieflow::action::CoadjointAction;
use lieflow::chart::Chart;
use lieflow::group::{Se3, Twist};
use lieflow::method::{Method, rkmk::Rkmk};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Real, Vec3, tableau, vec3};

struct Kirchhoff<S> {
    j: Vec3<S>,
    m: Vec3<S>,
    start: Twist<S>,
}
impl<S: Real> Problem for Kirchhoff<S> {
    type Point = Twist<S>;
    fn start(&self) -> Twist<S> {
        self.start
    }
}
impl<S: Real> Generator for Kirchhoff<S> {
    type Space = CoadjointAction<Se3<S>>;
    fn field(&self, _t: f64, y: &Twist<S>) -> Twist<S> {
        Twist::new(-y.angular.divided_by(self.j), -y.linear.divided_by(self.m))
    }
}
fn cast<S: Real, T: Real>(v: Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
    vec3(f(v.x), f(v.y), f(v.z))
}
impl<S: Real> Lift for Kirchhoff<S> {
    type Scalar = S;
    type Over<T: Real> = Kirchhoff<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Kirchhoff<T> {
        Kirchhoff { j: cast(self.j, f), m: cast(self.m, f), start: self.lift_point(&self.start, f) }
    }
    fn lift_point<T: Real>(&self, y: &Twist<S>, f: fn(S) -> T) -> Twist<T> {
        Twist::new(cast(y.angular, f), cast(y.linear, f))
    }
}

#[test]
fn kirchhoff_fingerprint() {
    let p = Kirchhoff {
        j: vec3(1.0, 1.5, 2.2),
        m: vec3(1.0, 1.8, 2.5),
        start: Twist::new(vec3(0.4, -0.3, 0.8), vec3(0.9, 0.2, -0.5)),
    };
    for (chart, want) in [
        (Chart::Exp, 0.4766290485125982),
        (Chart::ExpSeries { brackets: 2 }, 0.4766290278562144),
        (Chart::Cayley, 0.4766265797888468),
        (Chart::SecondKind, 0.4766265835160958),
    ] {
        let mut m = Rkmk::new(&tableau::RK4, chart);
        let mut y = p.start();
        for i in 0..8 {
            let mut out = y;
            m.step(&p, i as f64 * 0.25, 0.25, &y, &mut out).unwrap();
            y = out;
        }
        assert!((y.angular.x - want).abs() < 1e-14, "{chart:?} {} {}", y.angular.x, want);
    }
}
