//! Getting data out: output times, arrays, unique names, continuous quaternions, products of axes.
use crate::common::{file, folder, json, lieflow};
use std::path::Path;

/// A quickly turning body, so that quaternions change their sign.
const BODY: &str = r#"system = "rigid-body"
[parameters]
inertia = [1.0, 2.0, 3.0]
[initial]
rotation = { vector = [0.1, 0.2, 0.3] }
omega = [0.1, 4.0, 0.1]
[solve]
method = "rkmk-dp54"
tol = 1e-9
until = 4.0
"#;

fn run(name: &str, options: &[&str]) -> std::path::PathBuf {
    let (problem, out) = (file(name, BODY), folder(&format!("data-{name}")));
    let arguments = ["run", &problem, "--quiet", "--out", out.to_str().unwrap()];
    let done = lieflow(&[&arguments[..], options].concat());
    assert_eq!(done.status, 0, "{done:?}");
    out
}

/// The header and the columns of a table.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap().split(',').map(String::from).collect();
    let numbers = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    (header, lines.map(numbers).collect())
}

/// The shape and the numbers of an array of NumPy.
fn array(path: &Path) -> (String, Vec<f64>) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10;
    assert_eq!(length % 64, 0);
    let header = String::from_utf8(bytes[10..length].to_vec()).unwrap();
    assert!(header.contains("'<f8'") && header.contains("False") && header.ends_with('\n'));
    let shape = header.split("'shape': ").nth(1).unwrap().split(')').next().unwrap();
    let numbers =
        bytes[length..].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
    (shape.to_string(), numbers.collect())
}

#[test]
fn states_at_even_distances_whatever_the_steps() {
    let out = run("interval", &["--interval", "0.1"]);
    let (_, rows) = table(&out.join("trajectory.csv"));
    assert_eq!(rows.len(), 41);
    for (i, row) in rows.iter().enumerate() {
        assert!((row[0] - 0.1 * i as f64).abs() < 1e-12, "{}", row[0]);
    }
    assert_eq!(rows[40][0], 4.0);
    // The same states as those of a run that is asked for these times.
    let out = run("points", &["--set", "output.times={points=41}"]);
    let (_, same) = table(&out.join("trajectory.csv"));
    for (a, b) in rows.iter().zip(&same) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
    }
    // An interval that does not divide the run ends before its end.
    let out = run("odd", &["--interval", "1.5"]);
    let times: Vec<f64> = table(&out.join("trajectory.csv")).1.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 1.5, 3.0]);
    let out = run("part", &["--set", "output.times={from=1,to=2,points=3}"]);
    let times: Vec<f64> = table(&out.join("trajectory.csv")).1.iter().map(|row| row[0]).collect();
    assert_eq!(times, [1.0, 1.5, 2.0]);
}

#[test]
fn output_that_makes_no_sense_is_refused() {
    let problem = file("refused", BODY);
    let refused =
        |set: &str, texts: &[&str]| lieflow(&["run", &problem, "--set", set]).refuses(texts);
    refused("output.interval=0", &["output.interval", "above zero"]);
    refused("output.interval=1e-12", &["output.interval", "at least"]);
    refused("output.times={from=1,to=9,points=3}", &["output.times", "from 0 to 4"]);
    refused("output.times={points=1}", &["points"]);
    refused("output.times={point=3}", &["points"]);
    refused("output.format=parquet", &["output.format", "npy"]);
    let both = ["run", &problem, "--interval", "1", "--every", "2"];
    lieflow(&both).refuses(&["every", "interval"]);
    // What the command line says takes the place of what the file says.
    let other = file("other", &format!("{BODY}[output]\ninterval = 0.5\n"));
    assert_eq!(lieflow(&["run", &other, "--every", "2", "--quiet"]).status, 0);
}

#[test]
fn names_of_columns_are_unique() {
    let out = run("names", &["--interval", "1"]);
    let (header, rows) = table(&out.join("trajectory.csv"));
    for (i, name) in header.iter().enumerate() {
        assert!(!header[..i].contains(name), "{name} twice");
    }
    let place = |name: &str| header.iter().position(|h| h == name).unwrap();
    let (state, kept) = (place("spatial_momentum_x"), place("invariant.spatial_momentum_x"));
    assert!(rows.iter().all(|row| (row[state] - row[kept]).abs() < 1e-12));
    assert!(header.contains(&"energy".to_string()));
}

#[test]
fn quaternions_follow_each_other_on_request() {
    let jumps = |name: &str, options: &[&str]| {
        let out = run(name, &[&["--interval", "0.05"], options].concat());
        let (header, rows) = table(&out.join("trajectory.csv"));
        let q = header.iter().position(|h| h == "qw").unwrap();
        let dot = |a: &[f64], b: &[f64]| (0..4).map(|k| a[q + k] * b[q + k]).sum::<f64>();
        let positive = rows.iter().all(|row| row[q] >= 0.0);
        (rows.windows(2).filter(|pair| dot(&pair[0], &pair[1]) < 0.0).count(), positive)
    };
    let (default, positive) = jumps("jumps", &[]);
    assert!(default > 0 && positive);
    let set = ["--set", "output.quaternions=continuous"];
    let (continuous, positive) = jumps("smooth", &set);
    assert!(continuous == 0 && !positive);
}

#[test]
fn arrays_hold_the_numbers_of_the_table() {
    let options = ["--interval", "0.5", "--set", "output.matrix=true"];
    let csv = run("csv", &options);
    let npy = run("npy", &[&options[..], &["--format", "npy"]].concat());
    let (header, rows) = table(&csv.join("trajectory.csv"));
    assert!(!npy.join("trajectory.csv").exists());
    let names = std::fs::read_to_string(npy.join("trajectory/columns.json")).unwrap();
    let names: serde_json::Value = serde_json::from_str(&names).unwrap();
    assert_eq!(names["rows"], 9);
    let mut seen = 0;
    for (name, about) in names["arrays"].as_object().unwrap() {
        let (shape, numbers) = array(&npy.join("trajectory").join(format!("{name}.npy")));
        let expected: Vec<u64> =
            about["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let inside: Vec<u64> = shape
            .trim_start_matches('(')
            .split(',')
            .filter_map(|n| n.trim().parse().ok())
            .collect();
        assert_eq!(inside, expected, "{name}");
        assert_eq!(numbers.len() as u64, expected.iter().product::<u64>(), "{name}");
        let columns = about["columns"].as_array().unwrap();
        for (k, column) in columns.iter().enumerate() {
            let place = header.iter().position(|h| h == column.as_str().unwrap()).unwrap();
            for (row, numbers) in rows.iter().zip(numbers.chunks(columns.len())) {
                assert_eq!(row[place].to_bits(), numbers[k].to_bits(), "{name} {column}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, header.len());
    let files = json(&["run", &file("named", BODY), "--format", "npy", "--json"]);
    assert_eq!(files["files"].as_array().unwrap().len(), 0);
}

#[test]
fn a_list_next_to_a_grid_is_an_axis() {
    let design = |count: &str| {
        let text = format!(
            "{}[ensemble]\n{count}\n[[ensemble.vary]]\nkey = \"initial.omega[3]\"\ngrid = {{ from = 1, to = 2, points = 5 }}\n\
             [[ensemble.vary]]\nkey = \"initial.rotation.vector\"\nlist = [[0, 0, 0], [0.5, 0, 0]]\n",
            BODY.replace("tol = 1e-9", "step = 0.1").replace("rkmk-dp54", "rkmk4")
        );
        lieflow(&["ensemble", &file("axes", &text), "--json"])
    };
    let product = design("");
    assert_eq!(product.json()["count"], 10);
    let said = "10 trajectories: 5 of initial.omega[3] × 2 of initial.rotation.vector";
    assert!(product.stderr.contains(said), "{}", product.stderr);
    assert_eq!(design("count = 5").json()["count"], 5);
}

/// The ends of the links of a chain, on request, in tables and arrays; beside observables.
#[test]
fn positions_of_links() {
    let chain = r#"system = "pendulum-chain"
[parameters]
masses = [1.0, 2.0]
lengths = [0.5, 0.25]
[initial]
q = [[0.6, 0.0, 0.8], [0.0, 0.6, -0.8]]
omega = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
[[observables]]
name = "height"
formula = "q[1][3]"
[solve]
method = "rattle"
step = 0.01
until = 0.1
[output]
positions = true
"#;
    let problem = file("links", chain);
    let out = |name: &str, options: &[&str]| {
        let out = folder(&format!("data-links-{name}"));
        let arguments = ["run", &problem, "--quiet", "--out", out.to_str().unwrap()];
        let done = lieflow(&[&arguments[..], options].concat());
        assert_eq!(done.status, 0, "{done:?}");
        out
    };
    let (heads, rows) = table(&out("csv", &[]).join("trajectory.csv"));
    let unique: std::collections::BTreeSet<_> = heads.iter().collect();
    assert_eq!(unique.len(), heads.len(), "{heads:?}");
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    for row in &rows {
        for (axis, k) in ["x", "y", "z"].iter().zip(0..) {
            let q = [row[at("q_1_x") + k], row[at("q_2_x") + k]];
            let ends = [0.5 * q[0], 0.5 * q[0] + 0.25 * q[1]];
            for (link, end) in ["1", "2"].iter().zip(ends) {
                let found = row[at(&format!("position_{link}_{axis}"))];
                assert!((found - end).abs() < 1e-15, "{found} {end}");
            }
        }
    }
    // Arrays: what is observed is not taken for something else.
    let arrays = out("npy", &["--format", "npy"]).join("trajectory");
    let (shape, positions) = array(&arrays.join("position.npy"));
    assert_eq!(shape, "(11, 2, 3, ");
    let energy = array(&arrays.join("invariants.npy")).1;
    let invariants = heads.len() - 1 - at("position_2_z");
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(positions[6 * i..6 * i + 6], row[at("position_1_x")..][..6]);
        assert_eq!(energy[invariants * i], row[at("energy")]);
    }
    let height = array(&arrays.join("height.npy")).1;
    assert_eq!(height[3], rows[3][at("height")]);
    lieflow(&["run", "fast-top", "--set", "output.positions=true"])
        .refuses(&["output.positions", "has no links"]);
}
