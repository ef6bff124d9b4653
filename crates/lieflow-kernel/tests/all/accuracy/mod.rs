//! How many digits the functions of the groups have: each against its definition with 150 digits at
//! stored arguments, and against itself with 32 digits, which pass the same examination, at many more.
mod functions;
mod page;
mod sample;

use functions::{Value, all, length};
use lieflow_kernel::{DoubleDouble as D, Real};
use lieflow_testing::{Draw, reference};
use sample::Sample;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Functions without arithmetic, which are not worth a table.
const EXACT: [&str; 22] = [
    "so2::identity",
    "so2::matrix",
    "so2::from_matrix",
    "se2::from_matrix",
    "se3::from_matrix",
    "se23::from_matrix",
    "so2::hat",
    "so2::vee",
    "so2::adjoint",
    "so2::adjoint_matrix",
    "so2::ad",
    "so2::ad_matrix",
    "so2::dexp",
    "so2::dexpinv",
    "so2::left_jacobian",
    "so2::right_jacobian",
    "so2::left_jacobian_inverse",
    "so2::right_jacobian_inverse",
    "se2::identity",
    "se3::identity",
    "se23::identity",
    "sim3::identity",
];

/// Measured by more digits only.
const NOT_STORED: [&str; 1] = ["sim3::from_matrix"];

/// One unit in the last place of a number of this size.
fn ulp(size: f64) -> f64 {
    // The next number above, less the number: exact, also where exponents end.
    f64::from_bits(size.to_bits() + 1) - size
}

/// The length of the error, in units of the last place of the length of the result, or of the terms that
/// make it where they are longer.
fn error(got: &Value<f64>, want: &[D]) -> f64 {
    let gaps: Vec<D> = got.numbers.iter().zip(want).map(|(a, b)| D::lift(*a) - *b).collect();
    length(&gaps) / ulp(length(want).max(got.terms))
}

/// The stored samples with their values, by the names of the functions.
fn stored() -> Vec<(Sample<f64>, BTreeMap<String, Vec<D>>)> {
    let file = reference::file("groups");
    let samples = file["samples"].as_array().unwrap();
    let parsed = samples.iter().map(|s| {
        let values = s["values"].as_object().unwrap();
        let parse = |text: &str| text.split(' ').map(|x| x.parse().unwrap()).collect();
        let values = values.iter().map(|(k, v)| (k.clone(), parse(v.as_str().unwrap()))).collect();
        (Sample::stored(&s["given"]), values)
    });
    parsed.collect()
}

/// The numbers of each value that belong to it, of those that a function gives one after the other.
fn parts<'a, S>(
    values: &'a [Value<S>],
    wanted: &'a BTreeMap<String, Vec<D>>,
) -> impl Iterator<Item = (&'a Value<S>, &'a [D])> {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let stored = |v: &&Value<S>| !EXACT.contains(&v.name) && !NOT_STORED.contains(&v.name);
    values.iter().filter(stored).map(move |v| {
        let all = wanted.get(v.name).unwrap_or_else(|| panic!("no stored value of {}", v.name));
        let from = used.entry(v.name).or_default();
        let part = &all[*from..*from + v.numbers.len()];
        *from += v.numbers.len();
        (v, part)
    })
}

#[test]
fn thirty_digits_agree_with_definitions() {
    for (sample, wanted) in stored() {
        let values = all(&sample.precise());
        for (value, want) in parts(&values, &wanted) {
            let scale = length(want).max(value.terms);
            let gaps: Vec<D> = value.numbers.iter().zip(want).map(|(a, b)| *a - *b).collect();
            let gap = length(&gaps);
            // Stored with 25 digits; near a full turn the inverse differential loses its condition.
            let angle = sample.u.norm();
            let condition = (1.0 / (angle - TAU).abs()).max(1.0).powi(2) * (1.0 + angle);
            // The second half of the digits of 1e-300 is where numbers end.
            let bound = 1e-24 * condition * scale + 1e-320;
            assert!(gap <= bound, "{} at {angle:e}: {:e}", value.name, gap / scale);
        }
    }
}

/// A power of ten, with the same bits everywhere.
fn ten(x: f64) -> f64 {
    Real::exp(x * std::f64::consts::LN_10)
}

/// The columns of the table: a name, and the angles.
type Range = (&'static str, fn(&mut Draw) -> f64);
const RANGES: [Range; 8] = [
    ("to 1e-8", |d| ten(d.between(-300.0, -8.0))),
    ("to 0.5", |d| ten(d.between(-8.0, -0.3))),
    ("to π/2", |d| d.between(0.5, PI / 2.0)),
    ("to 3", |d| d.between(PI / 2.0, 3.0)),
    ("near π", |d| PI + d.number().signum() * ten(d.between(-15.0, -1.0))),
    ("to 6", |d| d.between(3.3, 6.0)),
    ("near 2π", |d| TAU + d.number().signum() * ten(d.between(-6.0, -0.6))),
    ("to 1000", |d| ten(d.between(0.9, 3.0))),
];
/// The columns where no error may be above four units.
const CENTRAL: usize = 3;
const SAMPLES: usize = 150;

/// The worst error of every function in every range.
fn worst() -> BTreeMap<&'static str, [f64; RANGES.len()]> {
    let mut table: BTreeMap<&'static str, [f64; RANGES.len()]> = BTreeMap::new();
    for (column, (_, angle)) in RANGES.iter().enumerate() {
        let mut draw = Draw::new(column as u64 + 1);
        for _ in 0..SAMPLES {
            let angle = angle(&mut draw);
            let sample = Sample::random(&mut draw, angle);
            let precise = all(&sample.precise());
            for (got, want) in all(&sample).iter().zip(&precise) {
                let cell = &mut table.entry(got.name).or_default()[column];
                *cell = cell.max(error(got, &want.numbers));
            }
        }
    }
    // The stored samples count too.
    for (sample, wanted) in stored() {
        let angle = sample.u.norm();
        let column = match angle {
            a if a < 1e-8 => 0,
            a if a < 0.5 => 1,
            a if a < PI / 2.0 => 2,
            a if a < 3.0 => 3,
            a if (a - PI).abs() < 0.1 => 4,
            a if a <= 6.0 => 5,
            a if a < 6.6 => 6,
            _ => 7,
        };
        for (got, want) in parts(&all(&sample), &wanted) {
            let cell = &mut table.entry(got.name).or_default()[column];
            *cell = cell.max(error(got, want));
        }
    }
    table
}
