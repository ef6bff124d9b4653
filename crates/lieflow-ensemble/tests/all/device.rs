//! Ensembles on a device that is this machine: the same bytes as without it, whatever happens.
use lieflow_device::catalogue::PAIRS;
use lieflow_device::{Device, Emulated, Mishap, ptx};
use lieflow_ensemble::design::Design;
use lieflow_ensemble::keeper::Columns;
use lieflow_ensemble::run::{Job, Outcome, Settings, check_device};
use lieflow_ensemble::store::Folder;
use lieflow_files::Hash;
use lieflow_models::problem_file::Document;
use lieflow_testing::gpu;
use std::path::Path;

/// A problem with a field, a space, a method and more lines.
fn problem(field: &str, space: &str, method: &str, more: &str) -> String {
    format!(
        r#"
        system = "rigid-body"
        [parameters]
        inertia = [5.0, 5.0, 1.0]
        {field}
        space = "{space}"
        [initial]
        rotation = {{ vector = [0.3, 0.0, 0.0] }}
        omega = [0.0, 0.0, 50.0]
        [solve]
        method = "{method}"
        step = 0.01
        until = 0.1
        [ensemble]
        count = 300
        seed = 5
        times = [0.0, 0.03, 0.1]
        [[ensemble.vary]]
        key = "initial.omega"
        uniform = [[-1, -1, 20], [1, 1, 60]]
        {more}
        "#
    )
}

fn design(text: &str) -> (Document, Design) {
    let document = Document::parse(text, "test", &[]).unwrap();
    let design = Design::read(&document, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    (document, design)
}

/// All numbers of a run, as bits, and how it went.
fn run(text: &str, devices: &[Box<dyn Device>]) -> (Vec<Vec<u64>>, Vec<String>, Outcome) {
    let (document, design) = design(text);
    let mut columns = Columns::default();
    let settings = Settings { threads: 2, ..Settings::default() };
    let job = Job::new(&design, document.to_json(), settings).devices(devices);
    let outcome = job.run(&mut columns).unwrap();
    let manifest = columns.manifest().unwrap();
    let mut bits = Vec::new();
    for time in 0..manifest.times.len() {
        for k in 0..manifest.observables.len() {
            let column = columns.observable(time, k).unwrap();
            bits.push(column.iter().map(|x| x.to_bits()).collect());
        }
    }
    let reasons = columns.ends().iter().map(|end| format!("{:?} {}", end.failure, end.rows));
    (bits, reasons.collect(), outcome)
}

fn emulated(mishap: Mishap) -> Vec<Box<dyn Device>> {
    vec![Box::new(Emulated::with(mishap))]
}

fn same(text: &str, devices: &[Box<dyn Device>]) -> Outcome {
    let (bits, ends, outcome) = run(text, devices);
    let (expected, expected_ends, without) = run(text, &[]);
    assert_eq!(ends, expected_ends, "{text}");
    assert!(bits == expected, "other bits: {text}");
    assert_eq!(outcome.statistics.to_csv(), without.statistics.to_csv(), "{text}");
    assert_eq!(outcome.steps, without.steps);
    outcome
}

const FREE: &str = "";
const TOP: &str = r#"potential = { kind = "lagrange-top", strength = 20.0 }"#;
const LINEAR: &str =
    r#"potential = { kind = "linear", strength = 20.0, axis = [0, 0, 1], direction = [0, 1, 0] }"#;

/// A potential by formula that depends on one row of the attitude, and one that depends on all of it and on time.
const AXIAL: &str = r#"potential = { formula = "k*R[3,3]^2 + 3*sin(R[3,3])", k = 7.0 }"#;
const FORMULA: &str = r#"potential = { formula = "k*R[3,3] + atan2(R[1,2], 2 + R[2,2])*exp(-t) + cosh(R[1,1])/3", k = 7.0 }"#;
/// A torque of its own, alone and beside a potential.
const TORQUE: &str = r#"torque = { formula = "[sin(R[1,1]), c*R[2,3], abs(R[3,2])]", c = 0.3 }"#;
const BOTH: &str = r#"potential = { formula = "20*R[3,3]" }
        torque = { formula = "[c*R[1,1], 0, sqrt(2 + R[3,2])]", c = 0.3 }"#;
const FRICTION: &str = r#"torque = { formula = "-c*w + P*R[3,3]*0.01", c = 0.3 }"#;

#[test]
fn formulas_have_the_bits_of_the_cpu() {
    let methods = ["liemid-ea", "mcg", "vlv", "rattle", "rkmk4", "rkmk4-casas-owren"];
    for field in [AXIAL, FORMULA, TORQUE, BOTH, FRICTION] {
        for method in methods {
            if field == FRICTION && !method.starts_with("rkmk") {
                continue;
            }
            runs_alike(&problem(field, "se3", method, ""), 300);
        }
    }
    let varied = r#"
        [[ensemble.vary]]
        key = "parameters.potential.k"
        uniform = [5, 9]"#;
    let device = same(&problem(FORMULA, "se3", "vlv", varied), &emulated(Mishap::Nothing)).device;
    assert_eq!(device.unwrap().trajectories, 300);
}

/// The problem of an entry with so many trajectories and steps.
fn problem_of(entry: &str, method: &str, count: u64, steps: u32) -> String {
    let step = 0.125 / f64::from(steps);
    let changes = [
        ("method = \"rkmk4\"", format!("method = \"{method}\"")),
        ("step = 0.0078125", format!("step = {step:?}")),
        ("until = 1.0", "until = 0.125".into()),
        ("times = [0.0, 0.5, 1.0]", "times = [0.0, 0.0625, 0.125]".into()),
        ("count = 20000", format!("count = {count}")),
    ];
    let mut text = gpu::problem(entry);
    for (from, to) in changes {
        assert!(text.contains(from), "{entry}: found no '{from}'");
        text = text.replace(from, &to);
    }
    text
}

/// It runs on the device, all of it, with the bits of the CPU.
fn runs_alike(text: &str, count: u64) {
    let device = same(text, &emulated(Mishap::Nothing)).device.unwrap();
    assert_eq!((device.trajectories, device.alone, device.lost), (count, 0, None), "{text}");
}

#[test]
fn every_pair_has_the_bits_of_the_cpu() {
    for pair in PAIRS {
        runs_alike(&problem_of(pair.entry, pair.methods[0], 300, 16), 300);
    }
}

/// Where the driver takes roundings out of a state.
#[test]
fn beyond_a_thousand_steps() {
    for entry in ["spin_rkmk4", "reduced_rkmk4", "tilted_rkmk4", "wall_lift_rkmk4"] {
        runs_alike(&problem_of(entry, "rkmk4", 10, 2048), 10);
    }
}

/// Bodies that are not in their principal frame choose their field at run time.
#[test]
fn tilted_bodies_have_every_field() {
    let linear = "kind = \"linear\", strength = 20.0, axis = [0, 0, 1], direction = [0, 1, 0]";
    let fields = [
        "kind = \"free\"",
        "kind = \"lagrange-top\", strength = 20.0",
        linear,
        "kind = \"soft-wall\", offset = 1.2, power = 5",
        "kind = \"soft-wall\", attraction = 4.0, offset = 1.2, power = 5, printed = true",
        "kind = \"attractor\", alpha = 1.5, center = { vector = [1.0, -0.5, 2.0] }",
    ];
    for (entry, methods) in [
        ("tilted_mcg", &["liemid-ea", "vlv", "rattle", "rkmk4"][..]),
        ("tilted_lift_rkmk4", &["rkmk4-casas-owren"]),
    ] {
        for field in fields {
            for method in methods {
                let text = problem_of("tilted_mcg", method, 40, 16);
                let text = text.replace(linear, field);
                let (text, _) = text.split_once("\n[[ensemble.vary]]\nkey = \"parameters").unwrap();
                let space = if entry.contains("_lift_") { "space = \"lift\"\n" } else { "" };
                let text = text.replace("[initial]", &format!("{space}[initial]"));
                runs_alike(&text, 40);
            }
        }
    }
}

/// A wall whose exponent is no power of two, with the sign as it was printed.
#[test]
fn soft_walls_of_other_shapes() {
    let more = r#"
        [[ensemble.vary]]
        key = "parameters.potential.repulsion"
        uniform = [0.01, 0.1]"#;
    for (method, shape) in [("exs@rkn4", "power = 11"), ("rkmk4", "power = 1, printed = true")] {
        let text = problem_of("wall_exs", method, 40, 16).replace("power = 7", shape);
        runs_alike(&(text + more), 40);
    }
}

/// In the space lift a torque by formula may depend on the motion, and one row of the attitude is a short cut.
#[test]
fn formulas_in_the_space_lift() {
    for field in [AXIAL, FORMULA, TORQUE, BOTH, FRICTION] {
        for method in ["rkmk4", "rkmk4-casas-owren"] {
            runs_alike(&problem(field, "lift", method, ""), 300);
        }
    }
}

#[test]
fn parameters_may_vary_too_and_other_systems_are_run_alone() {
    let strength = r#"
        [[ensemble.vary]]
        key = "parameters.potential.strength"
        uniform = [10, 30]"#;
    let device = same(&problem(TOP, "se3", "vlv", strength), &emulated(Mishap::Nothing)).device;
    assert_eq!(device.unwrap().trajectories, 300);
    // Every second body cannot be built.
    let tilted = r#"
        [[ensemble.vary]]
        key = "parameters.inertia"
        list = [[5.0, 5.0, 1.0], [5.0, 5.0, -1.0]]"#;
    let outcome = same(&problem(TOP, "se3", "vlv", tilted), &emulated(Mishap::Nothing));
    assert_eq!((outcome.failed, outcome.device.unwrap().alone), (150, 0));
}

#[test]
fn a_step_that_fails_is_told_in_the_words_of_the_cpu() {
    let text = problem(TOP, "se3", "rattle", "").replace("step = 0.01", "step = 0.02");
    let text = text.replace("0.03", "0.02");
    let outcome = same(&text, &emulated(Mishap::Nothing));
    let device = outcome.device.unwrap();
    assert!(outcome.failed > 0 && outcome.failed < 300, "{}", outcome.failed);
    assert_eq!((device.alone, device.trajectories), (outcome.failed, 300 - outcome.failed));
    assert!(outcome.failures[0].2.contains("use a smaller step"), "{}", outcome.failures[0].2);
}

#[test]
fn steps_that_are_not_made_in_the_usual_way_are_made_all_the_same() {
    let text = problem(TOP, "se3", "liemid-ea", "").replace("step = 0.01", "step = 0.05");
    let text = text.replace("0.03", "0.05");
    let device = same(&text, &emulated(Mishap::Nothing)).device.unwrap();
    assert_eq!((device.trajectories, device.alone), (300, 0));
}

#[test]
fn a_last_short_step_and_a_run_backwards() {
    for (from, to) in [("step = 0.01", "step = 0.03"), ("until = 0.1", "until = -0.1")] {
        let text = problem(LINEAR, "lift", "rkmk4", "").replace(from, to);
        let text = text.replace("times = [0.0, 0.03, 0.1]", "");
        same(&text, &emulated(Mishap::Nothing));
    }
}

#[test]
fn a_device_that_is_lost_or_too_small_loses_nothing() {
    let text = problem(TOP, "se3", "exs@rkn6a", "");
    // One tile fits, two do not.
    let tile = 8 * 256 * 12 * 3 + 4 * 256;
    let device = same(&text, &emulated(Mishap::Memory(tile + 8192))).device.unwrap();
    assert_eq!((device.trajectories, device.lost), (300, None));
    let device = same(&text, &emulated(Mishap::Memory(1000))).device.unwrap();
    assert_eq!(device.trajectories, 0);
    assert!(device.lost.unwrap().to_string().contains("has not the memory"));
    let device = same(&text, &emulated(Mishap::Lost(0))).device.unwrap();
    assert_eq!(device.trajectories, 0);
    assert!(device.lost.unwrap().to_string().contains("the GPU failed"));
}

#[test]
fn what_was_complete_when_a_device_was_lost_is_kept() {
    // So many rows that a chunk is one tile, by a method with cheap steps.
    let text = problem(TOP, "se3", "vlv", "").replace("step = 0.01", "step = 0.00005");
    let text = text.replace("[0.0, 0.03, 0.1]", "{ from = 0.0, to = 0.1, points = 2001 }");
    let outcome = same(&text, &emulated(Mishap::Lost(1)));
    let device = outcome.device.unwrap();
    assert_eq!((device.trajectories, outcome.failed, outcome.interrupted), (256, 0, false));
    assert!(device.lost.is_some());
}

/// Also where rounding puts a time that looks like the end of a step inside it.
#[test]
fn states_inside_steps_have_the_bits_of_the_cpu() {
    let timed = r#"torque = { formula = "[sin(30*t), c*R[2,3], R[3,2]]", c = 0.3 }"#;
    for (field, method) in [
        (TOP, "exs@rkn6a"),
        (TOP, "exs@rkn4"),
        (LINEAR, "liemid-ea"),
        (timed, "vlv"),
        (timed, "mcg"),
    ] {
        for until in ["0.1", "-0.1"] {
            let sign = if until == "0.1" { "" } else { "-" };
            let times = format!(
                "times = [0.0, {sign}0.006, {sign}0.0071, {sign}0.03, {sign}0.06, {sign}0.0999]"
            );
            let text = problem(field, "se3", method, "")
                .replace("until = 0.1", &format!("until = {until}"));
            let text = text.replace("times = [0.0, 0.03, 0.1]", &times);
            let device = same(&text, &emulated(Mishap::Nothing)).device.unwrap();
            assert_eq!((device.trajectories, device.alone), (300, 0), "{text}");
        }
    }
}

/// A method that remembers many steps puts all of them aside for a look.
#[test]
fn states_of_spins_inside_steps() {
    let text = problem_of("spin_spherical", "spherical-midpoint", 40, 32);
    let times = "times = [0.0, 0.0615, 0.0625, 0.09, 0.0917, 0.125]";
    runs_alike(&text.replace("times = [0.0, 0.0625, 0.125]", times), 40);
}

#[test]
fn two_devices_take_turns() {
    let devices =
        [Emulated::default(), Emulated::default()].map(|d| Box::new(d) as Box<dyn Device>);
    same(&problem(FREE, "se3", "mcg", ""), &devices);
}

#[test]
fn what_is_not_compiled_is_refused_with_what_is() {
    let refused = |text: String| check_device(&design(&text).1).unwrap_err().to_string();
    let method = refused(problem(TOP, "se3", "cf4", ""));
    assert!(method.contains("the method cf4") && method.contains("liemid-ea"), "{method}");
    let adaptive = problem(TOP, "se3", "rkmk-dp54", "").replace("step = 0.01", "tol = 1e-6");
    assert!(refused(adaptive).contains("adaptive steps"));
    let inside = problem(TOP, "se3", "rkmk4", "").replace("0.03", "0.035");
    assert!(refused(inside).contains("the time 0.035 inside a step"));
    // Laws that the device does not have, and systems.
    let spin = problem_of("spin_rkmk4", "rkmk4", 10, 16);
    let driven = "field = { formula = \"[0, 0, cos(t)]\" }\n[initial]";
    check_device(&design(&spin.replace("[initial]", driven)).1).unwrap();
    let chosen = spin.replace("[ensemble]", "isotropy = \"orthogonal\"\n[ensemble]");
    assert!(refused(chosen).contains("an option of the method"));
    let gradient = refused(spin.replace("\"rkmk4\"", "\"discrete-gradient-mean\""));
    assert!(gradient.contains("the method discrete-gradient-mean"), "{gradient}");
    assert!(gradient.contains("spherical-midpoint"), "{gradient}");
    let euclidean = refused(problem(TOP, "euclidean", "rk4", ""));
    assert!(euclidean.contains("one that is compiled for GPUs"), "{euclidean}");
    let general = problem(TOP, "se3", "exs", "").replace("[5.0, 5.0, 1.0]", "[5.0, 4.0, 1.0]");
    assert!(refused(general).contains("the method exs"));
    let varied = "[[ensemble.vary]]\nkey = \"solve.method\"\nlist = [\"vlv\", \"mcg\"]";
    assert!(refused(problem(TOP, "se3", "vlv", varied)).contains("varies"));
    check_device(&design(&problem(TOP, "se3", "vlv", "")).1).unwrap();
}

/// A folder of files that a device has begun and lost is that of the CPU.
#[test]
fn files_are_the_same_byte_for_byte_also_after_a_stop() {
    let text = problem(TOP, "se3", "liemid-ea", "");
    same_files(&text, ["final.csv", "observed.csv", "statistics.csv"]);
    let text = format!("{text}\n[output]\nformat = \"npy\"\n");
    same_files(&text, ["final.npy", "observed.npy", "statistics.csv"]);
}

fn same_files(text: &str, files: [&str; 3]) {
    let (document, design) = design(text);
    let temporary = std::env::temp_dir().join(format!("lieflow-device-{}", std::process::id()));
    let run = |name: &str, devices: &[Box<dyn Device>], stop: bool| {
        let flag = std::sync::atomic::AtomicBool::new(stop);
        let job = Job::new(&design, document.to_json(), Settings::default());
        let mut folder = Folder::new(&temporary.join(name));
        job.devices(devices).stop(&flag).run(&mut folder).unwrap()
    };
    run("cpu", &[], false);
    run("device", &emulated(Mishap::Nothing), false);
    let stopped = run("stopped", &emulated(Mishap::Nothing), true);
    assert!(stopped.interrupted);
    run("stopped", &emulated(Mishap::Lost(0)), false);
    for file in files {
        let read = |folder: &str| std::fs::read(temporary.join(folder).join(file)).unwrap();
        assert!(read("cpu") == read("device"), "{file}");
        assert!(read("cpu") == read("stopped"), "{file}");
    }
    std::fs::remove_dir_all(&temporary).unwrap();
}

#[test]
fn the_manual_has_every_method() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/how-to/gpu.md");
    let page = std::fs::read_to_string(page).unwrap();
    for method in PAIRS.iter().flat_map(|pair| pair.methods) {
        assert!(page.contains(&format!("`{method}`")), "docs/how-to/gpu.md has no {method}");
    }
}

/// The checksum of the sources that `tools/gpu/build` writes into the text.
fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let list = std::fs::read_to_string(root.join("crates/lieflow-device/kernels/sources.txt"));
    let mut names = Vec::new();
    let list = list.unwrap();
    let mut open: Vec<String> =
        list.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(Into::into).collect();
    while let Some(name) = open.pop() {
        match std::fs::read_dir(root.join(&name)) {
            Ok(folder) => {
                open.extend(folder.map(|entry| {
                    format!("{name}/{}", entry.unwrap().file_name().to_string_lossy())
                }))
            }
            Err(_) => names.push(name),
        }
    }
    names.sort();
    let mut text = String::new();
    for name in names {
        let file =
            std::fs::read_to_string(root.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        text += &format!("{name}\n");
        for line in file.split('\n').map(str::trim) {
            if !line.is_empty() && !["//", "#!", "# "].iter().any(|mark| line.starts_with(mark)) {
                text += &format!("{line}\n");
            }
        }
    }
    Hash::of(text.as_bytes()).to_string()
}

#[test]
fn the_text_of_the_gpu_is_current_and_complete() {
    assert_eq!(ptx::sources(), sources(), "run tools/gpu/build: sources of the GPU have changed");
    for pair in PAIRS {
        for name in [pair.entry.to_string(), format!("{}_patient", pair.entry)] {
            let text = ptx::entry(&name).unwrap_or_else(|| panic!("{name} is not in the text"));
            assert_eq!(text.matches(".visible .entry").count(), 1, "{name}");
            assert!(!text.contains("fma."), "{name}: products and sums must be rounded one by one");
            // Formulas are only declared: `lieflow-device` tries them with something in their place.
            let complete = name.contains("formula_") || !text.contains(".extern");
            assert!(complete, "{name} calls something that is not there");
        }
    }
    assert!(ptx::entry("nothing").is_none());
}
