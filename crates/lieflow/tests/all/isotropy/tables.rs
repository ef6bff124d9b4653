//! The tables of Lewis and Olver (figures 3 to 6) on the seeded ensembles.
use super::body::table_close;
use super::data::*;
use lieflow::method::isotropy::Exponential;
use lieflow::{Vec3, vec3};
use std::f64::consts::TAU;

fn point(g: &mut SplitMix64) -> Vec3<f64> {
    let z = 2.0 * g.uniform() - 1.0;
    let phi = TAU * g.uniform();
    let r = (1.0 - z * z).sqrt();
    vec3(r * phi.cos(), r * phi.sin(), z)
}

pub fn triaxial(seed: u64) -> Vec<Body<f64>> {
    let mut g = SplitMix64(seed);
    let mut body = || {
        let mut i = || 1.5 + 1.5 * g.uniform();
        let inertia = vec3(i(), i(), i());
        Body::new(inertia, point(&mut g))
    };
    (0..10).map(|_| body()).collect()
}

pub fn axisymmetric(seed: u64) -> Vec<Body<f64>> {
    let mut g = SplitMix64(seed);
    let mut body = || {
        let (p, q) = (3.0 + 2.0 * g.uniform(), 3.0 + 2.0 * g.uniform());
        Body::new(vec3(p, p, q), point(&mut g))
    };
    (0..10).map(|_| body()).collect()
}

pub fn separatrix(seed: u64) -> Vec<Body<f64>> {
    let mut g = SplitMix64(seed);
    let mut body = || {
        let mut i = [0; 3].map(|_| 1.5 + 1.5 * g.uniform());
        i.sort_by(f64::total_cmp);
        let t = TAU * g.uniform();
        let sign = if g.uniform() < 0.5 { 1.0 } else { -1.0 };
        let a = i.map(|x| 1.0 / x);
        let d = vec3((a[1] - a[2]).sqrt(), 0.0, sign * (a[0] - a[1]).sqrt());
        let d = d.times(1.0 / d.norm());
        Body::new(vec3(i[0], i[1], i[2]), d.times(t.sin()) + vec3(0.0, t.cos(), 0.0))
    };
    (0..10).map(|_| body()).collect()
}

#[test]
fn the_ensembles_are_the_seeded_ones() {
    let data = reference();
    let seed = data["tables"]["seed"].as_u64().unwrap();
    for (key, bodies) in [
        ("bodies_triaxial", triaxial(seed)),
        ("bodies_axisymmetric", axisymmetric(seed)),
        ("bodies_separatrix", separatrix(seed)),
    ] {
        let rows = data["tables"][key].as_array().unwrap();
        assert_eq!(rows.len(), bodies.len());
        for (row, p) in rows.iter().zip(&bodies) {
            let want = Body::of(row, "m");
            assert!(
                distance(want.a, p.a) < 1e-15 && distance(want.start, p.start) < 1e-15,
                "{key}"
            );
        }
    }
}

/// The mean over an ensemble of the largest energy error of a run.
fn mean(bodies: &[Body<f64>], name: &str, map: Exponential, h: f64, until: f64) -> f64 {
    let steps = (until / h).round() as usize;
    let total: f64 = bodies.iter().map(|p| energy_error(p, &mut method(name, map), h, steps)).sum();
    total / bodies.len() as f64
}

#[test]
fn figures_three_to_five() {
    let data = reference();
    let seed = data["tables"]["seed"].as_u64().unwrap();
    let ensembles = [("triaxial", triaxial(seed)), ("axisymmetric", axisymmetric(seed))];
    let (mut cells, mut worst) = (0, 0.0f64);
    for (key, row) in data["tables"]["mean_max_dH"].as_object().unwrap() {
        let parts: Vec<&str> = key.split('/').collect();
        let (_, bodies) = ensembles.iter().find(|(name, _)| *name == parts[0]).unwrap();
        let map = if parts[1] == "exp" { Exponential::Exp } else { Exponential::Cayley };
        for (dt, want) in row.as_object().unwrap() {
            let (h, want) = (dt.parse::<f64>().unwrap(), number(want));
            let value = mean(bodies, parts[2], map, h, 100.0);
            if want > 1e-10 {
                worst = worst.max((value / want - 1.0).abs());
            }
            cells += 1;
            assert!(table_close(value, want), "{key} dt = {dt}: {value:e} {want:e}");
        }
    }
    println!("{cells} cells, worst relative deviation {worst:e}");
}

#[test]
fn separatrices_are_captured() {
    let data = reference();
    let seed = data["tables"]["seed"].as_u64().unwrap();
    let bodies = separatrix(seed);
    for (dt, want) in data["tables"]["separatrix_Eul_b_cay_500"].as_object().unwrap() {
        let h = dt.parse::<f64>().unwrap();
        let value = mean(&bodies, "Eul_b", Exponential::Cayley, h, 500.0);
        assert!(table_close(value, number(want)), "dt = {dt}: {value:e} {want}");
    }
    let mut worst = 0.0f64;
    for name in ["Eul_o", "Eul_i", "RK2_o", "RK2_io", "sy4_o", "sy4_io", "RK4_o", "RK4_io"] {
        for map in [Exponential::Exp, Exponential::Cayley] {
            for h in [1.0, 0.1] {
                let value = mean(&bodies, name, map, h, 500.0);
                worst = worst.max(value);
                assert!(value < 2e-14, "{name} {map:?} dt = {h}: {value:e}");
            }
        }
    }
    println!("separatrix: {worst:e}");
}
