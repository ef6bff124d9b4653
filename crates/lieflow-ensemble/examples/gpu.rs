//! Tries the GPUs of this machine: `tools/gpu/measure` calls it, part by part.
//!
//! ```text
//! gpu load              the driver compiles every entry, or says why not
//! gpu bits COUNT TEXT   every pair whose name has this text has the bits of the CPU, for so many trajectories
//! gpu rates TEXT        trajectory steps a second, on the GPU and on all cores, of problems whose name has this text
//! gpu tops COUNT        so many tops with statistics, and the memory that they take
//! ```
use lieflow_device::catalogue::PAIRS;
use lieflow_device::{Device, find_devices};
use lieflow_ensemble::design::Design;
use lieflow_ensemble::keeper::Keeper;
use lieflow_ensemble::run::{Block, Job, Outcome, Settings};
use lieflow_ensemble::store::StoreError;
use lieflow_models::problem_file::Document;
use lieflow_testing::gpu;
use std::error::Error;

type Failure = Box<dyn Error>;

/// A fingerprint of all rows, in the order of the index.
struct Fingerprint(u64);

impl Keeper for Fingerprint {
    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        for block in blocks {
            for (k, end) in block.ends().iter().enumerate() {
                for time in 0..end.rows {
                    for x in block.row(time, k) {
                        self.0 = (self.0 ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01B3);
                        self.0 ^= self.0 >> 29;
                    }
                }
                self.0 = self.0.wrapping_add(end.rows as u64);
            }
        }
        Ok(())
    }
}

/// A problem of `tools/gpu/problems` by the name of an entry, or one of the laws here.
struct Case<'a> {
    entry: &'a str,
    method: &'a str,
    steps: u64,
    count: u64,
    times: &'a str,
    quantiles: bool,
}

/// What is replaced by laws by formula.
const TOP: &str = r#"potential = { kind = "lagrange-top", strength = 20.0 }"#;

/// Laws by formula: the torque of the top once more, one of ten terms, the same with numbers that vary, and all functions.
const LAWS: [(&str, &str); 4] = [
    ("top-formula", r#"potential = { formula = "20*R[3,3]" }"#),
    (
        "ten-terms-formula",
        r#"torque = { formula = "[20*R[3,2] + 0.1*R[1,2]*R[2,3] - 0.2*R[1,1], -20*R[3,1] + 0.3*R[2,2]*R[1,1] + 0.05*R[3,3]^2, 0.1*R[1,3] - 0.2*R[2,1]*R[3,2] + 0.3*R[3,3]] + [0.01, 0, 0]" }"#,
    ),
    (
        "varied-formula",
        r#"torque = { formula = "[a*R[3,2] + b*R[1,2]*R[2,3] - c*R[1,1], -a*R[3,1] + 0.3*R[2,2]*R[1,1] + 0.05*R[3,3]^2, b*R[1,3] - c*R[2,1]*R[3,2] + 0.3*R[3,3]] + [0.01, 0, 0]", a = 20.0, b = 0.1, c = 0.2 }"#,
    ),
    (
        "functions-formula",
        r#"potential = { formula = "log(3 + R[2,1])*tanh(7*R[2,2]) + sinh(R[2,3])*cosh(R[1,1]) + sqrt(2 + R[1,1])*exp(-t) + cos(R[3,1])*1e-7*cos(1e7*R[2,2]) + atan2(R[1,2], 2 + R[2,2])" }
torque = { formula = "[abs(R[3,1]), floor(3*R[2,3]), max(R[1,1], R[2,2])]" }"#,
    ),
];
const VARIED: &str = "
[[ensemble.vary]]
key = \"parameters.torque.a\"
uniform = [18, 22]

[[ensemble.vary]]
key = \"parameters.torque.b\"
uniform = [0.05, 0.15]

[[ensemble.vary]]
key = \"parameters.torque.c\"
uniform = [0.1, 0.3]
";

impl Case<'_> {
    fn document(&self) -> Result<Document, Failure> {
        let Self { entry, method, steps, count, times, quantiles } = self;
        let law = LAWS.iter().find(|(name, _)| name == entry);
        let text = match law {
            Some(("varied-formula", law)) => gpu::problem("top").replace(TOP, law) + VARIED,
            Some((_, law)) => gpu::problem("top").replace(TOP, law),
            None => gpu::problem(entry),
        };
        let text = text
            .replace("method = \"rkmk4\"", &format!("method = \"{method}\""))
            .replace("step = 0.0078125", &format!("step = {:?}", 1.0 / *steps as f64))
            .replace("count = 20000", &format!("count = {count}"))
            .replace("times = [0.0, 0.5, 1.0]", times);
        let text = match *quantiles {
            true => text,
            false => text.replace("quantiles = [0.05, 0.5, 0.95]", "quantiles = []"),
        };
        Ok(Document::parse(&text, "gpu", &[])?)
    }

    /// A run with the fingerprint of its rows.
    fn run(&self, devices: &[Box<dyn Device>]) -> Result<(u64, Outcome), Failure> {
        let mut keeper = Fingerprint(1);
        let outcome = self.run_into(devices, &mut keeper)?;
        Ok((keeper.0, outcome))
    }

    /// A run whose rows nobody looks at, but for the statistics.
    fn time(&self, devices: &[Box<dyn Device>]) -> Result<Outcome, Failure> {
        self.run_into(devices, &mut ())
    }

    fn run_into(
        &self,
        devices: &[Box<dyn Device>],
        keeper: &mut dyn Keeper,
    ) -> Result<Outcome, Failure> {
        let document = self.document()?;
        let design = Design::read(&document, &|_| Err(std::io::ErrorKind::NotFound.into()))?;
        let job = Job::new(&design, document.to_json(), Settings::default()).devices(devices);
        let outcome = job.run(keeper)?;
        if let Some(lost) = outcome.device.as_ref().and_then(|device| device.lost.as_ref()) {
            return Err(lost.to_string().into());
        }
        Ok(outcome)
    }
}

#[cfg(feature = "cuda")]
fn load() -> Result<(), Failure> {
    let mut bad = 0;
    for gpu in lieflow_device::Cuda::all()? {
        println!("{}", gpu.name());
        for (entry, loaded) in lieflow_device::load_all(&gpu) {
            match loaded {
                Ok(seconds) => println!("  {entry:28} loaded in {seconds:.2} s"),
                Err(error) => {
                    println!("  {entry:28} FAILED: {error}");
                    bad += 1;
                }
            }
        }
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} entries were not loaded").into()) }
}

#[cfg(not(feature = "cuda"))]
fn load() -> Result<(), Failure> {
    Err(lieflow_device::DeviceError::NotBuilt.into())
}

fn bits(devices: &[Box<dyn Device>], count: u64, text: &str) -> Result<(), Failure> {
    let mut bad = 0;
    let methods = ["liemid-ea", "rattle", "rkmk4", "rkmk4-casas-owren"];
    let laws = LAWS.iter().flat_map(|(law, _)| methods.map(|method| (*law, method)));
    let all = PAIRS.iter().map(|pair| (pair.entry, pair.methods[0])).chain(laws);
    for (entry, method) in all.filter(|(entry, _)| entry.contains(text)) {
        // Steps that are made in the usual way, and such that are not.
        for steps in [300, 40] {
            let count = if steps == 300 { count / 10 } else { count };
            let times = "times = [0.0, 0.5, 1.0]";
            let case = Case { entry, method, steps, count, times, quantiles: true };
            let (expected, cpu) = case.run(&[])?;
            let (found, gpu) = case.run(devices)?;
            let same = expected == found && cpu.statistics.to_csv() == gpu.statistics.to_csv();
            let alone = gpu.device.map_or(0, |device| device.alone);
            println!(
                "{entry:28} {method:18} {steps:4} steps {count:9} trajectories  {}  {expected:016x} {found:016x}  {alone} alone  cpu {:.2} s, gpu {:.2} s",
                if same { "same" } else { "OTHER BITS" },
                cpu.seconds,
                gpu.seconds,
            );
            bad += usize::from(!same);
        }
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} cases have other bits").into()) }
}

fn rates(devices: &[Box<dyn Device>], text: &str) -> Result<(), Failure> {
    println!(
        "{:18} {:18} {:>6} {:>10} {:>12} {:>12} {:>12} {:>8}",
        "problem", "method", "steps", "count", "gpu steps/s", "device only", "cpu steps/s", "ratio"
    );
    let cases = [
        ("top", "liemid-ea", 1000, 1 << 22),
        ("top", "liemid-ea", 10_000, 1 << 20),
        ("free", "liemid-ea", 10_000, 1 << 20),
        ("linear", "liemid-ea", 10_000, 1 << 20),
        ("wall", "liemid-ea", 10_000, 1 << 20),
        ("attractor", "liemid-ea", 5_000, 1 << 20),
        ("tilted", "liemid-ea", 5_000, 1 << 20),
        ("top-formula", "liemid-ea", 5_000, 1 << 20),
        ("ten-terms-formula", "liemid-ea", 5_000, 1 << 20),
        ("top-formula", "rkmk4", 5_000, 1 << 20),
        ("ten-terms-formula", "rkmk4", 5_000, 1 << 20),
        ("varied-formula", "liemid-ea", 5_000, 1 << 20),
        ("functions-formula", "liemid-ea", 5_000, 1 << 20),
        ("functions-formula", "rattle", 2_000, 1 << 20),
        ("functions-formula", "rkmk4", 2_000, 1 << 20),
        ("ten-terms-formula", "rkmk4-casas-owren", 5_000, 1 << 20),
        ("formula", "liemid-ea", 5_000, 1 << 20),
        ("tilted_formula", "liemid-ea", 2_000, 1 << 20),
        ("top", "vlv", 10_000, 1 << 20),
        ("top", "rattle", 10_000, 1 << 20),
        ("top", "mcg", 10_000, 1 << 20),
        ("top", "exs", 10_000, 1 << 20),
        ("top", "exs@rkn6a", 4, 1 << 23),
        ("top", "exs@rkn6a", 1000, 1 << 20),
        ("wall", "exs@rkn6a", 1000, 1 << 20),
        ("top", "rkmk4", 5_000, 1 << 20),
        ("top", "rkmk4-casas-owren", 5_000, 1 << 20),
        ("attractor", "rkmk4", 2_000, 1 << 20),
        ("tilted", "rkmk4", 2_000, 1 << 20),
        ("top_lift", "rkmk4", 5_000, 1 << 20),
        ("top_lift", "rkmk4-casas-owren", 5_000, 1 << 20),
        ("formula_lift", "rkmk4", 2_000, 1 << 20),
        ("reduced", "rkmk4", 10_000, 1 << 20),
        ("spin", "rkmk4", 10_000, 1 << 20),
        ("spin", "rkmk4-casas-owren", 10_000, 1 << 20),
        ("spin_formula", "rkmk4", 5_000, 1 << 20),
    ];
    let cases = cases.into_iter().filter(|(entry, ..)| text.split(',').any(|t| entry.contains(t)));
    for (entry, method, steps, count) in cases {
        let times = "";
        let case = Case { entry, method, steps, count, times, quantiles: true };
        // The first run loads the entry.
        Case { count: 1 << 10, steps: 4, ..case }.time(devices)?;
        let gpu = case.time(devices)?;
        let few = (count / 64).max(1 << 14);
        let cpu = Case { count: few, ..case }.time(&[])?;
        let rate = |outcome: &Outcome| outcome.steps as f64 / outcome.seconds;
        // Chunks overlap, so that the time on the device counts some of them more than once.
        let alone = gpu.device.as_ref().map_or(f64::NAN, |device| device.seconds);
        println!(
            "{entry:18} {method:18} {steps:6} {count:10} {:12.3e} {:12.3e} {:12.3e} {:8.1}",
            rate(&gpu),
            gpu.steps as f64 / alone,
            rate(&cpu),
            rate(&gpu) / rate(&cpu),
        );
    }
    Ok(())
}

fn tops(devices: &[Box<dyn Device>], count: u64) -> Result<(), Failure> {
    for (what, quantiles) in [("means and quantiles", true), ("means alone", false)] {
        let (entry, method, times) = ("top", "exs@rkn6a", "");
        let case = Case { entry, method, steps: 4, count, times, quantiles };
        Case { count: 1 << 10, ..case }.time(devices)?;
        let outcome = case.time(devices)?;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
        let rate = count as f64 / outcome.seconds;
        println!(
            "{count} tops by exs@rkn6a with 4 steps, {what}: {:.2} s, {rate:.3e} trajectories/s, {:.3e} nominal steps/s (1000 each), {peak}",
            outcome.seconds,
            1000.0 * rate,
        );
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |default: u64| match words.get(1) {
        Some(word) => word.parse::<u64>(),
        None => Ok(default),
    };
    let text = |k: usize| words.get(k).map_or("", String::as_str);
    match words.first().map(String::as_str) {
        Some("load") => load(),
        Some("bits") => bits(&find_devices()?, number(1_000_000)?, text(2)),
        Some("rates") => rates(&find_devices()?, text(1)),
        Some("tops") => tops(&find_devices()?, number(100_000_000)?),
        _ => Err("expected load, bits, rates or tops".into()),
    }
}
