//! How roundings of free bodies grow over very many steps, by every method:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p lieflow --bench roundings -- [METHOD …]
//!     [--decades 6] [--starts 16] [--first 0] [--step 0.1] [--motions tumbling,spin,precession]
//!     [--compensated] [--all] [--rows]
//! ```
//!
//! For each method and motion: root mean square and mean over the starts of the relative error of the
//! energy (where the method keeps it), of the spatial momentum and of `RᵀR - I` after 10², 10³, … steps,
//! then the exponent of their growth and the bias, which is the mean over the root mean square at the end.
//! A random walk has the exponent 0.5; a bias of `n` starts strays by `1/sqrt(n)`. Lines in which the
//! exponent is above 0.6 or the bias above 0.5 are marked.
//!
//! `--rows` prints each power of ten as soon as it is reached, as numbers between commas, and nothing else:
//! what a run that is cut off had found is not lost.
//!
//! On a machine with AVX-512 and compiled for it, sixteen motions go side by side; their bits are those of
//! single ones. Steps are those of the driver: each 1,024th takes the roundings out of the rotation.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[path = "../tests/long/body.rs"]
mod body;
mod numbers;
use body::{Body, Motion};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::{Entry, Method, Options, Step, generator, rigid_body};
use lieflow::problem::Problem;
use lieflow::stepping::RESTORED_EVERY;
use lieflow::{Mat3, Real, Vec3};
use numbers::{LANES, Number, number, numbers};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// What was asked for.
struct Study {
    decades: u32,
    starts: u64,
    first: u64,
    step: f64,
    options: Options,
    all: bool,
    rows: bool,
    motions: Vec<Motion>,
    methods: Vec<String>,
}

fn main() -> ExitCode {
    let mut study = Study {
        decades: 6,
        starts: 16,
        first: 0,
        step: 0.1,
        options: Options::default(),
        all: false,
        rows: false,
        motions: vec![Motion::Tumbling, Motion::Spin],
        methods: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "--decades" => study.decades = value().parse().unwrap(),
            "--starts" => study.starts = value().parse().unwrap(),
            "--first" => study.first = value().parse().unwrap(),
            "--step" => study.step = value().parse().unwrap(),
            "--motions" => study.motions = value().split(',').map(motion).collect(),
            "--compensated" => study.options.compensated = true,
            "--all" => study.all = true,
            "--rows" => study.rows = true,
            "--bench" => (),
            name => study.methods.push(name.into()),
        }
    }
    let mut biased = 0;
    for entry in entries(&study) {
        for &motion in &study.motions {
            biased += study.follow(&entry, motion);
        }
    }
    if !study.rows {
        println!("{biased} quantities are marked");
    }
    ExitCode::SUCCESS
}

fn motion(name: &str) -> Motion {
    match name {
        "tumbling" => Motion::Tumbling,
        "spin" => Motion::Spin,
        "precession" => Motion::Precession,
        _ => panic!("no motion {name}"),
    }
}

/// The methods that were asked for; else all but compositions of others, and names for the same method.
fn entries(study: &Study) -> Vec<Entry<Body<Number>>> {
    let mut list = rigid_body::entries::<Number, Body<Number>>();
    list.extend(generator::entries::<Body<Number>>());
    list.retain(|entry| {
        let id = entry.card.id;
        let composed = id.contains('@') && !id.starts_with("exs@") && !id.starts_with("dmv10@");
        let composed =
            composed || ["@tj4", "@su4", "@tj6", "@yo6", "@kl6"].iter().any(|c| id.ends_with(c));
        if study.methods.is_empty() {
            (study.all || !composed) && !["dmv", "ls", "lgvi"].contains(&id)
        } else {
            study.methods.iter().any(|name| name == id)
        }
    });
    list
}

/// Energy, momentum and rotation of one motion: how large the error is, and with its sign.
type Errors = [(f64, f64); 3];

const QUANTITIES: [&str; 3] = ["energy", "momentum", "rotation"];

impl Study {
    /// Follows all starts, prints what was found, and says how many quantities are marked.
    fn follow(&self, entry: &Entry<Body<Number>>, motion: Motion) -> usize {
        let clock = Instant::now();
        let mut rows: Vec<Vec<Errors>> = vec![Vec::new(); self.decades as usize - 1];
        let mut start = self.first;
        while start < self.first + self.starts {
            if let Err(error) = self.run(entry, motion, start, &mut rows) {
                println!("{:<16} {motion:?}: {error}", entry.card.id);
                return 0;
            }
            start += LANES as u64;
        }
        if self.rows {
            return 0;
        }
        let keeps_energy = entry.card.conserves.contains("energy");
        let mut marked = 0;
        for (i, quantity) in QUANTITIES.into_iter().enumerate() {
            if i == 0 && !keeps_energy {
                continue;
            }
            let sizes: Vec<f64> = rows.iter().map(|row| rms(row.iter().map(|e| e[i].0))).collect();
            let last = rows.last().unwrap();
            let mean = last.iter().map(|e| e[i].1).sum::<f64>() / last.len() as f64;
            let bias = mean / rms(last.iter().map(|e| e[i].1)).max(f64::MIN_POSITIVE);
            let power = exponent(&sizes);
            let mark = power > 0.6 || bias.abs() > 0.5;
            marked += usize::from(mark);
            let sizes: Vec<_> = sizes.iter().map(|x| format!("{x:.1e}")).collect();
            println!(
                "{:<16} {:<10} {quantity:<8} {power:5.2} {bias:5.2}  {}{}",
                entry.card.id,
                format!("{motion:?}"),
                sizes.join(" "),
                if mark { " <==" } else { "" }
            );
        }
        println!("{:<16} {motion:?}: {:.1} s", entry.card.id, clock.elapsed().as_secs_f64());
        std::io::stdout().flush().unwrap();
        marked
    }

    /// Method, motion, steps, whether they were compensated; then of each quantity the root mean square of how
    /// large its error is, and of its sign root mean square and mean.
    fn print(&self, id: &str, motion: Motion, steps: u64, row: &[Errors]) {
        let mut line = format!("{id},{motion:?},{steps:e},{}", u8::from(self.options.compensated));
        for i in 0..QUANTITIES.len() {
            let signed = row.iter().map(|e| e[i].1);
            let mean = signed.clone().sum::<f64>() / row.len() as f64;
            let sizes = [rms(row.iter().map(|e| e[i].0)), rms(signed), mean];
            line.extend(sizes.map(|x| format!(",{x:.2e}")));
        }
        println!("{line}");
    }

    /// Follows as many starts as go side by side.
    fn run(
        &self,
        entry: &Entry<Body<Number>>,
        motion: Motion,
        first: u64,
        rows: &mut [Vec<Errors>],
    ) -> Result<(), String> {
        let starts: Vec<_> = (0..LANES as u64).map(|k| motion.start(first + k)).collect();
        let inertia = Inertia::principal(motion.moments());
        let p = Body { inertia: inertia.lift(Number::lift), start: side_by_side(&starts) };
        let mut method = (entry.make)(&p, &self.options).map_err(|error| error.to_string())?;
        let (mut state, mut count) = (p.start, 0);
        for (decade, row) in rows.iter_mut().enumerate() {
            let until = 10u64.pow(decade as u32 + 2);
            go(&p, &mut *method, self.step, count..until, &mut state)?;
            count = until;
            for (start, end) in starts.iter().zip(apart(&state)) {
                row.push(errors(&inertia, start, &end));
            }
            if self.rows && first + LANES as u64 >= self.first + self.starts {
                self.print(entry.card.id, motion, until, row);
            }
        }
        Ok(())
    }
}

/// Steps of these numbers, as the driver makes them.
fn go(
    p: &Body<Number>,
    method: &mut dyn Method<Body<Number>>,
    h: f64,
    steps: std::ops::Range<u64>,
    state: &mut BodyState<Number>,
) -> Result<(), String> {
    let mut next = *state;
    for k in steps {
        method.step(Step::new(p, k as f64 * h, h, state), &mut next).map_err(|e| e.to_string())?;
        method.accept();
        *state = next;
        if (k + 1) % RESTORED_EVERY == 0 && !method.carries_roundings() {
            p.restore(state);
        }
    }
    Ok(())
}

/// Single states as one.
fn side_by_side(states: &[BodyState<f64>]) -> BodyState<Number> {
    let all = |f: &dyn Fn(&BodyState<f64>) -> f64| {
        let mut x = [0.0; LANES];
        x.iter_mut().zip(states).for_each(|(x, y)| *x = f(y));
        number(x)
    };
    let vector = |f: &dyn Fn(&BodyState<f64>) -> Vec3<f64>| Vec3 {
        x: all(&|y| f(y).x),
        y: all(&|y| f(y).y),
        z: all(&|y| f(y).z),
    };
    let row = |i: usize| vector(&|y| y.rotation.rows[i]);
    BodyState::new(Mat3::from_rows(row(0), row(1), row(2)), vector(&|y| y.momentum))
}

/// One state as single ones.
fn apart(y: &BodyState<Number>) -> Vec<BodyState<f64>> {
    let one = |v: Vec3<Number>, k: usize| Vec3 {
        x: numbers(v.x)[k],
        y: numbers(v.y)[k],
        z: numbers(v.z)[k],
    };
    let rows = &y.rotation.rows;
    (0..LANES)
        .map(|k| {
            let rotation = Mat3::from_rows(one(rows[0], k), one(rows[1], k), one(rows[2], k));
            BodyState::new(rotation, one(y.momentum, k))
        })
        .collect()
}

fn errors(inertia: &Inertia<f64>, start: &BodyState<f64>, end: &BodyState<f64>) -> Errors {
    let energy =
        inertia.kinetic_energy(end.momentum) / inertia.kinetic_energy(start.momentum) - 1.0;
    let then = start.rotation.apply(start.momentum);
    let now = end.rotation.apply(end.momentum);
    let size = then.norm();
    let gram = end.rotation.transpose().matmul(&end.rotation) - Mat3::identity();
    [
        (energy, energy),
        ((now - then).norm() / size, (now.norm() - size) / size),
        (end.rotation.orthogonality_error(), gram.trace() / 3.0),
    ]
}

fn rms(list: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = list.clone().count() as f64;
    (list.map(|x| x * x).sum::<f64>() / count).sqrt()
}

/// The slope over the decades of the logarithm, where a few roundings count as none at all.
fn exponent(sizes: &[f64]) -> f64 {
    let n = sizes.len() as f64;
    let logs = sizes.iter().map(|y| y.max(2e-15).log10());
    let (mx, my) = ((n - 1.0) / 2.0, logs.clone().sum::<f64>() / n);
    let sxx: f64 = (0..sizes.len()).map(|x| (x as f64 - mx).powi(2)).sum();
    let sxy: f64 = logs.enumerate().map(|(x, y)| (x as f64 - mx) * (y - my)).sum();
    sxy / sxx
}
