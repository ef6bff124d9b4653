//! The closed forms of SO(3) and SE(3) against tables of 40 digits, for norms 1e-12 … 6, in `f64`
//! and in double-double arithmetic.
use lieflow_kernel::{DoubleDouble as D, Mat3, Real, Vec3, se3, so3};
use serde_json::Value;
use std::collections::BTreeMap;

/// A scalar whose results can be compared with 40 digits.
trait Precise: Real {
    fn exact(self) -> D;
}
impl Precise for f64 {
    fn exact(self) -> D {
        self.into()
    }
}
impl Precise for D {
    fn exact(self) -> D {
        self
    }
}

fn tables() -> Value {
    lieflow_testing::reference::public("liegroup")["maps"].take()
}
/// All numbers of a field, nested or not, exactly.
fn exact(v: &Value) -> Vec<D> {
    match v {
        Value::Array(list) => list.iter().flat_map(exact).collect(),
        Value::String(text) => vec![text.parse().unwrap()],
        number => vec![number.as_f64().unwrap().into()],
    }
}
fn vectors<S: Real>(v: &Value) -> Vec<Vec3<S>> {
    let x: Vec<S> = exact(v).iter().map(|x| S::lift(x.hi())).collect();
    x.chunks(3).map(|c| Vec3::from([c[0], c[1], c[2]])).collect()
}
fn of_matrix<S: Real>(m: &Mat3<S>) -> Vec<S> {
    m.rows.iter().flat_map(|r| r.to_array()).collect()
}
fn of_pair<S: Real>((a, b): (Vec3<S>, Vec3<S>)) -> Vec<S> {
    a.to_array().into_iter().chain(b.to_array()).collect()
}
/// Relative error in the Euclidean norm.
fn error<S: Precise>(got: &[S], want: &[D]) -> f64 {
    assert_eq!(got.len(), want.len());
    let (mut square, mut size) = (D::zero(), D::zero());
    for (g, w) in got.iter().zip(want) {
        square += (g.exact() - *w).square();
        size += w.square();
    }
    (square / size).sqrt().hi()
}

type Worst = BTreeMap<String, f64>;

/// Largest error of each map. Those of the inverse differentials, which have a pole at a full
/// turn, are divided by the condition `max(1, 1/(2 pi - |u|))`.
fn measure<S: Precise>() -> Worst {
    let mut worst = Worst::new();
    let tables = tables();
    let mut note = |group: &str, map: &str, norm: f64, e: f64| {
        let pole = map.starts_with("dexpinv");
        let condition = if pole { (1.0 / (std::f64::consts::TAU - norm)).max(1.0) } else { 1.0 };
        let slot = worst.entry(format!("{group} {map}")).or_insert(0.0);
        *slot = slot.max(e / condition);
    };
    for entry in tables["so3"].as_array().unwrap() {
        let norm = entry["norm"].as_f64().unwrap();
        let (u, v) = (vectors::<S>(&entry["u"])[0], vectors::<S>(&entry["v"])[0]);
        let want = |name: &str| exact(&entry[name]);
        let mut check = |name: &str, got: &[S]| note("so3", name, norm, error(got, &want(name)));
        check("exp", &of_matrix(&so3::exp(u)));
        check("log_of_exp", &so3::log(&so3::exp(u)).to_array());
        check("dexp", &so3::dexp(u, v).to_array());
        check("dexpinv", &so3::dexpinv(u, v).to_array());
        check("cay", &of_matrix(&so3::cay(u)));
        check("dcay", &so3::dcay(u, v).to_array());
        check("dcayinv", &so3::dcayinv(u, v).to_array());
        // The variants that avoid a matrix, against the same numbers.
        check("dexp", &so3::dexp_matrix(u).apply(v).to_array());
        check("dcay", &so3::dcay_matrix(u).apply(v).to_array());
        let columns = |f: fn(Vec3<S>, Vec3<S>) -> Vec3<S>| {
            let e = Vec3::unit;
            of_matrix(&Mat3::from_columns(f(u, e(0)), f(u, e(1)), f(u, e(2))))
        };
        check("exp", &columns(so3::rotate));
        check("cay", &columns(so3::cay_rotate));
    }
    for entry in tables["se3"].as_array().unwrap() {
        let norm = entry["norm"].as_f64().unwrap();
        let (x, y) = (vectors::<S>(&entry["x"]), vectors::<S>(&entry["y"]));
        let (u, w, a, b) = (x[0], x[1], y[0], y[1]);
        let want = |name: &str| exact(&entry[name]);
        let mut check = |name: &str, got: &[S]| note("se3", name, norm, error(got, &want(name)));
        let (r, p) = se3::exp(u, w);
        check("exp_R", &of_matrix(&r));
        check("exp_r", &p.to_array());
        check("log_of_exp", &of_pair(se3::log(&r, p)));
        let ra = r.apply(a);
        check("Ad_exp", &of_pair((ra, r.apply(b) + p.cross(ra))));
        check("AdT_exp", &of_pair((r.apply_transpose(a - p.cross(b)), r.apply_transpose(b))));
        check("ad", &of_pair(se3::ad(u, w, a, b)));
        check("adT", &of_pair(se3::ad_transpose(u, w, a, b)));
        check("dexp", &of_pair(se3::dexp(u, w, a, b)));
        check("dexpinv", &of_pair(se3::dexpinv(u, w, a, b)));
        check("dexpT", &of_pair(se3::dexp_transpose(u, w, a, b)));
        check("dexpinvT", &of_pair(se3::dexpinv_transpose(u, w, a, b)));
        let (r, p) = se3::cay(u, w);
        check("cay_R", &of_matrix(&r));
        check("cay_r", &p.to_array());
        check("dcay", &of_pair(se3::dcay(u, w, a, b)));
        check("dcayinv", &of_pair(se3::dcayinv(u, w, a, b)));
        // Without forming the matrix: the first column and the translation.
        let (first, _, shift) = se3::exp_rotate(u, w, Vec3::unit(0), a);
        let rest = [&first.to_array()[..], &shift.to_array()[..]].concat();
        let table = [&want("exp_R")[..], &want("exp_r")[..]].concat();
        let column = [&[table[0], table[3], table[6]][..], &table[9..]].concat();
        note("se3", "exp_rotate", norm, error(&rest, &column));
    }
    worst
}

fn judge(worst: &Worst, unit: f64, bound: f64) {
    assert!(worst.len() >= 23, "all maps were visited");
    for (map, e) in worst {
        println!("{map:16} {:8.2} units", e / unit);
    }
    for (map, e) in worst {
        assert!(*e <= bound, "{map}: relative error {e:e}, bound {bound:e}");
    }
}

#[test]
fn f64_agrees_with_the_tables() {
    judge(&measure::<f64>(), f64::EPSILON / 2.0, 10.0 * 4e-16);
}

#[test]
fn double_double_agrees_with_the_tables() {
    judge(&measure::<D>(), 2f64.powi(-104), 1e-28);
}
