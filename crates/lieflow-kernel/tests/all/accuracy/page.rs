//! The page of the manual with the table, which this writes and keeps true.
use super::functions::all;
use super::sample::Sample;
use super::{CENTRAL, EXACT, RANGES, SAMPLES, worst};
use lieflow_testing::Draw;
use std::collections::BTreeMap;
use std::fmt::Write;

type Table = BTreeMap<&'static str, [f64; RANGES.len()]>;

/// The groups in the order of the page.
const GROUPS: [(&str, &str); 6] = [
    ("so2", "SO(2), rotations of the plane"),
    ("se2", "SE(2), motions of the plane"),
    ("so3", "SO(3), rotations of space"),
    ("se3", "SE(3), motions of space"),
    ("se23", "SE₂(3), extended poses"),
    ("sim3", "Sim(3), similarities of space"),
];

/// What the digits of stored values leave of a unit.
const STORED: f64 = 1e-6;

const HEAD: &str = "\
# How accurate the group functions are
The crate `lieflow-kernel` has six groups with the same names: `exp`, `log`, `compose`, `inverse`, `act`, `hat`, `vee`, `adjoint` (Ad), `ad`,
`dexp` (the left Jacobian, applied), `dexpinv`, and the matrices `adjoint_matrix`, `ad_matrix`, `left_jacobian`, `right_jacobian` and the inverses of both
Jacobians. They are generic over the numbers (`f64`, dual numbers, lanes), and need neither the standard library nor memory.

The tables have the worst error that was found for each function, in units of the last place, by the size of the angle in radians. The rest of each argument
is random, of a size about one; logarithms of scales lie between 1e-6 and 2.

- **A unit** is the distance of neighbouring `f64` numbers at the length of the exact result: the Euclidean length of a vector or the Frobenius norm of a matrix,
  each part (scale, rotation, translation) for itself. The error is the length of the difference. Where a function adds terms that may cancel, as `R x + p` does, it is
  the length of the longest term if that is longer.
- **Exact** means: the definition (exponentials and inverses of matrices) with 150 digits at 26 stored arguments, from 1e-300 to 1000 rad, and the same closed forms
  with 32 digits, which agree with all of those to 24 digits, at 150 more in each column.
- A rotation that is given as a matrix of `f64` is one to rounding only; its logarithm is that of the nearest rotation.

**Up to a quarter turn no function is above 4 units.** Beyond, four reasons are left:

1. **The angle is a rounded number.** `|u|` comes from three components, with up to two roundings; a radian more of it moves the result by up to one unit more. It shows in all exponentials
   and Jacobians of SO(3) and the groups above it, and grows to about 0.6 units per radian at 1000 rad. In the plane the angle is an argument, and nothing is lost.
2. **The inverse Jacobians have a pole at 2π**: at the distance `d` from it the error of the angle becomes about `5/d` units, also at every further full turn. In the plane it does not.
3. **`cay_inverse` has a pole at half a turn**, which `cay` of a long vector comes close to: the error grows as `1 + |u|²/4`.
4. **Near π** the inverse Jacobian, and a logarithm with it, has up to one unit more than four, again by the error of the angle.

A test computes these tables anew and fails if this page is not up to date.
";

fn page(table: &Table) -> String {
    let mut text = HEAD.to_owned();
    for (group, title) in GROUPS {
        let rows = table.iter().filter(|(name, _)| name.split("::").next() == Some(group));
        let (exact, rows): (Vec<_>, Vec<_>) =
            rows.partition(|(_, row)| row.iter().all(|x| *x < STORED));
        writeln!(text, "\n## {title}").unwrap();
        let heads: Vec<&str> = RANGES.iter().map(|r| r.0).collect();
        writeln!(text, "| `{group}::` | {} |", heads.join(" | ")).unwrap();
        writeln!(text, "| --- |{}", " ---: |".repeat(RANGES.len())).unwrap();
        for (name, row) in rows {
            let cells = row.map(shown).join(" | ");
            writeln!(text, "| `{}` | {cells} |", short(name)).unwrap();
        }
        let names: Vec<String> =
            exact.iter().map(|(name, _)| format!("`{}`", short(name))).collect();
        writeln!(text, "\nWithout any error: {}.", names.join(", ")).unwrap();
    }
    text
}

fn short(name: &str) -> &str {
    name.split("::").last().unwrap_or(name)
}

fn shown(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        x if x < 99.95 => format!("{x:.1}"),
        x => format!("{x:.0e}"),
    }
}

#[test]
fn errors_are_small_and_the_page_is_true() {
    let table = worst();
    assert!(HEAD.contains(&format!("at {SAMPLES} more")));
    for (name, row) in &table {
        assert!(row[..CENTRAL].iter().all(|x| *x <= 4.0), "{name}: {row:.1?}");
        // Two roundings of the angle, where nothing is singular.
        assert!(row[CENTRAL..5].iter().all(|x| *x <= 8.0), "{name}: {row:.1?}");
        let pole = name.contains("inv") && !name.starts_with("se2::");
        assert!(pole || row[5..7].iter().all(|x| *x <= 10.0), "{name}: {row:.1?}");
        assert!(!EXACT.contains(name) || row.iter().all(|x| *x < STORED), "{name}: {row:.1?}");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/rust/accuracy.md");
    let fresh = page(&table);
    if std::env::var_os("LIEFLOW_WRITE_DOCS").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(stored == fresh, "docs/rust/accuracy.md is old: LIEFLOW_WRITE_DOCS=1 writes it anew");
}

#[test]
fn every_public_function_is_measured() {
    let sample = Sample::random(&mut Draw::new(1), 1.0);
    let table: Vec<&str> = all(&sample).iter().map(|v| v.name).collect();
    let from_macro =
        ["left_jacobian", "right_jacobian", "left_jacobian_inverse", "right_jacobian_inverse"];
    for (group, _) in GROUPS {
        let path = format!("{}/../src/group/{group}.rs", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(path).unwrap();
        assert!(source.contains("jacobians!("), "{group} has its Jacobians");
        let written = source.lines().filter_map(|l| l.trim().strip_prefix("pub fn "));
        let names = written.map(|l| l.split(['<', '(']).next().unwrap_or(l));
        for name in names.chain(from_macro) {
            let full = format!("{group}::{name}");
            assert!(table.contains(&full.as_str()), "{full} is not measured");
        }
    }
}
