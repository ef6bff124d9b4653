//! Writes a sample figure and page into a directory, to look at: `cargo run -p lieflow-report
//! --example sample DIR`.
use lieflow_report::figure::{Figure, Series, Style, render_sheet};
use lieflow_report::page::{Chip, Fact, Object, Page, Scene, Shape, render};
use lieflow_report::table::{Table, Verdict};

fn main() -> std::io::Result<()> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "out".into());
    std::fs::create_dir_all(&dir)?;
    let steps: Vec<f64> = (0..8).map(|k| 0.5f64.powi(k)).collect();
    let names = ["liemid-ea", "akw", "rattle", "vlv", "rkmk4", "cf4", "exs@rkn6", "nmb", "tln"];
    let mut a = Figure::new("attitude", "step h", "error").log_log();
    let mut b = Figure::new("momentum", "step h", "error").log_log();
    for (k, name) in names.iter().enumerate() {
        let p = if !(4..=6).contains(&k) { 2.0 } else { 4.0 };
        let curve = |c: f64| steps.iter().map(move |h| (*h, c * (1.0 + k as f64) * h.powf(p)));
        a = a.with(Series::new(*name, Style::Marked, curve(0.02)));
        b = b.with(Series::new(*name, Style::Marked, curve(0.05)));
    }
    let figures = [a.with_slope(2.0), b.with_slope(4.0)];
    std::fs::write(format!("{dir}/figure.svg"), render_sheet("fast top, T = 10", &figures))?;
    let t: Vec<f64> = (0..500).map(|k| k as f64 * 0.02).collect();
    let wave = |t: f64| 1e-4 * (3.0 * t).sin() * (1.0 + 0.2 * t);
    let half = |t: f64| ((0.15 + 0.1 * t.sin()) * 0.5).sin_cos();
    let quaternions: Vec<[f64; 4]> = t
        .iter()
        .map(|&t| {
            let (s, c) = half(t);
            let (sz, cz) = (2.0 * t).sin_cos();
            [c * cz, s * cz, s * sz, c * sz]
        })
        .collect();
    let mut invariants = Table::new(["name", "initial", "largest error", "verdict"])
        .titled("Invariants", "A slope is called a drift when it exceeds three standard errors.");
    invariants.judged(["energy", "1269.1067", "8.7e-7", "bounded"], Verdict::Good);
    invariants.judged(["momentum", "47.77", "3e-14", "exact"], Verdict::Good);
    let page = Page {
        title: "fast-top".into(),
        subtitle: "rigid-body · liemid-ea · 10 000 steps of 0.001".into(),
        facts: vec![
            Fact { name: "method".into(), value: "liemid-ea, order 2, symmetric".into() },
            Fact { name: "energy error".into(), value: "9.4e-5".into() },
        ],
        tables: vec![invariants],
        plots: vec![
            Figure::new("Energy error", "time", "H - H0").with(Series::new(
                "energy",
                Style::Line,
                t.iter().map(|&t| (t, wave(t))),
            )),
            figures[0].clone(),
        ],
        scene: Some(Scene {
            times: t.clone(),
            bounds: [[-1.0; 3], [1.0; 3]],
            radius: 1.0,
            near: None,
            up: [0.0, 0.0, 1.0],
            view: [0.65, 0.38],
            ground: false,
            rate: 4.0,
            turn: 4.6,
            note: "A top that nods.".into(),
            objects: vec![
                Object::Sphere { radius: 1.0 },
                Object::Body {
                    name: "top".into(),
                    shape: Shape::Top,
                    half: [0.4, 0.4, 0.5],
                    principal: [1.0, 0.0, 0.0, 0.0],
                    axis: [0.0, 0.0, 1.0],
                    quaternions: quaternions.as_flattened().to_vec(),
                    positions: vec![],
                },
                Object::Tip { name: "axis".into(), body: 0, point: [0.0, 0.0, 1.0] },
            ],
        }),
        chips: vec![Chip { text: "energy bounded".into(), verdict: Verdict::Good }],
        problem: "system = \"rigid-body\"\n".into(),
        command: "lieflow run fast-top --out DIR".into(),
        ..Page::default()
    };
    std::fs::write(format!("{dir}/report.html"), render(&page))
}
