//! The five problems of the reference data as small systems over any numbers, and access to the
//! data.
use lieflow::action::{Action, CoadjointAction, Multiply};
use lieflow::chart::Chart;
use lieflow::group::{Se3, So3, Twist};
use lieflow::kernel::so3;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::generator::entries_lifted;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Entry, Method, Options};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::tableau::{self, CommutatorFree, Tableau};
use lieflow::{Mat3, Real, Vec3, vec3};
use serde_json::Value;
use std::marker::PhantomData;

pub use lieflow_testing::reference::numbers;
use lieflow_testing::reference::vector;
pub use lieflow_testing::{distance, run};

/// SO(3) on attitude and body momentum, `g·(R, m) = (R gᵀ, g m)`.
#[derive(Clone, Copy, Debug)]
pub struct BodyTurn<S>(PhantomData<S>);
impl<S: Real> Action for BodyTurn<S> {
    type Group = So3<S>;
    type Point = (So3<S>, Vec3<S>);
    fn act(g: &So3<S>, (r, m): &Self::Point) -> Self::Point {
        (So3 { matrix: r.matrix.matmul(&g.matrix.transpose()) }, g.matrix.apply(*m))
    }
}

/// A free rigid body; the field is `-I^{-1} m`.
#[derive(Clone, Debug)]
pub struct FreeBody<S> {
    pub inertia: Vec3<S>,
    pub start: (So3<S>, Vec3<S>),
}
/// A heavy top on se(3)*: body momentum and gravity seen from the body.
#[derive(Clone, Debug)]
pub struct HeavyLp<S> {
    pub inertia: Vec3<S>,
    pub axis: Vec3<S>,
    pub start: Twist<S>,
}
/// A heavy top on SO(3) ⋉ so(3)*, which is SE(3): attitude and spatial momentum.
#[derive(Clone, Debug)]
pub struct HeavyTso3<S> {
    pub inertia: Vec3<S>,
    pub axis: Vec3<S>,
    pub direction: Vec3<S>,
    pub start: Se3<S>,
}
/// A body in an ideal fluid on se(3)*.
#[derive(Clone, Debug)]
pub struct Kirchhoff<S> {
    pub j: Vec3<S>,
    pub m: Vec3<S>,
    pub start: Twist<S>,
}
/// A field on SE(3) without any symmetry.
#[derive(Clone, Debug)]
pub struct GenericSe3<S> {
    pub start: Se3<S>,
}

macro_rules! problem {
    ($name:ident, $space:ty, $point:ty, |$p:ident, $y:ident| $field:expr) => {
        impl<S: Real> Problem for $name<S> {
            type Point = $point;
            fn start(&self) -> $point {
                self.start.clone()
            }
        }
        impl<S: Real> Generator for $name<S> {
            type Space = $space;
            fn field(&self, _t: f64, $y: &$point) -> lieflow::problem::FieldOf<Self> {
                let $p = self;
                $field
            }
        }
    };
}
problem!(FreeBody, BodyTurn<S>, (So3<S>, Vec3<S>), |p, y| -y.1.divided_by(p.inertia));
problem!(HeavyLp, CoadjointAction<Se3<S>>, Twist<S>, |p, y| Twist::new(
    -y.angular.divided_by(p.inertia),
    -p.axis
));
problem!(HeavyTso3, Multiply<Se3<S>>, Se3<S>, |p, y| {
    let (q, pi) = (&y.rotation, y.position);
    let w = q.apply(q.apply_transpose(pi).divided_by(p.inertia));
    Twist::new(w, p.direction.cross(q.apply(p.axis)) - w.cross(pi))
});
problem!(Kirchhoff, CoadjointAction<Se3<S>>, Twist<S>, |p, y| Twist::new(
    -y.angular.divided_by(p.j),
    -y.linear.divided_by(p.m)
));
problem!(GenericSe3, Multiply<Se3<S>>, Se3<S>, |_p, y| {
    let (r, x) = (&y.rotation, y.position);
    Twist::new(
        vec3(
            x.y * 0.3 + r.get(0, 1),
            S::lift(0.5) - x.x * r.get(2, 2),
            r.get(1, 0) * 0.7 - x.z * 0.2,
        ),
        vec3(
            r.get(2, 0) + x.y * 0.4,
            r.get(1, 1) - x.x * 0.6,
            r.get(0, 2) * x.y * 0.8 + S::lift(0.1),
        ),
    )
});

fn cast<S: Real, T: Real>(v: Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
    vec3(f(v.x), f(v.y), f(v.z))
}
fn cast_matrix<S: Real, T: Real>(m: &Mat3<S>, f: fn(S) -> T) -> Mat3<T> {
    Mat3::from_rows(cast(m.rows[0], f), cast(m.rows[1], f), cast(m.rows[2], f))
}
fn cast_twist<S: Real, T: Real>(y: &Twist<S>, f: fn(S) -> T) -> Twist<T> {
    Twist::new(cast(y.angular, f), cast(y.linear, f))
}
fn cast_motion<S: Real, T: Real>(y: &Se3<S>, f: fn(S) -> T) -> Se3<T> {
    Se3 { rotation: cast_matrix(&y.rotation, f), position: cast(y.position, f) }
}
fn cast_body<S: Real, T: Real>(y: &(So3<S>, Vec3<S>), f: fn(S) -> T) -> (So3<T>, Vec3<T>) {
    (So3 { matrix: cast_matrix(&y.0.matrix, f) }, cast(y.1, f))
}

macro_rules! lift {
    ($name:ident, $cast_point:ident, |$f:ident| { $($field:ident),* }) => {
        impl<S: Real> Lift for $name<S> {
            type Scalar = S;
            type Over<T: Real> = $name<T>;
            fn lift<T: Real>(&self, $f: fn(S) -> T) -> $name<T> {
                $name { $($field: cast(self.$field, $f),)* start: $cast_point(&self.start, $f) }
            }
            fn lift_point<T: Real>(
                &self,
                y: &Self::Point,
                f: fn(S) -> T,
            ) -> <$name<T> as Problem>::Point {
                $cast_point(y, f)
            }
        }
    };
}
lift!(FreeBody, cast_body, |f| { inertia });
lift!(HeavyLp, cast_twist, |f| { inertia, axis });
lift!(HeavyTso3, cast_motion, |f| { inertia, axis, direction });
lift!(Kirchhoff, cast_twist, |f| { j, m });
lift!(GenericSe3, cast_motion, |f| {});

/// A state as the list of numbers of the reference data.
pub trait Listed {
    fn list(&self) -> Vec<f64>;
}
impl Listed for Twist<f64> {
    fn list(&self) -> Vec<f64> {
        let (a, b) = (self.angular, self.linear);
        vec![a.x, a.y, a.z, b.x, b.y, b.z]
    }
}
fn rows(m: &Mat3<f64>, v: Vec3<f64>) -> Vec<f64> {
    m.rows.iter().chain([&v]).flat_map(|r| [r.x, r.y, r.z]).collect()
}
impl Listed for Se3<f64> {
    fn list(&self) -> Vec<f64> {
        rows(&self.rotation, self.position)
    }
}
impl Listed for (So3<f64>, Vec3<f64>) {
    fn list(&self) -> Vec<f64> {
        rows(&self.0.matrix, self.1)
    }
}

pub fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The public part of the reference data.
pub fn reference() -> Value {
    lieflow_testing::reference::public("liegroup")
}

/// The input of a reference trajectory.
pub fn input(data: &Value, id: &str) -> Value {
    let all = data["trajectories"].as_array().expect("trajectories");
    all.iter().find(|t| t["id"] == id).unwrap_or_else(|| panic!("no problem {id}"))["input"].clone()
}
pub fn free_body(input: &Value) -> FreeBody<f64> {
    let matrix = so3::exp(vector(&input["rot"]));
    FreeBody { inertia: vector(&input["I"]), start: (So3 { matrix }, vector(&input["pi"])) }
}
pub fn heavy_tso3(input: &Value) -> HeavyTso3<f64> {
    HeavyTso3 {
        inertia: vector(&input["I"]),
        axis: vector(&input["chi"]),
        direction: vector(&input["G0"]) * input["k"].as_f64().expect("k"),
        start: Se3 { rotation: so3::exp(vector(&input["rot"])), position: vector(&input["pi"]) },
    }
}
pub fn heavy_lp(input: &Value) -> HeavyLp<f64> {
    let q = so3::exp(vector(&input["rot"]));
    HeavyLp {
        inertia: vector(&input["I"]),
        axis: vector(&input["chi"]) * input["k"].as_f64().expect("k"),
        start: Twist::new(
            q.apply_transpose(vector(&input["pi"])),
            q.apply_transpose(vector(&input["G0"])),
        ),
    }
}
pub fn kirchhoff(input: &Value) -> Kirchhoff<f64> {
    let (j, y) = (numbers(&input["J"]), numbers(&input["y"]));
    Kirchhoff {
        j: vec3(j[0], j[1], j[2]),
        m: vec3(j[3], j[4], j[5]),
        start: Twist::new(vec3(y[0], y[1], y[2]), vec3(y[3], y[4], y[5])),
    }
}
pub fn generic_se3(input: &Value) -> GenericSe3<f64> {
    let rotation = so3::exp(vector(&input["rot"]));
    GenericSe3 { start: Se3 { rotation, position: vector(&input["r"]) } }
}

/// The method with this id.
pub fn method<P: Problem>(
    entries: &[Entry<P>],
    id: &str,
    p: &P,
    options: &Options,
) -> Box<dyn Method<P>> {
    let entry = entries.iter().find(|e| e.card.id == id);
    let entry = entry.unwrap_or_else(|| panic!("no method {id}"));
    (entry.make)(p, options).expect("the method has these options")
}

pub fn in_chart(chart: Chart) -> Options {
    Options { chart, ..Options::default() }
}

/// The table of the comparison solution of a pair, as a method of its own.
fn comparison(t: &'static Tableau) -> &'static Tableau {
    let (b, order) = t.embedded[0];
    let (name, a, c, cite) = (t.name, t.a, t.c, t.cite);
    Box::leak(Box::new(Tableau { name, order, a, b, embedded: &[], dense: None, c, cite }))
}
fn comparison_product(t: &'static CommutatorFree) -> &'static CommutatorFree {
    let (end, order) = t.embedded.expect("a pair");
    let (name, moves, at, c, cite) = (t.name, t.moves, t.at, t.c, t.cite);
    Box::leak(Box::new(CommutatorFree { name, order, moves, at, c, end, embedded: None, cite }))
}

/// The method that the reference data calls so.
pub fn named<P: Lift + 'static>(name: &str, p: &P) -> Box<dyn Method<P>> {
    let aux = |t| Box::new(Rkmk::new(comparison(t), Chart::Exp));
    let product = |t| Box::new(ProductMethod::new(comparison_product(t)));
    match name {
        "bs32-aux" => return aux(&tableau::BS32),
        "rkf45-aux(order4)" => return aux(&tableau::RKF45),
        "dp54-aux" => return aux(&tableau::DP54),
        "cf3-A-aux" => return product(&tableau::CF32_A),
        "cf3-B-aux" => return product(&tableau::CF32_B),
        "cf4-aux34" => return product(&tableau::CF43_EQ34),
        "cf4-auxFSAL" => return product(&tableau::CF43_FSAL),
        _ => {}
    }
    let name = name.to_lowercase().replace("(order5)", "");
    let charts = [
        ("-trunc1", Chart::ExpSeries { brackets: 1 }),
        ("-trunc2", Chart::ExpSeries { brackets: 2 }),
        ("-trunc4", Chart::ExpSeries { brackets: 4 }),
        ("-cayley", Chart::Cayley),
        ("-ccsk", Chart::SecondKind),
    ];
    for (suffix, chart) in charts {
        if let Some(id) = name.strip_suffix(suffix) {
            return method(&entries_lifted(), id, p, &in_chart(chart));
        }
    }
    method(&entries_lifted(), &name, p, &Options::default())
}
